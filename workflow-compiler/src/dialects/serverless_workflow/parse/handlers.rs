//! Parser of retries, error handlers and expressions ("Retry Definition", "Error Definition",
//! "Expression Definition").

use super::super::ast::{ErrorHandler, Expression, Language, Retry};
use super::{SwParseCx, exit, filter, values};
use crate::diagnostics::codes::fields as codes;
use crate::diagnostics::{Diagnostic, suggest::nearest};
use crate::dialects::object::Object;
use crate::dialects::object::values::all;
use crate::dialects::timespan::{TimespanError, read_duration};
use crate::syntax::{Node, Text, Tree, shown};

const LANGUAGES: [(&str, Language); 4] =
    [("spel", Language::SpEl), ("jsonpath", Language::JsonPath), ("jq", Language::Jq), ("cel", Language::Cel)];

/// Parses a language of expressions ([R7](docs/serverless-workflow.md#r7)).
pub fn language(text: &Text, cx: &mut SwParseCx) -> Option<Language> {
    let written = text.value.trim();
    if let Some((_, language)) = LANGUAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(written)) {
        return Some(*language);
    }
    let known = LANGUAGES.map(|(name, _)| name);
    let message = format!("unknown expression language `{}`", shown(written));
    let near = nearest(written, known).map(|near| format!("did you mean `{near}`?"));
    let all = format!("use one of `{}`", known.join("`, `"));
    cx.push(Diagnostic::new(&codes::WF0407, text.span, message).help(all).maybe_help(near));
    None
}

/// Parses an expression: a string, or an object with a `language`
/// ([R22](docs/serverless-workflow.md#r22)).
pub fn expression(node: &Node, cx: &mut SwParseCx) -> Option<Expression> {
    let (body, language) = match &node.tree {
        Tree::String(text) => (text, cx.language),
        _ => {
            let members = values::members(node, "an expression", &["body"], &["language"], cx.diagnostics)?;
            let language = match members.has("language") {
                true => members.text("language", cx.diagnostics).and_then(|text| self::language(text, cx)),
                false => Some(cx.language),
            };
            let body = members.text("body", cx.diagnostics);
            (body?, language?)
        }
    };
    if body.value.trim().is_empty() {
        cx.push(Diagnostic::new(&codes::WF0412, body.span, "the expression is empty").help("write a condition"));
        return None;
    }
    Some(Expression { language, body: body.clone() })
}

/// Parses `retry`.
pub fn retries(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Vec<Retry>> {
    let nodes = if members.has("retry") { members.maybe_list("retry", cx.diagnostics)? } else { &[] };
    all(nodes, |node| retry(node, cx))
}

fn retry(node: &Node, cx: &mut SwParseCx) -> Option<Retry> {
    let members =
        values::members(node, "a retry", &["expression"], &["interval", "multiplier", "maxAttempts"], cx.diagnostics)?;
    let expression = members.get("expression").and_then(|node| expression(node, cx));
    // All members are parsed before a missing one ends the parse, so that all errors are reported.
    let interval = match members.has("interval") {
        true => members.text("interval", cx.diagnostics).and_then(|text| interval(text, cx)),
        false => Some((None, 0.0)),
    };
    let increment = match members.has("multiplier") {
        true => members.duration("multiplier", cx.diagnostics).map(|increment| increment.value.as_secs_f64()),
        false => Some(0.0),
    };
    let attempts = match members.has("maxAttempts") {
        true => members.whole("maxAttempts", cx.diagnostics).map(|attempts| Some(attempts.value)),
        false => Some(None),
    };
    let ((repeats, interval), increment) = (interval?, increment?);
    // `maxAttempts` takes precedence over the repetitions of `interval`; without both there is one
    // retry ([R8](docs/serverless-workflow.md#r8)).
    let attempts = attempts?.unwrap_or(repeats.unwrap_or(1));
    Some(Retry { expression: expression?, attempts, interval, increment, span: node.span })
}

/// Parses an interval `R4/PT1M` or `PT1M` ([R8](docs/serverless-workflow.md#r8)). Returns the
/// number of repetitions, if it is present, and the delay in seconds.
fn interval(text: &Text, cx: &mut SwParseCx) -> Option<(Option<u32>, f64)> {
    let written = text.value.trim();
    let read = match written.strip_prefix(['R', 'r']).and_then(|rest| rest.split_once('/')) {
        None => read_duration(written).map(|duration| (None, duration)),
        // `R/` without a number repeats without limit.
        Some(("", duration)) => read_duration(duration).map(|duration| (Some(u32::MAX), duration)),
        Some((count, duration)) => match count.parse() {
            Ok(count) => read_duration(duration).map(|duration| (Some(count), duration)),
            Err(_) => Err(TimespanError {
                message: format!("has the repeat count `{}`, which is not a number", shown(count)),
                help: "write four retries, each after a minute, as `R4/PT1M`".to_owned(),
            }),
        },
    };
    match read {
        Ok((count, duration)) => Some((count, duration.as_secs_f64())),
        Err(error) => {
            let message = format!("`{}` {}", shown(written), error.message);
            cx.push(Diagnostic::new(&codes::WF0421, text.span, message).help(error.help));
            None
        }
    }
}

/// Parses `onError`.
pub fn error_handlers(members: &Object<'_>, is_switch: bool, cx: &mut SwParseCx) -> Option<Vec<ErrorHandler>> {
    let nodes = if members.has("onError") { members.maybe_list("onError", cx.diagnostics)? } else { &[] };
    all(nodes, |node| error_handler(node, is_switch, cx))
}

fn error_handler(node: &Node, is_switch: bool, cx: &mut SwParseCx) -> Option<ErrorHandler> {
    let owner = "an error handler";
    let members = values::members(node, owner, &["expression"], &["errorDataFilter", "transition"], cx.diagnostics)?;
    let expression = members.get("expression").and_then(|node| expression(node, cx));
    let filter = filter::error(&members, cx);
    let transition = match members.get("transition") {
        Some(node) => exit::transition(node, "transition", cx).map(Some),
        None if is_switch => {
            let diagnostic = Diagnostic::new(
                &codes::WF0401,
                node.span.opening(),
                format!("missing `transition` in {owner} of a switch"),
            );
            cx.push(diagnostic.help("add `transition`"));
            None
        }
        None => {
            let message = format!("{owner} has no `transition`: the transition of the state is taken instead");
            cx.warn(node.span.opening(), message, "add `transition`");
            Some(None)
        }
    };
    Some(ErrorHandler { expression: expression?, filter: filter?, transition: transition?, span: node.span })
}
