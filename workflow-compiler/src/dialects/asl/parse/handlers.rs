//! Parser of `Retry` and `Catch`.

use super::fields::{number, static_text, word};
use super::{AslParseCx, LONGEST_TIME, assign, computed, result_path};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::dialects::asl::ERROR_NAMES;
use crate::dialects::asl::ast::{Catcher, Handlers, ResultPath};
use crate::dialects::asl::codes;
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::expr::jsonata::StatesMembers;
use crate::model::{ErrorMatch, Jitter, Retrier};
use crate::source::Spanned;
use crate::syntax::{Node, Text};
use std::collections::BTreeMap;

/// Error names of the language (ASL §Appendix A), and those that AWS adds.
const ERRORS: &[&str] = &[
    "States.ALL",
    "States.BranchFailed",
    "States.DataLimitExceeded",
    "States.ExceedToleratedFailureThreshold",
    "States.HeartbeatTimeout",
    "States.Http.Socket",
    "States.IntrinsicFailure",
    "States.ItemReaderFailed",
    "States.NoChoiceMatched",
    "States.ParameterPathFailure",
    "States.Permissions",
    "States.QueryEvaluationError",
    "States.ResultPathMatchFailure",
    "States.ResultWriterFailed",
    "States.Runtime",
    "States.TaskFailed",
    "States.Timeout",
];
/// Largest `MaxDelaySeconds` that AWS accepts.
const LONGEST_DELAY: u32 = 31_622_400;

/// Parses `Retry` and `Catch` of a state.
pub fn handlers(owner: &Object, cx: &mut AslParseCx) -> Handlers {
    let retry = owner.maybe_list("Retry", cx.diagnostics).unwrap_or_default();
    let catch = owner.maybe_list("Catch", cx.diagnostics).unwrap_or_default();
    let retriers: Vec<_> = retry.iter().map(|node| retrier(node, cx)).collect();
    let catchers = catch.iter().enumerate();
    let catchers: Vec<_> =
        catchers.map(|(at, node)| cx.in_field(&format!("Catch[{at}]"), |cx| catcher(node, cx))).collect();
    check_order(retriers.iter().map(|parsed| parsed.as_ref().map(|(names, _)| &names[..])), "retrier", cx);
    check_order(catchers.iter().map(|parsed| parsed.as_ref().map(|(names, _)| &names[..])), "catcher", cx);
    Handlers {
        retriers: retriers.into_iter().flatten().map(|(_, retrier)| retrier).collect(),
        catchers: catchers.into_iter().flatten().map(|(_, catcher)| catcher).collect(),
        span: owner.entry("Retry").or_else(|| owner.entry("Catch")).map(|entry| entry.key.span),
    }
}

type Names = Vec<Spanned<String>>;

fn retrier(node: &Node, cx: &mut AslParseCx) -> Option<(Names, Retrier)> {
    let fields = Object::exact(node, "a retrier", cx.diagnostics)?;
    const ALLOWED: &[&str] =
        &["ErrorEquals", "IntervalSeconds", "MaxAttempts", "BackoffRate", "MaxDelaySeconds", "JitterStrategy"];
    fields.allow(&[ALLOWED], cx);
    fields.comment(cx);
    let interval = fields.static_whole("IntervalSeconds", 1..=LONGEST_TIME, cx);
    let attempts = fields.static_whole("MaxAttempts", 0..=LONGEST_TIME, cx);
    let rate = fields.get("BackoffRate");
    let rate = rate.and_then(|node| number(node, "BackoffRate", NumberRange::Real(1.0, f64::INFINITY), cx));
    let delay = fields.static_whole("MaxDelaySeconds", 1..=LONGEST_DELAY, cx);
    let jitter = fields.get("JitterStrategy").and_then(|node| word(node, "JitterStrategy", &["FULL", "NONE"], cx));
    let names = error_names(&fields, cx)?;
    let retrier = Retrier {
        errors: names.iter().map(|name| error_match(&name.value)).collect(),
        interval_seconds: interval.map_or(1.0, |number| f64::from(number.value)),
        max_attempts: attempts.map_or(3, |number| number.value),
        backoff_rate: rate.map_or(2.0, |number| number.value),
        max_delay_seconds: delay.map(|number| f64::from(number.value)),
        increment_seconds: 0.0,
        jitter: if jitter == Some("FULL") { Jitter::Full } else { Jitter::None },
    };
    Some((names, retrier))
}

fn catcher(node: &Node, cx: &mut AslParseCx) -> Option<(Names, Catcher)> {
    let fields = Object::exact(node, "a catcher", cx.diagnostics)?;
    fields.allow(&[&["ErrorEquals", "Next", "ResultPath", "Output", "Assign"]], cx);
    fields.comment(cx);
    let result_path = if cx.is_jsonata() { ResultPath::Replace } else { result_path(&fields, cx) };
    let members = StatesMembers::WithErrorOutput;
    let output = fields.get("Output").filter(|_| cx.is_jsonata());
    let output = output.and_then(|node| computed(node, "Output", members, cx));
    let assign = assign::assign(&fields, members, cx);
    let next = fields.required("Next", cx).and_then(|_| fields.state_name("Next", cx));
    let names = error_names(&fields, cx)?;
    let errors = names.iter().map(|name| error_match(&name.value)).collect();
    Some((names, Catcher { errors, language: cx.language, result_path, output, assign, next: next?, span: node.span }))
}

/// Returns what an error name of `ErrorEquals` matches.
fn error_match(name: &str) -> ErrorMatch {
    match name {
        name if name == ERROR_NAMES.any => ErrorMatch::Any,
        name if name == ERROR_NAMES.any_task => ErrorMatch::AnyTask,
        name if name == ERROR_NAMES.timeout => ErrorMatch::Timeout,
        name if name == ERROR_NAMES.heartbeat => ErrorMatch::Heartbeat,
        name => ErrorMatch::Named(name.to_owned()),
    }
}

fn error_names(fields: &Object, cx: &mut AslParseCx) -> Option<Names> {
    fields.required("ErrorEquals", cx)?;
    let items = fields.list("ErrorEquals", cx.diagnostics)?;
    let names: Vec<_> = items.iter().filter_map(|item| error_name(item, cx)).collect();
    (names.len() == items.len()).then_some(names)
}

fn error_name(node: &Node, cx: &mut AslParseCx) -> Option<Spanned<String>> {
    if cx.diagnostics.is_exhausted(node.span) {
        return None;
    }
    let text = static_text(node, "ErrorEquals", cx)?;
    check_reserved(text, cx);
    Some(Spanned::new(text.value.clone(), text.span))
}

fn check_reserved(text: &Text, cx: &mut AslParseCx) {
    let name = text.value.as_str();
    let is_reserved = name.starts_with("States.");
    let is_known = ERRORS.contains(&name) || name.starts_with("States.Http.StatusCode.");
    let is_misspelt = ERRORS.iter().any(|known| known.eq_ignore_ascii_case(name)) || name == "State.ALL";
    if !is_known && (is_reserved || is_misspelt) {
        let near = nearest(name, ERRORS.iter().copied());
        let message = match is_reserved {
            true => format!("unknown error name `{name}`: the prefix `States.` is reserved"),
            false => format!("`{name}` is not a predefined error name"),
        };
        let help = near.map(|near| format!("did you mean `{near}`?"));
        cx.push(
            Diagnostic::new(&codes::WF0451, text.span, message)
                .help("start the names of your own errors with another prefix")
                .maybe_help(help),
        );
    } else if let Some((message, help)) = match name {
        "States.ParameterPathFailure" => Some((
            "`States.ParameterPathFailure` is never raised",
            "a path that selects nothing raises `States.Runtime`, which cannot be caught",
        )),
        "States.BranchFailed" => Some((
            "`States.BranchFailed` is never raised",
            "name the error with which the branch fails, or use `States.ALL`",
        )),
        "States.Runtime" => Some((
            "`States.Runtime` cannot be retried or caught",
            "test with a Choice state (`IsPresent`) that the value exists",
        )),
        "States.NoChoiceMatched" => Some((
            "`States.NoChoiceMatched` is never raised",
            "add `Default` to the Choice state: a Choice state without a match raises `States.Runtime`, which cannot be caught",
        )),
        "States.IntrinsicFailure" => Some((
            "`States.IntrinsicFailure` is never raised",
            "check the arguments before the call: invalid arguments raise `States.Runtime`, which cannot be caught",
        )),
        _ => None,
    } {
        cx.push(Diagnostic::new(&codes::WF0452, text.span, message).help(help));
    }
}

/// Reports `States.ALL` that is not alone and last (ASL §Retrying after error), and warns of a
/// name that an earlier retrier or catcher already contains.
fn check_order<'a>(
    lists: impl ExactSizeIterator<Item = Option<&'a [Spanned<String>]>>,
    what: &str,
    cx: &mut AslParseCx,
) {
    let last = lists.len().saturating_sub(1);
    let mut seen = BTreeMap::new();
    for (at, names) in lists.enumerate() {
        for name in names.unwrap_or_default() {
            let alone = names.is_some_and(|names| names.len() == 1);
            if name.value == "States.ALL" && !(alone && at == last) {
                let place =
                    if alone { format!("in the last {what}") } else { "the only name in `ErrorEquals`".to_owned() };
                cx.push(
                    Diagnostic::new(&codes::WF0409, name.span, format!("`States.ALL` must be {place}"))
                        .help(format!("move `States.ALL` to a {what} of its own after all others")),
                );
            } else if let Some(first) = seen.insert(name.value.clone(), name.span) {
                let message = format!("an earlier {what} already handles `{}`", name.value);
                cx.push(
                    Diagnostic::new(&codes::WF0454, name.span, message)
                        .related(first, "first named here")
                        .help("remove one of the two"),
                );
            }
        }
    }
}
