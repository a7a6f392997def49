//! The limits of what functions make.

use crate::budget::STRIDE;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::run::Evaluation;
use crate::value::TEXT_LIMIT;

/// The largest number of elements that a function makes under any settings.
const MOST_ELEMENTS: u64 = 1 << 24;

/// Counts the bytes of a text that is read.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(super) fn spend_bytes(run: &mut Evaluation, bytes: usize) -> Result<()> {
    run.steps((bytes / STRIDE) as u64)
}

/// Counts the bytes of a text that is about to be made, and returns them as a capacity.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(super) fn reserve(run: &mut Evaluation, bytes: u64) -> Result<usize> {
    count(bytes, TEXT_LIMIT, |bytes| run.charge_bytes(bytes))
}

/// Counts the elements of an array that is about to be made, and returns them as a capacity.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(super) fn charge_elements(run: &mut Evaluation, elements: u64) -> Result<usize> {
    count(elements, MOST_ELEMENTS, |elements| run.charge(elements))
}

fn count(amount: u64, most: u64, charge: impl FnOnce(usize) -> Result<()>) -> Result<usize> {
    let capacity = usize::try_from(amount).unwrap_or(usize::MAX);
    charge(capacity)?;
    if amount > most {
        return Err(JsonataError::memory());
    }
    Ok(capacity)
}
