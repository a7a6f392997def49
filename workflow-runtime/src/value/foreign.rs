//! Conversions from and to `serde_json::Value`.

use serde_json::Value as Json;

use super::{Array, Object, Value, ValueError};

/// Uses bounded stack, however deep the value is nested.
impl From<Json> for Value {
    fn from(json: Json) -> Value {
        let mut open = Vec::new();
        let mut entered = enter(json, &mut open);
        loop {
            // Without a value an array or object is open: it was just entered.
            let Some(innermost) = open.last_mut() else { return entered.unwrap_or_default() };
            if let Some(value) = entered.take() {
                innermost.add(value);
            }
            entered = match innermost.next() {
                Some(json) => enter(json, &mut open),
                None => open.pop().map(Open::close),
            };
        }
    }
}

/// An array or object that is being converted.
enum Open {
    Array(std::vec::IntoIter<Json>, Vec<Value>),
    /// The text is the key of the member that is being converted.
    Object(serde_json::map::IntoIter, Object, String),
}

/// Converts a value, or opens it.
fn enter(json: Json, open: &mut Vec<Open>) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => value.into(),
        Json::Number(number) => number.as_i64().map_or_else(|| number.as_f64().into(), Value::Int),
        Json::String(text) => text.into(),
        Json::Array(items) => {
            let moved = Vec::with_capacity(items.len());
            open.push(Open::Array(items.into_iter(), moved));
            return None;
        }
        Json::Object(members) => {
            let moved = Object::with_capacity(members.len());
            open.push(Open::Object(members.into_iter(), moved, String::new()));
            return None;
        }
    })
}

impl Open {
    fn next(&mut self) -> Option<Json> {
        match self {
            Open::Array(rest, _) => rest.next(),
            Open::Object(rest, _, current) => rest.next().map(|(key, json)| {
                *current = key;
                json
            }),
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            Open::Array(_, moved) => moved.push(value),
            Open::Object(_, moved, key) => {
                moved.insert(std::mem::take(key), value);
            }
        }
    }

    fn close(self) -> Value {
        match self {
            Open::Array(_, moved) => Array::from(moved).into(),
            Open::Object(_, moved, _) => moved.into(),
        }
    }
}

/// Fails for values nested beyond [`MAX_DEPTH`](super::MAX_DEPTH), because dropping the result is
/// recursive.
impl TryFrom<&Value> for Json {
    type Error = ValueError;

    fn try_from(value: &Value) -> Result<Json, ValueError> {
        value.deserialize_into()
    }
}
