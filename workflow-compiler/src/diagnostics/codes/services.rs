//! Codes E09, W09: operations of services that OpenAPI documents describe.

super::codes! {
    E0901 not_openapi: "a file is not an OpenAPI document, or is one of another version", r#"
The operation of a function is one that an OpenAPI document describes, of the version 2.0 (which is called Swagger), 3.0 or 3.1, in
JSON or YAML. Its version is a member of its outermost object.

Bad:
```json
{ "paths": { "/charges": { "post": { "operationId": "charge" } } } }
```
Good:
```json
{ "openapi": "3.1.0", "paths": { "/charges": { "post": { "operationId": "charge" } } } }
```
"#;
    E0902 unknown_service_operation: "a document has no operation of this name, or two", r#"
What stands after `#` is the `operationId` of one operation. Correct it, or give the operation that is meant an `operationId`.

Bad, if the document has an operation `charge`:
```json
{ "name": "charge", "operation": "bank.json#chrage" }
```
Good:
```json
{ "name": "charge", "operation": "bank.json#charge" }
```
"#;
    E0903 broken_reference: "a reference in a document leads to nothing", r##"
`$ref` names a value of the same document or of another file beside it by the way to it: its keys after `#`, separated by `/`. A
reference to a reference is followed, but not for ever.

Bad:
```json
{ "schema": { "$ref": "#/components/schema/Order" } }
```
Good:
```json
{ "schema": { "$ref": "#/components/schemas/Order" } }
```
"##;
    E0904 invalid_service_operation: "what a document says of an operation does not fit together", r#"
Every parameter in braces in a path is described in `parameters`, with `"in": "path"`; every parameter has a name, a place, and a
style that is one of its place; every security scheme that is asked for is described.

Bad:
```json
"/orders/{id}": { "get": { "operationId": "order", "parameters": [] } }
```
Good:
```json
"/orders/{id}": { "get": { "operationId": "order", "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }] } }
```
"#;
    E0905 body_not_sent: "an operation wants a body of a kind that is not sent", r#"
Bodies are JSON, forms (`application/x-www-form-urlencoded`) or plain text. Files, forms with files (`multipart/form-data`) and XML are
not sent. Name an operation that takes its data otherwise: where the service has none, a program in front of it can offer one, in a
document of its own.

Bad:
```json
"requestBody": { "content": { "multipart/form-data": { "schema": { "type": "object" } } } }
```
Good:
```json
"requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } }
```
"#;
    E0906 missing_service_argument: "a call lacks an argument that the operation needs", r#"
Parameters that are `required` must be given, as must be the members that the schema of the body requires. An argument of the name
of a parameter is that parameter; the argument `body` is the whole body, or else the arguments that are left are its members.

Bad, if the operation has a required parameter `account`:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": 5 } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "A-1", "amount": 5 } }
```
"#;
    E0907 service_argument_type: "a constant argument is not what the operation takes", r#"
Constants are compared with the type, the enumeration and the members that the schema in the document has. Of expressions the type
is checked where it can be seen, as that of a text is. What a schema says beyond that is left to the service.

Bad, if `amount` is a number:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": "5" } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": 5 } }
```
"#;
    W0901 unknown_service_argument: "an argument is nothing that the operation knows", r#"
An argument that is neither a parameter nor the body nor a member of it is not sent; a member that the schema does not describe is sent,
and most services ignore it. Headers that belong to the connection and to the credentials, as `Authorization`, are no arguments.

Bad, if the operation has a parameter `currency`:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "A-1", "curency": "EUR" } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "A-1", "currency": "EUR" } }
```
"#;
}
