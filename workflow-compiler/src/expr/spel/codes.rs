//! Codes of SpEL.

crate::diagnostics::codes::codes! {
    error WF1301 spel_syntax: "invalid SpEL";
    error WF1302 spel_not_supported: "unsupported SpEL construct";
    error WF1303 spel_name: "unknown method, function or variable in SpEL";
}
