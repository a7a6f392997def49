//! Functions that call themselves.

use std::cell::Cell;

use super::{Maybe, Run};
use crate::expr::jsonata::error::Result;

/// The code of a function: it takes the function itself and the arguments.
type Body<'a, const N: usize> = dyn Fn(&Recursion<'_, N>, [Maybe; N], &mut Run<'_>) -> Result<Maybe> + 'a;

/// A function that calls itself, with its number of parameters.
pub struct Recursion<'a, const N: usize> {
    body: &'a Body<'a, N>,
    /// The arguments of the next turn, if the body ends with a call of the function.
    next: Cell<Option<[Maybe; N]>>,
}

impl<const N: usize> Recursion<'_, N> {
    /// Calls the function so many levels below the ones before. The code of the caller has
    /// compared the next level with the limit.
    ///
    /// # Errors
    /// Fails if the function fails, and if a limit is exceeded.
    pub fn call(&self, levels: usize, args: [Maybe; N], run: &mut Run<'_>) -> Result<Maybe> {
        run.descend(levels);
        let mut args = args;
        let result = loop {
            run.step()?;
            let result = (self.body)(self, args, run)?;
            match self.next.take() {
                Some(next) => args = next,
                None => break result,
            }
        };
        run.ascend(levels);
        Ok(result)
    }

    /// Notes that the function is called next, with these arguments. The body returns what this
    /// returns, at once.
    pub fn again(&self, args: [Maybe; N]) -> Maybe {
        self.next.set(Some(args));
        None
    }
}

/// Calls a function that calls itself, see [`Recursion::call`].
///
/// # Errors
/// Fails if the function fails, and if a limit is exceeded.
pub fn recursive<const N: usize>(
    levels: usize,
    args: [Maybe; N],
    body: impl Fn(&Recursion<'_, N>, [Maybe; N], &mut Run<'_>) -> Result<Maybe>,
    run: &mut Run<'_>,
) -> Result<Maybe> {
    Recursion { body: &body, next: Cell::new(None) }.call(levels, args, run)
}

/// Returns the argument at a place.
pub fn argument(args: &[Maybe], at: usize) -> Maybe {
    args.get(at).cloned().flatten()
}
