//! Codes of jq.

crate::diagnostics::codes::codes! {
    error WF0340 jq_syntax: "invalid jq";
    error WF0341 jq_function: "a jq expression calls an unknown function";
    error WF0342 jq_variable: "a jq expression uses an unknown variable or label";
    error WF0343 jq_not_available: "a jq expression uses an unavailable feature";
    error WF0344 jq_recursion: "a function of a jq expression calls itself";
}
