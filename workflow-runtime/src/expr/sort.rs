//! A stable sort with a fallible comparison, which the standard library does not have.

use std::cmp::Ordering;

/// Sorts with a comparison that can fail and need not be a total order. The sort is stable.
pub(super) fn merge_sort<T: Clone, E>(
    mut items: Vec<T>,
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<Vec<T>, E> {
    let length = items.len();
    let mut width = 1;
    while width < length {
        let mut merged = Vec::with_capacity(length);
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            // The two halves are often in order already.
            if let ([.., last], [first, ..]) = (left, right)
                && compare(last, first)? != Ordering::Greater
            {
                merged.extend_from_slice(pair);
                continue;
            }
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if compare(first, second)? == Ordering::Greater {
                    merged.push(second.clone());
                    right = right_rest;
                } else {
                    merged.push(first.clone());
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        items = merged;
        width *= 2;
    }
    Ok(items)
}
