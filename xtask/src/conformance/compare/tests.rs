//! Tests of the comparison.

use super::*;
use serde_json::json;

fn same(expected: Value, actual: Value) -> bool {
    equal(&expected, &actual, &Placeholders::default())
}

#[test]
fn numbers_are_compared_by_value_and_objects_whatever_their_order() {
    assert!(same(json!({ "a": 1, "b": [2.0] }), json!({ "b": [2], "a": 1.0 })));
    assert!(!same(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64)));
    assert!(!same(json!({ "a": 1 }), json!({ "a": 1, "b": null })));
    assert!(!same(json!([1, 2]), json!([2, 1])));
    assert!(!same(json!("1"), json!(1)));
}

#[test]
fn a_difference_says_where_it_is() {
    let mismatch = values(&json!({ "a": [1, { "b": 2 }] }), &json!({ "a": [1, { "b": 3 }] }), &Placeholders::default());
    assert!(mismatch.is_err_and(|mismatch| mismatch.actual.ends_with("(differs at $.a[1].b)")));
}

#[test]
fn placeholders_stand_for_any_text() {
    let cases: &[(&str, &str, bool)] = &[
        ("in the input '<json:1>'", "in the input '{\"a\": 1}'", true),
        ("in the input '<json:1>'", "in the output '{}'", false),
        ("<json:1> and <json:1>", "a and b", true),
        ("<json:1> and <json:1>!", "a and b", false),
        ("<other> <json:1>", "<other> x", true),
        ("<other> <json:1>", "any x", false),
        ("date", "2026-11-20", true),
        ("the date", "the 2026-11-20", false),
        ("ü<json:1>ü", "üäü", true),
    ];
    let placeholders = Placeholders::named(["<json:1>".to_owned(), "date".to_owned()]);
    for (expected, actual, matches) in cases {
        assert_eq!(text_matches(expected, actual, &placeholders), *matches, "{expected} against {actual}");
    }
    assert!(equal(&json!({ "n": "date" }), &json!({ "n": 5 }), &placeholders), "a whole value may be of any type");
    assert!(text_matches("<other> text", "any text", &Placeholders::bracketed([])));
}
