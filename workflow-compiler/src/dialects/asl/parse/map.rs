//! Parser of Parallel and Map states.

use super::fields::word;
use super::names::{FILTERS, HANDLERS, NEXT, STATE};
use super::{AslParseCx, computed, data_flow, distributed, handlers, parameters, scope, transition};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Map, Parallel, PayloadTemplate, Scope};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::context::{ExpressionPlace, Iteration};
use crate::dialects::asl::expressions;
use crate::dialects::asl::jsonata::{self, TemplatePart};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Tree, wrong_type};

/// Maximal length of `Label`, in characters.
const LONGEST_LABEL: usize = 40;
/// Characters that `Label` may not contain, beside control characters. AWS makes the label a part
/// of names.
const NOT_IN_LABELS: &str = "?*<>{}[]:;,\\|^~$#%&`\"";

const MAP: &[&str] = &[
    "ItemProcessor",
    "Iterator",
    "ItemsPath",
    "Items",
    "Arguments",
    "ItemSelector",
    "Parameters",
    "MaxConcurrency",
    "MaxConcurrencyPath",
    "ToleratedFailureCount",
    "ToleratedFailureCountPath",
    "ToleratedFailurePercentage",
    "ToleratedFailurePercentagePath",
    "Label",
    "ResultSelector",
    "ResultPath",
    "Output",
    "Assign",
];

pub fn parallel(fields: Object, cx: &mut AslParseCx) -> Option<Box<Parallel>> {
    fields.allow(
        &[
            STATE,
            FILTERS,
            NEXT,
            HANDLERS,
            &["Branches", "Parameters", "Arguments", "ResultSelector", "ResultPath", "Output", "Assign"],
        ],
        cx,
    );
    let mut flow = data_flow(&fields, cx);
    flow.parameters = parameters(&fields, cx);
    let handlers = handlers::handlers(&fields, cx);
    let next = transition(&fields, cx);
    fields.required("Branches", cx)?;
    let items = fields.list("Branches", cx.diagnostics)?;
    let branches: Vec<_> = items.iter().filter_map(|node| branch(node, cx)).collect();
    let complete = branches.len() == items.len();
    complete.then_some(Box::new(Parallel { flow, handlers, branches, next: next? }))
}

fn branch(node: &Node, cx: &mut AslParseCx) -> Option<Scope> {
    let fields = Object::exact(node, "a branch", cx.diagnostics)?;
    fields.allow(&[&["StartAt", "States"]], cx);
    fields.comment(cx);
    scope(&fields, cx)
}

pub fn map(fields: Object, cx: &mut AslParseCx) -> Option<Box<Map>> {
    fields.allow(&[STATE, FILTERS, NEXT, HANDLERS, MAP, distributed::FIELDS], cx);
    let label = fields.get("Label").and_then(|label| check_label(label, cx));
    if let Some(entry) = fields.entry("Arguments").filter(|_| cx.is_jsonata()) {
        let help = "use `Items` for the array, and `ItemSelector` for the input of each iteration";
        let message = "`Arguments` has no effect in a Map state";
        cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help(help));
        computed(&entry.value, "Arguments", StatesMembers::InputOnly, cx);
    }
    let is_distributed = is_distributed(&fields, cx);
    let flow = data_flow(&fields, cx);
    let handlers = handlers::handlers(&fields, cx);
    let next = transition(&fields, cx);
    let items_path = fields.get("ItemsPath").filter(|_| !cx.is_jsonata());
    let items_path = items_path.and_then(|node| expressions::reference_path(node, "ItemsPath", cx));
    let items = if cx.is_jsonata() { items(&fields, is_distributed, cx) } else { None };
    let selector = fields.one_of(&["ItemSelector", "Parameters"], false, cx);
    let iteration = if is_distributed { Iteration::Selector } else { Iteration::Inline };
    let iteration = ExpressionPlace { iteration, ..cx.place };
    let selector = selector.and_then(|entry| {
        cx.at(iteration, |cx| match entry.key.value.as_str() {
            "ItemSelector" if cx.is_jsonata() => computed(&entry.value, "ItemSelector", StatesMembers::InputOnly, cx),
            _ if cx.is_jsonata() => None,
            "Parameters" => parameters(&fields, cx),
            name => expressions::template(&entry.value, name, cx),
        })
    });
    let limit = NumberRange::Whole(0..=u32::MAX);
    let max_concurrency = fields.amount("MaxConcurrency", "MaxConcurrencyPath", limit.clone(), cx);
    let tolerated_count = fields.amount("ToleratedFailureCount", "ToleratedFailureCountPath", limit, cx);
    let percentage = NumberRange::Real(0.0, 100.0);
    let tolerated_percentage =
        fields.amount("ToleratedFailurePercentage", "ToleratedFailurePercentagePath", percentage, cx);
    let distributed = is_distributed.then(|| distributed::distributed(&fields, label, cx));
    let entry = fields.one_of(&["ItemProcessor", "Iterator"], true, cx)?;
    // An execution of its own is no iteration.
    let inside = match is_distributed {
        true => ExpressionPlace { iteration: Iteration::None, ..cx.place },
        false => iteration,
    };
    let processor = cx.at(inside, |cx| processor(entry, cx));
    Some(Box::new(Map {
        flow,
        handlers,
        items_path,
        items,
        selector,
        processor: processor?,
        distributed: match distributed {
            None => None,
            Some(distributed) => Some(distributed?),
        },
        max_concurrency,
        tolerated_count,
        tolerated_percentage,
        next: next?,
    }))
}

/// Returns `true` for a distributed Map. One that has fields of a distributed Map without the mode
/// is one, too ([A28](docs/amazon-states-language.md#a28)).
fn is_distributed(fields: &Object, cx: &mut AslParseCx) -> bool {
    let processor = ["ItemProcessor", "Iterator"].iter().find_map(|name| fields.get(name)).and_then(Node::as_object);
    let member = |entries: &'_ [Entry], name: &str| {
        entries.iter().find(|entry| entry.key.value == name).map(|entry| entry.value.clone())
    };
    let config = processor.and_then(|entries| member(entries, "ProcessorConfig"));
    let mode = config.as_ref().and_then(Node::as_object).and_then(|entries| member(entries, "Mode"));
    if mode.as_ref().and_then(Node::as_text).is_some_and(|mode| mode.value == "DISTRIBUTED") {
        return true;
    }
    let Some(entry) = distributed::FIELDS.iter().find_map(|name| fields.entry(name)) else { return false };
    let message = format!("the Map state has `{}`, and runs as if its mode were `DISTRIBUTED`", entry.key.value);
    let help = "add `\"ProcessorConfig\": {\"Mode\": \"DISTRIBUTED\", \"ExecutionType\": \"STANDARD\"}` to the \
                `ItemProcessor`";
    cx.push(Diagnostic::new(&own::WF0462, entry.key.span, message).help(help));
    true
}

/// Parses `Items`: an array with expressions in it, or an expression that yields an array. In a
/// distributed Map, an object is allowed, too.
fn items(fields: &Object, is_distributed: bool, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    let node = fields.get("Items")?;
    let is_allowed = match &node.tree {
        Tree::Array(_) | Tree::String(_) => true,
        Tree::Object(_) => is_distributed,
        _ => false,
    };
    if !is_allowed {
        wrong_type(node, "Items", "an array or a JSONata expression", cx.diagnostics);
        return None;
    }
    let yields = if is_distributed { Yields::Items } else { Yields::Array };
    let template = jsonata::template(node, "Items", StatesMembers::InputOnly, yields, cx)?;
    if matches!(node.tree, Tree::String(_)) && matches!(template.part, TemplatePart::Constant(_)) {
        let message = "`Items` must be an array or a JSONata expression, found a constant string";
        let help = "write the expression between `{%` and `%}`";
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    }
    Some(PayloadTemplate::Jsonata(template))
}

fn processor(entry: &Entry, cx: &mut AslParseCx) -> Option<Scope> {
    let fields = Object::exact(&entry.value, "an item processor", cx.diagnostics)?;
    fields.allow(&[&["StartAt", "States", "ProcessorConfig"]], cx);
    fields.comment(cx);
    if let Some(config) = fields.get("ProcessorConfig") {
        processor_config(config, cx);
    }
    scope(&fields, cx)
}

fn processor_config(node: &Node, cx: &mut AslParseCx) {
    let Some(fields) = Object::exact(node, "a `ProcessorConfig`", cx.diagnostics) else { return };
    fields.allow(&[&["Mode", "ExecutionType"]], cx);
    let kind = fields.entry("ExecutionType");
    if let Some(kind) = kind {
        word(&kind.value, "ExecutionType", &["STANDARD", "EXPRESS"], cx);
    }
    let mode = fields.get("Mode").and_then(|mode| word(mode, "Mode", &["INLINE", "DISTRIBUTED"], cx));
    if mode != Some("DISTRIBUTED") {
        return;
    }
    if kind.is_none() {
        let message = "The field 'ExecutionType' is required but was missing";
        let help = "add `\"ExecutionType\": \"STANDARD\"`";
        cx.push(Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(help));
    }
    if let Some(mode) = fields.get("Mode").filter(|_| cx.options.express) {
        let message = "Express workflows do not support distributed Map states";
        let help = "use `\"Mode\": \"INLINE\"`, or compile the workflow as a Standard workflow";
        cx.push(Diagnostic::new(&codes::WF0419, mode.span, message).help(help));
    }
}

/// Parses `Label`.
fn check_label(node: &Node, cx: &mut AslParseCx) -> Option<Spanned<String>> {
    let label = text(node, "Label", cx.diagnostics)?;
    let length = label.value.chars().count();
    let misplaced = label.value.char_indices().find(|(_, c)| c.is_control() || NOT_IN_LABELS.contains(*c));
    let (span, message) = match misplaced {
        _ if length > LONGEST_LABEL => {
            (label.span, format!("`Label` has {length} characters, but the maximum is {LONGEST_LABEL}"))
        }
        Some((at, c)) => {
            (label.span_of(at, at + c.len_utf8()), format!("`Label` cannot contain `{}`", c.escape_debug()))
        }
        None => return Some(Spanned::new(label.value.clone(), label.span)),
    };
    cx.push(Diagnostic::new(&codes::WF0410, span, message).help("use letters, digits, `-` and `_`"));
    None
}
