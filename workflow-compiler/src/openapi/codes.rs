//! Codes of operations that OpenAPI documents describe.

crate::diagnostics::codes::codes! {
    error WF0901 not_openapi: "a file is not an OpenAPI document of a supported version";
    error WF0902 unknown_service_operation: "an `operationId` is unknown or not unique in its document";
    error WF0903 broken_reference: "a reference in a document cannot be resolved";
    error WF0904 invalid_service_operation: "the description of an operation is inconsistent";
    error WF0905 body_not_sent: "an operation needs a request body of an unsupported media type";
    error WF0906 missing_service_argument: "a call lacks an argument that the operation needs";
    error WF0907 service_argument_type: "a constant argument does not fit the operation";
    warning WF0951 unknown_service_argument: "an argument is unknown to the operation";
}
