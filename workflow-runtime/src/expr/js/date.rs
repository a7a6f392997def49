//! Dates (ECMA-262 §21.4.1): milliseconds since 1970 in UTC, which is also the local time of every
//! program.

use workflow_model::calendar;

use crate::value::Str;

pub(super) const DAY: f64 = 86_400_000.0;
const HOUR: f64 = 3_600_000.0;
const MINUTE: f64 = 60_000.0;
const SECOND: f64 = 1000.0;

pub(super) const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
pub(super) const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The fields of a time. Months count from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) year: f64,
    pub(super) month: f64,
    pub(super) day: f64,
    pub(super) hour: f64,
    pub(super) minute: f64,
    pub(super) second: f64,
    pub(super) millisecond: f64,
    pub(super) weekday: f64,
}

/// Returns the fields of a valid time.
pub(super) fn fields(time: f64) -> Fields {
    let days = (time / DAY).floor();
    let within = time - days * DAY;
    let (year, month, day) = civil(days as i64);
    Fields {
        year: year as f64,
        month: month as f64,
        day: day as f64,
        hour: (within / HOUR).floor(),
        minute: (within / MINUTE).floor() % 60.0,
        second: (within / SECOND).floor() % 60.0,
        millisecond: within % SECOND,
        weekday: (days + 4.0).rem_euclid(7.0),
    }
}

/// Returns the year, the month from 0 and the day of a day counted from 1970, in the proleptic
/// Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    let (year, month, day) = calendar::date(days);
    (year, month - 1, day)
}

/// Implements `MakeDay` (§21.4.1.28).
fn make_day(year: f64, month: f64, day: f64) -> f64 {
    if !(year.is_finite() && month.is_finite() && day.is_finite()) {
        return f64::NAN;
    }
    let (year, month, day) = (year.trunc(), month.trunc(), day.trunc());
    let year = year + (month / 12.0).floor();
    if year.abs() > 400_000.0 {
        return f64::NAN;
    }
    calendar::days(year as i64, month.rem_euclid(12.0) as i64 + 1, 1) as f64 + day - 1.0
}

/// Implements `MakeDate` of `MakeDay` and `MakeTime`. The fields range from the year to the
/// millisecond.
pub(super) fn make(parts: [f64; 7]) -> f64 {
    let [year, month, day, hour, minute, second, millisecond] = parts;
    let time = hour.trunc() * HOUR + minute.trunc() * MINUTE + second.trunc() * SECOND + millisecond.trunc();
    let date = make_day(year, month, day) * DAY + time;
    if date.is_finite() { date } else { f64::NAN }
}

/// Implements `TimeClip` (§21.4.1.31).
pub(super) fn clip(time: f64) -> f64 {
    if time.abs() <= 8.64e15 { time.trunc() + 0.0 } else { f64::NAN }
}

/// Returns the full year. A year from 0 to 99 is in the twentieth century (§21.4.1.30).
pub(super) fn full_year(year: f64) -> f64 {
    let whole = year.trunc();
    if (0.0..=99.0).contains(&whole) { 1900.0 + whole } else { year }
}

/// Implements `toISOString`. Returns `None` for an invalid date.
pub(super) fn iso(time: f64) -> Option<Str> {
    if time.is_nan() {
        return None;
    }
    let Fields { year, month, day, hour, minute, second, millisecond, .. } = fields(time);
    let year = match year {
        0.0..=9999.0 => format!("{year:04}"),
        year if year < 0.0 => format!("-{:06}", -year),
        year => format!("+{year:06}"),
    };
    Some(format!("{year}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z", month + 1.0).into())
}

/// Implements `toString`.
pub(super) fn text(time: f64) -> Str {
    if time.is_nan() {
        return Str::from_static("Invalid Date");
    }
    format!("{} {}", date_text(time).as_str(), time_text(time).as_str()).into()
}

/// Implements `toDateString`.
pub(super) fn date_text(time: f64) -> Str {
    let Fields { year, month, day, weekday, .. } = fields(time);
    format!("{} {} {day:02} {}", WEEKDAYS[weekday as usize % 7], MONTHS[month as usize % 12], year_text(year)).into()
}

/// Implements `toTimeString`.
pub(super) fn time_text(time: f64) -> Str {
    let Fields { hour, minute, second, .. } = fields(time);
    format!("{hour:02}:{minute:02}:{second:02} GMT+0000").into()
}

/// Implements `toUTCString`.
pub(super) fn utc_text(time: f64) -> Str {
    let Fields { year, month, day, hour, minute, second, weekday, .. } = fields(time);
    let (weekday, month) = (WEEKDAYS[weekday as usize % 7], MONTHS[month as usize % 12]);
    format!("{weekday}, {day:02} {month} {} {hour:02}:{minute:02}:{second:02} GMT", year_text(year)).into()
}

fn year_text(year: f64) -> String {
    if year < 0.0 { format!("-{:04}", -year) } else { format!("{year:04}") }
}
