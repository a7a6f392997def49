//! The functions that call functions back for the elements of arrays and the members of objects.

use std::cmp::Ordering;

use super::convert;
use super::error::{JsonataError, Result};
use super::function::{JsonataFunction, Native};
use super::item::Item;
use super::merge;
use super::order::{compare, count_texts};
use super::path::Input;
use super::run::Evaluation;
use super::view::{MembersView, View};
use crate::value::{Str, Value};

/// The functions.
pub(super) static NATIVES: &[Native] = &[
    Native { name: "map", signature: "<af>", arity: 2, code: map },
    Native { name: "filter", signature: "<af>", arity: 2, code: filter },
    Native { name: "single", signature: "<af?>", arity: 2, code: single },
    Native { name: "reduce", signature: "<afj?:j>", arity: 3, code: reduce },
    Native { name: "each", signature: "<o-f:a>", arity: 2, code: each },
    Native { name: "sift", signature: "<o-f?:o>", arity: 2, code: sift },
    Native { name: "sort", signature: "<af?:a>", arity: 2, code: sort },
];

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

fn map(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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

fn filter(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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

fn single(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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
            let message = "The $single() function expected exactly 1 matching result.  Instead it matched more.";
            return Err(JsonataError::new("D3138", message));
        }
    }
    match found {
        Some(item) => Ok(Some(item)),
        None => {
            let message = "The $single() function expected exactly 1 matching result.  Instead it matched 0.";
            Err(JsonataError::new("D3139", message))
        }
    }
}

fn reduce(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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

fn each(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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

fn sift(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
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

fn sort(run: &mut Evaluation, args: &[Option<Item>]) -> Result<Option<Item>> {
    let Some((whole, input)) = array(args) else { return Ok(None) };
    let length = input.len();
    if length < 2 {
        return Ok(Some(whole.clone()));
    }
    run.charge(length)?;
    let items: Vec<Item> = (0..length).filter_map(|at| input.get(at)).collect();
    let sorted = match argument(args, 1) {
        Some(_) => {
            let function = function(args, 1)?;
            merge::sorted(&items, &mut |left: &Item, right: &Item| {
                let swaps = run.apply(function, &[Some(left.clone()), Some(right.clone())])?;
                Ok(is_truthy(swaps.as_ref()))
            })?
        }
        None => {
            let is_text = |item: &Item| item.as_text().is_some();
            let is_number = |item: &Item| item.as_number().is_some_and(f64::is_finite);
            if !items.iter().all(is_text) && !items.iter().all(is_number) {
                let message = "The single argument form of the sort function can only be applied to an array of strings \
                               or an array of numbers.  Use the second argument to specify a comparison function";
                return Err(JsonataError::new("D3070", message));
            }
            merge::sorted(&items, &mut |left: &Item, right: &Item| {
                run.steps(1)?;
                count_texts(run, left, right)?;
                Ok(compare(left, right).flatten() == Some(Ordering::Greater))
            })?
        }
    };
    Ok(Some(convert::array(sorted)))
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
