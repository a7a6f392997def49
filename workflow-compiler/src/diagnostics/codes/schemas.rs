//! Codes E14, W14, N14: JSON Schemas that definitions name.

super::codes! {
    E1401 invalid_schema: "a JSON Schema is not valid", r#"
A schema is checked against the rules of its draft when the definition is compiled: what a keyword may hold, which types there are, and
whether patterns are regular expressions. `$schema` says which draft it is; without it, it is read as 2020-12.
Patterns are matched in time that grows with the text only, and so look-around and back-references are not supported.

Bad:
```json
{ "type": "object", "properties": { "total": { "type": "float" } } }
```
Good:
```json
{ "type": "object", "properties": { "total": { "type": "number" } } }
```
"#;
    E1402 schema_draft: "the draft of a JSON Schema is not known", r#"
`$schema` names the draft that a schema is written in: 4, 6, 7, 2019-09 or 2020-12. All that a schema refers to is of the same draft: one
keyword would mean two things in it otherwise. A file that names no draft is of the draft of the file that refers to it.

Bad:
```json
{ "$schema": "http://json-schema.org/schema#", "type": "object" }
```
Good:
```json
{ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object" }
```
"#;
    E1403 schema_reference: "a reference of a JSON Schema leads nowhere", r##"
A reference is a file relative to the one that it stands in, and behind a `#` the way to a schema in it, or an anchor. Each part may be
missing. Nothing is read from a network: put a copy of what is published elsewhere beside the definition.

Bad:
```json
{ "$ref": "#/definitions/Ordr", "definitions": { "Order": { "type": "object" } } }
```
Good:
```json
{ "$ref": "#/definitions/Order", "definitions": { "Order": { "type": "object" } } }
```
"##;
    E1404 schema_construct: "a JSON Schema uses what is not supported", r##"
References that are decided while data is checked (`$dynamicRef`, `$recursiveRef`), and schemas inside of others that have an address of their own
(`$id`), are not supported. Refer to a schema with `$ref`, and put what has its own address into a file of its own.

Bad:
```json
{ "type": "object", "properties": { "parts": { "type": "array", "items": { "$recursiveRef": "#" } } } }
```
Good:
```json
{ "type": "object", "properties": { "parts": { "type": "array", "items": { "$ref": "#" } } } }
```
"##;
    E1405 schemas_not_built: "a JSON Schema cannot be read, because the compiler was built without it", r#"
What a schema says is enforced, and so a definition that names one is not compiled without it.
Turn on the feature `json-schema`.

Bad:
```toml
workflow-runtime = { version = "0.1", features = ["macros"] }
```
Good:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "json-schema"] }
```
"#;
    W1401 schema_keyword: "a keyword of a JSON Schema says nothing", r##"
A keyword that the schema's draft does not have is ignored, as the drafts ask for, and data is not checked for it. In drafts 4, 6 and 7 that is so for
all that stands beside a `$ref`, too: put both into an `allOf`. What looks like a keyword that is spelled differently is told as well.

Bad:
```json
{ "type": "object", "requierd": ["total"] }
```
Good:
```json
{ "type": "object", "required": ["total"] }
```
"##;
    N1401 untyped_schema: "there are no Rust types for a JSON Schema", r##"
With the feature `schema-types`, the schemas of a workflow's input and output become types, `schemas::Input` and `schemas::Output`. Some schemas
describe nothing that is a type in Rust, and some are more than the generator can do. Their data is a `Value`; it is checked against the schema
all the same.

Bad:
```json
{ "allOf": [{ "$ref": "#" }, { "required": ["total"] }] }
```
Good:
```json
{ "type": "object", "required": ["total"], "properties": { "total": { "type": "number" } } }
```
"##;
}
