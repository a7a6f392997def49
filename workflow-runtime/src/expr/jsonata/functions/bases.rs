//! Numbers and their texts: `$number` and `$formatBase`.

use super::args::{self, Args};
use super::numbers::rounded;
use super::{limits, message};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::decimal::shortest_text;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::View;

/// Implements `$number`.
pub(super) fn number(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    let number = match View::from(item) {
        View::Int(_) | View::Float(_) => return Ok(Some(item.clone())),
        View::Bool(value) => Some(f64::from(u8::from(value))),
        View::String(text) => {
            limits::spend_bytes(run, text.len())?;
            decimal(text).or_else(|| prefixed(text))
        }
        _ => None,
    };
    match number {
        Some(number) => Ok(Some(convert::number(number))),
        None => {
            let value = message::scalar(Some(item));
            Err(JsonataError::new("D3030", format!("Unable to cast value to a number: {value}")))
        }
    }
}

/// Reads a decimal number: digits, a fraction and an exponent, where both may be missing.
fn decimal(text: &str) -> Option<f64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_number = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(mantissa),
    };
    let is_exponent = exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    if !is_number || !is_exponent {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Reads a number in hexadecimal, octal or binary digits: `0x1F`, `0o17`, `0b11`.
fn prefixed(text: &str) -> Option<f64> {
    let radix = match text.get(..2)? {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    // The bits that count, and the power of two that they are multiplied by. Bits that do not
    // fit are lost but for whether one of them is set, which decides the rounding.
    let (mut bits, mut exponent) = (0_u128, 0_i32);
    let width = u32::trailing_zeros(radix);
    let digits = &text[2..];
    if digits.is_empty() {
        return None;
    }
    for digit in digits.chars() {
        let digit = u128::from(digit.to_digit(radix)?);
        if bits.leading_zeros() > 8 {
            bits = (bits << width) | digit;
        } else {
            bits |= u128::from(digit != 0);
            exponent = exponent.saturating_add(i32::try_from(width).unwrap_or(i32::MAX));
        }
    }
    let number = bits as f64 * 2_f64.powi(exponent);
    number.is_finite().then_some(number)
}

/// Implements `$formatBase`.
pub(super) fn format_base(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(number) = args::number(args, 0) else { return Ok(None) };
    let number = rounded(number, 0);
    let radix = rounded(args::number(args, 1).unwrap_or(10.0), 0);
    if !(2.0..=36.0).contains(&radix) {
        let radix = message::number(radix);
        let text = format!("The radix of the formatBase function must be between 2 and 36.  It was given {radix}");
        return Err(JsonataError::new("D3100", text));
    }
    // A number has up to 1,024 binary digits.
    run.charge_bytes(1_100)?;
    Ok(Some(convert::text(match number {
        _ if number.is_nan() => "NaN".to_owned(),
        _ if number.is_infinite() => (if number > 0.0 { "Infinity" } else { "-Infinity" }).to_owned(),
        _ if radix == 10.0 => shortest_text(number),
        // The cast is exact: the radix is a whole number in this range.
        _ => in_base(number, radix as u32),
    })))
}

/// Returns the digits of a whole number, which is finite.
fn in_base(number: f64, radix: u32) -> String {
    let mut limbs = limbs(number.abs());
    let mut digits = Vec::new();
    while !limbs.is_empty() {
        // The division by hand of the limbs, the most significant of which is the last.
        let mut remainder = 0_u64;
        for limb in limbs.iter_mut().rev() {
            let dividend = (remainder << 32) | u64::from(*limb);
            // The quotient is less than 2^32, because the remainder is less than the radix.
            *limb = (dividend / u64::from(radix)) as u32;
            remainder = dividend % u64::from(radix);
        }
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        digits.push(char::from_digit(remainder as u32, radix).unwrap_or('0'));
    }
    if digits.is_empty() {
        return "0".to_owned();
    }
    if number < 0.0 {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}

/// Returns the binary digits of a whole number, 32 each, the least significant first.
fn limbs(number: f64) -> Vec<u32> {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = number.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    if exponent < 1075 {
        // Below 2^52 the number is its own mantissa.
        return split(number as u64);
    }
    let shift = exponent - 1075;
    let mantissa = u128::from(bits & FRACTION | (FRACTION + 1)) << (shift % 32);
    let zeros = usize::try_from(shift / 32).unwrap_or(0);
    let mut limbs = vec![0; zeros];
    // The mantissa has at most 53 + 31 bits. The casts take its parts.
    limbs.extend(split(mantissa as u64));
    limbs.resize(zeros + 2, 0);
    limbs.extend(split((mantissa >> 64) as u64));
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

fn split(number: u64) -> Vec<u32> {
    // The casts take the halves.
    let mut halves = vec![number as u32, (number >> 32) as u32];
    while halves.last() == Some(&0) {
        halves.pop();
    }
    halves
}
