//! Shared values: large values are written once, outside of the rows that refer to them. An
//! execution that is stored row by row then writes a document when it changes, and not with every
//! row that refers to it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::value::{save_leaf, tag};
use super::{LoadError, Reader, Writer};
use crate::value::Value;
use crate::value::walk::Open;

/// The size from which an array, object or string is written as a shared value, without the shared
/// values inside of it.
const LARGE: usize = 1024;

/// The table of shared values. Numbers are not reused. A value inside of another has the lower
/// number.
#[derive(Default)]
pub(crate) struct ValueTable {
    /// The numbers of the values, by address.
    addresses: HashMap<usize, u64>,
    values: HashMap<u64, Entry>,
    last: u64,
    /// The values that were not written before, with their bytes.
    fresh: BTreeMap<u64, Vec<u8>>,
    /// The values without references.
    removed: Vec<u64>,
}

struct Entry {
    /// Kept alive, so that its address is not reused.
    value: Value,
    /// The number of references from rows and from other shared values.
    uses: u32,
    /// The shared values that it refers to.
    inner: Uses,
}

/// The references of a row: the numbers of shared values, with repetitions.
pub(crate) type Uses = Box<[u64]>;

impl ValueTable {
    /// Writes a row.
    pub fn write(&mut self, row: impl FnOnce(&mut Writer)) -> (Vec<u8>, Uses) {
        let mut w = Writer::sharing(std::mem::take(self));
        row(&mut w);
        let (bytes, writing) = w.finish_sharing();
        *self = writing.shared_values;
        (bytes, writing.uses.into())
    }

    /// Releases the references of a row.
    pub fn release(&mut self, uses: &[u64]) {
        let mut over: Vec<u64> = uses.to_vec();
        while let Some(number) = over.pop() {
            let Some(entry) = self.values.get_mut(&number) else { continue };
            entry.uses -= 1;
            if entry.uses > 0 {
                continue;
            }
            if let Some(entry) = self.values.remove(&number) {
                self.addresses.remove(&address(&entry.value));
                over.extend_from_slice(&entry.inner);
            }
            if self.fresh.remove(&number).is_none() {
                self.removed.push(number);
            }
        }
    }

    /// Returns the values to write and the values to remove since the last call.
    pub fn changes(&mut self) -> (BTreeMap<u64, Vec<u8>>, Vec<u64>) {
        (std::mem::take(&mut self.fresh), std::mem::take(&mut self.removed))
    }

    /// Loads values that were written, in any order.
    pub fn load(written: &BTreeMap<u64, &[u8]>) -> Result<ValueTable, LoadError> {
        let mut shared_values = ValueTable::default();
        for (number, bytes) in written {
            let mut r = Reader::sharing(bytes, &shared_values);
            let value: Value = r.take()?;
            let inner = r.finish_sharing()?;
            if *number == 0 || !matches!(value, Value::Array(_) | Value::Object(_) | Value::String(_)) {
                return Err(LoadError::new(format!("cannot read the shared value {number}")));
            }
            shared_values.refer(&inner);
            shared_values.last = *number;
            shared_values.addresses.insert(address(&value), *number);
            shared_values.values.insert(*number, Entry { value, uses: 0, inner });
        }
        Ok(shared_values)
    }

    /// Adds the references of a row that was read.
    pub fn refer(&mut self, uses: &[u64]) {
        for number in uses {
            if let Some(entry) = self.values.get_mut(number) {
                entry.uses += 1;
            }
        }
    }

    /// Marks values without references as removed. A consistent store has none.
    pub fn sweep(&mut self) {
        let unused = |(number, entry): (&u64, &Entry)| (entry.uses == 0).then_some(*number);
        let mut unused: Vec<u64> = self.values.iter().filter_map(unused).collect();
        unused.sort_unstable();
        for number in unused {
            self.refer(&[number]);
            self.release(&[number]);
        }
    }

    pub(super) fn value(&self, number: u64) -> Option<&Value> {
        self.values.get(&number).map(|entry| &entry.value)
    }

    fn add(&mut self, value: &Value, bytes: Vec<u8>, inner: Uses) -> u64 {
        self.last += 1;
        self.addresses.insert(address(value), self.last);
        self.values.insert(self.last, Entry { value: value.clone(), uses: 0, inner });
        self.fresh.insert(self.last, bytes);
        self.last
    }
}

/// A row that is being written, and the table for its large values.
#[derive(Default)]
pub(super) struct RowWriter {
    shared_values: ValueTable,
    uses: Vec<u64>,
}

impl RowWriter {
    pub fn new(shared_values: ValueTable) -> RowWriter {
        RowWriter { shared_values, uses: Vec::new() }
    }

    /// Adds a reference to a value.
    fn refer(&mut self, number: u64) -> u64 {
        self.shared_values.refer(&[number]);
        self.uses.push(number);
        number
    }
}

/// An array or object with parts that are still to be written.
struct Partial<'a> {
    open: Open<'a>,
    value: &'a Value,
    /// The offset of its first byte.
    start: usize,
    /// The offset of its first reference.
    uses: usize,
}

/// Writes a value, and its large parts as shared values. The bytes are moved, so that nothing is
/// traversed twice.
pub(super) fn save(value: &Value, w: &mut Writer) {
    let mut open: Vec<Partial<'_>> = Vec::new();
    save_head(value, &mut open, w);
    while let Some(innermost) = open.last_mut() {
        if let Some((key, value)) = innermost.open.next() {
            if let Some(key) = key {
                w.str(key);
            }
            save_head(value, &mut open, w);
        } else if let Some(Partial { value, start, uses, .. }) = open.pop() {
            move_to_table(value, start, uses, w);
        }
    }
}

fn save_head<'a>(value: &'a Value, open: &mut Vec<Partial<'a>>, w: &mut Writer) {
    if let Some(address) = table_address(value)
        && let Some(number) = w.writing().shared_values.addresses.get(&address).copied()
    {
        return save_reference(number, w);
    }
    let start = w.len();
    match value {
        Value::Array(items) => {
            let uses = w.writing().uses.len();
            w.u8(tag::ARRAY);
            w.count(items.len());
            open.push(Partial { open: Open::array(items), value, start, uses });
        }
        Value::Object(members) => {
            let uses = w.writing().uses.len();
            w.u8(tag::OBJECT);
            w.count(members.len());
            open.push(Partial { open: Open::object(members), value, start, uses });
        }
        Value::String(text) if text.len() >= LARGE && text.shared().is_some() => {
            let uses = w.writing().uses.len();
            save_leaf(value, w);
            move_to_table(value, start, uses, w);
        }
        _ => save_leaf(value, w),
    }
}

/// Moves the bytes from `start` on to the table if they are many, and writes a reference in their
/// place.
fn move_to_table(value: &Value, start: usize, uses: usize, w: &mut Writer) {
    if w.len() - start < LARGE {
        return;
    }
    let bytes = w.split_off(start);
    let inner = w.writing().uses.split_off(uses).into();
    let number = w.writing().shared_values.add(value, bytes, inner);
    save_reference(number, w);
}

fn save_reference(number: u64, w: &mut Writer) {
    let number = w.writing().refer(number);
    w.u8(tag::TABLE);
    w.u64(number);
}

/// Returns the address of a value, unless this handle is the only one: the table keeps a handle
/// of each of its values.
fn table_address(value: &Value) -> Option<usize> {
    let is_candidate = match value {
        Value::Array(items) => Arc::strong_count(items) > 1,
        Value::Object(members) => Arc::strong_count(members) > 1,
        Value::String(text) => text.len() >= LARGE && text.shared().is_some_and(|text| Arc::strong_count(text) > 1),
        _ => false,
    };
    is_candidate.then(|| address(value))
}

/// Returns the address of the value; 0 if it has none.
fn address(value: &Value) -> usize {
    match value {
        Value::Array(items) => Arc::as_ptr(items).addr(),
        Value::Object(members) => Arc::as_ptr(members).addr(),
        Value::String(text) => text.shared().map_or(0, text_place),
        _ => 0,
    }
}

fn text_place(text: &Arc<str>) -> usize {
    Arc::as_ptr(text).addr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;
    use crate::value::Str;

    /// The store of an engine.
    #[derive(Default)]
    struct Stored {
        shared_values: ValueTable,
        written: BTreeMap<u64, Vec<u8>>,
        bytes: usize,
    }

    impl Stored {
        fn write(&mut self, value: &Value) -> (Vec<u8>, Uses) {
            let row = self.shared_values.write(|w| w.put(value));
            self.note();
            self.bytes += row.0.len();
            row
        }

        fn note(&mut self) {
            let (fresh, removed) = self.shared_values.changes();
            self.bytes += fresh.values().map(Vec::len).sum::<usize>();
            self.written.extend(fresh);
            for number in removed {
                assert!(self.written.remove(&number).is_some());
            }
        }

        fn loaded(&self) -> ValueTable {
            let written = self.written.iter().map(|(number, bytes)| (*number, &bytes[..])).collect();
            ValueTable::load(&written).unwrap()
        }

        fn read(&self, shared_values: &mut ValueTable, row: &[u8]) -> Value {
            let mut r = Reader::sharing(row, shared_values);
            let value = r.take().unwrap();
            let uses = r.finish_sharing().unwrap();
            shared_values.refer(&uses);
            value
        }
    }

    fn document() -> Value {
        let line = |n: i64| value!({"n": n, "text": "0123456789".repeat(20)});
        value!({
            "lines": (0..400).map(line).collect::<Vec<_>>(), "long": "x".repeat(5_000), "small": [1, 2], "deep": [[["y".repeat(2_000)]]],
        })
    }

    #[test]
    fn a_document_is_written_when_it_changes_and_not_with_every_row() {
        let mut stored = Stored::default();
        let document = document();
        let mut rows: Vec<(Vec<u8>, Uses)> = Vec::new();
        for n in 0..1_000 {
            rows.push(stored.write(&value!({"item": n, "all": (document.clone())})));
        }
        assert!(stored.bytes < 160_000, "{} bytes", stored.bytes);
        let mut shared_values = stored.loaded();
        for (n, (row, _)) in rows.iter().enumerate() {
            assert_eq!(stored.read(&mut shared_values, row), value!({"item": n, "all": (document.clone())}));
        }
        // A small change of it writes little.
        let mut changed = document.clone();
        if let Value::Object(members) = &mut changed {
            Arc::make_mut(members).insert("small", value!("other"));
        }
        let before = stored.bytes;
        let (row, _) = stored.write(&changed);
        assert!(stored.bytes - before < 1_200, "{} bytes", stored.bytes - before);
        assert_eq!(stored.read(&mut stored.loaded(), &row), changed);
    }

    #[test]
    fn values_without_references_are_removed() {
        let mut stored = Stored::default();
        let document = document();
        let first = stored.write(&document);
        let second = stored.write(&value!([(document.clone()), (document.clone())]));
        stored.shared_values.release(&first.1);
        stored.note();
        assert_eq!(stored.read(&mut stored.loaded(), &second.0), value!([(document.clone()), (document)]));
        stored.shared_values.release(&second.1);
        stored.note();
        assert!(stored.written.is_empty());
        assert!(stored.shared_values.values.is_empty() && stored.shared_values.addresses.is_empty());
    }

    /// Loaded values are recognised: rows that refer to them do not write them again.
    #[test]
    fn a_store_that_was_loaded_goes_on() {
        let mut stored = Stored::default();
        let (row, _) = stored.write(&document());
        stored.shared_values = stored.loaded();
        let mut shared_values = std::mem::take(&mut stored.shared_values);
        let value = stored.read(&mut shared_values, &row);
        stored.shared_values = shared_values;
        let before = stored.bytes;
        stored.write(&value!([value]));
        assert!(stored.bytes - before < 100);
        // Values without a row are removed.
        let mut unused = stored.loaded();
        unused.sweep();
        assert_eq!(unused.changes().1.len(), stored.written.len());
    }

    /// A value that doubles on every level, and a deep value.
    #[test]
    fn sharing_and_depth_cost_nothing() {
        let value = (0..60).fold(value!("z".repeat(1_100)), |inner, _| value!([inner.clone(), inner]));
        let mut stored = Stored::default();
        stored.write(&value);
        assert!(stored.bytes < 20_000, "{}", stored.bytes);
        let deep = (0..100_000).fold(value!("z".repeat(1_100)), |inner, _| value!([inner]));
        let (row, _) = stored.write(&deep);
        assert_eq!(stored.read(&mut stored.loaded(), &row), deep);
    }

    #[test]
    fn a_missing_value_is_an_error() {
        let mut stored = Stored::default();
        let (row, _) = stored.write(&document());
        let none = ValueTable::default();
        let message = |result: Result<Value, LoadError>| result.unwrap_err().to_string();
        let missing = message(Reader::sharing(&row, &none).take());
        assert!(missing.contains("undefined shared value"), "{missing}");
        let whole = message(Reader::new(&row).take());
        assert!(whole.contains("undefined shared value"), "{whole}");
        let mut written: BTreeMap<u64, &[u8]> = BTreeMap::new();
        written.insert(7, &[tag::TABLE, 7]);
        assert!(ValueTable::load(&written).is_err());
        written.insert(7, &[tag::NULL]);
        assert!(ValueTable::load(&written).is_err());
    }

    #[test]
    fn a_text_that_lives_in_the_program_is_written_with_its_row() {
        let text = Value::String(Str::from_static(include_str!("shared_values.rs")));
        let mut stored = Stored::default();
        let (row, uses) = stored.write(&text);
        assert!(uses.is_empty());
        assert_eq!(stored.read(&mut ValueTable::default(), &row), text);
    }
}
