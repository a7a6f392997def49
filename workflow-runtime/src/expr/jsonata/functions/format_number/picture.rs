//! The pictures of numbers: `#,##0.00`, `0.0%`, `0.0e0`, and two of them for numbers of either
//! sign.

use super::signs::{NumberSigns, is};
use crate::expr::jsonata::error::{JsonataError, Result};

/// A picture for numbers of one sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SubPicture<'a> {
    /// The text before the number.
    pub prefix: &'a str,
    /// The text after the number.
    pub suffix: &'a str,
    /// The power of ten that the number is multiplied by: two for hundredths, three for
    /// thousandths.
    pub scale: i64,
    /// The number of digits before the decimal point of a number with an exponent.
    pub scaling: i64,
    /// The least number of digits of the exponent, if there is one.
    pub exponent: Option<usize>,
    /// The places of the digits.
    pub places: DigitPlaces,
}

/// The places of the digits of a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DigitPlaces {
    /// The least number of digits before the decimal point.
    pub whole: usize,
    /// The least number of digits after the decimal point.
    pub fraction: usize,
    /// The largest number of digits after the decimal point.
    pub most_fraction: usize,
    /// The size of all groups before the decimal point, if they have one size.
    regular: Option<usize>,
    /// The numbers of digits after the separators before the decimal point, in ascending order.
    whole_groups: Vec<usize>,
    /// The numbers of digits between the decimal point and the separators after it, in ascending
    /// order.
    fraction_groups: Vec<usize>,
}

impl DigitPlaces {
    /// Returns `true` if a separator stands after so many digits of the fraction.
    pub(super) fn separates_fraction(&self, done: usize) -> bool {
        self.fraction_groups.binary_search(&done).is_ok()
    }

    /// Returns `true` if a separator stands before so many digits.
    pub(super) fn separates(&self, left: usize) -> bool {
        match self.regular {
            Some(size) => left.is_multiple_of(size),
            None => self.whole_groups.binary_search(&left).is_ok(),
        }
    }
}

/// Reads the picture of numbers that are not negative, and the one of the others if there is one.
///
/// # Errors
/// Fails with D3080 to D3093 if the picture is invalid.
pub(super) fn read<'a>(picture: &'a str, signs: &NumberSigns<'_>) -> Result<(SubPicture<'a>, Option<SubPicture<'a>>)> {
    // An empty separator separates nothing.
    let mut parts: Vec<&str> = match signs.separator {
        "" => vec![picture],
        separator => picture.splitn(3, separator).collect(),
    };
    if parts.len() > 2 {
        let text = "The picture string must only contain a maximum of two sub-pictures";
        return Err(JsonataError::new("D3080", text));
    }
    let negative = (parts.len() == 2).then(|| parts.pop()).flatten();
    let positive = SubPicture::new(parts[0], signs)?;
    let negative = negative.map(|picture| SubPicture::new(picture, signs)).transpose()?;
    Ok((positive, negative))
}

/// The parts of the text of a picture.
struct Split<'a> {
    prefix: &'a str,
    active: &'a str,
    suffix: &'a str,
    mantissa: &'a str,
    whole: &'a str,
    fraction: &'a str,
    exponent: Option<&'a str>,
}

fn split<'a>(text: &'a str, signs: &NumberSigns<'_>) -> Split<'a> {
    let is_border = |(_, c): &(usize, char)| signs.is_active(*c) && !is(*c, signs.exponent);
    // All of a picture without such a character is looked at.
    let start = text.char_indices().find(is_border).map_or(0, |(at, _)| at);
    let end = text.char_indices().rev().find(is_border).map_or(text.len(), |(at, c)| at + c.len_utf8());
    let (prefix, suffix, active) = (&text[..start], &text[end..], &text[start..end]);
    // An exponent without digits begins where the suffix does.
    let (mantissa, exponent) = match text[start..].find(signs.exponent) {
        Some(at) if !signs.exponent.is_empty() && at <= active.len() => {
            (&active[..at], Some(active.get(at + signs.exponent.len()..).unwrap_or_default()))
        }
        _ => (active, None),
    };
    let (whole, fraction) = match signs.point {
        "" => (mantissa, ""),
        point => mantissa.split_once(point).unwrap_or((mantissa, "")),
    };
    Split { prefix, active, suffix, mantissa, whole, fraction, exponent }
}

impl<'a> SubPicture<'a> {
    fn new(text: &'a str, signs: &NumberSigns<'_>) -> Result<SubPicture<'a>> {
        let parts = split(text, signs);
        if let Some((code, message)) = fault(text, &parts, signs) {
            return Err(JsonataError::new(code, message));
        }
        let has = |sign: &str| !sign.is_empty() && text.contains(sign);
        let scale = if has(signs.percent) {
            2
        } else if has(signs.per_mille) {
            3
        } else {
            0
        };
        let digits = |part: &str| part.chars().filter(|c| signs.is_digit(*c)).count();
        let mut places = DigitPlaces {
            whole: digits(parts.whole),
            fraction: digits(parts.fraction),
            most_fraction: count(parts.fraction, signs),
            regular: None,
            whole_groups: Vec::new(),
            fraction_groups: groups(parts.fraction, signs),
        };
        let all = count(parts.whole, signs);
        places.whole_groups = groups(parts.whole, signs).into_iter().rev().map(|before| all - before).collect();
        places.regular = regular(&places.whole_groups);
        // The number of digits is that of a picture.
        let scaling = i64::try_from(places.whole).unwrap_or(i64::MAX);
        adjust(&mut places, &parts, signs);
        Ok(SubPicture {
            prefix: parts.prefix,
            suffix: parts.suffix,
            scale,
            scaling,
            exponent: parts.exponent.map(digits),
            places,
        })
    }
}

/// Makes sure that a number has a digit.
fn adjust(places: &mut DigitPlaces, parts: &Split<'_>, signs: &NumberSigns<'_>) {
    if places.whole == 0 && places.most_fraction == 0 {
        if parts.exponent.is_some() {
            (places.fraction, places.most_fraction) = (1, 1);
        } else {
            places.whole = 1;
        }
    }
    if parts.exponent.is_some() && places.whole == 0 && parts.whole.chars().any(|c| is(c, signs.optional)) {
        places.whole = 1;
    }
    if places.whole == 0 && places.fraction == 0 {
        places.fraction = 1;
    }
}

/// Returns the number of digits in a part, with those that may be missing.
fn count(part: &str, signs: &NumberSigns<'_>) -> usize {
    part.chars().filter(|c| signs.is_place(*c)).count()
}

/// Returns the numbers of digits before the separators in a part, in ascending order.
fn groups(part: &str, signs: &NumberSigns<'_>) -> Vec<usize> {
    let separator = signs.grouping;
    if separator.is_empty() {
        return Vec::new();
    }
    let mut before = 0;
    let mut sizes: Vec<usize> = part
        .split(separator)
        .map(|group| {
            before += count(group, signs);
            before
        })
        .collect();
    // After the last group there is no separator.
    sizes.pop();
    sizes
}

/// Returns the size of the groups, if a separator stands after each so many digits. The positions
/// are in ascending order.
fn regular(positions: &[usize]) -> Option<usize> {
    let size = super::super::gcd(positions.iter().copied())?;
    positions.iter().enumerate().all(|(at, position)| *position == (at + 1) * size).then_some(size)
}

/// Returns the fault of a picture, with its code and message. The last one in the order of the
/// codes counts.
fn fault(text: &str, parts: &Split<'_>, signs: &NumberSigns<'_>) -> Option<(&'static str, &'static str)> {
    let times = |sign: &str| if sign.is_empty() { 0 } else { text.matches(sign).take(2).count() };
    let has_percent = times(signs.percent) > 0 || times(signs.per_mille) > 0;
    let point = (!signs.point.is_empty()).then(|| text.split_once(signs.point)).flatten();
    let grouping = signs.grouping;
    let separates = !grouping.is_empty();
    let is_digit = |c: char| signs.is_digit(c);
    let is_optional = |c: char| is(c, signs.optional);
    let has_optional_after_digit = parts.whole.chars().skip_while(|c| !is_digit(*c)).any(is_optional);
    let has_digit_after_optional = parts.fraction.chars().skip_while(|c| !is_optional(*c)).any(is_digit);
    let exponent = parts.exponent;
    let faults = [
        (
            exponent.is_some_and(|exponent| exponent.is_empty() || !exponent.chars().all(is_digit)),
            "D3093",
            "The exponent part of the sub-picture must comprise only of one or more characters that are members of \
             the 'decimal digit family'",
        ),
        (
            has_percent && exponent.is_some_and(|exponent| !exponent.is_empty()),
            "D3092",
            "A sub-picture that contains a 'percent' or 'per-mille' character must not contain a character treated \
             as an 'exponent-separator'",
        ),
        (
            has_digit_after_optional,
            "D3091",
            "The fractional part of the sub-picture must not contain an instance of the 'optional digit character' \
             that is followed by a member of the 'decimal digit family'",
        ),
        (
            has_optional_after_digit,
            "D3090",
            "The integer part of the sub-picture must not contain a member of the 'decimal digit family' that is \
             followed by an instance of the 'optional digit character'",
        ),
        (
            separates && text.contains(&grouping.repeat(2)),
            "D3089",
            "The sub-picture must not contain two adjacent instances of the 'grouping-separator' character",
        ),
        (
            separates && point.is_none() && parts.whole.ends_with(grouping),
            "D3088",
            "The sub-picture must not contain a 'grouping-separator' at the end of the integer part",
        ),
        (
            separates && point.is_some_and(|(left, right)| left.ends_with(grouping) || right.starts_with(grouping)),
            "D3087",
            "The sub-picture must not contain a 'grouping-separator' character that appears adjacent to a \
             'decimal-separator' character",
        ),
        (
            !parts.active.chars().all(|c| signs.is_active(c)),
            "D3086",
            "The sub-picture must not contain a passive character that is preceded by an active character and that \
             is followed by another active character",
        ),
        (
            !parts.mantissa.chars().any(|c| signs.is_place(c)),
            "D3085",
            "The mantissa part of a sub-picture must contain at least one character that is either an 'optional \
             digit character' or a member of the 'decimal digit family'",
        ),
        (
            times(signs.percent) > 0 && times(signs.per_mille) > 0,
            "D3084",
            "The sub-picture must not contain both a 'percent' and a 'per-mille' character",
        ),
        (
            times(signs.per_mille) > 1,
            "D3083",
            "The sub-picture must not contain more than one instance of the 'per-mille' character",
        ),
        (
            times(signs.percent) > 1,
            "D3082",
            "The sub-picture must not contain more than one instance of the 'percent' character",
        ),
        (
            times(signs.point) > 1,
            "D3081",
            "The sub-picture must not contain more than one instance of the 'decimal-separator' character",
        ),
    ];
    faults.into_iter().find(|(holds, ..)| *holds).map(|(_, code, message)| (code, message))
}
