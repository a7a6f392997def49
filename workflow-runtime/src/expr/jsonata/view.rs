//! A borrowed view of values, the same for JSON values and for values of an evaluation.

use super::item::Item;
use super::run::JsonataFunction;
use crate::value::{Object, Str, Value};
use std::rc::Rc;

/// A value that is looked at.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that is exact.
    Int(i64),
    /// Any other number, also NaN and the infinities.
    Float(f64),
    /// A string.
    String(&'a Str),
    /// An array.
    Array(ElementsView<'a>),
    /// An object.
    Object(MembersView<'a>),
    /// A function.
    Function(&'a Rc<JsonataFunction>),
}

/// The elements of an array.
#[derive(Clone, Copy)]
pub(crate) enum ElementsView<'a> {
    /// ElementsView that are JSON.
    Values(&'a [Value]),
    /// Other elements.
    Items(&'a [Item]),
}

/// The members of an object, in order.
#[derive(Clone, Copy)]
pub(crate) enum MembersView<'a> {
    /// Members that are JSON.
    Values(&'a Object),
    /// Other members.
    Items(&'a [(Str, Item)]),
}

impl<'a> From<&'a Value> for View<'a> {
    fn from(value: &'a Value) -> View<'a> {
        match value {
            Value::Null => View::Null,
            Value::Bool(value) => View::Bool(*value),
            Value::Int(value) => View::Int(*value),
            Value::Float(value) => View::Float(*value),
            Value::String(text) => View::String(text),
            Value::Array(items) => View::Array(ElementsView::Values(items)),
            Value::Object(members) => View::Object(MembersView::Values(members)),
        }
    }
}

impl<'a> From<&'a Item> for View<'a> {
    fn from(item: &'a Item) -> View<'a> {
        match item {
            Item::Value(value) => value.into(),
            Item::NonFinite(value) => View::Float(*value),
            Item::List(list) => View::Array(ElementsView::Items(&list.items)),
            Item::Object(object) => View::Object(MembersView::Items(&object.members)),
            Item::Function(function) => View::Function(function),
        }
    }
}

impl<'a> View<'a> {
    /// Returns the number as a double.
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            // Arithmetic is that of doubles.
            View::Int(value) => Some(value as f64),
            View::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the text of a string.
    pub(crate) fn text(self) -> Option<&'a Str> {
        match self {
            View::String(text) => Some(text),
            _ => None,
        }
    }
}

impl<'a> ElementsView<'a> {
    /// Returns the number of elements.
    pub(crate) fn len(self) -> usize {
        match self {
            ElementsView::Values(values) => values.len(),
            ElementsView::Items(items) => items.len(),
        }
    }

    /// Returns the element at a position.
    pub(crate) fn get(self, at: usize) -> Option<View<'a>> {
        match self {
            ElementsView::Values(values) => values.get(at).map(View::from),
            ElementsView::Items(items) => items.get(at).map(View::from),
        }
    }

    /// Returns a copy of the element at a position.
    pub(crate) fn item(self, at: usize) -> Option<Item> {
        match self {
            ElementsView::Values(values) => values.get(at).cloned().map(Item::Value),
            ElementsView::Items(items) => items.get(at).cloned(),
        }
    }

    /// Returns the elements one after the other.
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = View<'a>> {
        (0..self.len()).filter_map(move |at| self.get(at))
    }

    /// Returns copies of the elements one after the other.
    pub(crate) fn items(self) -> impl DoubleEndedIterator<Item = Item> {
        (0..self.len()).filter_map(move |at| self.item(at))
    }
}

impl<'a> MembersView<'a> {
    /// Returns the number of members.
    pub(crate) fn len(self) -> usize {
        match self {
            MembersView::Values(members) => members.len(),
            MembersView::Items(members) => members.len(),
        }
    }

    /// Returns the member at a position.
    pub(crate) fn at(self, at: usize) -> Option<(&'a Str, View<'a>)> {
        match self {
            MembersView::Values(members) => members.get_index(at).map(|(name, value)| (name, value.into())),
            MembersView::Items(members) => members.get(at).map(|(name, item)| (name, item.into())),
        }
    }

    /// Returns a copy of the member at a position.
    pub(crate) fn item(self, at: usize) -> Option<(Str, Item)> {
        match self {
            MembersView::Values(members) => {
                members.get_index(at).map(|(name, value)| (name.clone(), Item::Value(value.clone())))
            }
            MembersView::Items(members) => members.get(at).cloned(),
        }
    }

    /// Returns the number of members that a search by name visits.
    pub(crate) fn search_steps(self) -> u64 {
        match self {
            MembersView::Values(_) => 1,
            MembersView::Items(members) => members.len() as u64,
        }
    }

    /// Returns the value of the member of this name.
    pub(crate) fn get(self, name: &str) -> Option<View<'a>> {
        match self {
            MembersView::Values(members) => members.get(name).map(View::from),
            MembersView::Items(members) => members.iter().find(|(key, _)| key == name).map(|(_, item)| item.into()),
        }
    }

    /// Returns a copy of the value of the member of this name.
    pub(crate) fn value(self, name: &str) -> Option<Item> {
        match self {
            MembersView::Values(members) => members.get(name).cloned().map(Item::Value),
            MembersView::Items(members) => members.iter().find(|(key, _)| key == name).map(|(_, item)| item.clone()),
        }
    }

    /// Returns copies of the members one after the other.
    pub(crate) fn items(self) -> impl DoubleEndedIterator<Item = (Str, Item)> {
        (0..self.len()).filter_map(move |at| self.item(at))
    }
}
