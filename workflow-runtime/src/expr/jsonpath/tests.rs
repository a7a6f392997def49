//! Behaviour of the functions that paths are emitted as. (The compiler's tests compare whole paths
//! with an oracle.)

#[cfg(feature = "regex")]
use std::time::Duration;

use super::*;
#[cfg(feature = "regex")]
use crate::budget;
use crate::value::{Get, array};

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn nodes_are_selected_in_order() {
    let d = value(r#"{"a": [{"n": 1, "m": 2}, {"n": 3}, 4], "b": {"n": 5}}"#);
    let small = |at: &Value| less(at.get("n"), Some(&Value::Int(3)));
    let cases = [
        (select(&d).name("a").index(-1), "[4]"),
        (select(&d).name("a").wildcard().name("n"), "[1,3]"),
        (select(&d).descend().name("n"), "[1,3,5]"),
        (select(&d).name("a").slice(None, None, -2).name("n"), "[1]"),
        (select(&d).name("a").slice(Some(1), None, 1), r#"[{"n":3},4]"#),
        (select(&d).name("a").filter(small), r#"[{"n":1,"m":2}]"#),
        (select(&d).name("b").filter(small), "[]"),
        (select(&d).name("b").matching(|at| exists(at.get("n"))), r#"[{"n":5}]"#),
        (select(&d).name("a").wildcard().union(|node| vec![node.name("m"), node.name("n")]), "[2,1,3]"),
        (select(&d).name("no").wildcard(), "[]"),
    ];
    for (nodes, expected) in cases {
        assert_eq!(nodes.collect(), value(expected), "{expected}");
    }
}

#[test]
fn descending_needs_no_stack() {
    let mut deep = Value::from("x");
    for _ in 0..200_000 {
        deep = array([deep]);
    }
    assert_eq!(count(&select(&deep).descend().index(0).collect()), Value::Int(200_000));
}

#[test]
fn nothing_equals_nothing_and_has_no_order() {
    let one = value("1");
    assert!(equal(None, None) && !equal(None, Some(&Value::Null)) && !equal(Some(&one), None));
    assert!(less_or_equal(None, None) && !less(None, None) && !less(None, Some(&one)));
    assert!(!jayway_less_or_equal(None, None) && jayway_less_or_equal(Some(&one), Some(&one)));
    assert!(!less(Some(&Value::Bool(false)), Some(&Value::Bool(true))));
}

#[test]
fn jayway_converts_between_numbers_and_strings() {
    let cases = [
        ("5", r#""5""#, true),
        ("5", r#""5.0""#, true),
        ("5", r#""five""#, false),
        ("5", r#""inf""#, false),
        (r#""5""#, "5", true),
        (r#""5.0""#, "5", false),
        ("null", "null", true),
        ("true", r#""true""#, false),
    ];
    for (left, right, expected) in cases {
        assert_eq!(jayway_equal(Some(&value(left)), Some(&value(right))), expected, "{left} == {right}");
    }
}

#[cfg(feature = "regex")]
#[test]
fn patterns_match_the_whole_or_a_part() {
    let text = Value::from("a.c\r");
    assert!(!matches(Some(&text), "a.c"));
    assert!(!matches(Some(&text), "a.c."), "a dot is no line end");
    assert!(matches(Some(&text), r"a\.c[.\r]"));
    assert!(searches(Some(&text), "c"));
    assert!(jayway_matches(Some(&Value::from("ABC")), "(?i)a.*"));
    assert!(!jayway_matches(Some(&Value::from("xABC")), "(?i)a.*"));
    assert!(!matches(Some(&Value::Int(1)), "1") && !matches(None, ""));
}

#[cfg(feature = "regex")]
#[test]
fn patterns_from_data_are_bounded() {
    let text = Value::from("a");
    for pattern in ["(", "((a{1000}){1000}){1000}", "a|b{99999999}"] {
        assert!(!matches_value(Some(&text), Some(&Value::from(pattern))), "{pattern}");
        assert!(!searches_value(Some(&text), Some(&Value::from(pattern))), "{pattern}");
    }
    assert!(matches_value(Some(&text), Some(&Value::from("[ab]"))));
    let text = Value::from("ab".repeat(500_000));
    let ((), _) = budget::run(Duration::MAX, Duration::from_secs(60), || {
        assert!(searches(Some(&text), "[ab]*$") && !budget::is_spent());
        assert!(!searches(Some(&text), "(?:[ab]{1,1000}){1,3}c") && budget::is_spent());
    });
}

#[test]
fn names_lead_through_arrays_of_one_element() {
    let one = value(r#"{"a": [[{"b": 1}]], "two": [{"b": 1}, {"b": 2}], "none": []}"#);
    assert_eq!(one.get("a").get(Through("b")), Some(&Value::Int(1)));
    assert_eq!(one.get("two").get(Through("b")), None);
    assert_eq!(one.get("none").get(Through("b")), None);
    assert_eq!(select(&one).through("a").through("b").collect(), value("[1]"));
    assert_eq!(select(&one).wildcard().through("b").collect(), value("[1]"));
    assert_eq!(select(&one).name("two").through("b").wildcard().found(), None, "a misfit");
    let mut changed = one.clone();
    *changed.get_mut("a").and_then(|a| a.get_mut(Through("b"))).expect("a member") = Value::Int(2);
    assert_eq!(changed.get("a"), Some(&value(r#"[[{"b": 2}]]"#)));
    assert!(changed.get_mut("two").and_then(|two| two.get_mut(Through("b"))).is_none());
    assert_eq!(one.get("a").get(Through("b")), Some(&Value::Int(1)), "the other is as it was");
}
