//! jq: what compiled expressions call, with the meaning that jq 1.8.2 gives it.
//!
//! A native has jq's name (with `_` behind it if that is a word of Rust) and takes its input first. What has one output
//! returns it; what has many hands them to a closure. Messages are jq's.
//!
//! What is not as in jq:
//! * A number of the data is an `i64` or a double: jq keeps the digits as they were written. So `1.50` is printed as `1.5`,
//!   and what has more than 64 bits is rounded. Whole numbers of the data stay exact as long as they are only passed on, as
//!   in jq; computed ones are doubles.
//! * Nothing of what jq limits to 10,000 levels of nesting is limited here.
//! * An evaluation has a budget of steps, time and memory ([`run`]).

mod arith;
mod budget;
mod error;
mod number;
mod order;
mod strings;
mod text;

#[cfg(test)]
mod tests;

pub use arith::{add, div, mul, neg, rem, sub};
pub use budget::{Finish, charge, charge_elements, run, tick};
pub use error::{
    Error, Result, cannot_index, cannot_iterate, not_a_key, not_a_path, not_a_path_to_index, not_a_path_to_iterate,
    type_error, type_error2,
};
pub use number::{finish, number};
pub use order::{cmp, eq, truthy};
pub use text::{beginning, push, tojson, tostring};
