//! `$formatNumber`: numbers by the pictures of XPath.

mod picture;
mod signs;

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::decimal::{Decimal, Rounding};
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use picture::{DigitPlaces, SubPicture};
use signs::NumberSigns;
use std::borrow::Cow;

/// Implements `$formatNumber`.
pub(super) fn format_number(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(number), Some(picture)) = (args::number(args, 0), args::text(args, 1)) else { return Ok(None) };
    limits::spend_bytes(run, picture.len())?;
    let signs = NumberSigns::new(run, args::members(args, 2))?;
    let (positive, negative) = picture::read(picture, &signs)?;
    let (sign, chosen) = match (number < 0.0, &negative) {
        (false, _) => ("", &positive),
        (true, Some(negative)) => ("", negative),
        (true, None) => (signs.minus, &positive),
    };
    if number.is_nan() {
        limits::reserve(run, signs.not_a_number.len() as u64)?;
        return Ok(Some(convert::text(signs.not_a_number)));
    }
    let around = sum([sign, chosen.prefix, chosen.suffix]);
    let body = if number.is_infinite() {
        limits::reserve(run, around.saturating_add(signs.infinity.len() as u64))?;
        Cow::Borrowed(signs.infinity)
    } else {
        Cow::Owned(digits(run, number.abs(), chosen, &signs, around)?)
    };
    Ok(Some(convert::text([sign, chosen.prefix, &body, chosen.suffix].concat())))
}

/// Returns the length of some texts in bytes.
fn sum<const COUNT: usize>(texts: [&str; COUNT]) -> u64 {
    texts.into_iter().fold(0, |sum, text| sum.saturating_add(text.len() as u64))
}

/// Returns the digits of a number that is not negative. `around` is the number of bytes that stand
/// before and after them.
fn digits(
    run: &mut Evaluation,
    number: f64,
    picture: &SubPicture<'_>,
    signs: &NumberSigns<'_>,
    around: u64,
) -> Result<String> {
    let mut decimal = Decimal::new(number);
    decimal.shift(picture.scale);
    let mut exponent = None;
    if let Some(size) = picture.exponent {
        // As many digits stand before the decimal point as the picture has.
        let shift = if number == 0.0 { 0 } else { decimal.point - picture.scaling };
        decimal.shift(-shift);
        exponent = Some((shift, size));
    }
    let most = picture.places.most_fraction;
    decimal.round(i64::try_from(most).unwrap_or(i64::MAX), Rounding::HalfEven);
    let (whole, fraction) = decimal.parts();
    let whole = whole.trim_start_matches('0');
    let size = (whole.len().max(picture.places.whole) + fraction.len().max(picture.places.fraction)) as u64;
    // Each digit can have a separator, and four bytes. The exponent of a double has few digits.
    let total = size.saturating_mul(4 + signs.grouping.len() as u64).saturating_add(sum([signs.point])).saturating_add(
        exponent.map_or(0, |(_, size)| sum([signs.exponent, signs.minus]).saturating_add(4 * (size as u64 + 8))),
    );
    limits::reserve(run, total.saturating_add(around))?;
    let mut out = String::new();
    write_whole(whole, &picture.places, signs, &mut out);
    write_fraction(&fraction, &picture.places, signs, &mut out);
    if let Some((exponent, size)) = exponent {
        out.push_str(signs.exponent);
        if exponent < 0 {
            out.push_str(signs.minus);
        }
        let digits = exponent.unsigned_abs().to_string();
        out.extend(std::iter::repeat_n(signs.zero, size.saturating_sub(digits.len())));
        out.extend(digits.bytes().map(|digit| signs.digit(digit)));
    }
    Ok(out)
}

/// Writes the digits before the decimal point.
fn write_whole(digits: &str, places: &DigitPlaces, signs: &NumberSigns<'_>, out: &mut String) {
    let length = digits.len().max(places.whole);
    let zeros = std::iter::repeat_n(b'0', length - digits.len());
    for (at, digit) in zeros.chain(digits.bytes()).enumerate() {
        if at > 0 && places.separates(length - at) {
            out.push_str(signs.grouping);
        }
        out.push(signs.digit(digit));
    }
}

/// Writes the decimal point and the digits after it.
fn write_fraction(digits: &str, places: &DigitPlaces, signs: &NumberSigns<'_>, out: &mut String) {
    let length = digits.len().max(places.fraction);
    if length == 0 {
        return;
    }
    out.push_str(signs.point);
    let zeros = std::iter::repeat_n(b'0', length - digits.len());
    for (at, digit) in digits.bytes().chain(zeros).enumerate() {
        if places.separates_fraction(at) {
            out.push_str(signs.grouping);
        }
        out.push(signs.digit(digit));
    }
}
