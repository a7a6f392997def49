//! Tests of bundles and of their hashes.

use super::{read_among, schema};
use crate::schema::Draft;

const ORDER: &str = r##"{
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "An order",
    "type": "object",
    "required": ["total"],
    "properties": {
        "total": { "$ref": "common/money.yaml#/definitions/Money" },
        "lines": { "type": "array", "items": { "$ref": "#/definitions/line" } }
    },
    "definitions": {
        "line": { "type": "object", "description": "one line", "properties": { "price": { "$ref": "common/money.yaml#/definitions/Money" } } },
        "unused": { "type": "string" }
    }
}"##;
const MONEY: &str = "definitions:\n  Money:\n    type: object\n    properties:\n      cents: { type: integer }\n      tax: { $ref: '#/definitions/Money' }\n      of: { $ref: ../order.json }\n";

#[test]
fn what_is_referred_to_is_among_the_definitions_and_nothing_else() {
    let read = read_among(&[("order.json", ORDER), ("common/money.yaml", MONEY)], "order.json");
    let schema = read.schema();
    assert_eq!((schema.name(), schema.draft()), ("order.json", Draft::Draft7));
    let expected = r##"{"type":"object","required":["total"],"properties":{"total":{"$ref":"#/definitions/Money"},"lines":{"type":"array","items":{"$ref":"#/definitions/line"}}},"definitions":{"Money":{"type":"object","properties":{"cents":{"type":"integer"},"tax":{"$ref":"#/definitions/Money"},"of":{"$ref":"#"}}},"line":{"type":"object","properties":{"price":{"$ref":"#/definitions/Money"}}}}}"##;
    assert_eq!(schema.text(), expected);
    assert!(schema.tree().to_string().contains(r#""description":"one line""#));
}

#[test]
fn a_part_of_a_file_can_be_named() {
    for named in ["order.json#/definitions/line", "file:order.json#/definitions/line"] {
        let read = read_among(&[("order.json", ORDER), ("common/money.yaml", MONEY)], named);
        assert_eq!(read.schema().name(), "order.json#/definitions/line");
        // Both the containing file and a definition are referred to.
        assert!(read.schema().text().contains(r##""of":{"$ref":"#/definitions/order"}"##), "{}", read.schema().text());
    }
}

#[test]
fn anchors_and_own_names_are_known() {
    let texts = [
        r##"{ "$id": "https://example.com/a.json", "$ref": "https://example.com/a.json#b", "$defs": { "x": { "$anchor": "b", "type": "string" } } }"##,
        r##"{ "$ref": "#b", "$defs": { "x": { "$anchor": "b", "type": "string" } } }"##,
        r##"{ "$ref": "#/$defs/x", "$defs": { "x": { "type": "string" } } }"##,
        r##"{ "$ref": "s.json#/%24defs/x", "$defs": { "x": { "type": "string" } } }"##,
    ];
    for text in texts {
        assert_eq!(schema(text).text(), r##"{"$ref":"#/$defs/x","$defs":{"x":{"type":"string"}}}"##);
    }
}

#[test]
fn names_of_definitions_differ_as_names_of_types_do() {
    let text = r##"{ "allOf": [{ "$ref": "#/$defs/a-b" }, { "$ref": "#/$defs/aB" }, { "$ref": "#/allOf/0" }, { "$ref": "#/$defs/input" }],
        "$defs": { "a-b": { "minimum": 1 }, "aB": { "minimum": 2 }, "input": { "minimum": 3 } } }"##;
    let text = schema(text).text().to_owned();
    for name in ["a_b", "aB2", "s", "input2"] {
        assert!(text.contains(&format!(r##""$ref":"#/$defs/{name}""##)), "{name} in {text}");
    }
}

#[test]
fn only_what_makes_a_difference_counts() {
    let hash = |text: &str| read_among(&[("s.json", text)], "s.json").hash;
    let one = hash(r##"{ "type": "string", "maxLength": 5 }"##);
    assert_eq!(one, hash(r##"{ "maxLength": 5, "description": "short", "type": "string", "$defs": { "x": true } }"##));
    assert_ne!(one, hash(r##"{ "type": "string", "maxLength": 6 }"##));
    assert_ne!(
        one,
        hash(r##"{ "$schema": "http://json-schema.org/draft-07/schema", "type": "string", "maxLength": 5 }"##)
    );
}

#[test]
fn properties_that_are_called_like_keywords_are_properties() {
    let text = r##"{"properties":{"$ref":{"type":"string"},"description":{"type":"string"},"$id":{"type":"string"}},"enum":[{"title":"a"}]}"##;
    assert_eq!(schema(text).text(), text);
    assert_eq!(schema("true").text(), "true");
}
