//! Tests of the paths that schemas rule out. A path that a valid value can have is never ruled
//! out.

use super::schema;
use crate::literal::PathStep;

/// Returns the steps of a path such as `a.0.b`.
fn steps(path: &str) -> Vec<PathStep> {
    let step = |part: &str| part.parse().map_or_else(|_| PathStep::Key(part.to_owned()), PathStep::Index);
    path.split('.').filter(|part| !part.is_empty()).map(step).collect()
}

const DRAFT_7: &str = r#""$schema": "http://json-schema.org/draft-07/schema#""#;

#[test]
fn what_cannot_be_there_is_reported() {
    for (text, path, expected) in [
        (r#"{ "type": "string" }"#, "a", "the value is a string, and has no members"),
        (r#"{ "type": ["string", "null"] }"#, "0", "the value is a string or null, and has no elements"),
        (
            r#"{ "properties": { "a": { "properties": { "b": { "type": "integer" } } } } }"#,
            "a.b.c",
            "`a.b` is a whole number, and has no members",
        ),
        (
            r#"{ "properties": { "price": {} }, "additionalProperties": false }"#,
            "prise",
            "the value cannot have a member `prise`: did you mean `price`?",
        ),
        (
            r#"{ "patternProperties": { "^x": {} }, "additionalProperties": false }"#,
            "y",
            "the value cannot have a member `y`",
        ),
        (r#"{ "patternProperties": { "^x": { "type": "null" } } }"#, "xa.b", "`xa` is null, and has no members"),
        (r#"{ "additionalProperties": { "type": "null" } }"#, "a.b", "`a` is null, and has no members"),
        (r#"{ "properties": { "a": false } }"#, "a", "the schema of `a` forbids every value"),
        (r#"{ "items": { "type": "number" } }"#, "0.a", "`[0]` is a number, and has no members"),
        (r#"{ "items": { "type": "number" } }"#, "-1.a", "`[-1]` is a number, and has no members"),
        (r#"{ "maxItems": 2 }"#, "2", "the value has at most 2 elements"),
        (r#"{ "prefixItems": [true], "items": false }"#, "1", "the schema of `[1]` forbids every value"),
        (
            r#"{ "enum": [{ "a": 1 }, { "b": 2 }] }"#,
            "c",
            "the schema of the value lists no value with this member or element",
        ),
        (r#"{ "const": [{ "a": 1 }] }"#, "0.b", "the schema of the value lists no value with this member or element"),
        (
            r#"{ "oneOf": [{ "type": "string" }, { "type": "null" }] }"#,
            "a",
            "the value is a string, and has no members",
        ),
        (r#"{ "anyOf": [{ "type": "string" }, false] }"#, "a", "the value is a string, and has no members"),
        (r#"{ "allOf": [{}, { "type": "string" }] }"#, "a", "the value is a string, and has no members"),
        (r#"{ "if": {}, "then": { "type": "null" }, "else": false }"#, "a", "the value is null, and has no members"),
        (
            r##"{ "$ref": "#/$defs/tree", "$defs": { "tree": { "type": "object", "properties": { "l": { "$ref": "#/$defs/tree" } }, "additionalProperties": false } } }"##,
            "l.l.r",
            "`l.l` cannot have a member `r`: did you mean `l`?",
        ),
        (
            r##"{ "$ref": "#/$defs/a", "type": "string", "$defs": { "a": {} } }"##,
            "x",
            "the value is a string, and has no members",
        ),
    ] {
        assert_eq!(schema(text).rules_out(&steps(path), false).as_deref(), Some(expected), "{path} in {text}");
    }
    let tuple = format!(r#"{{ {DRAFT_7}, "items": [{{ "type": "string" }}], "additionalItems": false }}"#);
    assert!(schema(&tuple).rules_out(&steps("0.a"), false).is_some());
    assert!(schema(&tuple).rules_out(&steps("1"), false).is_some());
}

#[test]
fn what_can_be_there_is_not_ruled_out() {
    for (text, path) in [
        ("true", "a.b.0"),
        ("{}", "a"),
        (r#"{ "type": "string" }"#, ""),
        (r#"{ "properties": { "a": {} } }"#, "b.c"),
        (r#"{ "type": ["object", "null"] }"#, "a"),
        (r#"{ "properties": { "a": { "type": "object" } }, "additionalProperties": false }"#, "a.b"),
        (r#"{ "patternProperties": { "^x": {} }, "additionalProperties": false }"#, "xy.z"),
        (r#"{ "oneOf": [{ "type": "string" }, { "type": "object" }] }"#, "a"),
        (r#"{ "anyOf": [{ "properties": { "a": false } }, { "properties": { "b": false } }] }"#, "a"),
        (r#"{ "if": { "type": "object" }, "then": { "type": "null" } }"#, "a"),
        (r#"{ "not": { "type": "object" } }"#, "a"),
        (r#"{ "allOf": [{ "properties": { "a": {} } }], "unevaluatedProperties": false }"#, "b"),
        (r#"{ "prefixItems": [{ "type": "string" }] }"#, "1.a"),
        (r#"{ "prefixItems": [{ "type": "string" }], "items": false }"#, "-1"),
        (r#"{ "maxItems": 2 }"#, "1"),
        (r#"{ "maxItems": 2 }"#, "-2"),
        (r#"{ "enum": [1, { "a": [{ "b": null }] }] }"#, "a.0.b"),
        (r#"{ "enum": [{ "a": [1, { "b": null }] }] }"#, "a.-1.b"),
        // References that form a cycle without content constrain nothing.
        (r##"{ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }"##, "a"),
        (r##"{ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] }"##, "a"),
        (r##"{ "allOf": [{ "$ref": "#" }, { "$ref": "#" }], "properties": { "a": { "$ref": "#" } } }"##, "a.a.a.a"),
        (r##"{ "properties": { "l": { "$ref": "#" } }, "additionalProperties": false }"##, "l.l.l.l"),
    ] {
        assert_eq!(schema(text).rules_out(&steps(path), false), None, "{path} in {text}");
    }
    let tuple =
        format!(r#"{{ {DRAFT_7}, "items": [{{ "type": "object" }}], "additionalItems": {{ "type": "object" }} }}"#);
    for path in ["0.a", "1.a", "-1.a"] {
        assert_eq!(schema(&tuple).rules_out(&steps(path), false), None);
    }
    // Without an `items` list, `additionalItems` has no effect.
    let list = format!(r#"{{ {DRAFT_7}, "additionalItems": false }}"#);
    assert_eq!(schema(&list).rules_out(&steps("3"), false), None);
}

#[test]
fn names_can_be_read_through_arrays() {
    let text = r#"{ "properties": { "a": { "type": "array", "items": { "type": "number" } }, "b": { "type": ["string", "null"] },
        "c": { "enum": [[{ "d": 1 }], 7] }, "e": { "properties": { "f": {} }, "additionalProperties": false } } }"#;
    for (path, through) in [("a.b", false), ("b.c", true), ("c.d", false), ("c.e", true), ("e.g", false)] {
        assert!(schema(text).rules_out(&steps(path), false).is_some(), "{path}");
        assert_eq!(schema(text).rules_out(&steps(path), true).is_some(), through, "{path}");
    }
}
