//! Widening, which ends the analysis of loops.

use super::kind::{Kinds, Numbers, Strings};
use super::{ArrayShape, Field, RecordShape, Shape};

impl Shape {
    /// Returns a shape that has the values of both, and forgets what grows. A sequence of such
    /// shapes, each widened with the next, ends soon: literals become all values of their kind,
    /// and a part that has one more kind is not known further.
    pub fn widen(&self, next: &Shape) -> Shape {
        self.widen_at(next, true)
    }

    /// Widens a shape, or a part of one. Of a member that a part gains nothing is known, since
    /// data that grows in a loop does so in depth.
    fn widen_at(&self, next: &Shape, is_whole: bool) -> Shape {
        let joined = self.join(next);
        if joined == *self {
            return self.clone();
        }
        let (Some(old), Some(new)) = (self.kinds(), joined.kinds()) else { return joined };
        if self.is_never() {
            return joined;
        }
        let widened = Kinds {
            null: new.null,
            can_be_false: new.can_be_false,
            can_be_true: new.can_be_true,
            numbers: match (&old.numbers, &new.numbers) {
                (Numbers::Known(before), Numbers::Known(after)) if before != after => Numbers::Whole,
                (_, numbers) => numbers.clone(),
            },
            strings: match (&old.strings, &new.strings) {
                (Strings::Known(before), Strings::Known(after)) if before != after => Strings::Any,
                (_, strings) => strings.clone(),
            },
            array: match (&old.array, &new.array) {
                (Some(before), Some(after)) => before.widen(after),
                (_, after) => after.clone(),
            },
            object: match (&old.object, &new.object) {
                (Some(before), Some(after)) => before.widen(after, is_whole),
                (_, after) => after.clone(),
            },
            ..Kinds::default()
        };
        Shape { origin: joined.origin.clone(), ..widened.finish() }
    }
}

impl ArrayShape {
    fn widen(&self, next: &ArrayShape) -> Option<ArrayShape> {
        if self == next {
            return Some(next.clone());
        }
        let known = self.prefix.len().min(next.prefix.len());
        let prefix = (0..known).map(|at| self.at(at).widen_at(next.at(at), false)).collect();
        let more = next.prefix.iter().skip(known).chain(self.prefix.iter().skip(known));
        let rest = more.fold(self.rest.widen_at(&next.rest, false), |all, one| all.join(one));
        ArrayShape { prefix, rest, least: if self.least == next.least { self.least } else { 0 } }.normal()
    }
}

impl RecordShape {
    fn widen(&self, next: &RecordShape, is_whole: bool) -> Option<RecordShape> {
        let fields = next.fields.map(|name, field| {
            let shape = match self.fields.get(name) {
                Some(before) => before.shape.widen_at(&field.shape, false),
                None if is_whole => field.shape.clone(),
                None => Shape::any(),
            };
            Field { shape, required: field.required }
        });
        RecordShape { fields, rest: self.rest.widen_at(&next.rest, false) }.normal()
    }
}
