//! The functions of the runtime that workflows of the Workflow DSL call.

use crate::expr::{Fails, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fails: Fails::Never, turn: false, context: false }
}

const fn timed(path: &'static str, returns: Type) -> Function {
    Function { turn: true, ..pure(path, returns) }
}

/// The data that an execution starts with. Argument: `Owned` its input. Nothing is the empty object.
pub static INPUT: Function = pure("workflow_dsl::input", Type::Value);

/// A member of the data, or null. Arguments: `Value` the data, `Str` its name.
pub static MEMBER: Function = pure("workflow_dsl::member", Type::Ref);

/// Members of the data, merged: arrays in a row, or objects, of which later ones win. Arguments: `Value` the data, `Strs` their
/// names.
pub static MERGED: Function = Function { fails: Fails::Catchably, ..pure("workflow_dsl::merged", Type::Value) };

/// Data with other data merged into them (ruling W2). Arguments: `Owned` and `Owned`.
pub static MERGE: Function = pure("workflow_dsl::merge", Type::Value);

/// Data with a result merged into them: an object as by [`MERGE`], something else as the member `result`. Arguments: `Owned` the
/// data, `Value` the result.
pub static WITH_RESULT: Function = pure("workflow_dsl::with_result", Type::Value);

/// The answer to a call as `{"status", "headers", "body"}` (ruling W15). Argument: `Owned` what the task has yielded.
pub static ANSWER: Function = pure("workflow_dsl::answer", Type::Value);

/// A text made of others. Arguments: `List` its pieces, of which texts stand as they are, and else JSON.
pub static TEXT: Function = Function { fails: Fails::Catchably, ..pure("workflow_dsl::text", Type::Value) };

/// An address made of pieces. Arguments: `List` these, `Str` a letter for each, which is `v` for a value, that is encoded, `s` for
/// one that it starts with, and `t` for a text, which are not.
pub static ADDRESS: Function = Function { fails: Fails::Catchably, ..pure("workflow_dsl::address", Type::Value) };

/// What an event carries. Argument: `Value` the event.
pub static PAYLOAD: Function = pure("workflow_dsl::payload", Type::Value);

/// Whether an event is one of those that the definition lists under these numbers. Arguments: `Value` the event, `Strs` the
/// numbers, as text.
pub static IS_EVENT: Function = timed("workflow_dsl::is_event", Type::Bool);

/// The time so many seconds from now. Argument: `Float`.
pub static IN_SECONDS: Function = timed("workflow_dsl::in_seconds", Type::Value);

/// The earlier of two times. Arguments: `Owned` and `Value`.
pub static EARLIER: Function = pure("workflow_dsl::earlier", Type::Value);

/// A time, if it has not come. Arguments: `Owned` the time, `Str` what is said of it in the fault.
pub static IN_TIME: Function = Function { fails: Fails::Catchably, ..timed("workflow_dsl::in_time", Type::Value) };

/// A message, if one has come in time. Arguments: `Owned` the event, or null, `Str` what is said of the time in the fault.
pub static RECEIVED: Function = Function { fails: Fails::Catchably, ..pure("workflow_dsl::received", Type::Value) };

/// The seconds until a time. Argument: `Value`.
pub static REMAINING: Function = timed("workflow_dsl::remaining", Type::Value);

/// One more than a number. Argument: `Owned` the number.
pub static ONE_MORE: Function = pure("workflow_dsl::one_more", Type::Value);

/// Whether a time comes before the next try. Arguments: `Value` how often an activity has failed, `Value` the time, `Float` the
/// first interval in seconds, `Float` what it is multiplied with, `Float` the longest interval in seconds.
pub static COMES_FIRST: Function = timed("workflow_dsl::comes_first", Type::Bool);

/// The fault of a workflow whose activity has failed. Arguments: `Str` the name of the activity, `Owned` its fault as
/// `{"Error": …, "Cause": …}`.
pub static FAILED: Function = pure("workflow_dsl::failed", Type::Fault);

/// The fault of a workflow of whose switch no condition holds. Argument: `Str` the name of the activity.
pub static NO_CONDITION: Function = pure("workflow_dsl::no_condition", Type::Fault);
