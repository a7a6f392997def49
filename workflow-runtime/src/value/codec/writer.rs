//! RowWriter of snapshots.

use std::collections::HashMap;

use super::Save;
use super::shared_values::{RowWriter, ValueTable};
use crate::value::Value;

/// A writer of snapshots.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// The suspension points written so far, and their numbers.
    points: HashMap<&'static str, u64>,
    /// The shared values written so far: address and number.
    addresses: HashMap<usize, u64>,
    /// The same values, keep_alive alive so that their addresses are not reused.
    keep_alive: Vec<Value>,
    /// The row that is being written, if large values go to a table.
    writing: Option<Box<RowWriter>>,
}

/// The capacity that most rows need.
const ROW: usize = 512;

impl Writer {
    /// Creates a writer of an empty snapshot.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// Creates an empty writer with room for this many bytes.
    pub fn with_capacity(bytes: usize) -> Writer {
        Writer { bytes: Vec::with_capacity(bytes), ..Writer::default() }
    }

    /// Creates a writer of a row whose large values go to a table.
    pub(super) fn sharing(shared_values: ValueTable) -> Writer {
        let writing = Some(Box::new(RowWriter::new(shared_values)));
        Writer { bytes: Vec::with_capacity(ROW), writing, ..Writer::default() }
    }

    pub(super) fn finish_sharing(self) -> (Vec<u8>, RowWriter) {
        (self.bytes, self.writing.map(|writing| *writing).unwrap_or_default())
    }

    pub(super) fn is_sharing(&self) -> bool {
        self.writing.is_some()
    }

    /// Returns the row that is being written.
    pub(super) fn writing(&mut self) -> &mut RowWriter {
        self.writing.get_or_insert_default()
    }

    /// Returns the number of bytes written.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Removes and returns the bytes from `start` on.
    pub(super) fn split_off(&mut self, start: usize) -> Vec<u8> {
        self.bytes.split_off(start)
    }

    /// Returns the bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes a part.
    pub fn put<T: Save + ?Sized>(&mut self, part: &T) {
        part.save(self);
    }

    /// Writes several parts.
    pub fn put_all(&mut self, parts: &[&dyn Save]) {
        parts.iter().for_each(|part| part.save(self));
    }

    /// Writes the name of a suspension point, in full only the first time.
    pub fn point(&mut self, name: &'static str) {
        let next = self.points.len() as u64;
        match *self.points.entry(name).or_insert(next) {
            known if known < next => self.u64(known + 1),
            _ => {
                self.u64(0);
                self.str(name);
            }
        }
    }

    /// Writes text.
    pub fn str(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes the number of parts that follow.
    pub fn count(&mut self, len: usize) {
        self.u64(len as u64);
    }

    /// Writes a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes an unsigned whole number.
    pub fn u64(&mut self, value: u64) {
        let mut rest = value;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Writes a signed whole number.
    pub fn i64(&mut self, value: i64) {
        // Zigzag encoding: the sign becomes the lowest bit, so that small negative numbers stay
        // short.
        self.u64(((value << 1) ^ (value >> 63)) as u64);
    }

    /// Writes a double, exactly.
    pub fn f64(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    /// Records a shared value at this address. Returns its number if it was recorded before.
    pub(super) fn record_shared(&mut self, address: usize, value: &Value) -> Option<u64> {
        let next = self.addresses.len() as u64;
        match *self.addresses.entry(address).or_insert(next) {
            known if known < next => Some(known),
            _ => {
                self.keep_alive.push(value.clone());
                None
            }
        }
    }
}
