//! Codes of methods of gRPC services.

crate::diagnostics::codes::codes! {
    error WF1001 proto_file: "a `.proto` file or a descriptor set cannot be compiled";
    error WF1002 unknown_method: "unknown service or method";
    error WF1003 streaming_method: "a method that streams cannot be called";
    error WF1004 rpc_arguments: "arguments do not fit the request of a method";
    warning WF1051 method_not_looked_up: "a method is not checked, because the compiler was built without gRPC";
}
