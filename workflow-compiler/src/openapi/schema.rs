//! Checks of constants against schemas: types, enumerations, and the members of objects. The
//! service enforces the remaining keywords.

use super::documents::LocatedSchema;
use super::reader::{NodeRef, Reader, key_span};
use crate::diagnostics::Diagnostic;
use crate::expr::Literal;
use crate::model::operation::Decomposition;
use crate::openapi::codes::WF0907;
use crate::source::Span;
use crate::syntax::{Node, Tree, shown};

/// The greatest nesting of schemas and values that a check descends to.
const MAX_DEPTH: usize = 32;
/// The number of schemas that one check visits. The limit ends the check of recursive schemas.
const MAX_VISITS: usize = 4096;
/// The most values of an enumeration listed in a message.
const MAX_LISTED: usize = 8;

/// The description of an object as a whole.
#[derive(Debug)]
pub(super) struct ObjectShape<'a> {
    /// `true` if the value can be an object.
    pub is_object: bool,
    /// `true` if members besides the properties are allowed.
    pub is_open: bool,
    /// `true` if the properties are the complete description.
    pub is_known: bool,
    pub properties: Vec<Property<'a>>,
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub name: String,
    pub required: bool,
    pub at: NodeRef<'a>,
    pub span: Span,
}

impl ObjectShape<'_> {
    /// Returns the shape of a value without a schema.
    pub fn anything() -> Self {
        ObjectShape { is_object: true, is_open: true, is_known: false, properties: Vec::new() }
    }
}

impl LocatedSchema {
    pub fn of(at: NodeRef<'_>) -> LocatedSchema {
        LocatedSchema { file: at.file.to_owned(), node: at.node.clone() }
    }

    pub fn at(&self) -> NodeRef<'_> {
        NodeRef { file: &self.file, node: &self.node }
    }
}

/// Returns the shape that a schema describes. Returns `None` after reporting an error.
pub(super) fn shape<'a>(schema: NodeRef<'a>, reader: &mut Reader<'a>) -> Option<ObjectShape<'a>> {
    let mut shape = ObjectShape { is_object: false, is_open: false, is_known: true, properties: Vec::new() };
    let mut required = Vec::new();
    let mut remaining = MAX_VISITS;
    collect(schema, &mut shape, &mut required, MAX_DEPTH, &mut remaining, reader)?;
    for property in &mut shape.properties {
        // A read-only property is never sent.
        property.required = required.contains(&property.name.as_str()) && !property.at.flag("readOnly");
    }
    Some(shape)
}

fn collect<'a>(
    schema: NodeRef<'a>,
    shape: &mut ObjectShape<'a>,
    required: &mut Vec<&'a str>,
    depth: usize,
    remaining: &mut usize,
    reader: &mut Reader<'a>,
) -> Option<()> {
    let schema = reader.follow(schema)?;
    if depth == 0 || *remaining == 0 {
        shape.is_known = false;
        return Some(());
    }
    *remaining -= 1;
    let types = types(schema);
    let has_members = ["properties", "additionalProperties", "required"].iter().any(|key| schema.get(key).is_some());
    let has_parts = ["allOf", "oneOf", "anyOf"].iter().any(|key| schema.get(key).is_some());
    match types {
        Some(types) => shape.is_object |= types.contains(&"object"),
        None => shape.is_object |= has_members || !has_parts,
    }
    if schema.get("oneOf").is_some() || schema.get("anyOf").is_some() || !(has_members || has_parts) {
        shape.is_known = false;
    }
    match schema.get("additionalProperties").map(|more| &more.node.tree) {
        Some(Tree::Bool(false)) => {}
        Some(_) => shape.is_open = true,
        None => shape.is_open |= !(has_members || has_parts),
    }
    required.extend(schema.get("required").into_iter().flat_map(NodeRef::items).filter_map(|name| {
        let name = name.node.as_text()?;
        Some(name.value.as_str())
    }));
    for (name, at) in schema.get("properties").into_iter().flat_map(NodeRef::members) {
        if !shape.properties.iter().any(|known| known.name == name.value) {
            let at = reader.follow(at)?;
            shape.properties.push(Property { name: name.value.clone(), required: false, at, span: name.span });
        }
    }
    for part in schema.get("allOf").into_iter().flat_map(NodeRef::items) {
        collect(part, shape, required, depth - 1, remaining, reader)?;
    }
    // Any member of any alternative is possible, and none is required.
    for part in ["oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)).flat_map(NodeRef::items) {
        collect(part, shape, &mut Vec::new(), depth - 1, remaining, reader)?;
        shape.is_known = false;
    }
    Some(())
}

/// Returns the decomposition of values of a schema. Returns `None` after reporting an error.
pub(super) fn decomposition<'a>(schema: NodeRef<'a>, reader: &mut Reader<'a>) -> Option<Decomposition> {
    let mut remaining = MAX_VISITS;
    let [items, members] = can_decompose(schema, MAX_DEPTH, &mut remaining, reader)?;
    Some(match (items, members) {
        (true, true) => Decomposition::Any,
        (true, false) => Decomposition::Items,
        (false, true) => Decomposition::Members,
        (false, false) => Decomposition::None,
    })
}

/// Returns `true` if values are always objects or null.
pub(super) fn is_object<'a>(schema: NodeRef<'a>, reader: &mut Reader<'a>) -> Option<bool> {
    let schema = reader.follow(schema)?;
    Some(types(schema).is_some_and(|types| types.iter().all(|kind| matches!(*kind, "object" | "null"))))
}

/// Returns two flags: whether values can be arrays, and whether values can be objects.
fn can_decompose<'a>(
    schema: NodeRef<'a>,
    depth: usize,
    remaining: &mut usize,
    reader: &mut Reader<'a>,
) -> Option<[bool; 2]> {
    let schema = reader.follow(schema)?;
    if depth == 0 || *remaining == 0 {
        return Some([true; 2]);
    }
    *remaining -= 1;
    let is_known = |kind: &&str| TYPES.contains(kind);
    let mut can = match types(schema) {
        Some(types) if types.iter().all(is_known) => ["array", "object"].map(|kind| types.contains(&kind)),
        _ => [true; 2],
    };
    let mut narrow = |to: [bool; 2]| can = [can[0] && to[0], can[1] && to[1]];
    if let Some(only) = schema.get("const") {
        narrow([only.node.as_array().is_some(), only.node.as_object().is_some()]);
    }
    if let Some(allowed) = schema.get("enum").filter(|allowed| allowed.items().next().is_some()) {
        let any = |is: fn(&Node) -> bool| allowed.items().any(|item| is(item.node));
        narrow([any(|node| node.as_array().is_some()), any(|node| node.as_object().is_some())]);
    }
    for part in schema.get("allOf").into_iter().flat_map(NodeRef::items) {
        narrow(can_decompose(part, depth - 1, remaining, reader)?);
    }
    for ways in ["oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)) {
        let mut any = [false; 2];
        let mut is_empty = true;
        for way in ways.items() {
            let way = can_decompose(way, depth - 1, remaining, reader)?;
            any = [any[0] || way[0], any[1] || way[1]];
            is_empty = false;
        }
        narrow(if is_empty { [true; 2] } else { any });
    }
    Some(can)
}

/// Returns the types that a schema allows, or `None` without a `type`.
fn types(schema: NodeRef<'_>) -> Option<Vec<&str>> {
    let written = schema.get("type")?;
    let mut types: Vec<&str> = match &written.node.tree {
        Tree::String(text) => vec![text.value.as_str()],
        Tree::Array(items) => items.iter().filter_map(|item| Some(item.as_text()?.value.as_str())).collect(),
        _ => return None,
    };
    if types.is_empty() {
        return None;
    }
    if schema.flag("nullable") || schema.flag("x-nullable") {
        types.push("null");
    }
    Some(types)
}

/// A value to compare with a schema.
pub(super) struct CheckedValue<'v> {
    /// The name in messages: ``the argument `amount` ``.
    pub what: String,
    pub span: Span,
    /// The span of the schema, as a related place of diagnostics.
    pub expected: Span,
    pub kind: KnownValue<'v>,
}

/// The statically known part of a value.
#[derive(Clone, Copy)]
pub(super) enum KnownValue<'v> {
    /// A constant value.
    Constant(&'v Node),
    /// The type of an expression: `string`, `number`, `boolean`, `array`, `object` or `null`.
    Type(&'static str),
}

/// Reports the mismatches between a value and a schema.
pub(super) fn check<'a>(value: &CheckedValue<'_>, schema: NodeRef<'a>, reader: &mut Reader<'a>) {
    let mut remaining = MAX_VISITS;
    check_node(value, schema, MAX_DEPTH, &mut remaining, reader);
}

fn check_node<'v, 'a>(
    value: &CheckedValue<'v>,
    schema: NodeRef<'a>,
    depth: usize,
    remaining: &mut usize,
    reader: &mut Reader<'a>,
) {
    if depth == 0 || *remaining == 0 {
        return;
    }
    *remaining -= 1;
    let Some(schema) = reader.follow(schema) else { return };
    for part in schema.get("allOf").into_iter().flat_map(NodeRef::items) {
        check_node(value, part, depth - 1, remaining, reader);
    }
    if let Some(types) = types(schema)
        && !types.iter().any(|wanted| has_type(value.kind, wanted))
    {
        let wanted: Vec<&str> = types.iter().map(|wanted| type_name(wanted)).collect();
        let message = format!("{} must be {}, found {}", value.what, wanted.join(" or "), value.kind.type_name());
        let help = suggested_value(value.kind, &types).unwrap_or_else(|| format!("write {}", wanted[0]));
        reader.push(mismatch(value, message, help));
        return;
    }
    let KnownValue::Constant(node) = value.kind else { return };
    if let Some(allowed) = schema.get("enum").or_else(|| schema.get("const")) {
        let is_same = |allowed: &Node| equal(&Literal::from(allowed), &Literal::from(node));
        let all: Vec<&Node> = match schema.get("enum") {
            Some(_) => allowed.items().map(|item| item.node).collect(),
            None => vec![allowed.node],
        };
        let is_null = node.tree == Tree::Null && schema.flag("nullable");
        if !all.is_empty() && !is_null && !all.iter().any(|allowed| is_same(allowed)) {
            let texts: Vec<String> =
                all.iter().take(MAX_LISTED).map(|allowed| format!("`{}`", short(allowed))).collect();
            let more = if all.len() > MAX_LISTED { ", …" } else { "" };
            let message = format!("{} cannot be `{}`", value.what, short(node));
            let help = match &texts[..] {
                [only] => format!("use {only}"),
                _ => format!("use one of {}{more}", texts.join(", ")),
            };
            reader.push(mismatch(value, message, help));
            return;
        }
    }
    let part = |what: String, node: &'v Node, expected| CheckedValue {
        what,
        span: node.span,
        expected,
        kind: KnownValue::Constant(node),
    };
    if let (Some(items), Some(wanted)) = (node.as_array(), schema.get("items")) {
        for (at, item) in items.iter().enumerate() {
            let what = format!("item {at} of {}", value.what);
            check_node(&part(what, item, key_span(schema, "items")), wanted, depth - 1, remaining, reader);
        }
    }
    if let Some(entries) = node.as_object() {
        for (name, wanted) in schema.get("properties").into_iter().flat_map(NodeRef::members) {
            if let Some(entry) = entries.iter().find(|entry| entry.key.value == name.value) {
                let what = format!("`{}` of {}", shown(&name.value), value.what);
                check_node(&part(what, &entry.value, name.span), wanted, depth - 1, remaining, reader);
            }
        }
        let properties = schema.get("properties");
        for name in schema.get("required").into_iter().flat_map(NodeRef::items).filter_map(|name| name.node.as_text()) {
            let is_read_only = properties.and_then(|all| all.get(&name.value)).is_some_and(|at| at.flag("readOnly"));
            if is_read_only || entries.iter().any(|entry| entry.key.value == name.value) {
                continue;
            }
            let message = format!("missing member `{1}` in {0}", value.what, shown(&name.value));
            let help = format!("add `{}`", shown(&name.value));
            reader.push(Diagnostic::new(&WF0907, value.span, message).related(name.span, "required here").help(help));
        }
    }
}

fn mismatch(value: &CheckedValue<'_>, message: String, help: String) -> Diagnostic {
    Diagnostic::new(&WF0907, value.span, message).related(value.expected, "described here").help(help)
}

/// Returns `true` if a value has a type of JSON Schema. Unknown types allow any value.
fn has_type(kind: KnownValue<'_>, wanted: &str) -> bool {
    let tree = match kind {
        KnownValue::Type("number") => return !matches!(wanted, "string" | "boolean" | "array" | "object" | "null"),
        KnownValue::Type(is) => return is == wanted || !TYPES.contains(&wanted),
        KnownValue::Constant(node) => &node.tree,
    };
    match wanted {
        "null" => *tree == Tree::Null,
        "boolean" => matches!(tree, Tree::Bool(_)),
        "integer" => matches!(tree, Tree::Int(_)) || matches!(tree, Tree::Float(number) if number.fract() == 0.0),
        "number" => matches!(tree, Tree::Int(_) | Tree::Float(_)),
        "string" => matches!(tree, Tree::String(_)),
        "array" => matches!(tree, Tree::Array(_)),
        "object" => matches!(tree, Tree::Object(_)),
        _ => true,
    }
}

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

fn type_name(kind: &str) -> &str {
    match kind {
        "null" => "null",
        "boolean" => "a boolean",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

impl KnownValue<'_> {
    fn type_name(self) -> &'static str {
        match self {
            KnownValue::Constant(node) => match node.tree {
                Tree::Float(number) if number.fract() != 0.0 => "a number with a fraction",
                _ => node.kind(),
            },
            KnownValue::Type("null") => "null",
            KnownValue::Type("boolean") => "a boolean",
            KnownValue::Type("number") => "a number",
            KnownValue::Type("string") => "a string",
            KnownValue::Type("array") => "an array",
            KnownValue::Type(_) => "an object",
        }
    }
}

/// Returns the help that corrects a constant of the wrong type.
fn suggested_value(kind: KnownValue<'_>, types: &[&str]) -> Option<String> {
    let KnownValue::Constant(node) = kind else { return None };
    let wants = |kinds: &[&str]| types.iter().any(|wanted| kinds.contains(wanted));
    match &node.tree {
        Tree::String(text) if wants(&["integer", "number"]) && text.value.parse::<f64>().is_ok() => {
            Some(format!("remove the quotes: `{}`", text.value))
        }
        Tree::String(text) if wants(&["boolean"]) && matches!(&*text.value, "true" | "false") => {
            Some(format!("remove the quotes: `{}`", text.value))
        }
        Tree::Int(_) | Tree::Float(_) | Tree::Bool(_) if wants(&["string"]) => {
            Some(format!("put it in double quotes: `\"{}\"`", Literal::from(node)))
        }
        _ if wants(&["array"]) && !matches!(node.tree, Tree::Null | Tree::Object(_)) => {
            Some("put it in brackets: `[ … ]`".to_owned())
        }
        _ => None,
    }
}

/// Returns `true` if the values are equal. `1` equals `1.0`.
fn equal(left: &Literal, right: &Literal) -> bool {
    match (left, right) {
        (Literal::Int(int), Literal::Float(float)) | (Literal::Float(float), Literal::Int(int)) => {
            *int as f64 == *float
        }
        (Literal::Array(left), Literal::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Literal::Object(left), Literal::Object(right)) => {
            let has = |key: &str, value: &Literal| right.iter().any(|(other, is)| other == key && equal(value, is));
            left.len() == right.len() && left.iter().all(|(key, value)| has(key, value))
        }
        _ => left == right,
    }
}

fn short(node: &Node) -> String {
    match node.as_text() {
        Some(text) => shown(&text.value).to_string(),
        None => shown(&Literal::from(node).to_string()).to_string(),
    }
}
