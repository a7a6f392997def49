//! Parser of the fields of distributed Map states.

use super::fields::{list, static_text, word};
use super::{AslParseCx, computed};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Distributed, ItemBatcher, ItemReader, PayloadTemplate, ReaderConfig, ResultWriter};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::{expressions, jsonata};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::model::ReaderKind;
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Tree};
use std::collections::BTreeSet;

/// Fields that need child executions or a store. A Map state that has one is distributed.
pub const FIELDS: &[&str] = &["ItemReader", "ItemBatcher", "ResultWriter"];

/// Resources of readers.
const READERS: &[&str] = &["arn:aws:states:::s3:getObject", "arn:aws:states:::s3:listObjectsV2"];
/// Resource of the writer.
const WRITER: &[&str] = &["arn:aws:states:::s3:putObject"];
/// Values of `InputType`.
const INPUT_TYPES: &[&str] = &["CSV", "JSON", "JSONL", "PARQUET", "MANIFEST"];
/// Fields of `ReaderConfig` for an input type, each with its values. Without values, the field is
/// an array of strings or a JSON pointer.
const CONFIG: &[&str] = &[
    "InputType",
    "MaxItems",
    "MaxItemsPath",
    "CSVHeaderLocation",
    "CSVHeaders",
    "CSVDelimiter",
    "ItemsPointer",
    "ManifestType",
    "Transformation",
];
/// Maximal size of a batch, in bytes: AWS's limit of the input of an execution.
const LARGEST_BATCH: u32 = 262_144;

/// Parses the fields of a distributed Map state.
pub fn distributed(fields: &Object, label: Option<Spanned<String>>, cx: &mut AslParseCx) -> Option<Distributed> {
    let reader = fields.get("ItemReader").map(|node| cx.in_field("ItemReader", |cx| reader(node, cx)));
    let batcher = fields.get("ItemBatcher").map(|node| cx.in_field("ItemBatcher", |cx| batcher(node, cx)));
    let writer = fields.get("ResultWriter").map(|node| cx.in_field("ResultWriter", |cx| writer(node, cx)));
    Some(Distributed { label, reader: all(reader)?, batcher: all(batcher)?, writer: all(writer)? })
}

/// Returns `None` for a field that is present and wrong, and `None` in `Some` for an absent field.
fn all<T>(field: Option<Option<T>>) -> Option<Option<T>> {
    match field {
        None => Some(None),
        Some(value) => value.map(Some),
    }
}

/// Parses `ItemReader`.
fn reader(node: &Node, cx: &mut AslParseCx) -> Option<ItemReader> {
    let fields = Object::exact(node, "an `ItemReader`", cx.diagnostics)?;
    fields.allow(&[&["Resource", "Parameters", "Arguments", "ReaderConfig"]], cx);
    let resource = fields.required("Resource", cx).and_then(|node| word(node, "Resource", READERS, cx));
    let kind = resource.map(|resource| match resource.ends_with("getObject") {
        true => ReaderKind::GetObject,
        false => ReaderKind::ListObjects,
    });
    let needed: &[&str] = match kind {
        Some(ReaderKind::GetObject) => &["Bucket", "Key"],
        Some(ReaderKind::ListObjects) | None => &["Bucket"],
    };
    let arguments = arguments(&fields, needed, cx);
    let config = fields.get("ReaderConfig").map(|node| cx.in_field("ReaderConfig", |cx| config(node, kind, cx)));
    if let (None, Some(ReaderKind::GetObject)) = (&config, kind) {
        required(fields.span, "InputType", cx);
        return None;
    }
    Some(ItemReader { kind: kind?, arguments: arguments?, config: all(config)? })
}

/// Parses `Parameters` or `Arguments` of a reader or writer: an object with the members `needed`.
fn arguments(fields: &Object, needed: &[&str], cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    let name = if cx.is_jsonata() { "Arguments" } else { "Parameters" };
    let node = fields.required(name, cx)?;
    if let Tree::Object(entries) = &node.tree {
        let is_there = |name: &str| entries.iter().any(|entry| entry.key.value.trim_end_matches(".$") == name);
        let missing: Vec<&&str> = needed.iter().filter(|name| !is_there(name)).collect();
        missing.iter().for_each(|name| required(node.span, name, cx));
        if !missing.is_empty() {
            return None;
        }
    }
    match cx.is_jsonata() {
        false => expressions::template(node, name, cx),
        true if !matches!(node.tree, Tree::Object(_) | Tree::String(_)) => {
            crate::syntax::wrong_type(node, name, "an object or a JSONata expression", cx.diagnostics);
            None
        }
        true => {
            let template = jsonata::template(node, name, StatesMembers::InputOnly, Yields::Object, cx)?;
            Some(PayloadTemplate::Jsonata(template))
        }
    }
}

/// Reports a missing field in the words of AWS.
fn required(span: Span, name: &str, cx: &mut AslParseCx) {
    let message = format!("The field '{name}' is required but was missing");
    cx.push(Diagnostic::new(&codes::WF0401, span.opening(), message).help(format!("add `{name}`")));
}

/// Parses `ReaderConfig`.
fn config(node: &Node, kind: Option<ReaderKind>, cx: &mut AslParseCx) -> Option<ReaderConfig> {
    let before = cx.diagnostics.errors();
    let fields = Object::exact(node, "a `ReaderConfig`", cx.diagnostics)?;
    fields.allow(&[CONFIG], cx);
    let mut word_of = |name: &str, words: &[&'static str]| {
        fields.get(name).and_then(|node| word(node, name, words, cx).map(str::to_owned))
    };
    let input = word_of("InputType", INPUT_TYPES);
    let location = word_of("CSVHeaderLocation", &["FIRST_ROW", "GIVEN"]);
    word_of("CSVDelimiter", &["COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"]);
    word_of("ManifestType", &["ATHENA_DATA", "S3_INVENTORY"]);
    let transformation = word_of("Transformation", &["NONE", "LOAD_AND_FLATTEN"]);
    if let Some(node) = fields.get("CSVHeaders") {
        headers(node, cx);
    }
    if let Some(node) = fields.get("ItemsPointer") {
        pointer(node, cx);
    }
    let whole = NumberRange::Whole(0..=u32::MAX);
    let max_items = fields.amount("MaxItems", "MaxItemsPath", whole, cx);
    let flattens = transformation.as_deref() == Some("LOAD_AND_FLATTEN");
    let reads_objects = kind == Some(ReaderKind::GetObject) || flattens;
    if fields.get("InputType").is_none() && reads_objects {
        required(fields.span, "InputType", cx);
    } else if fields.get("InputType").is_none() || input.is_some() {
        let input = input.as_deref().unwrap_or_default();
        let is_csv = input == "CSV" || (input == "MANIFEST" && fields.get("ManifestType").is_none());
        let mut refuse = |name: &str, allowed: bool, help: &str| {
            if let Some(entry) = fields.entry(name).filter(|_| !allowed) {
                let message = format!("Field '{name}' is not supported");
                cx.push(Diagnostic::new(&own::WF0406, entry.key.span, message).label("not allowed here").help(help));
            }
        };
        let csv = "only the `InputType` `CSV` has it";
        refuse("CSVHeaderLocation", is_csv, csv);
        refuse(
            "CSVHeaders",
            is_csv && location.as_deref() == Some("GIVEN"),
            match is_csv {
                true => "only the `CSVHeaderLocation` `GIVEN` has it",
                false => csv,
            },
        );
        refuse("CSVDelimiter", is_csv, csv);
        refuse("ItemsPointer", input == "JSON", "only the `InputType` `JSON` has it");
        let is_manifest = kind == Some(ReaderKind::GetObject) && (input == "MANIFEST" || is_athena(&fields, input));
        refuse("ManifestType", is_manifest, "only the `InputType` `MANIFEST` of `s3:getObject` has it");
        refuse("Transformation", kind != Some(ReaderKind::GetObject), "only `s3:listObjectsV2` has it");
        if is_csv && location.as_deref() == Some("GIVEN") && fields.get("CSVHeaders").is_none() {
            let message = "These fields are required: [CSVHeaders]";
            let help = "add `CSVHeaders`, an array of the names of the columns";
            cx.push(Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(help));
        }
        if input == "CSV" && fields.get("CSVHeaderLocation").is_none() && fields.get("ManifestType").is_none() {
            required(fields.span, "CSVHeaderLocation", cx);
        }
    }
    let is_constant = |entry: &&Entry| !matches!(entry.key.value.as_str(), "MaxItems" | "MaxItemsPath" | "Comment");
    let constants = fields.entries.iter().filter(is_constant);
    let constants = constants.map(|entry| (entry.key.value.clone(), entry.value.clone())).collect();
    (cx.diagnostics.errors() == before).then_some(ReaderConfig { constants, max_items, span: fields.span })
}

/// Returns `true` for the input types of the objects that a manifest of Athena lists.
fn is_athena(fields: &Object, input: &str) -> bool {
    let kind = fields.get("ManifestType").and_then(Node::as_text);
    kind.is_some_and(|kind| kind.value == "ATHENA_DATA") && matches!(input, "CSV" | "JSONL" | "PARQUET")
}

/// Checks `CSVHeaders`.
fn headers(node: &Node, cx: &mut AslParseCx) {
    let Tree::Array(items) = &node.tree else {
        return crate::syntax::wrong_type(node, "CSVHeaders", "an array of strings", cx.diagnostics);
    };
    items.iter().for_each(|item| _ = text(item, "CSVHeaders", cx.diagnostics));
}

/// Checks `ItemsPointer`: a JSON pointer.
fn pointer(node: &Node, cx: &mut AslParseCx) {
    let Some(text) = static_text(node, "ItemsPointer", cx).filter(|text| !text.value.starts_with('/')) else { return };
    let message = format!("Invalid input: JSON Pointer expression must start with '/': {:?}", text.value);
    let help = format!("write `/{}`", text.value);
    cx.push(Diagnostic::new(&codes::WF0410, text.span, message).help(help));
}

/// Parses `ItemBatcher`.
fn batcher(node: &Node, cx: &mut AslParseCx) -> Option<ItemBatcher> {
    const LIMITS: &[&str] =
        &["MaxItemsPerBatch", "MaxItemsPerBatchPath", "MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"];
    let before = cx.diagnostics.errors();
    let fields = Object::exact(node, "an `ItemBatcher`", cx.diagnostics)?;
    fields.allow(&[&["BatchInput"], LIMITS], cx);
    let input = fields.get("BatchInput").and_then(|node| match cx.is_jsonata() {
        true => computed(node, "BatchInput", StatesMembers::InputOnly, cx),
        false => expressions::payload(node, "BatchInput", cx),
    });
    let items = NumberRange::Whole(1..=u32::MAX);
    let max_items = fields.amount("MaxItemsPerBatch", "MaxItemsPerBatchPath", items, cx);
    let bytes = NumberRange::Whole(1..=LARGEST_BATCH);
    let max_bytes = fields.amount("MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath", bytes, cx);
    if LIMITS.iter().all(|name| fields.get(name).is_none()) {
        let names = &["MaxItemsPerBatch", "MaxInputBytesPerBatch"];
        let message = format!("an `ItemBatcher` needs {}", list(names));
        cx.push(Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help("limit the size of a batch"));
    }
    (cx.diagnostics.errors() == before).then_some(ItemBatcher { input, max_items, max_bytes })
}

/// Parses `ResultWriter`.
fn writer(node: &Node, cx: &mut AslParseCx) -> Option<ResultWriter> {
    let before = cx.diagnostics.errors();
    let fields = Object::exact(node, "a `ResultWriter`", cx.diagnostics)?;
    fields.allow(&[&["Resource", "Parameters", "Arguments", "WriterConfig"]], cx);
    let resource = fields.get("Resource").map(|node| word(node, "Resource", WRITER, cx));
    let has_arguments = ["Parameters", "Arguments"].iter().any(|name| fields.get(name).is_some());
    let arguments = match (resource, fields.get("WriterConfig")) {
        (None, Some(_)) if !has_arguments => None,
        (None, _) => {
            fields.required("Resource", cx);
            None
        }
        (Some(_), _) => arguments(&fields, &["Bucket"], cx),
    };
    let config = fields.get("WriterConfig");
    if let Some(node) = config {
        cx.in_field("WriterConfig", |cx| writer_config(node, cx));
    }
    (cx.diagnostics.errors() == before).then(|| ResultWriter { arguments, config: config.cloned() })
}

/// Checks `WriterConfig`.
fn writer_config(node: &Node, cx: &mut AslParseCx) {
    let Some(fields) = Object::exact(node, "a `WriterConfig`", cx.diagnostics) else { return };
    fields.allow(&[&["Transformation", "OutputType"]], cx);
    if let Some(node) = fields.get("Transformation") {
        word(node, "Transformation", &["NONE", "COMPACT", "FLATTEN"], cx);
    }
    match fields.get("OutputType") {
        Some(node) => _ = word(node, "OutputType", &["JSON", "JSONL"], cx),
        None => required(fields.span, "OutputType", cx),
    }
}

/// Reports labels that two Map states of a definition have.
pub fn check_labels<'a>(labels: impl Iterator<Item = &'a Spanned<String>>, cx: &mut AslParseCx) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for label in labels {
        if !seen.insert(&label.value) {
            let message = format!("two Map states have the `Label` `{}`", label.value);
            let help = "give each a label of its own: AWS makes it a part of the names of executions";
            cx.push(Diagnostic::new(&own::WF0416, label.span, message).help(help));
        }
    }
}
