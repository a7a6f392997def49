//! Parser of the fields of distributed Map states.

use super::fields::{list, static_text, word};
use super::{AslParseCx, computed};
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Distributed, ItemBatcher, ItemReader, PayloadTemplate, ReaderConfig, ResultWriter};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::jsonata::TemplatePart;
use crate::dialects::asl::{expressions, jsonata};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::model::ReaderKind;
use crate::model::reader_rules::{self, ReaderFault, ReaderFields, ReaderRefusal};
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Tree};
use std::collections::BTreeMap;

/// Fields that need child executions or a store. A Map state that has one is distributed.
pub const FIELDS: &[&str] = &["ItemReader", "ItemBatcher", "ResultWriter"];

/// Resources of readers.
const READERS: &[&str] = &["arn:aws:states:::s3:getObject", "arn:aws:states:::s3:listObjectsV2"];
/// Resource of the writer.
const WRITER: &[&str] = &["arn:aws:states:::s3:putObject"];
/// Fields of `ReaderConfig`.
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
/// Help for a missing `InputType`.
const ADD_INPUT_TYPE: &str = "add `\"InputType\": \"JSON\"`, with the type of the object";
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
    let names: &[&[&'static str]] = match kind {
        Some(ReaderKind::GetObject) => &[&["Bucket", "Key"], &["VersionId"]],
        Some(ReaderKind::ListObjects) => &[&["Bucket"], &["Prefix"]],
        None => &[&["Bucket"], &["Key", "VersionId", "Prefix"]],
    };
    let arguments = arguments(&fields, (names[0], names[1]), cx);
    let config = fields.get("ReaderConfig").map(|node| cx.in_field("ReaderConfig", |cx| config(node, kind, cx)));
    if let (None, Some(ReaderKind::GetObject)) = (&config, kind) {
        let help = "add `\"ReaderConfig\": {\"InputType\": \"JSON\"}`, with the type of the object";
        let message = "The field 'InputType' is required";
        cx.push(Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(help));
        return None;
    }
    Some(ItemReader { kind: kind?, arguments: arguments?, config: all(config)? })
}

/// Parses `Parameters` or `Arguments` of a reader or writer: an object with the members `needed`,
/// and perhaps those in `optional`.
fn arguments(
    fields: &Object,
    (needed, optional): (&[&'static str], &[&'static str]),
    cx: &mut AslParseCx,
) -> Option<PayloadTemplate> {
    let name = if cx.is_jsonata() { "Arguments" } else { "Parameters" };
    let node = fields.required(name, cx)?;
    if let Tree::Object(entries) = &node.tree {
        let is_jsonata = cx.is_jsonata();
        let is_there = |name: &str| entries.iter().any(|entry| argument_name(entry, is_jsonata) == name);
        let missing: Vec<&&str> = needed.iter().filter(|name| !is_there(name)).collect();
        missing.iter().for_each(|name| required(node.span, name, cx));
        if !missing.is_empty() {
            return None;
        }
    }
    let before = cx.diagnostics.errors();
    if let Tree::Object(entries) = &node.tree {
        entries.iter().for_each(|entry| argument(entry, (needed, optional), cx));
    }
    if cx.diagnostics.errors() > before {
        return None;
    }
    if !cx.is_jsonata() {
        return expressions::template(node, name, cx);
    }
    let wanted = "an object or a JSONata expression";
    if !matches!(node.tree, Tree::Object(_) | Tree::String(_)) {
        crate::syntax::wrong_type(node, name, wanted, cx.diagnostics);
        return None;
    }
    let template = jsonata::template(node, name, StatesMembers::InputOnly, Yields::Object, cx)?;
    if matches!(node.tree, Tree::String(_)) && matches!(template.part, TemplatePart::Constant(_)) {
        jsonata::constant_string(node, name, wanted, cx);
        return None;
    }
    Some(PayloadTemplate::Jsonata(template))
}

/// Reports an argument that is none of those in the two lists, and a constant that is no string.
fn argument(entry: &Entry, (needed, optional): (&[&'static str], &[&'static str]), cx: &mut AslParseCx) {
    let known = || needed.iter().chain(optional).copied();
    let name = argument_name(entry, cx.is_jsonata());
    if known().all(|known| known != name) {
        let help = format!("the arguments are {}", list(&Vec::from_iter(known())).replace(" or ", " and "));
        let message = format!("the argument `{name}` has no effect");
        let diagnostic = Diagnostic::new(&codes::WF0455, entry.key.span, message).help(help);
        cx.push(diagnostic.maybe_help(did_you_mean(name, known())));
    } else if name == entry.key.value && !matches!(entry.value.tree, Tree::String(_)) {
        crate::syntax::wrong_type(&entry.value, name, "a string", cx.diagnostics);
    }
}

/// Returns the name of an argument. In JSONPath, a dynamic one ends in `.$`.
fn argument_name(entry: &Entry, is_jsonata: bool) -> &str {
    let name = entry.key.value.as_str();
    if is_jsonata { name } else { name.strip_suffix(".$").unwrap_or(name) }
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
    let mut word_of =
        |name: &str, words: &[&'static str]| fields.get(name).and_then(|node| word(node, name, words, cx));
    let mut members = ReaderFields {
        input_type: word_of("InputType", reader_rules::INPUT_TYPES),
        manifest_type: word_of("ManifestType", reader_rules::MANIFEST_TYPES),
        transformation: word_of("Transformation", reader_rules::TRANSFORMATIONS),
        csv_header_location: word_of("CSVHeaderLocation", reader_rules::CSV_HEADER_LOCATIONS),
        has_csv_headers: fields.get("CSVHeaders").is_some(),
        csv_delimiter: word_of("CSVDelimiter", reader_rules::CSV_DELIMITERS),
        items_pointer: None,
    };
    if let Some(node) = fields.get("CSVHeaders") {
        headers(node, cx);
    }
    if let Some(node) = fields.get("ItemsPointer") {
        members.items_pointer = static_text(node, "ItemsPointer", cx).map(|text| text.value.as_str());
    }
    // A run counts more than its own maximum as that maximum.
    let max_items = fields.amount("MaxItems", "MaxItemsPath", NumberRange::AtLeast(0), cx);
    // A wrong value has been reported, and the other fields may depend on it.
    if cx.diagnostics.errors() == before
        && let Some(kind) = kind
    {
        for refusal in members.refusals(kind) {
            refuse(&refusal, &fields, (kind, members), cx);
        }
        if let Some(entry) = fields.entry("CSVHeaderLocation").filter(|_| members.loses_rows(kind)) {
            let message = "the CSV objects of a manifest of Athena have no header row: the first row of each is lost";
            let help = "use `GIVEN` with `CSVHeaders`";
            cx.push(Diagnostic::new(&own::WF0463, entry.value.span, message).help(help));
        }
    }
    let is_constant = |entry: &&Entry| !matches!(entry.key.value.as_str(), "MaxItems" | "MaxItemsPath" | "Comment");
    let constants = fields.entries.iter().filter(is_constant);
    let constants = constants.map(|entry| (entry.key.value.clone(), entry.value.clone())).collect();
    (cx.diagnostics.errors() == before).then_some(ReaderConfig { constants, max_items })
}

/// Reports a field of a `ReaderConfig` that does not go with the others.
fn refuse(refusal: &ReaderRefusal, fields: &Object, members: (ReaderKind, ReaderFields<'_>), cx: &mut AslParseCx) {
    let (kind, members) = members;
    let message = &refusal.message;
    let (entry, help) = (fields.entry(refusal.field), help(refusal, kind, members));
    cx.push(match (refusal.fault, entry) {
        (ReaderFault::Missing, _) | (_, None) => {
            Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(help)
        }
        (ReaderFault::Unsupported, Some(entry)) => {
            Diagnostic::new(&own::WF0406, entry.key.span, message).label("not allowed here").help(help)
        }
        (ReaderFault::Value, Some(entry)) if refusal.field == "ItemsPointer" => {
            Diagnostic::new(&codes::WF0410, entry.value.span, message).help(help)
        }
        (ReaderFault::Value, Some(entry)) => Diagnostic::new(&codes::WF0407, entry.value.span, message).help(help),
    });
}

/// Returns the help for a refused field of a `ReaderConfig`.
fn help(refusal: &ReaderRefusal, kind: ReaderKind, members: ReaderFields<'_>) -> String {
    let help = match (refusal.fault, refusal.field) {
        (ReaderFault::Missing, "InputType") => ADD_INPUT_TYPE,
        (ReaderFault::Missing, "CSVHeaderLocation") => {
            "add `\"CSVHeaderLocation\": \"FIRST_ROW\"`, or `\"GIVEN\"` with `CSVHeaders`"
        }
        (ReaderFault::Missing, _) => "add `CSVHeaders`, an array of the names of the columns",
        (ReaderFault::Value, "ItemsPointer") => {
            return format!("write `/{}`", members.items_pointer.unwrap_or_default());
        }
        (ReaderFault::Value, _) => "a listing cannot load manifests: use the type of its objects",
        (_, "InputType") => "add `\"Transformation\": \"LOAD_AND_FLATTEN\"` to read the objects",
        (_, "CSVHeaders")
            if members.csv_header_location == Some("FIRST_ROW") && members.data_type(kind) == Some("CSV") =>
        {
            "only the `CSVHeaderLocation` `GIVEN` has it"
        }
        (_, "ItemsPointer") => "only the `InputType` `JSON` has it",
        (_, "ManifestType") if kind == ReaderKind::ListObjects => "only `s3:getObject` has it",
        (_, "ManifestType") => {
            "`ATHENA_DATA` needs the `InputType` `CSV`, `JSONL` or `PARQUET`, and `S3_INVENTORY` needs `MANIFEST` \
             or `CSV`"
        }
        (_, "Transformation") => "only `s3:listObjectsV2` has it",
        _ if members.is_inventory(kind) => "the manifest of an inventory names the columns",
        _ => "only the `InputType` `CSV` has it",
    };
    help.to_owned()
}

/// Checks `CSVHeaders`.
fn headers(node: &Node, cx: &mut AslParseCx) {
    let Tree::Array(items) = &node.tree else {
        return crate::syntax::wrong_type(node, "CSVHeaders", "an array of strings", cx.diagnostics);
    };
    items.iter().for_each(|item| _ = text(item, "CSVHeaders", cx.diagnostics));
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
        (Some(_), _) => arguments(&fields, (&["Bucket"], &["Prefix"]), cx),
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
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for label in labels {
        let first = *seen.entry(&label.value).or_insert(label.span);
        if first != label.span {
            let message = format!("two Map states have the `Label` `{}`", label.value);
            let help = "give each a label of its own: AWS makes it a part of the names of executions";
            let diagnostic = Diagnostic::new(&own::WF0416, label.span, message).related(first, "first used here");
            cx.push(diagnostic.help(help));
        }
    }
}
