//! Functions of numbers.

use super::args::{self, Args};
use super::message;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::decimal::{Decimal, Rounding};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::View;

/// Implements `$abs`.
pub(super) fn abs(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Ok(args::number(args, 0).map(|number| convert::number(number.abs())))
}

/// Implements `$floor`.
pub(super) fn floor(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Ok(whole(args, f64::floor))
}

/// Implements `$ceil`.
pub(super) fn ceil(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Ok(whole(args, f64::ceil))
}

/// Returns the number rounded. A whole number stays as it is, beyond the precision of doubles,
/// too.
fn whole(args: Args<'_>, round: fn(f64) -> f64) -> Option<Item> {
    let item = args::item(args, 0)?;
    match View::from(item) {
        View::Int(_) => Some(item.clone()),
        _ => args::number(args, 0).map(|number| convert::number(round(number))),
    }
}

/// Implements `$round`: from the middle to the number whose last digit is even.
pub(super) fn round(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(number) = args::number(args, 0) else { return Ok(None) };
    // The cast saturates, and cuts a fraction.
    let places = args::number(args, 1).map_or(0, |places| places as i64);
    match args::item(args, 0).map(View::from) {
        Some(View::Int(_)) if places >= 0 => Ok(args::item(args, 0).cloned()),
        _ => Ok(Some(convert::number(rounded(number, places)))),
    }
}

/// Returns a number rounded to a number of decimal places. From the middle it is rounded to the
/// number whose last digit is even.
pub(super) fn rounded(number: f64, places: i64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    let mut decimal = Decimal::new(number);
    decimal.round(places, Rounding::HalfEven);
    decimal.to_f64()
}

/// Implements `$sqrt`.
pub(super) fn sqrt(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(number) = args::number(args, 0) else { return Ok(None) };
    if number < 0.0 {
        let number = message::number(number);
        let text = format!("The sqrt function cannot be applied to a negative number: {number}");
        return Err(JsonataError::new("D3060", text));
    }
    Ok(Some(convert::number(number.sqrt())))
}

/// Implements `$power`.
pub(super) fn power(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(base) = args::number(args, 0) else { return Ok(None) };
    let exponent = args::number(args, 1).unwrap_or(f64::NAN);
    let result = base.powf(exponent);
    // JavaScript has no result where the exponent is not finite and the base is one.
    let is_undecided = exponent.is_nan() || (exponent.is_infinite() && base.abs() == 1.0);
    if is_undecided || !result.is_finite() {
        let (base, exponent) = (message::number(base), message::scalar(args::item(args, 1)));
        let text = format!(
            "The power function has resulted in a value that cannot be represented as a JSON number: \
             base={base}, exponent={exponent}"
        );
        return Err(JsonataError::new("D3061", text));
    }
    Ok(Some(convert::number(result)))
}

/// Implements `$sum`.
pub(super) fn sum(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Ok(total(run, args)?.map(|(sum, _)| convert::number(sum)))
}

/// Implements `$average`.
pub(super) fn average(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    // The number of elements is far below 2^53.
    let mean = |(sum, count): (f64, usize)| (count > 0).then(|| convert::number(sum / count as f64));
    Ok(total(run, args)?.and_then(mean))
}

fn total(run: &mut Evaluation, args: Args<'_>) -> Result<Option<(f64, usize)>> {
    let Some(elements) = args::elements(args, 0) else { return Ok(None) };
    run.steps(elements.len() as u64)?;
    Ok(Some((elements.iter().filter_map(View::number).fold(0.0, |sum, number| sum + number), elements.len())))
}

/// Implements `$max`.
pub(super) fn max(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    extreme(run, args, f64::gt)
}

/// Implements `$min`.
pub(super) fn min(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    extreme(run, args, f64::lt)
}

/// Returns the number that is better than all others, or NaN if it is among them.
fn extreme(run: &mut Evaluation, args: Args<'_>, is_better: fn(&f64, &f64) -> bool) -> Result<Option<Item>> {
    let Some(elements) = args::elements(args, 0) else { return Ok(None) };
    run.steps(elements.len() as u64)?;
    let mut best: Option<(usize, f64)> = None;
    for (at, number) in elements.iter().enumerate().filter_map(|(at, view)| Some((at, view.number()?))) {
        if best.is_none_or(|(_, other)| number.is_nan() || is_better(&number, &other)) {
            best = Some((at, number));
            if number.is_nan() {
                break;
            }
        }
    }
    Ok(best.and_then(|(at, _)| elements.item(at)))
}
