//! What translated functions need beside operators: texts, arguments, what leaves `try`, counters.

use super::budget::charge;
use super::coerce::{Hint, number, primitive, string};
use super::{Js, Result, Throw, Var, call, error, property};
use crate::value::Str;

/// How the body of a `try` was left, for what follows it.
#[derive(Clone, Debug)]
pub enum Flow {
    /// At its end.
    Next,
    /// By a `return` of the function.
    Return(Js),
    /// By a jump to somewhere around it, told by a number.
    Jump(usize),
}

/// Does what stands in a `try`. A thrown value is given back; when a budget ran out, neither `catch` nor `finally` runs.
pub fn attempt<T>(body: impl FnOnce() -> Result<T>) -> Result<std::result::Result<T, Js>> {
    match body() {
        Ok(done) => Ok(Ok(done)),
        Err(Throw::Value(thrown)) => Ok(Err(thrown)),
        Err(abort) => Err(abort),
    }
}

/// The text of these parts.
pub fn concat(parts: &[&str]) -> Result<Str> {
    charge(parts.iter().map(|part| part.len()).sum())?;
    Ok(parts.concat().into())
}

/// What `+` makes of a value beside a string (ECMA-262 §13.15.3): dates and objects are asked for any primitive.
pub fn added(value: &Js) -> Result<Str> {
    string(&primitive(value, Hint::Default)?)
}

/// An argument, or an element of a list; undefined if there are fewer.
pub fn argument(arguments: &[Js], position: usize) -> Js {
    call::argument(arguments, position)
}

/// The arguments from a position on, as an array.
pub fn rest_arguments(arguments: &[Js], from: usize) -> Js {
    super::literal::array_of(arguments.get(from..).unwrap_or_default().to_vec())
}

/// What a method is called of, before the arguments are evaluated.
pub fn receiver<'v>(value: &'v Js, method: &str) -> Result<&'v Js> {
    if value.is_nullish() {
        property::get(value, method)?;
    }
    Ok(value)
}

/// The value of a name that nothing declares: a ReferenceError.
#[cold]
pub fn undeclared(name: &str) -> Result {
    Err(error::reference_error(name))
}

/// `variable++`
pub fn post_increment(variable: &Var) -> Result<f64> {
    let old = number(&variable.get())?;
    variable.set(Js::Number(old + 1.0));
    Ok(old)
}

/// `variable--`
pub fn post_decrement(variable: &Var) -> Result<f64> {
    let old = number(&variable.get())?;
    variable.set(Js::Number(old - 1.0));
    Ok(old)
}
