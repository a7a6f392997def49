//! `Promise`, as far as one that is made is settled at once.

use super::super::call::argument;
use super::super::{Js, Result, Run};

/// `Promise.resolve`: yields its argument, because promises are awaited (ruling Q4).
pub fn promise_resolve(_: &Run, arguments: &[Js]) -> Result {
    Ok(argument(arguments, 0))
}
