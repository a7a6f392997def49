//! The rows that the pages of a repeated column of Apache Parquet have.
//!
//! Few bytes can be many values: a run of levels with a run of one large value of a dictionary.
//! The crate `parquet` makes a row of them before anyone sees how large it is.

use std::collections::BTreeMap;

use parquet::errors::{ParquetError, Result};

use super::limits::MAX_RECORD;
use super::parquet_delta::unsigned;

/// The most bytes that the values of a row may have in memory. Their JSON text is shorter.
const MAX_ROW: u64 = 16 * MAX_RECORD as u64;

/// The bytes of a value in memory, without its text.
const VALUE: u64 = 64;

/// The rows of the pages of a column, counted by their repetition levels.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowCounter {
    /// The number of rows that have begun.
    pub(super) begun: u64,
    /// The number of values of the last one so far.
    open: u64,
}

impl RowCounter {
    /// Counts the values of a page. Returns the most that a row has, or `None` if the levels are
    /// damaged.
    pub(super) fn count(&mut self, mut levels: &[u8], bits: usize, values: u32) -> Option<u64> {
        let (mut most, mut left) = (self.open, u64::from(values));
        // Where the levels end too early, the crate refuses the page.
        while left > 0 && !levels.is_empty() {
            let header = unsigned(&mut levels)?;
            if header == 0 {
                break;
            }
            if header & 1 == 0 {
                // A run of a level. No schema has more than 127 of them: it has a byte.
                let (level, rest) = levels.split_first()?;
                levels = rest;
                let count = left.min(header >> 1);
                left -= count;
                match level {
                    // Each value begins a row.
                    0 => {
                        most = most.max(self.open);
                        self.begun += count;
                        self.open = 1;
                    }
                    _ => self.open += count,
                }
                most = most.max(self.open);
                continue;
            }
            // Levels side by side, in groups of eight.
            let groups = usize::try_from(header >> 1).unwrap_or(usize::MAX);
            let length = groups.saturating_mul(bits).min(levels.len());
            let (packed, rest) = levels.split_at(length);
            levels = rest;
            let count = left.min((packed.len() * 8 / bits) as u64);
            left -= count;
            // At most eight times the length of a slice, in `usize`.
            for at in (0..count as usize).map(|value| value * bits) {
                let pair = [packed[at / 8], packed.get(at / 8 + 1).copied().unwrap_or(0)];
                if u16::from_le_bytes(pair) >> (at % 8) & ((1 << bits) - 1) == 0 {
                    self.begun += 1;
                    self.open = 0;
                }
                self.open += 1;
                most = most.max(self.open);
            }
        }
        Some(most)
    }
}

/// The sizes of the rows in the current pages of a row group, by the numbers of the columns.
#[derive(Debug, Default)]
pub(super) struct RowSizes {
    columns: BTreeMap<usize, RowSize>,
}

/// The largest row in the current page of a repeated column.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct RowSize {
    /// The number of the field of the table that the column belongs to.
    pub(super) field: usize,
    /// The most values of a row.
    pub(super) values: u64,
    /// The bytes of the largest value that is not in the page itself.
    pub(super) largest: u64,
    /// The bytes of the pages before that its first row began in.
    pub(super) carried: u64,
}

impl RowSizes {
    /// Replaces the size of a column.
    ///
    /// Damaged levels let a list take the values of several rows of another column, as many as its
    /// own. All columns of a field therefore count as long as the longest.
    ///
    /// # Errors
    /// A row may have too many bytes.
    pub(super) fn set(&mut self, column: usize, size: RowSize) -> Result<()> {
        self.columns.insert(column, size);
        let mut fields: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        let mut bytes = 0_u64;
        for size in self.columns.values() {
            let (values, each) = fields.entry(size.field).or_default();
            *values = size.values.max(*values);
            *each = each.saturating_add(VALUE).saturating_add(size.largest);
            bytes = bytes.saturating_add(size.carried);
        }
        for (values, each) in fields.values() {
            bytes = bytes.saturating_add(values.saturating_mul(*each));
        }
        match bytes > MAX_ROW {
            true => Err(ParquetError::General(format!("the lists of a row may have more than {MAX_ROW} bytes"))),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: &[(&[u8], usize, u32)], most: &[u64], begun: u64) {
        let mut counter = RowCounter::default();
        let found = pages.iter().map(|(levels, bits, values)| counter.count(levels, *bits, *values));
        assert_eq!(found.collect::<Option<Vec<u64>>>().as_deref(), Some(most), "{pages:?}");
        assert_eq!(counter.begun, begun, "{pages:?}");
    }

    #[test]
    fn the_values_of_rows_are_counted() {
        // A run of five rows, then one with three values more.
        check(&[(&[10, 0, 6, 1], 1, 8)], &[4], 5);
        // 0 1 1 0 0 1 1 1, from the lowest bit.
        check(&[(&[3, 0b1110_0110], 1, 8)], &[4], 3);
        // Levels of three bits: 0 1 2 3 4 0 4 4.
        check(&[(&[3, 0b1000_1000, 0b0100_0110, 0b1001_0000], 3, 8)], &[5], 2);
        // A row that goes on in the next page, and one that does not.
        check(&[(&[2, 0, 18, 1], 1, 10), (&[40, 1], 1, 20), (&[4, 0], 1, 2)], &[10, 30, 30], 3);
        // A run that says it is longer than the page, and levels that end too early.
        check(&[(&[2, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 1, 1000)], &[1000], 1);
        check(&[(&[2, 0], 1, 1000)], &[1], 1);
        check(&[(&[3], 1, 8)], &[0], 0);
        // Padding, and no bytes.
        check(&[(&[2, 0, 0, 0, 4, 0], 1, 8), (&[], 1, 8)], &[1, 1], 1);
        // A run of nothing, and one behind it.
        check(&[(&[1, 4, 0], 1, 2)], &[1], 2);
        for damaged in [&[0xff; 30][..], &[4], &[0x80]] {
            assert_eq!(RowCounter::default().count(damaged, 1, 8), None, "{damaged:?}");
        }
    }

    #[test]
    fn the_sizes_of_rows_are_limited() {
        let mut sizes = RowSizes::default();
        let size = |field, values, largest| RowSize { field, values, largest, carried: 0 };
        assert!(sizes.set(0, size(0, 1000, 100_000)).is_ok());
        // The other column takes the values of the first.
        assert!(sizes.set(1, size(0, 1, 1_000_000)).is_err());
        assert!(sizes.set(1, size(1, 1, 1_000_000)).is_ok());
        assert!(sizes.set(0, size(0, 1 << 31, 0)).is_err());
        assert!(sizes.set(0, RowSize { carried: MAX_ROW, ..RowSize::default() }).is_err());
    }
}
