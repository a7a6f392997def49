//! Timestamps of the Amazon States Language: RFC 3339 with an upper-case `T`, and `Z` or an
//! offset.

use crate::budget;
use crate::value::Value;

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::expr) struct Instant {
    pub seconds: i64,
    pub nanos: u32,
}

/// Reads a value as a timestamp.
pub(super) fn of(value: &Value) -> Option<Instant> {
    let text = value.as_str()?;
    budget::spend_text(text);
    read(text)
}

/// Reads `2016-03-14T01:59:00Z` or `2016-03-14T01:59:00.123+01:00`. Decimals after the ninth are
/// dropped.
pub(in crate::expr) fn read(text: &str) -> Option<Instant> {
    let mut reader = Reader(text.as_bytes());
    let year = reader.digits(4)?;
    reader.expect(b'-')?;
    let month = reader.digits(2)?;
    reader.expect(b'-')?;
    let day = reader.digits(2)?;
    reader.expect(b'T')?;
    let hour = reader.digits(2).filter(|hour| *hour < 24)?;
    reader.expect(b':')?;
    let minute = reader.digits(2).filter(|minute| *minute < 60)?;
    reader.expect(b':')?;
    let second = reader.digits(2).filter(|second| *second < 60)?;
    let nanos = reader.fraction()?;
    let offset = reader.offset()?;
    if !reader.0.is_empty() || !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
        return None;
    }
    let seconds = days_before(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    Some(Instant { seconds, nanos })
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        (*first == wanted).then_some(())
    }

    fn fraction(&mut self) -> Option<u32> {
        if self.0.first() != Some(&b'.') {
            return Some(0);
        }
        self.expect(b'.')?;
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        let digit = |at: usize| digits.get(at).map_or(0, |digit| u32::from(digit - b'0'));
        (count > 0).then(|| (0..9).fold(0, |nanos, at| nanos * 10 + digit(at)))
    }

    /// Reads an offset, in seconds east of Greenwich.
    fn offset(&mut self) -> Option<i64> {
        let (sign, rest) = self.0.split_first()?;
        self.0 = rest;
        let sign = match sign {
            b'Z' => return Some(0),
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.expect(b':')?;
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        Some(sign * (hours * 3_600 + minutes * 60))
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leap_days = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let years = (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969);
    years + (1..month).map(|month| days_in(year, month)).sum::<i64>() + day - 1
}
