//! A printer of trees.

use std::fmt::Write as _;

use crate::ast::{Group, Lambda, Node, NodeKind, Path, Pattern, Stage, Step, StepKind, Suffixed};

/// Returns a tree as a text. Parts that the syntax divides by blanks stand in brackets.
pub(super) fn print(node: &Node) -> String {
    match &node.kind {
        NodeKind::Null => "null".to_owned(),
        NodeKind::Bool(value) => value.to_string(),
        NodeKind::Number(number) => number.to_string(),
        NodeKind::String(value) => format!("{value:?}"),
        NodeKind::Regex(pattern) => regex(pattern),
        NodeKind::Variable(name) => format!("${name}"),
        NodeKind::Context => "$".to_owned(),
        NodeKind::Root => "$$".to_owned(),
        NodeKind::Name(name) => name.to_string(),
        NodeKind::Wildcard => "*".to_owned(),
        NodeKind::Descendants => "**".to_owned(),
        NodeKind::Parent(slot) => format!("%{slot}"),
        NodeKind::Placeholder => "?".to_owned(),
        NodeKind::Path(parts) => path(parts),
        NodeKind::Suffixed(parts) => suffixed(parts),
        NodeKind::Negate(operand) => list("-", [operand.as_ref()]),
        NodeKind::Array(items) => list("array", items),
        NodeKind::Object(parts) => list_of("object", parts.iter().map(member)),
        NodeKind::Binary(kind, left, right) => list(kind.sign(), [left.as_ref(), right.as_ref()]),
        NodeKind::Bind(name, value) => list(&format!("bind ${name}"), [value.as_ref()]),
        NodeKind::Block(parts) => list("block", parts),
        NodeKind::Condition(condition) => {
            let branches = [&condition.test, &condition.then];
            list("if", branches.into_iter().chain(&condition.otherwise))
        }
        NodeKind::Lambda(parts) => lambda(parts),
        NodeKind::Call(call) => list("call", [&call.callee].into_iter().chain(&call.args)),
        NodeKind::Partial(call) => list("partial", [&call.callee].into_iter().chain(&call.args)),
        NodeKind::Apply(left, right) => list("~>", [left.as_ref(), right.as_ref()]),
        NodeKind::Transform(transform) => {
            let parts = [&transform.pattern, &transform.update];
            list("transform", parts.into_iter().chain(&transform.delete))
        }
    }
}

fn list<'a>(head: &str, parts: impl IntoIterator<Item = &'a Node>) -> String {
    list_of(head, parts.into_iter().map(print))
}

fn list_of(head: &str, parts: impl Iterator<Item = String>) -> String {
    let mut text = format!("({head}");
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text + ")"
}

fn member((key, value): &(Node, Node)) -> String {
    format!("{}:{}", print(key), print(value))
}

fn regex(pattern: &Pattern) -> String {
    let (i, m) = (mark(pattern.ignores_case, "i"), mark(pattern.is_multiline, "m"));
    format!("/{}/{i}{m}", pattern.text)
}

fn mark(is_set: bool, text: &str) -> &str {
    if is_set { text } else { "" }
}

fn lambda(lambda: &Lambda) -> String {
    if lambda.is_thunk {
        return list("thunk", [&lambda.body]);
    }
    let mut head = "function".to_owned();
    for param in &lambda.params {
        write!(head, " ${param}").expect("a string takes all that is written");
    }
    if let Some(signature) = &lambda.signature {
        write!(head, " <{}>", signature.text).expect("a string takes all that is written");
    }
    list(&head, [&lambda.body])
}

fn suffixed(parts: &Suffixed) -> String {
    let mut text = format!("{{{}", print(&parts.base));
    for predicate in &parts.predicates {
        write!(text, "[{}]", print(predicate)).expect("a string takes all that is written");
    }
    text.push_str(&group(parts.group.as_ref()));
    text.push_str(mark(parts.keeps_array, "[]"));
    text + "}"
}

fn group(group: Option<&Group>) -> String {
    group.map(|group| format!(" {}", list_of("group", group.members.iter().map(member)))).unwrap_or_default()
}

/// Returns a path. A mark follows a step: `^n` the slots that take its item, `t` tuple, `k` keeps
/// the array, `c` constructor.
fn path(path: &Path) -> String {
    let mut head = "path".to_owned();
    head.push_str(mark(path.keeps_array, "[]"));
    head.push_str(mark(path.is_tuple, ":t"));
    let mut text = list_of(&head, path.steps.iter().map(step));
    if path.group.is_some() {
        text.truncate(text.len() - 1);
        text.push_str(&group(path.group.as_ref()));
        text.push(')');
    }
    text
}

fn step(step: &Step) -> String {
    let mut text = match &step.kind {
        StepKind::Node(node) => print(node),
        StepKind::Sort(terms) => list_of(
            "sort",
            terms.iter().map(|term| format!("{}{}", if term.descending { '>' } else { '<' }, print(&term.by))),
        ),
    };
    if let Some(name) = &step.focus {
        write!(text, "@${name}").expect("a string takes all that is written");
    }
    if let Some(name) = &step.index {
        write!(text, "#${name}").expect("a string takes all that is written");
    }
    for stage in &step.stages {
        text.push_str(&match stage {
            Stage::Filter(predicate) => format!("[{}]", print(predicate)),
            Stage::Index(name) => format!("#${name}"),
        });
    }
    for slot in &step.ancestors {
        write!(text, "^{slot}").expect("a string takes all that is written");
    }
    let marks = [mark(step.is_tuple, "t"), mark(step.keeps_array, "k"), mark(step.is_constructor, "c")].concat();
    if marks.is_empty() { text } else { format!("{text}:{marks}") }
}
