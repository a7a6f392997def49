//! Serialisation of values, with bounded stack.

use std::sync::Arc;

use super::{Load, LoadError, Reader, Save, Writer, shared_values};
use crate::value::walk::Open;
use crate::value::{Array, Object, Str, Value};

/// The tag byte before a value.
pub(super) mod tag {
    pub const NULL: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const INT: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const STRING: u8 = 5;
    pub const ARRAY: u8 = 6;
    pub const OBJECT: u8 = 7;
    /// An array, object or string that may be referred to. Numbered from 0.
    pub const SHARED: u8 = 8;
    /// A reference to one by its number.
    pub const REFERENCE: u8 = 9;
    /// A reference to a shared value of the table by its number.
    pub const TABLE: u8 = 10;
}

/// The length from which a shared string is written once.
const LONG: usize = 32;

impl Save for Value {
    fn save(&self, w: &mut Writer) {
        if w.is_sharing() {
            return shared_values::save(self, w);
        }
        let mut open = Vec::new();
        save_head(self, &mut open, w);
        while let Some(innermost) = open.last_mut() {
            let Some((key, value)) = innermost.next() else {
                open.pop();
                continue;
            };
            if let Some(key) = key {
                w.str(key);
            }
            save_head(value, &mut open, w);
        }
    }
}

/// Writes a value. For an array or object, writes its length only.
fn save_head<'a>(value: &'a Value, open: &mut Vec<Open<'a>>, w: &mut Writer) {
    if let Some(address) = shared_address(value) {
        if let Some(number) = w.record_shared(address, value) {
            w.u8(tag::REFERENCE);
            w.u64(number);
            return;
        }
        w.u8(tag::SHARED);
    }
    match value {
        Value::Array(items) => {
            w.u8(tag::ARRAY);
            w.count(items.len());
            open.push(Open::array(items));
        }
        Value::Object(members) => {
            w.u8(tag::OBJECT);
            w.count(members.len());
            open.push(Open::object(members));
        }
        _ => save_leaf(value, w),
    }
}

/// Writes a value without parts.
pub(super) fn save_leaf(value: &Value, w: &mut Writer) {
    match value {
        Value::Bool(false) => w.u8(tag::FALSE),
        Value::Bool(true) => w.u8(tag::TRUE),
        Value::Int(value) => {
            w.u8(tag::INT);
            w.i64(*value);
        }
        Value::Float(value) => {
            w.u8(tag::FLOAT);
            w.f64(*value);
        }
        Value::String(text) => {
            w.u8(tag::STRING);
            w.str(text);
        }
        Value::Null | Value::Array(_) | Value::Object(_) => w.u8(tag::NULL),
    }
}

/// Returns the address of the value if it may be shared. A value with one handle is reached once.
fn shared_address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) if Arc::strong_count(items) > 1 && !items.is_empty() => Some(Arc::as_ptr(items).addr()),
        Value::Object(members) if Arc::strong_count(members) > 1 && !members.is_empty() => {
            Some(Arc::as_ptr(members).addr())
        }
        Value::String(text) if text.len() >= LONG => {
            let text = text.shared().filter(|text| Arc::strong_count(text) > 1)?;
            Some(Arc::as_ptr(text).addr())
        }
        _ => None,
    }
}

impl Load for Value {
    fn load(r: &mut Reader<'_>) -> Result<Value, LoadError> {
        let mut open: Vec<Partial> = Vec::new();
        loop {
            if let Some(Partial { content: Content::Object(members, key), .. }) = open.last_mut() {
                *key = load_key(members, r)?;
            }
            let Some(mut value) = load_head(&mut open, r)? else { continue };
            // The value is complete, and may complete the arrays and objects around it.
            loop {
                let Some(innermost) = open.last_mut() else { return Ok(value) };
                innermost.add(value);
                if innermost.left > 0 {
                    break;
                }
                let Some(complete) = open.pop() else { break };
                value = complete.close(r);
            }
        }
    }
}

/// An array or object with parts that are still to be read.
struct Partial {
    content: Content,
    left: usize,
    /// Its number, if it may be referred to.
    number: Option<usize>,
}

enum Content {
    Array(Vec<Value>),
    /// The text is the key of the member that is being read.
    Object(Object, Str),
}

impl Partial {
    fn add(&mut self, value: Value) {
        self.left -= 1;
        match &mut self.content {
            Content::Array(items) => items.push(value),
            Content::Object(members, key) => {
                members.push(std::mem::take(key), value);
            }
        }
    }

    fn close(self, r: &mut Reader<'_>) -> Value {
        let value = match self.content {
            Content::Array(items) => Array::from(items).into(),
            Content::Object(members, _) => members.into(),
        };
        keep(self.number, value, r)
    }
}

/// Stores a complete value if it may be referred to.
fn keep(number: Option<usize>, value: Value, r: &mut Reader<'_>) -> Value {
    if let Some(slot) = number.and_then(|number| r.shared.get_mut(number)) {
        *slot = Some(value.clone());
    }
    value
}

/// Reads a value, or opens an array or object that has parts.
fn load_head(open: &mut Vec<Partial>, r: &mut Reader<'_>) -> Result<Option<Value>, LoadError> {
    let mut tag = r.u8()?;
    let number = (tag == tag::SHARED).then_some(r.shared.len());
    if number.is_some() {
        r.shared.push(None);
        tag = r.u8()?;
        if !matches!(tag, tag::STRING | tag::ARRAY | tag::OBJECT) {
            return Err(r.error(format!("invalid kind of shared value {tag}")));
        }
    }
    let value = match tag {
        tag::NULL => Value::Null,
        tag::FALSE => Value::Bool(false),
        tag::TRUE => Value::Bool(true),
        tag::INT => Value::Int(r.i64()?),
        tag::FLOAT => Value::from(r.f64()?),
        tag::STRING => Value::from(r.str()?),
        tag::ARRAY => match r.count()? {
            0 => Array::new().into(),
            left => {
                open.push(Partial { content: Content::Array(Vec::with_capacity(left)), left, number });
                return Ok(None);
            }
        },
        tag::OBJECT => match r.count()? {
            0 => Object::new().into(),
            left => {
                let content = Content::Object(Object::with_capacity(left), Str::default());
                open.push(Partial { content, left, number });
                return Ok(None);
            }
        },
        tag::REFERENCE => {
            let number = r.u64()?;
            match usize::try_from(number).ok().and_then(|number| r.shared.get(number)) {
                Some(Some(value)) => value.clone(),
                Some(None) => return Err(r.error(format!("the shared value {number} contains itself"))),
                None => return Err(r.error(format!("undefined reference to the shared value {number}"))),
            }
        }
        tag::TABLE => {
            let number = r.u64()?;
            match r.shared_value(number) {
                Some(value) => value,
                None => return Err(r.error(format!("undefined shared value {number}"))),
            }
        }
        other => return Err(r.error(format!("invalid kind of value {other}"))),
    };
    Ok(Some(keep(number, value, r)))
}

fn load_key(members: &Object, r: &mut Reader<'_>) -> Result<Str, LoadError> {
    let key = r.str()?;
    match members.contains_key(key) {
        true => Err(r.error(format!("duplicate key `{key}` in an object"))),
        false => Ok(r.keys.share(key)),
    }
}
