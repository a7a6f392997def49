//! Loops over the items of values.

use std::iter::Enumerate;
use std::rc::Rc;
use std::sync::Arc;
use std::{mem, vec};

use super::Maybe;
use crate::expr::jsonata::item::{Item, List};
use crate::expr::jsonata::view::{Elements, View};
use crate::value::{Array, Value};

/// The items of a value, one after the other.
pub struct Items(Source);

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

impl Items {
    /// Returns the items of an array, or the value alone.
    #[inline]
    pub(super) fn of(value: Maybe) -> Items {
        Items(match value {
            Some(Item::Value(Value::Array(array))) => Source::Array(array, 0),
            Some(Item::List(mut list)) => match Rc::get_mut(&mut list) {
                Some(own) => Source::Owned(mem::take(&mut own.items).into_iter()),
                None => Source::List(list, 0),
            },
            value => Source::One(Some(value)),
        })
    }
}

impl Iterator for Items {
    type Item = Maybe;

    #[inline]
    fn next(&mut self) -> Option<Maybe> {
        match &mut self.0 {
            Source::Array(array, at) => {
                let item = array.get(*at)?.clone();
                *at += 1;
                Some(Some(Item::Value(item)))
            }
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
pub fn items_of(value: Maybe) -> Items {
    if value.is_none() { Items(Source::One(None)) } else { Items::of(value) }
}

/// Returns the items that the first step of a path, or a predicate, is applied to. Nothing is an
/// item, too.
#[inline]
pub fn first_items(value: Maybe) -> Items {
    Items::of(value)
}

/// Returns the items of [`first_items`] with their positions.
#[inline]
pub fn entries(value: Maybe) -> Enumerate<Items> {
    Items::of(value).enumerate()
}

/// Returns the number of items of [`first_items`].
#[inline]
pub fn count(value: &Maybe) -> usize {
    match value.as_ref().map(View::from) {
        Some(View::Array(elements)) => Elements::len(elements),
        _ => 1,
    }
}
