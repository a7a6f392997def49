//! Decimal numbers: the digits of doubles, and their rounding.

use std::fmt::Write;

/// The digits of a finite number: `0.d1d2d3… × 10^point`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// `true` for a number below zero.
    pub negative: bool,
    /// The digits, each from 0 to 9. The first and the last one are not zero. Zero has none.
    pub digits: Vec<u8>,
    /// The number of digits before the decimal point. It can be negative.
    pub point: i64,
}

/// The direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To the nearest number, and from the middle to the one whose last digit is even.
    HalfEven,
    /// To the next lower number.
    Floor,
}

/// The digits of a number that is not whole in a text.
const SIGNIFICANT: i64 = 15;

impl Decimal {
    /// Creates the shortest decimal number that reads back as this finite double.
    pub(crate) fn new(value: f64) -> Decimal {
        let written = format!("{:e}", value.abs());
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let point = exponent.parse::<i64>().unwrap_or(0) + 1;
        let mut decimal = Decimal { negative: value < 0.0, digits, point };
        decimal.normalize();
        decimal
    }

    /// Removes zeros at both ends.
    fn normalize(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        // A number has a few hundred digits.
        self.point -= zeros as i64;
        if self.digits.is_empty() {
            self.negative = false;
            self.point = 0;
        }
    }

    /// Rounds to a number of digits after the decimal point. A negative number rounds to tens,
    /// hundreds and so on.
    pub(crate) fn round(&mut self, places: i64, rounding: Rounding) {
        let keep = self.point.saturating_add(places);
        if keep >= self.digits.len() as i64 {
            return;
        }
        let kept = usize::try_from(keep).unwrap_or(0);
        let up = match rounding {
            Rounding::Floor => self.negative,
            // Less than a tenth of the last place remains.
            Rounding::HalfEven if keep < 0 => false,
            Rounding::HalfEven => match (self.digits[kept], kept + 1 == self.digits.len()) {
                (5, true) => kept > 0 && self.digits[kept - 1] % 2 == 1,
                (digit, _) => digit >= 5,
            },
        };
        self.digits.truncate(kept);
        if up {
            self.increment(places);
        }
        self.normalize();
    }

    /// Adds one to the place that is the last after rounding.
    fn increment(&mut self, places: i64) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        if self.digits.is_empty() {
            self.point = -places;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// Multiplies by a power of ten.
    pub(crate) fn shift(&mut self, exponent: i64) {
        if !self.digits.is_empty() {
            self.point = self.point.saturating_add(exponent);
        }
    }

    /// Returns the nearest double.
    pub(crate) fn to_f64(&self) -> f64 {
        let mut written = String::with_capacity(self.digits.len() + 24);
        written.push_str(if self.negative { "-0." } else { "0." });
        self.write_digits(0..self.digits.len() as i64, &mut written);
        // Writing to a string does not fail.
        let _ = write!(written, "e{}", self.point);
        written.parse().unwrap_or(0.0)
    }

    /// Writes the digits at these places, with zeros where there is none.
    fn write_digits(&self, places: std::ops::Range<i64>, out: &mut String) {
        for place in places {
            let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place));
            out.push(char::from(b'0' + digit.copied().unwrap_or(0)));
        }
    }

    /// Returns the digits before the decimal point, which are at least one, and those after it.
    /// The caller bounds `point`.
    pub(crate) fn parts(&self) -> (String, String) {
        let (mut whole, mut fraction) = (String::new(), String::new());
        if self.point <= 0 {
            whole.push('0');
        }
        self.write_digits(0..self.point, &mut whole);
        self.write_digits(self.point.min(0)..0, &mut fraction);
        self.write_digits(self.point.max(0)..self.digits.len() as i64, &mut fraction);
        (whole, fraction)
    }

    /// Returns the number as JavaScript writes it: with an exponent from 10^21 and below 10^-6.
    fn write(&self, always_exponent: bool) -> String {
        let mut out = String::from(if self.negative { "-" } else { "" });
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        if (-5..=21).contains(&self.point) && !always_exponent {
            let (whole, fraction) = self.parts();
            out.push_str(&whole);
            if !fraction.is_empty() {
                out.push('.');
                out.push_str(&fraction);
            }
            return out;
        }
        self.write_digits(0..1, &mut out);
        if self.digits.len() > 1 {
            out.push('.');
            self.write_digits(1..self.digits.len() as i64, &mut out);
        }
        let exponent = self.point - 1;
        // Writing to a string does not fail.
        let _ = write!(out, "e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        out
    }
}

/// Returns the text of a finite number, as `$string` has it: a number that is not whole is rounded
/// down to 15 digits. If these end before the decimal point, the text has an exponent.
pub(crate) fn number_text(value: f64) -> String {
    let mut decimal = Decimal::new(value);
    if value.fract() == 0.0 {
        return decimal.write(false);
    }
    let point = decimal.point;
    decimal.round(SIGNIFICANT - point, Rounding::Floor);
    decimal.write(point > SIGNIFICANT)
}

/// Returns the shortest text of a finite number that reads back as the same number: the text of
/// numbers in messages.
pub(crate) fn shortest_text(value: f64) -> String {
    Decimal::new(value).write(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_fifteen_digits_and_is_rounded_down() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.333333333333333"),
            (-2.0 / 3.0, "-0.666666666666667"),
            (2.0 / 3.0, "0.666666666666666"),
            (1e19, "10000000000000000000"),
            (1.5e20, "150000000000000000000"),
            (999_999_999_999_999_868_928.0, "999999999999999900000"),
            (1e21, "1e+21"),
            (1.5e21, "1.5e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (1_234_567_890_123_456.7, "1.23456789012345e+15"),
            (123_456_789_012_345.67, "123456789012345"),
            (-0.999_999_999_999_999_9, "-1"),
            (0.1 + 0.2, "0.3"),
        ] {
            assert_eq!(number_text(value), text);
        }
    }

    #[test]
    fn rounding_goes_from_the_middle_to_an_even_digit() {
        for (value, places, rounded) in [
            (2.5, 0, 2.0),
            (3.5, 0, 4.0),
            (-2.5, 0, -2.0),
            (0.5, 0, 0.0),
            (1.5, 0, 2.0),
            (9.5, 0, 10.0),
            (0.6, 0, 1.0),
            (2.675, 2, 2.68),
            (4.525, 2, 4.52),
            (25.0, -1, 20.0),
            (12_350.0, -2, 12_400.0),
            (60.0, -2, 100.0),
            (50.0, -2, 0.0),
            (5.0, -2, 0.0),
            (6.022e-23, 24, 6e-23),
            (1e300, i64::MIN, 0.0),
            (1.25, i64::MAX, 1.25),
        ] {
            let mut decimal = Decimal::new(value);
            decimal.round(places, Rounding::HalfEven);
            assert_eq!(decimal.to_f64(), rounded, "{value} to {places}");
        }
    }
}
