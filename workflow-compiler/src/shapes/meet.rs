//! The intersection of shapes.

use super::kind::{Kinds, Numbers, Strings};
use super::{ArrayShape, Field, RecordShape, Shape};

impl Shape {
    /// Returns the shape of the values of both, with the origin of this shape if it has one.
    pub fn meet(&self, other: &Shape) -> Shape {
        let origin = self.origin.clone().or_else(|| other.origin.clone());
        let met = match (self.kinds(), other.kinds()) {
            (None, None) if self.rust.is_some() => self.clone(),
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(left), Some(right)) => left.meet(right),
        };
        Shape { origin, ..met }
    }
}

impl Kinds {
    fn meet(&self, other: &Kinds) -> Shape {
        Kinds {
            null: self.null && other.null,
            can_be_false: self.can_be_false && other.can_be_false,
            can_be_true: self.can_be_true && other.can_be_true,
            numbers: self.numbers.meet(&other.numbers),
            strings: self.strings.meet(&other.strings),
            array: self.array.as_ref().zip(other.array.as_ref()).and_then(|(left, right)| left.meet(right)),
            object: self.object.as_ref().zip(other.object.as_ref()).and_then(|(left, right)| left.meet(right)),
            ..Kinds::default()
        }
        .finish()
    }
}

impl Numbers {
    fn meet(&self, other: &Numbers) -> Numbers {
        match (self, other) {
            (Numbers::Known(left), Numbers::Known(right)) => Numbers::Known(left & right),
            (Numbers::Known(known), _) | (_, Numbers::Known(known)) => Numbers::Known(known.clone()),
            (Numbers::Whole, _) | (_, Numbers::Whole) => Numbers::Whole,
            (Numbers::Any, Numbers::Any) => Numbers::Any,
        }
    }
}

impl Strings {
    fn meet(&self, other: &Strings) -> Strings {
        match (self, other) {
            (Strings::Known(left), Strings::Known(right)) => Strings::Known(left & right),
            (Strings::Known(known), Strings::Any) | (Strings::Any, Strings::Known(known)) => {
                Strings::Known(known.clone())
            }
            (Strings::Any, Strings::Any) => Strings::Any,
        }
    }
}

impl ArrayShape {
    fn meet(&self, other: &ArrayShape) -> Option<ArrayShape> {
        let known = self.prefix.len().max(other.prefix.len());
        ArrayShape {
            prefix: (0..known).map(|at| self.at(at).meet(other.at(at))).collect(),
            rest: self.rest.meet(&other.rest),
            least: self.least.max(other.least),
        }
        .normal()
    }
}

impl RecordShape {
    fn meet(&self, other: &RecordShape) -> Option<RecordShape> {
        let fields = self.fields.pairs(&other.fields).filter_map(|(own, other_own)| {
            let name = &own.or(other_own)?.name;
            let (left, right) = (self.field(name), other.field(name));
            let required = left.required || right.required;
            Some((name.clone(), Field { shape: left.shape.meet(&right.shape), required }))
        });
        RecordShape { fields: fields.collect(), rest: self.rest.meet(&other.rest) }.normal()
    }
}
