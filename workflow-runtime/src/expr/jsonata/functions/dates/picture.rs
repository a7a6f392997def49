//! The pictures of dates: `[D1o] [MNn] [Y0001]`.

use super::super::integers::{Case, Picture};
use super::super::message;
use crate::expr::jsonata::error::{JsonataError, Result};

/// A picture that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DatePicture {
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A text that stands for itself.
    Literal(String),
    /// A part of the date.
    Marker(Marker),
}

/// A marker: the part of the date, and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker {
    /// The letter of the part.
    pub component: char,
    /// The letters of a name, if the part is written as a name.
    pub names: Option<Case>,
    /// The picture of the number, if the part is written as a number.
    pub integer: Option<Picture>,
    /// The number of digits of a year, month or day, if it is fixed.
    pub digits: Option<usize>,
    /// The largest length of a name.
    pub most: Option<usize>,
    /// `true` for the modifier `t`: the zone without an offset is `Z`.
    pub is_traditional: bool,
}

impl DatePicture {
    /// Reads a picture.
    ///
    /// # Errors
    /// Fails with D3132 for an unknown part, with D3135 if a bracket is not closed, and with D3131
    /// if digits are of several scripts.
    pub(super) fn new(picture: &str) -> Result<DatePicture> {
        let mut parts = Vec::new();
        let mut rest = picture;
        while let Some((literal, after)) = rest.split_once('[') {
            add_literal(&mut parts, literal);
            if let Some(after) = after.strip_prefix('[') {
                parts.push(Part::Literal("[".to_owned()));
                rest = after;
                continue;
            }
            let Some((marker, after)) = after.split_once(']') else {
                return Err(JsonataError::new("D3135", "No matching closing bracket ']' in date/time picture string"));
            };
            parts.push(Part::Marker(Marker::new(marker)?));
            rest = after;
        }
        add_literal(&mut parts, rest);
        Ok(DatePicture { parts })
    }
}

fn add_literal(parts: &mut Vec<Part>, literal: &str) {
    if !literal.is_empty() {
        parts.push(Part::Literal(literal.replace("]]", "]")));
    }
}

impl Marker {
    fn new(marker: &str) -> Result<Marker> {
        let marker: String = marker.chars().filter(|c| !c.is_whitespace()).collect();
        let mut rest = marker.chars();
        let component = rest.next();
        let (presentation, width) = match rest.as_str().rsplit_once(',') {
            Some((presentation, width)) => (presentation, Some(width)),
            None => (rest.as_str(), None),
        };
        let (least, most) = width.map_or((None, None), widths);
        let (first, second) = split(presentation);
        let Some((component, default)) = component.and_then(|letter| Some((letter, default_presentation(letter)?)))
        else {
            let component = message::text(&component.map(String::from).unwrap_or_default());
            let text = format!("Unknown component specifier {component} in date/time picture string");
            return Err(JsonataError::new("D3132", text));
        };
        let first = if first.is_empty() { default } else { first };
        let names = match first.as_bytes() {
            [b'n', ..] => Some(Case::Lower),
            [b'N', b'n', ..] => Some(Case::Title),
            [b'N', ..] => Some(Case::Upper),
            _ => None,
        };
        let mut made =
            Marker { component, names, integer: None, digits: None, most, is_traditional: second == Some('t') };
        if matches!(component, 'Z' | 'z') {
            made.integer = Some(Picture::new(first)?);
        } else if names.is_none() && "YMDdFWwXxHhmsf".contains(component) {
            let mut picture = Picture::new(&second.map_or(first.to_owned(), |second| format!("{first};{second}")))?;
            made.digits = set_width(&mut picture, component, least, most);
            made.integer = Some(picture);
        }
        Ok(made)
    }
}

/// Separates the modifier at the end of a presentation: `a`, `t`, `c` or `o`. A presentation of
/// one letter has none.
fn split(presentation: &str) -> (&str, Option<char>) {
    match presentation.char_indices().next_back() {
        Some((at, last)) if at > 0 && matches!(last, 'a' | 't' | 'c' | 'o') => (&presentation[..at], Some(last)),
        _ => (presentation, None),
    }
}

/// Reads the least and the largest width. A missing one or `*` is none.
fn widths(text: &str) -> (Option<usize>, Option<usize>) {
    let read = |text: &str| {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        // A width of more digits is as good as none.
        text[..length].parse().ok().filter(|width: &usize| *width <= MOST_WIDTH)
    };
    match text.split_once('-') {
        Some((least, most)) => (read(least), read(most)),
        None => (read(text), None),
    }
}

/// The largest width that counts.
const MOST_WIDTH: usize = 1_000;

/// Applies the widths to the digits of a number, and returns the number of digits if it is fixed.
fn set_width(picture: &mut Picture, component: char, least: Option<usize>, most: Option<usize>) -> Option<usize> {
    let is_date = matches!(component, 'Y' | 'M' | 'D');
    let Some(decimal) = picture.decimal_mut() else { return most.filter(|_| is_date) };
    if let Some(least) = least {
        decimal.mandatory = decimal.mandatory.max(least);
    }
    if !is_date {
        return None;
    }
    if let Some(most) = most {
        decimal.mandatory = most;
        return Some(most);
    }
    Some(decimal.mandatory + decimal.optional).filter(|width| *width >= 2)
}

/// Returns how a part is written if the picture does not say it.
fn default_presentation(component: char) -> Option<&'static str> {
    Some(match component {
        'Y' | 'M' | 'D' | 'd' | 'W' | 'w' | 'X' | 'x' | 'H' | 'h' | 'f' => "1",
        'F' | 'P' | 'C' | 'E' => "n",
        'm' | 's' => "01",
        'Z' | 'z' => "01:01",
        _ => return None,
    })
}
