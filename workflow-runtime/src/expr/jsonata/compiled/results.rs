//! Results of steps and predicates.

use super::{Maybe, Run};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::evaluate;
use crate::expr::jsonata::filter::place;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::order;
use crate::expr::jsonata::path::{elements, keep_array};
use crate::value::Value;

/// The values that a step yields, or the items that a predicate or a function selects.
#[derive(Default)]
pub struct Results {
    items: Vec<Item>,
}

impl Results {
    /// Creates an empty list.
    #[inline]
    pub const fn new() -> Results {
        Results { items: Vec::new() }
    }

    /// Adds the value that a step yields for an item.
    #[inline]
    pub fn push(&mut self, value: Maybe) {
        if let Some(item) = value {
            self.items.push(item);
        }
    }

    /// Adds what a position selects for an item: nothing counts as an empty sequence.
    #[inline]
    pub fn push_selected(&mut self, value: Maybe) {
        self.items.push(value.unwrap_or_else(|| convert::sequence(Vec::new())));
    }

    /// Adds an item that is selected, or the result of a function.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    #[inline]
    pub fn keep(&mut self, item: Maybe, run: &mut Run<'_>) -> Result<()> {
        if let Some(item) = item {
            run.charge(1)?;
            run.fits(self.items.len())?;
            self.items.push(item);
        }
        Ok(())
    }

    /// Adds an item as often as a predicate selects it that has this value: a position, an array
    /// of positions, or a condition. `at` is the position of the item among `of` items.
    ///
    /// # Errors
    /// Fails for an infinity, and if a limit is exceeded.
    pub fn select(&mut self, item: Maybe, verdict: &Maybe, at: usize, of: usize, run: &mut Run<'_>) -> Result<()> {
        let times = run.verdict(verdict.as_ref(), at, of)?;
        if let Some(item) = item {
            run.charge(times)?;
            self.items.extend(std::iter::repeat_n(item, times));
        }
        Ok(())
    }

    /// Returns a sequence of what has been selected.
    #[inline]
    pub fn sequence(self) -> Maybe {
        Some(convert::sequence(self.items))
    }

    /// Ends a step that another one follows. Returns a sequence.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    #[inline]
    pub fn step(self, run: &mut Run<'_>) -> Result<Maybe> {
        run.flattened(self.items, false).map(Some)
    }

    /// Ends the last step of a path, and returns its value for a grouping.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    #[inline]
    pub fn last(self, run: &mut Run<'_>) -> Result<Maybe> {
        run.flattened(self.items, true).map(Some)
    }

    /// Ends the last step of a path, and returns the value of the path.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    #[inline]
    pub fn last_step(self, run: &mut Run<'_>) -> Result<Maybe> {
        self.last(run).map(collapsed)
    }
}

/// Reduces a sequence of one element to the element, and one of none to nothing.
#[inline]
pub fn collapsed(value: Maybe) -> Maybe {
    evaluate::collapsed(value)
}

/// Returns the value of a part with `[]` that is no path: a sequence of one element stays an
/// array.
#[inline]
pub fn kept(value: Maybe) -> Maybe {
    collapsed(value.map(evaluate::kept))
}

/// Returns the value of a path with `[]`, from the value of its last step.
pub fn all(value: Maybe) -> Maybe {
    collapsed(keep_array(value))
}

/// Returns what the first step of a path yields if this is its value.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn first_step(value: Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    match collapsed(value) {
        // The elements of several are the items, whatever holds them.
        Some(Item::Value(Value::Array(items))) if items.len() > 1 => Ok(Some(Item::Value(Value::Array(items)))),
        Some(item) => run.flattened(vec![item], false).map(Some),
        None => Ok(None),
    }
}

/// Returns the item at a position, which counts from the end if it is negative.
#[inline]
pub fn at(value: &Maybe, position: i64) -> Maybe {
    let item = value.as_ref()?;
    // A position beyond 2^53 is outside of every array.
    let position = position as f64;
    match elements(item) {
        Some(elements) => elements.item(place(position, elements.len())?),
        None => place(position, 1).map(|_| item.clone()),
    }
}

/// The keys of items that are to be sorted.
#[derive(Default)]
pub struct Sorting {
    keys: Vec<Maybe>,
}

impl Sorting {
    /// Creates an empty list of keys.
    pub const fn new() -> Sorting {
        Sorting { keys: Vec::new() }
    }

    /// Adds the value of the next term for an item, or of the first one for the next item.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub fn add(&mut self, key: Maybe, run: &mut Run<'_>) -> Result<()> {
        run.charge(1)?;
        self.keys.push(key);
        Ok(())
    }

    /// Sorts the items of a value. Of each term, says if it is descending.
    ///
    /// # Errors
    /// Fails if two keys cannot be compared, and if a limit is exceeded.
    pub fn sorted(self, value: &Maybe, descending: &[bool], run: &mut Run<'_>) -> Result<Maybe> {
        // A predicate that follows is not evaluated for nothing.
        let Some(item) = value else { return Ok(Some(convert::sequence(Vec::new()))) };
        let Some(elements) = elements(item) else { return Ok(Some(convert::sequence(vec![item.clone()]))) };
        if elements.len() < 2 {
            return Ok(Some(item.clone()));
        }
        run.charge(elements.len())?;
        let order = order::order_by_keys(&self.keys, descending, elements.len(), run)?;
        Ok(Some(convert::array(order.into_iter().filter_map(|at| elements.item(at)).collect())))
    }
}
