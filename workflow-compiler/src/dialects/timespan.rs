//! Timespans: .NET's `[d.]hh:mm[:ss[.fffffff]]`, where a bare number counts days, and ISO 8601
//! durations. A year has 365 days and a month 30.

use crate::source::Spanned;
use std::time::Duration;

/// Timespan with its span.
pub type Timespan = Spanned<Duration>;

/// Longest timespan of .NET in units of 100 ns (ticks): more than 29,000 years.
const LONGEST: u128 = i64::MAX as u128;
const SECOND: u128 = 10_000_000;
const DAY: u128 = 24 * 60 * 60 * SECOND;

const IN_ORDER: &str = "write the units in the order of `P1Y2M3DT4H5M6S`";

/// Result of reading a timespan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsedTimespan {
    /// Length of the timespan.
    pub duration: Duration,
    /// Number of days, if the timespan is a bare number ([S19](docs/sm4c.md#s19)).
    pub bare_days: Option<u64>,
}

/// Error for a text that is not a timespan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimespanError {
    /// Predicate of the message. The subject is the text.
    pub message: String,
    /// Help line: a correction or an example.
    pub help: String,
}

/// Reads a timespan in either form.
pub fn read(text: &str) -> Result<ParsedTimespan, TimespanError> {
    let text = text.trim();
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (ticks, bare) = if unsigned.starts_with(['P', 'p']) {
        (iso_ticks(unsigned)?, false)
    } else if are_digits(unsigned) {
        (parse_digits(unsigned).and_then(|days| days.checked_mul(DAY)), true)
    } else {
        (dotnet_ticks(unsigned)?, false)
    };
    let Some(ticks) = ticks.filter(|ticks| *ticks <= LONGEST) else {
        return Err(TimespanError::new(
            "is too long",
            "the longest timespan is `10675199.02:48:05.4775807`, 29,247 years",
        ));
    };
    if is_negative && ticks > 0 {
        return Err(TimespanError::new("must not be negative", format!("write `{unsigned}`")));
    }
    // Both casts are lossless: the seconds fit into 64 bits, and the rest is less than a second.
    let duration = Duration::new((ticks / SECOND) as u64, (ticks % SECOND) as u32 * 100);
    Ok(ParsedTimespan { duration, bare_days: bare.then_some((ticks / DAY) as u64) })
}

/// Reads an ISO 8601 duration. The .NET form is an error.
pub fn read_duration(text: &str) -> Result<Duration, TimespanError> {
    const EXAMPLES: &str = "write ten seconds as `PT10S`, and two days as `P2D`";
    let trimmed = text.trim();
    if !trimmed.trim_start_matches('-').starts_with(['P', 'p']) {
        let help = match are_digits(trimmed) {
            true => format!("write {trimmed} seconds as `PT{trimmed}S`"),
            false => suggestion(trimmed).unwrap_or_else(|| EXAMPLES.to_owned()),
        };
        return Err(TimespanError::new("is not an ISO 8601 duration", help));
    }
    read(trimmed).map(|read| read.duration).map_err(|error| match error.message.as_str() {
        "is not a timespan" => {
            let help = if error.help.contains("00:00") { EXAMPLES.to_owned() } else { error.help };
            TimespanError::new("is not an ISO 8601 duration", help)
        }
        _ => error,
    })
}

impl TimespanError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> TimespanError {
        TimespanError { message: message.into(), help: help.into() }
    }

    fn not_a_timespan(help: Option<String>) -> TimespanError {
        let help = help.unwrap_or_else(|| {
            "write ten seconds as `00:00:10` or `PT10S`, and two days as `2.00:00:00` or `P2D`".into()
        });
        TimespanError::new("is not a timespan", help)
    }
}

/// Returns the ticks of a timespan `[d.]hh:mm[:ss[.fffffff]]`, or `None` on overflow.
fn dotnet_ticks(text: &str) -> Result<Option<u128>, TimespanError> {
    let parts: Vec<&str> = text.split(':').collect();
    let (first, minutes, rest) = match parts[..] {
        [first, minutes] => (first, minutes, "0"),
        [first, minutes, rest] => (first, minutes, rest),
        [days, hours, minutes, rest] if parts.iter().take(3).all(|part| are_digits(part)) => {
            return Err(TimespanError::not_a_timespan(Some(format!("write `{days}.{hours}:{minutes}:{rest}`"))));
        }
        _ => return Err(TimespanError::not_a_timespan(suggestion(text))),
    };
    let (days, hours) = first.split_once('.').unwrap_or(("0", first));
    let (seconds, fraction) = match rest.split_once('.') {
        Some((seconds, fraction)) if are_digits(fraction) => (seconds, fraction),
        Some(_) => return Err(TimespanError::not_a_timespan(None)),
        None => (rest, ""),
    };
    if ![days, hours, minutes, seconds].into_iter().all(are_digits) {
        return Err(TimespanError::not_a_timespan(None));
    }
    if fraction.len() > 7 {
        let help = format!("write `{}`", &text[..text.len() - (fraction.len() - 7)]);
        return Err(TimespanError::new("has more than 7 fractional digits", help));
    }
    for (part, name, most) in [(hours, "hours", 23), (minutes, "minutes", 59), (seconds, "seconds", 59)] {
        let value = parse_digits(part).unwrap_or(u128::MAX);
        if value > most {
            let help = if name == "hours" && !first.contains('.') && value < u128::from(u32::MAX) {
                let rest = &text[first.len()..];
                format!("write `{}.{:02}{rest}`: days come before a period", value / 24, value % 24)
            } else {
                "write ninety seconds as `00:01:30` or `PT90S`".to_owned()
            };
            return Err(TimespanError::new(format!("has {part} {name}, but the maximum is {most}"), help));
        }
    }
    let small = |part: &str| parse_digits(part).unwrap_or_default();
    let fraction = small(&format!("{fraction:0<7}"));
    let time = ((small(hours) * 60 + small(minutes)) * 60 + small(seconds)) * SECOND + fraction;
    Ok(parse_digits(days).and_then(|days| days.checked_mul(DAY)?.checked_add(time)))
}

/// Returns the ticks of an ISO 8601 duration as XML Schema restricts it, or `None` on overflow.
fn iso_ticks(text: &str) -> Result<Option<u128>, TimespanError> {
    const DATE: [(char, u128); 3] = [('Y', 365 * DAY), ('M', 30 * DAY), ('D', DAY)];
    const TIME: [(char, u128); 3] = [('H', 3600 * SECOND), ('M', 60 * SECOND), ('S', SECOND)];
    if text.chars().any(|letter| letter.is_ascii_lowercase()) {
        let upper = text.to_ascii_uppercase();
        let help = iso_ticks(&upper).is_ok().then(|| format!("write `{upper}`"));
        return Err(TimespanError::not_a_timespan(help));
    }
    let body = &text[1..];
    let (date, time) = match body.split_once('T') {
        Some((_, "")) => {
            return Err(TimespanError::not_a_timespan(Some("write hours, minutes or seconds after the `T`".into())));
        }
        Some((date, time)) => (date, time),
        None => (body, ""),
    };
    if body.is_empty() {
        return Err(TimespanError::not_a_timespan(None));
    }
    let mut total = Some(0u128);
    for (mut rest, section) in [(date, &DATE), (time, &TIME)] {
        let mut units = section.iter();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let (amount, after) = rest.split_at(end);
            let Some(unit) = after.chars().next() else {
                return Err(TimespanError::not_a_timespan(Some(format!(
                    "add a unit after `{amount}`, as in `PT{amount}S`"
                ))));
            };
            let Some((_, ticks)) = units.find(|(name, _)| *name == unit) else {
                let is_out_of_order = section.iter().any(|(name, _)| *name == unit);
                return Err(TimespanError::not_a_timespan(if is_out_of_order {
                    Some(IN_ORDER.into())
                } else {
                    misplaced_unit(unit, amount)
                }));
            };
            let ticks = match amount.split_once('.') {
                None if are_digits(amount) => parse_digits(amount).and_then(|amount| amount.checked_mul(*ticks)),
                Some((whole, fraction)) if unit == 'S' && are_digits(whole) && are_digits(fraction) => {
                    // Fractions below one tick are cut off.
                    let fraction = parse_digits(&format!("{fraction:0<7}")[..7]).unwrap_or_default();
                    parse_digits(whole).and_then(|whole| whole.checked_mul(SECOND)?.checked_add(fraction))
                }
                Some(_) if unit != 'S' => {
                    return Err(TimespanError::not_a_timespan(Some(
                        "only seconds can have a fraction: write half an hour as `PT30M`".into(),
                    )));
                }
                _ => return Err(TimespanError::not_a_timespan(None)),
            };
            total = total.and_then(|total| total.checked_add(ticks?));
            rest = &after[unit.len_utf8()..];
        }
    }
    Ok(total)
}

/// Returns the help line for an amount with an unknown or misplaced unit.
fn misplaced_unit(unit: char, amount: &str) -> Option<String> {
    match unit {
        'W' => parse_digits(amount)?.checked_mul(7).map(|days| format!("write weeks as days: `P{days}D`")),
        'H' | 'S' => Some(format!("write hours, minutes and seconds after a `T`, as in `PT{amount}{unit}`")),
        'Y' | 'D' => Some(format!("write years, months and days before the `T`, as in `P{amount}{unit}`")),
        _ => None,
    }
}

/// Returns the help line for a number with a unit after it, such as `10s`.
fn suggestion(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (amount, unit) = text.split_at(end);
    if amount.is_empty() {
        return None;
    }
    let duration = match unit.trim().to_ascii_lowercase().as_str() {
        "s" | "sec" | "second" | "seconds" => format!("PT{amount}S"),
        "m" | "min" | "minute" | "minutes" => format!("PT{amount}M"),
        "h" | "hour" | "hours" => format!("PT{amount}H"),
        "d" | "day" | "days" => format!("P{amount}D"),
        _ => return None,
    };
    Some(format!("write `{duration}`"))
}

/// Parses a number of any length. Returns `None` if it has more than 20 significant digits.
fn parse_digits(digits: &str) -> Option<u128> {
    let digits = digits.trim_start_matches('0');
    // A number of 20 digits times the ticks of a year fits into 128 bits.
    if digits.len() > 20 { None } else { Some(digits.parse().unwrap_or_default()) }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the length in units of 100 ns.
    fn ticks(text: &str) -> Result<u128, String> {
        read(text)
            .map(|read| read.duration.as_nanos() / 100)
            .map_err(|error| format!("{} | {}", error.message, error.help))
    }

    #[test]
    fn timespans_of_net() {
        for (text, expected) in [
            ("00:00:10", 10 * SECOND),
            ("0:0:1", SECOND),
            ("6:12", (6 * 60 + 12) * 60 * SECOND),
            ("1.02:03:04", DAY + ((2 * 60 + 3) * 60 + 4) * SECOND),
            ("1.02:03", DAY + (2 * 60 + 3) * 60 * SECOND),
            ("00:00:00.5", SECOND / 2),
            ("00:00:00.0000001", 1),
            ("23:59:59.9999999", DAY - 1),
            (" 00:01 ", 60 * SECOND),
            ("10675199.02:48:05.4775807", LONGEST),
            ("000000000000000000000000000001.00:00", DAY),
            ("-00:00", 0),
            ("0", 0),
            ("7", 7 * DAY),
            ("10675199", 10_675_199 * DAY),
        ] {
            assert_eq!(ticks(text), Ok(expected), "{text}");
        }
        assert_eq!(read("7").map(|read| read.bare_days), Ok(Some(7)));
        assert_eq!(read("7.00:00").map(|read| read.bare_days), Ok(None));
    }

    #[test]
    fn durations_of_iso_8601() {
        for (text, expected) in [
            ("PT10S", 10 * SECOND),
            ("P1DT2H", DAY + 2 * 3600 * SECOND),
            ("P1Y", 365 * DAY),
            ("P2M", 60 * DAY),
            ("P1Y2M3DT4H5M6S", 428 * DAY + ((4 * 60 + 5) * 60 + 6) * SECOND),
            ("PT0.25S", SECOND / 4),
            ("PT0.00000019S", 1),
            ("PT90M", 5400 * SECOND),
            ("PT0S", 0),
            ("-PT0S", 0),
            ("P10675199DT2H48M5.4775807S", LONGEST),
        ] {
            assert_eq!(ticks(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_timespan_is_refused_with_what_to_write() {
        let too_long = "is too long | the longest timespan is `10675199.02:48:05.4775807`, 29,247 years";
        let examples =
            "is not a timespan | write ten seconds as `00:00:10` or `PT10S`, and two days as `2.00:00:00` or `P2D`";
        let ninety = "write ninety seconds as `00:01:30` or `PT90S`";
        for (text, expected) in [
            ("10675199.02:48:05.4775808", too_long),
            ("10675200", too_long),
            ("99999999999999999999999999999999999999999999999", too_long),
            ("P99999999999999999999999Y", too_long),
            ("P30000Y", too_long),
            ("PT99999999999999999999S", too_long),
            ("-00:00:10", "must not be negative | write `00:00:10`"),
            ("-PT1S", "must not be negative | write `PT1S`"),
            ("-1", "must not be negative | write `1`"),
            ("24:00:00", "has 24 hours, but the maximum is 23 | write `1.00:00:00`: days come before a period"),
            ("100:30", "has 100 hours, but the maximum is 23 | write `4.04:30`: days come before a period"),
            ("00:00:90", &format!("has 90 seconds, but the maximum is 59 | {ninety}")),
            ("00:60", &format!("has 60 minutes, but the maximum is 59 | {ninety}")),
            ("1.24:00", &format!("has 24 hours, but the maximum is 23 | {ninety}")),
            ("1:02:03:04", "is not a timespan | write `1.02:03:04`"),
            ("00:00:00.12345678", "has more than 7 fractional digits | write `00:00:00.1234567`"),
            ("10s", "is not a timespan | write `PT10S`"),
            ("5 minutes", "is not a timespan | write `PT5M`"),
            ("pt10s", "is not a timespan | write `PT10S`"),
            ("P2W", "is not a timespan | write weeks as days: `P14D`"),
            ("P10S", "is not a timespan | write hours, minutes and seconds after a `T`, as in `PT10S`"),
            ("PT10", "is not a timespan | add a unit after `10`, as in `PT10S`"),
            ("P1DT", "is not a timespan | write hours, minutes or seconds after the `T`"),
            ("PT0.5H", "is not a timespan | only seconds can have a fraction: write half an hour as `PT30M`"),
            ("PT1S2M", "is not a timespan | write the units in the order of `P1Y2M3DT4H5M6S`"),
            ("PT1M1H", "is not a timespan | write the units in the order of `P1Y2M3DT4H5M6S`"),
            ("P1D1D", "is not a timespan | write the units in the order of `P1Y2M3DT4H5M6S`"),
            ("PT1D", "is not a timespan | write years, months and days before the `T`, as in `P1D`"),
            ("P", examples),
            ("p", examples),
            ("", examples),
            ("-", examples),
            ("--1", examples),
            ("soon", examples),
            ("1.5", examples),
            ("::", examples),
            (":", examples),
            ("00:00:", examples),
            ("00:00:1.", examples),
            ("1.2.3:4", examples),
            ("PT.S", examples),
            ("PT1.S", examples),
            ("P١D", examples),
            ("é:é", examples),
            ("Pé", examples),
        ] {
            assert_eq!(ticks(text), Err(expected.to_owned()), "{text}");
        }
    }
}
