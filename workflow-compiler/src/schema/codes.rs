//! Codes of JSON Schemas that definitions name.

crate::diagnostics::codes::codes! {
    warning WF1253 excluded_path: "a path selects a value that a schema forbids";
    error WF1401 invalid_schema: "invalid JSON Schema";
    error WF1402 schema_draft: "unknown JSON Schema draft";
    error WF1403 schema_reference: "a reference in a JSON Schema cannot be resolved";
    error WF1404 schema_construct: "a JSON Schema uses an unsupported construct";
    error WF1406 schema_limits: "a JSON Schema exceeds a limit";
    warning WF1451 schema_keyword: "a keyword of a JSON Schema has no effect";
    note WF1452 untyped_schema: "a JSON Schema has no Rust types";
}
