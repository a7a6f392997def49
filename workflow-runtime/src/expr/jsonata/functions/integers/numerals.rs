//! Roman numerals, and the letters of spreadsheets.

use super::super::limits;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::run::Evaluation;

const ROMAN: [(f64, &str); 13] = [
    (1000.0, "m"),
    (900.0, "cm"),
    (500.0, "d"),
    (400.0, "cd"),
    (100.0, "c"),
    (90.0, "xc"),
    (50.0, "l"),
    (40.0, "xl"),
    (10.0, "x"),
    (9.0, "ix"),
    (5.0, "v"),
    (4.0, "iv"),
    (1.0, "i"),
];

/// Returns a number that is not negative in small Roman numerals.
///
/// # Errors
/// Fails if a limit is exceeded: a thousand has one numeral, and a million a thousand of them.
pub(super) fn to_roman(run: &mut Evaluation, number: f64) -> Result<String> {
    // The cast saturates, and turns NaN into zero.
    let thousands = (number / 1000.0) as u64;
    limits::reserve(run, thousands.saturating_add(16))?;
    let mut out = String::new();
    let mut rest = number;
    for (value, numeral) in ROMAN {
        let count = (rest / value).floor();
        for _ in 0..count as u64 {
            out.push_str(numeral);
        }
        rest -= count * value;
    }
    Ok(out)
}

/// Returns the number that capital Roman numerals stand for, or NaN for other text.
pub(super) fn from_roman(text: &str) -> f64 {
    let (mut number, mut most) = (0.0, 1.0);
    for c in text.chars().rev() {
        let value = match c {
            'M' => 1000.0,
            'D' => 500.0,
            'C' => 100.0,
            'L' => 50.0,
            'X' => 10.0,
            'V' => 5.0,
            'I' => 1.0,
            _ => return f64::NAN,
        };
        if value < most {
            number -= value;
        } else {
            most = value;
            number += value;
        }
    }
    number
}

/// Returns a number that is not negative in letters.
pub(super) fn to_letters(number: f64, first: u8) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    // A number has at most 218 letters. Infinity has none.
    while rest > 0.0 && rest.is_finite() {
        // The remainder is less than 26.
        letters.push(char::from(first + ((rest - 1.0) % 26.0) as u8));
        rest = ((rest - 1.0) / 26.0).floor();
    }
    letters.into_iter().rev().collect()
}

/// Returns the number that letters stand for.
pub(super) fn from_letters(text: &str, first: u8) -> f64 {
    let (mut number, mut place) = (0.0, 1.0);
    for c in text.chars().rev() {
        number += (f64::from(u32::from(c)) - f64::from(first) + 1.0) * place;
        place *= 26.0;
    }
    number
}
