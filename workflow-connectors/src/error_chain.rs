//! Text of an error with its sources.

use std::error::Error;

/// Returns the texts of an error and its sources, each once, separated by colons.
pub(crate) fn describe(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let beneath = error.to_string();
        if !text.ends_with(&beneath) {
            text.push_str(": ");
            text.push_str(&beneath);
        }
        source = error.source();
    }
    text
}
