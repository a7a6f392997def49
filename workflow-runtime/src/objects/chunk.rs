//! Items that were read together.

use crate::value::{Array, Object, Str, Value, object};

/// Items that were read together, and where to continue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemChunk {
    /// The values.
    pub values: Vec<Value>,
    /// The keys, where the data is an object. Empty, or as many as values.
    pub keys: Vec<Str>,
    /// The origins: how many items, one after the other, come from which object.
    pub sources: Vec<(u32, Str)>,
    /// Positions within the chunk: how many of its items are before each, in ascending order. A
    /// run that was stored is continued at the last one that it has reached: what is before it may
    /// be gone by then.
    pub marks: Vec<(u32, Value)>,
    /// The position behind the last item.
    pub position: Value,
    /// `true` if there are no more items.
    pub is_last: bool,
}

impl ItemChunk {
    /// Adds an item.
    pub fn push(&mut self, value: Value, key: Option<Str>, source: &Str) {
        self.values.push(value);
        self.keys.extend(key);
        match self.sources.last_mut() {
            Some((count, last)) if last == source => *count += 1,
            _ => self.sources.push((1, source.clone())),
        }
    }

    /// Adds the position before the next item.
    pub fn mark(&mut self, position: Value) {
        // A request limits the number of items by a `u32`.
        self.marks.push((u32::try_from(self.values.len()).unwrap_or(u32::MAX), position));
    }

    /// Returns the chunk as the outcome of a command.
    pub fn into_value(self) -> Value {
        let ItemChunk { values, keys, sources, marks, position, is_last } = self;
        let mark = |(before, position): (u32, Value)| Value::from_iter([Value::from(before), position]);
        let source = |(count, source): (u32, Str)| Value::from_iter([Value::from(count), source.into()]);
        object([
            ("values", Value::from(values)),
            ("keys", keys.into_iter().map(Value::from).collect()),
            ("sources", sources.into_iter().map(source).collect()),
            ("marks", marks.into_iter().map(mark).collect()),
            ("position", position),
            ("is_last", is_last.into()),
        ])
    }

    /// Reads the outcome of a command. An outcome of another form has no items, and is the last.
    pub fn from_value(value: Value) -> ItemChunk {
        let Value::Object(members) = value else { return ItemChunk { is_last: true, ..ItemChunk::default() } };
        let mut members: Object = std::sync::Arc::unwrap_or_clone(members);
        let mut array = |name: &str| match members.remove(name) {
            Some(Value::Array(items)) => std::sync::Arc::unwrap_or_clone(items),
            _ => Array::new(),
        };
        let text = |value: &Value| value.as_str().map(Str::from).unwrap_or_default();
        let values = array("values").into_vec();
        let keys: Vec<Str> = array("keys").iter().map(text).collect();
        let count = |value: &Value| value.as_i64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
        let source = |pair: &Value| Some((count(pair.get(0)?), text(pair.get(1)?)));
        let sources = array("sources").iter().filter_map(source).collect();
        let mark = |pair: &Value| Some((count(pair.get(0)?), pair.get(1)?.clone()));
        let marks = array("marks").iter().filter_map(mark).collect();
        ItemChunk {
            keys: if keys.len() == values.len() { keys } else { Vec::new() },
            values,
            sources,
            marks,
            position: members.remove("position").unwrap_or_default(),
            is_last: members.get("is_last").and_then(Value::as_bool).unwrap_or(true),
        }
    }
}
