//! The items of a run: their source, the items that were read ahead, and the cursor.

use std::collections::VecDeque;
use std::sync::Arc;

use super::settings::Settings;
use crate::machine::{DistributedMap, ReaderKind};
use crate::objects::{ItemChunk, ReadItems};
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Str, Value, object};

/// The most items, and about the most bytes of JSON text, that are read at once.
const READ_ITEMS: u32 = 1_000;
const READ_BYTES: u64 = 1 << 20;

/// The source of items that are part of the state's data.
const STATE_DATA: Str = Str::from_static("STATE_DATA");

/// An item.
#[derive(Debug, Clone)]
pub(super) struct MapItem {
    /// Its number in the whole data set.
    pub index: u64,
    pub key: Option<Str>,
    pub value: Value,
    pub source: Str,
}

impl MapItem {
    /// Returns the input of a child: the value, or a pair where the data is an object.
    pub fn to_input(&self) -> Value {
        match &self.key {
            None => self.value.clone(),
            Some(key) => object([("Key", key.clone().into()), ("Value", self.value.clone())]),
        }
    }

    /// Returns the input of the selector.
    pub fn to_selector_input(&self, scope: &Value) -> Value {
        let MapItem { index, key, value, source } = self.clone();
        let mut input = crate::value::Object::with_capacity(5);
        input.insert("index", Value::from(index));
        input.insert("value", value);
        if let Some(key) = key {
            input.insert("key", key);
        }
        input.insert("source", source);
        input.insert("scope", scope.clone());
        input.into()
    }
}

/// A place between two items.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cursor {
    /// A position of the reader. Null for the beginning, and without a reader.
    pub position: Value,
    /// The number of items between the position and the place.
    pub skipped: u64,
    /// The number of items before the place.
    pub index: u64,
    /// `true` behind the last item.
    pub is_end: bool,
}

/// The next item.
pub(super) enum Next {
    Item(MapItem),
    /// The item is yet to be read.
    Unread,
    End,
}

/// The items of a run.
#[derive(Debug)]
pub(super) struct ItemQueue {
    /// The items of the input, unless there is a reader.
    data: Option<Data>,
    /// The place behind the last item that was taken.
    taken: Cursor,
    /// The items that were read and not taken.
    ahead: VecDeque<MapItem>,
    /// The positions among them: the number of all items before each, and the position.
    marks: VecDeque<(u64, Value)>,
    /// The position behind the items in `ahead`, and whether there are more.
    next: Option<(Value, bool)>,
    /// `true` while a chunk is being read.
    pub is_reading: bool,
    has_failed: bool,
}

#[derive(Debug)]
enum Data {
    Array(Value),
    Object(Value),
}

impl ItemQueue {
    /// Returns the items behind a cursor.
    pub fn new(map: &DistributedMap, settings: &Settings, cursor: Cursor) -> ItemQueue {
        let data = map.reader.is_none().then(|| match &settings.items {
            items @ Value::Object(_) => Data::Object(items.clone()),
            items => Data::Array(items.clone()),
        });
        ItemQueue {
            data,
            taken: cursor,
            ahead: VecDeque::new(),
            marks: VecDeque::new(),
            next: None,
            is_reading: false,
            has_failed: false,
        }
    }

    /// Returns the place behind the last item that was taken.
    pub fn cursor(&self) -> Cursor {
        self.taken.clone()
    }

    /// Returns the number of all items, if it is known.
    pub fn total(&self) -> Option<u64> {
        match &self.data {
            Some(data) => Some(data.len() as u64),
            None if self.taken.is_end => Some(self.taken.index),
            None => match &self.next {
                Some((_, true)) => Some(self.taken.index + self.ahead.len() as u64),
                _ => None,
            },
        }
    }

    /// Returns the number of items that are known and not taken.
    pub fn pending(&self) -> u64 {
        match &self.data {
            Some(data) => (data.len() as u64).saturating_sub(self.taken.index),
            None => self.ahead.len() as u64,
        }
    }

    /// Takes the next item.
    pub fn next(&mut self) -> Next {
        if self.taken.is_end {
            return Next::End;
        }
        let index = self.taken.index;
        if let Some(data) = &self.data {
            let Some((key, value)) = data.get(index) else { return Next::End };
            self.taken.index += 1;
            return Next::Item(MapItem { index, key, value, source: STATE_DATA });
        }
        let Some(item) = self.ahead.pop_front() else { return Next::Unread };
        self.taken.index += 1;
        self.taken.skipped += 1;
        self.reach_marks();
        self.end_chunk();
        Next::Item(item)
    }

    /// Records that the items cannot be read.
    pub fn fail(&mut self) {
        (self.is_reading, self.has_failed) = (false, true);
    }

    /// Returns `true` if more items can be read.
    pub fn can_read(&self) -> bool {
        !self.has_failed
    }

    /// Goes to the last position that was reached within the chunk.
    fn reach_marks(&mut self) {
        while self.marks.front().is_some_and(|(index, _)| *index <= self.taken.index)
            && let Some((index, position)) = self.marks.pop_front()
        {
            (self.taken.position, self.taken.skipped) = (position, self.taken.index - index);
        }
    }

    /// Goes to the beginning of the next chunk, if all items of a chunk were taken.
    fn end_chunk(&mut self) {
        if self.ahead.is_empty()
            && let Some((position, is_last)) = self.next.take()
        {
            self.marks.clear();
            (self.taken.position, self.taken.skipped) = (position, 0);
            self.taken.is_end = is_last;
        }
    }

    /// Returns the request for the next chunk.
    pub fn request(&self, map: &DistributedMap, kind: ReaderKind, settings: &Settings) -> Arc<ReadItems> {
        let (reader, config) = (settings.reader.clone(), settings.config.clone());
        let request = ReadItems::new(kind, reader, config, READ_ITEMS, READ_BYTES);
        Arc::new(request.of_map(Str::from_static(map.state)).behind(self.taken.position.clone()))
    }

    /// Adds a chunk that was read. After the run was loaded, items of it may have been taken.
    pub fn add(&mut self, chunk: ItemChunk) {
        self.is_reading = false;
        let ItemChunk { values, keys, sources, marks, position, is_last } = chunk;
        let before = self.taken.index.saturating_sub(self.taken.skipped);
        self.marks = marks.into_iter().map(|(count, position)| (before + u64::from(count), position)).collect();
        let skipped = usize::try_from(self.taken.skipped).unwrap_or(usize::MAX).min(values.len());
        let first = self.taken.index;
        let mut keys = keys.into_iter();
        let mut sources = sources.into_iter().flat_map(|(count, source)| std::iter::repeat_n(source, count as usize));
        for (at, value) in values.into_iter().enumerate() {
            let (key, source) = (keys.next(), sources.next().unwrap_or_default());
            if at >= skipped {
                let index = first + (at - skipped) as u64;
                self.ahead.push_back(MapItem { index, key, value, source });
            }
        }
        let unread = self.taken.skipped - skipped as u64;
        self.next = Some((position, is_last));
        self.reach_marks();
        self.end_chunk();
        if unread > 0 {
            // The chunk has become smaller. What is left to skip is in the next one.
            self.taken.skipped = unread;
        }
    }
}

impl Data {
    fn len(&self) -> usize {
        match self {
            Data::Array(items) => items.as_array().map_or(0, |items| items.len()),
            Data::Object(members) => members.as_object().map_or(0, |members| members.len()),
        }
    }

    fn get(&self, index: u64) -> Option<(Option<Str>, Value)> {
        let index = usize::try_from(index).ok()?;
        match self {
            Data::Array(items) => Some((None, items.as_array()?.get(index)?.clone())),
            Data::Object(members) => {
                let (key, value) = members.as_object()?.get_index(index)?;
                Some((Some(key.clone()), value.clone()))
            }
        }
    }
}

impl Save for Cursor {
    fn save(&self, w: &mut Writer) {
        w.put(&self.position);
        w.put(&self.skipped);
        w.put(&self.index);
        w.put(&self.is_end);
    }
}

impl Load for Cursor {
    fn load(r: &mut Reader<'_>) -> Result<Cursor, LoadError> {
        Ok(Cursor { position: r.take()?, skipped: r.take()?, index: r.take()?, is_end: r.take()? })
    }
}
