//! Timestamps of ISO 8601, as `$toMillis` reads them without a picture.

use super::calendar;

/// Reads a timestamp, and returns the milliseconds since 1970: a year, a month, a day, a time, a
/// fraction of a second and a zone, of which all but the year may be missing from the right. The
/// zone of a time without one is UTC.
pub(super) fn parse(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text.as_bytes() };
    let year = reader.digits(4)?;
    let mut month_and_day = [1, 1];
    for part in &mut month_and_day {
        if !reader.skip(b'-') {
            break;
        }
        *part = reader.digits(2)?;
    }
    let [month, day] = month_and_day;
    let mut time = [0, 0, 0];
    let mut millis = 0;
    let has_time = reader.skip(b'T');
    if has_time {
        for (at, part) in time.iter_mut().enumerate() {
            if at > 0 && !reader.skip(b':') {
                return None;
            }
            *part = reader.digits(2)?;
        }
        if reader.skip(b'.') {
            millis = reader.fraction()?;
        }
    }
    let offset = reader.zone()?;
    let [hour, minute, second] = time;
    let is_midnight = hour == 24 && minute == 0 && second == 0 && millis == 0;
    let is_valid = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (hour < 24 || is_midnight)
        && minute < 60
        && second < 60
        && reader.rest.is_empty();
    // A day after the end of the month is one of the next month.
    let seconds = (calendar::days(year, month, 1) + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second;
    is_valid.then(|| (seconds - offset * 60) * 1_000 + millis)
}

/// A reader of a timestamp.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// Reads so many digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        let number = |sum: i64, digit: &u8| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0'));
        digits.iter().try_fold(0, number)
    }

    /// Reads the digits of a fraction, and returns the first three of them.
    fn fraction(&mut self) -> Option<i64> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
        (length > 0).then(|| digit(0) * 100 + digit(1) * 10 + digit(2))
    }

    /// Reads a zone and returns its offset in minutes.
    fn zone(&mut self) -> Option<i64> {
        let sign = match self.rest.first() {
            None => return Some(0),
            Some(b'Z') => {
                self.rest = &self.rest[1..];
                return Some(0);
            }
            Some(b'+') => 1,
            Some(b'-') => -1,
            Some(_) => return None,
        };
        self.rest = &self.rest[1..];
        let hours = self.digits(2)?;
        self.skip(b':');
        let minutes = self.digits(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_may_end_after_each_part() {
        for (text, millis) in [
            ("1970", Some(0)),
            ("1970-02", Some(2_678_400_000)),
            ("2017-10-30", Some(1_509_321_600_000)),
            ("2017-10-30T15:28:34Z", Some(1_509_377_314_000)),
            ("2017-10-30T15:28:34", Some(1_509_377_314_000)),
            ("2018-02-01T09:42:13.123+0000", Some(1_517_478_133_123)),
            ("2026-01-01T00:00:00.123456+09:00", Some(1_767_193_200_123)),
            ("1970-01-01T24:00:00Z", Some(86_400_000)),
            ("", None),
            ("197", None),
            ("01-02-2018", None),
            ("1970-13", None),
            ("1970-1", None),
            ("1970-01-01T", None),
            ("1970-01-01T10:00", None),
            ("1970-01-01T10:00:00.", None),
            ("1970-01-01T25:00:00Z", None),
            ("1970-01-01T10:00:00Zz", None),
            ("1970-01-01T10:00:00+9", None),
        ] {
            assert_eq!(parse(text), millis, "{text}");
        }
    }
}
