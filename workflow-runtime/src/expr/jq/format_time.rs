//! `strftime` of the C library in the locale `C`.

use super::calendar::BrokenDownTime;
use crate::expr::calendar_names::{DAYS, MONTHS};

/// Returns the name of a weekday, from Sunday on.
pub(super) fn day_name(at: usize) -> &'static str {
    if at < DAYS.len() { DAYS[(at + DAYS.len() - 1) % DAYS.len()] } else { "?" }
}

pub(super) fn month_name(at: usize) -> &'static str {
    MONTHS.get(at).copied().unwrap_or("?")
}

/// The flags and the width between `%` and the letter.
#[derive(Clone, Copy, Default)]
struct Directive {
    /// The padding flag: `_`, `-` or `0`.
    pad: Option<char>,
    upper: bool,
    swap: bool,
    width: usize,
}

/// Formats a time. Returns `None` if the result exceeds jq's buffer, which is 100 bytes larger
/// than the format.
pub(super) fn format(parts: &BrokenDownTime, format: &str) -> Option<String> {
    let most = format.len() + 100;
    let mut out = String::new();
    write(parts, format, &mut out, most, Directive::default())?;
    (out.len() < most && (!out.is_empty() || format.is_empty())).then_some(out)
}

fn write(parts: &BrokenDownTime, format: &str, out: &mut String, most: usize, around: Directive) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (directive, modifier, letter, after) = read(&rest[at + 1..]);
        let text = &rest[at..rest.len() - after.len()];
        rest = after;
        let directive = Directive { upper: directive.upper || around.upper, ..directive };
        if directive.width >= most || out.len() >= most {
            return None;
        }
        let modified = match modifier {
            None => true,
            Some('E') => "cCxXyY".contains(letter),
            Some(_) => "deHImMSuUVwWy".contains(letter),
        };
        if !modified || one(parts, letter, directive, out, most)?.is_none() {
            pad(text, directive, out);
        }
    }
    out.push_str(rest);
    Some(())
}

/// Splits off the directive at the start of a text. Returns its flags, its modifier, its letter,
/// and the rest of the text.
fn read(text: &str) -> (Directive, Option<char>, char, &str) {
    let mut directive = Directive::default();
    let mut rest = text;
    let take = |rest: &mut &str, wanted: fn(char) -> bool| {
        let next = rest.chars().next().filter(|c| wanted(*c))?;
        *rest = &rest[next.len_utf8()..];
        Some(next)
    };
    while let Some(flag) = take(&mut rest, |c| "_-0^#+".contains(c)) {
        match flag {
            '^' => directive.upper = true,
            '#' => directive.swap = true,
            pad => directive.pad = Some(pad),
        }
    }
    while let Some(digit) = take(&mut rest, |c| c.is_ascii_digit()) {
        directive.width = directive.width.saturating_mul(10).saturating_add(digit as usize - '0' as usize);
    }
    let modifier = take(&mut rest, |c| c == 'E' || c == 'O');
    let letter = take(&mut rest, |_| true);
    (directive, modifier, letter.unwrap_or('\0'), rest)
}

/// Appends text, padded to the width.
fn pad(text: &str, directive: Directive, out: &mut String) {
    if directive.pad != Some('-') {
        let fill = if directive.pad == Some('0') { '0' } else { ' ' };
        out.extend(std::iter::repeat_n(fill, directive.width.saturating_sub(text.len())));
    }
    out.push_str(text);
}

/// Appends the field of a letter. The inner `None` marks an unknown letter, the outer `None` a
/// full buffer.
fn one(
    parts: &BrokenDownTime,
    letter: char,
    directive: Directive,
    out: &mut String,
    most: usize,
) -> Option<Option<()>> {
    let hour12 = match parts.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let noon = if parts.hour >= 12 { "PM" } else { "AM" };
    let name = |name: &str, out: &mut String| {
        let name = if directive.upper || directive.swap { name.to_uppercase() } else { name.to_owned() };
        pad(&name, directive, out);
    };
    let mut number = |digits: usize, fill: char, number: i64| {
        let fill = match directive.pad {
            Some('_') => ' ',
            Some('0' | '+') => '0',
            _ => fill,
        };
        let digits = if directive.pad == Some('-') { 0 } else { digits.max(directive.width) };
        let text = number.unsigned_abs().to_string();
        let sign = if number < 0 { "-" } else { "" };
        let missing = digits.saturating_sub(text.len() + sign.len());
        let fill = std::iter::repeat_n(fill, missing).collect::<String>();
        if fill.starts_with(' ') {
            out.push_str(&format!("{fill}{sign}{text}"));
        } else {
            out.push_str(&format!("{sign}{fill}{text}"));
        }
    };
    let composed = |format: &str, out: &mut String| {
        let mut text = String::new();
        write(parts, format, &mut text, most, directive)?;
        pad(&text, directive, out);
        Some(())
    };
    let week = |first: i64| (parts.yearday - (parts.weekday - first).rem_euclid(7) + 7) / 7;
    match letter {
        'a' => name(&day_name(parts.weekday as usize)[..3], out),
        'A' => name(day_name(parts.weekday as usize), out),
        'b' | 'h' => name(&month_name(parts.month as usize)[..3], out),
        'B' => name(month_name(parts.month as usize), out),
        'c' => composed("%a %b %e %H:%M:%S %Y", out)?,
        'C' => number(1, '0', parts.year.div_euclid(100)),
        'd' => number(2, '0', parts.day),
        'D' | 'x' => composed("%m/%d/%y", out)?,
        'e' => number(2, ' ', parts.day),
        'F' => composed("%Y-%m-%d", out)?,
        'g' => number(2, '0', parts.iso_week().0.rem_euclid(100)),
        'G' => number(1, '0', parts.iso_week().0),
        'H' => number(2, '0', parts.hour),
        'I' => number(2, '0', hour12),
        'j' => number(3, '0', parts.yearday + 1),
        'k' => number(2, ' ', parts.hour),
        'l' => number(2, ' ', hour12),
        'm' => number(2, '0', parts.month + 1),
        'M' => number(2, '0', parts.minute),
        'n' => pad("\n", directive, out),
        'p' if directive.swap => pad(&noon.to_lowercase(), directive, out),
        'p' => pad(noon, directive, out),
        'P' => pad(&noon.to_lowercase(), directive, out),
        'r' => composed("%I:%M:%S %p", out)?,
        'R' => composed("%H:%M", out)?,
        's' => number(1, '0', parts.seconds()),
        'S' => number(2, '0', parts.second),
        't' => pad("\t", directive, out),
        'T' | 'X' => composed("%H:%M:%S", out)?,
        'u' => number(1, '0', (parts.weekday + 6) % 7 + 1),
        'U' => number(2, '0', week(0)),
        'V' => number(2, '0', parts.iso_week().1),
        'w' => number(1, '0', parts.weekday),
        'W' => number(2, '0', week(1)),
        'y' => number(2, '0', parts.year.rem_euclid(100)),
        'Y' => number(1, '0', parts.year),
        'z' => pad("+0000", directive, out),
        'Z' if directive.swap => pad("gmt", directive, out),
        'Z' => pad("GMT", directive, out),
        '%' => pad("%", directive, out),
        _ => return Some(None),
    }
    Some(Some(()))
}
