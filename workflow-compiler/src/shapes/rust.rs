//! Values of the program's types, whose members only rustc knows. The compiler follows where they
//! go, and generated code has the paths into them, which rustc checks.

use super::kind::Kinds;
use super::limits::MAX_DEPTH;
use super::{Access, Field, KindSet, Shape};
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
    /// The value, if it is not null.
    NotNull,
}

/// A path into a value of a type of the program. rustc refuses it if it cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathCheck {
    /// The type, by its number in the list of types.
    pub ty: usize,
    /// The source of the value: the output of `ChargeCard`. Empty for several sources.
    pub source: Arc<str>,
    /// The diagnostic if the path does not exist.
    pub code: &'static Code,
    /// The span of the first step that is checked.
    pub span: Span,
    /// The path before this step, as written.
    pub base: String,
    /// The number of steps that are not checked.
    pub checked_from: usize,
    /// All steps from a value of the type, as the runtime reads them.
    pub steps: Vec<String>,
}

/// A read of a value of a type of the program.
#[derive(Debug, Clone)]
pub struct RustRead {
    /// The place of the value.
    pub place: Arc<RustPlace>,
    /// `true` if each run needs the value, if no task fails.
    pub is_required: bool,
    /// The kinds that the reader takes or compares the value with.
    pub kinds: KindSet,
}

/// The paths into values of the program's types.
#[derive(Debug, Clone, Default)]
pub struct TypedPaths {
    /// The types. The checks refer to them by their numbers.
    pub types: Vec<RustCode>,
    /// The paths.
    pub checks: Vec<PathCheck>,
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

    /// Returns the read of a value of a type of the program.
    pub fn rust_read(&self, is_required: bool, kinds: KindSet) -> Option<RustRead> {
        self.rust.clone().map(|place| RustRead { place, is_required, kinds })
    }

    /// Returns `true` if the last step to the value, by this name or to elements, is one that only
    /// rustc can check.
    pub fn ends_in(&self, name: Option<&str>) -> bool {
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

    /// Returns the values among these, of which a test has shown some kinds. Types of the program
    /// may have no such values, so that nothing is known of the places in them any more. Where the
    /// test has left out null only, the others are those of the type.
    pub fn tested(&self, kinds: KindSet) -> Shape {
        match self.rust.is_some() && (kinds | KindSet::NULL) == KindSet::ALL {
            true => self.rust_at(RustStep::NotNull).only(kinds),
            false => self.only(kinds).without_places(),
        }
    }

    /// Returns the shape without the places in types of the program.
    pub fn without_places(&self) -> Shape {
        let Some(kinds) = self.kinds() else { return Shape { rust: None, ..self.clone() } };
        let mut kinds = kinds.clone();
        if let Some(array) = &mut kinds.array {
            array.prefix.iter_mut().chain([&mut array.rest]).for_each(|element| *element = element.without_places());
        }
        if let Some(object) = &mut kinds.object {
            object.fields =
                object.fields.map(|_, field| Field { shape: field.shape.without_places(), required: field.required });
            object.rest = object.rest.without_places();
            // A member without its place may be like all others.
            kinds.object = object.clone().normal();
        }
        Shape { origin: self.origin.clone(), ..kinds.finish() }
    }

    /// Returns the shape of any member, from that of a member whose name is not known.
    pub(super) fn rust_unnamed(&self) -> Shape {
        match self.rust().map(|place| (place.ty, &place.steps[..])) {
            Some((ty, [before @ .., RustStep::AnyMember])) => {
                let steps = before.iter().cloned().chain([RustStep::Children]).collect();
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
