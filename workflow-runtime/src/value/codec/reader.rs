//! Reading a snapshot, which may have come from anywhere.

use super::apart::{Apart, Uses};
use super::{Load, LoadError};
use crate::value::Value;
use crate::value::keys::Keys;

/// Reads a snapshot. What it allocates is bounded by the length of the snapshot, whatever that claims.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many parts were announced. A part takes at least a byte, so that there cannot be more than bytes.
    announced: usize,
    points: Vec<&'a str>,
    /// The shared values; those that are still being read are not there yet.
    pub(super) shared: Vec<Option<Value>>,
    pub(super) keys: Keys,
    /// The values that are written apart, and which of them were referred to.
    apart: Option<&'a Apart>,
    uses: Vec<u64>,
}

impl<'a> Reader<'a> {
    /// A reader of the snapshot.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader {
            bytes,
            at: 0,
            announced: 0,
            points: Vec::new(),
            shared: Vec::new(),
            keys: Keys::new(),
            apart: None,
            uses: Vec::new(),
        }
    }

    /// A reader of a row whose large values are there.
    pub(crate) fn apart(bytes: &'a [u8], apart: &'a Apart) -> Reader<'a> {
        Reader { apart: Some(apart), ..Reader::new(bytes) }
    }

    /// Checks that all was read. What the row refers to.
    pub(crate) fn finish_apart(mut self) -> Result<Uses, LoadError> {
        let uses = std::mem::take(&mut self.uses);
        self.finish()?;
        Ok(uses.into())
    }

    /// A value that is written apart.
    pub(super) fn value_apart(&mut self, number: u64) -> Option<Value> {
        let value = self.apart?.value(number)?.clone();
        self.uses.push(number);
        Some(value)
    }

    /// Checks that all was read.
    pub fn finish(self) -> Result<(), LoadError> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(self.error("the snapshot should end here, and goes on")),
        }
    }

    /// Reads a part.
    pub fn take<T: Load>(&mut self) -> Result<T, LoadError> {
        T::load(self)
    }

    /// Reads the name of a point.
    pub fn point(&mut self) -> Result<&'a str, LoadError> {
        match self.u64()? {
            0 => {
                let name = self.str()?;
                self.points.push(name);
                Ok(name)
            }
            number => {
                let known = usize::try_from(number - 1).ok().and_then(|number| self.points.get(number));
                known.copied().ok_or_else(|| self.error(format!("point {number} is referred to and was never named")))
            }
        }
    }

    /// Reads text.
    pub fn str(&mut self) -> Result<&'a str, LoadError> {
        let start = self.at;
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes).map_err(|error| LoadError::at(format!("the text is not UTF-8: {error}"), start))
    }

    /// Reads bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], LoadError> {
        let len = self.u64()?;
        match usize::try_from(len).ok().and_then(|len| self.bytes[self.at..].split_at_checked(len)) {
            Some((bytes, rest)) => {
                self.at = self.bytes.len() - rest.len();
                Ok(bytes)
            }
            None => Err(self.error(format!("text of length {len} is announced, more than there is"))),
        }
    }

    /// Reads how many parts follow.
    pub fn count(&mut self) -> Result<usize, LoadError> {
        let len = self.u64()?;
        match usize::try_from(len) {
            Ok(parts) if parts <= self.bytes.len() - self.announced => {
                self.announced += parts;
                Ok(parts)
            }
            _ => Err(self.error(format!("a list of length {len} is announced, more than the snapshot can hold"))),
        }
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Result<u8, LoadError> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.error("the snapshot ends too early"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads a whole number without a sign.
    pub fn u64(&mut self) -> Result<u64, LoadError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.error("the number does not fit 64 bits"))
    }

    /// Reads a whole number.
    pub fn i64(&mut self) -> Result<i64, LoadError> {
        let value = self.u64()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Reads a double.
    pub fn f64(&mut self) -> Result<f64, LoadError> {
        match self.bytes[self.at..].first_chunk() {
            Some(bytes) => {
                self.at += bytes.len();
                Ok(f64::from_bits(u64::from_le_bytes(*bytes)))
            }
            None => Err(self.error("the snapshot ends too early")),
        }
    }

    /// An error at this byte of the snapshot.
    pub fn error(&self, problem: impl Into<String>) -> LoadError {
        LoadError::at(problem, self.at)
    }
}
