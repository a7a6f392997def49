//! Arrays and objects of an expression.

use super::{Maybe, Run};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::{Item, List};
use crate::value::{Object, Str, Value};
use std::rc::Rc;

/// The elements of an array.
#[derive(Default)]
pub struct Elements {
    items: Vec<Item>,
}

impl Elements {
    /// Creates an array without elements.
    #[inline]
    pub const fn new() -> Elements {
        Elements { items: Vec::new() }
    }

    /// Adds a value, or the elements of an array.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub fn add(&mut self, value: Maybe, run: &mut Run<'_>) -> Result<()> {
        match value {
            Some(array) if array.is_array() => run.extend(&mut self.items, &array),
            value => self.add_one(value, run),
        }
    }

    /// Adds a value. An array is one element.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    #[inline]
    pub fn add_one(&mut self, value: Maybe, run: &mut Run<'_>) -> Result<()> {
        if let Some(item) = value {
            run.charge(1)?;
            self.items.push(item);
        }
        Ok(())
    }

    /// Returns the array.
    pub fn array(self) -> Maybe {
        Some(convert::array(self.items))
    }

    /// Returns the array as the result of a step, which does not flatten it.
    pub fn constructed(self) -> Maybe {
        Some(Item::List(Rc::new(List { items: self.items, is_constructed: true, ..List::default() })))
    }
}

/// The members of an object.
#[derive(Default)]
pub struct Members {
    members: Vec<(Str, Item)>,
}

impl Members {
    /// Creates an object without members.
    #[inline]
    pub const fn new() -> Members {
        Members { members: Vec::new() }
    }

    /// Adds a member with a name that no other one has.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub fn insert(&mut self, key: &Maybe, value: Maybe, run: &mut Run<'_>) -> Result<()> {
        if let (Some(key), Some(value)) = (key.as_ref().and_then(Item::as_text), value) {
            run.charge(1)?;
            self.members.push((key.clone(), value));
        }
        Ok(())
    }

    /// Adds a member with a constant name that no other one has.
    fn set(&mut self, key: &'static str, value: Maybe) {
        if let Some(value) = value {
            self.members.push((Str::from_static(key), value));
        }
    }

    /// Returns the object.
    pub fn object(self) -> Maybe {
        Some(convert::object(self.members))
    }

    /// Returns the object, or nothing if it has no members: `$sift`.
    pub fn object_or_nothing(self) -> Maybe {
        if self.members.is_empty() { None } else { self.object() }
    }
}

/// Returns an object of members with constant, distinct names.
///
/// # Errors
/// Fails if a limit is exceeded.
#[inline]
pub fn object<const N: usize>(members: [(&'static str, Maybe); N], run: &mut Run<'_>) -> Result<Maybe> {
    run.charge(N)?;
    if members.iter().any(|(_, value)| !matches!(value, None | Some(Item::Value(_)))) {
        return Ok(object_of_items(Vec::from(members)));
    }
    let mut json = Vec::with_capacity(N);
    for (key, value) in members {
        if let Some(Item::Value(value)) = value {
            json.push((Str::from_static(key), value));
        }
    }
    Ok(Some(json_object(json)))
}

/// Returns an object of members with distinct names.
fn json_object(members: Vec<(Str, Value)>) -> Item {
    Item::Value(Object::from_distinct(members).into())
}

#[cold]
fn object_of_items(members: Vec<(&'static str, Maybe)>) -> Maybe {
    let mut object = Members::new();
    for (key, value) in members {
        object.set(key, value);
    }
    object.object()
}

/// Returns an array of values and of the elements of arrays.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn elements<const N: usize>(values: [Maybe; N], run: &mut Run<'_>) -> Result<Maybe> {
    let mut array = Elements { items: Vec::with_capacity(N) };
    for value in values {
        array.add(value, run)?;
    }
    Ok(array.array())
}

/// Returns an array of values, each of which is one element.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn list<const N: usize>(values: [Maybe; N], run: &mut Run<'_>) -> Result<Maybe> {
    run.charge(N)?;
    let mut items = Vec::with_capacity(N);
    items.extend(values.into_iter().flatten());
    Ok(Some(convert::array(items)))
}
