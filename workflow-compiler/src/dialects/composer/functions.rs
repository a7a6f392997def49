//! Functions of the runtime that compositions call. `docs/composer.md` describes parameters,
//! errors and the stack.

use crate::expr::{Fallibility, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fallibility: Fallibility::Infallible, turn: false, context: false }
}

/// Parameters after a Task state. Argument: `Owned` its outcome. Yields an object unchanged and
/// wraps any other value as `{"value": …}` ([Q6](docs/composer.md#q6)). An object with the key
/// `error` becomes an error object, which has no other key ([Q15](docs/composer.md#q15)).
pub static OUTCOME: Function = pure("composer::outcome", Type::Value);

/// Initial parameters of an execution. Argument: `Owned` its input. Wraps a value that is not an
/// object.
pub static PARAMETERS: Function = pure("composer::parameters", Type::Value);

/// Test whether parameters are an error object. Argument: `Value`.
pub static IS_ERROR: Function = pure("composer::is_error", Type::Bool);

/// Test whether a Choice leads to `Then`. Argument: `Maybe` the key `value`. Only `true` itself
/// counts as true ([Q5](docs/composer.md#q5)).
pub static IS_TRUE: Function = pure("composer::is_true", Type::Bool);

/// Error object of a fault. Argument: `Owned` the fault as `{"Error": …, "Cause": …}`.
pub static ERROR_OBJECT: Function = pure("composer::error_object", Type::Value);

/// Fault of an execution that ends with an error object. Argument: `Owned` the error object.
pub static FAILURE: Function = pure("composer::failure", Type::Fault);

/// Stack at run time, for compositions whose stack has no static shape
/// ([Q13](docs/composer.md#q13)).
pub mod stack {
    use super::{Fallibility, Function, Type, pure};

    const fn checked(path: &'static str) -> Function {
        Function { fallibility: Fallibility::Fatal, ..pure(path, Type::Value) }
    }

    /// Push of parameters. Arguments: `Edit` the stack, `Owned` the parameters.
    pub static PUSH_PARAMS: Function = pure("composer::push_params", Type::Value);
    /// Push of a handler. Arguments: `Edit` the stack, `Str` the state.
    pub static PUSH_HANDLER: Function = pure("composer::push_handler", Type::Value);
    /// Push of a variable. Arguments: `Edit` the stack, `Str` its name, `Owned` its value.
    pub static PUSH_VARIABLE: Function = pure("composer::push_variable", Type::Value);
    /// Parameters on top. Arguments: `Value` the stack, `Str` the state. Fails if the top is
    /// anything else.
    pub static PARAMS: Function = checked("composer::params");
    /// Check that a handler is on top. Arguments and faults as for [`PARAMS`].
    pub static HANDLER: Function = checked("composer::handler");
    /// Check that a variable is on top. Arguments and faults as for [`PARAMS`].
    pub static VARIABLE: Function = checked("composer::variable");
    /// Value of the topmost variable of a name, or null. Arguments: `Value` the stack, `Str` the
    /// name.
    pub static READ: Function = pure("composer::read", Type::Value);
    /// Assignment to the topmost variable of a name. Arguments: `Edit` the stack, `Str` the name,
    /// `Owned` the value.
    pub static WRITE: Function = pure("composer::write", Type::Value);
    /// Removal of the top. Argument: `Edit` the stack.
    pub static POP: Function = pure("composer::pop", Type::Value);
    /// Removal of everything above the topmost handler. Argument: `Edit` the stack.
    pub static UNWIND: Function = pure("composer::unwind", Type::Value);
    /// Test whether this handler is on top. Arguments: `Value` the stack, `Str` the state.
    pub static IS_HANDLER: Function = pure("composer::is_handler", Type::Bool);
}
