//! The runtime library of compiled JavaScript functions of compositions.
//!
//! Operators and built-ins have the semantics of ECMA-262 in strict mode. Values are backed by the
//! runtime's own [`Value`](crate::Value): converting a document to an argument takes constant
//! time, and so does converting back a result that the function did not read. Integers beyond 2^53
//! stay exact as long as they are only passed on. Computed numbers are doubles.
//!
//! Differences from an engine:
//! * A lone surrogate is U+FFFD ([Q14](docs/composer.md#q14)).
//! * Arrays have no holes: a hole would be undefined. Arrays have no properties besides their
//!   elements.
//! * Methods are found by the type of a value. Prototypes are not values, and reading a method
//!   creates a new function each time.
//! * Iterators (`entries`, `keys`, `values`) are arrays of the content at the time of the call.
//! * Local time is UTC. Text comparisons that depend on a locale compare code points.
//! * An object that was only passed on keeps the order of its members, even if their keys are
//!   numbers.

mod budget;
pub mod builtin;
mod call;
mod coerce;
mod date;
mod date_parse;
mod digits;
mod each;
#[cfg(feature = "javascript")]
pub mod engine;
mod error;
mod json;
mod json_parse;
mod literal;
mod members;
mod method;
mod object;
mod operators;
mod property;
mod release;
mod run;
mod text;
mod translated;
mod value;

#[cfg(test)]
mod tests;

pub use budget::{Run, Session};
pub use call::{call, call_method, call_method_at, call_with, construct, function};
pub use coerce::{int32, number, number_text, property_key, string, truthy, uint32};
pub use each::{Each, EachKey, each, each_key};
pub use error::{constant_assignment, range_error, reference_error, syntax_error, type_error};
pub use literal::{array, iterate, object, require_object_coercible, rest_from, rest_of, spread_array, spread_object};
pub use method::{Method, prototypes};
pub use object::{Class, Obj};
pub use operators::{
    add, greater, greater_or_equal, has, instance_of, less, less_or_equal, loose_equals, power, strict_equals, type_of,
};
pub use property::{constructor_name, delete, delete_at, get, get_at, keys, set, set_at};
pub use run::run;
pub use translated::{
    Flow, added, argument, attempt, concat, post_decrement, post_increment, receiver, rest_arguments, undeclared,
};
pub use value::{Js, Result, Throw, Var};
