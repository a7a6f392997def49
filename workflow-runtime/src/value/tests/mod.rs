//! Tests of the value type.

mod data;
mod deep;
mod objects;
mod size;
mod text;

use super::*;
use crate::value;

#[test]
fn reads_are_chained_and_miss_quietly() {
    let order = object([("id", "a-1".into()), ("items", array([1.into(), 2.5.into()]))]);
    let found = |index: i64| Some(&order).get("items").get(index).cloned();
    assert_eq!(found(0), Some(Value::Int(1)));
    assert_eq!(found(-1), Some(Value::Float(2.5)));
    assert_eq!(found(2), None);
    assert_eq!(found(-3), None);
    assert_eq!(found(i64::MIN), None);
    assert_eq!(order.get("items").get("id"), None);
    assert_eq!(order.get(0), None);
    assert_eq!(order.get("id").and_then(Value::as_str), Some("a-1"));
}

#[test]
fn numbers_are_equal_by_value_without_rounding() {
    for (left, right, equal) in [
        (Value::Int(1), Value::Float(1.0), true),
        (Value::Int(0), Value::Float(-0.0), true),
        (Value::Int(-1), Value::Float(-1.5), false),
        (Value::Int(9_007_199_254_740_993), Value::Float(9_007_199_254_740_992.0), false),
        (Value::Int(i64::MAX), Value::Float(9_223_372_036_854_775_807.0), false),
        (Value::Int(i64::MIN), Value::Float(-9_223_372_036_854_775_808.0), true),
        (Value::Int(1), Value::Bool(true), false),
    ] {
        assert_eq!(left == right, equal, "{left} and {right}");
        assert_eq!(right == left, equal, "{right} and {left}");
    }
}

#[test]
fn macro_builds_json() {
    let key = String::from("k");
    let value = value!({
        "a": [1, -2.5, null, [], {}, "x".to_owned(), [1, 2].len()],
        (key): {"n": Some(1), "m": None::<i64>},
        "a2": 1 + 1,
    });
    assert_eq!(value.to_string(), r#"{"a":[1,-2.5,null,[],{},"x",2],"k":{"n":1,"m":null},"a2":2}"#);
    assert_eq!(value!({"a": 1, "a": 2}).to_string(), r#"{"a":2}"#);
    assert_eq!(value!(null), Value::Null);
}

#[test]
fn whole_numbers_are_read_whichever_way_they_are_kept() {
    for (value, expected) in [
        (Value::Float(3.0), Some(3)),
        (Value::Float(3.5), None),
        (Value::Float(1e19), None),
        (Value::Float(-9_223_372_036_854_775_808.0), Some(i64::MIN)),
        (Value::Float(9_223_372_036_854_775_808.0), None),
        (Value::Int(i64::MAX), Some(i64::MAX)),
        (value!("3"), None),
    ] {
        assert_eq!(value.as_i64(), expected, "{value}");
    }
}

#[test]
fn numbers_beyond_json_become_null_or_the_nearest_double() {
    assert_eq!(Value::from(f64::NAN), Value::Null);
    assert_eq!(Value::from(f64::NEG_INFINITY), Value::Null);
    assert_eq!(Value::from(u64::MAX).to_string(), "1.8446744073709552e19");
    assert_eq!(Value::from(None::<bool>), Value::Null);
}

#[test]
fn a_change_copies_only_what_is_shared_on_the_way() {
    let before = value!({"a": {"b": 1}, "other": [1]});
    let mut after = before.clone();
    *after.get_mut("a").and_then(|a| a.get_mut("b")).unwrap() = 2.into();
    assert_eq!(before, value!({"a": {"b": 1}, "other": [1]}));
    assert_eq!(after, value!({"a": {"b": 2}, "other": [1]}));
    let (Some(Value::Array(left)), Some(Value::Array(right))) = (before.get("other"), after.get("other")) else {
        panic!("both have the array");
    };
    assert!(Arc::ptr_eq(left, right));
    assert!(after.get_mut("none").is_none());
    assert!(after.get_mut(0).is_none());
}

#[test]
fn a_literal_is_read_once() {
    static DEFAULTS: Literal = Literal::new(r#"{"a":[1]}"#);
    assert_eq!(*DEFAULTS, value!({"a": [1]}));
    let (Value::Object(left), Value::Object(right)) = (&*DEFAULTS, &*DEFAULTS) else { panic!("an object") };
    assert!(Arc::ptr_eq(left, right));
}

#[test]
fn kinds_are_named() {
    for (value, kind) in [
        (value!({}), "object"),
        (value!([]), "array"),
        (value!("x"), "string"),
        (value!(1), "number"),
        (value!(1.5), "number"),
        (value!(true), "boolean"),
        (value!(null), "null"),
    ] {
        assert_eq!(value.kind(), kind);
    }
}
