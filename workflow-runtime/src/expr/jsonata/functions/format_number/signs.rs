//! The signs of numbers, which a call can replace.

use super::super::limits;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::{MembersView, View};

/// The signs of a number and of its picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberSigns<'a> {
    /// The sign between the whole part and the fraction.
    pub point: &'a str,
    /// The sign between groups of digits.
    pub grouping: &'a str,
    /// The sign before the exponent.
    pub exponent: &'a str,
    /// The text of infinity.
    pub infinity: &'a str,
    /// The sign of numbers below zero.
    pub minus: &'a str,
    /// The text of NaN.
    pub not_a_number: &'a str,
    /// The sign of hundredths.
    pub percent: &'a str,
    /// The sign of thousandths.
    pub per_mille: &'a str,
    /// The digit zero. The other digits follow it.
    pub zero: char,
    /// The sign of a digit that may be missing.
    pub optional: &'a str,
    /// The sign between the pictures of numbers that are not negative and of those that are.
    pub separator: &'a str,
}

impl<'a> NumberSigns<'a> {
    /// Creates the signs, of which members replace some. Members that are no text are ignored.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn new(run: &mut Evaluation, members: Option<MembersView<'a>>) -> Result<NumberSigns<'a>> {
        let option = |name: &str, default: &'static str| -> &'a str {
            let text = members.and_then(|members| members.get(name)).and_then(View::text);
            text.map_or(default, |text| text.as_str())
        };
        let signs = NumberSigns {
            point: option("decimal-separator", "."),
            grouping: option("grouping-separator", ","),
            exponent: option("exponent-separator", "e"),
            infinity: option("infinity", "Infinity"),
            minus: option("minus-sign", "-"),
            not_a_number: option("NaN", "NaN"),
            percent: option("percent", "%"),
            per_mille: option("per-mille", "\u{2030}"),
            zero: option("zero-digit", "0").chars().next().unwrap_or('0'),
            optional: option("digit", "#"),
            separator: option("pattern-separator", ";"),
        };
        run.steps(members.map_or(0, |members| members.search_steps().saturating_mul(11)))?;
        // The picture is searched for these signs.
        let searched = [signs.point, signs.grouping, signs.exponent, signs.percent, signs.per_mille, signs.separator];
        limits::spend_bytes(run, searched.into_iter().map(str::len).sum())?;
        Ok(signs)
    }

    /// Returns the sign of a digit of ASCII.
    pub(super) fn digit(&self, digit: u8) -> char {
        char::from_u32(u32::from(self.zero) + u32::from(digit - b'0')).unwrap_or(char::from(digit))
    }

    /// Returns `true` for a digit.
    pub(super) fn is_digit(&self, c: char) -> bool {
        u32::from(c).checked_sub(u32::from(self.zero)).is_some_and(|digit| digit < 10)
    }

    /// Returns `true` for a digit, or the sign of a digit that may be missing.
    pub(super) fn is_place(&self, c: char) -> bool {
        self.is_digit(c) || is(c, self.optional)
    }

    /// Returns `true` for a character that has a meaning in a picture.
    pub(super) fn is_active(&self, c: char) -> bool {
        self.is_place(c)
            || [self.point, self.exponent, self.grouping, self.separator].into_iter().any(|sign| is(c, sign))
    }
}

/// Returns `true` if the text is this character.
pub(super) fn is(c: char, text: &str) -> bool {
    text == &*c.encode_utf8(&mut [0; 4])
}
