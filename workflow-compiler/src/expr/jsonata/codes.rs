//! Codes of JSONata.

crate::diagnostics::codes::codes! {
    error WF1801 jsonata_syntax: "invalid JSONata";
    error WF1802 jsonata_reference: "an expression reads what a state does not have";
    warning WF1851 jsonata_function: "a call of a function that does not exist";
    warning WF1852 jsonata_delimiters: "a text is not evaluated, although it has the delimiters of JSONata";
}
