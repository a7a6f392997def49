//! Members and elements of shapes.

use super::{ArrayShape, Field, KindSet, Kinds, Members, RecordShape, RustStep, Shape};
use crate::literal::PathStep;

/// The value that a path finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// The value, where there is one.
    pub shape: Shape,
    /// `true` if there may be no value.
    pub may_be_absent: bool,
}

impl Access {
    /// Returns a value that is always there.
    pub fn present(shape: Shape) -> Access {
        Access { shape, may_be_absent: false }
    }

    /// Returns what is nowhere.
    pub fn absent() -> Access {
        Access { shape: Shape::never(), may_be_absent: true }
    }

    /// Returns a value of which nothing is known, not even whether it is there.
    pub fn unknown() -> Access {
        Access { shape: Shape::any(), may_be_absent: true }
    }

    /// Returns `true` if there is never a value, and the evaluation comes so far.
    pub fn is_absent(&self) -> bool {
        self.may_be_absent && self.shape.is_never()
    }

    /// Returns the value at a step from here.
    pub fn step(&self, step: &PathStep) -> Access {
        let found = match step {
            PathStep::Key(name) => self.shape.member(name),
            PathStep::Index(index) => self.shape.element(*index),
        };
        // Where there is no value, the step finds none.
        Access { may_be_absent: self.may_be_absent || found.may_be_absent, shape: found.shape }
    }

    /// Returns the member with a name, or that of the only element of an array, at any depth.
    pub fn member_through_singletons(&self, name: &str) -> Access {
        let found = self.shape.within_singletons();
        let member = found.shape.member(name);
        let may_be_absent = self.may_be_absent || found.may_be_absent || member.may_be_absent;
        Access { shape: member.shape, may_be_absent }
    }

    /// Returns what is found on either of two ways.
    pub fn join(&self, other: &Access) -> Access {
        Access { shape: self.shape.join(&other.shape), may_be_absent: self.may_be_absent || other.may_be_absent }
    }
}

impl Shape {
    /// Returns the member with a name. Values that are no objects have none.
    pub fn member(&self, name: &str) -> Access {
        let Some(kinds) = self.kinds() else { return self.in_rust(RustStep::Member(name.into())) };
        let others = kinds.set().meets(KindSet::OBJECT.complement());
        match &kinds.object {
            None => Access { shape: Shape::never(), may_be_absent: others },
            Some(object) => {
                let Field { shape, required } = object.field(name);
                let shape = match &self.origin {
                    Some(origin) => shape.or_origin(|| origin.clone()),
                    None => shape,
                };
                Access { shape, may_be_absent: others || !required }
            }
        }
    }

    /// Returns the value, and for an array of one element that element. Any other array is absent.
    fn within_singletons(&self) -> Access {
        let Some(kinds) = self.kinds() else { return Access::unknown() };
        let others = Access::present(self.only(KindSet::ARRAY.complement()));
        let Some(array) = &kinds.array else { return others };
        let others = Shape { origin: self.origin.clone(), ..others.shape };
        if array.least > 1 || array.most() == Some(0) {
            return Access { shape: others, may_be_absent: true };
        }
        let inner = array.at(0).within_singletons();
        let is_singleton = array.least == 1 && array.most() == Some(1);
        Access { shape: others.join(&inner.shape), may_be_absent: inner.may_be_absent || !is_singleton }
    }

    /// Returns the element at an index, which counts from the end if it is negative. Values that
    /// are no arrays have none.
    pub fn element(&self, index: i64) -> Access {
        let Some(kinds) = self.kinds() else { return self.in_rust(RustStep::Elements) };
        let others = kinds.set().meets(KindSet::ARRAY.complement());
        let Some(array) = &kinds.array else { return Access { shape: Shape::never(), may_be_absent: others } };
        let from_start = usize::try_from(index);
        let at = match (from_start, array.most()) {
            (Ok(at), _) => Some(at),
            (Err(_), Some(most)) if array.least == most => {
                let back = usize::try_from(index.unsigned_abs()).ok();
                match back.and_then(|back| most.checked_sub(back)) {
                    Some(at) => Some(at),
                    None => return Access::absent(),
                }
            }
            _ => None,
        };
        let (shape, is_there) = match at {
            Some(at) => (array.at(at).clone(), at < array.least),
            None => {
                let back = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
                (self.elements(), back <= array.least)
            }
        };
        let shape = match &self.origin {
            Some(origin) => shape.or_origin(|| origin.clone()),
            None => shape,
        };
        Access { shape, may_be_absent: others || !is_there }
    }

    /// Returns the shape after a value is put at a path. Objects on the way are created. `None` if
    /// the path can never be followed.
    pub fn put(&self, steps: &[PathStep], value: &Shape) -> Option<Shape> {
        let Some((first, rest)) = steps.split_first() else { return Some(value.clone()) };
        match first {
            PathStep::Key(name) => {
                let object = self.as_object()?;
                let after = match rest.is_empty() {
                    true => value.clone(),
                    false => {
                        let field = object.field(name);
                        let created = Shape::object(RecordShape { fields: Members::new(), rest: Shape::never() });
                        // Where the member is missing, names create it.
                        let before = if field.required { field.shape } else { field.shape.join(&created) };
                        before.put(rest, value)?
                    }
                };
                let object = object.with(name, Field { shape: after, required: true });
                Some(Kinds { object, ..Kinds::default() }.finish().keeping(self))
            }
            PathStep::Index(index) => {
                let array = self.as_array()?;
                let found = self.element(*index);
                if found.is_absent() {
                    return None;
                }
                let after = found.shape.put(rest, value)?;
                let mut array: ArrayShape = array;
                match usize::try_from(*index) {
                    Ok(at) if at < array.prefix.len() => array.prefix[at] = after,
                    _ => {
                        array.prefix.iter_mut().for_each(|element| *element = element.join(&after));
                        array.rest = array.rest.join(&after);
                    }
                }
                Some(Shape::array(array).keeping(self))
            }
        }
    }

    /// Returns the shape with the origin of another one.
    fn keeping(self, other: &Shape) -> Shape {
        Shape { origin: other.origin.clone(), ..self }
    }
}
