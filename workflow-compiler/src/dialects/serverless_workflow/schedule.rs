//! When a state is active: time intervals of ISO 8601 ("Schedule Definition", ruling R17).

use crate::dialects::timespan::read_duration;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::time::Duration;

/// A time interval as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// As it is written.
    pub written: String,
    /// What it is.
    pub active: Active,
}

/// A time interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Active {
    /// From one time to another.
    Between {
        /// The first moment in it.
        from: Timestamp,
        /// The first moment after it.
        until: Timestamp,
    },
    /// So long, counted from when the workflow is deployed.
    For(Duration),
}

/// Why a text is no interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong, as the end of a sentence that begins with the text.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

impl Flaw {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Flaw {
        Flaw { message: message.into(), help: help.into() }
    }
}

const FORMS: &str = "write `START/END`, `START/DURATION`, `DURATION/END` or `DURATION`, \
     as in `2020-03-20T13:00:00Z/P1M` or `P30D`";

/// Reads an interval.
pub fn read(text: &str) -> Result<Schedule, Flaw> {
    let written = text.trim();
    Ok(Schedule { written: written.to_owned(), active: active(written)? })
}

fn active(text: &str) -> Result<Active, Flaw> {
    let Some((first, second)) = text.split_once('/') else {
        if !is_duration(text) {
            return Err(Flaw::new("is no time interval of ISO 8601", FORMS));
        }
        let duration = read_duration(text).map_err(|flaw| Flaw::new(flaw.message, flaw.help))?;
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
        (true, true) => return Err(Flaw::new("has two durations and no time", FORMS)),
    };
    if from > until {
        return Err(Flaw::new("ends before it begins", "exchange the two times"));
    }
    not_empty(from < until, Active::Between { from, until })
}

fn not_empty(is_there: bool, active: Active) -> Result<Active, Flaw> {
    if is_there { Ok(active) } else { Err(Flaw::new("is empty", "give it some time between its ends")) }
}

fn is_duration(text: &str) -> bool {
    text.trim_start().starts_with(['P', 'p'])
}

fn time(text: &str) -> Result<Timestamp, Flaw> {
    let text = text.trim();
    text.parse().map_err(|_| {
        let help = match text.parse::<jiff::civil::DateTime>() {
            Ok(_) => format!("say in which zone: `{}` is in UTC", zoned(text)),
            Err(_) => "a time is written as in `2020-03-20T13:00:00Z`".to_owned(),
        };
        Flaw::new(format!("has `{text}` in it, which is no time"), help)
    })
}

/// A time in UTC, of which the zone is not given, and the hours perhaps not either.
fn zoned(text: &str) -> String {
    if text.contains(['T', 't', ' ']) { format!("{text}Z") } else { format!("{text}T00:00:00Z") }
}

fn span(text: &str) -> Result<Span, Flaw> {
    let text = text.trim();
    let no_duration = || Flaw::new(format!("has `{text}` in it, which is no duration"), "two days are `P2D`");
    if text.starts_with('-') {
        return Err(no_duration());
    }
    text.parse().map_err(|_| {
        // One in which a number is too large for any calendar is a duration all the same.
        let mut shape = text.replace(|c: char| c.is_ascii_digit(), "1");
        while shape.contains("11") {
            shape = shape.replace("11", "1");
        }
        if shape.parse::<Span>().is_ok() { too_far() } else { no_duration() }
    })
}

fn too_far() -> Flaw {
    Flaw::new("leads out of the years that there are", "give it a shorter duration")
}

/// A time before or after another one: years and months are those of the calendar in UTC.
fn moved(time: Timestamp, by: Span) -> Result<Timestamp, Flaw> {
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
            ("soon", "is no time interval of ISO 8601"),
            ("", "is no time interval of ISO 8601"),
            ("P1D/P2D", "has two durations and no time"),
            ("2020-03-20/P1D", "has `2020-03-20` in it, which is no time"),
            ("2020-03-20T13:00:00/P1D", "has `2020-03-20T13:00:00` in it, which is no time"),
            ("2020-03-20T13:00:00Z/Pfoo", "has `Pfoo` in it, which is no duration"),
            ("2020-03-20T13:00:00Z/P99999Y", "leads out of the years that there are"),
            ("2021-03-20T13:00:00Z/2020-03-20T13:00:00Z", "ends before it begins"),
            ("2020-03-20T13:00:00Z/2020-03-20T13:00:00Z", "is empty"),
            ("PT0S", "is empty"),
        ] {
            assert_eq!(read(text).map_err(|flaw| flaw.message), Err(message.to_owned()), "{text}");
        }
        let flaw = read("2020-03-20/P1D").expect_err("no zone");
        assert_eq!(flaw.help, "say in which zone: `2020-03-20T00:00:00Z` is in UTC");
    }
}
