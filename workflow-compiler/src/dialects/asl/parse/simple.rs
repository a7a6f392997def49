//! Parser of Pass, Wait, Succeed and Fail states.

use super::fields::list;
use super::names::{FILTERS, NEXT, STATE};
use super::{AslParseCx, LONGEST_TIME, data_flow, parameters, transition};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{DataFlow, Fail, FailText, Pass, Until, Wait};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::placeholders::only_placeholder;
use crate::dialects::asl::{expressions, jsonata, timestamp};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::Yields;
use crate::syntax::{Entry, Node, Text, Tree};

/// Intrinsic functions that can yield a string, as `ErrorPath` and `CausePath` require.
const STRING_FUNCTIONS: &[&str] = &[
    "States.ArrayGetItem",
    "States.Base64Decode",
    "States.Base64Encode",
    "States.Format",
    "States.Hash",
    "States.JsonToString",
    "States.UUID",
];

pub fn pass(fields: Object, cx: &mut AslParseCx) -> Option<Pass> {
    fields.allow(&[STATE, FILTERS, NEXT, &["Parameters", "Result", "ResultPath", "Output", "Assign"]], cx);
    let mut flow = data_flow(&fields, cx);
    if cx.is_jsonata() {
        return Some(Pass { flow, result: None, next: transition(&fields, cx)? });
    }
    flow.parameters = parameters(&fields, cx);
    let result = fields.get("Result").cloned();
    if let Some(result) = &result {
        check_result(result, cx);
        for name in ["InputPath", "Parameters"] {
            if let Some(entry) = fields.entry(name) {
                let message = format!("`{name}` has no effect together with `Result`");
                cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help(format!("remove `{name}`")));
            }
        }
    }
    Some(Pass { flow, result, next: transition(&fields, cx)? })
}

/// Warns of fields of `Result` that look like parts of a payload template. AWS never evaluates
/// them.
fn check_result(node: &Node, cx: &mut AslParseCx) {
    match &node.tree {
        Tree::Object(entries) => {
            for Entry { key, value } in entries {
                if key.value.ends_with(".$") {
                    let message = format!("`{}` is not evaluated: `Result` is not a payload template", key.value);
                    cx.push(
                        Diagnostic::new(&codes::WF0457, key.span, message)
                            .help("use `Parameters` instead of `Result` for computed values"),
                    );
                }
                check_result(value, cx);
            }
        }
        Tree::Array(items) => items.iter().for_each(|item| check_result(item, cx)),
        Tree::String(text) => jsonata::warn_of_constant(text, cx.diagnostics),
        _ => {}
    }
}

pub fn wait(fields: Object, cx: &mut AslParseCx) -> Option<Wait> {
    const TIMES: &[&str] = &["Seconds", "SecondsPath", "Timestamp", "TimestampPath"];
    fields.allow(&[STATE, FILTERS, NEXT, TIMES, &["Output", "Assign"]], cx);
    let flow = data_flow(&fields, cx);
    let next = transition(&fields, cx);
    let until = until(&fields, fields.one_of(TIMES, true, cx)?, cx)?;
    Some(Wait { flow, until, next: next? })
}

fn until<'a>(fields: &Object<'a>, entry: &'a Entry, cx: &mut AslParseCx) -> Option<Until> {
    let node = &entry.value;
    match entry.key.value.as_str() {
        "Timestamp" => {
            let text = text(node, "Timestamp", cx.diagnostics)?;
            match jsonata::expression(text, "Timestamp", Yields::String, cx)? {
                Some(expression) => Some(Until::TimestampExpression(Box::new(expression))),
                None => timestamp_text(text, "Timestamp", cx).map(Until::Timestamp),
            }
        }
        "TimestampPath" if cx.is_jsonata() => None,
        "TimestampPath" => expressions::reference_path(node, "TimestampPath", cx).map(Until::TimestampPath),
        _ => fields.amount_of(entry, "Seconds", NumberRange::Whole(0..=LONGEST_TIME), cx).map(Until::Seconds),
    }
}

/// Returns a text that is a valid timestamp or a placeholder for one, and reports any other text.
pub fn timestamp_text(text: &Text, name: &str, cx: &mut AslParseCx) -> Option<Text> {
    if only_placeholder(&text.value).is_some() || timestamp::is_valid(&text.value) {
        return Some(text.clone());
    }
    cx.push(Diagnostic::new(&own::WF0411, text.span, format!("`{name}` is not an RFC 3339 timestamp")).help(
        "write a timestamp such as `2016-03-14T01:59:00Z`, with a capital `T`, and `Z` or an offset such as `+01:00`",
    ));
    None
}

pub fn succeed(fields: Object, cx: &mut AslParseCx) -> Option<DataFlow> {
    fields.allow(&[STATE, FILTERS, &["Output"]], cx);
    Some(data_flow(&fields, cx))
}

pub fn fail(fields: Object, cx: &mut AslParseCx) -> Option<Fail> {
    fields.allow(&[STATE, &["Error", "ErrorPath", "Cause", "CausePath"]], cx);
    let error = fields.one_of(&["Error", "ErrorPath"], false, cx).and_then(|entry| message(entry, cx));
    let cause = fields.one_of(&["Cause", "CausePath"], false, cx).and_then(|entry| message(entry, cx));
    Some(Fail { language: cx.language, error, cause })
}

fn message(entry: &Entry, cx: &mut AslParseCx) -> Option<FailText> {
    let name = entry.key.value.as_str();
    if !name.ends_with("Path") {
        let text = text(&entry.value, name, cx.diagnostics)?;
        return Some(match jsonata::expression(text, name, Yields::String, cx)? {
            Some(expression) => FailText::Expression(Box::new(expression)),
            None => {
                if !cx.is_jsonata() {
                    jsonata::warn_of_constant(text, cx.diagnostics);
                }
                FailText::Text(text.clone())
            }
        });
    }
    if cx.is_jsonata() {
        return None;
    }
    let written = text(&entry.value, name, cx.diagnostics)?;
    let function = written.value.split('(').next().unwrap_or_default();
    if function.starts_with("States.") && written.value.contains('(') && !STRING_FUNCTIONS.contains(&function) {
        cx.push(
            Diagnostic::new(
                &codes::WF0407,
                written.span,
                format!("`{name}` must be a string, but `{function}` does not return one"),
            )
            .help(format!("use one of {}", list(STRING_FUNCTIONS))),
        );
        return None;
    }
    expressions::path_or_intrinsic(&entry.value, name, cx).map(FailText::Path)
}
