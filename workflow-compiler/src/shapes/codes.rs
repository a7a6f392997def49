//! Codes of the shapes of data.

crate::diagnostics::codes::codes! {
    error WF1901 no_such_member: "a path leads to a member that cannot exist";
    error WF1902 wrong_kind: "a value is of a kind that a field or a function never takes";
    error WF1903 result_path_through_scalar: "a result is put into a value that is no object";
    error WF1904 missing_member: "a value lacks a member that its schema requires";
    error WF1905 excess_member: "a value has a member that its schema does not allow";
    error WF1906 schema_mismatch: "a value never satisfies its schema";
    warning WF1951 selects_nothing: "a path selects nothing";
    warning WF1952 rule_never_matches: "a rule never matches";
    warning WF1953 comparison_never_holds: "a comparison never holds";
    warning WF1954 never_reached: "a rule or a default is never reached";
    warning WF1955 always_null: "a member that is read is always null or undefined";
    warning WF1956 catcher_result_path: "a catcher puts the error output into a value that is no object";
    warning WF1957 similar_member: "a member that is read is not known, and similar to a known one";
}
