//! The one value type of the runtime: JSON data that is cloned in constant time.
//!
//! Arrays, objects and strings sit behind [`Arc`]s. A change copies what lies on the way to it and no more
//! (`Arc::make_mut`), and nothing at all where the value is not shared.
//!
//! A value may be nested to any depth: a loop of a workflow can wrap its document once per step. Dropping, cloning,
//! comparing, printing, saving and loading one use bounded stack. Where a parser, serializer or type on the other side
//! recurses, the depth is limited to [`MAX_DEPTH`].

mod access;
mod array;
pub mod codec;
mod convert;
mod de;
mod de_enum;
mod display;
mod equality;
mod error;
mod foreign;
mod json;
mod keys;
mod length;
mod literal;
mod macros;
mod number;
mod object;
pub(crate) mod pairs;
mod release;
mod ser;
mod ser_key;
mod string;
pub(crate) mod text;
mod walk;

use std::sync::Arc;

pub use access::{Get, Key};
pub use array::Array;
pub use convert::{array, object};
pub use error::ValueError;
pub use length::{DOCUMENT_LIMIT, TEXT_LIMIT, TooLarge};
pub use literal::Literal;
pub use object::Object;
pub use string::Str;
pub(crate) use text::EXCERPT;

/// How many levels of arrays and objects go through text and serde: as many as `serde_json` reads.
pub const MAX_DEPTH: usize = 127;

/// A JSON value.
///
/// Equality is that of JSON: `1 == 1.0`, and the order of members does not count.
#[derive(Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that fits 64 bits, kept exactly.
    Int(i64),
    /// Any other number. Finite: the conversions make [`Value::Null`] of what is not.
    Float(f64),
    /// A string.
    String(Str),
    /// An array.
    Array(Arc<Array>),
    /// An object, whose members keep their order.
    Object(Arc<Object>),
}

// Three words: a value moves in registers, and a vector of values wastes nothing.
const _: () = assert!(size_of::<Value>() == 24 && size_of::<Option<Value>>() == 24);

#[cfg(test)]
mod tests;
