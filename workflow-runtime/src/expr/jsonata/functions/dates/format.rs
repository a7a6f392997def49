//! The text of a date.

use super::super::integers::{Case, Grouping, Picture, format as format_integer};
use super::super::{limits, message};
use super::calendar::Moment;
use super::picture::{DatePicture, Marker, Part};
use crate::expr::calendar_names::{DAYS, MONTHS};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::run::Evaluation;

/// Returns the text of a local time. `offset` is that of its zone, in minutes.
///
/// # Errors
/// Fails with D3130, D3133 and D3134 for parts that cannot be written as the picture demands, and
/// if a limit is exceeded.
pub(super) fn format(run: &mut Evaluation, moment: &Moment, offset: i64, picture: &DatePicture) -> Result<String> {
    let mut out = String::new();
    for part in &picture.parts {
        run.steps(1)?;
        let written = match part {
            Part::Literal(text) => text,
            Part::Marker(marker) => &component(run, moment, offset, marker)?,
        };
        limits::reserve(run, written.len() as u64)?;
        out.push_str(written);
    }
    Ok(out)
}

fn component(run: &mut Evaluation, moment: &Moment, offset: i64, marker: &Marker) -> Result<String> {
    match (marker.component, marker.names, &marker.integer) {
        ('Z' | 'z', _, Some(picture)) => zone(run, offset, marker, picture),
        ('P', names, _) => {
            let is_upper = names == Some(Case::Upper);
            Ok(match (moment.part('P') == Some(1), is_upper) {
                (true, true) => "PM",
                (true, false) => "pm",
                (false, true) => "AM",
                (false, false) => "am",
            }
            .to_owned())
        }
        ('C' | 'E', ..) => Ok("ISO".to_owned()),
        (letter, Some(case), _) => name(moment, letter, case, marker.most),
        (letter, None, Some(picture)) => {
            // All parts are far below 2^53.
            let mut number = moment.part(letter).unwrap_or(0) as f64;
            if let ('Y', Some(digits)) = (letter, marker.digits) {
                number %= 10_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
            }
            format_integer(run, number, picture)
        }
        (letter, None, None) => Err(not_a_name(letter)),
    }
}

/// Returns the name of a month or a day of the week.
fn name(moment: &Moment, letter: char, case: Case, most: Option<usize>) -> Result<String> {
    let names: &[&str] = match letter {
        'M' | 'x' => &MONTHS,
        'F' => &DAYS,
        _ => return Err(not_a_name(letter)),
    };
    let at = moment.part(letter).and_then(|number| usize::try_from(number - 1).ok());
    let name = at.and_then(|at| names.get(at)).copied().unwrap_or_default();
    let name = most.and_then(|most| name.get(..most)).unwrap_or(name);
    Ok(match case {
        Case::Upper => name.to_uppercase(),
        Case::Lower => name.to_lowercase(),
        Case::Title => name.to_owned(),
    })
}

/// Creates the error of a part that has no names.
pub(super) fn not_a_name(letter: char) -> JsonataError {
    let letter = message::text(letter.encode_utf8(&mut [0; 4]));
    let text = format!(
        "The 'name' modifier can only be applied to months and days in the date/time picture string, not {letter}"
    );
    JsonataError::new("D3133", text)
}

/// Returns the offset of a zone: `+09:00`, or `GMT+09:00`.
fn zone(run: &mut Evaluation, offset: i64, marker: &Marker, picture: &Picture) -> Result<String> {
    if offset == 0 && marker.is_traditional {
        return Ok("Z".to_owned());
    }
    let (hours, minutes) = (offset / 60, offset % 60);
    // An offset has at most four digits.
    let (short, long) = (hours as f64, (hours * 100 + minutes) as f64);
    let decimal = picture.decimal();
    let is_regular = decimal.is_some_and(|decimal| matches!(decimal.grouping, Grouping::Regular(..)));
    let mut text = match decimal.map_or(0, |decimal| decimal.mandatory) {
        _ if is_regular => format_integer(run, long, picture)?,
        1 | 2 => {
            let hours = format_integer(run, short.abs(), picture)?;
            let sign = if offset < 0 { "-" } else { "" };
            if minutes == 0 { format!("{sign}{hours}") } else { format!("{sign}{hours}:{:02}", minutes.abs()) }
        }
        3 | 4 => format_integer(run, long, picture)?,
        _ => {
            let text = "The timezone integer format specifier cannot have more than four digits";
            return Err(JsonataError::new("D3134", text));
        }
    };
    if offset >= 0 {
        text.insert(0, '+');
    }
    if marker.component == 'z' {
        text.insert_str(0, "GMT");
    }
    Ok(text)
}
