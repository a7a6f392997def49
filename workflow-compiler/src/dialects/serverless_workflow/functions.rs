//! The functions of the runtime that workflows of Serverless Workflow call.

use crate::expr::{Fails, Function, Type};

const fn pure(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fails: Fails::Never, turn: false, context: false }
}

const fn timed(path: &'static str, returns: Type) -> Function {
    Function { turn: true, ..pure(path, returns) }
}

const fn fails(path: &'static str, returns: Type) -> Function {
    Function { fails: Fails::Catchably, ..pure(path, returns) }
}

/// The data that an execution starts with (ruling R26). Argument: `Owned` its input. Nothing is the empty object.
pub static INPUT: Function = Function { fails: Fails::Fatally, ..pure("serverless_workflow::input", Type::Value) };

/// An input as far as events are still to add to it: null, where it is more than the empty object. Argument: `Value` the input.
pub static TO_BE_GIVEN: Function = pure("serverless_workflow::to_be_given", Type::Value);

/// An input with what an event carries that starts the execution (ruling R20). Arguments: `Owned` the input so far, `Value` the event.
pub static GIVEN_BY: Function = timed("serverless_workflow::given_by", Type::Value);

/// Data after a filter: all of them where it selects nothing. Arguments: `Maybe` what it selects, `Value` the data.
pub static FILTERED: Function = pure("serverless_workflow::filtered", Type::Ref);

/// What a filter with `?()` selects (ruling R2). Argument: `Maybe` the array of it. The element where there is one; nothing where
/// there is none.
pub static ONE_OR_MORE: Function = pure("serverless_workflow::one_or_more", Type::MaybeValue);

/// What another path selects that can lead to several values. Argument: `Maybe` the array of it. Nothing where there is none.
pub static SOME: Function = pure("serverless_workflow::some", Type::MaybeValue);

/// What a path selects, or null. Argument: `Maybe`.
pub static OR_NULL: Function = pure("serverless_workflow::or_null", Type::Ref);

/// Data with a result merged into them (ruling R1). Arguments: `Owned` the data, `Owned` the result, `Str` the name of what is
/// no object. Null adds nothing.
pub static WITH: Function = pure("serverless_workflow::with", Type::Value);

/// Data with what a path selects of a result (ruling R1). Arguments: `Owned` the data, `Maybe` what it selects, `Value` the
/// result, `Str` the last name of the path, `Strs` the names that lead to where the whole result is put if it selects nothing:
/// nowhere, if there are none.
pub static WITH_SELECTED: Function = pure("serverless_workflow::with_selected", Type::Value);

/// Data with members replaced (ruling R9). Arguments: `Owned` the data, `Owned` the members.
pub static INJECTED: Function = pure("serverless_workflow::injected", Type::Value);

/// Data with a value where the names lead. Arguments: `Owned` the data, `Strs` the names, `Owned` the value.
pub static SET: Function = pure("serverless_workflow::set", Type::Value);

/// What an event carries. Argument: `Value` the event.
pub static EVENT_DATA: Function = pure("serverless_workflow::event_data", Type::Value);

/// What a filter of an event sees: what it carries, and its attributes (ruling R5). Argument: `Value` the event.
pub static EVENT_VIEW: Function = pure("serverless_workflow::event_view", Type::Value);

/// Data, and the attributes of an event where they have no such names (ruling R5). Arguments: `Owned` the data, `Value` the event.
pub static WITH_ATTRIBUTES: Function = pure("serverless_workflow::with_attributes", Type::Value);

/// Whether an event is one of those that the definition lists under these numbers. Arguments: `Value` the event, `Strs` the
/// numbers, as text.
pub static IS_EVENT: Function = timed("serverless_workflow::is_event", Type::Bool);

/// A set of events, none of which has come. Argument: `Int` how many there are.
pub static NO_EVENTS: Function = pure("serverless_workflow::no_events", Type::Value);

/// The events of a set, with one more. Arguments: `Owned` those, `Value` the event, `Strs` the numbers of the kinds in the set.
pub static NOTE: Function = timed("serverless_workflow::note", Type::Value);

/// Whether all events of a set are there. Argument: `Value` those.
pub static ARE_ALL: Function = pure("serverless_workflow::are_all", Type::Bool);

/// An event of a set. Arguments: `Value` the set, `Int` its number there.
pub static NOTED: Function = pure("serverless_workflow::noted", Type::Ref);

/// The time so many seconds from now. Argument: `Float`.
pub static IN_SECONDS: Function = timed("serverless_workflow::in_seconds", Type::Value);

/// Whether the time is between two others, or the first of them. Arguments: `Int` and `Int`, in microseconds since 1970.
pub static IS_BETWEEN: Function = timed("serverless_workflow::is_between", Type::Bool);

/// Whether the execution began less than so many seconds ago. Argument: `Float`.
pub static IS_YOUNGER: Function = timed("serverless_workflow::is_younger", Type::Bool);

/// Whether a value is null. Argument: `Value`.
pub static IS_NULL: Function = pure("serverless_workflow::is_null", Type::Bool);

/// Whether an error is that data do not fit a schema (ruling R20). Argument: `Value` the error.
pub static IS_VIOLATION: Function = pure("serverless_workflow::is_violation", Type::Bool);

/// The error of a fault (ruling R6): `{"name", "message", "trace"}`; null where the state failed because of its results.
/// Arguments: `Owned` the fault as `{"Error": …, "Cause": …}`, which was looked at last, `Str` the name of the state that handles it.
pub static ERROR: Function = timed("serverless_workflow::error", Type::Value);

/// What expressions about an error see: the data, and the error under two names, if there is one. Arguments: `Value` the data,
/// `Value` the error.
pub static ERROR_VIEW: Function = pure("serverless_workflow::error_view", Type::Value);

/// Data with an error merged into them, if there is one. Arguments: `Owned` the data, `Value` the error.
pub static WITH_ERROR: Function = pure("serverless_workflow::with_error", Type::Value);

/// What a filter of an error sees, if there is one. Argument: `Value` the error.
pub static ERROR_DATA: Function = pure("serverless_workflow::error_data", Type::Value);

/// Data whose error has its other name, too. Argument: `Value` the data.
pub static WITH_ALIAS: Function = pure("serverless_workflow::with_alias", Type::Value);

/// Whether data have an error that they had not before. Arguments: `Value` the data before, `Value` the data.
pub static HAS_NEW_ERROR: Function = pure("serverless_workflow::has_new_error", Type::Bool);

/// Fails because of the results of a state. Arguments: `Value` its data, `Str` its name.
pub static REFUSE_RESULTS: Function = fails("serverless_workflow::refuse_results", Type::Value);

/// The elements of a foreach state. Arguments: `Maybe` what its path selects, `Str` the path.
pub static ELEMENTS: Function = fails("serverless_workflow::elements", Type::Ref);

/// The data with the outputs of branches (ruling R10). Arguments: `Owned` the data, `Value` the outputs in the order of the
/// branches, `Strs` their names.
pub static WITH_BRANCHES: Function = pure("serverless_workflow::with_branches", Type::Value);

/// The same of the branches that have ended. Arguments: `Owned` the data, `Value` the number and output of each, `Strs` the names
/// of all.
pub static WITH_FIRST: Function = pure("serverless_workflow::with_first", Type::Value);

/// What an iteration ends with that does one thing only (ruling R1). Arguments: `Owned` its data, `Value` the result of that, or
/// null.
pub static ONLY: Function = pure("serverless_workflow::only", Type::Value);

/// Compares (ruling R4). Arguments: `Maybe` the value, `Str` the operator, `Str` what it is compared with.
pub static COMPARES: Function = pure("serverless_workflow::compares", Type::Bool);

/// The answer of a task that decides. Arguments: `Value` what it yields, `Str` its name.
pub static DECIDES: Function = fails("serverless_workflow::decides", Type::Bool);

/// Fails because no condition of a switch holds. Argument: `Str` the name of the state.
pub static NO_CONDITION: Function = fails("serverless_workflow::no_condition", Type::Value);

/// The fault of a transition that may not be taken (ruling R12). Arguments: `Str` the state, `Str` the expression, `Value` the data.
pub static GUARD: Function = pure("serverless_workflow::guard", Type::Fault);

/// The fault of an execution whose set of events is not complete in time. Arguments: `Str` the state, `Value` the events that came.
pub static INCOMPLETE: Function = pure("serverless_workflow::incomplete", Type::Fault);
