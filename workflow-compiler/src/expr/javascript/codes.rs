//! Codes of JavaScript.

crate::diagnostics::codes::codes! {
    error WF0330 javascript_syntax: "invalid JavaScript";
    warning WF0380 undeclared_name: "a function uses a name that nothing declares";
    warning WF0381 not_a_function: "the code of a function task is not a function";
}
