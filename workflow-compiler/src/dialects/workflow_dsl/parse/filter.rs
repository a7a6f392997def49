//! Parser of filters of data: blank, in braces, or jq ([W1](docs/workflow-dsl.md#w1)).
//!
//! Braces hold names. `{a: .b}` reads the member `a` and writes the member `b`, in the opposite
//! direction of jq. `{.b}` writes the whole data as `b`. `{a, b}` merges two members.

use super::super::ast::{DataFilter, Filter, MappedMember};
use super::DslParseCx;
use super::expression::{jq_expression, whole};
use crate::diagnostics::codes::{expressions::WF0325, fields as codes};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::object::Object;
use crate::dialects::workflow_dsl::codes as own;
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;

/// Help line for a filter in braces that is not a list of names.
const AS_JQ: &str = "begin with `. |` for jq, as in `${ . | {total: .price} }`";

/// Parses a member with an input and an output filter.
pub fn data_filter(
    members: &Object<'_>,
    name: &'static str,
    owner: &'static str,
    cx: &mut DslParseCx,
) -> Option<DataFilter> {
    let Some(node) = members.get(name) else { return Some(DataFilter::default()) };
    let members = Object::any_case(node, owner, &[], &["input", "output"], cx.diagnostics)?;
    let mut read = |name: &str| members.get(name).map_or(Some(Filter::All), |node| filter(node, name, cx.diagnostics));
    let (input, output) = (read("input"), read("output"));
    Some(DataFilter { input: input?, output: output? })
}

/// Parses a filter.
pub fn filter(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Filter> {
    let text = match &node.tree {
        Tree::String(text) => text,
        // YAML reads a blank filter as null.
        Tree::Null => return Some(Filter::All),
        _ => {
            wrong_type(node, name, "a string", diagnostics);
            return None;
        }
    };
    if text.value.trim().is_empty() {
        return Some(Filter::All);
    }
    let Some(inner) = whole(text) else {
        let message = format!("the filter `{}` is not an expression", shown(&text.value));
        let help = match text.value.trim_start().starts_with("${") {
            true => "write one expression, from `${` to `}`".to_owned(),
            false => format!("write `${{ {} }}`", shown(text.value.trim())),
        };
        diagnostics.push(Diagnostic::new(&WF0325, text.span, message).help(help));
        return None;
    };
    let trimmed = inner.value.trim();
    if trimmed.is_empty() {
        return Some(Filter::All);
    }
    match braced(trimmed) {
        Some(items) => {
            let start = inner.value.len() - inner.value.trim_start().len() + 1;
            of_items(&inner.slice(start, start + items.len()), diagnostics)
        }
        None => Some(Filter::Jq(jq_expression(inner, diagnostics))),
    }
}

/// Returns the text between the braces if they enclose the whole text.
fn braced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    // `{a: 1} | {b: 2}` is jq: its first and last braces do not match.
    let mut depth = 0_i32;
    let mut in_string = false;
    let mut escaped = false;
    for c in inner.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some(inner)
}

/// Parses the items of a filter in braces.
fn of_items(text: &Text, diagnostics: &mut Diagnostics) -> Option<Filter> {
    if text.value.trim().is_empty() {
        return Some(Filter::All);
    }
    let mut mapped = Vec::new();
    let mut merged = Vec::new();
    let mut start = 0;
    for item in text.value.split(',') {
        let begin = start + item.len() - item.trim_start().len();
        let end = start + item.trim_end().len();
        start += item.len() + 1;
        let item = text.slice(begin, end.max(begin));
        match read_item(&item, diagnostics)? {
            (source, Some(target)) => mapped.push(MappedMember { source, target }),
            (Some(source), None) => merged.push(source),
            (None, None) => return None,
        }
    }
    match (mapped.is_empty(), merged.is_empty()) {
        (true, _) => Some(Filter::Merge(merged, text.span)),
        (false, true) => {
            let mut seen: BTreeMap<&str, &Spanned<String>> = BTreeMap::new();
            for target in mapped.iter().map(|item| &item.target) {
                if let Some(first) = seen.insert(&target.value, target) {
                    let message = format!("the filter writes `{}` twice", target.value);
                    diagnostics.push(
                        Diagnostic::new(&own::WF1104, target.span, message)
                            .related(first.span, "first written here")
                            .help("rename one of the two after its colon"),
                    );
                    return None;
                }
            }
            Some(Filter::Map(mapped, text.span))
        }
        (false, false) => {
            let (first, lone) = (&mapped[0].target, &merged[0]);
            let message = format!("item `{}` has no target, but other items of the filter have one", lone.value);
            diagnostics.push(
                Diagnostic::new(&own::WF1104, lone.span, message)
                    .related(first.span, "this item has a target")
                    .help(format!("write `{0}: .{0}` to keep its name", lone.value)),
            );
            None
        }
    }
}

/// Source and target of an item.
type Item = (Option<Spanned<String>>, Option<Spanned<String>>);

/// Parses an item: `a: .b`, `.b` or `a`.
fn read_item(item: &Text, diagnostics: &mut Diagnostics) -> Option<Item> {
    let value = item.value.as_str();
    let name = |from: usize, to: usize| {
        let written = value[from..to].trim();
        let start = from + value[from..to].find(written).unwrap_or_default();
        is_name(written).then(|| Spanned::new(written.to_owned(), item.span_of(start, start + written.len())))
    };
    let target = |from: usize| {
        let rest = &value[from..];
        let dot = from + rest.len() - rest.trim_start().len();
        value[dot..].starts_with('.').then(|| name(dot + 1, value.len())).flatten()
    };
    let read = match value.find(':') {
        Some(colon) => name(0, colon).zip(target(colon + 1)).map(|(source, target)| (Some(source), Some(target))),
        None if value.starts_with('.') => target(0).map(|target| (None, Some(target))),
        None => name(0, value.len()).map(|source| (Some(source), None)),
    };
    if read.is_none() {
        report(item, diagnostics);
    }
    read
}

fn report(item: &Text, diagnostics: &mut Diagnostics) {
    let value = item.value.as_str();
    if value.is_empty() {
        let diagnostic = Diagnostic::new(&own::WF1104, item.span, "missing name in the filter");
        diagnostics.push(diagnostic.help("remove the comma, or add an item"));
        return;
    }
    let message = format!("invalid filter item `{}`", shown(value));
    let diagnostic = Diagnostic::new(&own::WF1104, item.span, message);
    let after = value.split_once(':').map(|(before, after)| (before.trim(), after.trim()));
    diagnostics.push(match after {
        // Hint for an item in the direction of jq: `{total: .order.price}`.
        Some((before, path)) if is_name(before) && path.starts_with('.') => diagnostic
            .label("the name before the colon is read, the name after it is written")
            .help(format!("write one name after the dot, as in `{before}: .{before}`, or {AS_JQ}")),
        Some((before, after)) if is_name(before) && is_name(after) => {
            diagnostic.help(format!("write `{before}: .{after}`: the target begins with a dot"))
        }
        _ => diagnostic.help(format!("use `from: .to`, `.to` or `from`, or {AS_JQ}")),
    });
}

/// Returns `true` if a text is a name in the sense of filters.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Warns of a filter that has no effect.
pub fn warn_unused(node: Option<&Node>, name: &str, why: &str, cx: &mut DslParseCx) {
    if let Some(node) = node.filter(|node| node.as_text().is_none_or(|text| !text.value.trim().is_empty())) {
        let message = format!("`{name}` has no effect: {why}");
        cx.push(Diagnostic::new(&codes::WF0455, node.span, message).help("remove it"));
    }
}
