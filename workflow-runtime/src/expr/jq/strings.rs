//! Strings.

use super::{Result, budget};
use crate::value::Value;

/// The parts of a string between separators, as an array; of no separator, its characters. An empty string has none.
pub(super) fn split_text(text: &str, separator: &str) -> Result<Value> {
    let parts: Vec<Value> = if separator.is_empty() {
        budget::charge_elements(text.len())?;
        text.chars().map(|c| Value::from(&*c.encode_utf8(&mut [0; 4]))).collect()
    } else if text.is_empty() {
        Vec::new()
    } else {
        let mut parts = Vec::new();
        for part in text.split(separator) {
            budget::charge(part.len() + budget::ELEMENT)?;
            parts.push(Value::from(part));
        }
        parts
    };
    Ok(Value::from(parts))
}
