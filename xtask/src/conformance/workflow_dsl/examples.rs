//! `examples.json`: the blocks of code of the source text, each with the value that it stands for.
//! Each block is read, and is compiled as a part of a definition.

use super::{around, definition};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::fields;
use serde_json::{Map, Value};
use workflow_compiler::diagnostics::{Diagnostic, Diagnostics, Severity, fixes};
use workflow_compiler::source::FileId;
use workflow_compiler::syntax::{Node, Tree, json};

/// The largest number of times that the fixes of an example are applied. Findings that remain then
/// are reported.
const MOST_PASSES: usize = 100;

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    const FIELDS: &[&str] = &["id", "raw", "strict_json", "repairs", "normalized", "error", "source", "note"];
    fields::check("a case", case, FIELDS)?;
    let raw = case["raw"].as_str().ok_or("it has no `raw`")?;
    let normalized = case.get("normalized");
    if normalized.is_none() && !case["error"].is_string() {
        return Err("it has neither `normalized` nor `error`".to_owned());
    }
    let reading = match normalized {
        Some(normalized) => check_read(raw, normalized, case["strict_json"] == true),
        None => check_refused(raw),
    };
    // An example without brackets, or in another language, is not a part of a definition.
    let is_definition = normalized.is_some_and(|normalized| normalized.get("states").is_none());
    let text = match normalized {
        Some(normalized) if is_definition => around::definition_with(raw, normalized),
        _ => raw.to_owned(),
    };
    let judge = move |outcome: &Outcome<'_>| match (&reading, outcome) {
        (Err(mismatch), _) => Verdict::failed(mismatch.expected.clone(), mismatch.actual.clone()),
        (Ok(()), Outcome::Refused(findings)) if is_definition => Verdict::refused(findings),
        (Ok(()), Outcome::Accepted | Outcome::Ran(_)) if !is_definition => Verdict::failed("to be refused", "accepted"),
        (Ok(()), _) => Verdict::Passed,
    };
    Ok(Plan::Try(Trial { definition: catalogue.add(definition(text)), goal: Goal::Check, judge: Box::new(judge) }))
}

/// Checks that a text has this value. JSON must have no finding. Other texts must have warnings
/// whose fixes turn the text into JSON.
fn check_read(raw: &str, normalized: &Value, is_json: bool) -> Result<(), Mismatch> {
    let (node, found) = read_as(raw, json::read_leniently);
    if let Some(error) = found.iter().find(|found| found.severity() == Severity::Error || is_json) {
        return Err(Mismatch::new("to be read", describe(error)));
    }
    if !is_json && found.is_empty() {
        return Err(Mismatch::new("to be mended with a warning", "read without one"));
    }
    let read = value(&node);
    if read != *normalized {
        return Err(Mismatch::new(normalized.to_string(), format!("read as {read}")));
    }
    let mut text = raw.to_owned();
    for _ in 0..=MOST_PASSES {
        let Some((mended, _)) = fixes::apply(&text, FileId(0), &read_as(&text, json::read_leniently).1) else { break };
        text = mended;
    }
    let (node, found) = read_as(&text, json::read);
    if let Some(error) = found.first() {
        return Err(Mismatch::new("to be JSON with its fixes", describe(error)));
    }
    match value(&node) {
        fixed if fixed == *normalized => Ok(()),
        fixed => Err(Mismatch::new(normalized.to_string(), format!("with its fixes read as {fixed}"))),
    }
}

/// Checks that a text with mismatched brackets is refused at the first mismatched bracket, and at
/// nothing before it.
fn check_refused(raw: &str) -> Result<(), Mismatch> {
    let Some(at) = wrong_bracket(raw) else {
        return Err(Mismatch::new("a bracket that closes nothing, or what it should not", "none in the text"));
    };
    let expected = || format!("WF0102 at the bracket at byte {at}");
    let (_, found) = read_as(raw, json::read_leniently);
    let errors = || found.iter().filter(|found| found.severity() == Severity::Error);
    let mut names_it = false;
    for error in errors() {
        // An error may be at the opening bracket, and name the closing one.
        let places = || std::iter::once(error.span).chain(error.related.iter().map(|(span, _)| *span));
        if places().all(|span| (span.start as usize) < at) {
            return Err(Mismatch::new(expected(), describe(error)));
        }
        names_it |= error.code.id == "WF0102" && places().any(|span| span.start as usize == at);
    }
    match errors().next() {
        _ if names_it => Ok(()),
        None => Err(Mismatch::new(expected(), "read without an error")),
        Some(first) => Err(Mismatch::new(expected(), describe(first))),
    }
}

/// Returns the first closing bracket, outside of strings, that does not match the open bracket.
fn wrong_bracket(text: &str) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' if open.pop() != Some(c) => return Some(at),
            _ => {}
        }
    }
    None
}

fn read_as(text: &str, reader: fn(FileId, &str, &mut Diagnostics) -> Node) -> (Node, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let node = reader(FileId(0), text, &mut diagnostics);
    (node, diagnostics.finish())
}

fn describe(found: &Diagnostic) -> String {
    format!("{} at byte {}: {}", found.code.id, found.span.start, found.message)
}

fn value(node: &Node) -> Value {
    match &node.tree {
        Tree::Null => Value::Null,
        Tree::Bool(value) => Value::from(*value),
        Tree::Int(value) => Value::from(*value),
        Tree::Float(value) => Value::from(*value),
        Tree::String(text) => Value::from(text.value.as_str()),
        Tree::Array(items) => items.iter().map(value).collect(),
        Tree::Object(entries) => {
            entries.iter().map(|entry| (entry.key.value.clone(), value(&entry.value))).collect::<Map<_, _>>().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reading_is_compared_with_what_is_expected() {
        let crooked = "\"a\": { \"b\" \"c\" },";
        for (raw, normalized, is_json, expected) in [
            ("{\"a\": 1}", json!({"a": 1}), true, Ok(())),
            ("\"a\": ${ .b },", json!({"a": "${ .b }"}), false, Ok(())),
            ("{\"a\": 1,}", json!({"a": 1}), true, Err("WF0152 at byte 7")),
            ("{\"a\": 1}", json!({"a": 1}), false, Err("read without one")),
            ("{\"a\": 1,}", json!({"a": 2}), false, Err("read as {\"a\":1}")),
            (crooked, json!({"a": ["b", "c"]}), false, Err("WF0105 at byte 10")),
        ] {
            let result = check_read(raw, &normalized, is_json);
            match (result, expected) {
                (Ok(()), Ok(())) => {}
                (Err(mismatch), Err(part)) if mismatch.actual.contains(part) => {}
                (result, _) => panic!("{raw}: {result:?}"),
            }
        }
        assert_eq!(check_refused("{}\n]]"), Ok(()));
        assert_eq!(check_refused("{\"a]\": [{\n \"b\": {}\n ]\n}]\n}"), Ok(()));
        for (raw, part) in [
            ("{}", "none in the text"),
            // An error about another bracket.
            ("\"a\": ${ .b\n]", "WF0102 at byte 5: unclosed expression: no `}` on this line"),
            ("{\"a\": [1, 2, \"b\": 3}\n]]", "WF0102 at byte 6: `[` is never closed"),
            ("{\"a\" 1}]", "WF0105 at byte 4"),
        ] {
            let mismatch = check_refused(raw).unwrap_err();
            assert!(mismatch.actual.contains(part), "{raw}: {mismatch:?}");
        }
    }
}
