//! Values of the program's types, whose members only rustc knows. The compiler follows where they
//! go, and generated code has the paths into them, which rustc checks.

use super::kind::Kinds;
use super::limits::MAX_DEPTH;
use super::{Access, Shape};
use crate::diagnostics::Code;
use crate::options::RustCode;
use crate::source::Span;
use std::sync::Arc;

/// A place in the values of a type of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustPlace {
    /// The type, by its number in the list of types.
    pub ty: usize,
    /// The steps from a value of the type.
    pub steps: Vec<RustStep>,
}

/// A step into a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RustStep {
    /// The member of an object.
    Member(Arc<str>),
    /// The member of an object, or the members of the elements of an array.
    Mapped(Arc<str>),
    /// The elements of an array.
    Elements,
    /// The elements of an array, or the members of an object.
    Children,
    /// A member whose name is not known.
    AnyMember,
}

/// A path into a value of a type of the program, of which rustc decides whether it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathClaim {
    /// The type, by its number in the list of types.
    pub ty: usize,
    /// The source of the value: the output of `ChargeCard`.
    pub source: Arc<str>,
    /// The diagnostic if the path does not exist.
    pub code: &'static Code,
    /// The span of the first step that is checked.
    pub span: Span,
    /// The path before this step, as written.
    pub base: String,
    /// The number of steps that are not checked.
    pub checked_from: usize,
    /// All steps from a value of the type.
    pub steps: Vec<RustStep>,
}

/// The paths into values of the program's types.
#[derive(Debug, Clone, Default)]
pub struct TypedPaths {
    /// The types. The claims refer to them by their numbers.
    pub types: Vec<RustCode>,
    /// The paths.
    pub claims: Vec<PathClaim>,
}

impl Shape {
    /// Returns the shape of the values at a place in a type of the program.
    pub fn of_rust(place: RustPlace) -> Shape {
        Shape { rust: Some(Arc::new(place)), ..Shape::any() }
    }

    /// Returns the place in a type of the program, if nothing else is known of the value.
    pub fn rust(&self) -> Option<&RustPlace> {
        self.rust.as_deref()
    }

    /// Returns `true` if only rustc decides whether the last step to the value, by this name or to
    /// elements, finds one.
    pub fn is_claimed(&self, name: Option<&str>) -> bool {
        match (self.rust().and_then(|place| place.steps.last()), name) {
            (Some(RustStep::Member(last) | RustStep::Mapped(last)), Some(name)) => **last == *name,
            (Some(RustStep::Elements | RustStep::Children), None) => true,
            _ => false,
        }
    }

    /// Returns the value at a step from here, which may not be there.
    pub fn in_rust(&self, step: RustStep) -> Access {
        Access { shape: self.rust_at(step), may_be_absent: true }
    }

    /// Returns the shape of the values at a step from here.
    pub(super) fn rust_at(&self, step: RustStep) -> Shape {
        let Some(place) = &self.rust else { return Shape::any() };
        // The name of an earlier step is not known.
        if place.steps.len() >= MAX_DEPTH || place.steps.last() == Some(&RustStep::AnyMember) {
            return Shape::any();
        }
        let steps = place.steps.iter().cloned().chain([step]).collect();
        Shape { origin: self.origin.clone(), ..Shape::of_rust(RustPlace { ty: place.ty, steps }) }
    }

    /// Returns the shape of a member with a name, from that of a member whose name is not known.
    pub(super) fn rust_named(&self, name: &str) -> Shape {
        match self.rust().map(|place| (place.ty, &place.steps[..])) {
            Some((ty, [before @ .., RustStep::AnyMember])) => {
                let steps = before.iter().cloned().chain([RustStep::Member(name.into())]).collect();
                Shape { origin: self.origin.clone(), ..Shape::of_rust(RustPlace { ty, steps }) }
            }
            _ => self.clone(),
        }
    }

    /// Returns what is known of each kind of value. Of all values that is a place in a type of the
    /// program, if anything.
    pub(super) fn expanded(&self) -> Kinds {
        match self.kinds() {
            Some(kinds) => kinds.clone(),
            None => Kinds { array: self.as_array(), object: self.as_object(), ..Kinds::all() },
        }
    }
}
