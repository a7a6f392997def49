//! Values during evaluation.

use std::rc::Rc;

use super::release;
use super::run::JsonataFunction;
use crate::value::{Str, Value};

/// A value during evaluation. Nothing (undefined) is `None` of an `Option<Item>`. Generated code
/// does not look inside.
#[derive(Clone)]
#[expect(private_interfaces, reason = "the variants are for the evaluation only")]
pub enum Item {
    /// A JSON value without functions. An array of this kind has no flags.
    Value(Value),
    /// A number that JSON cannot write: NaN or an infinity.
    NonFinite(f64),
    /// An array with flags, or with elements that are not JSON.
    List(Rc<List>),
    /// An object with members that are not JSON.
    Object(Rc<ItemObject>),
    /// A function.
    Function(Rc<JsonataFunction>),
}

/// An array during evaluation.
#[derive(Clone, Default)]
pub(crate) struct List {
    /// The elements.
    pub items: Vec<Item>,
    /// `true` if the array is the result of a path, so that it stands for its element if it has
    /// one, and for nothing if it has none.
    pub is_sequence: bool,
    /// `true` if a sequence stays an array when it has one element.
    pub keeps_singleton: bool,
    /// `true` if an array constructor has built the array, so that a step of a path does not
    /// flatten it.
    pub is_constructed: bool,
}

/// An object during evaluation: its members in their order.
#[derive(Clone, Default)]
pub(crate) struct ItemObject {
    /// The members. The names are distinct.
    pub members: Vec<(Str, Item)>,
}

impl Drop for List {
    fn drop(&mut self) {
        release::items(&mut self.items);
    }
}

impl Drop for ItemObject {
    fn drop(&mut self) {
        release::members(&mut self.members);
    }
}

impl Item {
    /// Returns the number, also if it is not finite.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Item::Value(value) => value.as_f64(),
            Item::NonFinite(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the text of a string.
    pub fn as_text(&self) -> Option<&Str> {
        match self {
            Item::Value(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the function.
    pub(crate) fn as_function(&self) -> Option<&Rc<JsonataFunction>> {
        match self {
            Item::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Returns `true` for an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Item::List(_) | Item::Value(Value::Array(_)))
    }

    /// Returns `true` for a sequence.
    pub fn is_sequence(&self) -> bool {
        matches!(self, Item::List(list) if list.is_sequence)
    }
}
