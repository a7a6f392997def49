//! The truth of values: `$boolean`.

use super::error::{JsonataError, Result};
use super::item::Item;
use super::run::Evaluation;
use super::view::View;

/// Returns the truth of a value. An array is true if a value inside of it is true, however deep
/// its arrays are nested.
///
/// # Errors
/// Fails with D1001 for an infinity, and if a limit is exceeded.
pub(crate) fn boolean(run: &mut Evaluation, item: &Item) -> Result<bool> {
    let mut found = false;
    let mut open = Vec::new();
    let mut next = View::from(item);
    loop {
        match next {
            View::Array(elements) => {
                run.steps(elements.len() as u64)?;
                open.push((elements, 0));
            }
            scalar => found |= is_true(scalar)?,
        }
        // All elements are visited: an infinity is an error wherever it is.
        next = loop {
            let Some((elements, at)) = open.last_mut() else { return Ok(found) };
            if let Some(element) = elements.get(*at) {
                *at += 1;
                break element;
            }
            open.pop();
        };
    }
}

fn is_true(scalar: View<'_>) -> Result<bool> {
    Ok(match scalar {
        View::Bool(value) => value,
        View::Int(value) => value != 0,
        View::Float(value) if value.is_infinite() => return Err(out_of_range()),
        View::Float(value) => value != 0.0 && !value.is_nan(),
        View::String(text) => !text.is_empty(),
        View::Object(members) => members.len() > 0,
        View::Null | View::Function(_) | View::Array(_) => false,
    })
}

/// Creates the error of an infinity where a number is expected.
pub(crate) fn out_of_range() -> JsonataError {
    // JSON has no infinity, so that the message prints it as null.
    JsonataError::new("D1001", "Number out of range: null")
}
