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
        // Keywords that the shape leaves out allow everything.
        (r#"{ "not": { "type": "string" } }"#, "any"),
        (r#"{ "if": { "type": "string" }, "then": false }"#, "any"),
        (r#"{ "type": "object", "unevaluatedProperties": false }"#, "{ … }"),
    ] {
        assert_eq!(shape(schema), expected, "{schema}");
    }
}

#[test]
fn a_shape_reads_each_reference_once_at_each_depth() {
    let chain = |length: usize| {
        let definition = |at: usize| {
            let next = format!(r##"{{ "$ref": "#/$defs/n{}" }}"##, at + 1);
            format!(r#""n{at}": {{ "type": "object", "properties": {{ "a": {next}, "b": {next}, "c": {next} }} }}"#)
        };
        let definitions: Vec<String> = (0..length).map(definition).collect();
        let last = format!(r#""n{length}": {{ "type": "string" }}"#);
        format!(r##"{{ "$ref": "#/$defs/n0", "$defs": {{ {}, {last} }} }}"##, definitions.join(", "))
    };
    let [short, long] = [4, 8].map(|length| schema(&chain(length)).read_shape().1);
    assert!(long <= 2 * short && long < 50, "{short} schemas for 4 definitions, {long} for 8");
    let schema = schema(&chain(1));
    assert_eq!(schema.shape(), schema.read_shape().0);
    assert_eq!(schema.shape().to_string(), "{ a?: string, b?: string, c?: string, … }");
}

#[test]
fn recursive_schemas_end() {
    let text = shape(
        r##"{ "$ref": "#/$defs/tree", "$defs": { "tree": { "type": "object", "additionalProperties": false,
            "properties": { "left": { "$ref": "#/$defs/tree" }, "right": { "$ref": "#/$defs/tree" } } } } }"##,
    );
    assert!(text.starts_with("{ left?: "), "{text}");
}
