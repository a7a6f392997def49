//! The files of a schema, and the ways through them: references are followed, to other files as well.

use crate::diagnostics::codes::schemas::E1403;
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::files::paths::{beside, percent_decoded};
use crate::source::Span;
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A schema, by its file and the JSON pointer to it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path of the file, relative to the folder of the definition.
    pub file: String,
    /// The pointer, each part escaped in the one way that names are compared in; empty for the whole file.
    pub pointer: String,
}

/// The files that were read.
pub struct Files<'a> {
    pub inputs: &'a mut Inputs,
    pub diagnostics: &'a mut Diagnostics,
    /// `None` where one cannot be read, which has been reported.
    read: BTreeMap<String, Option<Rc<Node>>>,
}

impl<'a> Files<'a> {
    /// None so far.
    pub fn new(inputs: &'a mut Inputs, diagnostics: &'a mut Diagnostics) -> Self {
        Files { inputs, diagnostics, read: BTreeMap::new() }
    }

    /// The schema that a definition names: `orders.json`, `orders.json#/definitions/Order`.
    pub fn named(&mut self, text: &Text) -> Option<Place> {
        let (path, fragment) = split(text);
        let (file, node) = self.inputs.document(&path, self.diagnostics)?;
        let (file, node) = (file.to_string(), Rc::new(node));
        self.read.insert(file.clone(), Some(node.clone()));
        self.part(file, &node, &fragment, text)
    }

    /// What a reference in a file names.
    pub fn referred(&mut self, file: &str, reference: &Text) -> Option<Place> {
        let (path, fragment) = split(reference);
        let own = self.read.get(file).cloned().flatten()?;
        if path.value.is_empty() || is_named(&own, &path.value) {
            return self.part(file.to_owned(), &own, &fragment, reference);
        }
        let other = beside(file, &path.value);
        let node = self.load(&other, &path)?;
        self.part(other, &node, &fragment, reference)
    }

    /// The value at a place that was found.
    pub fn at<'n>(&self, root: &'n Node, place: &Place) -> Option<&'n Node> {
        place.pointer.split('/').skip(1).try_fold(root, |node, part| step(node, &unescaped(part)))
    }

    /// The tree of a file that was read.
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

    /// What a fragment names in a file: a JSON pointer, or the name of an anchor.
    fn part(&mut self, file: String, root: &Node, fragment: &Text, whole: &Text) -> Option<Place> {
        let decoded = percent_decoded(&fragment.value);
        let fail = |span: Span, message: String, help: String, diagnostics: &mut Diagnostics| {
            diagnostics.push(Diagnostic::new(&E1403, span, message).help(help));
        };
        if !decoded.is_empty() && !decoded.starts_with('/') {
            let found = anchored(root, &decoded, &mut String::new());
            if found.is_none() {
                let message = format!("`{}` leads to nothing: no schema there has this anchor", shown(&whole.value));
                let help = "write the way to the schema, as in `#/definitions/Order`".to_owned();
                fail(whole.span, message, help, self.diagnostics);
            }
            return found.map(|pointer| Place { file, pointer });
        }
        let (mut node, mut pointer) = (root, String::new());
        for part in decoded.split('/').skip(1) {
            let part = unescaped(part);
            let Some(next) = step(node, &part) else {
                let known = node.as_object().unwrap_or_default().iter().map(|entry| entry.key.value.as_str());
                let help = did_you_mean(&part, known).unwrap_or_else(|| "name a schema that is there".to_owned());
                let message = format!("`{}` leads to nothing: there is no `{}`", shown(&whole.value), shown(&part));
                fail(whole.span, message, help, self.diagnostics);
                return None;
            };
            node = next;
            push(&mut pointer, &part);
        }
        Some(Place { file, pointer })
    }
}

/// A reference in two: the file, and what is behind the `#`.
fn split(text: &Text) -> (Text, Text) {
    let end = text.value.len();
    match text.value.find('#') {
        Some(at) => (text.slice(0, at), text.slice(at + 1, end)),
        None => (text.clone(), text.slice(end, end)),
    }
}

/// Whether a file calls itself by this URI.
fn is_named(root: &Node, uri: &str) -> bool {
    let name = root.get("$id").or_else(|| root.get("id")).and_then(Node::as_text);
    name.is_some_and(|name| name.value.trim_end_matches('#') == uri)
}

/// The pointer to the schema that has this anchor.
fn anchored(node: &Node, name: &str, pointer: &mut String) -> Option<String> {
    let is = |key: &str, prefix: &str| {
        node.get(key).and_then(Node::as_text).is_some_and(|text| text.value.strip_prefix(prefix) == Some(name))
    };
    if is("$anchor", "") || is("$id", "#") || is("id", "#") {
        return Some(pointer.clone());
    }
    let length = pointer.len();
    let parts: Vec<(String, &Node)> = match &node.tree {
        Tree::Object(entries) => entries.iter().map(|entry| (entry.key.value.clone(), &entry.value)).collect(),
        Tree::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => return None,
    };
    parts.into_iter().find_map(|(part, inner)| {
        push(pointer, &part);
        let found = anchored(inner, name, pointer);
        pointer.truncate(length);
        found
    })
}

/// What one part of a pointer leads to.
pub fn step<'n>(node: &'n Node, part: &str) -> Option<&'n Node> {
    match &node.tree {
        Tree::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => node.get(part),
    }
}

/// Adds a part to a pointer.
pub fn push(pointer: &mut String, part: &str) {
    pointer.push('/');
    pointer.push_str(&part.replace('~', "~0").replace('/', "~1"));
}

/// A part of a pointer as it was meant.
pub fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
