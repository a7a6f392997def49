//! Loops that stand for functions with a function as argument.

use super::loops::ItemLoop;
use super::{Maybe, Run};
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::function::JsonataFunction;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::view::View;
use crate::expr::jsonata::{convert, higher_order, natives, signature};

/// Returns an argument that has to be an array: a value that is none becomes the only element.
#[inline]
pub fn as_array(value: Maybe) -> Maybe {
    match value {
        Some(item) if !item.is_array() => Some(convert::array(vec![item])),
        value => value,
    }
}

/// Returns the value that `$reduce` starts with.
pub fn begin(array: &Maybe, initial: &Maybe) -> Maybe {
    match (array, initial) {
        (None, _) => None,
        (Some(_), Some(initial)) => Some(initial.clone()),
        (Some(_), None) => ItemLoop::of(array.clone()).next().flatten(),
    }
}

/// Returns the items with their positions that `$reduce` visits.
pub fn rest(array: Maybe, initial: &Maybe) -> impl Iterator<Item = (usize, Maybe)> + use<> {
    super::items_of(array).enumerate().skip(usize::from(initial.is_none()))
}

/// The result of `$single`.
#[derive(Default)]
pub struct Single {
    found: Maybe,
}

impl Single {
    /// Creates a result that is not yet found.
    pub const fn new() -> Single {
        Single { found: None }
    }

    /// Adds an item that matches.
    ///
    /// # Errors
    /// Fails if another item has matched.
    pub fn add(&mut self, item: Maybe) -> Result<()> {
        if self.found.is_some() {
            return Err(higher_order::several_matches());
        }
        self.found = item;
        Ok(())
    }

    /// Returns the item that has matched.
    ///
    /// # Errors
    /// Fails if none has, unless there is no array.
    pub fn value(self, array: &Maybe) -> Result<Maybe> {
        if self.found.is_none() && array.is_some() { Err(higher_order::no_match()) } else { Ok(self.found) }
    }
}

/// Returns the names and values of the members that `$each` or `$sift` visits.
///
/// # Errors
/// Fails with the error of the signature if the value is no object, and if a limit is exceeded.
pub fn members_of(value: &Maybe, function: &'static str, run: &mut Run<'_>) -> Result<Vec<(Maybe, Maybe)>> {
    let Some(item) = value else { return Ok(Vec::new()) };
    let View::Object(members) = View::from(item) else {
        if let Some(known) = natives::known(function)
            && let Some(signature) = &known.signature
        {
            let callback = run.function(JsonataFunction::Native(known.native))?;
            signature::validated(run, signature, &[value.clone(), Some(callback)], None, Some(function))?;
        }
        return Ok(Vec::new());
    };
    run.charge(members.len())?;
    Ok(members.items().map(|(name, value)| (Some(convert::text(name)), Some(value))).collect())
}

/// Sorts an array by a function that returns the truth of "comes after".
///
/// # Errors
/// Fails if the function fails, and if a limit is exceeded.
pub fn sorted_by(
    array: Maybe,
    mut swaps: impl FnMut(Maybe, Maybe, &mut Run<'_>) -> Result<Maybe>,
    run: &mut Run<'_>,
) -> Result<Maybe> {
    let Some(whole) = as_array(array) else { return Ok(None) };
    higher_order::sorted_by(run, whole, &mut |run: &mut Run<'_>, left: &Item, right: &Item| {
        swaps(Some(left.clone()), Some(right.clone()), run)
    })
    .map(Some)
}
