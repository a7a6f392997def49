//! `Array.prototype` (ECMA-262 §23.1.3): the table, and methods that visit all elements.
//!
//! Arrays have no holes. Iterators of keys and entries are arrays.

use super::super::budget::{ELEMENT, charge, deeper, walk_on};
use super::super::call::{argument, as_function, callback};
use super::super::members::Slot;
use super::super::object::{Function, Obj};
use super::super::{Js, Result, Run, coerce, error, literal, text};
use super::{Method, array_edit as edit, array_search as search, sort};
use crate::value::Str;

pub(super) static METHODS: &[Method] = super::methods! {
    "at" 1 search::at,
    "concat" 1 concat,
    "copyWithin" 2 edit::copy_within,
    "entries" 0 entries,
    "every" 1 search::every,
    "fill" 1 edit::fill,
    "filter" 1 filter,
    "find" 1 search::find,
    "findIndex" 1 search::find_index,
    "findLast" 1 search::find_last,
    "findLastIndex" 1 search::find_last_index,
    "flat" 0 flat,
    "flatMap" 1 flat_map,
    "forEach" 1 for_each,
    "includes" 1 search::includes,
    "indexOf" 1 search::index_of,
    "join" 1 join,
    "keys" 0 keys,
    "lastIndexOf" 1 search::last_index_of,
    "map" 1 map,
    "pop" 0 edit::pop,
    "push" 1 edit::push,
    "reduce" 1 reduce,
    "reduceRight" 1 reduce_right,
    "reverse" 0 edit::reverse,
    "shift" 0 edit::shift,
    "slice" 2 slice,
    "some" 1 search::some,
    "sort" 1 sort::sort,
    "splice" 2 edit::splice,
    "toReversed" 0 edit::to_reversed,
    "toSorted" 1 sort::to_sorted,
    "toSpliced" 2 edit::to_spliced,
    "toString" 0 to_string,
    "unshift" 1 edit::unshift,
    "values" 0 values,
    "with" 2 edit::with,
};

/// Returns the array that a method was called on.
pub(super) fn this_array(this: &Js) -> Result<&Obj> {
    match this {
        Js::Object(object) if object.is_array() => Ok(object),
        _ => Err(error::type_error("this is not an array")),
    }
}

/// A function that a method calls with each element.
pub(super) struct Callback<'a> {
    run: &'a Run,
    function: Option<Function>,
    this: Js,
    array: &'a Js,
    pub(super) items: &'a Obj,
}

impl<'a> Callback<'a> {
    pub(super) fn new(run: &'a Run, array: &'a Js, arguments: &[Js]) -> Result<Callback<'a>> {
        let items = this_array(array)?;
        let function = as_function(&callback(arguments, 0)?);
        Ok(Callback { run, function, this: argument(arguments, 1), array, items })
    }

    pub(super) fn item(&self, position: usize) -> Js {
        self.items.item(position).unwrap_or_default()
    }

    /// Returns the result of the function for an element.
    pub(super) fn of(&self, position: usize, item: &Js) -> Result {
        self.call(&[item.clone(), Js::Number(position as f64), self.array.clone()])
    }

    fn call(&self, arguments: &[Js]) -> Result {
        match &self.function {
            Some(function) => self.run.nested(|| (function.call)(self.run, &self.this, arguments)),
            None => Ok(Js::Undefined),
        }
    }
}

fn for_each(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let callback = Callback::new(run, this, arguments)?;
    for at in 0..callback.items.len() {
        // Elements that were removed meanwhile are not visited. No element is a hole.
        if let Some(item) = callback.items.item(at) {
            callback.of(at, &item)?;
        }
    }
    Ok(Js::Undefined)
}

fn map(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let callback = Callback::new(run, this, arguments)?;
    let length = callback.items.len();
    let mut mapped = Vec::with_capacity(length);
    for at in 0..length {
        mapped.push(match callback.items.item(at) {
            Some(item) => callback.of(at, &item)?,
            None => Js::Undefined,
        });
    }
    Ok(literal::array_of(mapped))
}

fn filter(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let callback = Callback::new(run, this, arguments)?;
    let mut kept = Vec::new();
    for at in 0..callback.items.len() {
        if let Some(item) = callback.items.item(at)
            && coerce::truthy(&callback.of(at, &item)?)
        {
            kept.push(item);
        }
    }
    Ok(literal::array_of(kept))
}

fn flat_map(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let callback = Callback::new(run, this, arguments)?;
    let mut flattened = Vec::new();
    for at in 0..callback.items.len() {
        let Some(item) = callback.items.item(at) else { continue };
        match callback.of(at, &item)? {
            Js::Object(object) if object.is_array() => flattened.extend(object.items()),
            other => flattened.push(other),
        }
    }
    Ok(literal::array_of(flattened))
}

fn reduce(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let length = this_array(this)?.len();
    fold(run, this, arguments, 0..length)
}

fn reduce_right(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let length = this_array(this)?.len();
    fold(run, this, arguments, (0..length).rev())
}

fn fold(run: &Run, this: &Js, arguments: &[Js], mut positions: impl Iterator<Item = usize>) -> Result {
    let mut callback = Callback::new(run, this, arguments)?;
    callback.this = Js::Undefined;
    let mut folded = match arguments.get(1) {
        Some(initial) => initial.clone(),
        None => match positions.next() {
            Some(first) => callback.item(first),
            None => return Err(error::type_error("Reduce of empty array with no initial value")),
        },
    };
    for at in positions {
        if let Some(item) = callback.items.item(at) {
            folded = callback.call(&[folded, item, Js::Number(at as f64), this.clone()])?;
        }
    }
    Ok(folded)
}

fn concat(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let mut concatenated = this_array(this)?.item_copies();
    for argument in arguments {
        run.tick()?;
        match argument {
            Js::Object(object) if object.is_array() => {
                // Counted in advance, because the arguments can be one long array many times.
                charge(size_of::<Slot>().saturating_mul(object.len()))?;
                concatenated.extend(object.item_copies());
            }
            other => concatenated.push(Slot::Js(other.clone())),
        }
    }
    Ok(Js::Object(Obj::of_items(concatenated)))
}

fn slice(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = this_array(this)?;
    let length = object.len();
    let start = coerce::position(arguments.first(), length, 0)?;
    let end = coerce::position(arguments.get(1), length, length)?;
    let mut items = object.item_copies();
    items.truncate(end);
    Ok(Js::Object(Obj::of_items(items.split_off(start.min(items.len())))))
}

/// Implements `flat` (§23.1.3.13). Nested levels are kept in a list.
fn flat(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    let depth = match arguments.first() {
        None | Some(Js::Undefined) => 1.0,
        Some(depth) => coerce::integer(depth)?,
    };
    let mut flattened = Vec::new();
    let mut open = vec![this_array(this)?.items().into_iter()];
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            None => {
                open.pop();
            }
            Some(Js::Object(object)) if object.is_array() && open.len() as f64 <= depth => {
                run.tick()?;
                open.push(object.items().into_iter());
            }
            Some(item) => flattened.push(item),
        }
    }
    Ok(literal::array_of(flattened))
}

fn keys(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(literal::array_of((0..this_array(this)?.len()).map(|at| Js::Number(at as f64)).collect()))
}

fn values(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(literal::array_of(this_array(this)?.items()))
}

fn entries(_: &Run, this: &Js, _: &[Js]) -> Result {
    let items = this_array(this)?.items().into_iter().enumerate();
    Ok(literal::array_of(items.map(|(at, item)| literal::array([Js::Number(at as f64), item])).collect()))
}

fn join(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = this_array(this)?;
    let separator = match arguments.first() {
        None | Some(Js::Undefined) => Str::from_static(","),
        Some(separator) => coerce::string(separator)?,
    };
    Ok(Js::String(deeper(|| joined(object, &separator))?))
}

fn to_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(Js::String(coerce::string(this)?))
}

/// Joins the elements as text (§23.1.3.18).
pub(in crate::expr::js) fn joined(object: &Obj, separator: &str) -> Result<Str> {
    let mut out = String::new();
    for at in 0..object.len() {
        walk_on(ELEMENT)?;
        let item = object.item(at).unwrap_or_default();
        let part = if item.is_nullish() { Str::default() } else { coerce::string(&item)? };
        if at > 0 {
            text::reserve(separator.len())?;
            out.push_str(separator);
        }
        text::reserve(part.len())?;
        out.push_str(&part);
    }
    if out.len() > text::MAX_LENGTH {
        return Err(error::range_error("Invalid string length"));
    }
    Ok(out.into())
}
