//! Values in the messages of errors.

use crate::expr::jsonata::decimal::shortest_text;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::view::View;

/// Returns a text as it stands in a message: with quotes and escapes.
pub(super) fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns a number as it stands in a message. JSON has neither NaN nor infinities.
pub(super) fn number(value: f64) -> String {
    if value.is_finite() { shortest_text(value) } else { "null".to_owned() }
}

/// Returns a scalar as it stands in a message. Nothing is `undefined`.
pub(super) fn scalar(item: Option<&Item>) -> String {
    match item.map(View::from) {
        None | Some(View::Function(_) | View::Array(_) | View::Object(_)) => "undefined".to_owned(),
        Some(View::Null) => "null".to_owned(),
        Some(View::Bool(value)) => value.to_string(),
        Some(View::Int(value)) => value.to_string(),
        Some(View::Float(value)) => number(value),
        Some(View::String(value)) => text(value),
    }
}
