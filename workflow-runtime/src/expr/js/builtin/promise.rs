//! `Promise`, as far as one that is made is settled at once.

use super::super::call::argument;
use super::super::{Js, Result, Run, Throw, literal};

/// `Promise.resolve`: yields its argument, because promises are awaited (ruling Q4).
pub fn promise_resolve(_: &Run, arguments: &[Js]) -> Result {
    Ok(argument(arguments, 0))
}

/// `Promise.reject`: throws its argument, because the promise is awaited.
pub fn promise_reject(_: &Run, arguments: &[Js]) -> Result {
    Err(Throw::Value(argument(arguments, 0)))
}

/// `Promise.all`: an array of what is in its argument. None of that is a promise: those have been awaited.
pub fn promise_all(_: &Run, arguments: &[Js]) -> Result {
    literal::iterate(&argument(arguments, 0)).map(literal::array_of)
}
