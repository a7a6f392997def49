//! Tests of printing and reading JSON.

use crate::value;
use crate::value::{MAX_DEPTH, Value};

#[test]
fn prints_compact_json() {
    let text = "ä\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{2028}😀";
    let value = value!({"none": null, "list": [true, -3, [], {}], "te\"xt": text});
    let expected =
        concat!(r#"{"none":null,"list":[true,-3,[],{}],"te\"xt":"ä\"\\/\b\f\n\r\t\u0001"#, "\u{7f}\u{2028}😀\"}");
    assert_eq!(value.to_string(), expected);
    assert_eq!(format!("{value:?}"), expected);
    assert_eq!(Value::from_json(expected), Ok(value.clone()));
    assert_eq!(serde_json::to_string(&value).unwrap(), expected);
}

#[test]
fn prints_over_several_lines() {
    assert_eq!(
        value!([1, {"a": [], "b": {}}, [[2]]]).to_string_pretty(),
        "[\n  1,\n  {\n    \"a\": [],\n    \"b\": {}\n  },\n  [\n    [\n      2\n    ]\n  ]\n]"
    );
    assert_eq!(value!(1).to_string_pretty(), "1");
}

#[test]
fn doubles_are_printed_short_and_read_back_the_same() {
    for (number, expected) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e300, "1e300"),
        (-2.5e-9, "-2.5e-9"),
        (123_456_789_012_345_680_000.0, "1.2345678901234568e20"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e308"),
    ] {
        let text = Value::from(number).to_string();
        assert_eq!(text, expected);
        let Ok(Value::Float(read)) = Value::from_json(&text) else { panic!("{text} is a double") };
        assert_eq!(read.to_bits(), number.to_bits(), "{text}");
    }
    assert_eq!(Value::Float(f64::INFINITY).to_string(), "null");
}

#[test]
fn reads_json() {
    for (text, expected) in [
        (" null ", value!(null)),
        ("9223372036854775807", Value::Int(i64::MAX)),
        ("-9223372036854775808", Value::Int(i64::MIN)),
        ("9223372036854775808", Value::Float(9_223_372_036_854_775_808.0)),
        ("-9223372036854775809", Value::Float(-9_223_372_036_854_775_808.0)),
        ("1e2", Value::Float(100.0)),
        (r#""\ud83d\ude00""#, value!("😀")),
        (r#"{"a":1,"b":2,"a":{"c":[]}}"#, value!({"a": {"c": []}, "b": 2})),
    ] {
        assert_eq!(Value::from_json(text).unwrap().to_string(), expected.to_string(), "{text}");
        assert_eq!(text.parse::<Value>().unwrap().to_string(), expected.to_string(), "{text}");
        assert_eq!(Value::from_json_slice(text.as_bytes()).unwrap().to_string(), expected.to_string(), "{text}");
    }
}

#[test]
fn invalid_json_is_refused() {
    for (text, message) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("[1,]", "trailing comma at line 1 column 4"),
        ("{} {}", "trailing characters at line 1 column 4"),
        ("1e999", "number out of range at line 1 column 5"),
        ("NaN", "expected value at line 1 column 1"),
    ] {
        assert_eq!(Value::from_json(text).unwrap_err().to_string(), message, "{text}");
    }
    assert!(Value::from_json_slice(b"\"\xff\"").is_err());
}

#[test]
fn strict_reading_refuses_duplicate_keys_and_nothing_else() {
    for (text, message) in [
        (r#"{"a": 1, "a": 1}"#, "duplicate key `a` at line 1 column 12"),
        (r#"{"a": 1, "\u0061": 2}"#, "duplicate key `a` at line 1 column 17"),
        (r#"[{}, {"b": {"c": 0, "d": [], "c": 1}}]"#, "duplicate key `c` at line 1 column 32"),
        (r#"{"": 1, "": 2}"#, "duplicate key `` at line 1 column 10"),
        (r#"{"\n": 1, "\n": 2}"#, r"duplicate key `\n` at line 1 column 14"),
        ("{} {}", "trailing characters at line 1 column 4"),
        ("", "EOF while parsing a value at line 1 column 0"),
    ] {
        assert_eq!(Value::from_json_strict(text).unwrap_err().to_string(), message, "{text}");
    }
    let many: String = (0..1_000).map(|number| format!("\"{number}\": 0, ")).collect();
    let error = Value::from_json_strict(format!("{{{many}\"7\": 1}}")).unwrap_err();
    assert!(error.to_string().starts_with("duplicate key `7` at "), "{error}");
    for text in [r#"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}"#, "1e3", "12345678901234567890123", "\"a\"", " null "] {
        assert_eq!(Value::from_json_strict(text), Value::from_json(text), "{text}");
    }
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(Value::from_json_strict(nested(MAX_DEPTH)).is_ok());
    assert!(Value::from_json_strict(nested(MAX_DEPTH + 1)).is_err());
}

#[test]
fn text_is_nested_as_deep_as_serde_json_reads() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(Value::from_json(&nested(MAX_DEPTH)).unwrap().to_string(), nested(MAX_DEPTH));
    let error = Value::from_json(&nested(MAX_DEPTH + 1)).unwrap_err();
    assert!(error.to_string().starts_with("recursion limit exceeded"), "{error}");
}

#[test]
fn keys_that_recur_are_kept_once() {
    let value = Value::from_json(r#"[{"identifier":1},{"identifier":2}]"#).unwrap();
    let key =
        |item: i64| value.get(item).and_then(Value::as_object).and_then(|members| members.get_index(0)).unwrap().0;
    assert!(std::ptr::eq(key(0).as_str(), key(1).as_str()));
}
