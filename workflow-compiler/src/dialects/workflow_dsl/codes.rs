//! Codes of the Workflow DSL.

crate::diagnostics::codes::codes! {
    error WF1102 wrong_message_kind: "a message is used in the direction opposite to its declaration";
    error WF1104 data_filter: "invalid data filter";
    error WF1107 not_callable: "a sub-flow is not a child, or does not have the requested version";
    error WF1108 secret_place: "a secret is used outside of a header";
    warning WF1151 path_without_dot: "a path in an expression has no dot before its first name";
    warning WF1152 filter_direction: "a data filter is probably reversed";
    warning WF1153 endless_retries: "a failing activity is retried without limit";
    warning WF1154 unknown_subflow: "the id of a sub-flow is similar to that of a known definition";
}
