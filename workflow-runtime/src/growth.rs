//! The growth of lists.

/// The most elements of a small list.
const SMALL: usize = 64;

/// Makes room for this many elements in all. The list has less room than that.
#[inline]
pub(crate) fn enlarge<T>(list: &mut Vec<T>, capacity: usize) {
    if capacity > SMALL {
        return list.reserve(capacity - list.len());
    }
    // For a small list, a new allocation takes fewer instructions than `realloc`.
    let mut larger = Vec::with_capacity(capacity);
    larger.append(list);
    *list = larger;
}
