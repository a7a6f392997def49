//! Tests of the value type.

use super::*;

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
fn prints_compact_json() {
    let value = object([
        ("none", Value::Null),
        ("list", array([true.into(), (-3).into(), 1.0.into(), 1e300.into(), array([]), object([])])),
        ("text", "ä\"\\\n\u{1}\u{7f}".into()),
    ]);
    assert_eq!(
        value.to_string(),
        "{\"none\":null,\"list\":[true,-3,1.0,1e300,[],{}],\"text\":\"ä\\\"\\\\\\n\\u0001\u{7f}\"}"
    );
    assert_eq!(array([1.into(), object([("a", array([]))])]).to_string_pretty(), "[\n  1,\n  {\n    \"a\": []\n  }\n]");
}

#[test]
fn macro_builds_json() {
    let key = String::from("k");
    let value = crate::value!({
        "a": [1, -2.5, null, [], {}, "x".to_owned(), [1, 2].len()],
        (key): {"n": Some(1), "m": None::<i64>},
        "a2": 1 + 1,
    });
    assert_eq!(value.to_string(), r#"{"a":[1,-2.5,null,[],{},"x",2],"k":{"n":1,"m":null},"a2":2}"#);
    assert_eq!(crate::value!({"a": 1, "a": 2}).to_string(), r#"{"a":2}"#);
    assert_eq!(crate::value!(null), Value::Null);
}
