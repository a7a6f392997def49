//! Functions of the runtime that Baton calls.

use crate::expr::{Fallibility, Function, Type};

/// Time in a number of seconds from now. Argument: `Float`.
pub static IN_SECONDS: Function = Function {
    path: "events::in_seconds",
    returns: Type::Value,
    fallibility: Fallibility::Infallible,
    turn: true,
    context: false,
};
