//! The text of a whole number.

use super::super::limits;
use super::numerals::{to_letters, to_roman};
use super::picture::{Case, DecimalPicture, Grouping, Picture, Primary, unsupported_sequence};
use super::words::to_words;
use crate::expr::jsonata::decimal::Decimal;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::truth::out_of_range;

/// Returns the text of a whole number.
///
/// # Errors
/// Fails with D3130 for a sequence that is not supported, with D1001 for an infinity, and if a
/// limit is exceeded.
pub(in super::super) fn format(run: &mut Evaluation, number: f64, picture: &Picture) -> Result<String> {
    if number.is_nan() {
        return Ok("NaN".to_owned());
    }
    if number.is_infinite() {
        return Err(out_of_range());
    }
    let size = number.abs();
    let text = match (&picture.primary, picture.case) {
        (Primary::Letters, case) => counted(run, to_letters(size, if case == Case::Upper { b'A' } else { b'a' }))?,
        (Primary::Roman, Case::Upper) => to_roman(run, size)?.to_uppercase(),
        (Primary::Roman, _) => to_roman(run, size)?,
        (Primary::Words, case) => {
            let words = counted(run, to_words(size, picture.is_ordinal))?;
            match case {
                Case::Upper => words.to_uppercase(),
                Case::Lower => words.to_lowercase(),
                Case::Title => words,
            }
        }
        (Primary::Decimal(decimal), _) => in_digits(run, size, decimal, picture.is_ordinal)?,
        (Primary::Sequence(start), _) => return Err(unsupported_sequence(start)),
    };
    Ok(if number < 0.0 { format!("-{text}") } else { text })
}

/// Counts the bytes of a short text that has been made.
fn counted(run: &mut Evaluation, text: String) -> Result<String> {
    limits::reserve(run, text.len() as u64)?;
    Ok(text)
}

fn in_digits(run: &mut Evaluation, number: f64, picture: &DecimalPicture, is_ordinal: bool) -> Result<String> {
    let (digits, _) = Decimal::new(number).parts();
    let length = digits.len().max(picture.mandatory);
    // Each digit can have a separator, and four bytes.
    limits::reserve(run, (length as u64).saturating_mul(8))?;
    let mut out = String::with_capacity(length);
    let zeros = std::iter::repeat_n(b'0', length - digits.len());
    let mut separators = Separators::new(&picture.grouping);
    for (at, digit) in zeros.chain(digits.bytes()).enumerate() {
        // The number of digits that follow, with this one.
        let left = length - at;
        let before = separators.before(left);
        if at > 0 {
            out.extend(before);
        }
        let code = picture.zero + u32::from(digit - b'0');
        out.extend(char::from_u32(code));
    }
    out.extend(separators.before(0));
    if is_ordinal {
        out.push_str(suffix(&digits));
    }
    Ok(out)
}

/// The separators from left to right.
struct Separators<'a> {
    /// The size of the groups and their separator, if the groups have one size.
    regular: Option<(usize, char)>,
    /// Other separators, in the order from the right.
    rest: &'a [(usize, char)],
}

impl<'a> Separators<'a> {
    fn new(grouping: &'a Grouping) -> Separators<'a> {
        match grouping {
            Grouping::Regular(size, separator) => Separators { regular: Some((*size, *separator)), rest: &[] },
            Grouping::Irregular(separators) => Separators { regular: None, rest: separators },
        }
    }

    /// Returns the separators before so many digits, and forgets those to the left of them.
    fn before(&mut self, left: usize) -> impl Iterator<Item = char> + use<'a> {
        let is_border = |(size, _): &(usize, char)| left > 0 && left.is_multiple_of(*size);
        let regular = self.regular.filter(is_border).map(|(_, separator)| separator);
        let end = self.rest.partition_point(|(position, _)| *position <= left);
        let start = self.rest[..end].partition_point(|(position, _)| *position < left);
        let here = &self.rest[start..end];
        self.rest = &self.rest[..start];
        regular.into_iter().chain(here.iter().rev().map(|(_, separator)| *separator))
    }
}

/// Returns the ending of an ordinal number.
fn suffix(digits: &str) -> &'static str {
    match digits.as_bytes() {
        [.., b'1', _] => "th",
        [.., b'1'] => "st",
        [.., b'2'] => "nd",
        [.., b'3'] => "rd",
        _ => "th",
    }
}
