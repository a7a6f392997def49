//! `$formatNumber`: numbers by the pictures of XPath.

mod options;
mod picture;

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::decimal::{Decimal, Rounding};
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Run;
use options::Options;
use picture::{Places, SubPicture};

/// Implements `$formatNumber`.
pub(super) fn format_number(run: &mut Run, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(number), Some(picture)) = (args::number(args, 0), args::text(args, 1)) else { return Ok(None) };
    limits::read(run, picture.len())?;
    let options = Options::new(args::members(args, 2));
    let (positive, negative) = picture::read(picture, &options)?;
    let (sign, chosen) = match (number < 0.0, &negative) {
        (false, _) => ("", &positive),
        (true, Some(negative)) => ("", negative),
        (true, None) => (options.minus.as_str(), &positive),
    };
    let body = if number.is_nan() {
        return Ok(Some(convert::text(options.not_a_number)));
    } else if number.is_infinite() {
        options.infinity.clone()
    } else {
        digits(run, number.abs(), chosen, &options)?
    };
    Ok(Some(convert::text([sign, &chosen.prefix, &body, &chosen.suffix].concat())))
}

/// Returns the digits of a number that is not negative.
fn digits(run: &mut Run, number: f64, picture: &SubPicture, options: &Options) -> Result<String> {
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
    // Each digit can have a separator, and four bytes.
    limits::bytes(run, size.saturating_mul(4 + options.grouping.len() as u64))?;
    let mut out = String::new();
    write_whole(whole, &picture.places, options, &mut out);
    write_fraction(&fraction, &picture.places, options, &mut out);
    if let Some((exponent, size)) = exponent {
        out.push_str(&options.exponent);
        if exponent < 0 {
            out.push_str(&options.minus);
        }
        let digits = exponent.unsigned_abs().to_string();
        out.extend(std::iter::repeat_n(options.zero, size.saturating_sub(digits.len())));
        out.extend(digits.bytes().map(|digit| options.digit(digit)));
    }
    Ok(out)
}

/// Writes the digits before the decimal point.
fn write_whole(digits: &str, places: &Places, options: &Options, out: &mut String) {
    let length = digits.len().max(places.whole);
    let zeros = std::iter::repeat_n(b'0', length - digits.len());
    for (at, digit) in zeros.chain(digits.bytes()).enumerate() {
        if at > 0 && places.separates(length - at) {
            out.push_str(&options.grouping);
        }
        out.push(options.digit(digit));
    }
}

/// Writes the decimal point and the digits after it.
fn write_fraction(digits: &str, places: &Places, options: &Options, out: &mut String) {
    let length = digits.len().max(places.fraction);
    if length == 0 {
        return;
    }
    out.push_str(&options.point);
    let zeros = std::iter::repeat_n(b'0', length - digits.len());
    for (at, digit) in digits.bytes().chain(zeros).enumerate() {
        if places.fraction_groups.contains(&at) {
            out.push_str(&options.grouping);
        }
        out.push(options.digit(digit));
    }
}
