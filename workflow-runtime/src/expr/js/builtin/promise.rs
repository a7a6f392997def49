//! `Promise`, limited to promises that are settled immediately.

use super::super::call::argument;
use super::super::{Js, Result, Run, Throw, literal};

/// Implements `Promise.resolve`: returns its argument, because promises are awaited
/// ([Q4](docs/composer.md#q4)).
pub fn promise_resolve(_: &Run, arguments: &[Js]) -> Result {
    Ok(argument(arguments, 0))
}

/// Implements `Promise.reject`: throws its argument, because the promise is awaited.
pub fn promise_reject(_: &Run, arguments: &[Js]) -> Result {
    Err(Throw::Value(argument(arguments, 0)))
}

/// Implements `Promise.all`: returns an array of the elements of its argument. The elements are
/// not promises, because promises have been awaited.
pub fn promise_all(_: &Run, arguments: &[Js]) -> Result {
    literal::iterate(&argument(arguments, 0)).map(literal::array_of)
}
