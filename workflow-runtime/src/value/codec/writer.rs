//! Writing a snapshot.

use std::collections::HashMap;

use super::Save;
use super::apart::{Apart, Writing};
use crate::value::Value;

/// Writes a snapshot.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// The points written so far, and which they were.
    points: HashMap<&'static str, u64>,
    /// The shared values written so far: where each lives, and which it was.
    places: HashMap<usize, u64>,
    /// The same values, kept alive so that nothing else can come to live there.
    kept: Vec<Value>,
    /// Where large values go, if they do not go here.
    writing: Option<Box<Writing>>,
}

impl Writer {
    /// An empty snapshot.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// A row whose large values go there.
    pub(super) fn apart(apart: Apart) -> Writer {
        Writer { writing: Some(Box::new(Writing::new(apart))), ..Writer::default() }
    }

    pub(super) fn finish_apart(self) -> (Vec<u8>, Writing) {
        (self.bytes, self.writing.map(|writing| *writing).unwrap_or_default())
    }

    pub(super) fn is_apart(&self) -> bool {
        self.writing.is_some()
    }

    /// Where large values go.
    pub(super) fn writing(&mut self) -> &mut Writing {
        self.writing.get_or_insert_default()
    }

    /// How many bytes were written.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes back what was written from there on.
    pub(super) fn split_off(&mut self, start: usize) -> Vec<u8> {
        self.bytes.split_off(start)
    }

    /// What was written.
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

    /// Writes the name of a point; at length only the first time.
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

    /// Writes how many parts follow.
    pub fn count(&mut self, len: usize) {
        self.u64(len as u64);
    }

    /// Writes a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes a whole number without a sign.
    pub fn u64(&mut self, value: u64) {
        let mut rest = value;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Writes a whole number.
    pub fn i64(&mut self, value: i64) {
        // The sign becomes the lowest bit, so that small negative numbers stay short.
        self.u64(((value << 1) ^ (value >> 63)) as u64);
    }

    /// Writes a double, exactly.
    pub fn f64(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    /// Notes a shared value, which lives at this place. The number of the value, if it was noted before.
    pub(super) fn note_shared(&mut self, place: usize, value: &Value) -> Option<u64> {
        let next = self.places.len() as u64;
        match *self.places.entry(place).or_insert(next) {
            known if known < next => Some(known),
            _ => {
                self.kept.push(value.clone());
                None
            }
        }
    }
}
