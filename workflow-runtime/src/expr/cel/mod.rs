//! CEL. The crate `cel` evaluates the compiled expressions on the runtime's values.
//!
//! The compiler has parsed the text and resolved its names. An expression reads the members of the
//! data by their bare names, and the variables that are passed to it. Variables win. Null,
//! booleans, strings, arrays and objects keep their types. An integer of 64 bits is an `int`, and
//! any other number is a `double`. Comparisons between the two number types compare by value, as
//! `cel` does. Arithmetic takes two operands of one type.
//!
//! The keys of a map are iterated in their order, so that the evaluations of an expression are
//! deterministic.

mod engine;
mod error;
mod guard;
mod value;

#[cfg(test)]
mod tests;

pub use engine::CelProgram;

use crate::fault::Fault;
use crate::machine::Turn;
use crate::value::Value;

/// Returns `true` if an expression holds for the data, within the limits of the execution.
/// `variables` are the values of the program's variables, in their order.
///
/// # Errors
/// A failed evaluation, a result that is not a boolean, and an exceeded limit are faults that can
/// be caught.
pub fn interpret_test<M>(
    turn: &Turn<M>,
    program: &CelProgram,
    data: &Value,
    variables: &[Value],
) -> Result<bool, Fault> {
    program.holds(turn.function_limits(), data, variables)
}
