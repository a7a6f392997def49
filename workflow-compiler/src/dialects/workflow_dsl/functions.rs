//! Functions of the runtime that the Workflow DSL calls.

use crate::expr::{Fallibility, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fallibility: Fallibility::Infallible, turn: false, context: false }
}

const fn timed(path: &'static str, returns: Type) -> Function {
    Function { turn: true, ..pure(path, returns) }
}

/// Initial data of an execution. Argument: `Owned` its input. A missing input is the empty object.
pub static INPUT: Function = pure("workflow_dsl::input", Type::Value);

/// Member of the data, or null. Arguments: `Value` the data, `Str` its name.
pub static MEMBER: Function = pure("workflow_dsl::member", Type::Ref);

/// Union of members of the data: arrays are concatenated, and objects are merged, where later
/// members win. Arguments: `Value` the data, `Strs` the names of the members.
pub static MERGED: Function =
    Function { fallibility: Fallibility::Catchable, ..pure("workflow_dsl::merged", Type::Value) };

/// Data with other data merged into them ([W2](docs/workflow-dsl.md#w2)). Arguments: `Owned` and
/// `Owned`.
pub static MERGE: Function = pure("workflow_dsl::merge", Type::Value);

/// Data with a result merged into them: an object as by [`MERGE`], any other value as the member
/// `result`. Arguments: `Owned` the data, `Value` the result.
pub static WITH_RESULT: Function = pure("workflow_dsl::with_result", Type::Value);

/// Response to a call as `{"status", "headers", "body"}` ([W15](docs/workflow-dsl.md#w15)).
/// Argument: `Owned` the output of the task.
pub static ANSWER: Function = pure("workflow_dsl::answer", Type::Value);

/// Concatenation of pieces. Arguments: `List` the pieces: strings as they are, and JSON of other
/// values.
pub static TEXT: Function = Function { fallibility: Fallibility::Catchable, ..pure("workflow_dsl::text", Type::Value) };

/// URL from pieces. Arguments: `List` the pieces, `Str` a letter for each: `v` for a value, which
/// is percent-encoded, `s` for a value at the start and `t` for literal text, which are not. Fails
/// if a value before the query is empty.
pub static ADDRESS: Function =
    Function { fallibility: Fallibility::Catchable, ..pure("workflow_dsl::address", Type::Value) };

/// Payload of an event. Argument: `Value` the event.
pub static PAYLOAD: Function = pure("workflow_dsl::payload", Type::Value);

/// Test whether an event is one of the definition's events with these indices. Arguments: `Value`
/// the event, `Strs` the indices as text.
pub static IS_EVENT: Function = timed("workflow_dsl::is_event", Type::Bool);

/// Successor of a number. Argument: `Owned` the number.
pub static ONE_MORE: Function = pure("workflow_dsl::one_more", Type::Value);

/// Test whether a time comes before the next attempt. Arguments: `Value` the number of failures of
/// the activity, `Value` the time, `Float` the first interval in seconds, `Float` the back-off
/// coefficient, `Float` the longest interval in seconds.
pub static COMES_FIRST: Function = timed("workflow_dsl::comes_first", Type::Bool);

/// Fault of a workflow with a failed activity. Arguments: `Str` the name of the activity, `Owned`
/// its fault as `{"Error": …, "Cause": …}`.
pub static FAILED: Function = pure("workflow_dsl::failed", Type::Fault);

/// Fault of a switch without a matching condition. Argument: `Str` the name of the activity.
pub static NO_CONDITION: Function = pure("workflow_dsl::no_condition", Type::Fault);
