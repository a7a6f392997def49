//! Conversion of values to JSON data, with the semantics of `JSON.stringify` (ECMA-262 §25.5.2).

use super::budget::{Run, spend};
use super::call::{as_function, invoke};
use super::members::Slot;
use super::object::{Obj, Special};
use super::value::json_number;
use super::{Js, Result, coerce, date, error, literal, property};
use crate::value::{Array, Object, Str, Value};

/// The second argument of `JSON.stringify`.
pub(super) enum Replacer {
    Nothing,
    /// A function that is called for every value.
    Function(Js),
    /// The keys to keep.
    Keys(Vec<Str>),
}

/// Returns the value after `JSON.parse(JSON.stringify(value))`, or `None` for undefined and
/// functions, which have no text.
///
/// Parts of the data that were never read are shared with their source. Uses bounded stack.
#[inline]
pub(super) fn round_trip(run: &Run, value: &Js) -> Result<Option<Value>> {
    match at_once(value) {
        Some(done) => Ok(done),
        None => to_value(run, value, &Replacer::Nothing),
    }
}

/// Converts values that need no traversal: scalars, undefined, and unchanged JSON, in which no
/// `toJSON` can be a function.
#[inline]
fn at_once(value: &Js) -> Option<Option<Value>> {
    match value {
        Js::Undefined => Some(None),
        Js::Number(number) => Some(Some(json_number(*number))),
        Js::Object(object) => object.untouched().map(Some),
        scalar => Some(scalar.scalar()),
    }
}

pub(super) fn to_value(run: &Run, value: &Js, replacer: &Replacer) -> Result<Option<Value>> {
    let holder = match replacer {
        Replacer::Function(_) => literal::object([("", value.clone())]),
        _ => Js::Undefined,
    };
    let mut open: Vec<Open> = Vec::new();
    let mut entered = enter(run, &holder, &Str::default(), Slot::Js(value.clone()), replacer)?;
    loop {
        let done = match entered {
            Entered::Open(level) => {
                open.push(level);
                None
            }
            Entered::Done(value) => Some(value),
        };
        let Some(innermost) = open.last_mut() else { return Ok(done.flatten()) };
        if let Some(value) = done {
            innermost.add(value);
        }
        entered = match innermost.next() {
            Some((key, slot)) => {
                run.tick()?;
                enter(run, &innermost.holder, &key, slot, replacer)?
            }
            None => Entered::Done(open.pop().map(Open::close)),
        };
    }
}

enum Entered {
    Done(Option<Value>),
    Open(Open),
}

/// An object or array that is being converted.
struct Open {
    object: Obj,
    /// The object as a value, for replacers.
    holder: Js,
    /// `true` if parts that were never read are taken unchanged.
    lazy: bool,
    rest: Pending,
}

enum Pending {
    Items { next: usize, length: usize, items: Vec<Value> },
    MemberTable { keys: std::vec::IntoIter<Str>, key: Str, members: Vec<(Str, Value)> },
}

/// Converts a scalar, or opens an array or object.
fn enter(run: &Run, holder: &Js, key: &Str, slot: Slot, replacer: &Replacer) -> Result<Entered> {
    let value = match (slot, replacer) {
        (Slot::Json(value), Replacer::Nothing) => return Ok(Entered::Done(Some(value))),
        (mut slot, _) => slot.read(),
    };
    if matches!(replacer, Replacer::Nothing)
        && let Some(done) = at_once(&value)
    {
        return Ok(Entered::Done(done));
    }
    let mut value = with_to_json(run, key, value)?;
    if let Replacer::Function(function) = replacer {
        value = invoke(run, function, holder, &[Js::String(key.clone()), value])?;
    }
    let object = match value {
        Js::Object(object) => object,
        scalar => return Ok(Entered::Done(at_once(&scalar).flatten())),
    };
    if matches!(replacer, Replacer::Nothing)
        && let Some(json) = object.untouched()
    {
        return Ok(Entered::Done(Some(json)));
    }
    if object.as_function().is_some() {
        return Ok(Entered::Done(None));
    }
    Open::new(object, replacer).map(Entered::Open)
}

/// Applies `toJSON`, if the value has one.
fn with_to_json(run: &Run, key: &Str, value: Js) -> Result {
    let Js::Object(object) = &value else { return Ok(value) };
    if let Some(method) = object.member("toJSON") {
        if as_function(&method).is_some() {
            return invoke(run, &method, &value, &[Js::String(key.clone())]);
        }
        return Ok(value);
    }
    Ok(match object.special_part() {
        Some(Special::Date(time)) => match date::iso(time) {
            Some(text) => Js::String(text),
            None => Js::Null,
        },
        Some(Special::Buffer(_)) => {
            let data = literal::array_of(literal::iterate(&value)?);
            literal::object([("type", Js::text("Buffer")), ("data", data)])
        }
        _ => value,
    })
}

impl Open {
    fn new(object: Obj, replacer: &Replacer) -> Result<Open> {
        if object.0.open.replace(true) {
            // The mark stays until the object's level is dropped.
            return Err(error::type_error("Converting circular structure to JSON"));
        }
        let rest = if object.is_array() {
            let length = object.len();
            Pending::Items { next: 0, length, items: Vec::with_capacity(length) }
        } else {
            let keys = match replacer {
                Replacer::Keys(keys) => keys.clone(),
                _ => property::own_keys(&object),
            };
            let members = Vec::with_capacity(keys.len());
            Pending::MemberTable { keys: keys.into_iter(), key: Str::default(), members }
        };
        let lazy = matches!(replacer, Replacer::Nothing);
        Ok(Open { holder: Js::Object(object.clone()), object, lazy, rest })
    }

    /// Returns the next part with its key.
    fn next(&mut self) -> Option<(Str, Slot)> {
        match &mut self.rest {
            Pending::Items { next, length, .. } => {
                let position = *next;
                *next += 1;
                (position < *length).then(|| {
                    let slot = match self.lazy {
                        true => self.object.peek_item(position),
                        false => self.object.item(position).map(Slot::Js),
                    };
                    let slot = slot.unwrap_or(Slot::Js(Js::Undefined));
                    // Only `toJSON` and replacers receive the key.
                    let needs_key = !self.lazy || slot.is_nested();
                    (if needs_key { position.to_string().into() } else { Str::default() }, slot)
                })
            }
            Pending::MemberTable { keys, key, .. } => {
                *key = keys.next()?;
                let content = if self.lazy { self.object.peek(key) } else { None };
                let slot = content.or_else(|| property::own(&self.object, key).map(Slot::Js));
                Some((key.clone(), slot.unwrap_or(Slot::Js(Js::Undefined))))
            }
        }
    }

    fn add(&mut self, value: Option<Value>) {
        spend(size_of::<Slot>());
        match &mut self.rest {
            Pending::Items { items, .. } => items.push(value.unwrap_or_default()),
            Pending::MemberTable { key, members, .. } => {
                members.extend(value.map(|value| (std::mem::take(key), value)))
            }
        }
    }

    fn close(mut self) -> Value {
        match &mut self.rest {
            Pending::Items { items, .. } => Array::from(std::mem::take(items)).into(),
            Pending::MemberTable { members, .. } => Object::from_distinct(std::mem::take(members)).into(),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.object.0.open.set(false);
    }
}

/// Returns the text of a value as `JSON.stringify` writes it.
pub(super) fn write(value: &Value, indent: &str) -> Result<Str> {
    enum Level<'a> {
        Array(std::slice::Iter<'a, Value>),
        Object(&'a Object, std::vec::IntoIter<Str>),
    }
    let mut out = String::new();
    let mut open: Vec<Level<'_>> = Vec::new();
    let mut current = Some(value);
    let mut counted = 0;
    loop {
        let mut first = false;
        if let Some(value) = current.take() {
            match value {
                Value::Array(items) => {
                    out.push('[');
                    open.push(Level::Array(items.iter()));
                    first = true;
                }
                Value::Object(members) => {
                    out.push('{');
                    open.push(Level::Object(members, super::members::ordered(members.keys()).into_iter()));
                    first = true;
                }
                scalar => write_scalar(scalar, &mut out),
            }
        }
        super::text::reserve(out.len() - counted)?;
        counted = out.len();
        let depth = open.len();
        let Some(innermost) = open.last_mut() else { return Ok(out.into()) };
        let (key, next, end) = match innermost {
            Level::Array(rest) => (None, rest.next(), ']'),
            Level::Object(members, keys) => match keys.next() {
                Some(key) => (Some(key.clone()), members.get(&key), '}'),
                None => (None, None, '}'),
            },
        };
        let Some(next) = next else {
            open.pop();
            if !first {
                new_line(indent, depth - 1, &mut out);
            }
            out.push(end);
            continue;
        };
        if !first {
            out.push(',');
        }
        new_line(indent, depth, &mut out);
        if let Some(key) = key {
            write_text(&key, &mut out);
            out.push_str(if indent.is_empty() { ":" } else { ": " });
        }
        current = Some(next);
    }
}

fn new_line(indent: &str, depth: usize, out: &mut String) {
    if !indent.is_empty() {
        out.push('\n');
        // The indentation is limited to a readable depth. A value nested by a loop would take
        // terabytes.
        (0..depth.min(10_000)).for_each(|_| out.push_str(indent));
    }
}

fn write_scalar(value: &Value, out: &mut String) {
    match value {
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        // In the text of a function, every number is a double.
        Value::Int(number) => out.push_str(&coerce::number_text(*number as f64)),
        Value::Float(number) if number.is_finite() => out.push_str(&coerce::number_text(*number)),
        Value::String(text) => write_text(text, out),
        _ => out.push_str("null"),
    }
}

/// Implements `QuoteJSONString` (§25.5.2.3).
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Returns the keys of a replacer array (§25.5.2.1): its strings and numbers, without duplicates.
pub(super) fn listed(list: &Obj) -> Result<Vec<Str>> {
    let mut keys: Vec<Str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for item in list.items() {
        if matches!(item, Js::String(_) | Js::Number(_)) {
            let key = coerce::string(&item)?;
            if seen.insert(key.clone()) {
                keys.push(key);
            }
        }
    }
    Ok(keys)
}
