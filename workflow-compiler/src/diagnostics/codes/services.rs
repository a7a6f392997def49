//! Codes WF09xx: operations of services that OpenAPI documents describe.

super::codes! {
    error WF0901 not_openapi: "a file is not an OpenAPI document of a supported version", r#"
An OpenAPI document describes the operation of a function. The document has the version 2.0 (Swagger), 3.0 or 3.1, and
is JSON or YAML. A member of its outermost object states the version.

Bad:
```json
{ "paths": { "/charges": { "post": { "operationId": "charge" } } } }
```
Good:
```json
{ "openapi": "3.1.0", "paths": { "/charges": { "post": { "operationId": "charge" } } } }
```
"#;
    error WF0902 unknown_service_operation: "an `operationId` is unknown or not unique in its document", r#"
The text after `#` must be the `operationId` of exactly one operation. Correct it, or add an `operationId` to the
operation that is meant.

Bad, if the document has an operation `charge`:
```json
{ "name": "charge", "operation": "bank.json#chrage" }
```
Good:
```json
{ "name": "charge", "operation": "bank.json#charge" }
```
"#;
    error WF0903 broken_reference: "a reference in a document cannot be resolved", r##"
`$ref` names a value of the same document, or of another file beside it. After `#` it has the path to the value, as keys
separated by `/`. A reference may lead to another reference, but the chain must end at a value.

Bad:
```json
{ "schema": { "$ref": "#/components/schema/Order" } }
```
Good:
```json
{ "schema": { "$ref": "#/components/schemas/Order" } }
```
"##;
    error WF0904 invalid_service_operation: "the description of an operation is inconsistent", r#"
Every parameter in braces in a path must be described in `parameters` with `"in": "path"`. Every parameter must have a
name, a location, and a style that is allowed for its location. Every security scheme that an operation requires must be
described.

Bad:
```json
"/orders/{id}": { "get": { "operationId": "order", "parameters": [] } }
```
Good:
```json
"/orders/{id}": { "get": { "operationId": "order", "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }] } }
```
"#;
    error WF0905 body_not_sent: "an operation needs a request body of an unsupported media type", r#"
A body is JSON, a form (`application/x-www-form-urlencoded`) or plain text. Files, forms with files
(`multipart/form-data`) and XML are not supported. Name an operation that takes its data in another format. If the
service has no such operation, a program in front of it can offer one, with its own document.

Bad:
```json
"requestBody": { "content": { "multipart/form-data": { "schema": { "type": "object" } } } }
```
Good:
```json
"requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } }
```
"#;
    error WF0906 missing_service_argument: "a call lacks an argument that the operation needs", r#"
Arguments must include the `required` parameters, and the members that the schema of the body requires. An argument with
the name of a parameter is that parameter. The argument `body` is the whole body. Without it, the remaining arguments
are the members of the body.

Bad, if the operation has a required parameter `account`:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": 5 } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "A-1", "amount": 5 } }
```
"#;
    error WF0907 service_argument_type: "a constant argument does not fit the operation", r#"
Constants are checked against the type, the enumeration and the members in the document's schema. The type of an
expression is checked if the compiler can determine it, as it can for a string. The service checks all other constraints
of the schema.

Bad, if `amount` is a number:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": "5" } }
```
Good:
```json
{ "type": "invokeFunction", "functionName": "charge", "arguments": { "amount": 5 } }
```
"#;
    warning WF0951 unknown_service_argument: "an argument is unknown to the operation", r#"
An argument that is not a parameter, the body or a member of the body is not sent. A member that the schema does not
describe is sent, and most services ignore it. Headers for the connection and for credentials, such as `Authorization`,
cannot be arguments.

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
