//! The sort of the language.

use super::error::Result;

/// Sorts items. `swaps` returns `true` if its first item comes after its second one. The sort is
/// stable. It compares the items that jsonata-js compares, so that the result is the same for a
/// comparison that is no order. The recursion halves the items.
pub(super) fn sorted<T: Clone, C: FnMut(&T, &T) -> Result<bool>>(items: &[T], swaps: &mut C) -> Result<Vec<T>> {
    if items.len() < 2 {
        return Ok(items.to_vec());
    }
    let (left, right) = items.split_at(items.len() / 2);
    let (left, right) = (sorted(left, swaps)?, sorted(right, swaps)?);
    let (mut left, mut right) = (&left[..], &right[..]);
    let mut merged = Vec::with_capacity(items.len());
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if swaps(first, second)? {
            merged.push(second.clone());
            right = right_rest;
        } else {
            merged.push(first.clone());
            left = left_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(merged)
}
