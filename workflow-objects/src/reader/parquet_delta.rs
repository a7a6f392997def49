//! The lists of lengths in pages of Apache Parquet that are encoded by differences.
//!
//! The crate `parquet` reserves memory for as many lengths as a list says it has. A few bytes can
//! say any number.

use parquet::errors::{ParquetError, Result};

/// The most values of a page with such lists. They take 64 MiB, as much as the page itself may.
const MAX_VALUES: u32 = 8 * 1024 * 1024;

/// Checks the lists at the beginning of a page of some values.
///
/// # Errors
/// A list has too many lengths, or is damaged.
pub(super) fn check_lengths(mut page: &[u8], lists: usize, values: u32) -> Result<()> {
    if values > MAX_VALUES {
        return Err(ParquetError::General(format!("a page of texts has more than {MAX_VALUES} values")));
    }
    for _ in 0..lists {
        match pass_list(&mut page) {
            Some(count) if count <= u64::from(values) => {}
            Some(_) => return Err(ParquetError::General("a page has more lengths than values".to_owned())),
            None => return Err(ParquetError::General("the lengths in a page are damaged".to_owned())),
        }
    }
    Ok(())
}

/// Takes a list off the front of a page: `DELTA_BINARY_PACKED`. Returns the number of its values.
fn pass_list(page: &mut &[u8]) -> Option<u64> {
    let (block, parts, count) = (unsigned(page)?, unsigned(page)?, unsigned(page)?);
    unsigned(page)?;
    // The crate refuses other sizes of the parts of a block.
    let each = block.checked_div(parts).filter(|each| *each > 0 && each.is_multiple_of(32))?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        unsigned(page)?;
        let (widths, rest) = page.split_at_checked(usize::try_from(parts).ok()?)?;
        *page = rest;
        for width in widths {
            // Miniblocks behind the last value may have any width, and have no bytes.
            if left == 0 {
                break;
            }
            let bytes = usize::try_from(u64::from(*width).checked_mul(each)? / 8).ok()?;
            *page = page.get(bytes.min(page.len())..)?;
            left = left.saturating_sub(each);
        }
    }
    Some(count)
}

/// Takes a number off the front of bytes, of at most nine: the crate panics at more than ten.
pub(super) fn unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &[u8], lists: usize, values: u32, expected: Option<&str>) {
        let found = check_lengths(page, lists, values).err().map(|error| error.to_string());
        let found = found.as_deref().and_then(|error| error.strip_prefix("Parquet error: "));
        assert_eq!(found, expected, "{page:?}");
    }

    #[test]
    fn lists_have_as_many_lengths_as_the_page_has_values() {
        // Blocks of 128 in four parts: a value.
        let one: &[u8] = &[0x80, 1, 4, 1, 10];
        check(one, 1, 1, None);
        check(&[one, one].concat(), 2, 1, None);
        check(one, 2, 1, Some("the lengths in a page are damaged"));
        // 40 values: a part of two bits for each, and the beginning of one of no bits.
        let forty = [&[0x80, 1, 4, 40, 10, 0, 2, 0, 9, 9][..], &[0; 8]].concat();
        check(&[&forty, one].concat(), 2, 40, None);
        check(&[&forty, one].concat(), 2, 39, Some("a page has more lengths than values"));
        // 2^31 - 1 lengths in few bytes.
        let many = &[0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 7, 0];
        check(many, 1, 1000, Some("the lengths in a page are damaged"));
        check(&[0x80, 1, 0, 1, 0], 1, 1, Some("the lengths in a page are damaged"));
        // In blocks of 2^31 values without bits, four bytes each.
        let block = &[0x80, 0x80, 0x80, 0x80, 8, 1, 0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0];
        check(block, 1, 1000, Some("a page has more lengths than values"));
        check(&[one, block].concat(), 2, 1000, Some("a page has more lengths than values"));
        check(one, 1, MAX_VALUES + 1, Some("a page of texts has more than 8388608 values"));
    }
}
