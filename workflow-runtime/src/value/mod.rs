//! The value type of the runtime: JSON data that is cloned in constant time.
//!
//! Arrays, objects and strings are behind [`Arc`]s. A change copies the shared values on the path
//! to it (`Arc::make_mut`), and nothing if they are not shared.
//!
//! A value may be nested to any depth: a loop of a workflow can wrap its document in each
//! iteration. Dropping, cloning, comparing, printing, saving and loading use bounded stack. Where
//! a parser, serializer or type on the other side recurses, the depth is limited to [`MAX_DEPTH`].

mod access;
mod array;
#[doc(hidden)]
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

/// The levels of arrays and objects that can pass through text and serde: the limit of
/// `serde_json`.
pub const MAX_DEPTH: usize = 127;

/// A JSON value.
///
/// Equality is that of JSON: `1 == 1.0`, and the order of members does not matter.
///
/// ```
/// use workflow_runtime::value::Get as _;
/// use workflow_runtime::{Value, value};
///
/// let order = Value::from_json(r#"{ "lines": [{ "sku": "x", "n": 2 }] }"#).unwrap();
/// let line = order.get("lines").get(0);
/// assert_eq!(line.get("n").and_then(Value::as_i64), Some(2));
/// assert_eq!(line, Some(&value!({ "n": 2.0, "sku": "x" })));
/// ```
#[derive(Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that fits 64 bits, stored exactly.
    Int(i64),
    /// Any other number. Always finite: conversions turn other doubles into [`Value::Null`].
    Float(f64),
    /// A string.
    String(Str),
    /// An array.
    Array(Arc<Array>),
    /// An object, whose members keep their order.
    Object(Arc<Object>),
}

// Three words: a value moves in registers, and a vector of values has no padding.
const _: () = assert!(size_of::<Value>() == 24 && size_of::<Option<Value>>() == 24);

#[cfg(test)]
mod tests;
