//! Codes of CEL.

crate::diagnostics::codes::codes! {
    error WF1601 cel_syntax: "invalid CEL";
    error WF1602 cel_name: "unknown function, macro or type in CEL";
}
