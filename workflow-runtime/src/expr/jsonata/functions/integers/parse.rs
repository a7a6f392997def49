//! The number of a text.

use super::numerals::{from_letters, from_roman};
use super::picture::{Case, DecimalPicture, Grouping, Picture, Primary, unsupported_sequence};
use super::words::{self, from_words};
use crate::expr::jsonata::error::Result;
use std::collections::HashSet;

/// Returns the number that a text stands for, or NaN if it stands for none.
///
/// # Errors
/// Fails with D3130 for a sequence that is not supported.
pub(in super::super) fn parse(text: &str, picture: &Picture) -> Result<f64> {
    Ok(match &picture.primary {
        Primary::Letters => from_letters(text, if picture.case == Case::Upper { b'A' } else { b'a' }),
        Primary::Roman if picture.case == Case::Upper => from_roman(text),
        Primary::Roman => from_roman(&text.to_uppercase()),
        Primary::Words => from_words(&text.to_lowercase()),
        Primary::Decimal(decimal) => from_digits(text, decimal, picture.is_ordinal),
        Primary::Sequence(start) => return Err(unsupported_sequence(start)),
    })
}

/// Reads the digits at the start of a text. Separators are ignored, and so is what follows.
fn from_digits(text: &str, picture: &DecimalPicture, is_ordinal: bool) -> f64 {
    let text = if is_ordinal {
        // The ending has two characters.
        text.char_indices().rev().nth(1).map_or("", |(at, _)| &text[..at])
    } else {
        text
    };
    let separators: HashSet<char> = match &picture.grouping {
        Grouping::Regular(_, separator) => [*separator].into(),
        Grouping::Irregular(separators) => separators.iter().map(|(_, separator)| *separator).collect(),
    };
    let mut number = String::new();
    for c in text.chars().filter(|c| !separators.contains(c)).skip_while(|c| c.is_whitespace()) {
        let digit = u32::from(c).checked_sub(picture.zero).and_then(|digit| char::from_digit(digit, 10));
        match digit {
            Some(digit) => number.push(digit),
            None if number.is_empty() && matches!(c, '-' | '+') => number.push(c),
            None => break,
        }
    }
    number.parse().unwrap_or(f64::NAN)
}

/// Returns the pattern of the texts of a picture, in the syntax of the crate `regex`. `width` is
/// the number of digits, if it is fixed.
///
/// # Errors
/// Fails with D3130 for a sequence that is not supported.
pub(in super::super) fn pattern(picture: &Picture, width: Option<usize>) -> Result<String> {
    let is_upper = picture.case == Case::Upper;
    Ok(match &picture.primary {
        Primary::Letters => if is_upper { "[A-Z]+" } else { "[a-z]+" }.to_owned(),
        Primary::Roman => "[MDCLXVI]+".to_owned(),
        Primary::Words => words::pattern(),
        Primary::Decimal(decimal) => {
            let count = match width.filter(|width| *width > 0) {
                None => "+".to_owned(),
                Some(width) => format!("{{{},{width}}}", width.saturating_sub(decimal.optional)),
            };
            format!("[0-9]{count}{}", if picture.is_ordinal { "(?:th|st|nd|rd)" } else { "" })
        }
        Primary::Sequence(start) => return Err(unsupported_sequence(start)),
    })
}
