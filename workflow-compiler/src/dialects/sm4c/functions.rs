//! The functions of the runtime that state machines call (sections 2.2 to 2.6 of the specification).

use crate::expr::{Fails, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fails: Fails::Never, turn: false, context: false }
}

/// The data that an execution starts with. Argument: `Owned` its input. Nothing is the empty object.
pub static INPUT: Function = pure("sm4c::input", Type::Value);

/// The error that handlers see. Argument: `Owned` the fault as `{"Error": …, "Cause": …}`.
pub static ERROR: Function = pure("sm4c::error", Type::Value);

/// The event that handlers see: the names of CloudEvents, and those of the source text. Argument: `Value` the event.
pub static EVENT: Function = pure("sm4c::event", Type::Value);

/// The event that a group has had; null if it has had none. Arguments: `Value` the events of the groups, `Int` the group.
pub static SEEN: Function = pure("sm4c::seen", Type::Ref);

/// The events of the groups, with one more. Arguments: `Owned` those, `Int` the group, `Value` the event.
pub static NOTE: Function = pure("sm4c::note", Type::Value);

/// The time so many seconds from now. Argument: `Float`.
pub static IN_SECONDS: Function = Function { turn: true, ..pure("sm4c::in_seconds", Type::Value) };

/// Whether an event is one of those that the definition lists under these numbers. Arguments: `Value` the event, `Strs` the
/// numbers, as text.
pub static IS_EVENT: Function = Function { turn: true, ..pure("sm4c::is_event", Type::Bool) };

/// The results of the children that have ended, under their keys. Arguments: `Value` the numbers and results in the order of
/// their ends, each with what handlers are to do; `Strs` the keys.
pub static ENDED: Function = pure("sm4c::ended", Type::Value);

/// The members of two objects, which have none in common. Arguments: `Owned` and `Owned`.
pub static BOTH: Function = pure("sm4c::both", Type::Value);

/// The results of iterations in the order of the items. Argument: `Value` as for [`ENDED`].
pub static IN_ORDER: Function = pure("sm4c::in_order", Type::Value);

/// What a child ends with that has failed; those beside it are cancelled. Arguments: `Owned` what handlers are to do, `Owned`
/// the fault as `{"Error": …, "Cause": …}`.
pub static FAILED: Function = Function { turn: true, ..pure("sm4c::failed", Type::Value) };

/// The children that have ended; the fault of the one that has failed, if one has. Argument: `Owned` as for [`ENDED`].
pub static UNLESS_FAILED: Function = Function { fails: Fails::Catchably, ..pure("sm4c::unless_failed", Type::Value) };

/// The elements to iterate over. Argument: `Owned` what must be an array.
pub static ELEMENTS: Function = Function { fails: Fails::Catchably, ..pure("sm4c::elements", Type::Value) };

/// What handlers are to do after children, in the order of their ends. Arguments: `Value` what was to be done before, `Value`
/// the numbers and results.
pub static HANDLED: Function = pure("sm4c::handled", Type::Value);

/// What handlers are to do, with one more. Arguments: `Value` what was to be done before, `Int` the handler, `Value` the error.
pub static HANDLE: Function = pure("sm4c::handle", Type::Value);

/// Whether the first handler that is to do something is this one. Arguments: `Value` what is to be done, `Int` the handler.
pub static IS_FIRST: Function = pure("sm4c::is_first", Type::Bool);

/// The error that the first handler is to handle. Argument: `Value` what is to be done.
pub static FIRST: Function = pure("sm4c::first", Type::Value);

/// What is to be done after the first. Argument: `Value` what is to be done.
pub static REST: Function = pure("sm4c::rest", Type::Value);

/// The first fault of handlers that have failed. Arguments: `Owned` the one before, null if there is none; `Owned` one more, as
/// `{"Error": …, "Cause": …}`.
pub static FIRST_FAULT: Function = pure("sm4c::first_fault", Type::Value);

/// Null, if no handler has failed; else the fault of the first one is passed on. Argument: `Owned` that fault or null.
pub static UNLESS_FAULT: Function = Function { fails: Fails::Catchably, ..pure("sm4c::unless_fault", Type::Value) };

/// Whether a value is null. Argument: `Value`.
pub static IS_NULL: Function = pure("sm4c::is_null", Type::Bool);

/// Whether a value is this text. Arguments: `Value`, `Str`.
pub static IS: Function = pure("sm4c::is", Type::Bool);

/// The fault of a state that no transition leads out of. Argument: `Str` its name.
pub static STUCK: Function = pure("sm4c::stuck", Type::Fault);
