//! Codes WF10xx: methods of gRPC services.

super::codes! {
    error WF1001 proto_file: "a `.proto` file or a descriptor set cannot be compiled", r#"
The compiler compiles the file that declares the method and all of its imports, as `protoc` would. It searches for
imports in the folder of the file, and then in the parent folders up to the folder of the definition. The files of
`google/protobuf` are built in. A file whose name does not end in `.proto` is a descriptor set, as
`protoc --include_imports --descriptor_set_out=bank.binpb bank.proto` writes it.

Bad:
```proto
syntax = "proto3";
package acme;
service Bank { rpc Charge(ChargeRequest) returns (Receipt); }
```
Good:
```proto
syntax = "proto3";
package acme;
message ChargeRequest { string account = 1; int64 cents = 2; }
message Receipt { string id = 1; }
service Bank { rpc Charge(ChargeRequest) returns (Receipt); }
```
"#;
    error WF1002 unknown_method: "unknown service or method", r#"
A service is named with its package, and the method follows it: `bank.proto#acme.Bank/Charge`. The names are
case-sensitive.

Bad:
```json
{ "name": "charge", "type": "rpc", "operation": "bank.proto#Bank/charge" }
```
Good:
```json
{ "name": "charge", "type": "rpc", "operation": "bank.proto#acme.Bank/Charge" }
```
"#;
    error WF1003 streaming_method: "a method that streams cannot be called", r#"
A task has one input and one output, but a streaming method takes or returns a stream of messages. Call another method
of the service, or let a program call this method.

Bad:
```proto
rpc Charges(Account) returns (stream Receipt);
```
Good:
```proto
rpc Charges(Account) returns (Receipts);
```
"#;
    error WF1004 rpc_arguments: "arguments do not fit the request of a method", r#"
Arguments are the fields of the request, by their JSON names (`accountId`) or their names in the file (`account_id`).
Their values follow the JSON mapping of Protocol Buffers: a 64-bit integer can be a string, bytes are Base64, an
enumeration value is its name, and a `google.protobuf.Timestamp` is a string such as `2026-01-31T12:00:00Z`. At most one
member of a `oneof` can be present. Fields that are `required` must be present.

Bad:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "acount": "${ .account }", "cents": "ten" } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "${ .account }", "cents": 10 } }
```
"#;
    warning WF1051 method_not_looked_up: "a method is not checked, because the compiler was built without gRPC", r#"
With the feature `rpc`, the compiler compiles the file that declares the method and checks the arguments, and connectors
can call the method. Without the feature, the program has to implement the task. Enable the feature, or implement the
task and allow the warning.

Bad:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "sm4c"] }
```
Good:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "rpc", "sm4c"] }
```
"#;
}
