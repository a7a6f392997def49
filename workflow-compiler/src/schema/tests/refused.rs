//! Tests of the diagnostics for invalid schemas.

use super::read_among;
use crate::codes;

/// Returns the diagnostics for `s.json`.
fn diagnostics_of(text: &str) -> Vec<String> {
    let read = read_among(&[("s.json", text), ("other.json", OTHER), ("text.json", "{ \"type\": ")], "s.json");
    assert_eq!(read.schema.is_none(), read.messages.iter().any(|found| codes::is_error(found)), "{:?}", read.messages);
    read.messages
}

const OTHER: &str = r#"{ "$schema": "http://json-schema.org/draft-04/schema#", "type": "object" }"#;

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    for (text, expected) in [
        (
            r#"{ "properties": { "a": { "type": "strin" } } }"#,
            r#"WF1401 s.json:1 `"strin"`: `strin` is not a JSON Schema type (did you mean `string`?)"#,
        ),
        (
            r#"{ "properties": { "a": { "minimum": "1" } } }"#,
            r#"WF1401 s.json:1 `"1"`: invalid value of `minimum`: "1" is not of type "number" (the schema is read as draft 2020-12: declare another draft with `$schema`)"#,
        ),
        (
            r#"{ "pattern": "(?=a)" }"#,
            r#"WF1401 s.json:1 `"(?=a)"`: the pattern `(?=a)` cannot be compiled (write a regular expression without look-around and back-references)"#,
        ),
        (
            r#"{ "properties": { "a": { "pattern": "(\\p{L}{100}){100}" } } }"#,
            r#"WF1401 s.json:1 `"(\\p{L}{100}){100}"`: the pattern `(\p{L}{100}){100}` is too large (use fewer repetitions, and limit the length with `maxLength`)"#,
        ),
        (
            r##"{ "$ref": "#/$defs/a", "$defs": { "a": { "properties": { "b": { "pattern": "\\1" } } } } }"##,
            r#"WF1401 s.json:1 `"\\1"`: the pattern `\1` cannot be compiled (write a regular expression without look-around and back-references)"#,
        ),
        (
            r#"[]"#,
            r#"WF1401 s.json:1 `[`: this is not a schema: [] is not of types "boolean", "object" (the schema is read as draft 2020-12: declare another draft with `$schema`)"#,
        ),
        (
            r#"{ "$schema": "http://json-schema.org/draft-03/schema#" }"#,
            r#"WF1402 s.json:1 `"http://json-schema.org/draft-03/schema#"`: unknown JSON Schema draft `http://json-schema.org/draft-03/schema#` (write one of `http://json-schema.org/draft-04/schema`, `http://json-schema.org/draft-06/schema`, `http://json-schema.org/draft-07/schema`, `https://json-schema.org/draft/2019-09/schema`, `https://json-schema.org/draft/2020-12/schema`)"#,
        ),
        (
            r#"{ "$ref": "other.json" }"#,
            r#"WF1402 other.json:1 `"http://json-schema.org/draft-04/schema#"`: this schema uses draft 4, but a schema that refers to it uses draft 2020-12 (use one draft for all of them, such as `"$schema": "https://json-schema.org/draft/2020-12/schema"`)"#,
        ),
        (
            r##"{ "$ref": "#/$defs/Ordr", "$defs": { "Order": {} } }"##,
            r##"WF1403 s.json:1 `"#/$defs/Ordr"`: cannot resolve `#/$defs/Ordr`: `Ordr` does not exist (did you mean `Order`?)"##,
        ),
        (
            r##"{ "$ref": "#order" }"##,
            r##"WF1403 s.json:1 `"#order"`: cannot resolve `#order`: no schema has this anchor (write a JSON pointer to the schema, such as `#/definitions/Order`)"##,
        ),
        (
            r##"{ "properties": { "a": { "$dynamicRef": "#x" } } }"##,
            r#"WF1404 s.json:1 `"$dynamicRef"`: `$dynamicRef` is not supported (refer to the schema with `$ref`)"#,
        ),
        (
            r#"{ "properties": { "a": { "$id": "b.json" } } }"#,
            r#"WF1404 s.json:1 `"$id"`: `$id` is not supported in a nested schema (move it into its own file)"#,
        ),
        (
            r#"{ "$ref": "none.json" }"#,
            r#"WF0420 s.json:1 `"none.json"`: the file `none.json` does not exist (paths are relative to the folder of the definition)"#,
        ),
        (
            r#"{ "items": { "$ref": "https://example.com/a.json" } }"#,
            r#"WF0420 s.json:1 `"https://example.com/a.json"`: `https://example.com/a.json` is a URL: the compiler does not read from the network (copy the file to the folder of the definition, and write the path of the copy)"#,
        ),
        (
            r#"{ "requierd": ["a"] }"#,
            r#"WF1451 s.json:1 `"requierd"`: unknown keyword `requierd` has no effect (did you mean `required`?)"#,
        ),
        (
            r#"{ "dependencies": { "a": ["b"] } }"#,
            r#"WF1451 s.json:1 `"dependencies"`: `dependencies` has no effect in draft 2020-12 (declare draft 7 with `"$schema": "http://json-schema.org/draft-07/schema"`)"#,
        ),
        (
            r##"{ "$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{ "$ref": "#/definitions/a", "minimum": 1 }], "definitions": { "a": {} } }"##,
            r#"WF1451 s.json:1 `"minimum"`: `minimum` has no effect next to a `$ref` in draft 7 (put both in an `allOf`)"#,
        ),
    ] {
        assert_eq!(diagnostics_of(text), [expected], "{text}");
    }
}

#[test]
fn files_that_cannot_be_read_are_reported_where_they_are_named() {
    for (named, expected) in [
        ("none.json", "WF0420 flow.json:1 `none.json`: the file `none.json` does not exist"),
        (
            "https://example.com/s.json",
            "WF0420 flow.json:1 `https://example.com/s.json`: `https://example.com/s.json` is a URL: ",
        ),
        ("s.json#/definitions/A", "WF1403 flow.json:1 `s.json#/definitions/A`: cannot resolve `s.json#/definitions/A`"),
        ("#/definitions/A", "WF0420 flow.json:1 ``: `` is not the path of a file"),
        ("text.json", "WF01"),
    ] {
        let read = read_among(&[("s.json", "{}"), ("text.json", "{ \"type\": ")], named);
        assert!(read.schema.is_none(), "{named}");
        assert!(read.messages[0].starts_with(expected), "{named}: {:?}", read.messages);
    }
}

#[test]
fn what_is_no_keyword_and_looks_like_none_is_left_alone() {
    for text in [
        r#"{ "x-order": 1, "$comment": "a", "version": 3, "contentEncoding": "base64", "propertyOrder": 1, "id": "https://example.com/a" }"#,
        r#"{ "properties": { "requierd": { "type": "string" } } }"#,
    ] {
        assert_eq!(diagnostics_of(text), [""; 0], "{text}");
    }
}
