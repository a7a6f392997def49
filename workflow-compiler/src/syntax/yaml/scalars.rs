//! Values of plain scalars by the core schema of YAML 1.2 (section 10.3 of YAML 1.2.2), and effect
//! of tags on them.

use saphyr_parser::Tag;

use super::super::number;
use super::super::report::Report;
use super::super::{Text, Tree};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;
use crate::source::Span;

/// A tag of the core schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// `!!str`, and `!`, which makes a scalar a string.
    Str,
    Int,
    Float,
    Bool,
    Null,
    Seq,
    Map,
}

impl Core {
    pub fn of(tag: &Tag) -> Option<Core> {
        let full = format!("{}{}", tag.handle, tag.suffix);
        Some(match full.strip_prefix("tag:yaml.org,2002:").unwrap_or(&full) {
            "!" => Core::Str,
            name if name.len() == full.len() => return None,
            "str" => Core::Str,
            "int" => Core::Int,
            "float" => Core::Float,
            "bool" => Core::Bool,
            "null" => Core::Null,
            "seq" => Core::Seq,
            "map" => Core::Map,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Core::Str => "!!str",
            Core::Int => "!!int",
            Core::Float => "!!float",
            Core::Bool => "!!bool",
            Core::Null => "!!null",
            Core::Seq => "!!seq",
            Core::Map => "!!map",
        }
    }
}

/// Returns a tag as written.
pub fn written(tag: &Tag) -> String {
    match tag.handle.as_str() {
        "tag:yaml.org,2002:" => format!("!!{}", tag.suffix),
        "!" | "" => format!("!{}", tag.suffix),
        handle => format!("!<{handle}{}>", tag.suffix),
    }
}

/// Returns the value of a scalar: by its spelling if it is plain, otherwise its text, unless a tag
/// determines the type.
pub fn resolve(text: Text, plain: bool, tag: Option<Core>, report: &mut Report) -> Tree {
    let Some(tag) = tag else {
        return if plain { by_spelling(text, report) } else { Tree::String(text) };
    };
    if tag == Core::Str {
        return Tree::String(text);
    }
    let (span, spelling) = (text.span, shown(&text.value));
    match (tag, by_spelling(text, report)) {
        (Core::Int, tree @ Tree::Int(_))
        | (Core::Float, tree @ Tree::Float(_))
        | (Core::Bool, tree @ Tree::Bool(_))
        | (Core::Null, tree @ Tree::Null) => tree,
        (Core::Float, Tree::Int(whole)) => Tree::Float(whole as f64),
        (_, tree) => {
            misfit(tag, &format!("`{spelling}`"), span, report);
            tree
        }
    }
}

/// Reports a core tag on a value of another type.
pub fn misfit(tag: Core, what: &str, span: Span, report: &mut Report) {
    let message = format!("the tag `{}` does not fit {what}", tag.name());
    report.push(Diagnostic::new(&codes::WF0121, span, message).help("remove the tag"));
}

fn by_spelling(text: Text, report: &mut Report) -> Tree {
    match text.value.as_str() {
        "" | "~" | "null" | "Null" | "NULL" => return Tree::Null,
        "true" | "True" | "TRUE" => return Tree::Bool(true),
        "false" | "False" | "FALSE" => return Tree::Bool(false),
        _ => {}
    }
    // Most scalars are words. Their first letter excludes numbers.
    if !text.value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return Tree::String(text);
    }
    let unsigned = text.value.strip_prefix(['+', '-']).unwrap_or(&text.value);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text.value.as_str(), ".nan" | ".NaN" | ".NAN") {
        let message = format!("`{}` is not a finite number", text.value);
        report.push(
            Diagnostic::new(&codes::WF0111, text.span, message)
                .help("write a finite number, or put it in quotes for a string"),
        );
        return Tree::Null;
    }
    if let Some(whole) = radix(&text, "0x", 16, report).or_else(|| radix(&text, "0o", 8, report)) {
        return whole;
    }
    match number::is_yaml(&text.value) {
        true => number::decimal(&text.value, text.span, report),
        false => Tree::String(text),
    }
}

/// Reads a whole number in hexadecimal or octal digits, which have no sign in the core schema.
fn radix(text: &Text, prefix: &str, radix: u32, report: &mut Report) -> Option<Tree> {
    let digits = text.value.strip_prefix(prefix).filter(|digits| !digits.is_empty())?;
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(i64::from_str_radix(digits, radix).map(Tree::Int).unwrap_or_else(|_| {
        let message = format!("the number `{}` does not fit into 64 bits", shown(&text.value));
        report.push(
            Diagnostic::new(&codes::WF0111, text.span, message)
                .help("put it in quotes if every digit counts, or write it in decimal digits"),
        );
        Tree::Int(i64::MAX)
    }))
}
