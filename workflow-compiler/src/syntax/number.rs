//! Decimal numbers of both readers: whole numbers of up to 64 bits exactly, all others as doubles.

use super::Tree;
use super::report::Report;
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;
use crate::source::Span;

/// Parses `text`, a decimal number that `i64` or `f64` can parse. Reports numbers that exceed a
/// double.
pub fn decimal(text: &str, span: Span, report: &mut Report) -> Tree {
    if let Ok(whole) = text.parse::<i64>() {
        return Tree::Int(whole);
    }
    let number = text.parse::<f64>().unwrap_or(f64::INFINITY);
    if number.is_infinite() {
        let message = format!("the number `{}` is out of range", shown(text));
        let help = "the largest number is about 1.8e308";
        report.push(Diagnostic::new(&codes::WF0111, span, message).label("too large for a double").help(help));
        return Tree::Float(f64::MAX.copysign(number));
    }
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches('0');
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let kept = format!("{:.0}", number.abs());
        if kept != digits {
            let message = format!("the number `{}` does not fit into 64 bits and is rounded", shown(text));
            report.push(
                Diagnostic::new(&codes::WF0151, span, message)
                    .label(format!("read as {}", shown(&kept)))
                    .help("write it as a string if every digit counts"),
            );
        }
    }
    Tree::Float(number)
}

/// Returns `true` if `text` is a number by the grammar of JSON (RFC 8259, section 6).
pub fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    are_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(are_digits)
        && exponent.is_none_or(are_digits)
}

/// Returns `true` if `text` is a decimal number of YAML's core schema (YAML 1.2.2, section
/// 10.3.2).
#[cfg(feature = "yaml")]
pub fn is_yaml(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let mantissa_is_number = match mantissa.split_once('.') {
        Some(("", fraction)) => are_digits(fraction),
        Some((whole, fraction)) => are_digits(whole) && (fraction.is_empty() || are_digits(fraction)),
        None => are_digits(mantissa),
    };
    mantissa_is_number && exponent.is_none_or(are_digits)
}

/// Returns the JSON spelling of a number in a spelling that JSON does not have: `.5`, `+1`, `007`,
/// `0x1f`.
pub fn json_spelling(text: &str) -> Option<String> {
    let plain = text.replace('_', "");
    let (sign, rest) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let lower = rest.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix).filter(|digits| !digits.starts_with(['+', '-'])) {
            return Some(format!("{sign}{}", i64::from_str_radix(digits, radix).ok()?));
        }
    }
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let spelling = if are_digits(rest) {
        let digits = rest.trim_start_matches('0');
        format!("{sign}{}", if digits.is_empty() { "0" } else { digits })
    } else {
        format!("{sign}{:?}", rest.parse::<f64>().ok()?)
    };
    is_json(&spelling).then_some(spelling)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
