//! The files of a schema, and resolution of references within and between them.

use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::files::paths::{percent_decoded, resolve};
use crate::schema::codes::WF1403;
use crate::source::Span;
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The location of a schema: its file and its JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaLocation {
    /// The path of the file, relative to the folder of the definition.
    pub file: String,
    /// The JSON pointer, in normalized escaping so that pointers can be compared. Empty for the
    /// whole file.
    pub pointer: String,
}

/// The files read so far.
pub struct SchemaFiles<'a> {
    pub inputs: &'a mut Inputs,
    pub diagnostics: &'a mut Diagnostics,
    /// The trees by path. `None` marks a file that cannot be read, which has been reported.
    read: BTreeMap<String, Option<Rc<Node>>>,
    /// The locations of references that have been resolved, by file and text. Large files have
    /// many references to one schema.
    resolved: BTreeMap<(String, String), SchemaLocation>,
    /// The pointers of the anchors of a file.
    anchors: BTreeMap<String, BTreeMap<String, String>>,
}

impl<'a> SchemaFiles<'a> {
    /// Creates an empty set of files.
    pub fn new(inputs: &'a mut Inputs, diagnostics: &'a mut Diagnostics) -> Self {
        SchemaFiles { inputs, diagnostics, read: BTreeMap::new(), resolved: BTreeMap::new(), anchors: BTreeMap::new() }
    }

    /// Resolves the schema that a definition names: `orders.json`,
    /// `orders.json#/definitions/Order`.
    pub fn resolve_name(&mut self, text: &Text) -> Option<SchemaLocation> {
        let (path, fragment) = split_fragment(text);
        let (file, node) = self.inputs.document(&path, self.diagnostics)?;
        let (file, node) = (file.to_string(), Rc::new(node));
        self.read.insert(file.clone(), Some(node.clone()));
        self.resolve_fragment(file, &node, &fragment, text)
    }

    /// Resolves a reference in a file.
    pub fn resolve_reference(&mut self, file: &str, reference: &Text) -> Option<SchemaLocation> {
        let key = (file.to_owned(), reference.value.clone());
        if let Some(known) = self.resolved.get(&key) {
            return Some(known.clone());
        }
        let location = self.locate(file, reference)?;
        self.resolved.insert(key, location.clone());
        Some(location)
    }

    fn locate(&mut self, file: &str, reference: &Text) -> Option<SchemaLocation> {
        let (path, fragment) = split_fragment(reference);
        let own = self.read.get(file).cloned().flatten()?;
        if path.value.is_empty() || is_named(&own, &path.value) {
            return self.resolve_fragment(file.to_owned(), &own, &fragment, reference);
        }
        let other = resolve(file, &path.value);
        let node = self.load(&other, &path)?;
        self.resolve_fragment(other, &node, &fragment, reference)
    }

    /// Returns the value at a resolved location.
    pub fn node_at<'n>(&self, root: &'n Node, place: &SchemaLocation) -> Option<&'n Node> {
        place.pointer.split('/').skip(1).try_fold(root, |node, part| step(node, &unescape(part)))
    }

    /// Returns the tree of a file that has been read.
    pub fn root(&self, file: &str) -> Option<Rc<Node>> {
        self.read.get(file).cloned().flatten()
    }

    fn load(&mut self, file: &str, named: &Text) -> Option<Rc<Node>> {
        if let Some(known) = self.read.get(file) {
            return known.clone();
        }
        let mut path = named.clone();
        path.value = file.to_owned();
        let node = self.inputs.document(&path, self.diagnostics).map(|(_, node)| Rc::new(node));
        self.read.insert(file.to_owned(), node.clone());
        node
    }

    /// Resolves a fragment in a file: a JSON pointer or the name of an anchor.
    fn resolve_fragment(&mut self, file: String, root: &Node, fragment: &Text, whole: &Text) -> Option<SchemaLocation> {
        let decoded = percent_decoded(&fragment.value);
        let fail = |span: Span, message: String, help: String, diagnostics: &mut Diagnostics| {
            diagnostics.push(Diagnostic::new(&WF1403, span, message).help(help));
        };
        if !decoded.is_empty() && !decoded.starts_with('/') {
            let anchors = self.anchors.entry(file.clone()).or_insert_with(|| {
                let mut anchors = BTreeMap::new();
                collect_anchors(root, &mut String::new(), &mut anchors);
                anchors
            });
            let anchor = anchors.get(&*decoded).cloned();
            if anchor.is_none() {
                let message = format!("cannot resolve `{}`: no schema has this anchor", shown(&whole.value));
                let help = "write a JSON pointer to the schema, such as `#/definitions/Order`".to_owned();
                fail(whole.span, message, help, self.diagnostics);
            }
            return anchor.map(|pointer| SchemaLocation { file, pointer });
        }
        let (mut node, mut pointer) = (root, String::new());
        for part in decoded.split('/').skip(1) {
            let part = unescape(part);
            let Some(next) = step(node, &part) else {
                let names = node.as_object().unwrap_or_default().iter().map(|entry| entry.key.value.as_str());
                let help = did_you_mean(&part, names).unwrap_or_else(|| "refer to an existing schema".to_owned());
                let message = format!("cannot resolve `{}`: `{}` does not exist", shown(&whole.value), shown(&part));
                fail(whole.span, message, help, self.diagnostics);
                return None;
            };
            node = next;
            push_part(&mut pointer, &part);
        }
        Some(SchemaLocation { file, pointer })
    }
}

/// Splits a reference into the file and the fragment after `#`.
fn split_fragment(text: &Text) -> (Text, Text) {
    let end = text.value.len();
    match text.value.find('#') {
        Some(at) => (text.slice(0, at), text.slice(at + 1, end)),
        None => (text.clone(), text.slice(end, end)),
    }
}

/// Returns `true` if `uri` is the file's own identifier.
fn is_named(root: &Node, uri: &str) -> bool {
    let name = root.get("$id").or_else(|| root.get("id")).and_then(Node::as_text);
    name.is_some_and(|name| name.value.trim_end_matches('#') == uri)
}

/// Collects the pointers to the schemas that have an anchor. The first schema with an anchor
/// counts.
fn collect_anchors(node: &Node, pointer: &mut String, anchors: &mut BTreeMap<String, String>) {
    for (key, prefix) in [("$anchor", ""), ("$id", "#"), ("id", "#")] {
        if let Some(name) = node.get(key).and_then(Node::as_text).and_then(|text| text.value.strip_prefix(prefix)) {
            anchors.entry(name.to_owned()).or_insert_with(|| pointer.clone());
        }
    }
    let length = pointer.len();
    let mut descend = |part: &str, inner: &Node| {
        push_part(pointer, part);
        collect_anchors(inner, pointer, anchors);
        pointer.truncate(length);
    };
    match &node.tree {
        Tree::Object(entries) => entries.iter().for_each(|entry| descend(&entry.key.value, &entry.value)),
        Tree::Array(items) => items.iter().enumerate().for_each(|(at, item)| descend(&at.to_string(), item)),
        _ => {}
    }
}

/// Returns the child that one part of a pointer selects.
pub fn step<'n>(node: &'n Node, part: &str) -> Option<&'n Node> {
    match &node.tree {
        Tree::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => node.get(part),
    }
}

/// Appends a part to a pointer, escaped.
pub fn push_part(pointer: &mut String, part: &str) {
    pointer.push('/');
    pointer.push_str(&part.replace('~', "~0").replace('/', "~1"));
}

/// Returns a part of a pointer without escapes.
pub fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
