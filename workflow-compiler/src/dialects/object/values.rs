//! Readers of texts, booleans, words and lists.

use super::Object;
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::syntax::{Node, Text, Tree, shown};

impl<'a> Object<'a> {
    /// Returns the member `name`, which must be a string.
    pub fn text(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
        text(self.get(name)?, name, diagnostics)
    }

    /// Returns the member `name`, which must be a boolean.
    #[cfg(feature = "sm4c")]
    pub fn boolean(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
        boolean(self.get(name)?, name, diagnostics)
    }

    /// Returns the elements of the member `name`, which must be a non-empty array.
    #[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
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
    #[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
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

#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
fn array<'a>(node: &'a Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
    let items = node.as_array();
    if items.is_none() {
        wrong_type(node, name, "an array", diagnostics);
    }
    items
}

/// Returns the boolean that `node` is, or reports an error for the member `name`.
#[cfg(any(feature = "asl", feature = "sm4c"))]
pub fn boolean(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
    let Tree::Bool(value) = node.tree else {
        wrong_type(node, name, "`true` or `false`", diagnostics);
        return None;
    };
    Some(value)
}

/// Reports that the member `name` is none of `words`. `all` is the help line that lists them.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
pub fn report_word(text: &Text, name: &str, words: &[&str], all: String, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` cannot be `{}`", shown(&text.value));
    let near = nearest(&text.value, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    diagnostics.push(Diagnostic::new(&codes::WF0407, text.span, message).help(all).maybe_help(near));
}

/// Reports a value of the wrong type. `wanted` names the right type with its article.
pub fn wrong_type(node: &Node, name: &str, wanted: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` must be {wanted}, found {}", node.kind());
    let quoted = node.as_text().map(|text| text.value.as_str()).filter(|text| match wanted {
        "a whole number" | "a number" => text.parse::<f64>().is_ok(),
        _ => wanted == "`true` or `false`" && matches!(*text, "true" | "false"),
    });
    // The help line mentions quotes only if the value has some, or if quotes would make the value
    // a string.
    let is_scalar = matches!(wanted, "a whole number" | "a number" | "`true` or `false`");
    let unquoted = match node.as_text() {
        Some(text) if !text.is_plain() => ", without quotes",
        None if is_scalar => ", without quotes",
        _ => "",
    };
    let help = match (wanted, &node.tree) {
        _ if quoted.is_some() => format!("remove the quotes: `{}`", quoted.unwrap_or_default()),
        ("a string", Tree::Int(_) | Tree::Float(_) | Tree::Bool(_)) => "put it in double quotes".to_owned(),
        ("a string", _) => "write a string in double quotes".to_owned(),
        ("an array", Tree::Null) => "write a list: `[ … ]`".to_owned(),
        ("an array", Tree::Object(_)) if node.is_block() => "begin each element with `- `".to_owned(),
        ("an array", Tree::Object(_)) => "put it in brackets: `[{ … }]`".to_owned(),
        ("an array", Tree::String(text)) if text.is_plain() => {
            format!("put it in brackets: `[{}]`", shown(&text.value))
        }
        ("an array", Tree::String(text)) => format!("put it in brackets: `[{:?}]`", shown(&text.value)),
        ("an array", _) => "put it in brackets: `[ … ]`".to_owned(),
        ("`true` or `false`", Tree::String(text)) => match text.value.to_ascii_lowercase().as_str() {
            "yes" | "y" | "on" | "true" => format!("write `true`{unquoted}"),
            "no" | "n" | "off" | "false" => format!("write `false`{unquoted}"),
            _ => format!("write `true` or `false`{unquoted}"),
        },
        ("an object", _) if name == "States" => "write it as `{ \"Name\": { … } }`, with the names as keys".to_owned(),
        ("an object", _) => "write an object: `{ … }`".to_owned(),
        (wanted, _) => format!("write {wanted}{unquoted}"),
    };
    diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
}
