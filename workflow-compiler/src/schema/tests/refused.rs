//! Tests of the diagnostics for invalid schemas.

use super::read_among;

/// Returns the diagnostics for `s.json`.
fn diagnostics_of(text: &str) -> Vec<String> {
    let read = read_among(&[("s.json", text), ("other.json", OTHER), ("text.json", "{ \"type\": ")], "s.json");
    assert_eq!(read.schema.is_none(), read.messages.iter().any(|found| found.starts_with('E')), "{:?}", read.messages);
    read.messages
}

const OTHER: &str = r#"{ "$schema": "http://json-schema.org/draft-04/schema#", "type": "object" }"#;

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    for (text, expected) in [
        (
            r#"{ "properties": { "a": { "type": "strin" } } }"#,
            r#"E1401 s.json:1 `"strin"`: `strin` is no type of JSON Schema (did you mean `string`?)"#,
        ),
        (
            r#"{ "properties": { "a": { "minimum": "1" } } }"#,
            r#"E1401 s.json:1 `"1"`: `minimum` does not hold what it should: "1" is not of type "number" (it was read as draft 2020-12: if it is of another draft, say so with `$schema`)"#,
        ),
        (
            r#"{ "pattern": "(?=a)" }"#,
            r#"E1401 s.json:1 `"(?=a)"`: the pattern `(?=a)` cannot be compiled (write a regular expression without look-around and back-references)"#,
        ),
        (
            r#"{ "properties": { "a": { "pattern": "(\\p{L}{100}){100}" } } }"#,
            r#"E1401 s.json:1 `"(\\p{L}{100}){100}"`: the pattern `(\p{L}{100}){100}` is too large (repeat less, and say with `maxLength` how long a text may be)"#,
        ),
        (
            r##"{ "$ref": "#/$defs/a", "$defs": { "a": { "properties": { "b": { "pattern": "\\1" } } } } }"##,
            r#"E1401 s.json:1 `"\\1"`: the pattern `\1` cannot be compiled (write a regular expression without look-around and back-references)"#,
        ),
        (
            r#"[]"#,
            r#"E1401 s.json:1 `[`: this is no schema: [] is not of types "boolean", "object" (it was read as draft 2020-12: if it is of another draft, say so with `$schema`)"#,
        ),
        (
            r#"{ "$schema": "http://json-schema.org/draft-03/schema#" }"#,
            r#"E1402 s.json:1 `"http://json-schema.org/draft-03/schema#"`: `http://json-schema.org/draft-03/schema#` is no draft of JSON Schema that is known (write one of `http://json-schema.org/draft-04/schema`, `http://json-schema.org/draft-06/schema`, `http://json-schema.org/draft-07/schema`, `https://json-schema.org/draft/2019-09/schema`, `https://json-schema.org/draft/2020-12/schema`)"#,
        ),
        (
            r#"{ "$ref": "other.json" }"#,
            r#"E1402 other.json:1 `"http://json-schema.org/draft-04/schema#"`: this schema is of draft 4, and one that refers to it is of draft 2020-12 (write all of them in one draft, as with `"$schema": "https://json-schema.org/draft/2020-12/schema"`)"#,
        ),
        (
            r##"{ "$ref": "#/$defs/Ordr", "$defs": { "Order": {} } }"##,
            r##"E1403 s.json:1 `"#/$defs/Ordr"`: `#/$defs/Ordr` leads to nothing: there is no `Ordr` (did you mean `Order`?)"##,
        ),
        (
            r##"{ "$ref": "#order" }"##,
            r##"E1403 s.json:1 `"#order"`: `#order` leads to nothing: no schema there has this anchor (write the way to the schema, as in `#/definitions/Order`)"##,
        ),
        (
            r##"{ "properties": { "a": { "$dynamicRef": "#x" } } }"##,
            r#"E1404 s.json:1 `"$dynamicRef"`: `$dynamicRef` is not supported (refer to the schema with `$ref`)"#,
        ),
        (
            r#"{ "properties": { "a": { "$id": "b.json" } } }"#,
            r#"E1404 s.json:1 `"$id"`: a schema inside of another one cannot have an `$id` (put it into a file of its own)"#,
        ),
        (
            r#"{ "$ref": "none.json" }"#,
            r#"E0420 s.json:1 `"none.json"`: the file `none.json` does not exist (paths are relative to the folder of the definition)"#,
        ),
        (
            r#"{ "items": { "$ref": "https://example.com/a.json" } }"#,
            r#"E0420 s.json:1 `"https://example.com/a.json"`: `https://example.com/a.json` is not read: what a definition means does not depend on a network (put a copy of it beside the definition, and name that)"#,
        ),
        (
            r#"{ "requierd": ["a"] }"#,
            r#"W1401 s.json:1 `"requierd"`: `requierd` is no keyword of JSON Schema, and says nothing (did you mean `required`?)"#,
        ),
        (
            r#"{ "dependencies": { "a": ["b"] } }"#,
            r#"W1401 s.json:1 `"dependencies"`: `dependencies` says nothing in draft 2020-12 (draft 7 has it: say so with `"$schema": "http://json-schema.org/draft-07/schema"`)"#,
        ),
        (
            r##"{ "$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{ "$ref": "#/definitions/a", "minimum": 1 }], "definitions": { "a": {} } }"##,
            r#"W1401 s.json:1 `"minimum"`: `minimum` says nothing beside a `$ref` in draft 7 (put both into an `allOf`)"#,
        ),
    ] {
        assert_eq!(diagnostics_of(text), [expected], "{text}");
    }
}

#[test]
fn files_that_cannot_be_read_are_reported_where_they_are_named() {
    for (named, expected) in [
        ("none.json", "E0420 flow.json:1 `none.json`: the file `none.json` does not exist"),
        (
            "https://example.com/s.json",
            "E0420 flow.json:1 `https://example.com/s.json`: `https://example.com/s.json` is not read",
        ),
        (
            "s.json#/definitions/A",
            "E1403 flow.json:1 `s.json#/definitions/A`: `s.json#/definitions/A` leads to nothing",
        ),
        ("#/definitions/A", "E0420 flow.json:1 ``: `` names no file"),
        ("text.json", "E01"),
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
