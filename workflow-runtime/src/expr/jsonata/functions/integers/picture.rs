//! The pictures of whole numbers: `#,##0`, `0000`, `1;o`, `I`, `a`, `Ww`.

use super::super::message;
use crate::expr::jsonata::error::{JsonataError, Result};

/// The first digits of the decimal digits that a picture can have.
const ZEROS: [u32; 37] = [
    0x30, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
];

/// A picture that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Picture {
    /// The kind of digits.
    pub primary: Primary,
    /// The letters.
    pub case: Case,
    /// `true` for ordinal numbers: 1st, second.
    pub is_ordinal: bool,
}

/// The kind of the digits of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Primary {
    /// Decimal digits.
    Decimal(DecimalPicture),
    /// The letters of spreadsheets: a, b, … z, aa.
    Letters,
    /// Roman numerals.
    Roman,
    /// English words.
    Words,
    /// A sequence that is not supported. It holds its first sign.
    Sequence(String),
}

/// The letters of a number that has letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Case {
    /// Capital letters.
    Upper,
    /// Small letters.
    Lower,
    /// Words that begin with a capital letter.
    Title,
}

/// The decimal digits of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct DecimalPicture {
    /// The character of the digit zero.
    pub zero: u32,
    /// The least number of digits.
    pub mandatory: usize,
    /// The number of digits that may be missing.
    pub optional: usize,
    /// The separators between groups of digits.
    pub grouping: Grouping,
}

/// The separators between groups of digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Grouping {
    /// A separator after each so many digits, counted from the right.
    Regular(usize, char),
    /// Separators after some numbers of digits, counted from the right, in ascending order.
    Irregular(Vec<(usize, char)>),
}

impl Picture {
    /// Reads a picture.
    ///
    /// # Errors
    /// Fails with D3131 if digits are of several scripts.
    pub(in super::super) fn new(picture: &str) -> Result<Picture> {
        let (primary, modifier) = picture.rsplit_once(';').unwrap_or((picture, ""));
        let (primary, case) = match primary {
            "A" => (Primary::Letters, Case::Upper),
            "a" => (Primary::Letters, Case::Lower),
            "I" => (Primary::Roman, Case::Upper),
            "i" => (Primary::Roman, Case::Lower),
            "W" => (Primary::Words, Case::Upper),
            "Ww" => (Primary::Words, Case::Title),
            "w" => (Primary::Words, Case::Lower),
            other => (decimal(other)?, Case::Lower),
        };
        Ok(Picture { primary, case, is_ordinal: modifier.starts_with('o') })
    }

    /// Returns the picture of the decimal digits.
    pub(in super::super) fn decimal(&self) -> Option<&DecimalPicture> {
        match &self.primary {
            Primary::Decimal(decimal) => Some(decimal),
            _ => None,
        }
    }

    /// Returns the picture of the decimal digits for modification.
    pub(in super::super) fn decimal_mut(&mut self) -> Option<&mut DecimalPicture> {
        match &mut self.primary {
            Primary::Decimal(decimal) => Some(decimal),
            _ => None,
        }
    }
}

fn decimal(text: &str) -> Result<Primary> {
    let (mut zero, mut mandatory, mut optional) = (None, 0, 0);
    let mut separators = Vec::new();
    for c in text.chars().rev() {
        let code = u32::from(c);
        if let Some(group) = ZEROS.into_iter().find(|group| (*group..*group + 10).contains(&code)) {
            if *zero.get_or_insert(group) != group {
                let text = "In a decimal digit pattern, all digits must be from the same decimal group";
                return Err(JsonataError::new("D3131", text));
            }
            mandatory += 1;
        } else if c == '#' {
            optional += 1;
        } else {
            separators.push((mandatory + optional, c));
        }
    }
    let Some(zero) = zero else { return Ok(Primary::Sequence(text.to_owned())) };
    let grouping = match regular(&separators) {
        Some((size, separator)) => Grouping::Regular(size, separator),
        None => Grouping::Irregular(separators),
    };
    Ok(Primary::Decimal(DecimalPicture { zero, mandatory, optional, grouping }))
}

/// Returns the size of the groups and the separator, if there is one separator after each group of
/// this size.
fn regular(separators: &[(usize, char)]) -> Option<(usize, char)> {
    let (_, separator) = *separators.first()?;
    let size = super::super::gcd(separators.iter().map(|(position, _)| *position))?;
    let mut all = separators.iter().enumerate();
    let is_regular = all.all(|(at, (position, other))| *position == (at + 1) * size && *other == separator);
    is_regular.then_some((size, separator))
}

/// Creates the error of a picture that asks for a sequence that is not supported.
pub(super) fn unsupported_sequence(start: &str) -> JsonataError {
    let start = message::text(start);
    let text = format!(
        "Formatting or parsing an integer as a sequence starting with {start} is not supported by this implementation"
    );
    JsonataError::new("D3130", text)
}
