//! Large values are written apart from what refers to them, once: an execution that is stored row by row then writes a
//! document when it changes, and not whenever a row that mentions it is written.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::value::{save_leaf, tag};
use super::{LoadError, Reader, Writer};
use crate::value::Value;
use crate::value::walk::Open;

/// From how many bytes on an array, object or string is written apart, not counting what is apart inside of it.
const LARGE: usize = 1024;

/// The values that are written apart. Numbers are used for one value only, and one that is inside another has the lower
/// number.
#[derive(Default)]
pub(crate) struct Apart {
    /// Where each of them lives, and its number.
    places: HashMap<usize, u64>,
    values: HashMap<u64, Entry>,
    last: u64,
    /// Those that were not written before, with their bytes.
    fresh: BTreeMap<u64, Vec<u8>>,
    /// Those that nothing refers to any more.
    gone: Vec<u64>,
}

struct Entry {
    /// Kept alive, so that nothing else can come to live there.
    value: Value,
    /// How often it is referred to, by rows and by others of its kind.
    uses: u32,
    /// What it refers to.
    inner: Uses,
}

/// The numbers of what a row refers to, as often as it does.
pub(crate) type Uses = Box<[u64]>;

impl Apart {
    /// Writes a row.
    pub fn write(&mut self, row: impl FnOnce(&mut Writer)) -> (Vec<u8>, Uses) {
        let mut w = Writer::apart(std::mem::take(self));
        row(&mut w);
        let (bytes, writing) = w.finish_apart();
        *self = writing.apart;
        (bytes, writing.uses.into())
    }

    /// A row no longer refers to these.
    pub fn release(&mut self, uses: &[u64]) {
        let mut over: Vec<u64> = uses.to_vec();
        while let Some(number) = over.pop() {
            let Some(entry) = self.values.get_mut(&number) else { continue };
            entry.uses -= 1;
            if entry.uses > 0 {
                continue;
            }
            if let Some(entry) = self.values.remove(&number) {
                self.places.remove(&place(&entry.value));
                over.extend_from_slice(&entry.inner);
            }
            if self.fresh.remove(&number).is_none() {
                self.gone.push(number);
            }
        }
    }

    /// What was written since this was last asked for, and what is gone.
    pub fn changes(&mut self) -> (BTreeMap<u64, Vec<u8>>, Vec<u64>) {
        (std::mem::take(&mut self.fresh), std::mem::take(&mut self.gone))
    }

    /// Reads what was written, in any order.
    pub fn load(written: &BTreeMap<u64, &[u8]>) -> Result<Apart, LoadError> {
        let mut apart = Apart::default();
        for (number, bytes) in written {
            let mut r = Reader::apart(bytes, &apart);
            let value: Value = r.take()?;
            let inner = r.finish_apart()?;
            if *number == 0 || !matches!(value, Value::Array(_) | Value::Object(_) | Value::String(_)) {
                return Err(LoadError::new(format!("the value {number} that is written apart is none that can be")));
            }
            apart.refer(&inner);
            apart.last = *number;
            apart.places.insert(place(&value), *number);
            apart.values.insert(*number, Entry { value, uses: 0, inner });
        }
        Ok(apart)
    }

    /// A row that was read refers to these.
    pub fn refer(&mut self, uses: &[u64]) {
        for number in uses {
            if let Some(entry) = self.values.get_mut(number) {
                entry.uses += 1;
            }
        }
    }

    /// Marks what nothing refers to, which no store should have, as gone.
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
        self.places.insert(place(value), self.last);
        self.values.insert(self.last, Entry { value: value.clone(), uses: 0, inner });
        self.fresh.insert(self.last, bytes);
        self.last
    }
}

/// A row that is written: its large values go here.
#[derive(Default)]
pub(super) struct Writing {
    apart: Apart,
    uses: Vec<u64>,
}

impl Writing {
    pub fn new(apart: Apart) -> Writing {
        Writing { apart, uses: Vec::new() }
    }

    /// Refers to a value.
    fn refer(&mut self, number: u64) -> u64 {
        self.apart.refer(&[number]);
        self.uses.push(number);
        number
    }
}

/// An array or object of which parts are still to be written.
struct Partial<'a> {
    open: Open<'a>,
    value: &'a Value,
    /// Where its bytes begin.
    start: usize,
    /// Where the numbers of what it refers to begin.
    uses: usize,
}

/// Writes a value, what is large in it apart. The bytes are those of its parts, so nothing is walked over twice.
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
            move_apart(value, start, uses, w);
        }
    }
}

fn save_head<'a>(value: &'a Value, open: &mut Vec<Partial<'a>>, w: &mut Writer) {
    let (start, uses) = (w.len(), w.writing().uses.len());
    if let Some(number) = w.writing().apart.places.get(&place(value)).copied() {
        return save_reference(number, w);
    }
    match value {
        Value::Array(items) => {
            w.u8(tag::ARRAY);
            w.count(items.len());
            open.push(Partial { open: Open::array(items), value, start, uses });
        }
        Value::Object(members) => {
            w.u8(tag::OBJECT);
            w.count(members.len());
            open.push(Partial { open: Open::object(members), value, start, uses });
        }
        Value::String(text) if text.len() >= LARGE && text.shared().is_some() => {
            save_leaf(value, w);
            move_apart(value, start, uses, w);
        }
        _ => save_leaf(value, w),
    }
}

/// Puts what was written from there on apart if it is large, and a reference in its place.
fn move_apart(value: &Value, start: usize, uses: usize, w: &mut Writer) {
    if w.len() - start < LARGE {
        return;
    }
    let bytes = w.split_off(start);
    let inner = w.writing().uses.split_off(uses).into();
    let number = w.writing().apart.add(value, bytes, inner);
    save_reference(number, w);
}

fn save_reference(number: u64, w: &mut Writer) {
    let number = w.writing().refer(number);
    w.u8(tag::APART);
    w.u64(number);
}

/// Where the value lives; 0 for what lives nowhere.
fn place(value: &Value) -> usize {
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

    /// A store, as an engine has one.
    #[derive(Default)]
    struct Stored {
        apart: Apart,
        written: BTreeMap<u64, Vec<u8>>,
        bytes: usize,
    }

    impl Stored {
        fn write(&mut self, value: &Value) -> (Vec<u8>, Uses) {
            let row = self.apart.write(|w| w.put(value));
            self.note();
            self.bytes += row.0.len();
            row
        }

        fn note(&mut self) {
            let (fresh, gone) = self.apart.changes();
            self.bytes += fresh.values().map(Vec::len).sum::<usize>();
            self.written.extend(fresh);
            for number in gone {
                assert!(self.written.remove(&number).is_some());
            }
        }

        fn loaded(&self) -> Apart {
            let written = self.written.iter().map(|(number, bytes)| (*number, &bytes[..])).collect();
            Apart::load(&written).unwrap()
        }

        fn read(&self, apart: &mut Apart, row: &[u8]) -> Value {
            let mut r = Reader::apart(row, apart);
            let value = r.take().unwrap();
            let uses = r.finish_apart().unwrap();
            apart.refer(&uses);
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
        let mut apart = stored.loaded();
        for (n, (row, _)) in rows.iter().enumerate() {
            assert_eq!(stored.read(&mut apart, row), value!({"item": n, "all": (document.clone())}));
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
    fn what_nothing_refers_to_is_gone() {
        let mut stored = Stored::default();
        let document = document();
        let first = stored.write(&document);
        let second = stored.write(&value!([(document.clone()), (document.clone())]));
        stored.apart.release(&first.1);
        stored.note();
        assert_eq!(stored.read(&mut stored.loaded(), &second.0), value!([(document.clone()), (document)]));
        stored.apart.release(&second.1);
        stored.note();
        assert!(stored.written.is_empty());
        assert!(stored.apart.values.is_empty() && stored.apart.places.is_empty());
    }

    /// Loaded values are known again: what refers to them is written without them.
    #[test]
    fn a_store_that_was_loaded_goes_on() {
        let mut stored = Stored::default();
        let (row, _) = stored.write(&document());
        stored.apart = stored.loaded();
        let mut apart = std::mem::take(&mut stored.apart);
        let value = stored.read(&mut apart, &row);
        stored.apart = apart;
        let before = stored.bytes;
        stored.write(&value!([value]));
        assert!(stored.bytes - before < 100);
        // What no row was read for is swept away.
        let mut unused = stored.loaded();
        unused.sweep();
        assert_eq!(unused.changes().1.len(), stored.written.len());
    }

    /// Twice as much on every level, and deep.
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
    fn what_is_not_there_is_an_error() {
        let mut stored = Stored::default();
        let (row, _) = stored.write(&document());
        let none = Apart::default();
        let message = |result: Result<Value, LoadError>| result.unwrap_err().to_string();
        let missing = message(Reader::apart(&row, &none).take());
        assert!(missing.contains("is written apart and is not there"), "{missing}");
        let whole = message(Reader::new(&row).take());
        assert!(whole.contains("is written apart and is not there"), "{whole}");
        let mut written: BTreeMap<u64, &[u8]> = BTreeMap::new();
        written.insert(7, &[tag::APART, 7]);
        assert!(Apart::load(&written).is_err());
        written.insert(7, &[tag::NULL]);
        assert!(Apart::load(&written).is_err());
    }

    #[test]
    fn a_text_that_lives_in_the_program_is_written_with_its_row() {
        let text = Value::String(Str::from_static(include_str!("apart.rs")));
        let mut stored = Stored::default();
        let (row, uses) = stored.write(&text);
        assert!(uses.is_empty());
        assert_eq!(stored.read(&mut Apart::default(), &row), text);
    }
}
