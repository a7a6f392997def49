//! JavaScript: what the functions of compositions are compiled to.
//!
//! Operators and built-ins mean what ECMA-262 says, in strict mode, over values that are backed by the runtime's own
//! [`Value`](crate::Value): making an argument of a document takes no time that depends on its size, and neither does taking
//! the result back, where a function did not look. Whole numbers beyond 2^53 stay exact as long as they are only passed on;
//! what is computed is a double.
//!
//! What is not as in an engine:
//! * A lone surrogate is U+FFFD (ruling Q14).
//! * Arrays have no holes: what would be one is undefined. They have no properties but elements.
//! * Methods are found by the kind of a value. Prototypes are no values, and reading a method makes a new function each time.
//! * Iterators (`entries`, `keys`, `values`) are arrays of what there was when they were made.
//! * Local time is UTC; text is compared by code points where a locale would decide.
//! * An object that was only passed on keeps the order of its members, also of those whose keys are numbers.

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
pub use literal::{array, iterate, object, rest_from, rest_of, spread_array, spread_object};
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
