//! Parser of Parallel and Map states.

use super::fields::word;
use super::names::{FILTERS, HANDLERS, NEXT, STATE};
use super::{AslParseCx, computed, data_flow, handlers, parameters, scope, transition};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Distributed, Map, Parallel, PayloadTemplate, Scope};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::context::ExpressionPlace;
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
/// Fields of distributed Map states.
const DISTRIBUTED: &[&str] = &["ItemReader", "ItemBatcher", "ResultWriter"];

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
    fields.allow(&[STATE, FILTERS, NEXT, HANDLERS, MAP, DISTRIBUTED], cx);
    for name in DISTRIBUTED {
        if let Some(entry) = fields.entry(name) {
            unsupported(entry, &format!("`{name}`"), cx);
        }
    }
    let label = fields.get("Label").and_then(|label| check_label(label, cx));
    if let Some(entry) = fields.entry("Arguments").filter(|_| cx.is_jsonata()) {
        let help = "use `Items` for the array, and `ItemSelector` for the input of each iteration";
        let message = "`Arguments` has no effect in a Map state";
        cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help(help));
        computed(&entry.value, "Arguments", StatesMembers::InputOnly, cx);
    }
    let flow = data_flow(&fields, cx);
    let handlers = handlers::handlers(&fields, cx);
    let next = transition(&fields, cx);
    let items_path = fields.get("ItemsPath").filter(|_| !cx.is_jsonata());
    let items_path = items_path.and_then(|node| expressions::reference_path(node, "ItemsPath", cx));
    let items = if cx.is_jsonata() { items(&fields, cx) } else { None };
    let selector = fields.one_of(&["ItemSelector", "Parameters"], false, cx);
    let iteration = ExpressionPlace { in_iteration: true, ..cx.place };
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
    let entry = fields.one_of(&["ItemProcessor", "Iterator"], true, cx)?;
    let processor = cx.at(iteration, |cx| processor(entry, cx));
    let (processor, is_distributed) = processor?;
    let distributed = is_distributed.then_some(Distributed { label });
    Some(Box::new(Map {
        flow,
        handlers,
        items_path,
        items,
        selector,
        processor,
        distributed,
        max_concurrency,
        tolerated_count,
        tolerated_percentage,
        next: next?,
    }))
}

/// Parses `Items`: an array with expressions in it, or an expression that yields an array.
fn items(fields: &Object, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    let node = fields.get("Items")?;
    if !matches!(node.tree, Tree::Array(_) | Tree::String(_)) {
        wrong_type(node, "Items", "an array or a JSONata expression", cx.diagnostics);
        return None;
    }
    let template = jsonata::template(node, "Items", StatesMembers::InputOnly, Yields::Array, cx)?;
    if matches!(node.tree, Tree::String(_)) && matches!(template.part, TemplatePart::Constant(_)) {
        let message = "`Items` must be an array or a JSONata expression, found a constant string";
        let help = "write the expression between `{%` and `%}`";
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    }
    Some(PayloadTemplate::Jsonata(template))
}

/// Parses the item processor. Returns `true` with it if the Map is distributed.
fn processor(entry: &Entry, cx: &mut AslParseCx) -> Option<(Scope, bool)> {
    let fields = Object::exact(&entry.value, "an item processor", cx.diagnostics)?;
    fields.allow(&[&["StartAt", "States", "ProcessorConfig"]], cx);
    fields.comment(cx);
    let is_distributed = fields.get("ProcessorConfig").is_some_and(|config| processor_config(config, cx));
    Some((scope(&fields, cx)?, is_distributed))
}

/// Parses `ProcessorConfig`. Returns `true` if the Map is distributed.
fn processor_config(node: &Node, cx: &mut AslParseCx) -> bool {
    let Some(fields) = Object::exact(node, "a `ProcessorConfig`", cx.diagnostics) else { return false };
    fields.allow(&[&["Mode", "ExecutionType"]], cx);
    if let Some(kind) = fields.get("ExecutionType") {
        word(kind, "ExecutionType", &["STANDARD", "EXPRESS"], cx);
    }
    let mode = fields.get("Mode").and_then(|mode| word(mode, "Mode", &["INLINE", "DISTRIBUTED"], cx));
    mode == Some("DISTRIBUTED")
}

fn unsupported(entry: &Entry, what: &str, cx: &mut AslParseCx) {
    cx.push(
        Diagnostic::new(
            &own::WF0502,
            entry.key.span.to(entry.value.span),
            format!("{what} of a Map state is not supported yet"),
        )
        .help("process the items inside the execution: `\"Mode\": \"INLINE\"`, with the array in the state's input"),
    );
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
