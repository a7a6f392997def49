//! Errors with what lies beneath them.

use std::error::Error;

/// An error and what lies beneath it, each said once.
pub(crate) fn told(error: &(dyn Error + 'static)) -> String {
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
