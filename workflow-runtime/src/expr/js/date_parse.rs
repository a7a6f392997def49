//! Parser for dates: the format of ECMAScript (ECMA-262 §21.4.1.32), and the formats of `toString`
//! and `toUTCString` with common variations.

use super::date::{MONTHS, clip, full_year, make};

/// Parses a time. Returns NaN for an invalid text.
pub(super) fn parse(text: &str) -> f64 {
    super::budget::walk(text.len());
    let text = text.trim();
    iso(text).or_else(|| loose(text)).map_or(f64::NAN, clip)
}

/// A scanner of digits and separators.
struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let matches = self.rest.first() == Some(&byte);
        if matches {
            self.rest = &self.rest[1..];
        }
        matches
    }

    /// Reads exactly `count` digits.
    fn digits(&mut self, count: usize) -> Option<f64> {
        let digits = self.rest.get(..count)?;
        let number = digits
            .iter()
            .try_fold(0.0, |number, byte| byte.is_ascii_digit().then(|| number * 10.0 + f64::from(byte - b'0')))?;
        self.rest = &self.rest[count..];
        Some(number)
    }
}

fn iso(text: &str) -> Option<f64> {
    let mut scanner = Scanner { rest: text.as_bytes() };
    let year = if scanner.take(b'+') {
        scanner.digits(6)?
    } else if scanner.take(b'-') {
        let year = -scanner.digits(6)?;
        // The year -0 is invalid.
        (year != 0.0).then_some(year)?
    } else {
        scanner.digits(4)?
    };
    let (mut month, mut day) = (1.0, 1.0);
    if scanner.take(b'-') {
        month = scanner.digits(2)?;
        if scanner.take(b'-') {
            day = scanner.digits(2)?;
        }
    }
    let (mut hour, mut minute, mut second, mut millisecond, mut offset) = (0.0, 0.0, 0.0, 0.0, 0.0);
    if scanner.take(b'T') || scanner.take(b't') || scanner.take(b' ') {
        hour = scanner.digits(2)?;
        scanner.take(b':').then_some(())?;
        minute = scanner.digits(2)?;
        if scanner.take(b':') {
            second = scanner.digits(2)?;
            if scanner.take(b'.') || scanner.take(b',') {
                millisecond = fraction(&mut scanner)?;
            }
        }
        offset = zone(&mut scanner)?;
    }
    let valid = (1.0..=12.0).contains(&month)
        && (1.0..=31.0).contains(&day)
        && minute < 60.0
        && second < 60.0
        && (hour < 24.0 || (hour == 24.0 && minute == 0.0 && second == 0.0 && millisecond == 0.0));
    (valid && scanner.rest.is_empty())
        .then(|| make([year, month - 1.0, day, hour, minute, second, millisecond]) - offset * 60_000.0)
}

/// Reads digits after the point as milliseconds. Further digits are dropped.
fn fraction(scanner: &mut Scanner<'_>) -> Option<f64> {
    let (mut number, mut weight) = (scanner.digits(1)? * 100.0, 10.0);
    while let Some(digit) = scanner.digits(1) {
        number += digit * weight;
        weight = f64::floor(weight / 10.0);
    }
    Some(number)
}

/// Reads `Z`, `+01:00` or nothing, in minutes.
fn zone(scanner: &mut Scanner<'_>) -> Option<f64> {
    if scanner.take(b'Z') || scanner.take(b'z') {
        return Some(0.0);
    }
    let sign = match (scanner.take(b'+'), scanner.take(b'-')) {
        (true, _) => 1.0,
        (_, true) => -1.0,
        _ => return Some(0.0),
    };
    let hours = scanner.digits(2)?;
    scanner.take(b':');
    let minutes = scanner.digits(2)?;
    (hours < 24.0 && minutes < 60.0).then_some(sign * (hours * 60.0 + minutes))
}

/// Parses words and numbers in any unambiguous order: `Thu, 01 Jan 1970 00:00:00 GMT+0100`, `Jan
/// 1, 1970`, `1/2/1970`.
fn loose(text: &str) -> Option<f64> {
    let (mut numbers, mut month, mut time, mut offset) = (Vec::new(), None, None, 0.0);
    let mut afternoon = None;
    for token in tokens(text)? {
        let first = token.bytes().next()?;
        if first.is_ascii_alphabetic() {
            let lower = token.to_ascii_lowercase();
            match lower.as_str() {
                "am" => afternoon = Some(false),
                "pm" => afternoon = Some(true),
                "gmt" | "utc" | "ut" | "z" | "t" => {}
                name if name.len() >= 3 => match position(&MONTHS, name) {
                    Some(at) => month = Some(at as f64),
                    None => drop(position(&super::date::WEEKDAYS, name)?),
                },
                _ => return None,
            }
        } else if token.contains(':') {
            time = Some(clock(token)?);
        } else if matches!(first, b'+' | b'-') && time.is_some() {
            let digits = token[1..].replace(':', "");
            let number: f64 = digits.parse().ok()?;
            let minutes =
                if digits.len() <= 2 { number * 60.0 } else { (number / 100.0).floor() * 60.0 + number % 100.0 };
            offset = if first == b'-' { -minutes } else { minutes };
        } else {
            numbers.push(token.trim_start_matches('-').parse::<f64>().ok()?);
        }
    }
    let (year, month, day) = match (month, numbers.as_slice()) {
        (Some(month), [day, year]) if *day <= 31.0 => (*year, month, *day),
        (Some(month), [year, day]) => (*year, month, *day),
        (Some(month), [year]) if *year > 31.0 => (*year, month, 1.0),
        (Some(month), [day]) => (2001.0, month, *day),
        // A month of the year 2001, or a year.
        (None, [month]) if (1.0..=12.0).contains(month) => (2001.0, month - 1.0, 1.0),
        (None, [year]) if *year == 0.0 || *year > 31.0 => (*year, 0.0, 1.0),
        (None, [year, month, day]) if *year > 31.0 => (*year, month - 1.0, *day),
        (None, [month, day, year]) => (*year, month - 1.0, *day),
        _ => return None,
    };
    if !(0.0..12.0).contains(&month) || !(1.0..=31.0).contains(&day) {
        return None;
    }
    let [mut hour, minute, second] = time.unwrap_or_default();
    match afternoon {
        Some(_) if !(1.0..=12.0).contains(&hour) => return None,
        Some(afternoon) => hour = hour % 12.0 + if afternoon { 12.0 } else { 0.0 },
        None => {}
    }
    let year = if year < 50.0 { 2000.0 + year } else { full_year(year) };
    Some(make([year, month, day, hour, minute, second, 0.0]) - offset * 60_000.0)
}

fn position(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|candidate| name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(candidate)))
}

/// Reads `10:20` or `10:20:30`.
fn clock(token: &str) -> Option<[f64; 3]> {
    let mut parts = token.split(':').map(|part| part.parse::<f64>().ok());
    let time = [parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0.0))?];
    let valid = time[0] <= 24.0 && time[1] < 60.0 && time[2] < 60.0 && parts.next().is_none();
    valid.then_some(time)
}

/// Splits a text into words, numbers with colons, and signs. Drops parts in parentheses.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'(' => at += text[at..].find(')')? + 1,
            b' ' | b',' | b'/' | b'.' => at += 1,
            byte if byte.is_ascii_alphabetic() => {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                tokens.push(&text[start..at]);
            }
            b'+' | b'-' | b'0'..=b'9' => {
                at += 1 + bytes[at + 1..].iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b':')).count();
                tokens.push(&text[start..at]);
            }
            _ => return None,
        }
    }
    Some(tokens)
}
