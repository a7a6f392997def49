//! Schemas, as far as they tell what is evidently wrong: types, enumerations, and the members of objects. What they say
//! beyond that is for the service to check.

use super::Schema;
use super::reader::{At, Reader, key_span};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::services::E0907;
use crate::expr::Literal;
use crate::hir::operation::Parts;
use crate::source::Span;
use crate::syntax::{Node, Tree, shown};

/// How deep schemas and values are looked into.
const DEEPEST: usize = 32;
/// How many schemas are looked at for one value: those that refer to themselves have no end.
const MOST: usize = 4096;
/// Of the values of an enumeration so many are told at the most.
const TOLD: usize = 8;

/// What a schema says of an object as a whole.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    /// Whether it can be an object.
    pub is_object: bool,
    /// Whether it may have other members than these.
    pub is_open: bool,
    /// Whether these are all that were described.
    pub is_known: bool,
    pub properties: Vec<Property<'a>>,
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub name: String,
    pub required: bool,
    pub at: At<'a>,
    pub span: Span,
}

impl Shape<'_> {
    /// That of a value of which nothing is said.
    pub fn anything() -> Self {
        Shape { is_object: true, is_open: true, is_known: false, properties: Vec::new() }
    }
}

impl Schema {
    pub fn of(at: At<'_>) -> Schema {
        Schema { file: at.file.to_owned(), node: at.node.clone() }
    }

    pub fn at(&self) -> At<'_> {
        At { file: &self.file, node: &self.node }
    }
}

/// The shape of a schema. Where it cannot be read, that has been reported.
pub(super) fn shape<'a>(schema: At<'a>, reader: &mut Reader<'a>) -> Option<Shape<'a>> {
    let mut shape = Shape { is_object: false, is_open: false, is_known: true, properties: Vec::new() };
    let mut required = Vec::new();
    let mut left = MOST;
    collect(schema, &mut shape, &mut required, DEEPEST, &mut left, reader)?;
    for property in &mut shape.properties {
        // What is read only is never sent.
        property.required = required.contains(&property.name.as_str()) && !property.at.flag("readOnly");
    }
    Some(shape)
}

fn collect<'a>(
    schema: At<'a>,
    shape: &mut Shape<'a>,
    required: &mut Vec<&'a str>,
    depth: usize,
    left: &mut usize,
    reader: &mut Reader<'a>,
) -> Option<()> {
    let schema = reader.follow(schema)?;
    if depth == 0 || *left == 0 {
        shape.is_known = false;
        return Some(());
    }
    *left -= 1;
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
    required.extend(schema.get("required").into_iter().flat_map(At::items).filter_map(|name| {
        let name = name.node.as_text()?;
        Some(name.value.as_str())
    }));
    for (name, at) in schema.get("properties").into_iter().flat_map(At::members) {
        if !shape.properties.iter().any(|known| known.name == name.value) {
            let at = reader.follow(at)?;
            shape.properties.push(Property { name: name.value.clone(), required: false, at, span: name.span });
        }
    }
    for part in schema.get("allOf").into_iter().flat_map(At::items) {
        collect(part, shape, required, depth - 1, left, reader)?;
    }
    // One of several shapes: any member of any of them may be meant, and none is known to be needed.
    for part in ["oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)).flat_map(At::items) {
        collect(part, shape, &mut Vec::new(), depth - 1, left, reader)?;
        shape.is_known = false;
    }
    Some(())
}

/// What values of a schema can be taken apart into. Where it cannot be read, that has been reported.
pub(super) fn parts<'a>(schema: At<'a>, reader: &mut Reader<'a>) -> Option<Parts> {
    let mut left = MOST;
    let [items, members] = has_parts(schema, DEEPEST, &mut left, reader)?;
    Some(match (items, members) {
        (true, true) => Parts::Any,
        (true, false) => Parts::Items,
        (false, true) => Parts::Members,
        (false, false) => Parts::None,
    })
}

/// Whether values are objects, or null, and nothing else.
pub(super) fn is_object<'a>(schema: At<'a>, reader: &mut Reader<'a>) -> Option<bool> {
    let schema = reader.follow(schema)?;
    Some(types(schema).is_some_and(|types| types.iter().all(|kind| matches!(*kind, "object" | "null"))))
}

/// Whether values can be arrays, and whether they can be objects.
fn has_parts<'a>(schema: At<'a>, depth: usize, left: &mut usize, reader: &mut Reader<'a>) -> Option<[bool; 2]> {
    let schema = reader.follow(schema)?;
    if depth == 0 || *left == 0 {
        return Some([true; 2]);
    }
    *left -= 1;
    let is_known = |kind: &&str| KNOWN.contains(kind);
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
    for part in schema.get("allOf").into_iter().flat_map(At::items) {
        narrow(has_parts(part, depth - 1, left, reader)?);
    }
    for ways in ["oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)) {
        let mut any = [false; 2];
        let mut is_empty = true;
        for way in ways.items() {
            let way = has_parts(way, depth - 1, left, reader)?;
            any = [any[0] || way[0], any[1] || way[1]];
            is_empty = false;
        }
        narrow(if is_empty { [true; 2] } else { any });
    }
    Some(can)
}

/// The types that a schema allows; `None` where it does not say.
fn types(schema: At<'_>) -> Option<Vec<&str>> {
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

/// A value that is compared with a schema, and its name in messages.
pub(super) struct Checked<'v> {
    /// `the argument `amount``.
    pub what: String,
    pub span: Span,
    /// The place that tells what is expected.
    pub expected: Span,
    pub kind: Kind<'v>,
}

/// What is known of a value.
#[derive(Clone, Copy)]
pub(super) enum Kind<'v> {
    /// All of it.
    Constant(&'v Node),
    /// What an expression yields: `string`, `number`, `boolean`, `array`, `object` or `null`.
    Type(&'static str),
}

/// Reports where a value does not fit a schema.
pub(super) fn check<'a>(value: &Checked<'_>, schema: At<'a>, reader: &mut Reader<'a>) {
    let mut left = MOST;
    fits(value, schema, DEEPEST, &mut left, reader);
}

fn fits<'v, 'a>(value: &Checked<'v>, schema: At<'a>, depth: usize, left: &mut usize, reader: &mut Reader<'a>) {
    if depth == 0 || *left == 0 {
        return;
    }
    *left -= 1;
    let Some(schema) = reader.follow(schema) else { return };
    for part in schema.get("allOf").into_iter().flat_map(At::items) {
        fits(value, part, depth - 1, left, reader);
    }
    if let Some(types) = types(schema)
        && !types.iter().any(|wanted| is_of(value.kind, wanted))
    {
        let wanted: Vec<&str> = types.iter().map(|wanted| in_words(wanted)).collect();
        let message = format!("{} must be {}, and this is {}", value.what, wanted.join(" or "), value.kind.in_words());
        let help = mended(value.kind, &types).unwrap_or_else(|| format!("write {}", wanted[0]));
        reader.push(told(value, message, help));
        return;
    }
    let Kind::Constant(node) = value.kind else { return };
    if let Some(allowed) = schema.get("enum").or_else(|| schema.get("const")) {
        let is_same = |allowed: &Node| equal(&Literal::from(allowed), &Literal::from(node));
        let all: Vec<&Node> = match schema.get("enum") {
            Some(_) => allowed.items().map(|item| item.node).collect(),
            None => vec![allowed.node],
        };
        let is_null = node.tree == Tree::Null && schema.flag("nullable");
        if !all.is_empty() && !is_null && !all.iter().any(|allowed| is_same(allowed)) {
            let texts: Vec<String> = all.iter().take(TOLD).map(|allowed| format!("`{}`", short(allowed))).collect();
            let more = if all.len() > TOLD { ", …" } else { "" };
            let message = format!("{} cannot be `{}`", value.what, short(node));
            let help = match &texts[..] {
                [only] => format!("it is {only}"),
                _ => format!("it is one of {}{more}", texts.join(", ")),
            };
            reader.push(told(value, message, help));
            return;
        }
    }
    let part = |what: String, node: &'v Node, expected| Checked {
        what,
        span: node.span,
        expected,
        kind: Kind::Constant(node),
    };
    if let (Some(items), Some(wanted)) = (node.as_array(), schema.get("items")) {
        for (at, item) in items.iter().enumerate() {
            let what = format!("item {at} of {}", value.what);
            fits(&part(what, item, key_span(schema, "items")), wanted, depth - 1, left, reader);
        }
    }
    if let Some(entries) = node.as_object() {
        for (name, wanted) in schema.get("properties").into_iter().flat_map(At::members) {
            if let Some(entry) = entries.iter().find(|entry| entry.key.value == name.value) {
                let what = format!("`{}` of {}", shown(&name.value), value.what);
                fits(&part(what, &entry.value, name.span), wanted, depth - 1, left, reader);
            }
        }
        let properties = schema.get("properties");
        for name in schema.get("required").into_iter().flat_map(At::items).filter_map(|name| name.node.as_text()) {
            let is_read_only = properties.and_then(|all| all.get(&name.value)).is_some_and(|at| at.flag("readOnly"));
            if is_read_only || entries.iter().any(|entry| entry.key.value == name.value) {
                continue;
            }
            let message = format!("{} needs `{}`", value.what, shown(&name.value));
            let help = format!("add `{}`", shown(&name.value));
            reader.push(
                Diagnostic::new(&E0907, value.span, message).related(name.span, "it is required here").help(help),
            );
        }
    }
}

fn told(value: &Checked<'_>, message: String, help: String) -> Diagnostic {
    Diagnostic::new(&E0907, value.span, message).related(value.expected, "it is described here").help(help)
}

/// Whether a value is of a type of JSON Schema. Types that are not known allow anything.
fn is_of(kind: Kind<'_>, wanted: &str) -> bool {
    let tree = match kind {
        Kind::Type("number") => return !matches!(wanted, "string" | "boolean" | "array" | "object" | "null"),
        Kind::Type(is) => return is == wanted || !KNOWN.contains(&wanted),
        Kind::Constant(node) => &node.tree,
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

const KNOWN: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

fn in_words(kind: &str) -> &str {
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

impl Kind<'_> {
    fn in_words(self) -> &'static str {
        match self {
            Kind::Constant(node) => match node.tree {
                Tree::Float(number) if number.fract() != 0.0 => "a number with a fraction",
                _ => node.kind(),
            },
            Kind::Type("null") => "null",
            Kind::Type("boolean") => "a boolean",
            Kind::Type("number") => "a number",
            Kind::Type("string") => "a string",
            Kind::Type("array") => "an array",
            Kind::Type(_) => "an object",
        }
    }
}

/// What a constant of the wrong type was probably meant to be.
fn mended(kind: Kind<'_>, types: &[&str]) -> Option<String> {
    let Kind::Constant(node) = kind else { return None };
    let wants = |kinds: &[&str]| types.iter().any(|wanted| kinds.contains(wanted));
    match &node.tree {
        Tree::String(text) if wants(&["integer", "number"]) && text.value.parse::<f64>().is_ok() => {
            Some(format!("leave out the quotes: `{}`", text.value))
        }
        Tree::String(text) if wants(&["boolean"]) && matches!(&*text.value, "true" | "false") => {
            Some(format!("leave out the quotes: `{}`", text.value))
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

/// Whether two values are the same; `1` and `1.0` are.
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
