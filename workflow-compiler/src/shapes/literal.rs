//! The shapes of constants.

use super::kind::{Kinds, Numbers};
use super::limits::{MAX_DEPTH, MAX_FIELDS, MAX_UNION};
use super::{ArrayShape, Shape};
use crate::literal::Literal;
use std::collections::BTreeSet;

impl From<&Literal> for Shape {
    fn from(literal: &Literal) -> Shape {
        of(literal, MAX_DEPTH)
    }
}

fn of(literal: &Literal, depth: usize) -> Shape {
    match literal {
        Literal::Null => Shape::null(),
        Literal::Bool(value) => Shape::flag(*value),
        Literal::Int(value) => Shape::whole(*value),
        Literal::Float(_) => Shape::number(),
        Literal::String(text) => Shape::text(text),
        Literal::Array(_) | Literal::Object(_) if depth == 0 => Shape::any(),
        Literal::Array(items) if items.len() > MAX_UNION => {
            Shape::array(ArrayShape { least: items.len(), ..ArrayShape::open() })
        }
        Literal::Object(members) if members.len() > MAX_FIELDS => Shape::any_object(),
        Literal::Array(items) => Shape::tuple(items.iter().map(|item| of(item, depth - 1)).collect()),
        Literal::Object(members) => {
            Shape::record(members.iter().map(|(name, member)| (name.as_str(), of(member, depth - 1))))
        }
    }
}

impl Shape {
    /// Returns the shape of one boolean.
    pub fn flag(value: bool) -> Shape {
        Kinds { can_be_false: !value, can_be_true: value, ..Kinds::default() }.finish()
    }

    /// Returns the shape of one whole number.
    pub fn whole(value: i64) -> Shape {
        Kinds { numbers: Numbers::Known(BTreeSet::from([value])), ..Kinds::default() }.finish()
    }
}
