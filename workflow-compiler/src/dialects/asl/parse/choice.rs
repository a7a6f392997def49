//! Parser of Choice states and their rules.

use super::fields::{boolean, number};
use super::names::{self, FILTERS, STATE};
use super::{AslParseCx, assign, computed, data_flow, simple};
use crate::diagnostics::{Diagnostic, codes::fields as common};
use crate::dialects::asl::ast::{Choice, Condition, Family, IsTest, Operand, Rule, Test};
use crate::dialects::asl::codes;
use crate::dialects::asl::expressions;
use crate::dialects::asl::functions::ChoiceComparison;
use crate::dialects::asl::jsonata;
use crate::dialects::asl::placeholders::only_placeholder;
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::syntax::wrong_type;
use crate::syntax::{Entry, Node, Text, Tree};

const BOOLEAN: &[&str] = &["And", "Or", "Not"];
/// Fields that only a rule at the top level may have.
const TOP_LEVEL: &[&str] = &["Next", "Output", "Assign"];

const COMPARISONS: [(&str, ChoiceComparison); 5] = [
    ("Equals", ChoiceComparison::Equals),
    ("LessThan", ChoiceComparison::LessThan),
    ("GreaterThan", ChoiceComparison::GreaterThan),
    ("LessThanEquals", ChoiceComparison::LessThanEquals),
    ("GreaterThanEquals", ChoiceComparison::GreaterThanEquals),
];
const FAMILIES: [(&str, Family); 4] = [
    ("String", Family::String),
    ("Numeric", Family::Numeric),
    ("Boolean", Family::Boolean),
    ("Timestamp", Family::Timestamp),
];
const TESTS: [(&str, IsTest); 6] = [
    ("IsPresent", IsTest::Present),
    ("IsNull", IsTest::Null),
    ("IsBoolean", IsTest::Boolean),
    ("IsNumeric", IsTest::Numeric),
    ("IsString", IsTest::String),
    ("IsTimestamp", IsTest::Timestamp),
];

/// Operators of data-test expressions, with their `…Path` twins (ASL §Data-test expression).
const OPERATORS: &[&str] = &[
    "StringEquals",
    "StringEqualsPath",
    "StringLessThan",
    "StringLessThanPath",
    "StringGreaterThan",
    "StringGreaterThanPath",
    "StringLessThanEquals",
    "StringLessThanEqualsPath",
    "StringGreaterThanEquals",
    "StringGreaterThanEqualsPath",
    "StringMatches",
    "NumericEquals",
    "NumericEqualsPath",
    "NumericLessThan",
    "NumericLessThanPath",
    "NumericGreaterThan",
    "NumericGreaterThanPath",
    "NumericLessThanEquals",
    "NumericLessThanEqualsPath",
    "NumericGreaterThanEquals",
    "NumericGreaterThanEqualsPath",
    "BooleanEquals",
    "BooleanEqualsPath",
    "TimestampEquals",
    "TimestampEqualsPath",
    "TimestampLessThan",
    "TimestampLessThanPath",
    "TimestampGreaterThan",
    "TimestampGreaterThanPath",
    "TimestampLessThanEquals",
    "TimestampLessThanEqualsPath",
    "TimestampGreaterThanEquals",
    "TimestampGreaterThanEqualsPath",
    "IsNull",
    "IsPresent",
    "IsNumeric",
    "IsString",
    "IsBoolean",
    "IsTimestamp",
];

pub fn choice(fields: Object, cx: &mut AslParseCx) -> Option<Choice> {
    let errors = cx.diagnostics.errors();
    fields.allow(&[STATE, FILTERS, &["Choices", "Default", "Output", "Assign"]], cx);
    let flow = data_flow(&fields, cx);
    let default = fields.state_name("Default", cx);
    fields.required("Choices", cx)?;
    let items = fields.list("Choices", cx.diagnostics)?;
    let rules = items.iter().enumerate();
    let rules: Vec<_> =
        rules.filter_map(|(at, node)| cx.in_field(&format!("Choices[{at}]"), |cx| rule(node, cx))).collect();
    if fields.entry("Default").is_none() && cx.diagnostics.errors() == errors {
        cx.push(
            Diagnostic::new(&codes::WF0459, fields.span.opening(), "a Choice state without `Default`")
                .help("add `Default`: without a rule that holds, an execution fails, and nothing catches the error"),
        );
    }
    (rules.len() == items.len()).then_some(Choice { flow, rules, default })
}

fn rule(node: &Node, cx: &mut AslParseCx) -> Option<Rule> {
    let fields = Object::exact(node, "a Choice rule", cx.diagnostics)?;
    let assign = assign::assign(&fields, StatesMembers::InputOnly, cx);
    let output = fields.get("Output").filter(|_| cx.is_jsonata());
    let output = output.and_then(|node| computed(node, "Output", StatesMembers::InputOnly, cx));
    let condition = match cx.is_jsonata() {
        true => computed_condition(&fields, cx),
        false => condition(&fields, TOP_LEVEL, cx),
    };
    fields.report_misspelling("Next", cx);
    let next = fields.required("Next", cx).and_then(|_| fields.state_name("Next", cx));
    Some(Rule { condition: condition?, output, assign, next: next?, span: node.span })
}

/// Parses the field `Condition`: a boolean, or an expression.
fn computed_condition(fields: &Object, cx: &mut AslParseCx) -> Option<Condition> {
    fields.comment(cx);
    fields.allow(&[TOP_LEVEL, &["Condition", "Variable"], BOOLEAN, OPERATORS], cx);
    if fields.get("Condition").is_none() && fields.entries.iter().any(|entry| is_operator(&entry.key.value)) {
        // The rule is in JSONPath, which has been reported.
        return None;
    }
    let node = fields.required("Condition", cx)?;
    let Some(text) = node.as_text() else { return boolean(node, "Condition", cx).map(Condition::Constant) };
    match jsonata::expression(text, "Condition", Yields::Boolean, cx)? {
        Some(expression) => Some(Condition::Expression(Box::new(expression))),
        None => {
            let message = "`Condition` must be a boolean or a JSONata expression, found a constant string";
            let help = "write the expression between `{%` and `%}`";
            cx.push(Diagnostic::new(&common::WF0403, text.span, message).help(help));
            None
        }
    }
}

/// Returns `true` if a field is an operator of rules in JSONPath.
pub fn is_operator(name: &str) -> bool {
    BOOLEAN.contains(&name) || OPERATORS.contains(&name)
}

/// Parses the condition of a rule. `further` lists the other fields that the rule may have.
fn condition(fields: &Object, further: &[&'static str], cx: &mut AslParseCx) -> Option<Condition> {
    fields.comment(cx);
    let operators: Vec<&Entry> = fields.entries.iter().filter(|entry| is_operator(&entry.key.value)).collect();
    let [first, others @ ..] = &operators[..] else {
        no_operator(fields, further, cx);
        return None;
    };
    let is_boolean = BOOLEAN.contains(&first.key.value.as_str());
    let allowed_operators: &[&'static str] = if is_boolean { BOOLEAN } else { OPERATORS };
    let names: &[&'static str] = if is_boolean { &[] } else { &["Variable"] };
    fields.allow(&[further, names, allowed_operators, if others.is_empty() { &[] } else { BOOLEAN }, OPERATORS], cx);
    for other in others {
        let message =
            format!("a Choice rule can have only one operator, found `{}` and `{}`", first.key.value, other.key.value);
        cx.push(
            Diagnostic::new(&codes::WF0413, other.key.span, message)
                .related(first.key.span, "the first operator")
                .help("split the rule in two, and join them with `And` or `Or`"),
        );
    }
    match first.key.value.as_str() {
        "And" => conditions(fields, "And", cx).map(Condition::And),
        "Or" => conditions(fields, "Or", cx).map(Condition::Or),
        "Not" => inner_condition(&first.value, cx).map(|condition| Condition::Not(Box::new(condition))),
        _ => {
            // A path that selects nothing is no fault here.
            let is_presence = first.key.value == "IsPresent";
            let parse = if is_presence { expressions::path_or_nothing } else { expressions::path };
            let variable = fields.required("Variable", cx).and_then(|node| parse(node, "Variable", cx));
            let test = test(first, cx);
            Some(Condition::Test(variable?, test?))
        }
    }
}

fn no_operator(fields: &Object, further: &[&'static str], cx: &mut AslParseCx) {
    let other_fields = [further, &["Variable", "Comment"]].concat();
    let is_known = |written: &str| other_fields.contains(&written);
    // `Nxt` counts as a misspelling of `Not`, but not beside a `NumericEqual`.
    let misspelled = fields.misspelling(OPERATORS, is_known).or_else(|| fields.misspelling(BOOLEAN, is_known));
    let stray =
        misspelled.map(|(entry, _)| entry).or_else(|| fields.entries.iter().find(|entry| !is_known(&entry.key.value)));
    if let Some(entry) = stray.filter(|entry| misspelled.is_none() && names::owners_of(&entry.key.value).is_some()) {
        if !fields.is_of_other_language(&entry.key, cx) {
            fields.misplaced(&entry.key, cx);
        }
        return;
    }
    let at = stray.map_or_else(|| fields.span.opening(), |entry| entry.key.span);
    let message = match stray {
        Some(entry) => format!("unknown operator `{}` in a Choice rule", entry.key.value),
        None => "missing operator in a Choice rule".to_owned(),
    };
    let help = match misspelled {
        Some((_, near)) => format!("did you mean `{near}`?"),
        None => {
            "test a `Variable` with an operator such as `StringEquals`, or join rules with `And`, `Or` and `Not`".into()
        }
    };
    cx.push(Diagnostic::new(&codes::WF0413, at, message).help(help));
}

fn conditions(fields: &Object, name: &str, cx: &mut AslParseCx) -> Option<Vec<Condition>> {
    let items = fields.list(name, cx.diagnostics)?;
    let conditions: Vec<_> = items.iter().filter_map(|node| inner_condition(node, cx)).collect();
    (conditions.len() == items.len()).then_some(conditions)
}

/// Parses a rule inside a boolean expression.
fn inner_condition(node: &Node, cx: &mut AslParseCx) -> Option<Condition> {
    let fields = Object::exact(node, "a nested Choice rule", cx.diagnostics)?;
    condition(&fields, &[], cx)
}

fn test(entry: &Entry, cx: &mut AslParseCx) -> Option<Test> {
    let (name, node) = (entry.key.value.as_str(), &entry.value);
    if name == "StringMatches" {
        return pattern(text(node, name, cx.diagnostics)?, cx).map(Test::Matches);
    }
    if let Some((_, test)) = TESTS.iter().find(|(operator, _)| *operator == name) {
        return boolean(node, name, cx).map(|holds| Test::Is(*test, holds));
    }
    let (family, comparison) = operator(name.strip_suffix("Path").unwrap_or(name))?;
    let operand = match name.ends_with("Path") {
        true => Operand::Path(expressions::path(node, name, cx)?),
        false => Operand::Literal(literal(node, name, family, cx)?),
    };
    Some(Test::Compare(family, comparison, operand))
}

fn operator(name: &str) -> Option<(Family, ChoiceComparison)> {
    FAMILIES.iter().find_map(|(prefix, family)| {
        let rest = name.strip_prefix(prefix)?;
        COMPARISONS.iter().find(|(suffix, _)| *suffix == rest).map(|(_, comparison)| (*family, *comparison))
    })
}

/// Returns a constant of the type that a family of operators compares.
fn literal(node: &Node, name: &str, family: Family, cx: &mut AslParseCx) -> Option<Node> {
    let is_setting = node.as_text().is_some_and(|text| only_placeholder(&text.value).is_some());
    match (family, &node.tree) {
        (Family::String, Tree::String(_)) => Some(node.clone()),
        (Family::Timestamp, Tree::String(text)) => simple::timestamp_text(text, name, cx).map(|_| node.clone()),
        (_, Tree::String(_)) if is_setting => Some(node.clone()),
        (Family::Numeric, Tree::Int(_) | Tree::Float(_)) => Some(node.clone()),
        (Family::Numeric, Tree::String(text)) if cx.bound.was_placeholder(text) => match text.value.parse::<i64>() {
            Ok(value) => Some(Node { tree: Tree::Int(value), ..node.clone() }),
            Err(_) => {
                let kind = NumberRange::Real(f64::MIN, f64::MAX);
                number(node, name, kind, cx).map(|number| Node { span: node.span, tree: Tree::Float(number.value) })
            }
        },
        (Family::Boolean, Tree::Bool(_) | Tree::String(_)) => {
            boolean(node, name, cx).map(|value| Node { span: node.span, tree: Tree::Bool(value) })
        }
        (Family::String | Family::Timestamp, _) => wrong_operand(node, name, "a string", cx),
        (Family::Numeric, _) => wrong_operand(node, name, "a number", cx),
        (Family::Boolean, _) => wrong_operand(node, name, "`true` or `false`", cx),
    }
}

fn wrong_operand(node: &Node, name: &str, wanted: &str, cx: &mut AslParseCx) -> Option<Node> {
    wrong_type(node, name, wanted, cx.diagnostics);
    None
}

/// Returns the pattern of `StringMatches` if it is valid. A backslash makes a `*` or a backslash
/// an ordinary character.
fn pattern(text: &Text, cx: &mut AslParseCx) -> Option<Text> {
    let mut characters = text.value.char_indices();
    while let Some((at, c)) = characters.next() {
        if c == '\\' && !matches!(characters.next(), Some((_, '*' | '\\'))) {
            cx.push(
                Diagnostic::new(&codes::WF0418, text.span_of(at, at + 1), "a backslash can only escape `*` or `\\`")
                    .help("double the backslash to match a backslash"),
            );
            return None;
        }
    }
    Some(text.clone())
}
