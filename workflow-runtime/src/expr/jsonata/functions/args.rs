//! The arguments of functions. The signature has checked their types.

use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::view::{ElementsView, MembersView, View};
use crate::value::Str;

/// The arguments of a call. A missing one is `None`.
pub(super) type Args<'a> = &'a [Option<Item>];

/// Returns an argument.
pub(super) fn item(args: Args<'_>, at: usize) -> Option<&Item> {
    args.get(at)?.as_ref()
}

/// Returns an argument that is a string.
pub(super) fn text(args: Args<'_>, at: usize) -> Option<&Str> {
    View::from(item(args, at)?).text()
}

/// Returns an argument that is a number.
pub(super) fn number(args: Args<'_>, at: usize) -> Option<f64> {
    View::from(item(args, at)?).number()
}

/// Returns the elements of an argument that is an array.
pub(super) fn elements(args: Args<'_>, at: usize) -> Option<ElementsView<'_>> {
    match item(args, at)?.into() {
        View::Array(elements) => Some(elements),
        _ => None,
    }
}

/// Returns the members of an argument that is an object.
pub(super) fn members(args: Args<'_>, at: usize) -> Option<MembersView<'_>> {
    match item(args, at)?.into() {
        View::Object(members) => Some(members),
        _ => None,
    }
}
