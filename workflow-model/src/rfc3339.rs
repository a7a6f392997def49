//! Times as RFC 3339 writes them.

use crate::calendar::{date, days};

/// Reads `2016-03-14T01:59:00.123+01:00`. Returns the whole seconds since 1970-01-01T00:00:00Z
/// and the nanoseconds after them. Decimals after the ninth are dropped. The letters may be
/// lower-case, a blank may stand for `T`, and a leap second is the second before it (§5.6). A year
/// before 0 has a sign and six digits.
pub fn read(text: &str) -> Option<(i64, u32)> {
    let mut reader = Reader(text.as_bytes());
    let year = match reader.0.first() {
        Some(b'-') => {
            reader.one_of(b"-")?;
            -reader.digits(6).filter(|year| *year < 10_000)?
        }
        _ => reader.digits(4)?,
    };
    reader.one_of(b"-")?;
    let month = reader.digits(2).filter(|month| (1..=12).contains(month))?;
    reader.one_of(b"-")?;
    let day = reader.digits(2).filter(|day| *day > 0)?;
    reader.one_of(b"Tt ")?;
    let hour = reader.digits(2).filter(|hour| *hour < 24)?;
    reader.one_of(b":")?;
    let minute = reader.digits(2).filter(|minute| *minute < 60)?;
    reader.one_of(b":")?;
    let second = reader.digits(2).filter(|second| *second <= 60)?.min(59);
    let nanos = reader.fraction()?;
    let offset = reader.offset()?;
    let whole = days(year, month, day);
    // The day after the end of a month is the first of another month.
    if !reader.0.is_empty() || date(whole).1 != month {
        return None;
    }
    Some((whole * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanos))
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
    }

    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        allowed.contains(first).then_some(*first)
    }

    fn fraction(&mut self) -> Option<u32> {
        if self.0.first() != Some(&b'.') {
            return Some(0);
        }
        self.one_of(b".")?;
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        let digit = |at: usize| digits.get(at).map_or(0, |digit| u32::from(digit - b'0'));
        (count > 0).then(|| (0..9).fold(0, |nanos, at| nanos * 10 + digit(at)))
    }

    /// Reads an offset, in seconds east of Greenwich.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.one_of(b":")?;
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        Some(sign * (hours * 3_600 + minutes * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn times_are_read() {
        for (text, time) in [
            ("1970-01-01T00:00:00Z", Some((0, 0))),
            ("2016-03-14T01:59:00.123+01:00", Some((1_457_917_140, 123_000_000))),
            ("2016-03-14t01:59:00.1234567899z", Some((1_457_920_740, 123_456_789))),
            ("2016-03-14 01:59:00-00:30", Some((1_457_922_540, 0))),
            ("2016-12-31T23:59:60Z", Some((1_483_228_799, 0))),
            ("2000-02-29T00:00:00Z", Some((951_782_400, 0))),
            ("9999-12-31T23:59:59Z", Some((253_402_300_799, 0))),
            ("-000001-01-01T00:00:00Z", Some((-62_198_755_200, 0))),
            ("2015-02-29T00:00:00Z", None),
            ("2015-04-31T00:00:00Z", None),
            ("2015-00-10T00:00:00Z", None),
            ("2015-13-10T00:00:00Z", None),
            ("2015-01-00T00:00:00Z", None),
            ("2015-12-32T00:00:00Z", None),
            ("2015-01-01T24:00:00Z", None),
            ("2015-01-01T00:60:00Z", None),
            ("2015-01-01T00:00:61Z", None),
            ("2015-01-01T00:00:00.Z", None),
            ("2015-01-01T00:00:00", None),
            ("2015-01-01T00:00Z", None),
            ("2015-01-01T00:00:00+24:00", None),
            ("2015-01-01T00:00:00+0100", None),
            ("2015-01-01T00:00:00Z ", None),
            ("15-01-01T00:00:00Z", None),
            ("２015-01-01T00:00:00Z", None),
            ("-010000-01-01T00:00:00Z", None),
            ("-0001-01-01T00:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(read(text), time, "{text}");
        }
    }
}
