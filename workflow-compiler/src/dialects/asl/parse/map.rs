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
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Tree, wrong_type};

/// Maximal length of `Label`, in characters.
pub const LONGEST_LABEL: usize = 40;
/// Characters that `Label` may not contain, beside white space and control characters. AWS makes
/// the label a part of names.
const NOT_IN_LABELS: &str = "?*<>{}[]:;,\\/|^~$#%&`\"";

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
    let is_distributed = distribution(&fields, cx).is_some();
    unused(&fields, is_distributed, cx);
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

/// Returns what makes a Map distributed: its mode, or the key of a field of a distributed Map
/// ([A28](docs/amazon-states-language.md#a28)).
fn distribution(fields: &Object, cx: &mut AslParseCx) -> Option<Span> {
    let processor = ["ItemProcessor", "Iterator"].iter().find_map(|name| fields.entry(name));
    let config = processor.and_then(|processor| processor.value.get("ProcessorConfig"));
    let mode = config.and_then(|config| config.get("Mode"));
    let mode = mode.filter(|mode| mode.as_text().is_some_and(|mode| mode.value == "DISTRIBUTED"));
    let entry = distributed::FIELDS.iter().find_map(|name| fields.entry(name));
    let (span, help) = match (mode, entry) {
        (Some(mode), _) => {
            (mode.span, "use `\"Mode\": \"INLINE\"`, or compile the workflow as a Standard workflow".to_owned())
        }
        (None, Some(entry)) => {
            let name = &entry.key.value;
            (entry.key.span, format!("remove `{name}`, or compile the workflow as a Standard workflow"))
        }
        (None, None) => return None,
    };
    if cx.options.express {
        let message = "Express workflows do not support distributed Map states";
        cx.push(Diagnostic::new(&codes::WF0419, span, message).help(help));
    } else if let (None, Some(entry)) = (mode, entry) {
        let message = format!("the Map state has `{}`, and runs as if its mode were `DISTRIBUTED`", entry.key.value);
        let help = match (config, processor) {
            (Some(config), _) if matches!(config.tree, Tree::Object(_)) && config.get("ExecutionType").is_none() => {
                "set `Mode` to `DISTRIBUTED`, and add `ExecutionType`".to_owned()
            }
            (Some(_), _) => "set `Mode` to `DISTRIBUTED`".to_owned(),
            (None, processor) => format!(
                "add `\"ProcessorConfig\": {{\"Mode\": \"DISTRIBUTED\", \"ExecutionType\": \"STANDARD\"}}` to the `{}`",
                processor.map_or("ItemProcessor", |processor| &processor.key.value)
            ),
        };
        cx.push(Diagnostic::new(&own::WF0462, span, message).help(help));
    }
    Some(span)
}

/// Reports fields that have no effect because of the kind of Map.
fn unused(fields: &Object, is_distributed: bool, cx: &mut AslParseCx) {
    let mut report = |entry: &Entry, message: String, help: &str| {
        cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help(help));
    };
    let items = ["ItemsPath", "Items"].iter().find_map(|name| fields.entry(name));
    if let (Some(entry), Some(_)) = (items, fields.get("ItemReader")) {
        let message = format!("`{}` has no effect beside `ItemReader`", entry.key.value);
        report(entry, message, "remove one of the two");
    }
    let processor = ["ItemProcessor", "Iterator"].iter().find_map(|name| fields.get(name));
    let config = processor.and_then(|processor| processor.get("ProcessorConfig"));
    let mode = config.and_then(|config| config.get("Mode"));
    // A wrong mode has its own error, and may have been meant as `DISTRIBUTED`.
    let is_inline =
        !is_distributed && mode.is_none_or(|mode| mode.as_text().is_some_and(|mode| mode.value == "INLINE"));
    if let Some(entry) = fields.entry("Label").filter(|_| is_inline) {
        let message = "`Label` has no effect in an inline Map".to_owned();
        report(entry, message, "remove it, or set `Mode` to `DISTRIBUTED`");
    }
    let kind = config.and_then(|config| config.entry("ExecutionType"));
    if let Some(entry) = kind.filter(|_| is_inline) {
        let message = "`ExecutionType` has no effect in an inline Map".to_owned();
        report(entry, message, "remove it, or set `Mode` to `DISTRIBUTED`");
    }
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
        jsonata::constant_string(node, "Items", "an array or a JSONata expression", cx);
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
}

/// Returns `true` for a character that `Label` may not contain.
fn is_misplaced(c: char) -> bool {
    c.is_control() || c.is_whitespace() || NOT_IN_LABELS.contains(c)
}

/// Parses `Label`.
fn check_label(node: &Node, cx: &mut AslParseCx) -> Option<Spanned<String>> {
    let label = text(node, "Label", cx.diagnostics)?;
    let length = label.value.chars().count();
    let misplaced = label.value.char_indices().find(|(_, c)| is_misplaced(*c));
    let (span, message) = match misplaced {
        _ if length == 0 => (label.span, "`Label` is empty".to_owned()),
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
