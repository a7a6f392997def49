//! Tests of the functions of any value.

use super::check;

#[test]
fn values_have_texts() {
    check(&[
        ("$string('a\"b')", r#""a\"b""#),
        ("$string({'a': [1, null, true], 'b': 'x\\n'})", r#""{\"a\":[1,null,true],\"b\":\"x\\n\"}""#),
        (
            "$string({'a': [1], 'b': {}, 'c': []}, true)",
            r#""{\n  \"a\": [\n    1\n  ],\n  \"b\": {},\n  \"c\": []\n}""#,
        ),
        ("$string([$sum, function() { 1 }])", r#""[\"\",\"\"]""#),
        ("$string($sum)", r#""""#),
        ("$string([1.0, 1e21, 1/3, -0.0])", r#""[1,1e+21,0.333333333333333,0]""#),
        ("$string(big)", r#""9007199254740993""#),
        ("$string([0/0])", r#""[null]""#),
        ("$string(1/0)", "D3001: Attempting to invoke string function on Infinity or NaN"),
        ("$string([1/0])", "D1001: Number out of range: null"),
        ("$string($none)", "nothing"),
        ("'a' & $none & 1.50 & [1, 'b']", r#""a1.5[1,\"b\"]""#),
    ]);
}

#[test]
fn values_have_a_truth() {
    check(&[
        (
            "['', 'a', 0, 1, null, {}, {'a': 0}] ~> $map(function($v) { $boolean($v) })",
            "[false, true, false, true, false, false, true]",
        ),
        ("$boolean([])", "false"),
        ("$boolean([0, [[], [0, 'x']]])", "true"),
        ("$boolean([[[]], [null, $sum]])", "false"),
        ("$boolean($sum)", "false"),
        ("$boolean(0/0)", "false"),
        ("$boolean(1/0)", "D1001: Number out of range: null"),
        ("$boolean($none)", "nothing"),
        ("$not([0])", "true"),
        ("$not($none)", "nothing"),
        ("$exists(null)", "true"),
        ("$exists($none)", "false"),
    ]);
}

#[test]
fn values_have_a_type() {
    check(&[
        (
            "[null, true, 1, 'a', {}] ~> $map(function($v) { $type($v) })",
            r#"["null", "boolean", "number", "string", "object"]"#,
        ),
        ("$type([])", r#""array""#),
        ("$type($sum)", r#""function""#),
        ("$type(/a/)", r#""function""#),
        ("$type($none)", "nothing"),
        ("$type(1/0)", "D1001: Number out of range: null"),
    ]);
}

#[test]
fn errors_are_raised() {
    check(&[
        ("$error('boom')", "D3137: boom"),
        ("$error()", "D3137: $error() function evaluated"),
        ("$error('')", "D3137: $error() function evaluated"),
        ("$assert(1 = 1, 'no')", "nothing"),
        ("$assert(1 = 2, 'no')", "D3141: no"),
        ("$assert(1 = 2)", "D3141: $assert() statement failed"),
        ("$assert($none)", "D3141: $assert() statement failed"),
    ]);
}
