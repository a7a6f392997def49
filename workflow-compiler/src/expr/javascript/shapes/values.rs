//! Tests of values, and objects that are put together.

use crate::shapes::{Access, Field, KindSet, Shape};

/// The members that objects of JavaScript inherit.
pub(super) const INHERITED: &[&str] = &[
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Returns what a spread adds to an object.
pub(super) fn spread(into: &Shape, value: &Access) -> Shape {
    let nothing = KindSet::NULL | KindSet::NUMBER | KindSet::BOOLEAN;
    match value.shape.set() {
        set if value.shape.is_any() || set.meets((KindSet::OBJECT | nothing).complement()) => Shape::any_object(),
        KindSet::OBJECT if !value.may_be_absent => overwritten(into, &value.shape),
        set if set.meets(KindSet::OBJECT) => overwritten(into, &value.shape.only(KindSet::OBJECT)).join(into),
        _ => into.clone(),
    }
}

/// Returns an object with the members of another one. A member that may be missing there may be
/// undefined, which replaces the value, too.
fn overwritten(into: &Shape, by: &Shape) -> Shape {
    let (Some(mut merged), Some(by)) = (into.merged(by).as_object(), by.as_object()) else {
        return Shape::any_object();
    };
    merged.fields = merged.fields.map(|name, field| {
        let new = by.field(name);
        Field { shape: field.shape.clone(), required: field.required && (new.required || new.shape.is_never()) }
    });
    Shape::object(merged)
}

/// Returns the truth of a test that a value is an array.
pub(super) fn is_array(value: &Access) -> Shape {
    match value.shape.set() {
        KindSet::ARRAY if !value.may_be_absent => Shape::flag(true),
        set if !set.meets(KindSet::ARRAY) => Shape::flag(false),
        _ => Shape::boolean(),
    }
}

/// Returns the truth of a test that an object has a member.
pub(super) fn has_member(of: &Access, name: &Shape) -> Shape {
    let only = name.known_texts().filter(|texts| texts.len() == 1).and_then(|texts| texts.iter().next());
    let Some(name) = only else { return Shape::boolean() };
    if of.may_be_absent || of.shape.set() != KindSet::OBJECT || INHERITED.contains(&&**name) {
        return Shape::boolean();
    }
    match of.shape.member(name) {
        found if found.is_absent() => Shape::flag(false),
        found if !found.may_be_absent => Shape::flag(true),
        _ => Shape::boolean(),
    }
}

/// Returns `true` or `false` if two values are always or never equal.
pub(super) fn are_equal(left: &Access, right: &Access, is_loose: bool) -> Option<bool> {
    let nothing = |side: &Access| match is_loose {
        true => side.shape.set() == KindSet::NULL || side.is_absent(),
        false => false,
    };
    let may_be_nothing = |side: &Access| side.may_be_absent || side.shape.set().meets(KindSet::NULL);
    if left.is_absent() && right.is_absent() || nothing(left) && nothing(right) {
        return Some(true);
    }
    match is_loose {
        true if nothing(left) && !may_be_nothing(right) || nothing(right) && !may_be_nothing(left) => Some(false),
        // Values of other types are converted.
        true => match (left.may_be_absent, right.may_be_absent, left.shape.known_texts(), right.shape.known_texts()) {
            (false, false, Some(left), Some(right)) if left.is_disjoint(right) => Some(false),
            _ => None,
        },
        false if left.is_absent() && !right.may_be_absent || right.is_absent() && !left.may_be_absent => Some(false),
        false if left.may_be_absent || right.may_be_absent => None,
        false if left.shape.is_distinct(&right.shape) => Some(false),
        false if left.shape.set() == KindSet::NULL && right.shape.set() == KindSet::NULL => Some(true),
        false => match (left.shape.known_texts(), right.shape.known_texts()) {
            (Some(left), Some(right)) if left.len() == 1 && left == right => Some(true),
            _ => None,
        },
    }
}
