//! Codes of JSONata.

crate::diagnostics::codes::codes! {
    error WF1801 jsonata_syntax: "invalid JSONata";
    error WF1802 jsonata_reference: "an expression refers to data that it cannot see";
    error WF1803 jsonata_pattern: "an invalid or unsupported regular expression";
    warning WF1851 jsonata_function: "a call of an unknown function";
    warning WF1852 jsonata_delimiters: "a string with blanks around its delimiters is a constant";
}
