//! Comparisons of arrays and objects that share their parts.
//!
//! A value of sixty levels, each of which holds the level below it twice, has 2^60 leaves in a few
//! kilobytes of memory. A comparison remembers the pairs that it has compared. Its time is
//! therefore linear in the distinct parts, and not in the paths that lead to them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

/// The number of parts up to which a comparison is neither counted nor remembers anything.
const FEW: usize = 64;
/// The number of parts that are counted at a time.
const CHUNK: usize = 256;
/// The length from which the comparison of a text is counted, in bytes, and the length that is
/// compared at a time.
const LONG: usize = 4096;

/// A function that counts units of work. Returns `false` when there is no budget left.
pub(crate) type Count = fn(usize) -> bool;

/// The pairs of a comparison, and the work that it has taken.
pub(crate) struct Pairs {
    count: Count,
    /// The number of parts, up to [`FEW`].
    few: usize,
    /// The number of further parts that are not yet counted.
    pending: usize,
    /// The addresses of the pairs that have been compared. The values are borrowed during the
    /// comparison, so that addresses are stable.
    compared: Option<HashSet<(usize, usize)>>,
}

impl Pairs {
    /// Creates a comparison that counts its work with this function.
    #[inline]
    pub(crate) fn new(count: Count) -> Pairs {
        Pairs { count, few: 0, pending: 0, compared: None }
    }

    /// Counts this many parts. Returns `false` when there is no budget left: the comparison then
    /// ends with an arbitrary result.
    #[inline]
    pub(crate) fn spend(&mut self, parts: usize) -> bool {
        if self.few < FEW {
            self.few = self.few.saturating_add(parts);
            return true;
        }
        self.pending = self.pending.saturating_add(parts);
        if self.pending < CHUNK { true } else { self.flush() }
    }

    #[inline(never)]
    fn flush(&mut self) -> bool {
        (self.count)(std::mem::take(&mut self.pending))
    }

    /// Returns `true` if the pair has not been compared before. A remembered pair counts as equal,
    /// because the comparison ends at the first difference.
    #[inline]
    pub(crate) fn is_new<T>(&mut self, left: &Arc<T>, right: &Arc<T>) -> bool {
        // A part that is not shared occurs once.
        if self.few < FEW || (Arc::strong_count(left) == 1 && Arc::strong_count(right) == 1) {
            return true;
        }
        let pair = (Arc::as_ptr(left).addr(), Arc::as_ptr(right).addr());
        self.compared.get_or_insert_default().insert(pair)
    }
}

/// Counts the remaining work.
impl Drop for Pairs {
    #[inline]
    fn drop(&mut self) {
        if self.pending > 0 {
            self.flush();
        }
    }
}

/// Compares texts by their bytes, which is the order of their characters.
#[inline]
pub(crate) fn compare_texts(left: &str, right: &str, count: Count) -> Ordering {
    if left.len().min(right.len()) < LONG { left.cmp(right) } else { compare_long(left, right, count) }
}

/// Returns `true` if texts are equal.
#[inline]
pub(crate) fn same_text(left: &str, right: &str, count: Count) -> bool {
    left.len() == right.len()
        && if left.len() < LONG { left == right } else { compare_long(left, right, count).is_eq() }
}

#[inline(never)]
fn compare_long(left: &str, right: &str, count: Count) -> Ordering {
    if std::ptr::eq(left, right) {
        return Ordering::Equal;
    }
    for (left, right) in left.as_bytes().chunks(LONG).zip(right.as_bytes().chunks(LONG)) {
        let order = left.cmp(right);
        // Without a budget the result does not matter.
        if order.is_ne() || !count(LONG / crate::budget::STRIDE) {
            return order;
        }
    }
    left.len().cmp(&right.len())
}
