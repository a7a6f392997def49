//! Operators with two operands.

use std::cmp::Ordering;

use workflow_jsonata::BinaryOperator;

use super::convert;
use super::equality;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::message::quoted;
use super::order::{compare, count_texts};
use super::run::Evaluation;
use super::text;
use super::truth::out_of_range;
use super::view::View;
use crate::value::{Str, Value};

/// The most elements of a range.
const MOST: f64 = 1e7;

/// Applies an operator other than `and` and `or`.
pub(super) fn binary(
    run: &mut Evaluation,
    operator: BinaryOperator,
    left: &Option<Item>,
    right: &Option<Item>,
) -> Result<Option<Item>> {
    let answer = match operator {
        BinaryOperator::Add => return add(left, right),
        BinaryOperator::Subtract => return subtract(left, right),
        BinaryOperator::Multiply => return multiply(left, right),
        BinaryOperator::Divide => return divide(left, right),
        BinaryOperator::Remainder => return remainder(left, right),
        BinaryOperator::Less => return less(left, right, run),
        BinaryOperator::LessOrEqual => return less_or_equal(left, right, run),
        BinaryOperator::Greater => return greater(left, right, run),
        BinaryOperator::GreaterOrEqual => return greater_or_equal(left, right, run),
        BinaryOperator::Concatenate => return concatenate(left, right, run),
        BinaryOperator::Range => return range(left, right, run),
        BinaryOperator::Equal => equal(left, right, run)?,
        BinaryOperator::Unequal => unequal(left, right, run)?,
        BinaryOperator::In => is_in(left, right, run)?,
        // The evaluation of these does not always evaluate the right operand.
        BinaryOperator::And | BinaryOperator::Or => false,
    };
    Ok(Some(Item::Value(Value::Bool(answer))))
}

/// Defines the functions of arithmetic operators.
macro_rules! arithmetic {
    ($($name:ident $operator:ident $sign:tt $($exact:ident)?;)*) => {
        $(
            #[doc = concat!("Returns `left ", stringify!($sign), " right`, or nothing if there is no operand.")]
            ///
            /// # Errors
            /// Fails if an operand is no number.
            pub fn $name(left: &Option<Item>, right: &Option<Item>) -> Result<Option<Item>> {
                $(
                    if let (Some(Item::Value(Value::Int(left))), Some(Item::Value(Value::Int(right)))) = (left, right)
                        && is_exact(*left)
                        && is_exact(*right)
                        && let Some(number) = left.$exact(*right)
                        && is_exact(number)
                    {
                        return Ok(Some(Item::Value(Value::Int(number))));
                    }
                )?
                let left = operand(left, "T2001", "left", BinaryOperator::$operator)?;
                let right = operand(right, "T2002", "right", BinaryOperator::$operator)?;
                let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
                Ok(Some(convert::number(left $sign right)))
            }
        )*
    };
}

arithmetic! {
    add Add + checked_add;
    subtract Subtract - checked_sub;
    multiply Multiply * checked_mul;
    divide Divide /;
    remainder Remainder %;
}

/// Returns `true` if a double holds this number and its neighbours exactly: sums and products of
/// such numbers are those of doubles.
fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= 1 << 53
}

/// Returns an operand of an arithmetic operator.
#[inline]
fn operand(item: &Option<Item>, code: &'static str, side: &str, operator: BinaryOperator) -> Result<Option<f64>> {
    let Some(item) = item else { return Ok(None) };
    match item.as_number() {
        Some(number) if number.is_finite() => Ok(Some(number)),
        Some(_) => Err(out_of_range()),
        None => Err(no_number(code, side, operator)),
    }
}

#[cold]
fn no_number(code: &'static str, side: &str, operator: BinaryOperator) -> JsonataError {
    let operator = operator.sign();
    JsonataError::new(code, format!("The {side} side of the \"{operator}\" operator must evaluate to a number"))
}

/// Returns the negative of a number, or nothing of nothing.
///
/// # Errors
/// Fails if the operand is no number.
pub fn negate(operand: &Option<Item>, run: &mut Evaluation) -> Result<Option<Item>> {
    match operand {
        None => Ok(None),
        Some(Item::Value(Value::Int(number))) if number.checked_neg().is_some() => {
            Ok(Some(Item::Value(Value::Int(-number))))
        }
        Some(item) => match item.as_number() {
            Some(number) if number.is_finite() => Ok(Some(convert::number(-number))),
            Some(_) => Err(out_of_range()),
            None => {
                let value = quoted(run, Some(item))?;
                Err(JsonataError::new("D1002", format!("Cannot negate a non-numeric value: {value}")))
            }
        },
    }
}

/// Defines the functions of operators that compare.
macro_rules! ordering {
    ($($name:ident $test:ident $operator:ident $sign:tt $holds:expr;)*) => {
        $(
            #[doc = concat!("Returns the value of `left ", stringify!($sign), " right`: nothing without an operand.")]
            ///
            /// # Errors
            /// Fails if the operands are not both numbers or both strings.
            pub fn $name(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<Option<Item>> {
                let order = order(left, right, BinaryOperator::$operator, run)?;
                Ok(order.map(|order| Item::Value(Value::Bool($holds(order)))))
            }

            #[doc = concat!("Returns the truth of `left ", stringify!($sign), " right`.")]
            ///
            /// # Errors
            /// Fails if the operands are not both numbers or both strings.
            #[inline]
            pub fn $test(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<bool> {
                Ok(order(left, right, BinaryOperator::$operator, run)?.is_some_and($holds))
            }
        )*
    };
}

ordering! {
    less is_less Less < Ordering::is_lt;
    less_or_equal is_less_or_equal LessOrEqual <= Ordering::is_le;
    greater is_greater Greater > Ordering::is_gt;
    greater_or_equal is_greater_or_equal GreaterOrEqual >= Ordering::is_ge;
}

/// Returns the order of the operands, if there are both.
#[inline]
fn order(
    left: &Option<Item>,
    right: &Option<Item>,
    operator: BinaryOperator,
    run: &mut Evaluation,
) -> Result<Option<Ordering>> {
    match (left, right) {
        (Some(Item::Value(Value::Int(left))), Some(Item::Value(Value::Int(right)))) => Ok(Some(left.cmp(right))),
        (Some(Item::Value(Value::Float(left))), Some(Item::Value(Value::Int(right)))) if is_exact(*right) => {
            // The conversion is exact, and neither number is NaN.
            Ok(left.partial_cmp(&(*right as f64)))
        }
        _ => general_order(left.as_ref(), right.as_ref(), operator, run),
    }
}

#[inline(never)]
fn general_order(
    left: Option<&Item>,
    right: Option<&Item>,
    operator: BinaryOperator,
    run: &mut Evaluation,
) -> Result<Option<Ordering>> {
    let is_comparable =
        |item: Option<&Item>| item.is_none_or(|item| item.as_number().is_some() || item.as_text().is_some());
    if !is_comparable(left) || !is_comparable(right) {
        let operator = operator.sign();
        let message =
            format!("The expressions either side of operator \"{operator}\" must evaluate to numeric or string values");
        return Err(JsonataError::new("T2010", message));
    }
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    count_texts(run, left, right)?;
    let Some(Some(order)) = compare(left, right) else {
        let (left, right) = (quoted(run, Some(left))?, quoted(run, Some(right))?);
        let operator = operator.sign();
        let message = format!(
            "The values {left} and {right} either side of operator \"{operator}\" must be of the same data type"
        );
        return Err(JsonataError::new("T2009", message));
    };
    Ok(Some(order))
}

/// Returns `true` if there are two values and they are equal.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn equal(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<bool> {
    match (left, right) {
        (Some(left), Some(right)) => equality::equal(run, left, right),
        _ => Ok(false),
    }
}

/// Returns `true` if there are two values and they differ.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn unequal(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<bool> {
    match (left, right) {
        (Some(left), Some(right)) => Ok(!equality::equal(run, left, right)?),
        _ => Ok(false),
    }
}

/// Returns the texts of both operands, one after the other.
///
/// # Errors
/// Fails if an operand has no text, and if a limit is exceeded.
pub fn concatenate(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<Option<Item>> {
    let mut text_of = |item: &Option<Item>| match item {
        Some(item) => text::string(run, item, false),
        None => Ok(Str::default()),
    };
    let (left, right) = (text_of(left)?, text_of(right)?);
    run.charge_bytes(left.len().saturating_add(right.len()))?;
    Ok(Some(convert::text([&*left, &*right].concat())))
}

/// Returns `true` if a value is an element of an array. Arrays and objects are no such elements,
/// not even of an array that holds them: jsonata-js compares their identity, which values that
/// states read do not have in AWS, and which here would depend on whether an execution was loaded.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn is_in(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<bool> {
    let (Some(left), Some(right)) = (left, right) else { return Ok(false) };
    let left = View::from(left);
    let mut is_same = |right: View<'_>| {
        run.steps(1)?;
        if let (View::String(left), View::String(right)) = (left, right) {
            run.count_text(left.len().min(right.len()))?;
        }
        Ok(equality::equal_scalars(left, right))
    };
    match View::from(right) {
        View::Array(elements) => {
            for element in elements.iter() {
                if is_same(element)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        right => is_same(right),
    }
}

/// Returns the whole numbers from one to another one. Nothing if the first one is greater.
///
/// # Errors
/// Fails if an operand is no whole number, and if the range is too large.
pub fn range(left: &Option<Item>, right: &Option<Item>, run: &mut Evaluation) -> Result<Option<Item>> {
    let first = bound(left.as_ref(), "T2003", "left")?;
    let last = bound(right.as_ref(), "T2004", "right")?;
    let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
    if first > last {
        return Ok(None);
    }
    let size = last - first + 1.0;
    if size > MOST {
        let message = "The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted to \
                       allocate";
        let size = super::decimal::shortest_text(size);
        return Err(JsonataError::new("D2014", format!("{message} {size}.")));
    }
    // The size is at most 10,000,000.
    let size = size as usize;
    run.charge(size)?;
    Ok(Some(Item::Value((0..size).map(|at| number(first + at as f64)).collect())))
}

fn number(number: f64) -> Value {
    match convert::number(number) {
        Item::Value(value) => value,
        _ => Value::Null,
    }
}

/// Returns a bound of a range.
fn bound(item: Option<&Item>, code: &'static str, side: &str) -> Result<Option<f64>> {
    match item.map(Item::as_number) {
        None => Ok(None),
        Some(Some(number)) if number.is_finite() && number.fract() == 0.0 => Ok(Some(number)),
        Some(_) => Err(JsonataError::new(
            code,
            format!("The {side} side of the range operator (..) must evaluate to an integer"),
        )),
    }
}
