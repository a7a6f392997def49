//! Codes of CEL.

crate::diagnostics::codes::codes! {
    error WF1601 cel_syntax: "invalid CEL";
    error WF1602 cel_name: "unknown function, macro or type in CEL";
    error WF1603 cel_type: "the operands of an operator have the wrong types";
    error WF1604 cel_pattern: "a regular expression of `matches` is not valid";
}
