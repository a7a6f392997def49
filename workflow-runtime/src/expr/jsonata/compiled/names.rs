//! Paths of names, and values of the workflow.

use super::loops::{Candidates, ItemLoop, first_items, items_of};
use super::results::{Results, at};
use super::{Maybe, Run};
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::evaluate::{collapsed, kept};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::path::{keep_array, yielded};
use crate::expr::jsonata::view::View;
use crate::expr::jsonata::{convert, filter, walk as members};
use crate::value::Value;

/// Returns the value of a variable of the workflow, or of a member of `$states`.
pub fn of(value: Option<&Value>) -> Maybe {
    value.cloned().map(Item::Value)
}

/// Returns the value of a path of names that starts at a value of the workflow.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn find(value: Option<&Value>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    run.steps(names.len() as u64)?;
    end_of(value.and_then(|value| follow(value, names)), names, run)
}

/// Applies the names from the first array on.
#[cold]
fn mapped_end(items: View<'_>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    mapped(items, names, true, run).map(collapsed)
}

/// Returns the value of a path, from where its names lead.
#[inline]
fn end_of(place: Option<(&Value, usize)>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    match place {
        Some((value, 0)) => Ok(Some(Item::Value(value.clone()))),
        Some((array, left)) => mapped_end(View::from(array), last(names, left), run),
        None => Ok(None),
    }
}

/// Returns the value of such a path whose last step is followed by `[]`.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn find_all(value: Option<&Value>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    let Some(value) = value else { return Ok(None) };
    run.steps(names.len() as u64)?;
    let found = match follow(value, names) {
        Some((value @ Value::Array(_), 0)) => Some(Item::Value(value.clone())),
        Some((value, 0)) => Some(convert::sequence(vec![Item::Value(value.clone())])),
        Some((array, left)) => mapped_all(View::from(array), last(names, left), run)?,
        None => None,
    };
    Ok(collapsed(keep_array(found)))
}

/// Returns what names at the begin of a path yield for the step after them.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn find_steps(value: Option<&Value>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    let Some(value) = value else { return Ok(None) };
    run.steps(names.len() as u64)?;
    match follow(value, names) {
        Some((value, 0)) => Ok(Some(yielded(value))),
        Some((array, left)) => mapped(View::from(array), last(names, left), false, run),
        None => Ok(None),
    }
}

/// Returns the value of a path of names that starts at a context item, or goes on from the items
/// that a step has yielded.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn walk(value: &Maybe, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    match value {
        Some(Item::Value(value)) => {
            run.steps(names.len() as u64)?;
            end_of(follow_here(value, names), names, run)
        }
        Some(item) => mapped_end(View::from(item), names, run),
        None => Ok(None),
    }
}

/// Returns the value of such a path whose last step is followed by `[]`.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn walk_all(value: &Maybe, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    match value {
        Some(Item::Value(value)) => find_all(Some(value), names, run),
        Some(item) => mapped_all(View::from(item), names, run).map(keep_array).map(collapsed),
        None => Ok(None),
    }
}

/// Returns what the names of such a path yield for the step after them.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn walk_steps(value: &Maybe, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    match value {
        Some(Item::Value(value)) => find_steps(Some(value), names, run),
        Some(item) => mapped(View::from(item), names, false, run),
        None => Ok(None),
    }
}

/// Returns the value of a path of names whose last one has a position: `a.b[0]`.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn find_at(value: Option<&Value>, names: &[&str], position: i64, run: &mut Run<'_>) -> Result<Maybe> {
    let Some(value) = value else { return Ok(None) };
    run.steps(names.len() as u64)?;
    match follow(value, names) {
        Some((found, 0)) => Ok(element(found, position)),
        Some(_) => walk_at(&of(Some(value)), names, position, run),
        None => Ok(None),
    }
}

/// Returns what such a path yields for the step after it.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn find_step_at(value: Option<&Value>, names: &[&str], position: i64, run: &mut Run<'_>) -> Result<Maybe> {
    let Some(value) = value else { return Ok(None) };
    run.steps(names.len() as u64)?;
    match follow(value, names) {
        Some((found, 0)) => Ok(element(found, position)),
        Some(_) => walk_step_at(&of(Some(value)), names, position, run),
        None => Ok(None),
    }
}

/// Returns the element of an array at a position, or another value at the position of the only
/// one.
#[inline]
fn element(value: &Value, position: i64) -> Maybe {
    match value {
        Value::Array(items) => filter::place(position as f64, items.len()).map(|at| Item::Value(items[at].clone())),
        value => filter::place(position as f64, 1).map(|_| Item::Value(value.clone())),
    }
}

/// Returns the value of such a path that starts at a context item.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn walk_at(value: &Maybe, names: &[&str], position: i64, run: &mut Run<'_>) -> Result<Maybe> {
    elements_at(value, names, position, run)?.last_step(run)
}

/// Returns what such a path yields for the step after it.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn walk_step_at(value: &Maybe, names: &[&str], position: i64, run: &mut Run<'_>) -> Result<Maybe> {
    elements_at(value, names, position, run)?.step(run)
}

/// Returns the element at a position of what the last name yields for each item.
fn elements_at(value: &Maybe, names: &[&str], position: i64, run: &mut Run<'_>) -> Result<Results> {
    let mut results = Results::new();
    let Some((last, names)) = names.split_last() else { return Ok(results) };
    for item in before_last(value, names, run)? {
        let found = lookup(&item, last, run)?;
        results.push_selected(at(&found, position));
    }
    Ok(results)
}

/// Returns the candidates of a predicate behind the last name: for each item before this name, the
/// items of its member.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn find_candidates(value: Option<&Value>, names: &[&str], run: &mut Run<'_>) -> Result<Candidates> {
    if let Some(value) = value
        && let Some((found, 0)) = follow(value, names)
    {
        run.steps(names.len() as u64)?;
        return Ok(Candidates::one(first_items(of(Some(found)))));
    }
    walk_candidates(&of(value), names, run)
}

/// Returns the candidates of such a predicate in a path that starts at a context item.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn walk_candidates(value: &Maybe, names: &[&str], run: &mut Run<'_>) -> Result<Candidates> {
    let Some((last, names)) = names.split_last() else { return Ok(Candidates::several(Vec::new())) };
    let mut candidates = Vec::new();
    for item in before_last(value, names, run)? {
        candidates.push(first_items(lookup(&item, last, run)?));
    }
    Ok(Candidates::several(candidates))
}

/// Returns the items that the last name of a path is applied to.
fn before_last(value: &Maybe, names: &[&str], run: &mut Run<'_>) -> Result<ItemLoop> {
    match names {
        [] => Ok(items_of(value.clone())),
        _ => Ok(items_of(walk_steps(value, names, run)?)),
    }
}

/// Returns the member of this name, which a step yields for an item.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
fn lookup(item: &Maybe, name: &str, run: &mut Run<'_>) -> Result<Maybe> {
    run.steps(1)?;
    Ok(collapsed(members::lookup(run, item.as_ref().map(View::from), name)?))
}

/// Returns the member of this name, which a step with `[]` yields for an item.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn lookup_all(item: &Maybe, name: &str, run: &mut Run<'_>) -> Result<Maybe> {
    run.steps(1)?;
    Ok(collapsed(members::lookup(run, item.as_ref().map(View::from), name)?.map(kept)))
}

/// Returns all members of an object, or elements of an array: `*`.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn wildcard(item: &Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    members::members(run, item.as_ref()).map(collapsed)
}

/// Returns a value and all that is inside of it: `**`.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn descendants(item: &Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    members::descendants(run, item.as_ref()).map(collapsed)
}

/// Follows names up to the first array. Returns the value, and the number of names that are left.
#[inline(never)]
fn follow<'v>(value: &'v Value, names: &[&str]) -> Option<(&'v Value, usize)> {
    follow_here(value, names)
}

/// Does what [`follow`] does. Inlined in loops, where comparisons with constant names count.
#[inline(always)]
fn follow_here<'v>(value: &'v Value, names: &[&str]) -> Option<(&'v Value, usize)> {
    let (mut value, mut left) = (value, names.len());
    for name in names {
        value = match value {
            Value::Object(members) => members.get(name)?,
            Value::Array(_) => return Some((value, left)),
            _ => return None,
        };
        left -= 1;
    }
    Some((value, 0))
}

/// Returns the last names, of which so many are left.
fn last<'n, 's>(names: &'n [&'s str], left: usize) -> &'n [&'s str] {
    &names[names.len() - left..]
}

/// Applies names to all items, one name after the other.
fn mapped(items: View<'_>, names: &[&str], ends: bool, run: &mut Run<'_>) -> Result<Maybe> {
    apply(items, names, ends, false, run)
}

/// Applies names of which the last one is followed by `[]`.
fn mapped_all(items: View<'_>, names: &[&str], run: &mut Run<'_>) -> Result<Maybe> {
    apply(items, names, true, true, run)
}

fn apply(items: View<'_>, names: &[&str], ends: bool, keeps_array: bool, run: &mut Run<'_>) -> Result<Maybe> {
    let mut yields: Maybe = None;
    for (at, name) in names.iter().enumerate() {
        let is_last = ends && at + 1 == names.len();
        let mut found = Vec::new();
        let mut add = |item: View<'_>, run: &mut Run<'_>| {
            run.steps(1)?;
            let value = members::lookup(run, Some(item), name)?;
            found.extend(collapsed(if is_last && keeps_array { value.map(kept) } else { value }));
            Ok(())
        };
        match yields.as_ref().map_or(items, View::from) {
            View::Array(elements) => elements.iter().try_for_each(|element| add(element, run))?,
            item => add(item, run)?,
        }
        yields = Some(run.flattened(found, is_last)?);
    }
    Ok(yields)
}
