//! Functions of arrays.

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::equality::{self, equal};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::{Item, List};
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::View;
use std::collections::HashMap;
use std::rc::Rc;

/// Implements `$count`.
pub(super) fn count(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let count = args::elements(args, 0).map_or(0, |elements| elements.len());
    // The number of elements is far below 2^53.
    Ok(Some(convert::number(count as f64)))
}

/// Implements `$append`.
pub(super) fn append(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(first), Some(second)) = (args::item(args, 0), args::item(args, 1)) else {
        return Ok(args::item(args, 0).or(args::item(args, 1)).cloned());
    };
    let length = |item: &Item| match item.into() {
        View::Array(elements) => elements.len() as u64,
        _ => 1,
    };
    let mut all = Vec::with_capacity(limits::charge_elements(run, length(first) + length(second))?);
    for item in [first, second] {
        match item.into() {
            View::Array(elements) => all.extend(elements.items()),
            _ => all.push(item.clone()),
        }
    }
    Ok(Some(convert::array(all)))
}

/// Implements `$reverse`.
pub(super) fn reverse(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(elements) = args::elements(args, 0) else { return Ok(None) };
    if elements.len() <= 1 {
        return Ok(args::item(args, 0).cloned());
    }
    run.charge(elements.len())?;
    Ok(Some(convert::array(elements.items().rev().collect())))
}

/// Implements `$shuffle`.
pub(super) fn shuffle(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(elements) = args::elements(args, 0) else { return Ok(None) };
    if elements.len() <= 1 {
        return Ok(args::item(args, 0).cloned());
    }
    run.charge(elements.len())?;
    let mut shuffled: Vec<Item> = Vec::with_capacity(elements.len());
    for (at, item) in elements.items().enumerate() {
        // A whole number of at most `at`.
        let place = ((run.random() * (at as f64 + 1.0)) as usize).min(at);
        shuffled.push(item);
        shuffled.swap(place, at);
    }
    Ok(Some(convert::array(shuffled)))
}

/// Implements `$zip`: the first elements of all arrays, the second ones, and so on.
pub(super) fn zip(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let arrays: Vec<_> = (0..args.len()).map(|at| args::elements(args, at)).collect();
    let shortest = arrays.iter().map(|array| array.map_or(0, |array| array.len())).min().unwrap_or(0);
    limits::charge_elements(run, (shortest as u64).saturating_mul(args.len() as u64 + 1))?;
    let tuple = |at| convert::array(arrays.iter().flatten().filter_map(|array| array.item(at)).collect());
    Ok(Some(convert::array((0..shortest).map(tuple).collect())))
}

/// Implements `$distinct`: the first of equal elements stays.
pub(super) fn distinct(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    let View::Array(elements) = item.into() else { return Ok(Some(item.clone())) };
    if elements.len() <= 1 {
        return Ok(Some(item.clone()));
    }
    run.charge(elements.len())?;
    let mut kept: Vec<Item> = Vec::new();
    // The places of the elements with the same hash. Equal elements have equal hashes.
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for element in elements.items() {
        let alike = places.entry(equality::hash(run, &element)?).or_default();
        let mut is_new = true;
        for place in alike.iter() {
            run.steps(1)?;
            if equal(run, &element, &kept[*place])? {
                is_new = false;
                break;
            }
        }
        if is_new {
            alike.push(kept.len());
            kept.push(element);
        }
    }
    let is_sequence = matches!(item, Item::List(list) if list.is_sequence);
    Ok(Some(if is_sequence { convert::sequence(kept) } else { convert::array(kept) }))
}

/// Implements `$partition`: arrays of as many elements as the second argument says.
pub(super) fn partition(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    let View::Array(elements) = item.into() else {
        let text = "Argument 1 of function \"partition\" must be an array of undefined";
        return Err(JsonataError::new("T0412", text));
    };
    let Some(size) = args::number(args, 1) else { return Ok(Some(constructed(vec![item.clone()]))) };
    let size = size.trunc();
    if size < 0.0 {
        return Err(JsonataError::new("D3137", "Second argument must be zero or greater"));
    }
    // The cast saturates, and turns NaN into zero.
    let size = size as usize;
    if size == 0 || elements.len() == 0 {
        return Ok(None);
    }
    run.charge(elements.len().saturating_mul(2))?;
    let part = |start: usize| {
        let end = start.saturating_add(size).min(elements.len());
        convert::array((start..end).filter_map(|at| elements.item(at)).collect())
    };
    Ok(Some(constructed((0..elements.len()).step_by(size).map(part).collect())))
}

/// Returns an array that stays one array in a path.
fn constructed(items: Vec<Item>) -> Item {
    Item::List(Rc::new(List { items, is_constructed: true, ..List::default() }))
}

/// Implements `$range`: whole numbers from the first argument to the second one in steps of the
/// third.
pub(super) fn range(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let whole = |at| {
        let item = args::item(args, at)?;
        match item.into() {
            View::Int(value) => Some(value),
            // The cast saturates, cuts a fraction, and turns NaN into zero.
            View::Float(value) => Some(value as i64),
            _ => None,
        }
    };
    let (Some(from), Some(to), Some(step)) = (whole(0), whole(1), whole(2)) else { return Ok(None) };
    let distance = i128::from(to) - i128::from(from);
    if step == 0 || (distance != 0 && (distance > 0) != (step > 0)) {
        return Ok(None);
    }
    let count = u64::try_from(distance / i128::from(step) + 1).unwrap_or(u64::MAX);
    let mut numbers = Vec::with_capacity(limits::charge_elements(run, count)?);
    let mut next = Some(from);
    for _ in 0..count {
        let Some(number) = next else { break };
        numbers.push(Item::Value(number.into()));
        next = number.checked_add(step);
    }
    Ok(Some(convert::sequence(numbers)))
}
