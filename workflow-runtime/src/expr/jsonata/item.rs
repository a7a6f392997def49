//! Values during evaluation.

use std::rc::Rc;
use std::sync::Arc;

use super::release;
use super::run::Function;
use crate::value::{Array, Object, Str, Value};

/// A value during evaluation. Nothing (undefined) is `None` of an `Option<Item>`.
#[derive(Clone)]
pub(crate) enum Item {
    /// A JSON value without functions. An array of this kind has no flags.
    Value(Value),
    /// A number that JSON cannot write: NaN or an infinity.
    NonFinite(f64),
    /// An array with flags, or with elements that are not JSON.
    List(Rc<List>),
    /// An object with members that are not JSON.
    Object(Rc<ItemObject>),
    /// A function.
    Function(Rc<Function>),
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
    /// Returns a sequence: it stands for its element if it has one, and for nothing if it has
    /// none.
    pub fn sequence(items: Vec<Item>) -> Item {
        Item::List(Rc::new(List { items, is_sequence: true, keeps_singleton: false, is_constructed: false }))
    }

    /// Returns an array without flags.
    pub fn array(items: Vec<Item>) -> Item {
        if items.iter().all(|item| matches!(item, Item::Value(_))) {
            let values = items.into_iter().filter_map(Item::into_json).collect::<Vec<Value>>();
            return Item::Value(Value::Array(Arc::new(Array::from(values))));
        }
        Item::List(Rc::new(List { items, is_sequence: false, keeps_singleton: false, is_constructed: false }))
    }

    /// Returns an object. The names of the members must be distinct.
    pub fn object(members: Vec<(Str, Item)>) -> Item {
        if members.iter().all(|(_, item)| matches!(item, Item::Value(_))) {
            let json = members.into_iter().filter_map(|(name, item)| Some((name, item.into_json()?))).collect();
            return Item::Value(Value::Object(Arc::new(Object::from_distinct(json))));
        }
        Item::Object(Rc::new(ItemObject { members }))
    }

    /// Returns a number.
    pub fn number(number: f64) -> Item {
        /// 2^53: up to here, every whole number is a double.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() <= EXACT {
            // The number is whole and fits.
            Item::Value(Value::Int(number as i64))
        } else if number.is_finite() {
            Item::Value(Value::Float(number))
        } else {
            Item::NonFinite(number)
        }
    }

    /// Returns a text.
    pub fn text(text: impl Into<Str>) -> Item {
        Item::Value(Value::String(text.into()))
    }

    /// Returns a boolean.
    pub fn boolean(value: bool) -> Item {
        Item::Value(Value::Bool(value))
    }

    /// Returns the value, if it is JSON without flags.
    pub fn into_json(self) -> Option<Value> {
        match self {
            Item::Value(value) => Some(value),
            _ => None,
        }
    }

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
    pub fn as_function(&self) -> Option<&Rc<Function>> {
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
