//! Durations in the notation of people: `61s`, `1m 30s`, `250ms`.

use std::time::Duration;

const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0)];

/// Reads a duration: numbers, each with one of the units `ms`, `s`, `m`, `h`, `d`. Returns `None`
/// for any other text.
pub fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..number_end].parse().ok()?;
        let after = &rest[number_end..];
        let unit_end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (_, seconds) = UNITS.iter().find(|(unit, _)| *unit == &after[..unit_end])?;
        total = total.checked_add(Duration::try_from_secs_f64(number * seconds).ok()?)?;
        rest = after[unit_end..].trim_start();
    }
    (!text.trim().is_empty()).then_some(total)
}

/// Returns the text of a duration, in its two largest units. Durations below a minute are exact to
/// the millisecond.
pub fn show(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let pair = |large: u64, large_unit: &str, small: u64, small_unit: &str| match small {
        0 => format!("{large}{large_unit}"),
        _ => format!("{large}{large_unit} {small}{small_unit}"),
    };
    match seconds {
        0 if duration.subsec_millis() == 0 => "0s".to_owned(),
        0 => format!("{}ms", duration.subsec_millis()),
        1..60 if duration.subsec_millis() == 0 => format!("{seconds}s"),
        1..60 => format!("{}s", (duration.as_millis() as f64 / 1000.0 * 100.0).round() / 100.0),
        60..3600 => pair(seconds / 60, "m", seconds % 60, "s"),
        3600..86_400 => pair(seconds / 3600, "h", seconds % 3600 / 60, "m"),
        _ => pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_shown() {
        for (text, millis, shown) in [
            ("61s", 61_000, "1m 1s"),
            ("250ms", 250, "250ms"),
            ("1m30s", 90_000, "1m 30s"),
            ("1h 5m", 3_900_000, "1h 5m"),
            ("1.5s", 1_500, "1.5s"),
            ("2d", 172_800_000, "2d"),
            ("0s", 0, "0s"),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(millis)), "{text}");
            assert_eq!(show(Duration::from_millis(millis)), shown, "{text}");
        }
        for text in ["", " ", "5", "s", "5x", "1.2.3s", "-1s", "99999999999999999999d", "1s x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
