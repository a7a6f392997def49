//! Anchors, aliases and merge keys, which repeat values within limits (YAML 1.2.2, section 7.1).

use super::super::limits::MAX_BYTES;
use super::super::report::Report;
use super::super::{Entry, Node, Text, Tree};
use super::builder::{Builder, PendingKey};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;
use crate::source::Span;

/// A value that aliases may repeat, and the cost of a repetition.
pub struct Anchored {
    node: Node,
    size: Size,
}

#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Builder<'_, '_> {
    pub(super) fn alias(&mut self, anchor: usize, start: usize, end: usize) {
        let span = self.report.span(start, end);
        let node = self.repeat(anchor, span).unwrap_or(Node { span, tree: Tree::Null });
        if !self.waits_for_key() {
            return self.node(node, 0, end);
        }
        let kind = node.kind();
        let key = match node.tree {
            Tree::String(text) => PendingKey::Known(text),
            Tree::Int(_) | Tree::Float(_) | Tree::Bool(_) => {
                let (start, end) = (node.span.start as usize, node.span.end as usize);
                PendingKey::Known(Text::verbatim(&self.text[start..end], node.span, start))
            }
            Tree::Null | Tree::Array(_) | Tree::Object(_) => self.no_key(span, kind),
        };
        self.set_key(key, end);
    }

    /// Returns a copy of the value of an alias, within the limits.
    fn repeat(&mut self, anchor: usize, span: Span) -> Option<Node> {
        let Some(size) = self.anchors.get(&anchor).map(|anchored| anchored.size) else {
            self.refuse_cycle(anchor, span);
            return None;
        };
        self.repeated = self.repeated.saturating_add(size.bytes);
        let fits = self.report.spend(size.nodes, span)
            && self.report.check_depth(self.open.len() + size.depth, span)
            && self.check_repeated(span);
        self.anchors.get(&anchor).filter(|_| fits).map(|anchored| anchored.node.clone())
    }

    /// Refuses an alias of a value that is still being read.
    fn refuse_cycle(&mut self, anchor: usize, span: Span) {
        let alias = shown(&self.text[span.start as usize..span.end as usize]);
        let mut diagnostic =
            Diagnostic::new(&codes::WF0122, span, format!("`{alias}` refers to a value that contains it"))
                .label("the value would contain itself")
                .help("copy the value, or anchor a value that ends before the alias");
        if let Some(open) = self.open.iter().find(|open| open.anchor == anchor) {
            let start = self.report.span(open.start, open.start + 1);
            diagnostic = diagnostic.related(start, "the value starts here");
        }
        self.report.push(diagnostic);
    }

    pub(super) fn no_key(&mut self, span: Span, kind: &str) -> PendingKey {
        let help = "write a string as the key, or put the text in quotes";
        self.report.push(Diagnostic::new(&codes::WF0123, span, format!("{kind} cannot be a key")).help(help));
        PendingKey::Refused
    }

    fn check_repeated(&mut self, span: Span) -> bool {
        if self.repeated > MAX_BYTES {
            let message = format!("aliases repeat more than {MAX_BYTES} bytes of text");
            let help = "use fewer aliases, or shorter texts";
            self.report.fail(Diagnostic::new(&codes::WF0113, span, message).label("reading stopped here").help(help));
        }
        !self.report.stopped()
    }

    /// Stores a copy of an anchored value for its aliases.
    pub(super) fn remember(&mut self, anchor: usize, node: &Node) {
        if anchor == 0 {
            return;
        }
        let size = size_of(node);
        self.repeated = self.repeated.saturating_add(size.bytes);
        if self.report.spend(size.nodes, node.span) && self.check_repeated(node.span) {
            self.anchors.insert(anchor, Anchored { node: node.clone(), size });
        }
    }

    pub(super) fn name_anchor(&mut self, anchor: usize, start: usize) {
        if anchor == 0 {
            return;
        }
        let Some(at) = self.text[start..].find('&') else { return };
        let rest = &self.text[start + at + 1..];
        let end = rest.find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}']).unwrap_or(rest.len());
        self.names.push(&rest[..end]);
    }
}

/// Adds the members of the value of a merge key.
pub fn merge_into(merged: &mut Vec<Entry>, value: Node, report: &mut Report) {
    let mut refuse = |node: &Node| {
        let message = format!("`<<` must be a mapping or a list of mappings, found {}", node.kind());
        let help = "write an alias of a mapping, as in `<<: *name`, or a list of such aliases";
        report.push(Diagnostic::new(&codes::WF0125, node.span, message).help(help));
    };
    match value.tree {
        Tree::Object(entries) => merged.extend(entries),
        Tree::Array(items) => {
            for item in items {
                match item.tree {
                    Tree::Object(entries) => merged.extend(entries),
                    _ => refuse(&item),
                }
            }
        }
        _ => refuse(&value),
    }
}

/// Returns the size of a value. The recursion is bounded, because the readers limit the depth.
fn size_of(node: &Node) -> Size {
    let mut size = Size { nodes: 1, bytes: 0, depth: 0 };
    let mut add = |inner: Size| {
        size.nodes += inner.nodes;
        size.bytes += inner.bytes;
        size.depth = size.depth.max(inner.depth + 1);
    };
    match &node.tree {
        Tree::String(text) => size.bytes = text.value.len(),
        Tree::Array(items) => items.iter().for_each(|item| add(size_of(item))),
        Tree::Object(entries) => entries.iter().for_each(|entry| {
            let mut inner = size_of(&entry.value);
            inner.bytes += entry.key.value.len();
            add(inner);
        }),
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => {}
    }
    size
}
