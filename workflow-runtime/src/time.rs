//! Points in time, as executions see them.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use workflow_model::{calendar, rfc3339};

use crate::value::Value;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// The first and the last time that is shown.
const SHOWN: [i64; 2] = [calendar::days(-9999, 1, 1) * DAY, calendar::days(10_000, 1, 1) * DAY - 1];

/// A point in time: whole microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Documents and messages have it as RFC 3339 with milliseconds: `2026-01-31T12:30:00.000Z`.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::Timestamp;
///
/// let noon: Timestamp = "2026-01-31T12:00:00Z".parse().unwrap();
/// let later = noon.plus(Duration::from_millis(1_500));
/// assert_eq!(later.to_string(), "2026-01-31T12:00:01.500Z");
/// assert_eq!(later.since(noon), Duration::from_millis(1_500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates the time this many microseconds after 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    /// Creates the time this many seconds after 1970-01-01T00:00:00Z.
    pub const fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(seconds.saturating_mul(1_000_000))
    }

    /// Returns the time of the system's clock.
    pub fn now() -> Timestamp {
        SystemTime::now().into()
    }

    /// Returns the microseconds since 1970-01-01T00:00:00Z.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Returns the time this much later, saturating at the last representable time.
    pub fn plus(self, duration: Duration) -> Timestamp {
        let whole = duration.as_secs().checked_mul(1_000_000);
        let micros = whole.and_then(|whole| whole.checked_add(duration.subsec_micros().into()));
        let micros = micros.and_then(|micros| i64::try_from(micros).ok()).unwrap_or(i64::MAX);
        Timestamp(self.0.saturating_add(micros))
    }

    /// Returns the duration since `earlier`, or zero if `earlier` is later.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// Converts seconds to a duration. Negative numbers and NaN become zero, numbers that are too
/// large the longest duration.
#[inline]
pub(crate) fn seconds(seconds: f64) -> Duration {
    let whole = seconds as u32;
    if f64::from(whole) == seconds {
        return Duration::from_secs(whole.into());
    }
    fraction(seconds)
}

fn fraction(seconds: f64) -> Duration {
    if seconds > 0.0 { Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX) } else { Duration::ZERO }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => Timestamp(0).plus(after),
            Err(before) => Timestamp(i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros)),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, last] = SHOWN;
        let micros = self.0.clamp(first, last);
        let (year, month, day) = calendar::date(micros.div_euclid(DAY));
        let millis = micros.rem_euclid(DAY) / 1_000;
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let parts = [
            (0..4, year.abs()),
            (5..7, month),
            (8..10, day),
            (11..13, millis / 3_600_000),
            (14..16, millis / 60_000 % 60),
            (17..19, millis / 1_000 % 60),
            (20..23, millis % 1_000),
        ];
        for (place, number) in parts {
            write_digits(&mut text[place], number);
        }
        if year < 0 {
            f.write_str("-00")?;
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

/// Writes the last digits of a number.
fn write_digits(place: &mut [u8], number: i64) {
    let mut rest = number;
    for digit in place.iter_mut().rev() {
        // A remainder by ten is a single digit.
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
}

/// Reads RFC 3339.
impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Timestamp, InvalidTimestamp> {
        let (seconds, nanos) = rfc3339::read(text).ok_or_else(|| InvalidTimestamp(text.to_owned()))?;
        // The years from -9999 to 9999 have far fewer microseconds than an integer holds.
        Ok(Timestamp(seconds * SECOND + i64::from(nanos / 1_000)))
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Value {
        time.to_string().into()
    }
}

/// A text that is not a valid time.
///
/// ```
/// use workflow_runtime::Timestamp;
///
/// let invalid = "tomorrow".parse::<Timestamp>().unwrap_err();
/// assert!(invalid.to_string().contains("tomorrow"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidTimestamp(String);

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an RFC 3339 time such as `2026-01-31T12:30:00Z`", self.0)
    }
}

impl std::error::Error for InvalidTimestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_shown_with_milliseconds_and_read_back() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_769_862_600_123_456, "2026-01-31T12:30:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-62_167_219_200_000_001, "-000001-12-31T23:59:59.999Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
        ];
        for (micros, text) in cases {
            assert_eq!(Timestamp::from_micros(micros).to_string(), text);
            assert_eq!(text.parse(), Ok(Timestamp::from_micros(micros.div_euclid(1_000) * 1_000)));
        }
        assert_eq!("2026-01-31T13:30:00.5+01:00".parse(), Ok(Timestamp::from_micros(1_769_862_600_500_000)));
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn the_ends_of_time_are_kept() {
        assert_eq!(Timestamp::from_micros(i64::MAX).plus(Duration::MAX), Timestamp::from_micros(i64::MAX));
        assert!(Timestamp::from_micros(i64::MAX).to_string().starts_with("9999-12-31T23:59:59"));
        assert!(Timestamp::from_micros(i64::MIN).to_string().starts_with("-009999-01-01T00:00:00"));
        assert_eq!(seconds(f64::INFINITY), Duration::MAX);
        assert_eq!(seconds(f64::NAN), Duration::ZERO);
        assert_eq!(seconds(-1.0), Duration::ZERO);
    }
}
