//! Codes E10, W10: methods of gRPC services.

super::codes! {
    E1001 proto_file: "a `.proto` file or a descriptor set cannot be compiled", r#"
The file that has a method is compiled with the definition, as `protoc` would do it, and so is all that it imports. Imports are looked
for in the folder of the file, and in those around it up to the folder of the definition; those of `google/protobuf` are known.
A file whose name does not end in `.proto` is a descriptor set: `protoc --include_imports --descriptor_set_out=bank.binpb bank.proto`.

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
    E1002 unknown_method: "a file has no such service, or a service no such method", r#"
A service is named with its package, and a method after it: `bank.proto#acme.Bank/Charge`. Case counts.

Bad:
```json
{ "name": "charge", "type": "rpc", "operation": "bank.proto#Bank/charge" }
```
Good:
```json
{ "name": "charge", "type": "rpc", "operation": "bank.proto#acme.Bank/Charge" }
```
"#;
    E1003 streaming_method: "a method that streams cannot be called", r#"
A task has one input and one output. A method that takes a stream of requests, or answers with one, has no such thing.
Call another method of the service, or let a program call this one.

Bad:
```proto
rpc Charges(Account) returns (stream Receipt);
```
Good:
```proto
rpc Charges(Account) returns (Receipts);
```
"#;
    E1004 rpc_arguments: "arguments do not fit the request of a method", r#"
Arguments are the fields of the request, by the names that they have in JSON (`accountId`) or in the file (`account_id`), and their values are
those of the JSON mapping of Protocol Buffers: a whole number of 64 bits can be written as a string, bytes are in Base64, a
value of an enumeration is its name, a `google.protobuf.Timestamp` is a text as `2026-01-31T12:00:00Z`.
Of the members of a `oneof` one can be given, and fields that are `required` must be.

Bad:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "acount": "${ .account }", "cents": "ten" } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "${ .account }", "cents": 10 } }
```
"#;
    W1001 method_not_looked_up: "a method is not looked up, because the compiler was built without gRPC", r#"
With the feature `rpc`, the file that has the method is compiled with the definition, arguments are checked, and connectors can call the method. Without it
the task is left to the program.
Turn on the feature. Or implement the task in the program, and allow the warning.

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
