//! Codes of JSONPath.

crate::diagnostics::codes::codes! {
    error WF0301 path_syntax: "invalid JSONPath";
    error WF0302 not_a_reference_path: "a path can select several values where one is required";
    error WF0303 path_function: "a function in a filter is unknown or used wrongly";
    error WF0305 path_not_supported: "a path uses an unsupported feature of Jayway's JsonPath";
    error WF0306 path_root: "a path has a root that is not allowed here";
    warning WF0351 bare_word: "a word in a comparison is not in quotes";
    warning WF0352 blanks_after_path: "white space follows a path";
}
