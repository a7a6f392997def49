//! Conversion of payload templates and constants in their place in the text.

use super::code::{self, Code, has_delimiter};
use super::edits::Edits;
use super::printer::{Printer, Setting};
use super::report::Refused;
use workflow_compiler::expr::Literal;
use workflow_compiler::syntax::{Entry, Node, Tree};

/// Converts the members of a template whose names end in `.$`. In its paths, `$` is `document`.
pub(super) fn in_place(node: &Node, document: &Code, setting: &mut Setting, edits: &mut Edits<'_>) -> Refused<()> {
    match &node.tree {
        Tree::Object(entries) => {
            for Entry { key, value } in entries {
                match (key.value.strip_suffix(".$"), value.as_text()) {
                    (Some(name), Some(text)) => {
                        let value = Printer::new(document, setting, text.span).dynamic(text)?;
                        edits.rename(key, name);
                        edits.set_string(text.span, &setting.written(&value, text.span)?);
                    }
                    _ => in_place(value, document, setting, edits)?,
                }
            }
            Ok(())
        }
        Tree::Array(items) => items.iter().try_for_each(|item| in_place(item, document, setting, edits)),
        _ => constant(node, setting, edits),
    }
}

/// Converts a constant. A string that has the delimiters of expressions becomes an expression that
/// yields the string.
pub(super) fn constant(node: &Node, setting: &mut Setting, edits: &mut Edits<'_>) -> Refused<()> {
    match &node.tree {
        Tree::Object(entries) => entries.iter().try_for_each(|entry| constant(&entry.value, setting, edits)),
        Tree::Array(items) => items.iter().try_for_each(|item| constant(item, setting, edits)),
        Tree::String(text) if has_delimiter(&text.value) => {
            let printer = Printer::new(&Code::path("$states.input"), setting, node.span);
            let value = code::literal(&Literal::from(node)).map_err(|message| printer.refusal(message))?;
            edits.set_string(node.span, &setting.written(&value, node.span)?);
            Ok(())
        }
        _ => Ok(()),
    }
}
