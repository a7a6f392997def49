//! Codes WF14xx: JSON Schemas that definitions name.

super::codes! {
    error WF1401 invalid_schema: "invalid JSON Schema", r#"
The compiler checks a schema against the rules of its draft: the values of its keywords, the names of types, and the
syntax of regular expressions. `$schema` names the draft, which is 2020-12 by default. Patterns are matched in time
linear in the length of the text. Look-around and back-references are therefore not supported.

Bad:
```json
{ "type": "object", "properties": { "total": { "type": "float" } } }
```
Good:
```json
{ "type": "object", "properties": { "total": { "type": "number" } } }
```
"#;
    error WF1402 schema_draft: "unknown JSON Schema draft", r#"
`$schema` names the draft of a schema: 4, 6, 7, 2019-09 or 2020-12. A schema and all schemas that it refers to must have
the same draft, because drafts give different meanings to the same keyword. A file that names no draft has the draft of
the file that refers to it.

Bad:
```json
{ "$schema": "http://json-schema.org/schema#", "type": "object" }
```
Good:
```json
{ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object" }
```
"#;
    error WF1403 schema_reference: "a reference in a JSON Schema cannot be resolved", r##"
A reference names a file, relative to the file that contains the reference. After a `#` it has the path to a schema in
that file, or an anchor. Each of the two parts can be missing. The compiler reads nothing from a network: put a copy of
a published schema beside the definition.

Bad:
```json
{ "$ref": "#/definitions/Ordr", "definitions": { "Order": { "type": "object" } } }
```
Good:
```json
{ "$ref": "#/definitions/Order", "definitions": { "Order": { "type": "object" } } }
```
"##;
    error WF1404 schema_construct: "a JSON Schema uses an unsupported construct", r##"
Two constructs are not supported: references that are resolved during validation (`$dynamicRef`, `$recursiveRef`), and
embedded schemas with an address of their own (`$id`). Refer to a schema with `$ref`, and put a schema that has its own
address into a separate file.

Bad:
```json
{ "type": "object", "properties": { "parts": { "type": "array", "items": { "$recursiveRef": "#" } } } }
```
Good:
```json
{ "type": "object", "properties": { "parts": { "type": "array", "items": { "$ref": "#" } } } }
```
"##;
    error WF1405 schemas_not_built: "the compiler was built without JSON Schema", r#"
A workflow enforces its schemas. The compiler was built without support for JSON Schema, and therefore refuses a
definition that names a schema. Enable the feature `json-schema`.

Bad:
```toml
workflow-runtime = { version = "0.1", features = ["macros"] }
```
Good:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "json-schema"] }
```
"#;
    error WF1406 schema_limits: "a JSON Schema exceeds a limit", r##"
These limits bound the time and memory of validation, whoever wrote the schema:

* The check of one value, without its members and elements, takes at most 10,000 steps. A step is the application of a
  schema, or the comparison with one entry of `properties`, `required` or `enum`. A schema that two references in an
  `allOf` lead to is applied twice, and all that it refers to as well.
* At most 128 references follow each other for one value.
* A schema refers to at most 4,096 definitions.

Bad, if `b` does the same with `c`, and so on up to `n`:
```json
{ "allOf": [{ "$ref": "#/$defs/b" }, { "$ref": "#/$defs/b" }] }
```
Good:
```json
{ "$ref": "#/$defs/b" }
```
"##;
    warning WF1451 schema_keyword: "a keyword of a JSON Schema has no effect", r##"
The schema's draft does not have the keyword. It is ignored, as the drafts require, and data is not checked against it.
In drafts 4, 6 and 7, all keywords beside a `$ref` are ignored, too: put both into an `allOf`. The compiler also reports
names that look like misspelled keywords.

Bad:
```json
{ "type": "object", "requierd": ["total"] }
```
Good:
```json
{ "type": "object", "required": ["total"] }
```
"##;
    note WF1452 untyped_schema: "a JSON Schema has no Rust types", r##"
With the feature `schema-types`, the schemas of a workflow's input and output become the Rust types `schemas::Input` and
`schemas::Output`. Some schemas describe no Rust type, and others exceed the abilities of the generator. The data of
such a schema is a `Value`, which the workflow still validates against the schema.

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
