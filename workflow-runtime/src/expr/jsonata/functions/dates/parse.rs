//! The date of a text, by a picture.

use super::super::integers;
use super::calendar::{self, Moment};
use super::format::not_a_name;
use super::picture::{DatePicture, Marker, Part};
use crate::expr::calendar_names::{DAYS, MONTHS};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::patterns::KeptPatterns;
use crate::expr::jsonata::regex::CompiledRegex;
use crate::expr::jsonata::run::Evaluation;
use crate::pattern_cost::MAX_PATTERN;
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    /// The compiled patterns of pictures.
    static COMPILED: RefCell<KeptPatterns<String>> = const { RefCell::new(KeptPatterns::new()) };
}

/// Reads a text, and returns the milliseconds since 1970, or nothing if the text does not have the
/// form of the picture. Parts to the left of those that are in the picture are those of `now`.
///
/// # Errors
/// Fails with D3136 if parts in the middle are missing, and with D3130 and D3133 for parts that
/// cannot be read.
pub(super) fn parse(run: &mut Evaluation, text: &str, picture: &DatePicture, now: &Moment) -> Result<Option<f64>> {
    let Some(values) = read(run, text, picture)? else { return Ok(None) };
    let mut parts = Parts { values };
    if parts.values.is_empty() {
        return Ok(None);
    }
    let date = parts.date_form();
    let time = parts.time_form();
    parts.fill(date.letters().chars().chain(time.chars()), now)?;
    let [year, hour] = [parts.get('Y'), parts.hour(time)];
    // JavaScript moves the first hundred years to the twentieth century.
    let year = if (0.0..100.0).contains(&year.trunc()) { year.trunc() + 1900.0 } else { year };
    let [month, day] = match date {
        DateForm::Month => [parts.get('M').max(1.0), parts.get('D')],
        DateForm::Day => [1.0, parts.get('d')],
        DateForm::MonthWeek | DateForm::Week => return Err(missing()),
    };
    let time = [hour, parts.get('m'), parts.get('s'), parts.get('f')];
    let zone = [parts.get('Z'), parts.get('z')].into_iter().find(|offset| *offset != 0.0).unwrap_or(0.0);
    Ok(Some(calendar::millis([year, month, day], time).map_or(f64::NAN, |millis| millis - zone * 60_000.0)))
}

fn missing() -> JsonataError {
    JsonataError::new("D3136", "The date/time picture string is missing specifiers required to parse the timestamp")
}

/// The parts of a date that have been read, by their letters. A part whose name is unknown has no
/// value.
struct Parts {
    values: Values,
}

/// The parts with their letters, in order.
type Values = Vec<(char, Option<f64>)>;

/// The ways to write a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateForm {
    /// A year, a month and a day.
    Month,
    /// A year and a day of the year.
    Day,
    /// A month, a week of the month and a day of the week.
    MonthWeek,
    /// A year, a week and a day of the week.
    Week,
}

impl DateForm {
    /// Returns the letters of the parts, from left to right.
    fn letters(self) -> &'static str {
        match self {
            DateForm::Month => "YMD",
            DateForm::Day => "Yd",
            DateForm::MonthWeek => "XxwF",
            DateForm::Week => "XWF",
        }
    }
}

impl Parts {
    /// Returns the value of a part, or zero.
    fn get(&self, letter: char) -> f64 {
        self.value(letter).unwrap_or(0.0)
    }

    fn value(&self, letter: char) -> Option<f64> {
        self.values.iter().rev().find(|(other, _)| *other == letter).and_then(|(_, value)| *value)
    }

    /// Returns `true` if some of the letters, and none of the other ones, have a value that is not
    /// zero.
    fn has_only(&self, letters: &str, of: &str) -> bool {
        let is_set = |letter: &char| self.value(*letter).is_some_and(|value| value != 0.0 && !value.is_nan());
        let mut set = of.chars().filter(is_set).peekable();
        set.peek().is_some() && set.all(|letter| letters.contains(letter))
    }

    fn date_form(&self) -> DateForm {
        let is = |letters| self.has_only(letters, "YXMxWwdD");
        if is("YMD") {
            DateForm::Month
        } else if is("Yd") {
            DateForm::Day
        } else if is("Xxw") {
            DateForm::MonthWeek
        } else if is("XW") {
            DateForm::Week
        } else {
            DateForm::Month
        }
    }

    fn time_form(&self) -> &'static str {
        let is = |letters| self.has_only(letters, "PHhmsf");
        if !is("Hmsf") && is("Phmsf") { "Phmsf" } else { "Hmsf" }
    }

    /// Fills in the parts that are missing: on the left with those of `now`, on the right with the
    /// lowest ones.
    fn fill(&mut self, letters: impl Iterator<Item = char>, now: &Moment) -> Result<()> {
        let (mut started, mut ended) = (false, false);
        for letter in letters {
            if self.value(letter).is_some() {
                started = true;
                if ended {
                    return Err(missing());
                }
            } else if started {
                ended = true;
                self.values.push((letter, Some(if matches!(letter, 'M' | 'D' | 'd') { 1.0 } else { 0.0 })));
            } else if letter == 'P' {
                // An hour from one to twelve is one of the morning.
                self.values.push((letter, Some(0.0)));
            } else {
                // All parts are far below 2^53.
                self.values.push((letter, now.part(letter).map(|value| value as f64)));
            }
        }
        Ok(())
    }

    /// Returns the hour of the day.
    fn hour(&self, time: &str) -> f64 {
        if !time.starts_with('P') {
            return self.get('H');
        }
        let hour = self.get('h');
        (if hour == 12.0 { 0.0 } else { hour }) + self.get('P') * 12.0
    }
}

/// Reads the parts of a text. Returns nothing if it does not have the form of the picture.
fn read(run: &mut Evaluation, text: &str, picture: &DatePicture) -> Result<Option<Values>> {
    let mut pattern = String::from("\\A");
    let mut markers = Vec::new();
    for (at, part) in picture.parts.iter().enumerate() {
        let follows = at.checked_sub(1).and_then(|before| picture.parts.get(before)).is_some_and(is_number);
        let is_among_digits = follows || picture.parts.get(at + 1).is_some_and(is_number);
        match part {
            Part::Literal(literal) => pattern.push_str(&regex_syntax::escape(literal)),
            Part::Marker(marker) => {
                pattern.push('(');
                pattern.push_str(&marker_pattern(marker, is_among_digits)?);
                pattern.push(')');
                markers.push(marker);
            }
        }
    }
    pattern.push_str("\\z");
    run.steps(pattern.len() as u64)?;
    // A picture that is larger describes no date.
    if pattern.len() > 4 * MAX_PATTERN {
        return Ok(None);
    }
    let Some(regex) = compiled(&pattern)? else { return Ok(None) };
    // A width has few characters and many positions.
    run.steps(regex.positions()? as u64)?;
    let Some(found) = regex.find_at(run, text, 0)? else { return Ok(None) };
    let mut values = Vec::with_capacity(markers.len());
    for (at, marker) in markers.into_iter().enumerate() {
        let part = found.groups.get(at).cloned().flatten().map_or("", |range| &text[range]);
        values.push((marker.component, value(part, marker)?));
    }
    Ok(Some(values))
}

/// Returns the compiled pattern of a picture, or nothing if it is too large.
fn compiled(pattern: &str) -> Result<Option<Rc<CompiledRegex>>> {
    if let Some(regex) = COMPILED.with_borrow(|compiled| compiled.find(|kept| kept == pattern)) {
        return Ok(Some(regex));
    }
    let Some(regex) = CompiledRegex::compile(pattern, true)?.map(Rc::new) else { return Ok(None) };
    COMPILED.with_borrow_mut(|compiled| compiled.add(pattern.to_owned(), &regex));
    Ok(Some(regex))
}

/// Returns `true` for a part that is written in digits.
fn is_number(part: &Part) -> bool {
    let digits = |marker: &Marker| marker.integer.as_ref().and_then(|picture| picture.decimal()).is_some();
    matches!(part, Part::Marker(marker) if digits(marker) && !matches!(marker.component, 'Z' | 'z'))
}

/// Returns the pattern of a part, in the syntax of the crate `regex`. A part with two digits or
/// more that stands beside other digits has just as many.
fn marker_pattern(marker: &Marker, is_among_digits: bool) -> Result<String> {
    let decimal = marker.integer.as_ref().and_then(|picture| picture.decimal());
    let own = decimal.map(|decimal| decimal.mandatory + decimal.optional).filter(|width| is_among_digits && *width > 1);
    match (&marker.integer, marker.component) {
        (Some(_), component @ ('Z' | 'z')) => {
            let start = if component == 'z' { "GMT" } else { "" };
            let separator = separator(marker).map(|separator| regex_syntax::escape(separator.encode_utf8(&mut [0; 4])));
            let minutes = separator.map(|separator| format!("{separator}[0-9]+")).unwrap_or_default();
            Ok(format!("{start}[-+][0-9]+{minutes}"))
        }
        (Some(picture), _) => integers::pattern(picture, marker.digits.or(own)),
        (None, 'M' | 'x' | 'F' | 'P') => Ok("[a-zA-Z]+".to_owned()),
        (None, component) => Err(not_a_name(component)),
    }
}

/// Returns the character between the hours and minutes of a zone.
fn separator(marker: &Marker) -> Option<char> {
    match marker.integer.as_ref()?.decimal()?.grouping {
        integers::Grouping::Regular(_, separator) => Some(separator),
        integers::Grouping::Irregular(_) => None,
    }
}

/// Returns the value of a part: a number, or the number of a name. An unknown name has none.
fn value(text: &str, marker: &Marker) -> Result<Option<f64>> {
    let named = |names: &[&str]| {
        let cut = |name: &str| marker.most.and_then(|most| name.get(..most)).unwrap_or(name) == text;
        // The lists are short.
        names.iter().position(|name| cut(name)).map(|at| at as f64 + 1.0)
    };
    Ok(match (&marker.integer, marker.component) {
        (Some(_), 'Z' | 'z') => Some(zone(text, separator(marker))),
        (Some(picture), _) => Some(integers::parse(text, picture)?),
        (None, 'M' | 'x') => named(&MONTHS),
        (None, 'F') => named(&DAYS),
        (None, 'P') => match text {
            "am" | "AM" => Some(0.0),
            "pm" | "PM" => Some(1.0),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the offset of a zone in minutes: `+09:00`, `+0900`, `+9`, or one of them after `GMT`.
fn zone(text: &str, separator: Option<char>) -> f64 {
    let text = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let (is_west, digits) = (text.starts_with('-'), text.get(1..).unwrap_or_default());
    let (hours, minutes) = match separator {
        Some(separator) => digits.split_once(separator).unwrap_or((digits, "")),
        None if digits.len() <= 2 => (digits, ""),
        None => digits.split_at(2),
    };
    let number = |text: &str| text.parse().unwrap_or(0.0);
    let total: f64 = number(hours) * 60.0 + number(minutes);
    if is_west { -total } else { total }
}
