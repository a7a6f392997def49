//! The part of a shape that types of Rust can express without a loss.

use super::kind::{Numbers, Strings};
use super::{ArrayShape, Field, KindSet, RecordShape, Shape};

impl Shape {
    /// Returns the shape for which a type is of use: a scalar, a list of known elements, or an
    /// object without unknown members, of which at least one is of a known kind. `None` for
    /// others.
    pub fn typed(&self) -> Option<Shape> {
        let shape = self.expressible();
        let kinds = shape.kinds()?;
        let is_known = |object: &RecordShape| object.fields.values().any(|field| !field.shape.is_any());
        let has_members = kinds.object.as_ref().is_none_or(is_known);
        let has_elements = kinds.array.as_ref().is_none_or(|array| !array.rest.is_any());
        (!shape.is_never() && has_members && has_elements).then_some(shape)
    }

    /// Returns the shape with any value in the place of values that a type does not keep, such as
    /// objects with unknown members, or for which it is unwieldy, such as a number or a string. A
    /// single constant stands for all of its kind.
    fn expressible(&self) -> Shape {
        let Some(kinds) = self.kinds() else { return Shape::any() };
        let set = kinds.set();
        let value = self.only(KindSet::NULL.complement()).set();
        let is_one = [KindSet::BOOLEAN, KindSet::NUMBER, KindSet::STRING, KindSet::ARRAY, KindSet::OBJECT];
        if set.is_empty() {
            return Shape::never();
        }
        if !is_one.contains(&value) {
            return Shape::any();
        }
        let mut kinds = kinds.clone();
        if value == KindSet::BOOLEAN {
            (kinds.can_be_false, kinds.can_be_true) = (true, true);
        }
        if value == KindSet::NUMBER && kinds.numbers != Numbers::Any {
            kinds.numbers = Numbers::Whole;
        }
        if matches!(&kinds.strings, Strings::Known(known) if known.len() == 1) {
            kinds.strings = Strings::Any;
        }
        if kinds.array.is_some() {
            let elements = self.elements();
            let rest = if elements.is_never() { Shape::any() } else { elements.expressible() };
            kinds.array = Some(ArrayShape { prefix: Vec::new(), rest, least: 0 });
        }
        if let Some(object) = &mut kinds.object {
            if !object.is_closed() {
                return Shape::any();
            }
            object.fields =
                object.fields.map(|_, field| Field { shape: field.shape.expressible(), required: field.required });
        }
        kinds.finish()
    }
}
