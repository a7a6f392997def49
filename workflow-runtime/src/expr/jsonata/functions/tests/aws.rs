//! Tests of the functions that AWS adds.

use super::check;

#[test]
fn arrays_are_partitioned() {
    check(&[
        ("$partition([1, 2, 3, 4, 5], 2.9)", "[[1, 2], [3, 4], [5]]"),
        ("$partition([1, 2], 5)", "[[1, 2]]"),
        ("$partition([1], 1)", "[[1]]"),
        ("$partition([1, 2])", "[[1, 2]]"),
        ("$partition([], $none)", "[[]]"),
        ("$partition([], 2)", "nothing"),
        ("$partition($none, 2)", "nothing"),
        ("$partition([1, 2], 0)", "nothing"),
        ("$partition([1, 2], -0.5)", "nothing"),
        ("$partition([1, 2], -1)", "D3137: Second argument must be zero or greater"),
        ("$partition(null, 2)", "T0412: Argument 1 of function \"partition\" must be an array of undefined"),
        ("$partition([1], 'a')", "T0410: Argument 2 of function \"partition\" does not match function signature"),
    ]);
}

#[test]
fn whole_numbers_of_a_range_are_listed() {
    check(&[
        ("$range(0, 6, 2)", "[0, 2, 4, 6]"),
        ("$range(3, 0, -2)", "[3, 1]"),
        ("$range(-1.7, 2.9, 1.9)", "[-1, 0, 1, 2]"),
        ("$range(3, 3, 1)", "3"),
        ("$range(1, 9, 9)", "1"),
        ("[$range(1, 9, 9)]", "[1]"),
        ("$range(5, 1, 1)", "nothing"),
        ("$range(1, 5, 0.5)", "nothing"),
        ("$range(1, 5)", "nothing"),
        ("$range($none, 5, 1)", "nothing"),
        ("$range(9223372036854775806, 9223372036854775807, 1)", "[9223372036854775806, 9223372036854775807]"),
        (
            "$range(-9223372036854775808, 9223372036854775807, 9223372036854775807)",
            "[-9223372036854775808, -1, 9223372036854775806]",
        ),
        ("$range(1)", "T0410: Argument 2 of function \"range\" does not match function signature"),
    ]);
}

#[test]
fn texts_are_hashed() {
    check(&[
        ("$hash('ñ', 'MD5')", r#""94e9342ecbb1458b6043ecd3bfcbc192""#),
        ("$hash('abc', 'SHA-1')", r#""a9993e364706816aba3e25717850c26c9cd0d89d""#),
        ("$hash('Hello', 'SHA-256')", r#""185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969""#),
        ("$length($hash('Hello', 'SHA-384'))", "96"),
        ("$length($hash('Hello', 'SHA-512'))", "128"),
        ("$hash('a')", "nothing"),
        ("$hash($none, 'MD5')", "nothing"),
        ("$hash('a', 'md5')", "D3137: Hash algorithm 'md5' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5"),
    ]);
}

#[test]
fn random_numbers_have_seeds() {
    check(&[
        ("$random(77)", "0.7240700207191966"),
        ("$random(77.9) = $random(77)", "true"),
        ("$random() < 1", "true"),
        ("$uuid()", r#""00000000-0000-4000-8000-000000000001""#),
        ("$uuid() = $uuid()", "false"),
    ]);
}

#[test]
fn json_is_parsed() {
    check(&[
        ("$parse('{\"a\": [1, 2.0]}')", r#"{"a": [1, 2]}"#),
        ("$map(['1', 'null'], $parse)", "[1, null]"),
        ("$parse($none)", "nothing"),
        ("$parse('{\"a\": 1, \"a\": 2}')", "D3137: Invalid JSON"),
        ("$parse(null)", "T0410: Argument 1 of function \"parse\" does not match function signature"),
    ]);
}
