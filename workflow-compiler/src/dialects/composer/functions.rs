//! The functions of the runtime that compositions call (section 1.2 of the specification).

use crate::expr::{Fails, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fails: Fails::Never, turn: false, context: false }
}

/// What of the input of an execution, or of the outcome of an action, becomes the parameters. Argument: `Owned`. An object
/// stays as it is, anything else is wrapped as `{"value": …}`; an object with the key `error` becomes an error object, which
/// has no other key.
pub static OUTCOME: Function = pure("composer::outcome", Type::Value);

/// The parameters that an execution starts with. Argument: `Owned` its input. What is no object is wrapped.
pub static PARAMETERS: Function = pure("composer::parameters", Type::Value);

/// Whether parameters are an error object. Argument: `Value`.
pub static IS_ERROR: Function = pure("composer::is_error", Type::Bool);

/// Whether a Choice goes to `Then`. Argument: `Maybe` the key `value`. Only `true` itself is true (ruling Q5).
pub static IS_TRUE: Function = pure("composer::is_true", Type::Bool);

/// The error object of a fault. Argument: `Owned` the fault as `{"Error": …, "Cause": …}`.
pub static ERROR_OBJECT: Function = pure("composer::error_object", Type::Value);

/// The fault of an execution that ends with an error object. Argument: `Owned` the error object.
pub static FAILURE: Function = pure("composer::failure", Type::Fault);

/// A stack at run time, for compositions whose stack has no static shape (ruling Q13).
pub mod stack {
    use super::{Fails, Function, Type, pure};

    const fn checked(path: &'static str) -> Function {
        Function { fails: Fails::Fatally, ..pure(path, Type::Value) }
    }

    /// Saves parameters. Arguments: `Edit` the stack, `Owned` the parameters.
    pub static PUSH_PARAMS: Function = pure("composer::push_params", Type::Value);
    /// Sets up a handler. Arguments: `Edit` the stack, `Str` the state.
    pub static PUSH_HANDLER: Function = pure("composer::push_handler", Type::Value);
    /// Declares a variable. Arguments: `Edit` the stack, `Str` its name, `Owned` its value.
    pub static PUSH_VARIABLE: Function = pure("composer::push_variable", Type::Value);
    /// The parameters on top. Arguments: `Value` the stack, `Str` the state. Fails where something else is on top.
    pub static PARAMS: Function = checked("composer::params");
    /// Whether a handler is on top, as `PARAMS` does.
    pub static HANDLER: Function = checked("composer::handler");
    /// Whether a variable is on top, as `PARAMS` does.
    pub static VARIABLE: Function = checked("composer::variable");
    /// A variable by its name, the topmost; null where there is none. Arguments: `Value` the stack, `Str` the name.
    pub static READ: Function = pure("composer::read", Type::Value);
    /// Changes the topmost variable of a name. Arguments: `Edit` the stack, `Str` the name, `Owned` the value.
    pub static WRITE: Function = pure("composer::write", Type::Value);
    /// Takes off what is on top. Argument: `Edit` the stack.
    pub static POP: Function = pure("composer::pop", Type::Value);
    /// Takes off everything above the topmost handler. Argument: `Edit` the stack.
    pub static UNWIND: Function = pure("composer::unwind", Type::Value);
    /// Whether this handler is on top. Arguments: `Value` the stack, `Str` the state.
    pub static IS_HANDLER: Function = pure("composer::is_handler", Type::Bool);
}
