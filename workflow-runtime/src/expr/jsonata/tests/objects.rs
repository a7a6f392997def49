//! Tests of objects and of grouping.

use super::check;

#[test]
fn an_object_has_the_members_that_have_values() {
    check(&[
        ("{'a': 1, 'b': missing, 'c': null}", r#"{"a": 1, "c": null}"#),
        ("{}", "{}"),
        ("{name: 1}", r#"{"shop": 1}"#),
        ("{missing: 1, 'a': 2}", r#"{"a": 2}"#),
        ("{1: 2}", "T1003: Key in object structure must evaluate to a string; got: 1"),
        ("{'a': 1, 'a': 2}", r#"D1009: Multiple key definitions evaluate to same key: "a""#),
        ("orders.{'id': id}", r#"[{"id": "a"}, {"id": "b"}, {"id": "c"}]"#),
        ("{'a': {'b': [1]}}.a.b", "[1]"),
    ]);
}

#[test]
fn items_are_grouped_by_their_keys() {
    check(&[
        ("orders{id: total}", r#"{"a": 30, "b": 10, "c": 20}"#),
        ("orders.lines{sku: n}", r#"{"p": [1, 3], "q": 2}"#),
        ("orders.lines{sku: $count}", "function"),
        ("orders.lines{sku: [n]}", r#"{"p": [1, 3], "q": [2]}"#),
        ("orders{'all': id}", r#"{"all": ["a", "b", "c"]}"#),
        ("missing{'a': 1}", r#"{"a": 1}"#),
        ("$given{'a': $}", r#"{"a": 7}"#),
        ("[[1, 2], [3]]{'a': $}", r#"{"a": [1, 2, 3]}"#),
        ("orders{id: total, 'a': 1}", r#"D1009: Multiple key definitions evaluate to same key: "a""#),
    ]);
}

#[test]
fn many_keys_keep_their_order() {
    check(&[(
        "$each([1..20]{'k' & $: $}, function($v) { $v })",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
    )]);
}
