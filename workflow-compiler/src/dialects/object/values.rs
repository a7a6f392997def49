//! Readers of texts, booleans, words and lists.

use super::Object;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::syntax::Tree;
use crate::syntax::{Node, Text, shown, wrong_type};

impl<'a> Object<'a> {
    /// Returns the member `name`, which must be a string.
    pub fn text(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
        text(self.get(name)?, name, diagnostics)
    }

    /// Returns the member `name`, which must be a boolean.
    pub fn boolean(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
        boolean(self.get(name)?, name, diagnostics)
    }

    /// Returns the elements of the member `name`, which must be a non-empty array.
    pub fn list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        let node = self.get(name)?;
        let items = array(node, name, diagnostics)?;
        if items.is_empty() {
            let remove = if self.ignores_case { format!(", or remove `{name}`") } else { String::new() };
            let diagnostic = Diagnostic::new(&codes::WF0412, node.span, format!("`{name}` is empty"));
            diagnostics.push(diagnostic.help(format!("add an element{remove}")));
            return None;
        }
        Some(items)
    }

    /// Returns the elements of the member `name`, which must be an array.
    pub fn maybe_list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        array(self.get(name)?, name, diagnostics)
    }
}

/// Returns the string that `node` is, or reports an error for the member `name`.
pub fn text<'a>(node: &'a Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
    let text = node.as_text();
    if text.is_none() {
        wrong_type(node, name, "a string", diagnostics);
    }
    text
}

fn array<'a>(node: &'a Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
    let items = node.as_array();
    if items.is_none() {
        wrong_type(node, name, "an array", diagnostics);
    }
    items
}

/// Returns the boolean that `node` is, or reports an error for the member `name`.
pub fn boolean(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
    let Tree::Bool(value) = node.tree else {
        wrong_type(node, name, "`true` or `false`", diagnostics);
        return None;
    };
    Some(value)
}

/// Reports that the member `name` is none of `words`. `all` is the help line that lists them.
pub fn report_word(text: &Text, name: &str, words: &[&str], all: String, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` cannot be `{}`", shown(&text.value));
    let near = nearest(&text.value, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    diagnostics.push(Diagnostic::new(&codes::WF0407, text.span, message).help(all).maybe_help(near));
}

/// Reads every element of a list, so that all errors are reported. Returns `None` if one fails,
/// because indexes must match the source.
#[cfg(feature = "_shared-front-end")]
pub fn all<T>(nodes: &[Node], read: impl FnMut(&Node) -> Option<T>) -> Option<Vec<T>> {
    let read: Vec<T> = nodes.iter().filter_map(read).collect();
    (read.len() == nodes.len()).then_some(read)
}
