//! The functions that call functions back for the elements of arrays and the members of objects.

use std::cmp::Ordering;

use super::convert;
use super::error::{JsonataError, Result};
use super::function::JsonataFunction;
use super::item::Item;
use super::merge;
use super::order::{compare, count_texts};
use super::path::{Input, elements};
use super::run::Evaluation;
use super::view::{MembersView, View};
use crate::value::{Str, Value};

/// Calls a function back with a value, its place and the whole, as far as it takes these.
fn call_back(
    run: &mut Evaluation,
    function: &JsonataFunction,
    value: Item,
    place: Item,
    whole: &Item,
) -> Result<Option<Item>> {
    let arity = function.arity();
    let mut args = vec![Some(value)];
    if arity >= 2 {
        args.push(Some(place));
    }
    if arity >= 3 {
        args.push(Some(whole.clone()));
    }
    run.apply(function, &args)
}

/// Returns the argument at a place.
fn argument(args: &[Option<Item>], place: usize) -> Option<&Item> {
    args.get(place)?.as_ref()
}

/// Returns the function at a place.
fn function(args: &[Option<Item>], place: usize) -> Result<&JsonataFunction> {
    let function = argument(args, place).and_then(Item::as_function);
    function.map(|function| &**function).ok_or_else(|| JsonataError::new("T1006", "Attempted to invoke a non-function"))
}

/// Returns the elements of the first argument, if there is one.
fn array(args: &[Option<Item>]) -> Option<(&Item, Input)> {
    let array = argument(args, 0)?;
    Some((array, Input::of(Some(array.clone()))))
}

/// Calls `$map`.
pub(super) fn map(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some((whole, input)) = array(args) else { return Ok(None) };
    let function = function(args, 1)?;
    let mut results = Vec::new();
    for at in 0..input.len() {
        let Some(item) = input.get(at) else { continue };
        if let Some(result) = call_back(run, function, item, Item::Value(at.into()), whole)? {
            run.charge(1)?;
            results.push(result);
        }
    }
    run.fits(results.len())?;
    Ok(Some(convert::sequence(results)))
}

/// Calls `$filter`.
pub(super) fn filter(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some((whole, input)) = array(args) else { return Ok(None) };
    let function = function(args, 1)?;
    let mut results = Vec::new();
    for at in 0..input.len() {
        let Some(item) = input.get(at) else { continue };
        let verdict = call_back(run, function, item.clone(), Item::Value(at.into()), whole)?;
        if run.truth(verdict.as_ref())? {
            run.charge(1)?;
            results.push(item);
        }
    }
    Ok(Some(convert::sequence(results)))
}

/// Calls `$single`.
pub(super) fn single(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some((whole, input)) = array(args) else { return Ok(None) };
    let has_function = argument(args, 1).is_some();
    let mut found = None;
    for at in 0..input.len() {
        let Some(item) = input.get(at) else { continue };
        if has_function {
            let verdict = call_back(run, function(args, 1)?, item.clone(), Item::Value(at.into()), whole)?;
            if !run.truth(verdict.as_ref())? {
                continue;
            }
        }
        if found.replace(item).is_some() {
            return Err(several_matches());
        }
    }
    found.map(Some).ok_or_else(no_match)
}

/// Returns the error of `$single` for several items.
pub(super) fn several_matches() -> JsonataError {
    let message = "The $single() function expected exactly 1 matching result.  Instead it matched more.";
    JsonataError::new("D3138", message)
}

/// Returns the error of `$single` for no item.
pub(super) fn no_match() -> JsonataError {
    let message = "The $single() function expected exactly 1 matching result.  Instead it matched 0.";
    JsonataError::new("D3139", message)
}

/// Calls `$reduce`.
pub(super) fn reduce(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some((whole, input)) = array(args) else { return Ok(None) };
    let function = function(args, 1)?;
    let arity = function.arity();
    if arity < 2 {
        let message = "The second argument of reduce function must be a function with at least two arguments";
        return Err(JsonataError::new("D3050", message));
    }
    let initial = argument(args, 2).cloned();
    let (mut result, from) = match initial {
        None if input.len() > 0 => (input.get(0), 1),
        initial => (initial, 0),
    };
    for at in from..input.len() {
        let mut args = vec![result, input.get(at)];
        if arity >= 3 {
            args.push(Some(Item::Value(at.into())));
        }
        if arity >= 4 {
            args.push(Some(whole.clone()));
        }
        result = run.apply(function, &args)?;
    }
    Ok(result)
}

/// Returns the members of the first argument, if it is an object.
fn members(args: &[Option<Item>]) -> Option<(&Item, MembersView<'_>)> {
    let object = argument(args, 0)?;
    match View::from(object) {
        View::Object(members) => Some((object, members)),
        _ => None,
    }
}

/// Calls `$each`.
pub(super) fn each(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let function = function(args, 1)?;
    let mut results = Vec::new();
    if let Some((whole, members)) = members(args) {
        for (name, value) in members.items() {
            if let Some(result) = call_back(run, function, value, convert::text(name), whole)? {
                run.charge(1)?;
                results.push(result);
            }
        }
    }
    Ok(Some(convert::sequence(results)))
}

/// Calls `$sift`.
pub(super) fn sift(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let mut kept: Vec<(Str, Item)> = Vec::new();
    if let Some((whole, members)) = members(args) {
        let function = function(args, 1)?;
        for (name, value) in members.items() {
            let verdict = call_back(run, function, value.clone(), convert::text(name.clone()), whole)?;
            if run.truth(verdict.as_ref())? {
                run.charge(1)?;
                kept.push((name, value));
            }
        }
    }
    Ok(if kept.is_empty() { None } else { Some(convert::object(kept)) })
}

/// Calls `$sort`.
pub(super) fn sort(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some(whole) = argument(args, 0) else { return Ok(None) };
    if argument(args, 1).is_some() && elements(whole).is_some_and(|items| items.len() > 1) {
        let function = function(args, 1)?;
        return sorted_by(run, whole.clone(), &mut |run: &mut Evaluation, left: &Item, right: &Item| {
            run.apply(function, &[Some(left.clone()), Some(right.clone())])
        })
        .map(Some);
    }
    let Some(items) = several(run, whole)? else { return Ok(Some(whole.clone())) };
    let is_text = |item: &Item| item.as_text().is_some();
    let is_number = |item: &Item| item.as_number().is_some_and(f64::is_finite);
    if !items.iter().all(is_text) && !items.iter().all(is_number) {
        let message = "The single argument form of the sort function can only be applied to an array of strings or an \
                       array of numbers.  Use the second argument to specify a comparison function";
        return Err(JsonataError::new("D3070", message));
    }
    let sorted = merge::sorted(&items, &mut |left: &Item, right: &Item| {
        run.steps(1)?;
        count_texts(run, left, right)?;
        Ok(compare(left, right).flatten() == Some(Ordering::Greater))
    })?;
    Ok(Some(convert::array(sorted)))
}

/// Returns the elements of an array that has more than one.
fn several(run: &mut Evaluation, whole: &Item) -> Result<Option<Vec<Item>>> {
    let Some(elements) = elements(whole).filter(|elements| elements.len() > 1) else { return Ok(None) };
    run.charge(elements.len())?;
    Ok(Some(elements.items().collect()))
}

/// Sorts an array by a function of two elements, whose result is true if the first one comes
/// after the second one.
///
/// # Errors
/// Fails if the function fails, and if a limit is exceeded.
pub(super) fn sorted_by<F>(run: &mut Evaluation, whole: Item, swaps: &mut F) -> Result<Item>
where
    F: FnMut(&mut Evaluation, &Item, &Item) -> Result<Option<Item>>,
{
    let Some(items) = several(run, &whole)? else { return Ok(whole) };
    let sorted =
        merge::sorted(&items, &mut |left: &Item, right: &Item| Ok(is_truthy(swaps(run, left, right)?.as_ref())))?;
    Ok(convert::array(sorted))
}

/// Returns the truth of the result of a comparison, as JavaScript has it: an empty array is true.
fn is_truthy(value: Option<&Item>) -> bool {
    match value {
        None => false,
        Some(Item::Value(Value::Null)) => false,
        Some(Item::Value(Value::Bool(value))) => *value,
        Some(Item::Value(Value::String(text))) => !text.is_empty(),
        Some(item) => item.as_number().is_none_or(|number| number != 0.0 && !number.is_nan()),
    }
}
