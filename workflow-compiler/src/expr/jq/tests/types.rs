//! Tests of statically evident types.

use super::super::evident_type;

#[test]
fn only_what_is_certain_is_said() {
    for (source, expected) in [
        (r#""a""#, Some("string")),
        (r#""a \(.b)""#, Some("string")),
        (r#""a \(.b[])""#, None),
        ("@base64", None),
        ("5", Some("number")),
        ("-5", Some("number")),
        ("-(1, 2)", None),
        ("[.a[]]", Some("array")),
        ("{\"a\": 1, b, \"c\": .d}", Some("object")),
        ("{\"a\": .b[]}", None),
        ("{(.a[]): 1}", None),
        ("true", Some("boolean")),
        ("null", Some("null")),
        (".a == 1", Some("boolean")),
        (".a[] == 1", None),
        (".a | not", Some("boolean")),
        (".a[] | not", None),
        (".a | {\"b\": .}", Some("object")),
        ("1, 2", None),
        ("empty", None),
        (".a", None),
        (".a + 1", None),
        ("(", None),
    ] {
        assert_eq!(evident_type(source), expected, "{source}");
    }
}
