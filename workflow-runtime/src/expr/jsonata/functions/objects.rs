//! Functions of objects.

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::{ElementsView, MembersView, View};
use crate::value::{Object, Str};
use std::collections::HashMap;
use std::collections::HashSet;

/// The number of members for which a merged object has room from the start, besides those of the
/// first object.
const ADDED: usize = 4;

/// Calls a function for each object in a value: for the value itself, or for those in the arrays
/// that are nested in it, in their order.
fn for_each_object<'a>(
    run: &mut Evaluation,
    view: View<'a>,
    mut visit: impl FnMut(&mut Evaluation, MembersView<'a>) -> Result<()>,
) -> Result<()> {
    let mut open = Vec::new();
    let mut next = view;
    loop {
        match next {
            View::Array(elements) => {
                run.steps(elements.len() as u64)?;
                open.push((elements, 0));
            }
            View::Object(members) => visit(run, members)?,
            _ => {}
        }
        next = loop {
            let Some((elements, at)) = open.last_mut() else { return Ok(()) };
            if let Some(element) = elements.get(*at) {
                *at += 1;
                break element;
            }
            open.pop();
        };
    }
}

/// Implements `$keys`: the names of the members, of all objects in an array without repetition.
pub(super) fn keys(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    if let Some(item) = args::item(args, 0) {
        for_each_object(run, item.into(), |run, members| {
            run.charge(members.len())?;
            for at in 0..members.len() {
                if let Some((name, _)) = members.at(at)
                    && seen.insert(name.clone())
                {
                    names.push(convert::text(name.clone()));
                }
            }
            Ok(())
        })?;
    }
    Ok(Some(convert::sequence(names)))
}

/// Implements `$lookup`: the member of this name, or those of all objects in an array.
pub(super) fn lookup(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(item), Some(name)) = (args::item(args, 0), args::text(args, 1)) else { return Ok(None) };
    let view = View::from(item);
    match view {
        View::Object(members) => {
            run.steps(members.search_steps())?;
            Ok(members.value(name))
        }
        View::Array(_) => {
            let mut found = Vec::new();
            for_each_object(run, view, |run, members| {
                run.steps(members.search_steps())?;
                let Some(value) = members.value(name) else { return Ok(()) };
                match View::from(&value) {
                    View::Array(elements) => {
                        run.charge(elements.len())?;
                        found.extend(elements.items());
                    }
                    _ => found.push(value),
                }
                Ok(())
            })?;
            Ok(Some(convert::sequence(found)))
        }
        _ => Ok(None),
    }
}

/// Implements `$spread`: an object for each member.
pub(super) fn spread(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    let view = View::from(item);
    match view {
        View::Object(members) => {
            limits::charge_elements(run, (members.len() as u64).saturating_mul(2))?;
            Ok(Some(convert::sequence(singles(members).collect())))
        }
        // An array of which nothing is left is a sequence.
        View::Array(elements) if elements.len() == 0 => Ok(Some(convert::sequence(Vec::new()))),
        View::Array(_) => {
            let mut parts = Vec::new();
            spread_array(run, view, &mut parts)?;
            Ok(Some(convert::array(parts)))
        }
        _ => Ok(Some(item.clone())),
    }
}

/// Adds an object for each member of the objects in nested arrays, and other elements as they
/// are.
fn spread_array(run: &mut Evaluation, view: View<'_>, parts: &mut Vec<Item>) -> Result<()> {
    let View::Array(elements) = view else { return Ok(()) };
    let mut open = vec![(elements, 0)];
    while let Some((elements, at)) = open.last_mut() {
        let (place, elements) = (*at, *elements);
        *at += 1;
        run.steps(1)?;
        match elements.get(place) {
            None => {
                open.pop();
            }
            Some(View::Array(inner)) => open.push((inner, 0)),
            Some(View::Object(members)) => {
                limits::charge_elements(run, (members.len() as u64).saturating_mul(2))?;
                parts.extend(singles(members));
            }
            Some(_) => parts.extend(elements.item(place)),
        }
    }
    Ok(())
}

fn singles(members: MembersView<'_>) -> impl Iterator<Item = Item> {
    members.items().map(|member| convert::object(vec![member]))
}

/// Implements `$merge`: the members of all objects, where the last one of a name counts.
pub(super) fn merge(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(elements) = args::elements(args, 0) else { return Ok(None) };
    run.steps(elements.len() as u64)?;
    if elements.iter().all(is_json) {
        return merge_json(run, elements).map(|object| Some(Item::Value(object.into())));
    }
    let mut merged: Vec<(Str, Item)> = Vec::new();
    let mut places: HashMap<Str, usize> = HashMap::new();
    for view in elements.iter() {
        let View::Object(members) = view else { continue };
        run.charge(members.len())?;
        for (name, item) in members.items() {
            match places.get(&name) {
                Some(place) => merged[*place].1 = item,
                None => {
                    places.insert(name.clone(), merged.len());
                    merged.push((name, item));
                }
            }
        }
    }
    Ok(Some(convert::object(merged)))
}

/// Returns `true` for an object without functions, and for what is no object.
fn is_json(view: View<'_>) -> bool {
    !matches!(view, View::Object(MembersView::Items(_)))
}

/// Merges objects without functions.
fn merge_json(run: &mut Evaluation, elements: ElementsView<'_>) -> Result<Object> {
    let mut objects = elements.iter().filter_map(|view| match view {
        View::Object(MembersView::Values(members)) => Some(members),
        _ => None,
    });
    let Some(first) = objects.next() else { return Ok(Object::new()) };
    run.charge(first.len())?;
    let mut members = Vec::with_capacity(first.len() + ADDED);
    members.extend(first.iter().map(|(name, value)| (name.clone(), value.clone())));
    let mut merged = Object::from_distinct(members);
    for members in objects {
        run.charge(members.len())?;
        for (name, value) in members {
            merged.insert(name, value);
        }
    }
    Ok(merged)
}

/// Implements `$clone`: a copy in which the empty string stands for each function.
pub(super) fn clone(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    convert::without_functions(run, item).map(|value| Some(Item::Value(value)))
}
