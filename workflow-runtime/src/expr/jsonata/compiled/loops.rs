//! Loops over the items of values.

use std::iter::Enumerate;
use std::rc::Rc;
use std::sync::Arc;
use std::{mem, vec};

use super::Maybe;
use crate::expr::jsonata::item::{Item, List};
use crate::expr::jsonata::path::elements;
use crate::value::{Array, Value};

/// The items of a value, one after the other.
pub struct ItemLoop(Source);

/// The source of items.
enum Source {
    /// The elements of an array that is shared, from a position on.
    Array(Arc<Array>, usize),
    /// The elements of a list that is shared, from a position on.
    List(Rc<List>, usize),
    /// Items that nothing else holds.
    Owned(vec::IntoIter<Item>),
    /// One value, or nothing as the only item.
    One(Option<Maybe>),
}

impl ItemLoop {
    /// Returns the items of an array, or the value alone.
    #[inline]
    pub(super) fn of(value: Maybe) -> ItemLoop {
        ItemLoop(match value {
            Some(Item::Value(Value::Array(array))) => Source::Array(array, 0),
            Some(Item::List(mut list)) => match Rc::get_mut(&mut list) {
                Some(own) => Source::Owned(mem::take(&mut own.items).into_iter()),
                None => Source::List(list, 0),
            },
            value => Source::One(Some(value)),
        })
    }
}

impl Iterator for ItemLoop {
    type Item = Maybe;

    #[inline]
    fn next(&mut self) -> Option<Maybe> {
        if let Source::Array(array, at) = &mut self.0 {
            let item = array.get(*at)?.clone();
            *at += 1;
            return Some(Some(Item::Value(item)));
        }
        self.other()
    }
}

impl ItemLoop {
    /// Returns the next item of another source than a shared array.
    #[inline(never)]
    fn other(&mut self) -> Option<Maybe> {
        match &mut self.0 {
            Source::Array(..) => None,
            Source::List(list, at) => {
                let item = list.items.get(*at)?.clone();
                *at += 1;
                Some(Some(item))
            }
            Source::Owned(items) => items.next().map(Some),
            Source::One(value) => value.take(),
        }
    }
}

/// Returns the items that a step after the first one is applied to: the elements of an array, or
/// the value alone.
#[inline]
pub fn items_of(value: Maybe) -> ItemLoop {
    if value.is_none() { ItemLoop(Source::One(None)) } else { ItemLoop::of(value) }
}

/// Returns the items that the first step of a path, or a predicate, is applied to. Nothing is an
/// item, too.
#[inline]
pub fn first_items(value: Maybe) -> ItemLoop {
    ItemLoop::of(value)
}

/// Returns the items of [`first_items`] with their positions.
#[inline]
pub fn entries(value: Maybe) -> Enumerate<ItemLoop> {
    ItemLoop::of(value).enumerate()
}

/// Returns the items of [`items_of`] with their positions.
#[inline]
pub fn entries_of(value: Maybe) -> Enumerate<ItemLoop> {
    items_of(value).enumerate()
}

/// Returns the items that are grouped: those of [`first_items`], but an empty array is nothing.
#[inline]
pub fn group_items(value: Maybe) -> ItemLoop {
    match &value {
        Some(item) if elements(item).is_some_and(|items| items.len() == 0) => ItemLoop::of(None),
        _ => ItemLoop::of(value),
    }
}

/// The items of several values, one after the other.
pub struct Candidates {
    first: ItemLoop,
    rest: vec::IntoIter<ItemLoop>,
}

impl Candidates {
    /// Returns the items of one value.
    #[inline]
    pub(super) fn one(items: ItemLoop) -> Candidates {
        Candidates { first: items, rest: Vec::new().into_iter() }
    }

    /// Returns the items of several values.
    pub(super) fn several(items: Vec<ItemLoop>) -> Candidates {
        Candidates { first: ItemLoop(Source::One(None)), rest: items.into_iter() }
    }
}

impl Iterator for Candidates {
    type Item = Maybe;

    #[inline]
    fn next(&mut self) -> Option<Maybe> {
        if let Source::Array(array, at) = &mut self.first.0
            && let Some(item) = array.get(*at)
        {
            *at += 1;
            return Some(Some(Item::Value(item.clone())));
        }
        self.other()
    }
}

impl Candidates {
    /// Returns the next item of another source than a shared array.
    #[inline(never)]
    fn other(&mut self) -> Option<Maybe> {
        loop {
            if let Some(item) = self.first.next() {
                return Some(item);
            }
            self.first = self.rest.next()?;
        }
    }
}

/// Returns the number of items of [`first_items`].
#[inline]
pub fn count(value: &Maybe) -> usize {
    value.as_ref().and_then(elements).map_or(1, |items| items.len())
}
