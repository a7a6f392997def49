//! The functions that compiled expressions call.
//!
//! A compiled expression has the code of its parts, which does what the evaluator does with the
//! tree, in the same order. A value is a [`Maybe`]. Functions that fail or count get the [`Run`]
//! as their last argument. What both ways need is defined once, in the modules around this one.

mod calls;
mod constants;
mod constructors;
mod entry;
mod groups;
mod lambdas;
mod loops;
mod names;
mod recursion;
mod results;
mod signatures;
#[cfg(test)]
mod tests;
mod transforms;

pub use super::operators::{
    add, concatenate, divide, equal, greater, greater_or_equal, is_greater, is_greater_or_equal, is_in, is_less,
    is_less_or_equal, less, less_or_equal, multiply, negate, range, remainder, subtract, unequal,
};
pub use calls::{call_as, call_as_in, call_partial};
pub use constants::{JsonataRegex, bool, float, int, native, nothing, null, position, regex, text};
pub use constructors::{Elements, Members, elements, list, object};
pub use entry::{
    JsonataExpression, array, array_or_object, boolean, evaluate_translated, number, object_field, string, test, value,
    wrapped,
};
pub use groups::{Groups, grouped};
pub use lambdas::{Single, as_array, begin, members_of, rest, sorted_by};
pub use loops::{Candidates, ItemLoop, count, entries, entries_of, first_items, group_items, items_of};
pub use names::{
    descendants, find, find_all, find_at, find_candidates, find_step_at, find_steps, lookup_all, of, walk, walk_all,
    walk_at, walk_candidates, walk_step_at, walk_steps, wildcard,
};
pub use recursion::{Recursion, argument, recursive};
pub use results::{Results, Sorting, all, at, collapsed, first_step, kept};
pub use signatures::{JsonataSignature, checked, checked_in};
pub use transforms::{transformed, transformed_without};

use super::error::Result;
use super::function::Native;
use super::item::Item;
use super::natives;
pub use super::run::Evaluation as Run;

/// A value of an expression. Nothing (undefined) is `None`.
pub type Maybe = Option<Item>;

impl Run<'_> {
    /// Counts a turn of a loop.
    ///
    /// # Errors
    /// Fails if the limit is exceeded.
    #[inline]
    pub fn step(&mut self) -> Result<()> {
        self.steps(1)
    }
}

/// Returns the truth of a value. Nothing is not true.
///
/// # Errors
/// Fails for an infinity, and if a limit is exceeded.
#[inline]
pub fn is_true(value: &Maybe, run: &mut Run<'_>) -> Result<bool> {
    run.truth(value.as_ref())
}

/// Calls a function of the language.
#[inline]
pub(super) fn call(
    native: &'static Native,
    args: &[Maybe],
    context: Option<&Item>,
    run: &mut Run<'_>,
) -> Result<Maybe> {
    if native.shape.takes(run, args) {
        return (native.code)(run, args);
    }
    run.native(native, natives::signature_of(native), args, context, Some(native.name))
}
