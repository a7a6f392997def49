//! Values in the messages of errors.

use super::error::Result;
use super::item::Item;
use super::run::Evaluation;
use super::text;
use super::view::View;

/// Returns a value as messages print it: JSON.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(super) fn quoted(run: &mut Evaluation, item: Option<&Item>) -> Result<String> {
    match item.map(View::from) {
        None | Some(View::Function(_)) => Ok("undefined".to_owned()),
        Some(View::Float(number)) if !number.is_finite() => Ok("null".to_owned()),
        Some(view) => text::json(run, view, false),
    }
}
