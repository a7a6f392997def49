//! Labels of diagrams: expressions in few words, such as `$.total > 100` or `$.id is present`.
//!
//! A table has the labels of functions of expressions: see `calls.rs`. The names of the functions
//! that test values determine their labels: `…_equals` compares, `is_…` tests.

use super::calls;
use crate::expr::{Arg, Call, Expr, Path, PathStep, Segment, Selector};
use crate::hir::{Arm, StepKind, Workflow};
use crate::model::{EventId, LocalKind, Publish, Seconds};

/// The label of the path on which no condition holds.
pub const OTHERWISE: &str = "otherwise";

/// Returns the names of events, without duplicates.
pub fn names(events: impl Iterator<Item = EventId>, workflow: &Workflow) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in events.filter_map(|event| Some(workflow.events.find(event)?.name.as_str())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the label of alternative events.
pub fn events(events: impl Iterator<Item = EventId>, workflow: &Workflow) -> String {
    format!("event {}", names(events, workflow).join(" or "))
}

/// Returns the name of a published event in the definition, or its type.
pub fn published<'a>(publish: &'a Publish, workflow: &'a Workflow) -> &'a str {
    let known = workflow.events.iter().find(|event| event.kind.as_ref() == Some(&publish.kind));
    known.map_or(&publish.kind, |event| &event.name)
}

/// Returns `true` if a step always fails, because no condition holds, or because a retrier's
/// condition holds for the result.
pub fn always_fails(step: &StepKind) -> bool {
    let fails = |call: &Call| matches!(function(call), "no_condition" | "refuse_results");
    matches!(step, StepKind::Let { value: Expr::Call(call), .. } if fails(call))
}

/// Returns a number of seconds in the largest unit in which it is a whole number.
pub fn duration(seconds: f64) -> String {
    let units = [(86400.0, "d"), (3600.0, "h"), (60.0, "min")];
    let whole = units.iter().find(|(length, _)| seconds >= *length && seconds % length == 0.0);
    let (length, unit) = whole.unwrap_or(&(1.0, "s"));
    format!("{} {unit}", seconds / length)
}

/// Returns `true` if a condition distinguishes paths of the author. Conditions that collect events
/// do not, and neither do tests of the target that was chosen before.
pub fn is_branch_condition(condition: &Expr) -> bool {
    match condition {
        Expr::And(parts) => parts.iter().any(is_branch_condition),
        Expr::Not(inner) => is_branch_condition(inner),
        Expr::Call(call) => match (function(call), &call.args[..]) {
            ("are_all" | "is", _) => false,
            ("is_null", [Arg::Value(Expr::Call(tested))]) => function(tested) != "seen",
            _ => true,
        },
        _ => true,
    }
}

/// Returns `true` if a condition distinguishes errors. The presence of an error and its handler
/// are not shown.
pub fn distinguishes_errors(condition: &Expr) -> bool {
    !matches!(condition, Expr::Call(call) if matches!(call.function.path.rsplit("::").next(), Some("is_error" | "is_handler")))
}

/// Returns the label of the path on which none of these conditions holds. If the conditions test
/// which event arrived, the label lists the remaining events.
pub fn otherwise_label(arms: &[Arm], awaited: &[EventId], workflow: &Workflow) -> Option<String> {
    if arms.iter().all(|arm| arm.on_error) {
        return None;
    }
    let mut tested = Vec::new();
    for arm in arms {
        let Expr::Call(call) = &arm.condition else { return Some(OTHERWISE.to_owned()) };
        match (function(call), &call.args[..]) {
            ("is_event", [_, Arg::Strs(numbers)]) => tested.extend(numbered(numbers)),
            ("are_all" | "is", _) => return None,
            ("is_null", [Arg::Value(Expr::Local(_))]) if !awaited.is_empty() => return None,
            _ => return Some(OTHERWISE.to_owned()),
        }
    }
    Some(events(awaited.iter().copied().filter(|event| !tested.contains(event)), workflow))
}

fn numbered(numbers: &[String]) -> impl Iterator<Item = EventId> {
    numbers.iter().filter_map(|number| number.parse().ok().map(EventId))
}

/// Returns the name of a function, in dialects with events. Functions of the same name in ASL and
/// SpEL test values.
fn function(call: &Call) -> &'static str {
    match call.function.path.split_once("::") {
        Some(("serverless_workflow" | "sm4c" | "workflow_dsl", name)) => name,
        _ => "",
    }
}

/// Returns the label of a test of an event, or of Serverless Workflow.
fn test_label(call: &Call, workflow: &Workflow) -> Option<String> {
    Some(match (function(call), &call.args[..]) {
        ("is_event", [_, Arg::Strs(numbers)]) => events(numbered(numbers), workflow),
        ("is_null", [Arg::Value(Expr::Local(_))]) => "time-out".to_owned(),
        ("decides", [_, Arg::Str(name)]) => format!("{name} is true"),
        ("compares", [found, Arg::Str(operator), Arg::Str(value)]) => {
            let found = argument(found, workflow);
            let value = if value.parse::<f64>().is_ok() { value.to_string() } else { format!("{value:?}") };
            match &**operator {
                "exists" => format!("{found} is present"),
                "notexists" => format!("{found} is not present"),
                "null" => format!("{found} is null"),
                "notnull" => format!("{found} is not null"),
                "equals" => format!("{found} = {value}"),
                "notequals" => format!("{found} ≠ {value}"),
                "lessthan" => format!("{found} < {value}"),
                "lessthanorequals" => format!("{found} ≤ {value}"),
                "greaterthan" => format!("{found} > {value}"),
                "greaterthanorequals" => format!("{found} ≥ {value}"),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Returns the label of an expression.
pub fn label(expr: &Expr, workflow: &Workflow) -> String {
    let list = |parts: &[Expr], between: &str| {
        let parts: Vec<String> = parts.iter().map(|part| label(part, workflow)).collect();
        parts.join(between)
    };
    match expr {
        Expr::Literal(literal) => literal.to_string(),
        Expr::Local(local) => match workflow.local(*local) {
            local if local.kind == LocalKind::Variable => format!("${}", local.name),
            // The document has another meaning in an error handler.
            local if local.name == "error" => "$.error".to_owned(),
            _ => "$".to_owned(),
        },
        Expr::Current => "@".to_owned(),
        Expr::Context => "$$".to_owned(),
        Expr::Find(path) | Expr::Select(path) => path_label(path, workflow),
        Expr::Object(members) => {
            let member = |(key, value): &(String, Expr)| format!("{key}: {}", label(value, workflow));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Expr::Array(items) => format!("[{}]", list(items, ", ")),
        Expr::And(parts) => {
            let part = |part: &Expr| match part {
                Expr::Or(several) if several.len() > 1 => format!("({})", label(part, workflow)),
                _ => label(part, workflow),
            };
            // The presence of an error is not shown in its handler.
            let is_said = |part: &&Expr| !matches!(part, Expr::Call(call) if function(call) == "has_error");
            parts.iter().filter(is_said).map(part).collect::<Vec<_>>().join(" and ")
        }
        Expr::Or(parts) => list(parts, " or "),
        Expr::Not(inner) => match &**inner {
            Expr::Call(call) => call_label(call, true, workflow),
            Expr::Not(twice) => label(twice, workflow),
            Expr::And(parts) | Expr::Or(parts) if parts.len() > 1 => format!("not ({})", label(inner, workflow)),
            _ => format!("not {}", label(inner, workflow)),
        },
        Expr::If(choice) => {
            let [test, then, otherwise] =
                [&choice.test, &choice.then, &choice.otherwise].map(|part| label(part, workflow));
            format!("{then} if {test}, else {otherwise}")
        }
        Expr::Call(call) => call_label(call, false, workflow),
        Expr::Apply(apply) => apply.program.source().to_owned(),
    }
}

/// Returns the label of a number of seconds.
pub fn seconds(seconds: &Seconds, workflow: &Workflow) -> String {
    match seconds {
        Seconds::Fixed(seconds) => duration(*seconds),
        Seconds::Computed(expr) => format!("{} seconds", label(expr, workflow)),
    }
}

/// The suffix of a comparison's name, its label, and the label of its negation. Ordered
/// comparisons of values of different types do not hold, so the negation of `<` is not `≥`.
const COMPARISONS: [(&str, &str, Option<&str>); 6] = [
    ("less_than_equals", "≤", None),
    ("greater_than_equals", "≥", None),
    ("less_than", "<", None),
    ("greater_than", ">", None),
    ("equals", "=", Some("≠")),
    ("matches", "matches", Some("does not match")),
];

fn call_label(call: &Call, negated: bool, workflow: &Workflow) -> String {
    if let Some(shown) = test_label(call, workflow) {
        return if negated { format!("not ({shown})") } else { shown };
    }
    if let Some(shown) = calls::known(call, negated, workflow) {
        return shown;
    }
    let name = call.function.path.rsplit("::").next().unwrap_or_default();
    let compared = name.strip_suffix("_path").unwrap_or(name);
    let comparison = COMPARISONS.iter().find(|(suffix, ..)| compared.ends_with(suffix));
    if let (Some((_, than, contrary)), [left, right]) = (comparison, &call.args[..]) {
        let (left, right) = (argument(left, workflow), argument(right, workflow));
        return match (negated, contrary) {
            (false, _) => format!("{left} {than} {right}"),
            (true, Some(contrary)) => format!("{left} {contrary} {right}"),
            (true, None) => format!("not ({left} {than} {right})"),
        };
    }
    if let (Some(test), [tested]) = (name.strip_prefix("is_"), &call.args[..]) {
        let article = if matches!(test, "string" | "boolean" | "timestamp") { "a " } else { "" };
        let not = if negated { "not " } else { "" };
        return format!("{} is {not}{article}{}", argument(tested, workflow), test.replace('_', " "));
    }
    let shown = calls::unknown(call, workflow);
    if negated { format!("not {shown}") } else { shown }
}

pub fn argument(arg: &Arg, workflow: &Workflow) -> String {
    match arg {
        Arg::Value(expr) | Arg::Owned(expr) | Arg::Maybe(expr) | Arg::Bool(expr) => label(expr, workflow),
        Arg::List(items) => items.iter().map(|item| label(item, workflow)).collect::<Vec<_>>().join(", "),
        Arg::Str(text) => format!("{text:?}"),
        Arg::Int(number) => number.to_string(),
        Arg::Float(number) => number.to_string(),
        Arg::Flag(flag) => flag.to_string(),
        Arg::Strs(texts) => texts.join(", "),
        Arg::Edit(local) => label(&Expr::Local(*local), workflow),
        Arg::Steps(steps) => steps.iter().map(one_step).collect(),
        Arg::Schema(schema) => schema.name().to_owned(),
    }
}

fn path_label(path: &Path, workflow: &Workflow) -> String {
    let mut shown = label(&path.base, workflow);
    for segment in &path.segments {
        shown.push_str(&one_segment(segment, workflow));
    }
    shown
}

pub fn one_step(step: &PathStep) -> String {
    match step {
        PathStep::Key(name) => one_name(name),
        PathStep::Index(index) => format!("[{index}]"),
    }
}

pub fn one_name(name: &str) -> String {
    if is_plain(name) { format!(".{name}") } else { format!("['{name}']") }
}

/// Returns `true` if a name needs no quotes in a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn one_segment(segment: &Segment, workflow: &Workflow) -> String {
    let dots = if segment.descend { ".." } else { "." };
    match &segment.selectors[..] {
        [Selector::Name(name) | Selector::NameThroughSingleton(name)] if is_plain(name) => format!("{dots}{name}"),
        selectors => {
            let selectors: Vec<String> = selectors.iter().map(|selector| one_selector(selector, workflow)).collect();
            format!("{}[{}]", if segment.descend { ".." } else { "" }, selectors.join(","))
        }
    }
}

fn one_selector(selector: &Selector, workflow: &Workflow) -> String {
    match selector {
        Selector::Name(name) | Selector::NameThroughSingleton(name) => format!("'{name}'"),
        Selector::Index(index) => index.to_string(),
        Selector::Slice { start, end, step } => {
            let bound = |bound: &Option<i64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
            let step = if *step == 1 { String::new() } else { format!(":{step}") };
            format!("{}:{}{step}", bound(start), bound(end))
        }
        Selector::Wildcard => "*".to_owned(),
        Selector::Filter(test) => format!("?({})", label(test, workflow)),
        Selector::JaywayFilter(test) => format!("?{}", label(test, workflow)),
    }
}
