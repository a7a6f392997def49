//! The union of shapes.

use super::kind::Kinds;
use super::limits::{MAX_DEPTH, MAX_FIELDS, MAX_UNION};
use super::members::NamedField;
use super::{ArrayShape, Field, KindSet, Members, RecordShape, Shape};
use std::sync::Arc;

impl Shape {
    /// Returns the shape of the values of both. The origin stays if both have the same.
    pub fn join(&self, other: &Shape) -> Shape {
        if self.is_never() || self.is_same(other) {
            return other.clone();
        }
        if other.is_never() {
            return self.clone();
        }
        let origin = self.origin.as_ref().filter(|origin| other.origin.as_ref() == Some(origin)).cloned();
        let joined = match (&self.kinds, &other.kinds) {
            (Some(left), Some(right)) if Arc::ptr_eq(left, right) => {
                Shape { kinds: Some(Arc::clone(left)), origin: None, rust: None }
            }
            (Some(left), Some(right)) => left.joined(right).finish_like([left, right]),
            (None, None) if self.rust == other.rust => Shape { rust: self.rust.clone(), ..Shape::any() },
            (None, Some(right)) if self.rust.is_some() => self.expanded().joined(right).finish(),
            (Some(left), None) if other.rust.is_some() => left.joined(&other.expanded()).finish(),
            _ => Shape::any(),
        };
        Shape { origin, ..joined }
    }

    /// Returns the shape of the values of all shapes.
    pub fn union<'s>(shapes: impl IntoIterator<Item = &'s Shape>) -> Shape {
        let mut all = Shape::never();
        for (number, shape) in shapes.into_iter().enumerate() {
            if all.is_unknown() || number >= MAX_UNION {
                return Shape::any();
            }
            all = all.join(shape);
        }
        all
    }

    /// Returns the shape of an object of this shape, with the members of one of the other shape,
    /// which replace those of the same name.
    pub fn merged(&self, other: &Shape) -> Shape {
        let (Some(left), Some(right)) = (self.as_object(), other.as_object()) else { return Shape::any_object() };
        let fields = left.fields.pairs(&right.fields).filter_map(|(own, other_own)| {
            let name = &own.or(other_own)?.name;
            let (before, after) = (self.inherited(left.field(name)), other.inherited(right.field(name)));
            let shape = if after.required { after.shape } else { before.shape.join(&after.shape) };
            Some((name.clone(), Field { shape, required: before.required || after.required }))
        });
        let fields = fields.collect();
        let merged = Shape::object(RecordShape { fields, rest: left.rest.join(&right.rest) });
        match &self.origin {
            // Nothing is added.
            Some(origin) if right.fields.is_empty() && right.rest.is_never() => merged.or_origin(|| origin.clone()),
            _ => merged,
        }
    }

    /// Returns the shape of data of this shape into which a value of the other shape is merged:
    /// members of objects in both are merged, null changes nothing, and other values replace what
    /// is there.
    pub fn merged_deeply(&self, other: &Shape) -> Shape {
        if other.is_any() {
            return Shape::any();
        }
        let kept = if other.set().meets(KindSet::NULL) { self.clone() } else { Shape::never() };
        self.overlaid(&other.only(KindSet::NULL.complement()), MAX_DEPTH).join(&kept)
    }

    /// Returns a member of the shape with the shape's origin, if it has none of its own.
    fn inherited(&self, field: Field) -> Field {
        match &self.origin {
            Some(origin) => Field { shape: field.shape.or_origin(|| origin.clone()), ..field },
            None => field,
        }
    }

    /// Merges objects, and otherwise takes the other value.
    fn overlaid(&self, other: &Shape, depth: usize) -> Shape {
        let (Some(left), Some(right)) = (self.as_object(), other.as_object()) else { return other.clone() };
        if depth == 0 {
            return Shape::any();
        }
        let fields = left.fields.pairs(&right.fields).filter_map(|(own, other_own)| {
            let name = &own.or(other_own)?.name;
            let (before, after) = (self.inherited(left.field(name)), other.inherited(right.field(name)));
            let over = before.shape.overlaid(&after.shape, depth - 1);
            // Each of the two may be missing.
            let over = if before.required { over } else { over.join(&after.shape) };
            let shape = if after.required { over } else { over.join(&before.shape) };
            Some((name.clone(), Field { shape, required: before.required || after.required }))
        });
        let fields = fields.collect();
        // Members whose names are not known are merged, too.
        let rest = match (left.rest.is_never(), right.rest.is_never()) {
            (_, true) => left.rest.clone(),
            (true, false) => right.rest.clone(),
            (false, false) => Shape::any(),
        };
        let objects = Shape::object(RecordShape { fields, rest });
        // Where the data are no object, the new value takes their place.
        let others = match self.set() == KindSet::OBJECT {
            true => other.only(KindSet::OBJECT.complement()),
            false => other.clone(),
        };
        objects.join(&others)
    }

    /// Returns `true` if a value of the shape never equals one of the other shape.
    pub fn is_distinct(&self, other: &Shape) -> bool {
        let texts = (self.known_texts(), other.known_texts());
        !self.set().meets(other.set()) || matches!(texts, (Some(left), Some(right)) if left.is_disjoint(right))
    }

    /// Returns `true` if all values of the shape are values of the other one.
    pub fn is_within(&self, other: &Shape) -> bool {
        !self.set().meets(other.set().complement()) && self.join(other) == *other
    }
}

impl Kinds {
    fn joined(&self, other: &Kinds) -> Kinds {
        Kinds {
            null: self.null || other.null,
            can_be_false: self.can_be_false || other.can_be_false,
            can_be_true: self.can_be_true || other.can_be_true,
            numbers: self.numbers.join(&other.numbers),
            strings: self.strings.join(&other.strings),
            array: either(&self.array, &other.array, ArrayShape::join),
            object: either(&self.object, &other.object, RecordShape::join),
            ..Kinds::default()
        }
    }
}

fn either<T: Clone>(left: &Option<T>, right: &Option<T>, join: impl FnOnce(&T, &T) -> Option<T>) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => join(left, right),
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    }
}

impl ArrayShape {
    fn join(&self, other: &ArrayShape) -> Option<ArrayShape> {
        let known = self.prefix.len().max(other.prefix.len());
        ArrayShape {
            prefix: (0..known).map(|at| self.at(at).join(other.at(at))).collect(),
            rest: self.rest.join(&other.rest),
            least: self.least.min(other.least),
        }
        .normal()
    }
}

impl RecordShape {
    fn join(&self, other: &RecordShape) -> Option<RecordShape> {
        let rest = self.rest.join(&other.rest);
        let is_like_own = rest.is_same(&self.rest);
        let mut fields = Members::with_capacity(self.fields.len().max(other.fields.len()));
        let optional = |only: &Arc<NamedField>, shape| only.with(Field { shape, required: false });
        let mut names = 0;
        for pair in self.fields.pairs(&other.fields) {
            names += 1;
            let member = match pair {
                (Some(left), Some(right)) if Arc::ptr_eq(left, right) => {
                    if is_like_own || left.field.says_more_than(&rest) {
                        fields.push(Arc::clone(left));
                    }
                    continue;
                }
                (Some(left), Some(right)) => {
                    let shape = left.field.shape.join(&right.field.shape);
                    let field = Field { shape, required: left.field.required && right.field.required };
                    if right.field.is_same(&field) { Arc::clone(right) } else { left.with(field) }
                }
                (Some(only), None) => optional(only, only.field.shape.join(&other.rest.rust_named(&only.name))),
                (None, Some(only)) => optional(only, self.rest.rust_named(&only.name).join(&only.field.shape)),
                (None, None) => continue,
            };
            if member.field.says_more_than(&rest) {
                fields.push(member);
            }
        }
        match names > MAX_FIELDS {
            true => Some(RecordShape::open()),
            false => Some(RecordShape { fields, rest }),
        }
    }
}
