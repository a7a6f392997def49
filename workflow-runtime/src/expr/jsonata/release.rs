//! The release of nested values and scopes with bounded stack.
//!
//! Tail calls can build chains of any length out of closures and arrays. What is dropped inside
//! of a drop is put on a list, which the outermost drop works off.

use std::cell::{Cell, RefCell};

use super::item::Item;
use super::scope::Binding;
use crate::value::Str;

/// The number of values for which the list of a thread keeps its memory.
const KEPT: usize = 1024;

thread_local! {
    /// `true` while a drop works off the list.
    static WORKS: Cell<bool> = const { Cell::new(false) };
    /// The values that are still to be dropped.
    static LIST: RefCell<Vec<Item>> = const { RefCell::new(Vec::new()) };
}

fn is_nested(item: &Item) -> bool {
    !matches!(item, Item::Value(_) | Item::NonFinite(_))
}

/// Drops the elements of an array.
pub(super) fn items(items: &mut Vec<Item>) {
    if items.iter().any(is_nested) {
        all(std::mem::take(items).into_iter());
    }
}

/// Drops the members of an object.
pub(super) fn members(members: &mut Vec<(Str, Item)>) {
    if members.iter().any(|(_, item)| is_nested(item)) {
        all(std::mem::take(members).into_iter().map(|(_, item)| item));
    }
}

/// Drops the bindings of a scope.
pub(super) fn bindings(bindings: &mut Vec<Binding>) {
    if bindings.iter().any(|binding| binding.value.as_ref().is_some_and(is_nested)) {
        all(std::mem::take(bindings).into_iter().filter_map(|binding| binding.value));
    }
}

/// Drops values without recursion.
pub(super) fn all(values: impl Iterator<Item = Item>) {
    LIST.with_borrow_mut(|list| list.extend(values.filter(is_nested)));
    if WORKS.replace(true) {
        return;
    }
    while let Some(item) = LIST.with_borrow_mut(Vec::pop) {
        drop(item);
    }
    LIST.with_borrow_mut(|list| list.shrink_to(KEPT));
    WORKS.set(false);
}
