//! Values during evaluation.

use super::run::Function;
use crate::value::Value;
use std::rc::Rc;

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
    pub members: Vec<(crate::value::Str, Item)>,
}
