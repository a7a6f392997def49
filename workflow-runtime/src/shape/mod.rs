//! Shapes of the program's types: what rustc knows of the JSON that a type is written as, and the
//! check of a definition's paths against it.

mod check;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "url", feature = "uuid"))]
mod crates;
mod impls;
mod lookup;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

pub use check::{PathRule, PathUse, check_paths};

/// A type whose JSON has a known shape.
///
/// `#[derive(Shape)]` (feature `macros`) implements it, beside serde's derives and by serde's
/// attributes. A definition that reads a member of a task's output or of the input of the workflow
/// is then checked by rustc: a member that the type never has is an error of the build. Paths into
/// a type without an implementation are not checked.
///
#[cfg_attr(all(feature = "asl", feature = "macros", feature = "memory"), doc = "```")]
#[cfg_attr(not(all(feature = "asl", feature = "macros", feature = "memory")), doc = "```ignore")]
/// use serde::Serialize;
/// use workflow_runtime::Shape;
///
/// #[derive(Serialize, Shape)]
/// #[serde(rename_all = "camelCase")]
/// struct Receipt {
///     id: String,
///     total_amount: Money,
/// }
///
/// /// An amount, written as a text.
/// struct Money(i64);
///
/// impl Serialize for Money {
///     fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         serializer.collect_str(&format_args!("{}.{:02}", self.0 / 100, self.0 % 100))
///     }
/// }
///
/// impl Shape for Money {
///     const SHAPE: &'static workflow_runtime::TypeShape = String::SHAPE;
/// }
/// ```
///
/// The shape is that of `Serialize`. A type that implements it by hand has the shape of the type
/// that it is written as, like `Money`. The attribute `#[shape(any)]` of a field, a variant or a
/// type says that nothing is known of it.
pub trait Shape {
    /// The shape.
    const SHAPE: &'static TypeShape;
}

/// The shape of a type. Programs take it from other types: `String::SHAPE`.
///
/// See the example of [`Shape`](trait@Shape).
#[derive(Debug)]
#[non_exhaustive]
pub enum TypeShape {
    /// Any JSON: nothing is known.
    #[doc(hidden)]
    Any,
    /// Null.
    #[doc(hidden)]
    Null,
    /// A boolean.
    #[doc(hidden)]
    Boolean,
    /// A number.
    #[doc(hidden)]
    Number,
    /// A string.
    #[doc(hidden)]
    String,
    /// A string that is the name of a variant, after the hash of the name. Where the type is
    /// flattened, serde writes a member of this name, which is null.
    #[doc(hidden)]
    Unit(u64, &'static str),
    /// An array of any length.
    #[doc(hidden)]
    List(&'static TypeShape),
    /// An array of these elements.
    #[doc(hidden)]
    Tuple(&'static [&'static TypeShape]),
    /// An object with any members.
    #[doc(hidden)]
    Map(&'static TypeShape),
    /// An object with known members.
    #[doc(hidden)]
    Record {
        /// The name of the type.
        name: &'static str,
        /// The members, each with the hash of its name.
        members: &'static [(u64, &'static str, &'static TypeShape)],
        /// The types whose members the object has, too.
        flattened: &'static [&'static TypeShape],
    },
    /// One of several shapes, with the name of the type if it has one.
    #[doc(hidden)]
    OneOf(&'static str, &'static [&'static TypeShape]),
}

/// The shape of a type with or without a [`Shape`]: an associated constant of a type takes
/// precedence over that of a trait.
#[doc(hidden)]
pub struct ShapeOf<T: ?Sized>(PhantomData<T>);

impl<T: Shape + ?Sized> ShapeOf<T> {
    /// The shape.
    pub const SHAPE: &'static TypeShape = T::SHAPE;
}

/// The shape of a type that has none.
#[doc(hidden)]
pub trait UnknownShape {
    /// The shape of any JSON.
    const SHAPE: &'static TypeShape = &TypeShape::Any;
}

impl<T: ?Sized> UnknownShape for ShapeOf<T> {}
