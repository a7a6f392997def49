//! The inputs of children: selected items, alone or in batches.

use super::items::{Cursor, ItemQueue, MapItem, Next};
use super::settings::Batcher;
use crate::fault::Fault;
use crate::value::{Object, Value};

/// The input of the next child.
pub(super) enum NextInput {
    /// An input, with the number of its items.
    Input(Value, u32),
    /// Its items are yet to be read.
    Unread,
    End,
}

/// The inputs of children, which are made of items.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The place behind the last item of the last input.
    pub cursor: Cursor,
    /// The selected items of the batch that is being filled, and the bytes of the input so far.
    batch: Vec<Value>,
    bytes: u64,
    /// A selected item that did not fit into a batch, its bytes, and the place before it.
    left: Option<(Value, u64, Cursor)>,
    /// An item that could not be selected, and the place before it.
    back: Option<(MapItem, Cursor)>,
}

impl Inputs {
    /// Returns the inputs behind a cursor.
    pub fn new(cursor: Cursor) -> Inputs {
        Inputs { cursor, ..Inputs::default() }
    }

    /// Returns the next input. `select` makes a value of an item.
    ///
    /// # Errors
    /// Those of `select`. The item is the next one again.
    pub fn next(
        &mut self,
        items: &mut ItemQueue,
        batcher: Option<&Batcher>,
        mut select: impl FnMut(&MapItem) -> Result<Value, Fault>,
    ) -> Result<NextInput, Fault> {
        let Some(batcher) = batcher else {
            let item = self.back.take().map_or_else(|| items.next(), |(item, _)| Next::Item(item));
            return Ok(match item {
                Next::Item(item) => {
                    let input = self.select(item, None, &mut select)?;
                    self.cursor = items.cursor();
                    NextInput::Input(input, 1)
                }
                Next::Unread => NextInput::Unread,
                Next::End => NextInput::End,
            });
        };
        loop {
            let (value, bytes, before) = match self.left.take() {
                Some(left) => left,
                None => {
                    let (item, before) = match self.back.take() {
                        Some((item, before)) => (Next::Item(item), before),
                        None => {
                            let before = items.cursor();
                            (items.next(), before)
                        }
                    };
                    match item {
                        Next::Item(item) => {
                            let value = self.select(item, Some(&before), &mut select)?;
                            let bytes = batcher.measure(&value);
                            (value, bytes, before)
                        }
                        Next::Unread => return Ok(NextInput::Unread),
                        Next::End if self.batch.is_empty() => return Ok(NextInput::End),
                        Next::End => return Ok(self.close(batcher, items.cursor())),
                    }
                }
            };
            if self.batch.is_empty() {
                self.bytes = batcher.measure(&batcher.input_of(Vec::new()));
            }
            // An element after the first has a comma before it. A single item is a batch, whatever
            // its size.
            let comma = u64::from(!self.batch.is_empty());
            let with_item = self.bytes.saturating_add(bytes).saturating_add(comma);
            if !self.batch.is_empty() && with_item > batcher.bytes {
                self.left = Some((value, bytes, before.clone()));
                return Ok(self.close(batcher, before));
            }
            self.batch.push(value);
            self.bytes = with_item;
            if self.batch.len() as u64 >= batcher.items {
                return Ok(self.close(batcher, items.cursor()));
            }
        }
    }

    /// Returns the number of items that were taken for inputs to come.
    pub fn held(&self) -> u64 {
        self.batch.len() as u64 + u64::from(self.left.is_some()) + u64::from(self.back.is_some())
    }

    /// Returns the batch that is being filled as the last input, if it has items.
    pub fn close_open(&mut self, items: &ItemQueue, batcher: Option<&Batcher>) -> NextInput {
        match batcher {
            Some(batcher) if !self.batch.is_empty() => self.close(batcher, items.cursor()),
            _ => NextInput::End,
        }
    }

    /// Selects an item. One that cannot be selected is kept, with the place before it.
    fn select(
        &mut self,
        item: MapItem,
        before: Option<&Cursor>,
        select: &mut impl FnMut(&MapItem) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        select(&item).inspect_err(|_| {
            let before = before.unwrap_or(&self.cursor).clone();
            self.back = Some((item.clone(), before));
        })
    }

    fn close(&mut self, batcher: &Batcher, cursor: Cursor) -> NextInput {
        self.cursor = cursor;
        let batch = std::mem::take(&mut self.batch);
        // The number of items is limited by what a cursor and a frame can count.
        let items = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        NextInput::Input(batcher.input_of(batch), items)
    }
}

impl Batcher {
    /// Returns the bytes of a value, or a number above the limit.
    fn measure(&self, value: &Value) -> u64 {
        value.json_len(self.bytes).unwrap_or(self.bytes.saturating_add(1))
    }

    fn input_of(&self, items: Vec<Value>) -> Value {
        let mut input = Object::with_capacity(2);
        if let Some(of_all) = &self.input {
            input.insert("BatchInput", of_all.clone());
        }
        input.insert("Items", Value::from(items));
        input.into()
    }
}
