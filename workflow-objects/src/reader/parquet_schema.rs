//! The schema in the directory of a table of Apache Parquet, checked before it is built.
//!
//! The crate `parquet` goes down into nested groups by recursion, and reserves memory for as many
//! children as a group says it has. The check refuses what the crate could understand otherwise:
//! fields that are not in order, and known fields of another type.

use parquet::errors::{ParquetError, Result};

/// The deepest nesting, as values of the runtime have it.
const MAX_LEVELS: usize = 127;

/// The largest number of columns and groups: those of sheets in groups of a few, and far more.
const MAX_ELEMENTS: u64 = 1_000_000;

/// The deepest nesting of unknown fields, as the crate skips it.
const MAX_SKIPPED: u32 = 64;

/// The fewest bytes of a row group in a directory.
const ROW_GROUP: usize = 7;

// The types of fields in the compact protocol of Thrift.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Checks the directory of a table: a `FileMetaData` in the compact protocol of Thrift.
///
/// # Errors
/// The schema is nested too deeply, is too large, or does not have the children that it counts.
pub(super) fn check_schema(directory: &[u8]) -> Result<()> {
    let mut data = Thrift { rest: directory };
    data.expect_field(0, 1, I32)?;
    data.number()?;
    data.expect_field(1, 2, LIST)?;
    let count = data.list(STRUCT)?;
    if count > MAX_ELEMENTS {
        return Err(bad(format!("the schema has more than {MAX_ELEMENTS} elements")));
    }
    // The children of each open group, and of all, that are still to come.
    let (mut open, mut awaited) = (Vec::new(), 0);
    for at in 0..count {
        let children = data.element()?;
        if open.len() == MAX_LEVELS {
            return Err(bad(format!("the schema is nested deeper than {MAX_LEVELS} levels")));
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
            awaited -= 1;
        }
        awaited += children;
        if awaited > count - at - 1 {
            return Err(bad("the schema has fewer elements than its groups have children"));
        }
        if children > 0 {
            open.push(children);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    data.expect_field(2, 3, I64)?;
    data.number()?;
    data.expect_field(3, 4, LIST)?;
    let groups = data.list(STRUCT)?;
    match groups > (data.rest.len() / ROW_GROUP) as u64 {
        true => Err(bad("the directory has fewer row groups than it says")),
        false => Ok(()),
    }
}

fn bad(cause: impl Into<String>) -> ParquetError {
    ParquetError::General(cause.into())
}

fn damaged() -> ParquetError {
    bad("the directory of the table is damaged")
}

/// Data in the compact protocol of Thrift.
struct Thrift<'a> {
    rest: &'a [u8],
}

impl Thrift<'_> {
    fn byte(&mut self) -> Result<u8> {
        let (byte, rest) = self.rest.split_first().ok_or_else(damaged)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn pass(&mut self, bytes: u64) -> Result<()> {
        let bytes = usize::try_from(bytes).map_err(|_| damaged())?;
        self.rest = self.rest.get(bytes..).ok_or_else(damaged)?;
        Ok(())
    }

    fn unsigned(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        // The tenth byte has the highest bit.
        match self.byte()? {
            byte @ (0 | 1) => Ok(number | u64::from(byte) << 63),
            _ => Err(damaged()),
        }
    }

    fn number(&mut self) -> Result<i64> {
        let zigzag = self.unsigned()?;
        // Half of a `u64` fits.
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    /// Returns the number and the type of the next field, or `None` at the end of a structure.
    fn field(&mut self, last: i16) -> Result<Option<(i16, u8)>> {
        let byte = self.byte()?;
        let (delta, kind) = (byte >> 4, byte & 0xf);
        Ok(match (delta, kind) {
            (_, 0) => None,
            (_, UUID..) if kind > UUID => return Err(damaged()),
            (0, _) => Some((i16::try_from(self.number()?).map_err(|_| damaged())?, kind)),
            _ => Some((last.checked_add(i16::from(delta)).ok_or_else(damaged)?, kind)),
        })
    }

    fn expect_field(&mut self, last: i16, number: i16, kind: u8) -> Result<()> {
        match self.field(last)? == Some((number, kind)) {
            true => Ok(()),
            false => Err(damaged()),
        }
    }

    fn expect_end(&mut self) -> Result<()> {
        match self.field(0)? {
            None => Ok(()),
            Some(_) => Err(damaged()),
        }
    }

    /// Returns the type and the number of the elements of a list.
    fn list_of_any(&mut self) -> Result<(u8, u64)> {
        let byte = self.byte()?;
        Ok(match byte >> 4 {
            15 => (byte & 0xf, self.unsigned()?),
            count => (byte & 0xf, u64::from(count)),
        })
    }

    /// Returns the number of the elements of a list. An empty one may have no type.
    fn list(&mut self, kind: u8) -> Result<u64> {
        match self.list_of_any()? {
            (0, 0) => Ok(0),
            (found, count) if found == kind => Ok(count),
            _ => Err(damaged()),
        }
    }

    /// Passes an element of the schema. Returns the number of its children.
    fn element(&mut self) -> Result<u64> {
        let (mut last, mut children) = (0, 0);
        while let Some((number, kind)) = self.field(last)? {
            match (number, kind) {
                (5, I32) => children = u64::try_from(self.number()?).map_err(|_| damaged())?,
                (1..=3 | 6..=9, I32) | (4, BINARY) => self.skip(kind, 0)?,
                (10, STRUCT) => self.logical_type()?,
                (1..=10, _) => return Err(damaged()),
                _ => self.skip(kind, 0)?,
            }
            last = number;
        }
        // The crate has an `i32`.
        match children > i32::MAX as u64 {
            true => Err(damaged()),
            false => Ok(children),
        }
    }

    /// Passes a logical type: a structure with a structure in its only field.
    fn logical_type(&mut self) -> Result<()> {
        let Some((number, STRUCT)) = self.field(0)? else { return Err(damaged()) };
        let mut last = 0;
        while let Some((member, kind)) = self.field(last)? {
            match (number, member, kind) {
                // The scale and the precision of decimals, and the edges of geographies.
                (5, 1 | 2, I32) | (18, 2, I32) => self.skip(kind, 0)?,
                // The widths of integers, the versions of variants, and the systems of places.
                (10 | 16, 1, BYTE) | (17 | 18, 1, BINARY) => self.skip(kind, 0)?,
                // Flags: times are of UTC, integers are signed.
                (7 | 8, 1, TRUE | FALSE) | (10, 2, TRUE | FALSE) => {}
                // The units of times: a structure with an empty one.
                (7 | 8, 2, STRUCT) => {
                    let Some((_, STRUCT)) = self.field(0)? else { return Err(damaged()) };
                    self.expect_end()?;
                    self.expect_end()?;
                }
                (_, 1 | 2, _) => return Err(damaged()),
                _ => self.skip(kind, 0)?,
            }
            last = member;
        }
        self.expect_end()
    }

    /// Passes a value. Values of truth have no bytes, in lists neither: the crate skips them so.
    fn skip(&mut self, kind: u8, depth: u32) -> Result<()> {
        if depth == MAX_SKIPPED {
            return Err(damaged());
        }
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.pass(1),
            I16 | I32 | I64 => self.number().map(drop),
            DOUBLE => self.pass(8),
            UUID => self.pass(16),
            BINARY => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            STRUCT => {
                // The numbers of unknown fields do not matter.
                while let Some((_, kind)) = self.field(0)? {
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            LIST | SET => {
                let (kind, count) = self.list_of_any()?;
                self.skip_all(&[kind], count, depth)
            }
            MAP => match self.unsigned()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.skip_all(&[kinds >> 4, kinds & 0xf], count, depth)
                }
            },
            _ => Err(damaged()),
        }
    }

    fn skip_all(&mut self, kinds: &[u8], count: u64, depth: u32) -> Result<()> {
        // Otherwise, a few bytes could count more values of truth than there is time for.
        if count > self.rest.len() as u64 {
            return Err(damaged());
        }
        (0..count).try_for_each(|_| kinds.iter().try_for_each(|kind| self.skip(*kind, depth + 1)))
    }
}
