//! The diagnostic for a value of the wrong type.

use super::{Node, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::escape::shown;

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
