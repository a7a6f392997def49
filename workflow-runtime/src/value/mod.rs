//! The one value type of the runtime: JSON data that is cloned in constant time.
//!
//! Arrays, objects and strings sit behind [`Arc`]s. A change copies what lies on the way to it and no more
//! (`Arc::make_mut`), and nothing at all where the value is not shared.
//!
//! A value may be nested to any depth: a loop of a workflow can wrap its document once per step. Dropping, cloning,
//! comparing, printing and saving one use bounded stack. Where text or serde comes in or goes out, and the other side
//! recurses, the depth is limited to 128.

mod access;
mod array;
mod convert;
mod display;
mod equality;
mod number;
mod object;
mod release;
mod string;

use std::sync::Arc;

pub use access::{Get, Key};
pub use array::Array;
pub use convert::{array, object};
pub use object::Object;
pub use string::Str;

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
