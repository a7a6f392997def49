//! The operators of Choice states.

use super::super::*;
use super::value;
use crate::value::Value;

#[test]
fn values_of_another_kind_compare_false() {
    for json in [r#""""#, r#""HelloWorld""#, "0", "1.1", "[]", "null", r#"{"A":0}"#, r#"[""]"#] {
        let other = value(json);
        assert!(!boolean_equals(&other, false) && !boolean_equals(&other, true), "{json}");
        assert!(!boolean_equals_path(&other, &Value::Bool(false)), "{json}");
        assert!(!timestamp_equals(&other, "2012-10-09T19:00:55Z"), "{json}");
        assert!(!timestamp_less_than_path(&other, &other), "{json}");
        if other.as_f64().is_none() {
            assert!(!numeric_equals(&other, 0) && !numeric_less_than(&other, 1.5), "{json}");
            assert!(!numeric_less_than_equals_path(&other, &other), "{json}");
        }
        if other.as_str().is_none() {
            assert!(!string_equals(&other, "HelloWorld") && !string_matches(&other, "*"), "{json}");
            assert!(!string_greater_than_equals_path(&other, &other), "{json}");
        }
    }
}

#[test]
fn numbers_compare_exactly() {
    let large = Value::Int(9_007_199_254_740_993);
    assert!(!numeric_equals(&large, 9_007_199_254_740_992_i64));
    assert!(!numeric_equals(&large, 9_007_199_254_740_992.0));
    assert!(numeric_greater_than(&large, 9_007_199_254_740_992.0));
    assert!(numeric_equals(&Value::Int(1), 1.0) && numeric_equals(&Value::Float(0.0), 0));
    assert!(numeric_less_than_equals(&Value::Int(1), 1) && !numeric_less_than(&Value::Int(1), 1));
    assert!(numeric_greater_than_equals_path(&Value::Float(1.0), &Value::Int(1)));
}

#[test]
fn strings_are_ordered_by_utf_16() {
    let text = |text: &str| Value::from(text);
    assert!(string_less_than(&text("A"), "AB") && string_greater_than(&text("a"), "B"));
    assert!(string_less_than_equals(&text(""), "") && !string_greater_than(&text("A"), "A\t\n\r"));
    // A surrogate is less than U+FF61. The character that it belongs to is greater.
    assert!(string_less_than(&text("\u{1f600}"), "\u{ff61}"));
}

#[test]
fn timestamps_are_points_in_time() {
    let time = |text: &str| Value::from(text);
    assert!(timestamp_equals(&time("2012-10-09T19:00:55Z"), "2012-10-09T20:00:55+01:00"));
    assert!(timestamp_equals(&time("2012-10-09T19:00:55.000Z"), "2012-10-09T19:00:55Z"));
    assert!(timestamp_less_than(&time("2012-10-09T19:00:55.000000001Z"), "2012-10-09T19:00:55.000000002Z"));
    assert!(timestamp_greater_than_equals_path(&time("2000-03-01T00:00:00Z"), &time("2000-02-29T23:59:59-00:00")));
    for text in [
        "1970-01-01T00:00:00Z",
        "2016-03-14T01:59:00Z",
        "2016-02-29T00:00:00.123456789123+23:59",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.9-23:59",
    ] {
        assert!(is_timestamp(&time(text)), "{text}");
    }
    for text in [
        "2016-12-05 21:29:29Z",
        "2016-12-05T21:29:29",
        "2016-13-05T21:29:29Z",
        "2016-12-05T25:29:29Z",
        "05-12-2016T21:29:29Z",
        "2016-12-05t21:29:29Z",
        "2016-12-05T21:29:29z",
        "2016-12-05T21:29Z",
        "2016-12-05T21:29:60Z",
        "2016-12-05T21:29:29.Z",
        "2015-02-29T00:00:00Z",
        "2016-00-01T00:00:00Z",
        "2016-04-31T00:00:00Z",
        "2016-04-00T00:00:00Z",
        "2016-04-01T00:00:00+24:00",
        "2016-04-01T00:00:00+0100",
        "2016-04-01T00:00:00Z ",
        "+016-04-01T00:00:00Z",
        "2012-10-09",
        "",
        "é016-04-01T00:00:00Z",
    ] {
        assert!(!is_timestamp(&time(text)), "{text}");
    }
}

#[test]
fn patterns() {
    let cases = [
        ("log-*.txt", "log-.txt", true),
        ("log-*.txt", "log-a.b.txt", true),
        ("log-*.txt", "log-a.txtx", false),
        ("*", "", true),
        ("", "", true),
        ("", "a", false),
        ("a*b*c", "a1b2b3c", true),
        ("a*b*c", "a1b2b3", false),
        (r"\*", "*", true),
        (r"\*", "x", false),
        (r"a\\*", r"a\b", true),
        (r"a\*b", "a*b", true),
        ("*é*", "caférest", true),
        ("**", "anything", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(string_matches(&Value::from(text), pattern), expected, "{pattern} on {text}");
    }
    // At most the product of the lengths.
    let text = Value::from("a".repeat(5_000));
    assert!(!string_matches(&text, &format!("{}b", "a*".repeat(500))));
}

#[test]
fn kinds() {
    type Test = fn(&Value) -> bool;
    let tests: [(&str, Test); 4] =
        [("null", is_null), ("boolean", is_boolean), ("number", is_numeric), ("string", is_string)];
    for json in ["null", "true", "1", "1.5", r#""""#, "[]", "{}"] {
        for (kind, holds) in tests {
            assert_eq!(holds(&value(json)), value(json).kind() == kind, "{json} is {kind}");
        }
    }
    assert!(is_present(Some(&Value::Null)) && !is_present(None));
}
