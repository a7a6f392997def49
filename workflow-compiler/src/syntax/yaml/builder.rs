//! Construction of the tree from the events of the parser.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Marker, ScalarStyle, ScanError, Span as Range, Tag};

use super::super::members::MemberList;
use super::super::report::Report;
use super::super::{Entry, Node, Text, Tree};
use super::aliases::{Anchored, merge_into};
use super::errors;
use super::marks::Marks;
use super::scalars::{self, Core};
use super::source_map;
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;
use crate::source::{FileId, Span};

pub struct Builder<'t, 'd> {
    file: FileId,
    pub(super) text: &'t str,
    marks: Marks<'t>,
    /// The offset of the text that `marks` refers to: after a byte order mark.
    offset: usize,
    pub(super) report: Report<'d>,
    /// The open collections, outermost first.
    pub(super) open: Vec<Open>,
    root: Option<Node>,
    pub(super) anchors: HashMap<usize, Anchored>,
    /// The names of all anchors so far, for suggestions.
    pub(super) names: Vec<&'t str>,
    /// The number of bytes of text that aliases have repeated.
    pub(super) repeated: usize,
}

/// A collection that is being read.
pub(super) struct Open {
    kind: Collection,
    pub(super) start: usize,
    /// The end of the last thing in it.
    end: usize,
    pub(super) anchor: usize,
}

enum Collection {
    Sequence(Vec<Node>),
    Mapping { members: MemberList, key: PendingKey, merge: Option<Span>, merged: Vec<Entry> },
}

/// The role of the next node of a mapping.
pub(super) enum PendingKey {
    /// A key.
    Expected,
    /// The value of this key.
    Known(Text),
    /// The value of the merge key with this span.
    Merge(Span),
    /// The value of a refused key.
    Refused,
}

impl<'t, 'd> Builder<'t, 'd> {
    pub fn new(file: FileId, text: &'t str, offset: usize, report: Report<'d>) -> Self {
        let marks = Marks::new(&text[offset..]);
        Builder {
            file,
            text,
            marks,
            offset,
            report,
            open: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            names: Vec::new(),
            repeated: 0,
        }
    }

    pub fn stopped(&self) -> bool {
        self.report.stopped()
    }

    pub fn take(&mut self, event: Event<'_>, range: &Range) {
        let (start, end) = (self.byte(&range.start), self.byte(&range.end));
        match event {
            Event::Scalar(value, style, anchor, tag) => self.scalar(value.into_owned(), style, anchor, tag, start, end),
            Event::SequenceStart(anchor, tag) => {
                self.begin(Collection::Sequence(Vec::new()), Core::Seq, anchor, tag, start, end);
            }
            Event::MappingStart(anchor, tag) => {
                let mapping = Collection::Mapping {
                    members: MemberList::default(),
                    key: PendingKey::Expected,
                    merge: None,
                    merged: Vec::new(),
                };
                self.begin(mapping, Core::Map, anchor, tag, start, end);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                // A flow collection ends at its bracket. A block collection ends with the last
                // thing in it, and the mark is the start of what follows.
                let bracket = end > start && self.text[start..].starts_with([']', '}']);
                self.end(bracket.then_some(start + 1));
            }
            Event::Alias(anchor) => self.alias(anchor, start, end),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
    }

    pub fn second_document(&mut self, range: &Range) {
        let (start, end) = (self.byte(&range.start), self.byte(&range.end));
        let span = self.report.span(start, end);
        let help = "move it into its own file";
        self.report.push(Diagnostic::new(&codes::WF0124, span, "a second YAML document starts here").help(help));
    }

    pub fn scan_error(&mut self, error: &ScanError) {
        let at = self.byte(error.marker());
        errors::report(error, self.text, at, &self.names, &mut self.report);
    }

    /// Returns the tree, as far as it was read.
    pub fn finish(mut self) -> Node {
        while !self.open.is_empty() {
            self.end(None);
        }
        if let Some(root) = self.root {
            return root;
        }
        let (start, span) = (self.offset, self.report.span(self.offset, self.offset));
        if !self.report.has_errors() {
            let empty = Diagnostic::new(&codes::WF0114, span, "the file is empty");
            self.report.push(empty.help("write a definition"));
        }
        self.report.null(start)
    }

    fn byte(&self, mark: &Marker) -> usize {
        self.offset + self.marks.byte(mark)
    }

    fn scalar(
        &mut self,
        value: String,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<Cow<Tag>>,
        start: usize,
        end: usize,
    ) {
        let mut content = start;
        let has_properties = anchor > 0 || tag.is_some();
        let core = self.core_tag(tag, start);
        if has_properties {
            self.name_anchor(anchor, start);
            content = source_map::properties(self.text, start).content;
            if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
                content = source_map::block_content(self.text, content);
            }
        }
        if value.is_empty() && style == ScalarStyle::Plain {
            content = content.min(end);
        }
        let plain = style == ScalarStyle::Plain;
        let text = source_map::place(value, style, self.text, content, end, self.file);
        let (span, end) = (text.span, text.span.end as usize);
        if !self.waits_for_key() {
            let tree = scalars::resolve(text, plain, core, &mut self.report);
            self.node(Node { span, tree }, anchor, end);
        } else if plain && core.is_none() && text.value == "<<" {
            self.set_key(PendingKey::Merge(span), end);
        } else if plain && text.value.is_empty() {
            let message = "missing key";
            self.report.push(Diagnostic::new(&codes::WF0123, span, message).help("write a key before the colon"));
            self.set_key(PendingKey::Refused, end);
        } else {
            self.set_key(PendingKey::Known(text.clone()), end);
            self.remember(anchor, &Node { span, tree: Tree::String(text) });
        }
    }

    fn begin(
        &mut self,
        kind: Collection,
        expected: Core,
        anchor: usize,
        tag: Option<Cow<Tag>>,
        start: usize,
        end: usize,
    ) {
        if let Some(core) = self.core_tag(tag, start).filter(|core| *core != expected) {
            let what = if expected == Core::Seq { "a list" } else { "a mapping" };
            scalars::misfit(core, what, self.report.span(start, end), &mut self.report);
        }
        self.name_anchor(anchor, start);
        let start = source_map::properties(self.text, start).content.min(end);
        let span = self.report.span(start, end);
        if self.report.check_depth(self.open.len() + 1, span) {
            self.open.push(Open { kind, start, end: start, anchor });
        }
    }

    /// Ends the innermost collection, at `end` if it has a bracket.
    fn end(&mut self, end: Option<usize>) {
        let Some(open) = self.open.pop() else { return };
        let end = end.unwrap_or(open.end);
        let tree = match open.kind {
            Collection::Sequence(items) => Tree::Array(items),
            Collection::Mapping { mut members, merged, .. } => {
                merged.into_iter().for_each(|entry| members.add_missing(entry));
                Tree::Object(members.into_entries())
            }
        };
        let span = self.report.span(open.start, end.max(open.start));
        let node = Node { span, tree };
        if self.waits_for_key() {
            let key = self.no_key(span, node.kind());
            self.set_key(key, end);
        } else {
            self.node(node, open.anchor, end);
        }
    }

    /// Adds a value to the innermost collection. `end` is the end of the value in the text, which
    /// for an alias differs from the end of its span.
    pub(super) fn node(&mut self, node: Node, anchor: usize, end: usize) {
        self.report.spend(1, node.span);
        self.remember(anchor, &node);
        self.moved_to(end);
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        match &mut open.kind {
            Collection::Sequence(items) => items.push(node),
            Collection::Mapping { members, key, merge, merged } => match std::mem::replace(key, PendingKey::Expected) {
                PendingKey::Known(key) => members.add(key, node, &mut self.report),
                PendingKey::Merge(span) => {
                    if let Some(first) = merge.replace(span) {
                        let twice = Diagnostic::new(&codes::WF0112, span, "duplicate key `<<`");
                        let help = "merge several mappings with a list, `<<: [*one, *two]`";
                        self.report.push(twice.related(first, "first written here").help(help));
                    }
                    merge_into(merged, node, &mut self.report);
                }
                PendingKey::Expected | PendingKey::Refused => {}
            },
        }
    }

    /// Returns `true` if the next node is a key.
    pub(super) fn waits_for_key(&self) -> bool {
        let innermost = self.open.last().map(|open| &open.kind);
        matches!(innermost, Some(Collection::Mapping { key: PendingKey::Expected, .. }))
    }

    /// Sets the key of the innermost collection, a mapping. The key ends at the byte `end`.
    pub(super) fn set_key(&mut self, found: PendingKey, end: usize) {
        self.moved_to(end);
        if let Some(Open { kind: Collection::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = found;
        }
    }

    fn moved_to(&mut self, end: usize) {
        if let Some(open) = self.open.last_mut() {
            open.end = open.end.max(end);
        }
    }

    /// Returns the tag if it belongs to the core schema. Refuses other tags.
    fn core_tag(&mut self, tag: Option<Cow<Tag>>, start: usize) -> Option<Core> {
        let tag = tag?;
        let core = Core::of(&tag);
        if core.is_none() {
            let (start, end) = source_map::properties(self.text, start).tag.unwrap_or((start, start));
            let span = self.report.span(start, end);
            let message = format!("unknown tag `{}`", shown(&scalars::written(&tag)));
            let help = "remove it, or write a placeholder for a value that a template fills in, such as `${Name}`";
            self.report.push(Diagnostic::new(&codes::WF0121, span, message).help(help));
        }
        core
    }
}
