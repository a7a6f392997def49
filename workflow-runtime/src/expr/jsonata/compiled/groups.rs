//! The grouping of items to an object.

use super::{Maybe, Run};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::group;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::path::elements;
use crate::expr::jsonata::tuple::Tuple;

/// Groups of items by their keys.
#[derive(Default)]
pub struct Groups {
    groups: group::TupleGroups,
}

impl Groups {
    /// Creates an empty list of groups.
    pub fn new() -> Groups {
        Groups::default()
    }

    /// Adds an item to the group of a key. `pair` is the place of the key in the object.
    ///
    /// # Errors
    /// Fails if the key is no string, if two keys of the object are equal, and if a limit is
    /// exceeded.
    pub fn add(&mut self, pair: usize, key: &Maybe, item: &Maybe, run: &mut Run<'_>) -> Result<()> {
        let Some(key) = key else { return Ok(()) };
        run.add_to_group(&mut self.groups, pair, key, &Tuple { item: item.clone(), bindings: Vec::new() })
    }

    /// Returns the groups in the order of their keys: the pair, the key, and the merged items.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub fn merged(self, run: &mut Run<'_>) -> Result<Vec<(usize, Maybe, Maybe)>> {
        let merge = |group: group::Group| {
            let (pair, key) = (group.pair, convert::text(group.key.clone()));
            Ok((pair, Some(key), group.merged(run)?.item))
        };
        self.groups.list.into_iter().map(merge).collect()
    }
}

/// Returns the context item of the values of an object whose keys are constants: the merged
/// elements of an array, or the value alone.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn grouped(value: Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    if value.as_ref().is_some_and(Item::is_array) { merged(&value, run) } else { Ok(value) }
}

/// Merges the elements of an array.
#[inline(never)]
fn merged(array: &Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    let mut merge = group::Merge::default();
    if let Some(elements) = array.as_ref().and_then(elements) {
        run.charge(elements.len())?;
        for element in elements.items() {
            merge.add(run, Some(element))?;
        }
    }
    Ok(merge.finish())
}
