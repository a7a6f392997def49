//! Functions of the runtime that SM4C calls. `docs/sm4c.md` describes what happens in a state.

use crate::expr::{Fallibility, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fallibility: Fallibility::Infallible, turn: false, context: false }
}

/// Initial data of an execution. Argument: `Owned` its input. A missing input is the empty object.
pub static INPUT: Function = pure("sm4c::input", Type::Value);

/// Error that handlers see ([S14](docs/sm4c.md#s14)). Argument: `Owned` the fault as `{"Error": …,
/// "Cause": …}`.
pub static ERROR: Function = pure("sm4c::error", Type::Value);

/// Event that handlers see, with the member names of CloudEvents and those of the specification
/// ([S10](docs/sm4c.md#s10)). Argument: `Value` the event.
pub static EVENT: Function = pure("sm4c::event", Type::Value);

/// Event that a group has received, or null. Arguments: `Value` the events of the groups, `Int`
/// the group.
pub static SEEN: Function = pure("sm4c::seen", Type::Ref);

/// Events of the groups with one more. Arguments: `Owned` the events, `Int` the group, `Value` the
/// new event.
pub static NOTE: Function = pure("sm4c::note", Type::Value);

/// Test whether an event is one of the definition's events with these indices. Arguments: `Value`
/// the event, `Strs` the indices as text.
pub static IS_EVENT: Function = Function { turn: true, ..pure("sm4c::is_event", Type::Bool) };

/// Results of the completed children, by key. Arguments: `Value` the indices and results in
/// completion order, each with the pending handlers; `Strs` the keys.
pub static ENDED: Function = pure("sm4c::ended", Type::Value);

/// Union of two objects without common members. Arguments: `Owned` and `Owned`.
pub static BOTH: Function = pure("sm4c::both", Type::Value);

/// Results of iterations in the order of the items. Argument: `Value` as for [`ENDED`].
pub static IN_ORDER: Function = pure("sm4c::in_order", Type::Value);

/// Output of a failed child; the other children are cancelled. Arguments: `Owned` the pending
/// handlers, `Owned` the fault as `{"Error": …, "Cause": …}`.
pub static FAILED: Function = Function { turn: true, ..pure("sm4c::failed", Type::Value) };

/// Completed children, or the fault of the failed one. Argument: `Owned` as for [`ENDED`].
pub static UNLESS_FAILED: Function =
    Function { fallibility: Fallibility::Catchable, ..pure("sm4c::unless_failed", Type::Value) };

/// Elements of a `foreach`. Argument: `Owned` the input. Fails if the input is not an array.
pub static ELEMENTS: Function = Function { fallibility: Fallibility::Catchable, ..pure("sm4c::elements", Type::Value) };

/// Pending handlers after children have ended, in completion order ([S20](docs/sm4c.md#s20)).
/// Arguments: `Value` the handlers pending before, `Value` the indices and results of the
/// children.
pub static HANDLED: Function = pure("sm4c::handled", Type::Value);

/// Pending handlers with one more. Arguments: `Value` the pending handlers, `Int` the new handler,
/// `Value` its error.
pub static HANDLE: Function = pure("sm4c::handle", Type::Value);

/// Test whether the first pending handler is this one. Arguments: `Value` the pending handlers,
/// `Int` the handler.
pub static IS_FIRST: Function = pure("sm4c::is_first", Type::Bool);

/// Error of the first pending handler. Argument: `Value` the pending handlers.
pub static FIRST: Function = pure("sm4c::first", Type::Value);

/// Pending handlers without the first. Argument: `Value` the pending handlers.
pub static REST: Function = pure("sm4c::rest", Type::Value);

/// First fault of failed handlers. Arguments: `Owned` the fault so far or null, `Owned` one more
/// fault, as `{"Error": …, "Cause": …}`.
pub static FIRST_FAULT: Function = pure("sm4c::first_fault", Type::Value);

/// Null, or a failure with the fault of the first failed handler. Argument: `Owned` that fault or
/// null.
pub static UNLESS_FAULT: Function =
    Function { fallibility: Fallibility::Catchable, ..pure("sm4c::unless_fault", Type::Value) };

/// Test whether a value is null. Argument: `Value`.
pub static IS_NULL: Function = pure("sm4c::is_null", Type::Bool);

/// Test whether a value is this string. Arguments: `Value`, `Str`.
pub static IS: Function = pure("sm4c::is", Type::Bool);

/// Fault of a state that no transition leads out of ([S7](docs/sm4c.md#s7)). Argument: `Str` its
/// name.
pub static STUCK: Function = pure("sm4c::stuck", Type::Fault);
