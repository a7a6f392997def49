//! Codes of SpEL.

crate::diagnostics::codes::codes! {
    error WF1301 spel_syntax: "invalid SpEL";
    error WF1302 spel_not_supported: "unsupported SpEL construct";
    error WF1303 spel_name: "unknown method, function or variable in SpEL";
    error WF1304 spel_type: "the operands of an operator or a method have the wrong types";
    error WF1305 spel_pattern: "a regular expression of `matches` is not valid";
}
