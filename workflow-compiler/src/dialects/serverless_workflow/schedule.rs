//! Schedules: ISO 8601 time intervals in which a start state is active ("Schedule Definition",
//! [R17](docs/serverless-workflow.md#r17)).

use crate::dialects::timespan::read_duration;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::time::Duration;

/// Time interval as written, and as parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Interval as written, without surrounding blanks.
    pub written: String,
    /// Parsed interval.
    pub active: Active,
}

/// Time interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Active {
    /// Interval between two times.
    Between {
        /// Start, inclusive.
        from: Timestamp,
        /// End, exclusive.
        until: Timestamp,
    },
    /// Duration from the deployment of the workflow.
    For(Duration),
}

/// Error for a text that is not an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleError {
    /// Predicate of the message. The subject is the text.
    pub message: String,
    /// Help line: a correction or an example.
    pub help: String,
}

impl ScheduleError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> ScheduleError {
        ScheduleError { message: message.into(), help: help.into() }
    }
}

const FORMS: &str = "write `START/END`, `START/DURATION`, `DURATION/END` or `DURATION`, \
     as in `2020-03-20T13:00:00Z/P1M` or `P30D`";

/// Parses an interval.
pub fn read(text: &str) -> Result<Schedule, ScheduleError> {
    let written = text.trim();
    Ok(Schedule { written: written.to_owned(), active: active(written)? })
}

fn active(text: &str) -> Result<Active, ScheduleError> {
    let Some((first, second)) = text.split_once('/') else {
        if !is_duration(text) {
            return Err(ScheduleError::new("is not an ISO 8601 time interval", FORMS));
        }
        let duration = read_duration(text).map_err(|error| ScheduleError::new(error.message, error.help))?;
        return not_empty(!duration.is_zero(), Active::For(duration));
    };
    let (from, until) = match (is_duration(first), is_duration(second)) {
        (false, false) => (time(first)?, time(second)?),
        (false, true) => {
            let from = time(first)?;
            (from, moved(from, span(second)?)?)
        }
        (true, false) => {
            let until = time(second)?;
            (moved(until, span(first)?.negate())?, until)
        }
        (true, true) => return Err(ScheduleError::new("consists of two durations: one of them must be a time", FORMS)),
    };
    if from > until {
        return Err(ScheduleError::new("ends before it begins", "swap the two times"));
    }
    not_empty(from < until, Active::Between { from, until })
}

fn not_empty(is_there: bool, active: Active) -> Result<Active, ScheduleError> {
    if is_there { Ok(active) } else { Err(ScheduleError::new("is empty", "use an interval longer than 0 seconds")) }
}

fn is_duration(text: &str) -> bool {
    text.trim_start().starts_with(['P', 'p'])
}

fn time(text: &str) -> Result<Timestamp, ScheduleError> {
    let text = text.trim();
    text.parse().map_err(|_| {
        let help = match text.parse::<jiff::civil::DateTime>() {
            Ok(_) => format!("add a time zone, such as UTC: `{}`", zoned(text)),
            Err(_) => "write a time as in `2020-03-20T13:00:00Z`".to_owned(),
        };
        ScheduleError::new(format!("contains `{text}`, which is not a time"), help)
    })
}

/// Completes a time without a zone, and perhaps without hours, to a time in UTC.
fn zoned(text: &str) -> String {
    if text.contains(['T', 't', ' ']) { format!("{text}Z") } else { format!("{text}T00:00:00Z") }
}

fn span(text: &str) -> Result<Span, ScheduleError> {
    let text = text.trim();
    let no_duration =
        || ScheduleError::new(format!("contains `{text}`, which is not a duration"), "write two days as `P2D`");
    if text.starts_with('-') {
        return Err(no_duration());
    }
    text.parse().map_err(|_| {
        // A duration with a number that is too large for any calendar still has the form of a
        // duration.
        let mut shape = text.replace(|c: char| c.is_ascii_digit(), "1");
        while shape.contains("11") {
            shape = shape.replace("11", "1");
        }
        if shape.parse::<Span>().is_ok() { too_far() } else { no_duration() }
    })
}

fn too_far() -> ScheduleError {
    ScheduleError::new("exceeds the supported range of years", "use a shorter duration")
}

/// Adds a duration to a time. Years and months are those of the calendar in UTC.
fn moved(time: Timestamp, by: Span) -> Result<Timestamp, ScheduleError> {
    let moved = time.to_zoned(TimeZone::UTC).checked_add(by).map(|moved| moved.timestamp());
    moved.map_err(|_| too_far())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        let between = |from: &str, until: &str| Active::Between {
            from: from.parse().expect("a time"),
            until: until.parse().expect("a time"),
        };
        for (text, expected) in [
            ("2020-03-20T13:00:00Z/2021-05-11T15:30:00Z", between("2020-03-20T13:00:00Z", "2021-05-11T15:30:00Z")),
            ("2020-03-20T13:00:00Z/P1Y2M10DT2H30M", between("2020-03-20T13:00:00Z", "2021-05-30T15:30:00Z")),
            ("P1Y2M10DT2H30M/2020-05-11T15:30:00Z", between("2019-03-01T13:00:00Z", "2020-05-11T15:30:00Z")),
            ("2020-01-31T00:00:00+01:00/P1M", between("2020-01-30T23:00:00Z", "2020-02-29T23:00:00Z")),
            ("P1DT1S", Active::For(Duration::from_secs(86401))),
        ] {
            assert_eq!(read(text).map(|read| read.active), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_interval_is_refused() {
        for (text, message) in [
            ("soon", "is not an ISO 8601 time interval"),
            ("", "is not an ISO 8601 time interval"),
            ("P1D/P2D", "consists of two durations: one of them must be a time"),
            ("2020-03-20/P1D", "contains `2020-03-20`, which is not a time"),
            ("2020-03-20T13:00:00/P1D", "contains `2020-03-20T13:00:00`, which is not a time"),
            ("2020-03-20T13:00:00Z/Pfoo", "contains `Pfoo`, which is not a duration"),
            ("2020-03-20T13:00:00Z/P99999Y", "exceeds the supported range of years"),
            ("2021-03-20T13:00:00Z/2020-03-20T13:00:00Z", "ends before it begins"),
            ("2020-03-20T13:00:00Z/2020-03-20T13:00:00Z", "is empty"),
            ("PT0S", "is empty"),
        ] {
            assert_eq!(read(text).map_err(|error| error.message), Err(message.to_owned()), "{text}");
        }
        let error = read("2020-03-20/P1D").expect_err("no zone");
        assert_eq!(error.help, "add a time zone, such as UTC: `2020-03-20T00:00:00Z`");
    }
}
