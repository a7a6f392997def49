//! Members of values: by name, all of them, and all that is inside a value.

use super::convert;
use super::error::Result;
use super::item::Item;
use super::run::Evaluation;
use super::view::{ElementsView, View};

/// Returns the member of this name. Of an array, the members of its elements, however deep its
/// arrays are nested.
pub(super) fn lookup(run: &mut Evaluation, view: Option<View<'_>>, name: &str) -> Result<Option<Item>> {
    match view {
        Some(View::Object(members)) => Ok(members.value(name)),
        Some(View::Array(elements)) => {
            let mut found = Vec::new();
            gather(run, elements, name, &mut found)?;
            Ok(Some(convert::sequence(found)))
        }
        _ => Ok(None),
    }
}

/// Adds the members of this name of all elements.
fn gather(run: &mut Evaluation, elements: ElementsView<'_>, name: &str, found: &mut Vec<Item>) -> Result<()> {
    let mut open = vec![(elements, 0)];
    while let Some((elements, at)) = open.last_mut() {
        let Some(element) = elements.get(*at) else {
            open.pop();
            continue;
        };
        *at += 1;
        run.steps(1)?;
        match element {
            View::Array(inner) => open.push((inner, 0)),
            View::Object(members) => match members.value(name) {
                None => {}
                Some(value) if value.is_array() => run.extend(found, &value)?,
                Some(value) => {
                    run.charge(1)?;
                    found.push(value);
                }
            },
            _ => {}
        }
    }
    Ok(())
}

/// Returns all members of an object or elements of an array. Arrays among them are flattened.
pub(super) fn members(run: &mut Evaluation, item: Option<&Item>) -> Result<Option<Item>> {
    let parts: Vec<Item> = match item.map(View::from) {
        Some(View::Object(members)) => {
            run.charge(members.len())?;
            members.items().map(|(_, value)| value).collect()
        }
        Some(View::Array(elements)) => {
            run.charge(elements.len())?;
            elements.items().collect()
        }
        _ => return Ok(Some(convert::sequence(Vec::new()))),
    };
    if !parts.iter().any(Item::is_array) {
        return Ok(Some(convert::sequence(parts)));
    }
    // A result with an array in it is not a sequence: its only element does not stand for it.
    let mut flat = Vec::with_capacity(parts.len());
    for part in &parts {
        flatten(run, part, &mut flat)?;
    }
    Ok(Some(convert::array(flat)))
}

/// Adds a value, or the values inside of an array, however deep its arrays are nested.
fn flatten(run: &mut Evaluation, item: &Item, flat: &mut Vec<Item>) -> Result<()> {
    let View::Array(elements) = View::from(item) else {
        flat.push(item.clone());
        return Ok(());
    };
    let mut open = vec![(elements, 0)];
    while let Some((elements, at)) = open.last_mut() {
        let (elements, place) = (*elements, *at);
        *at += 1;
        match elements.get(place) {
            None => drop(open.pop()),
            Some(View::Array(inner)) => open.push((inner, 0)),
            Some(_) => {
                run.charge(1)?;
                flat.extend(elements.item(place));
            }
        }
    }
    Ok(())
}

/// Returns the value and all that is inside of it. Arrays are left out, their elements are not.
pub(super) fn descendants(run: &mut Evaluation, item: Option<&Item>) -> Result<Option<Item>> {
    let Some(item) = item else { return Ok(None) };
    let mut found = Vec::new();
    let mut later = vec![item.clone()];
    while let Some(item) = later.pop() {
        run.charge(1)?;
        let start = later.len();
        match View::from(&item) {
            View::Array(elements) => later.extend(elements.items()),
            View::Object(members) => later.extend(members.items().map(|(_, value)| value)),
            _ => {}
        }
        // The list is worked off from its end.
        later[start..].reverse();
        if !item.is_array() {
            found.push(item);
        }
    }
    // A single value is no sequence, which `[]` would keep.
    Ok(if found.len() == 1 { found.pop() } else { Some(convert::sequence(found)) })
}
