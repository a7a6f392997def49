//! Numbers with a chosen number of digits, or in another radix (ECMA-262 §21.1.3).
//!
//! ECMAScript rounds the exact value of the double, halves away from zero.

use super::coerce::number_text;
use crate::value::Str;

/// Returns all significant digits of a positive number, and the position of the point.
fn exact(number: f64) -> (Vec<u8>, i32) {
    // A double has at most 767 significant digits.
    let text = format!("{number:.766e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
    (digits, exponent.parse::<i32>().unwrap_or(0) + 1)
}

/// Rounds to `keep` digits. Returns the digits and the position of the point, which a carry can
/// move.
fn rounded(mut digits: Vec<u8>, point: i32, keep: i32) -> (Vec<u8>, i32) {
    if keep < 0 {
        return (Vec::new(), point);
    }
    let keep = keep as usize;
    let up = digits.get(keep).is_some_and(|digit| *digit >= 5);
    digits.resize(keep, 0);
    if !up {
        return (digits, point);
    }
    for digit in digits.iter_mut().rev() {
        *digit += 1;
        if *digit < 10 {
            return (digits, point);
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    (digits, point + 1)
}

fn push(digits: &[u8], out: &mut String) {
    out.extend(digits.iter().map(|digit| char::from(b'0' + digit)));
}

/// Implements `toFixed` for numbers below 10^21.
pub(super) fn fixed(number: f64, fraction: usize) -> Str {
    let mut out = String::new();
    let (digits, point) = if number == 0.0 {
        (Vec::new(), 0)
    } else {
        let (digits, point) = exact(number.abs());
        rounded(digits, point, point + fraction as i32)
    };
    // Only zeros may remain. The sign stays.
    if number < 0.0 {
        out.push('-');
    }
    if point <= 0 || digits.is_empty() {
        out.push('0');
        if fraction > 0 {
            out.push('.');
            let zeros = if digits.is_empty() { fraction } else { (-point) as usize };
            out.extend(std::iter::repeat_n('0', zeros.min(fraction)));
            push(&digits, &mut out);
        }
    } else {
        let (whole, rest) = digits.split_at((point as usize).min(digits.len()));
        push(whole, &mut out);
        if fraction > 0 {
            out.push('.');
            push(rest, &mut out);
        }
    }
    out.into()
}

/// Implements `toPrecision` for a finite number.
pub(super) fn precise(number: f64, precision: usize) -> Str {
    let (digits, point) = significant(number, precision);
    let exponent = point - 1;
    if exponent < -6 || exponent >= precision as i32 {
        return scientific(number < 0.0, &digits, exponent);
    }
    let mut out = String::new();
    if number < 0.0 {
        out.push('-');
    }
    if point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', (-point) as usize));
        push(&digits, &mut out);
    } else {
        let (whole, rest) = digits.split_at((point as usize).min(digits.len()));
        push(whole, &mut out);
        if !rest.is_empty() {
            out.push('.');
            push(rest, &mut out);
        }
    }
    out.into()
}

/// Implements `toExponential` for a finite number. Without a number of digits, as many digits as
/// necessary.
pub(super) fn exponential(number: f64, fraction: Option<usize>) -> Str {
    let (digits, point) = match fraction {
        Some(fraction) => significant(number, fraction + 1),
        None if number == 0.0 => (vec![0], 1),
        None => {
            let text = format!("{:e}", number.abs());
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
            (digits, exponent.parse::<i32>().unwrap_or(0) + 1)
        }
    };
    scientific(number < 0.0, &digits, point - 1)
}

fn significant(number: f64, count: usize) -> (Vec<u8>, i32) {
    if number == 0.0 {
        return (vec![0; count], 1);
    }
    let (digits, point) = exact(number.abs());
    let (mut digits, point) = rounded(digits, point, count as i32);
    digits.truncate(count);
    (digits, point)
}

fn scientific(negative: bool, digits: &[u8], exponent: i32) -> Str {
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    let (first, rest) = digits.split_at(digits.len().min(1));
    push(first, &mut out);
    if !rest.is_empty() {
        out.push('.');
        push(rest, &mut out);
    }
    out.push_str(&format!("e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs()));
    out.into()
}

/// Implements `toString` of a finite number in another radix: with as many digits after the point
/// as distinguish the number from its neighbours.
pub(super) fn in_radix(number: f64, radix: u32) -> Str {
    if radix == 10 {
        return number_text(number);
    }
    let digit = |value: u32| char::from_digit(value, radix).unwrap_or('0');
    let base = f64::from(radix);
    let absolute = number.abs();
    let mut whole = absolute.floor();
    let mut fraction = absolute - whole;
    let mut after_point: Vec<u32> = Vec::new();
    // Half of the distance to the next double. A smaller rest is insignificant.
    let mut delta = (0.5 * (absolute.next_up() - absolute)).max(f64::from_bits(1));
    if fraction >= delta {
        loop {
            fraction *= base;
            delta *= base;
            let value = fraction as u32;
            after_point.push(value);
            fraction -= f64::from(value);
            if (fraction > 0.5 || (fraction == 0.5 && value & 1 == 1)) && fraction + delta > 1.0 {
                carry(&mut after_point, radix, &mut whole);
                break;
            }
            if fraction < delta {
                break;
            }
        }
    }
    let mut digits = Vec::new();
    // Beyond 2^53 the lowest digits are not known, and are zeros.
    while whole >= 2.0 * 9_007_199_254_740_992.0 && whole / base >= 9_007_199_254_740_992.0 {
        whole /= base;
        digits.push('0');
    }
    loop {
        let rest = whole % base;
        digits.push(digit(rest as u32));
        whole = (whole - rest) / base;
        if whole < 1.0 {
            break;
        }
    }
    let mut out = String::new();
    if number < 0.0 {
        out.push('-');
    }
    out.extend(digits.iter().rev());
    if !after_point.is_empty() {
        out.push('.');
        out.extend(after_point.into_iter().map(digit));
    }
    out.into()
}

/// Rounds the digits after the point up. Digits that become zeros are removed.
fn carry(after_point: &mut Vec<u32>, radix: u32, whole: &mut f64) {
    loop {
        match after_point.pop() {
            None => {
                *whole += 1.0;
                return;
            }
            Some(value) if value + 1 < radix => {
                after_point.push(value + 1);
                return;
            }
            Some(_) => {}
        }
    }
}
