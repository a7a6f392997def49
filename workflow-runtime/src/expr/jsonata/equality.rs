//! Equality of values, and their order.

use super::error::Result;
use super::item::Item;
use super::run::{Evaluation, JsonataFunction};
use super::view::{ElementsView, MembersView, View};
use crate::budget::STRIDE;
use crate::value::{Str, Value};
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Two arrays or objects of the same length, with the place of the next pair of parts.
enum Pairs<'a> {
    Elements(ElementsView<'a>, ElementsView<'a>, usize),
    Members(MembersView<'a>, MembersView<'a>, usize),
}

/// Returns `true` if two values are equal. The order of members does not matter. NaN equals
/// nothing, and a function equals itself. The steps depend on the values only, and not on what
/// they share.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(crate) fn equal(run: &mut Evaluation, left: &Item, right: &Item) -> Result<bool> {
    let mut open: Vec<Pairs<'_>> = Vec::new();
    let mut next = Some((View::from(left), View::from(right)));
    loop {
        match next {
            Some((View::Array(left), View::Array(right))) if left.len() == right.len() => {
                open.push(Pairs::Elements(left, right, 0));
            }
            Some((View::Object(left), View::Object(right))) if left.len() == right.len() => {
                open.push(Pairs::Members(left, right, 0));
            }
            Some((View::Array(_) | View::Object(_), _)) => return Ok(false),
            Some((left, right)) => {
                if let (View::String(left), View::String(right)) = (left, right) {
                    run.count_text(left.len().min(right.len()))?;
                }
                if !equal_scalars(left, right) {
                    return Ok(false);
                }
            }
            None => {}
        }
        let Some(pairs) = open.last_mut() else { return Ok(true) };
        next = match pairs {
            Pairs::Elements(left, right, at) => {
                let pair = left.get(*at).zip(right.get(*at));
                *at += 1;
                pair
            }
            Pairs::Members(left, right, at) => {
                let member = left.at(*at);
                let place = *at;
                *at += 1;
                match member {
                    None => None,
                    Some((name, value)) => match member_at(run, *right, name, place)? {
                        Some(other) => Some((value, other)),
                        None => return Ok(false),
                    },
                }
            }
        };
        match next {
            Some(_) => run.steps(1)?,
            None => drop(open.pop()),
        }
    }
}

/// Returns the member of a name. Most often it has this place.
fn member_at<'a>(run: &mut Evaluation, members: MembersView<'a>, name: &Str, place: usize) -> Result<Option<View<'a>>> {
    run.count_text(name.len())?;
    if let Some((other, value)) = members.at(place)
        && other == name
    {
        return Ok(Some(value));
    }
    run.steps(members.search_steps())?;
    Ok(members.get(name))
}

/// Returns `true` if two values that are neither arrays nor objects are equal.
pub(super) fn equal_scalars(left: View<'_>, right: View<'_>) -> bool {
    match (left, right) {
        (View::Null, View::Null) => true,
        (View::Bool(left), View::Bool(right)) => left == right,
        (View::String(left), View::String(right)) => left == right,
        (View::Int(_) | View::Float(_), View::Int(_) | View::Float(_)) => {
            compare_numbers(left, right) == Some(Ordering::Equal)
        }
        (View::Function(left), View::Function(right)) => same_function(left, right),
        _ => false,
    }
}

/// Returns a hash of a value. Equal values have equal hashes.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(crate) fn hash(run: &mut Evaluation, item: &Item) -> Result<u64> {
    let mut total = 0_u64;
    // Each part is hashed with its depth and the names and positions on its way. The sum does not
    // depend on the order of members.
    let mut later = vec![(View::from(item), 0_u64)];
    while let Some((view, way)) = later.pop() {
        let mut hasher = DefaultHasher::new();
        way.hash(&mut hasher);
        match view {
            View::Null => 0_u8.hash(&mut hasher),
            View::Bool(value) => value.hash(&mut hasher),
            View::Int(_) | View::Float(_) => {
                // Zero is added because there are two zeros.
                view.number().map(|number| (number + 0.0).to_bits()).hash(&mut hasher);
            }
            View::String(text) => {
                run.steps((text.len() / STRIDE) as u64)?;
                text.hash(&mut hasher);
            }
            View::Function(_) => 1_u8.hash(&mut hasher),
            View::Array(elements) => {
                run.steps(elements.len() as u64)?;
                elements.len().hash(&mut hasher);
                let way = hasher.finish();
                let parts = elements.iter().enumerate();
                later.extend(parts.map(|(at, element)| (element, way.wrapping_mul(31).wrapping_add(at as u64))));
            }
            View::Object(members) => {
                run.steps(members.len() as u64)?;
                members.len().hash(&mut hasher);
                for (name, value) in (0..members.len()).filter_map(|at| members.at(at)) {
                    run.count_text(name.len())?;
                    let mut hasher = hasher.clone();
                    name.hash(&mut hasher);
                    later.push((value, hasher.finish()));
                }
            }
        }
        total = total.wrapping_add(hasher.finish());
    }
    Ok(total)
}

/// Compares two numbers by value, without rounding. Returns nothing if one of them is NaN or no
/// number.
pub(crate) fn compare_numbers(left: View<'_>, right: View<'_>) -> Option<Ordering> {
    match (left, right) {
        (View::Int(left), View::Int(right)) => Some(left.cmp(&right)),
        (View::Int(left), View::Float(right)) if right.is_finite() => {
            Value::Int(left).compare_numbers(&Value::Float(right))
        }
        (View::Float(left), View::Int(right)) if left.is_finite() => {
            Value::Float(left).compare_numbers(&Value::Int(right))
        }
        _ => left.number()?.partial_cmp(&right.number()?),
    }
}

/// Compares two strings by their UTF-16 code units.
pub(crate) fn compare_text(left: &str, right: &str) -> Ordering {
    // Only characters above the basic plane, whose units are surrogates, are out of order.
    let mut characters = left.chars().zip(right.chars());
    match characters.find(|(left, right)| left != right) {
        None => left.len().cmp(&right.len()),
        Some((left, right)) => {
            let place = |c: char| {
                let mut units = [0; 2];
                c.encode_utf16(&mut units);
                units
            };
            place(left).cmp(&place(right))
        }
    }
}

fn same_function(left: &Rc<JsonataFunction>, right: &Rc<JsonataFunction>) -> bool {
    match (&**left, &**right) {
        (JsonataFunction::Native(left), JsonataFunction::Native(right)) => left.name == right.name,
        _ => Rc::ptr_eq(left, right),
    }
}
