//! Operators with two operands.

use std::cmp::Ordering;

use workflow_jsonata::BinaryOperator;

use super::convert;
use super::equality;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::message::quoted;
use super::order::{compare, count_texts};
use super::path::Input;
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
    left: Option<Item>,
    right: Option<Item>,
) -> Result<Option<Item>> {
    use BinaryOperator::{
        Add, And, Concatenate, Divide, Equal, Greater, GreaterOrEqual, In, Less, LessOrEqual, Multiply, Or, Range,
        Remainder, Subtract, Unequal,
    };
    let answer = match operator {
        Add | Subtract | Multiply | Divide | Remainder => return arithmetic(operator, left.as_ref(), right.as_ref()),
        Less | LessOrEqual | Greater | GreaterOrEqual => return ordering(run, operator, left, right),
        Concatenate => return concatenation(run, left.as_ref(), right.as_ref()).map(Some),
        Range => return range(run, left.as_ref(), right.as_ref()),
        Equal | Unequal => match (&left, &right) {
            (Some(left), Some(right)) => equality::equal(run, left, right)? == (operator == Equal),
            _ => false,
        },
        In => includes(run, left.as_ref(), right)?,
        // The evaluation of these does not always evaluate the right operand.
        And | Or => false,
    };
    Ok(Some(Item::Value(Value::Bool(answer))))
}

fn arithmetic(operator: BinaryOperator, left: Option<&Item>, right: Option<&Item>) -> Result<Option<Item>> {
    let left = operand(left, "T2001", "left", operator)?;
    let right = operand(right, "T2002", "right", operator)?;
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    let number = match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Divide => left / right,
        _ => left % right,
    };
    Ok(Some(convert::number(number)))
}

/// Returns an operand of an arithmetic operator.
fn operand(item: Option<&Item>, code: &'static str, side: &str, operator: BinaryOperator) -> Result<Option<f64>> {
    let Some(item) = item else { return Ok(None) };
    match item.as_number() {
        Some(number) if number.is_finite() => Ok(Some(number)),
        Some(_) => Err(out_of_range()),
        None => {
            let operator = operator.sign();
            Err(JsonataError::new(
                code,
                format!("The {side} side of the \"{operator}\" operator must evaluate to a number"),
            ))
        }
    }
}

fn ordering(
    run: &mut Evaluation,
    operator: BinaryOperator,
    left: Option<Item>,
    right: Option<Item>,
) -> Result<Option<Item>> {
    let is_comparable =
        |item: &Option<Item>| item.as_ref().is_none_or(|item| item.as_number().is_some() || item.as_text().is_some());
    if !is_comparable(&left) || !is_comparable(&right) {
        let operator = operator.sign();
        let message =
            format!("The expressions either side of operator \"{operator}\" must evaluate to numeric or string values");
        return Err(JsonataError::new("T2010", message));
    }
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    count_texts(run, &left, &right)?;
    let Some(Some(order)) = compare(&left, &right) else {
        let (left, right) = (quoted(run, Some(&left))?, quoted(run, Some(&right))?);
        let operator = operator.sign();
        let message = format!(
            "The values {left} and {right} either side of operator \"{operator}\" must be of the same data type"
        );
        return Err(JsonataError::new("T2009", message));
    };
    let answer = match operator {
        BinaryOperator::Less => order == Ordering::Less,
        BinaryOperator::LessOrEqual => order != Ordering::Greater,
        BinaryOperator::Greater => order == Ordering::Greater,
        _ => order != Ordering::Less,
    };
    Ok(Some(Item::Value(Value::Bool(answer))))
}

fn concatenation(run: &mut Evaluation, left: Option<&Item>, right: Option<&Item>) -> Result<Item> {
    let mut text_of = |item: Option<&Item>| match item {
        Some(item) => text::string(run, item, false),
        None => Ok(Str::default()),
    };
    let (left, right) = (text_of(left)?, text_of(right)?);
    run.charge_bytes(left.len().saturating_add(right.len()))?;
    Ok(convert::text([&*left, &*right].concat()))
}

/// Returns `true` if a value is an element of an array. Arrays and objects are no such elements,
/// not even of an array that holds them: jsonata-js compares their identity, which values that
/// states read do not have in AWS, and which here would depend on whether an execution was loaded.
fn includes(run: &mut Evaluation, left: Option<&Item>, right: Option<Item>) -> Result<bool> {
    let (Some(left), Some(right)) = (left, right) else { return Ok(false) };
    let right = Input::of(Some(right));
    for at in 0..right.len() {
        run.steps(1)?;
        let Some(item) = right.get(at) else { continue };
        count_texts(run, left, &item)?;
        if equality::equal_scalars(View::from(left), View::from(&item)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the whole numbers from one to another one. Nothing if the first one is greater.
fn range(run: &mut Evaluation, left: Option<&Item>, right: Option<&Item>) -> Result<Option<Item>> {
    let first = bound(left, "T2003", "left")?;
    let last = bound(right, "T2004", "right")?;
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
