//! The shapes of values: what is known of a value before a workflow runs.
//!
//! A shape is a set of JSON values. For each kind of value it has what is known of the values of
//! that kind: the literals, the members of objects, the elements of arrays. A union of two objects
//! is one object whose members are joined, so that two shapes of the same set compare equal and
//! [`Shape::join`] is commutative, associative and idempotent. A member that says no more than the
//! others is kept if it has an origin, and comparisons ignore it. [`Shape::any`] is the set of all
//! values, of which nothing is claimed.
//!
//! The size of a shape is bounded, because definitions are hostile: a shape beyond a limit loses
//! what is known of it. The result is always a larger set.

mod access;
pub mod codes;
pub mod functions;
mod join;
mod kind;
mod limits;
mod literal;
mod meet;
mod members;
mod misfit;
mod origin;
mod precision;
mod print;
mod refine;
pub mod remark;
mod rust;
mod schema;
mod spel;
#[cfg(test)]
mod tests;
#[cfg(feature = "schema-types")]
mod typed;
mod widen;

pub use access::Access;
pub use kind::{KindSet, Kinds, Numbers, Strings};
pub use members::{Members, MembersIter};
pub use misfit::{Misfit, MisfitReason};
pub use origin::ValueOrigin;
pub use precision::{AnyReason, PathCount};
pub use rust::{PathCheck, RustPlace, RustRead, RustStep, TypedPaths};

use std::sync::{Arc, LazyLock};

/// The set of values that a place can have. Comparisons ignore the origin.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The values of each kind. `None` is all values.
    kinds: Option<Arc<Kinds>>,
    /// The place that the value comes from, if there is one.
    origin: Option<ValueOrigin>,
    /// The place in a type of the program, if nothing else is known.
    rust: Option<Arc<RustPlace>>,
}

/// The arrays of a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayShape {
    /// The first elements. They exist up to [`ArrayShape::least`].
    pub prefix: Vec<Shape>,
    /// The elements after the first. [`Shape::never`] if there are none.
    pub rest: Shape,
    /// The least number of elements.
    pub least: usize,
}

/// The objects of a shape. Comparisons ignore members that say no more than the others: those that
/// may be missing and are like all members without a name.
#[derive(Debug, Clone)]
pub struct RecordShape {
    /// The members that are known.
    pub fields: Members,
    /// The members that have other names. [`Shape::never`] in a closed object, and
    /// [`Shape::any`] in an open one.
    pub rest: Shape,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The value of the member, if the object has it.
    pub shape: Shape,
    /// `true` if every object has the member.
    pub required: bool,
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        match (&self.kinds, &other.kinds) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right) || left == right,
            (left, right) => left.is_none() && right.is_none() && self.rust == other.rust,
        }
    }
}

impl PartialEq for RecordShape {
    fn eq(&self, other: &RecordShape) -> bool {
        let is_like = |field: &Field, others: &Shape| !field.required && field.shape == *others;
        // A member of both is compared once. Comparing it twice would take a time that is
        // exponential in the depth.
        self.rest == other.rest
            && self.fields.pairs(&other.fields).all(|pair| match pair {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right) || left.field == right.field,
                (Some(only), None) => is_like(&only.field, &other.rest),
                (None, Some(only)) => is_like(&only.field, &self.rest),
                (None, None) => true,
            })
    }
}

impl Shape {
    /// Returns the shape of all values.
    pub fn any() -> Shape {
        Shape { kinds: None, origin: None, rust: None }
    }

    /// Returns the shape without values: that of an expression that yields none.
    pub fn never() -> Shape {
        static NEVER: LazyLock<Shape> = LazyLock::new(|| Kinds::default().finish());
        NEVER.clone()
    }

    /// Returns the shape of null.
    pub fn null() -> Shape {
        Kinds { null: true, ..Kinds::default() }.finish()
    }

    /// Returns the shape of both booleans.
    pub fn boolean() -> Shape {
        Kinds { can_be_false: true, can_be_true: true, ..Kinds::default() }.finish()
    }

    /// Returns the shape of all numbers.
    pub fn number() -> Shape {
        Kinds { numbers: Numbers::Any, ..Kinds::default() }.finish()
    }

    /// Returns the shape of all whole numbers.
    pub fn integer() -> Shape {
        Kinds { numbers: Numbers::Whole, ..Kinds::default() }.finish()
    }

    /// Returns the shape of all strings.
    pub fn string() -> Shape {
        Kinds { strings: Strings::Any, ..Kinds::default() }.finish()
    }

    /// Returns the shape of one string.
    pub fn text(text: &str) -> Shape {
        Kinds { strings: Strings::one(text), ..Kinds::default() }.finish()
    }

    /// Returns the shape of the arrays with such elements.
    pub fn list(elements: Shape) -> Shape {
        Shape::array(ArrayShape { prefix: Vec::new(), rest: elements, least: 0 })
    }

    /// Returns the shape of the arrays with exactly these elements.
    pub fn tuple(elements: Vec<Shape>) -> Shape {
        let least = elements.len();
        Shape::array(ArrayShape { prefix: elements, rest: Shape::never(), least })
    }

    /// Returns the shape of some arrays.
    pub fn array(array: ArrayShape) -> Shape {
        Kinds { array: array.normal(), ..Kinds::default() }.finish()
    }

    /// Returns the shape of the objects with exactly these members.
    pub fn record<N: Into<Arc<str>>>(members: impl IntoIterator<Item = (N, Shape)>) -> Shape {
        let fields = members.into_iter().map(|(name, shape)| (name.into(), Field { shape, required: true }));
        Shape::object(RecordShape { fields: fields.collect(), rest: Shape::never() })
    }

    /// Returns the shape of some objects.
    pub fn object(object: RecordShape) -> Shape {
        Kinds { object: object.normal(), ..Kinds::default() }.finish()
    }

    /// Returns the shape of all objects.
    pub fn any_object() -> Shape {
        Shape::object(RecordShape::open())
    }

    /// Returns what is known for each kind of value, or `None` for the shape of all values.
    pub fn kinds(&self) -> Option<&Kinds> {
        self.kinds.as_deref()
    }

    /// Returns `true` if nothing is known of the value, not even to rustc.
    pub fn is_unknown(&self) -> bool {
        self.kinds.is_none() && self.rust.is_none()
    }

    /// Returns `true` for the shape of all values.
    pub fn is_any(&self) -> bool {
        self.kinds.is_none()
    }

    /// Returns `true` for the shape without values.
    pub fn is_never(&self) -> bool {
        match &self.kinds {
            Some(kinds) => kinds.set().is_empty(),
            None => false,
        }
    }

    /// Returns the number of shapes inside the shape, with itself.
    pub fn size(&self) -> usize {
        self.kinds().map_or(1, |kinds| kinds.size)
    }

    /// Returns the place that the value comes from.
    pub fn origin(&self) -> Option<&ValueOrigin> {
        self.origin.as_ref()
    }

    /// Returns the shape with an origin.
    pub fn from_origin(self, origin: ValueOrigin) -> Shape {
        Shape { origin: Some(origin), ..self }
    }

    /// Returns the shape with this origin if it has none.
    pub fn or_origin(self, origin: impl FnOnce() -> ValueOrigin) -> Shape {
        Shape { origin: self.origin.or_else(|| Some(origin())), ..self }
    }

    /// Returns the kinds of its values.
    pub fn set(&self) -> KindSet {
        self.kinds().map_or(KindSet::ALL, Kinds::set)
    }

    /// Returns the shape of its objects, if it has any. All values have all objects.
    pub fn as_object(&self) -> Option<RecordShape> {
        match self.kinds() {
            None => Some(RecordShape { fields: Members::new(), rest: self.rust_at(RustStep::AnyMember) }),
            Some(kinds) => kinds.object.clone(),
        }
    }

    /// Returns the shape of its arrays, if it has any. All values have all arrays.
    pub fn as_array(&self) -> Option<ArrayShape> {
        match self.kinds() {
            None => Some(ArrayShape { prefix: Vec::new(), rest: self.rust_at(RustStep::Elements), least: 0 }),
            Some(kinds) => kinds.array.clone(),
        }
    }

    /// Returns the shape of all elements of its arrays.
    pub fn elements(&self) -> Shape {
        let Some(array) = self.as_array() else { return Shape::never() };
        Shape::union(&array.prefix.iter().chain([&array.rest]).map(Shape::rust_unnamed).collect::<Vec<_>>())
    }

    /// Returns the shape of the members and the elements of its values.
    pub fn children(&self) -> Shape {
        if self.rust.is_some() {
            return self.rust_at(RustStep::Children);
        }
        let Some(object) = self.as_object() else { return self.elements() };
        let members = object.fields.values().map(|field| &field.shape);
        Shape::union(members.chain([&object.rest.rust_unnamed(), &self.elements()]))
    }
}

impl ArrayShape {
    /// Returns the shape of all arrays.
    pub fn open() -> ArrayShape {
        ArrayShape { prefix: Vec::new(), rest: Shape::any(), least: 0 }
    }

    /// Returns the shape of the element at an index, which may not exist.
    pub fn at(&self, index: usize) -> &Shape {
        self.prefix.get(index).unwrap_or(&self.rest)
    }

    /// Returns the largest number of elements, if it is known.
    pub fn most(&self) -> Option<usize> {
        self.rest.is_never().then_some(self.prefix.len())
    }

    /// Returns `true` if the shapes are the same, with the same origins.
    fn is_same(&self, other: &ArrayShape) -> bool {
        self.least == other.least
            && self.prefix.len() == other.prefix.len()
            && self.rest.is_same(&other.rest)
            && self.prefix.iter().zip(&other.prefix).all(|(left, right)| left.is_same(right))
    }

    /// Returns the one form of the shape, or `None` if there is no such array.
    fn normal(mut self) -> Option<ArrayShape> {
        if let Some(end) = self.prefix.iter().position(Shape::is_never) {
            self.prefix.truncate(end);
            self.rest = Shape::never();
        }
        if self.prefix.len() > limits::MAX_PREFIX {
            self.rest = Shape::union(self.prefix[limits::MAX_PREFIX..].iter().chain([&self.rest]));
            self.prefix.truncate(limits::MAX_PREFIX);
        }
        while self.prefix.last().is_some_and(|last| *last == self.rest) {
            self.prefix.pop();
        }
        (self.most().is_none_or(|most| self.least <= most)).then_some(self)
    }
}

impl Field {
    /// Returns `true` if the field says more than the shape of all members without a name.
    fn says_more_than(&self, rest: &Shape) -> bool {
        self.required || self.shape.origin.is_some() || self.shape != *rest
    }
}

impl RecordShape {
    /// Returns the shape of all objects.
    pub fn open() -> RecordShape {
        RecordShape { fields: Members::new(), rest: Shape::any() }
    }

    /// Returns `true` if the object has no members but the known ones.
    pub fn is_closed(&self) -> bool {
        self.rest.is_never()
    }

    /// Returns what is known of a member.
    pub fn field(&self, name: &str) -> Field {
        self.fields.get(name).cloned().unwrap_or_else(|| Field { shape: self.rest.rust_named(name), required: false })
    }

    /// Returns the names of the members that an object can have.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|(_, field)| !field.shape.is_never()).map(|(name, _)| &**name)
    }

    /// Returns the shape of the objects with another member in place of one, or `None` if there is
    /// no such object.
    fn with(mut self, name: &str, field: Field) -> Option<RecordShape> {
        match field.required {
            true if field.shape.is_never() => None,
            true if self.fields.len() < limits::MAX_FIELDS => {
                self.fields.insert(name, field);
                Some(self)
            }
            _ => {
                self.fields.insert(name, field);
                self.normal()
            }
        }
    }

    /// Returns the one form of the shape, or `None` if there is no such object.
    fn normal(mut self) -> Option<RecordShape> {
        if self.fields.values().any(|field| field.required && field.shape.is_never()) {
            return None;
        }
        if self.fields.len() > limits::MAX_FIELDS {
            return Some(RecordShape::open());
        }
        // A member that may be missing and is like all others says nothing, unless a description
        // names it.
        let rest = &self.rest;
        self.fields.retain(|field| field.says_more_than(rest));
        Some(self)
    }
}
