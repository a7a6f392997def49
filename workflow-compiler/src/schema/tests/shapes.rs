//! Tests of the shapes of schemas.

use super::*;

/// Returns the shape of a schema, as text.
fn shape(text: &str) -> String {
    schema(text).shape().to_string()
}

#[test]
fn keywords_become_shapes() {
    for (schema, expected) in [
        ("{}", "any"),
        ("true", "any"),
        ("false", "never"),
        (r#"{ "type": "string" }"#, "string"),
        (r#"{ "type": ["integer", "null"] }"#, "integer | null"),
        (r#"{ "const": "a" }"#, "\"a\""),
        (r#"{ "enum": ["a", "b", 1] }"#, "\"a\" | \"b\" | 1"),
        (r#"{ "type": "string", "enum": ["a", 1] }"#, "\"a\""),
        (r#"{ "type": "object", "properties": { "a": { "type": "number" } } }"#, "{ a?: number, … }"),
        (
            r#"{ "type": "object", "properties": { "a": { "type": "number" } }, "additionalProperties": false }"#,
            "{ a?: number }",
        ),
        (r#"{ "type": "object", "required": ["a"] }"#, "{ a: any, … }"),
        (
            r#"{ "type": "object", "additionalProperties": false, "patternProperties": { "^x": { "type": "null" } } }"#,
            "{ …: null }",
        ),
        (r#"{ "type": "array", "items": { "type": "boolean" } }"#, "[boolean…]"),
        (r#"{ "type": "array", "prefixItems": [{ "type": "null" }], "items": false, "minItems": 1 }"#, "[null]"),
        (r#"{ "type": "array", "maxItems": 0 }"#, "[]"),
        (r#"{ "anyOf": [{ "type": "string" }, { "type": "null" }] }"#, "string | null"),
        (r#"{ "allOf": [{ "type": ["string", "null"] }, { "type": ["null", "number"] }] }"#, "null"),
        (
            r##"{ "type": "object", "additionalProperties": false, "properties": { "a": { "$ref": "#/$defs/n" } },
                "$defs": { "n": { "type": "integer" } } }"##,
            "{ a?: integer }",
        ),
        // What is not understood allows everything.
        (r#"{ "not": { "type": "string" } }"#, "any"),
        (r#"{ "if": { "type": "string" }, "then": false }"#, "any"),
        (r#"{ "type": "object", "unevaluatedProperties": false }"#, "{ … }"),
    ] {
        assert_eq!(shape(schema), expected, "{schema}");
    }
}

#[test]
fn recursive_schemas_end() {
    let text = shape(
        r##"{ "$ref": "#/$defs/tree", "$defs": { "tree": { "type": "object", "additionalProperties": false,
            "properties": { "left": { "$ref": "#/$defs/tree" }, "right": { "$ref": "#/$defs/tree" } } } } }"##,
    );
    assert!(text.starts_with("{ left?: "), "{text}");
}
