//! Support for translated functions besides operators: texts, arguments, exits from `try`,
//! counters.

use super::budget::charge;
use super::coerce::{Hint, number, primitive, string};
use super::{Js, Result, Throw, Var, call, error, property};
use crate::value::Str;

/// The way in which the body of a `try` was left, for the code after it.
#[derive(Clone, Debug)]
pub enum Flow {
    /// By reaching its end.
    Next,
    /// By a `return` of the function.
    Return(Js),
    /// By a jump to an enclosing statement, identified by a number.
    Jump(usize),
}

/// Runs the body of a `try`. Returns a thrown value as the inner error. An exhausted budget skips
/// `catch` and `finally`.
pub fn attempt<T>(body: impl FnOnce() -> Result<T>) -> Result<std::result::Result<T, Js>> {
    match body() {
        Ok(done) => Ok(Ok(done)),
        Err(Throw::Value(thrown)) => Ok(Err(thrown)),
        Err(abort) => Err(abort),
    }
}

/// Concatenates texts.
pub fn concat(parts: &[&str]) -> Result<Str> {
    charge(parts.iter().map(|part| part.len()).sum())?;
    Ok(parts.concat().into())
}

/// Converts an operand of `+` to text where the other operand is a string (ECMA-262 §13.15.3).
/// Dates and objects are converted without a preferred type.
pub fn added(value: &Js) -> Result<Str> {
    string(&primitive(value, Hint::Default)?)
}

/// Returns an argument or an element of a list, or undefined if there are fewer.
pub fn argument(arguments: &[Js], position: usize) -> Js {
    call::argument(arguments, position)
}

/// Returns the arguments from a position on, as an array.
pub fn rest_arguments(arguments: &[Js], from: usize) -> Js {
    super::literal::array_of(arguments.get(from..).unwrap_or_default().to_vec())
}

/// Checks the receiver of a method call before the arguments are evaluated.
pub fn receiver<'v>(value: &'v Js, method: &str) -> Result<&'v Js> {
    if value.is_nullish() {
        property::get(value, method)?;
    }
    Ok(value)
}

/// Returns the ReferenceError for a name that is not declared.
#[cold]
pub fn undeclared(name: &str) -> Result {
    Err(error::reference_error(name))
}

/// Implements `variable++`.
pub fn post_increment(variable: &Var) -> Result<f64> {
    let old = number(&variable.get())?;
    variable.set(Js::Number(old + 1.0));
    Ok(old)
}

/// Implements `variable--`.
pub fn post_decrement(variable: &Var) -> Result<f64> {
    let old = number(&variable.get())?;
    variable.set(Js::Number(old - 1.0));
    Ok(old)
}
