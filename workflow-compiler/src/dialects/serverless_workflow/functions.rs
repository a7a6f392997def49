//! Functions of the runtime that Serverless Workflow calls.

use crate::expr::{Fallibility, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fallibility: Fallibility::Infallible, turn: false, context: false }
}

const fn timed(path: &'static str, returns: Type) -> Function {
    Function { turn: true, ..pure(path, returns) }
}

const fn fails(path: &'static str, returns: Type) -> Function {
    Function { fallibility: Fallibility::Catchable, ..pure(path, returns) }
}

/// Initial data of an execution. Argument: `Owned` its input. A missing input is the empty object,
/// and an input that is not an object is refused ([R26](docs/serverless-workflow.md#r26)).
pub static INPUT: Function =
    Function { fallibility: Fallibility::Fatal, ..pure("serverless_workflow::input", Type::Value) };

/// Input that start events have still to fill: the empty object, or null if the caller passed any
/// other input. Argument: `Value` the input.
pub static TO_BE_GIVEN: Function = pure("serverless_workflow::to_be_given", Type::Value);

/// Input with the data of a start event merged into it, which the input schema checks
/// ([R20](docs/serverless-workflow.md#r20)). Arguments: `Owned` the input so far, `Value` the
/// event.
pub static GIVEN_BY: Function = timed("serverless_workflow::given_by", Type::Value);

/// Filtered data, or all data if the path selects nothing ([R1](docs/serverless-workflow.md#r1)).
/// Arguments: `Maybe` the selection, `Value` the data.
pub static FILTERED: Function = pure("serverless_workflow::filtered", Type::Ref);

/// Selection of a path with `?()` ([R2](docs/serverless-workflow.md#r2)): the only element if
/// there is one, absent if there is none, and the array otherwise. Argument: `Maybe` the array of
/// selected elements.
pub static ONE_OR_MORE: Function = pure("serverless_workflow::one_or_more", Type::MaybeValue);

/// Selection of any other path that can select several values. Argument: `Maybe` the array of
/// selected values. Absent if the array is empty.
pub static SOME: Function = pure("serverless_workflow::some", Type::MaybeValue);

/// Selection of a path, or null. Argument: `Maybe`.
pub static OR_NULL: Function = pure("serverless_workflow::or_null", Type::Ref);

/// Data with a result merged into them ([R1](docs/serverless-workflow.md#r1)). Arguments: `Owned`
/// the data, `Owned` the result, `Str` the member for a result that is not an object. Null adds
/// nothing.
pub static WITH: Function = pure("serverless_workflow::with", Type::Value);

/// Data with the selection of a result merged into them ([R1](docs/serverless-workflow.md#r1)).
/// Arguments: `Owned` the data, `Maybe` the selection, `Value` the result, `Str` the last name of
/// the path, `Strs` the path to which the whole result goes if the selection is absent. An empty
/// path drops it.
pub static WITH_SELECTED: Function = pure("serverless_workflow::with_selected", Type::Value);

/// Data with members replaced ([R9](docs/serverless-workflow.md#r9)). Arguments: `Owned` the data,
/// `Owned` the members.
pub static INJECTED: Function = pure("serverless_workflow::injected", Type::Value);

/// Data with a value at a path. Arguments: `Owned` the data, `Strs` the path, `Owned` the value.
pub static SET: Function = pure("serverless_workflow::set", Type::Value);

/// Data of an event. Argument: `Value` the event.
pub static EVENT_DATA: Function = pure("serverless_workflow::event_data", Type::Value);

/// Data and attributes of an event, for filters ([R5](docs/serverless-workflow.md#r5)). Argument:
/// `Value` the event.
pub static EVENT_VIEW: Function = pure("serverless_workflow::event_view", Type::Value);

/// Data, with the data and the attributes of an event where they have no member of the name
/// ([R5](docs/serverless-workflow.md#r5)). Arguments: `Owned` the data, `Value` the event.
pub static WITH_EVENT: Function = pure("serverless_workflow::with_event", Type::Value);

/// Test whether an event is one of the definition's events with these indices. Arguments: `Value`
/// the event, `Strs` the indices as text.
pub static IS_EVENT: Function = timed("serverless_workflow::is_event", Type::Bool);

/// Empty set of events. Argument: `Int` the number of events that it is for.
pub static NO_EVENTS: Function = pure("serverless_workflow::no_events", Type::Value);

/// Set of events with one more. Arguments: `Owned` the set, `Value` the event, `Strs` the indices
/// of the set's events in the definition.
pub static NOTE: Function = timed("serverless_workflow::note", Type::Value);

/// Test whether a set of events is complete. Argument: `Value` the set.
pub static ARE_ALL: Function = pure("serverless_workflow::are_all", Type::Bool);

/// Event of a set. Arguments: `Value` the set, `Int` its position.
pub static NOTED: Function = pure("serverless_workflow::noted", Type::Ref);

/// Test whether the current time is in a half-open interval. Arguments: `Int` the start, `Int` the
/// end, in microseconds since 1970.
pub static IS_BETWEEN: Function = timed("serverless_workflow::is_between", Type::Bool);

/// Test whether the execution is younger than a number of seconds. Argument: `Float`.
pub static IS_YOUNGER: Function = timed("serverless_workflow::is_younger", Type::Bool);

/// Test whether a value is null. Argument: `Value`.
pub static IS_NULL: Function = pure("serverless_workflow::is_null", Type::Bool);

/// Test whether an error is a violated schema ([R20](docs/serverless-workflow.md#r20)). Argument:
/// `Value` the error.
pub static IS_VIOLATION: Function = pure("serverless_workflow::is_violation", Type::Bool);

/// Error of a fault ([R6](docs/serverless-workflow.md#r6)): `{"name", "message", "trace"}`, or
/// null if the state failed because a retry expression refused its results. Arguments: `Owned` the
/// fault as `{"Error": …, "Cause": …}`, which must be the one that the execution examined last,
/// `Str` the name of the state that handles it.
pub static ERROR: Function = timed("serverless_workflow::error", Type::Value);

/// Data that expressions about an error see: the data, with the error under both of its names if
/// there is one. Arguments: `Value` the data, `Value` the error.
pub static ERROR_VIEW: Function = pure("serverless_workflow::error_view", Type::Value);

/// Data with an error merged into them, if there is one. Arguments: `Owned` the data, `Value` the
/// error.
pub static WITH_ERROR: Function = pure("serverless_workflow::with_error", Type::Value);

/// Data that a filter of an error sees. Argument: `Value` the error.
pub static ERROR_DATA: Function = pure("serverless_workflow::error_data", Type::Value);

/// Data whose `error` is also the member `exception` ([R6](docs/serverless-workflow.md#r6)).
/// Argument: `Value` the data.
pub static WITH_ALIAS: Function = pure("serverless_workflow::with_alias", Type::Value);

/// Test whether data have an error that they did not have before. Arguments: `Value` the data
/// before, `Value` the data.
pub static HAS_NEW_ERROR: Function = pure("serverless_workflow::has_new_error", Type::Bool);

/// Failure because of the results of a state ([R19](docs/serverless-workflow.md#r19)). Arguments:
/// `Value` its data, `Str` its name.
pub static REFUSE_RESULTS: Function = fails("serverless_workflow::refuse_results", Type::Value);

/// Elements of a foreach state. Arguments: `Maybe` the selection of its path, `Str` the path.
pub static ELEMENTS: Function = fails("serverless_workflow::elements", Type::Ref);

/// Data with the outputs of branches merged into them ([R10](docs/serverless-workflow.md#r10)).
/// Arguments: `Owned` the data, `Value` the outputs in the order of the branches, `Strs` the names
/// of the branches.
pub static WITH_BRANCHES: Function = pure("serverless_workflow::with_branches", Type::Value);

/// Data with the outputs of the completed branches merged into them. Arguments: `Owned` the data,
/// `Value` the index and output of each, `Strs` the names of all branches.
pub static WITH_FIRST: Function = pure("serverless_workflow::with_first", Type::Value);

/// Output of an iteration that only calls one function ([R1](docs/serverless-workflow.md#r1)).
/// Arguments: `Owned` its data, `Value` the result of the call, or null.
pub static ONLY: Function = pure("serverless_workflow::only", Type::Value);

/// Comparison of selected data with a value ([R4](docs/serverless-workflow.md#r4)). Arguments:
/// `Maybe` the selection, `Str` the operator, `Str` the value.
pub static COMPARES: Function = pure("serverless_workflow::compares", Type::Bool);

/// Boolean result of a task that decides a condition. Arguments: `Value` its result, `Str` its
/// name. Fails if the result is not a boolean.
pub static DECIDES: Function = fails("serverless_workflow::decides", Type::Bool);

/// Failure of a switch without a matching condition. Argument: `Str` the name of the state.
pub static NO_CONDITION: Function = fails("serverless_workflow::no_condition", Type::Value);

/// Fault of a transition whose expression is false ([R12](docs/serverless-workflow.md#r12)).
/// Arguments: `Str` the state, `Str` the expression, `Value` the data.
pub static GUARD: Function = pure("serverless_workflow::guard", Type::Fault);

/// Fault of an execution whose start events did not all arrive in time. Arguments: `Str` the
/// state, `Value` the events that arrived.
pub static INCOMPLETE: Function = pure("serverless_workflow::incomplete", Type::Fault);
