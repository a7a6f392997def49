//! The numbers of an expression.

use std::fmt;

use crate::ast::Number;

/// The first whole number above those that fit 64 bits, 2^63.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

impl Number {
    /// Returns the number of a text, `None` if it is out of range.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if let Ok(whole) = text.parse() {
            return Some(Self::Int(whole));
        }
        let value: f64 = text.parse().ok()?;
        value.is_finite().then(|| Self::of(value))
    }

    /// Returns the number with the other sign.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Int(value) => value.checked_neg().map_or(Self::Float(LIMIT), Self::Int),
            Self::Float(value) => Self::of(-value),
        }
    }

    /// Returns a finite number, as a whole one if it fits 64 bits.
    #[allow(clippy::cast_possible_truncation)]
    fn of(value: f64) -> Self {
        // The cast is exact: the value is whole and in the range.
        let is_whole = value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value);
        if is_whole { Self::Int(value as i64) } else { Self::Float(value) }
    }
}

impl fmt::Display for Number {
    /// Writes the number as JSON has it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int(value) => value.fmt(formatter),
            Self::Float(value) if value != 0.0 && !(1e-6..1e21).contains(&value.abs()) => {
                let text = format!("{value:e}");
                let sign = if text.contains("e-") { "e" } else { "e+" };
                formatter.write_str(&text.replacen('e', sign, 1))
            }
            Self::Float(value) => value.fmt(formatter),
        }
    }
}
