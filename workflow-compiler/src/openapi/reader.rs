//! Navigation in documents. References are followed, also into other files. If a file is not
//! loaded yet, the reader requests it, and the caller repeats the reading afterwards.

use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, codes::fields::WF0403};
use crate::files::paths::{percent_decoded, resolve};
use crate::openapi::codes::WF0903;
use crate::source::Span;
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::{BTreeMap, BTreeSet};

/// The number of schemas of an operation that are read for their shapes. Of the others nothing is
/// known.
const MAX_SHAPES: usize = 4096;

/// The longest chain of references.
const MAX_REFERENCES: usize = 32;

/// A file that was read.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The tree of the file, or the errors reported in its place.
    pub tree: Result<Node, Vec<Diagnostic>>,
    /// `true` for a file that only describes what no call needs.
    pub is_optional: bool,
}

/// A file that is not loaded yet.
#[derive(Debug)]
pub(super) struct MissingFile {
    /// A reference to it.
    pub named: Text,
    /// See [`Loaded::is_optional`].
    pub is_optional: bool,
}

/// A value within one of the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeRef<'a> {
    /// The path of the file, relative to the folder of the definition.
    pub file: &'a str,
    pub node: &'a Node,
}

/// One attempt to read from the loaded files.
pub(super) struct Reader<'a> {
    pub files: &'a BTreeMap<String, Loaded>,
    /// Files that are not loaded yet, or are only loaded as optional and needed now.
    pub missing_files: BTreeMap<String, MissingFile>,
    /// `true` while the reader reads what no call needs.
    pub is_optional: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// The number of schemas that may still be read for their shapes.
    pub remaining_shapes: usize,
    /// The names of the members that these schemas have.
    pub names: BTreeSet<String>,
}

impl<'a> NodeRef<'a> {
    /// Returns the member `key` of an object.
    pub fn get(self, key: &str) -> Option<NodeRef<'a>> {
        Some(NodeRef { node: self.node.get(key)?, ..self })
    }

    /// Returns the members of an object, or none for another value.
    pub fn members(self) -> impl Iterator<Item = (&'a Text, NodeRef<'a>)> {
        let entries = self.node.as_object().unwrap_or_default();
        entries.iter().map(move |entry| (&entry.key, NodeRef { node: &entry.value, ..self }))
    }

    /// Returns the items of an array, or none for another value.
    pub fn items(self) -> impl Iterator<Item = NodeRef<'a>> {
        self.node.as_array().unwrap_or_default().iter().map(move |node| NodeRef { node, ..self })
    }

    /// Returns the text of a string member.
    pub fn text(self, key: &str) -> Option<&'a str> {
        Some(self.node.get(key)?.as_text()?.value.as_str())
    }

    /// Returns `true` if the member is `true`.
    pub fn flag(self, key: &str) -> bool {
        self.node.get(key).is_some_and(|node| node.tree == Tree::Bool(true))
    }
}

impl<'a> Reader<'a> {
    pub fn new(files: &'a BTreeMap<String, Loaded>) -> Reader<'a> {
        Reader {
            files,
            missing_files: BTreeMap::new(),
            is_optional: false,
            diagnostics: Vec::new(),
            remaining_shapes: MAX_SHAPES,
            names: BTreeSet::new(),
        }
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Resolves a reference, and the references in its place. Other values are returned unchanged.
    /// Returns `None` after reporting an error or requesting a file.
    pub fn follow(&mut self, mut at: NodeRef<'a>) -> Option<NodeRef<'a>> {
        let first = at;
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = at.node.get("$ref") else { return Some(at) };
            let Some(text) = reference.as_text() else {
                let message = format!("a reference must be a string, found {}", reference.kind());
                self.push(Diagnostic::new(&WF0403, reference.span, message).help("write it as `\"#/components/…\"`"));
                return None;
            };
            at = self.target(at.file, text)?;
        }
        let message = "circular reference";
        self.push(
            Diagnostic::new(&WF0903, first.node.span, message).help("refer to a value instead of another reference"),
        );
        None
    }

    /// Resolves one reference: `#/components/schemas/Pet`, `common.yaml#/Pet`.
    fn target(&mut self, file: &'a str, text: &Text) -> Option<NodeRef<'a>> {
        let (path, fragment) = text.value.split_once('#').unwrap_or((&text.value, ""));
        let at = if path.is_empty() { self.root(file, text)? } else { self.root(&resolve(file, path), text)? };
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let message = format!("`{}` is not a JSON pointer", shown(&text.value));
            let help = "write a JSON pointer to the value, such as `#/components/schemas/Order`";
            self.push(Diagnostic::new(&WF0903, text.span, message).help(help));
            return None;
        }
        let mut at = at;
        for part in fragment.split('/').skip(1) {
            let part = percent_decoded(part).replace("~1", "/").replace("~0", "~");
            let next = match &at.node.tree {
                Tree::Array(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
                _ => at.node.get(&part),
            };
            let Some(node) = next else {
                let names = at.node.as_object().unwrap_or_default().iter().map(|entry| entry.key.value.as_str());
                let help = did_you_mean(&part, names).unwrap_or_else(|| "refer to an existing value".to_owned());
                let message = format!("cannot resolve `{}`: `{}` does not exist", shown(&text.value), shown(&part));
                self.push(Diagnostic::new(&WF0903, text.span, message).help(help));
                return None;
            };
            at.node = node;
        }
        Some(at)
    }

    /// Returns the root value of a file. Errors of a file are reported where the file is needed.
    pub fn root(&mut self, file: &str, named: &Text) -> Option<NodeRef<'a>> {
        let is_optional = self.is_optional;
        match self.files.get_key_value(file).filter(|(_, loaded)| is_optional || !loaded.is_optional) {
            Some((file, Loaded { tree: Ok(node), .. })) => Some(NodeRef { file, node }),
            Some((_, Loaded { tree: Err(found), .. })) => {
                self.diagnostics.extend(found.iter().cloned());
                None
            }
            None => {
                let mut reference = named.clone();
                reference.value = file.to_owned();
                let missing = MissingFile { named: reference, is_optional };
                self.missing_files.entry(file.to_owned()).or_insert(missing).is_optional &= is_optional;
                None
            }
        }
    }
}

/// Returns the span of a member's key, or of the object's opening bracket if the member is absent.
pub(super) fn key_span(at: NodeRef<'_>, key: &str) -> Span {
    at.node.entry(key).map_or_else(|| at.node.span.opening(), |entry| entry.key.span)
}
