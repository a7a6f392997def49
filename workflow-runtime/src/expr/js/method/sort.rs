//! Sorting (ECMA-262 §23.1.3.30): stable, undefined last, safe for any comparison function.

use std::cmp::Ordering;

use super::super::budget::{ELEMENT, walk_on};
use super::super::call::{argument, as_function};
use super::super::members::Slot;
use super::super::object::Function;
use super::super::property::check_frozen;
use super::super::{Js, Result, Run, coerce, error, literal, text};
use super::array::this_array;
use crate::expr::sort::merge_sort;
use crate::value::Str;

pub(super) fn sort(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let function = comparator(arguments)?;
    let object = this_array(this)?;
    check_frozen(object, "0")?;
    let sorted = sorted(run, object.items(), function)?;
    object.edit(|items| *items = sorted.into_iter().map(Slot::Js).collect());
    Ok(this.clone())
}

pub(super) fn to_sorted(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let function = comparator(arguments)?;
    Ok(literal::array_of(sorted(run, this_array(this)?.items(), function)?))
}

fn comparator(arguments: &[Js]) -> Result<Option<Function>> {
    match argument(arguments, 0) {
        Js::Undefined => Ok(None),
        value => match as_function(&value) {
            Some(function) => Ok(Some(function)),
            None => Err(error::type_error("The comparison function must be either a function or undefined")),
        },
    }
}

fn sorted(run: &Run, items: Vec<Js>, function: Option<Function>) -> Result<Vec<Js>> {
    let length = items.len();
    let defined: Vec<Js> = items.into_iter().filter(|item| !matches!(item, Js::Undefined)).collect();
    let mut sorted = match function {
        Some(function) => merge_sort(defined, &mut |left: &Js, right: &Js| {
            let arguments = [left.clone(), right.clone()];
            let result = coerce::number(&run.nested(|| (function.call)(run, &Js::Undefined, &arguments))?)?;
            Ok(result.partial_cmp(&0.0).unwrap_or(Ordering::Equal))
        })?,
        None => by_text(defined)?,
    };
    sorted.resize(length, Js::Undefined);
    Ok(sorted)
}

fn by_text(items: Vec<Js>) -> Result<Vec<Js>> {
    let mut keyed: Vec<(Str, Js)> = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((coerce::string(&item)?, item));
    }
    // Counted in advance, because a comparison cannot stop the sort.
    let length: usize = keyed.iter().map(|(key, _)| ELEMENT + key.len()).sum();
    walk_on(length.saturating_mul(keyed.len().max(1).ilog2() as usize))?;
    keyed.sort_by(|(left, _), (right, _)| text::compare(left, right));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}
