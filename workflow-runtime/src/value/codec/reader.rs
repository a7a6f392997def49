//! Reading of snapshots, which may be untrusted.

use super::shared_values::{Uses, ValueTable};
use super::{Load, LoadError};
use crate::value::Value;
use crate::value::keys::Keys;

/// A reader of snapshots. Its allocations are bounded by the length of the snapshot, whatever
/// lengths that claims.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of parts that were announced. A part takes at least one byte, which bounds the
    /// number.
    announced: usize,
    points: Vec<&'a str>,
    /// The shared values of this snapshot; `None` while a value is being read.
    pub(super) shared: Vec<Option<Value>>,
    pub(super) keys: Keys,
    /// The value table of the row's store, and the values of it that the row refers to.
    shared_values: Option<&'a ValueTable>,
    uses: Vec<u64>,
}

impl<'a> Reader<'a> {
    /// Returns `true` if everything has been read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Creates a reader of a snapshot.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader {
            bytes,
            at: 0,
            announced: 0,
            points: Vec::new(),
            shared: Vec::new(),
            keys: Keys::new(),
            shared_values: None,
            uses: Vec::new(),
        }
    }

    /// Creates a reader of a row whose large values are in a table.
    pub(crate) fn sharing(bytes: &'a [u8], shared_values: &'a ValueTable) -> Reader<'a> {
        Reader { shared_values: Some(shared_values), ..Reader::new(bytes) }
    }

    /// Checks that everything was read. Returns the references to the table.
    pub(crate) fn finish_sharing(mut self) -> Result<Uses, LoadError> {
        let uses = std::mem::take(&mut self.uses);
        self.finish()?;
        Ok(uses.into())
    }

    /// Returns a value of the table.
    pub(super) fn shared_value(&mut self, number: u64) -> Option<Value> {
        let value = self.shared_values?.value(number)?.clone();
        self.uses.push(number);
        Some(value)
    }

    /// Checks that everything was read.
    pub fn finish(self) -> Result<(), LoadError> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(self.error("unexpected bytes after the end of the snapshot")),
        }
    }

    /// Reads a part.
    pub fn take<T: Load>(&mut self) -> Result<T, LoadError> {
        T::load(self)
    }

    /// Reads the name of a suspension point.
    pub fn point(&mut self) -> Result<&'a str, LoadError> {
        match self.u64()? {
            0 => {
                let name = self.str()?;
                self.points.push(name);
                Ok(name)
            }
            number => {
                let known = usize::try_from(number - 1).ok().and_then(|number| self.points.get(number));
                known
                    .copied()
                    .ok_or_else(|| self.error(format!("undefined reference to the suspension point {number}")))
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
            None => Err(self.error(format!("the length {len} of a text exceeds the snapshot"))),
        }
    }

    /// Reads the number of parts that follow.
    pub fn count(&mut self) -> Result<usize, LoadError> {
        let len = self.u64()?;
        match usize::try_from(len) {
            Ok(parts) if parts <= self.bytes.len() - self.announced => {
                self.announced += parts;
                Ok(parts)
            }
            _ => Err(self.error(format!("the length {len} of a list exceeds the snapshot"))),
        }
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Result<u8, LoadError> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.error("unexpected end of the snapshot"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads an unsigned whole number.
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
        Err(self.error("the number does not fit into 64 bits"))
    }

    /// Reads a signed whole number.
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
            None => Err(self.error("unexpected end of the snapshot")),
        }
    }

    /// Creates an error at this byte of the snapshot.
    pub fn error(&self, problem: impl Into<String>) -> LoadError {
        LoadError::at(problem, self.at)
    }
}
