//! Codes of the Amazon States Language.

crate::diagnostics::codes::codes! {
    error WF0307 unknown_context_member: "a path selects a member that the context object does not have";
    warning WF0355 absent_token: "a task that does not wait for a token reads one";
    error WF0402 unknown_field: "unknown field";
    error WF0406 misplaced_field: "a field is not allowed here";
    error WF0409 misplaced_states_all: "`States.ALL` is not alone, or not last";
    error WF0411 invalid_timestamp: "invalid timestamp";
    error WF0413 choice_operator: "a Choice rule does not have exactly one operator";
    error WF0414 invalid_result_path: "`ResultPath` is not a path into the state's input";
    error WF0415 shadowed_variable: "a variable has the name of a variable of an outer scope";
    error WF0416 inconsistent_values: "two values contradict each other";
    error WF0417 unbound_placeholder: "a placeholder has no value where one is needed at compile time";
    error WF0418 invalid_pattern: "a pattern has an invalid escape";
    warning WF0451 unknown_error_name: "unknown error name that begins with `States.`";
    warning WF0452 uncaught_error_name: "a named error is never raised, or never caught";
    warning WF0453 waits_forever: "a task without a time-out can wait forever";
    warning WF0454 repeated_error_name: "an error name is repeated where it has no effect";
    warning WF0456 credentials_without_role: "credentials without a role";
    warning WF0458 unknown_variable: "a variable is read but never assigned";
    note WF0459 choice_without_default: "a Choice state has no `Default`";
    warning WF0462 distributed_without_mode: "a Map state has fields of a distributed one, but not its mode";
    warning WF0463 lost_rows: "rows of data are lost";
    error WF0503 query_language: "a field of the other query language";
}
