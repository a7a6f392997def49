//! Ways through documents: references are followed, to other files as well. A file that is not there yet is asked for, and
//! what was read without it is read again.

use crate::diagnostics::codes::services::E0903;
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, codes::fields::E0403};
use crate::files::paths::{beside, percent_decoded};
use crate::source::Span;
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;

/// The longest chain of references from one to the next.
const LONGEST: usize = 32;

/// A file, or what was reported in its place.
pub(super) type Loaded = Result<Node, Vec<Diagnostic>>;

/// A value in one of the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    /// The path of the file, relative to the folder of the definition.
    pub file: &'a str,
    pub node: &'a Node,
}

/// One reading of documents.
pub(super) struct Reader<'a> {
    files: &'a BTreeMap<String, Loaded>,
    /// Files that are needed and not there yet, each with a reference to it.
    pub wanted: BTreeMap<String, Text>,
    pub found: Vec<Diagnostic>,
}

impl<'a> At<'a> {
    /// The member `key` of an object.
    pub fn get(self, key: &str) -> Option<At<'a>> {
        Some(At { node: self.node.get(key)?, ..self })
    }

    /// The members of an object; none of anything else.
    pub fn members(self) -> impl Iterator<Item = (&'a Text, At<'a>)> {
        let entries = self.node.as_object().unwrap_or_default();
        entries.iter().map(move |entry| (&entry.key, At { node: &entry.value, ..self }))
    }

    /// The items of an array; none of anything else.
    pub fn items(self) -> impl Iterator<Item = At<'a>> {
        self.node.as_array().unwrap_or_default().iter().map(move |node| At { node, ..self })
    }

    /// The text of a member.
    pub fn text(self, key: &str) -> Option<&'a str> {
        Some(self.node.get(key)?.as_text()?.value.as_str())
    }

    /// Whether a member is `true`.
    pub fn flag(self, key: &str) -> bool {
        self.node.get(key).is_some_and(|node| node.tree == Tree::Bool(true))
    }
}

impl<'a> Reader<'a> {
    pub fn new(files: &'a BTreeMap<String, Loaded>) -> Reader<'a> {
        Reader { files, wanted: BTreeMap::new(), found: Vec::new() }
    }

    pub fn push(&mut self, found: Diagnostic) {
        self.found.push(found);
    }

    /// What a value stands for, if it is a reference; else the value. Why there is nothing has been reported.
    pub fn follow(&mut self, mut at: At<'a>) -> Option<At<'a>> {
        let first = at;
        for _ in 0..LONGEST {
            let Some(reference) = at.node.get("$ref") else { return Some(at) };
            let Some(text) = reference.as_text() else {
                let message = format!("a reference must be a string, and this is {}", reference.kind());
                self.push(Diagnostic::new(&E0403, reference.span, message).help("write it as `\"#/components/…\"`"));
                return None;
            };
            at = self.target(at.file, text)?;
        }
        let message = "this reference leads from one to the next and to no end";
        self.push(Diagnostic::new(&E0903, first.node.span, message).help("let one of them name a value"));
        None
    }

    /// What a reference in a file names: `#/components/schemas/Pet`, `common.yaml#/Pet`.
    fn target(&mut self, file: &'a str, text: &Text) -> Option<At<'a>> {
        let (path, fragment) = text.value.split_once('#').unwrap_or((&text.value, ""));
        let at = if path.is_empty() { self.root(file, text)? } else { self.root(&beside(file, path), text)? };
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let message = format!("`{}` is no JSON pointer", shown(&text.value));
            let help = "write the way to the value, as in `#/components/schemas/Order`";
            self.push(Diagnostic::new(&E0903, text.span, message).help(help));
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
                let known = at.node.as_object().unwrap_or_default().iter().map(|entry| entry.key.value.as_str());
                let help = did_you_mean(&part, known).unwrap_or_else(|| "name a value that is there".to_owned());
                let message = format!("`{}` leads to nothing: there is no `{}`", shown(&text.value), shown(&part));
                self.push(Diagnostic::new(&E0903, text.span, message).help(help));
                return None;
            };
            at.node = node;
        }
        Some(at)
    }

    /// The value in a file. What is wrong with one is told where it is needed.
    pub fn root(&mut self, file: &str, named: &Text) -> Option<At<'a>> {
        match self.files.get_key_value(file) {
            Some((file, Ok(node))) => Some(At { file, node }),
            Some((_, Err(found))) => {
                self.found.extend(found.iter().cloned());
                None
            }
            None => {
                let mut reference = named.clone();
                reference.value = file.to_owned();
                self.wanted.insert(file.to_owned(), reference);
                None
            }
        }
    }
}

/// The place of the key of a member, or of the beginning of the object.
pub(super) fn key_span(at: At<'_>, key: &str) -> Span {
    at.node.entry(key).map_or_else(|| crate::dialects::fields::opening(at.node.span), |entry| entry.key.span)
}
