//! Durations and times as cases write them: ISO 8601.

/// The units of the part of a duration before `T`, in seconds, in the order in which they are
/// written. A year has 365 days and a month 30.
const DATE: &[(char, f64)] = &[('Y', 31_536_000.0), ('M', 2_592_000.0), ('W', 604_800.0), ('D', 86_400.0)];

/// The units of the part after `T`.
const CLOCK: &[(char, f64)] = &[('H', 3_600.0), ('M', 60.0), ('S', 1.0)];

/// Returns the seconds of a duration such as `PT1M30S` or `P1DT12H`; `None` if the text is not a
/// duration.
pub fn seconds(text: &str) -> Option<f64> {
    let written = text.strip_prefix('P')?;
    let (date, clock) = match written.split_once('T') {
        Some((_, "")) => return None,
        Some((date, clock)) => (date, clock),
        None => (written, ""),
    };
    match date.is_empty() && clock.is_empty() {
        true => None,
        false => Some(sum(date, DATE)? + sum(clock, CLOCK)?),
    }
}

/// Adds numbers with units. Each unit occurs at most once, and they are in order.
fn sum(mut text: &str, mut units: &[(char, f64)]) -> Option<f64> {
    let mut total = 0.0;
    while !text.is_empty() {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let number: f64 = text[..end].replace(',', ".").parse().ok()?;
        let unit = text[end..].chars().next()?;
        let at = units.iter().position(|(name, _)| *name == unit)?;
        total += number * units[at].1;
        units = &units[at + 1..];
        text = &text[end + unit.len_utf8()..];
    }
    Some(total)
}

/// Returns `true` if a text is a time such as `2020-03-20T09:00:00Z`, with its zone.
pub fn is_time(text: &str) -> bool {
    let Some((date, clock)) = text.split_once(['T', 't']) else { return false };
    let end = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
    let (clock, zone) = clock.split_at(end);
    let is = |text: &str, pattern: &str| {
        let same = |(c, p): (u8, u8)| if p == b'0' { c.is_ascii_digit() } else { c == p };
        text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(same)
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let is_zone = matches!(zone, "Z" | "z") || is(zone, "+00:00") || is(zone, "-00:00");
    is(date, "0000-00-00") && is(whole, "00:00:00") && is_fraction && is_zone
}

/// Returns `true` if two numbers of seconds are the same but for rounding.
pub fn same_seconds(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for (text, expected) in [
            ("PT15S", Some(15.0)),
            ("PT1H", Some(3_600.0)),
            ("PT60M", Some(3_600.0)),
            ("PT1M30.5S", Some(90.5)),
            ("PT0,5S", Some(0.5)),
            ("P1DT12H", Some(129_600.0)),
            ("P1M", Some(2_592_000.0)),
            ("P2W", Some(1_209_600.0)),
            ("P1Y2M10DT2H30M", Some(31_536_000.0 + 5_184_000.0 + 864_000.0 + 9_000.0)),
            ("P", None),
            ("PT", None),
            ("P1H", None),
            ("PT1D", None),
            ("PT1S1M", None),
            ("PTS", None),
            ("1H", None),
            ("PT1H ", None),
            ("R4/PT1M", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn times_have_a_zone() {
        for text in ["2020-03-20T09:00:00Z", "2020-03-20T09:00:00.25Z", "2020-03-20T09:00:00+01:00"] {
            assert!(is_time(text), "{text}");
        }
        for text in ["2020-03-20", "2020-03-20T09:00:00", "2020-03-20T09:00Z", "PT9H", "noon", "2020-03-20T09:00:00.Z"]
        {
            assert!(!is_time(text), "{text}");
        }
    }
}
