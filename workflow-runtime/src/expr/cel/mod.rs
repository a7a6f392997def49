//! CEL: what compiled expressions call. The crate `cel` evaluates them on the runtime's values.
//!
//! The compiler has read the text, and looked its names up. An expression sees the members of the data by their bare names, and
//! the variables that it is given, which win. `null`, booleans, strings, arrays and objects are what they are; a whole number of
//! 64 bits is an `int`, and any other number a `double`. Numbers of both types are compared by value, as `cel` does it; arithmetic takes
//! two of one type.
//!
//! The keys of a map are gone through in their order, so that an expression yields the same whenever it is evaluated.

mod engine;
mod error;
mod guard;
mod value;

#[cfg(test)]
mod tests;

pub use engine::Program;

use crate::fault::Fault;
use crate::machine::Turn;
use crate::value::Value;

/// Whether an expression holds for the data, within the limits of the execution. `variables` are the values of the program's
/// variables, in their order.
///
/// # Errors
/// What the evaluation fails with, a result that is neither true nor false, and a limit that is exceeded: a fault that can be
/// caught.
pub fn interpret_test<M>(turn: &Turn<M>, program: &Program, data: &Value, variables: &[Value]) -> Result<bool, Fault> {
    program.holds(turn.function_limits(), data, variables)
}
