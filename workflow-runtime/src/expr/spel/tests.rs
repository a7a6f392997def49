//! Results and faults of operators and methods.

use super::*;

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Returns the result of a binary operator, or the cause of its fault. `-` represents an absent
/// operand.
fn both<T>(of: impl Fn(Operand<'_>, Operand<'_>) -> Result<T, Fault>, left: &str, right: &str) -> Result<T, String> {
    let operand = |json: &str| (json != "-").then(|| value(json));
    of(operand(left).as_ref(), operand(right).as_ref()).map_err(|fault| {
        assert_eq!(fault.error(), Some("States.QueryEvaluationError"));
        assert!(!fault.is_uncatchable());
        fault.cause().map(|cause| cause.as_str().expect("a text").to_owned()).expect("a cause")
    })
}

#[test]
fn equality_is_deep_and_by_value() {
    for (left, right, expected) in [
        ("1", "1.0", true),
        ("1", r#""1""#, false),
        (r#""a""#, r#""a""#, true),
        (r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1,2],"a":1.0}"#, true),
        ("[1,2]", "[2,1]", false),
        ("null", "null", true),
        ("-", "null", true),
        ("-", "false", false),
        ("null", "0", false),
        ("null", r#""""#, false),
    ] {
        assert_eq!(both(|left, right| Ok(equals(left, right)), left, right), Ok(expected), "{left} eq {right}");
    }
}

#[test]
fn numbers_and_strings_have_an_order() {
    assert_eq!(both(less_than, "1", "1.5"), Ok(true));
    assert_eq!(both(less_than, "9007199254740993", "9007199254740992"), Ok(false));
    assert_eq!(both(less_than_equals, "2", "2.0"), Ok(true));
    assert_eq!(both(greater_than, r#""b""#, r#""a""#), Ok(true));
    assert_eq!(both(greater_than_equals, r#""a""#, r#""b""#), Ok(false));
    // As in Java, and not by code points.
    assert_eq!(both(less_than, "\"\u{10000}\"", "\"\u{ffff}\""), Ok(true));
    let refused = |types: &str| Err(format!("`lt` compares two numbers or two strings, found {types}"));
    assert_eq!(both(less_than, "-", "1"), refused("null and a number"));
    assert_eq!(both(less_than, "1", r#""1""#), refused("a number and a string"));
    assert_eq!(both(less_than, "true", "[]"), refused("a boolean and an array"));
}

#[test]
fn arithmetic_is_that_of_java_and_has_limits() {
    for (of, left, right, expected) in [
        (add as fn(Operand<'_>, Operand<'_>) -> Result<Value, Fault>, "1", "2", "3"),
        (add, "1", "0.5", "1.5"),
        (add, r#""a""#, "1", r#""a1""#),
        (add, "null", r#""a""#, r#""nulla""#),
        (add, r#""a""#, r#"{"b":[1]}"#, r#""a{\"b\":[1]}""#),
        (subtract, "1", "2", "-1"),
        (multiply, "3", "1.5", "4.5"),
        (divide, "7", "2", "3"),
        (divide, "-7", "2", "-3"),
        (divide, "7", "2.0", "3.5"),
        (remainder, "-7", "2", "-1"),
        (remainder, "7.5", "2", "1.5"),
        (remainder, "-9223372036854775808", "-1", "0"),
    ] {
        assert_eq!(both(of, left, right), Ok(value(expected)), "{left} and {right}");
    }
    for (of, left, right, expected) in [
        (
            add as fn(Operand<'_>, Operand<'_>) -> Result<Value, Fault>,
            "1",
            "null",
            "`+` takes two numbers, found a number and null",
        ),
        (subtract, r#""2""#, "1", "`-` takes two numbers, found a string and a number"),
        (divide, "1", "0", "the right side of `/` is zero"),
        (divide, "1.0", "0.0", "the right side of `/` is zero"),
        (divide, "null", "0", "`/` takes two numbers, found null and a number"),
        (remainder, "1", "0", "the right side of `%` is zero"),
        (add, "9223372036854775807", "1", "the result of `+` is too large"),
        (divide, "-9223372036854775808", "-1", "the result of `/` is too large"),
        (multiply, "1e308", "1e308", "the result of `*` is too large"),
    ] {
        assert_eq!(both(of, left, right), Err(expected.to_owned()), "{left} and {right}");
    }
    assert_eq!(negate(Some(&value("2.5"))), Ok(value("-2.5")));
    assert!(negate(Some(&Value::Int(i64::MIN))).is_err() && negate(None).is_err());
}

#[test]
fn tests_answer_yes_or_no() {
    assert_eq!(is_true(Some(&Value::Bool(true))), Ok(true));
    assert_eq!(is_true(Some(&Value::Bool(false))), Ok(false));
    for (other, description) in [("null", "null"), ("1", "a number"), (r#""true""#, "a string"), ("{}", "an object")] {
        let fault = is_true(Some(&value(other))).expect_err("a fault");
        let cause = format!("a condition must be a boolean, found {description}");
        assert_eq!(fault.cause(), Some(&Value::from(cause)), "{other}");
    }
    assert!(!is_given(None) && !is_given(Some(&Value::Null)) && is_given(Some(&Value::Bool(false))));
    assert!(!is_filled(None) && !is_filled(Some(&Value::from(""))) && is_filled(Some(&Value::Int(0))));
}

#[test]
fn methods_are_those_of_their_types() {
    assert_eq!(size(Some(&value("[1,2]")), "size"), Ok(Value::Int(2)));
    assert_eq!(size(Some(&value(r#"{"a":1}"#)), "size"), Ok(Value::Int(1)));
    assert_eq!(size(Some(&value("\"a\u{10000}\"")), "length"), Ok(Value::Int(3)));
    let fault = size(None, "length").expect_err("a fault");
    let cause = "`length()` is a method of a string, an array or an object, found null";
    assert_eq!(fault.cause(), Some(&Value::from(cause)));
    assert_eq!(is_empty(Some(&value("[]"))), Ok(true));
    assert_eq!(is_empty(Some(&value(r#""a""#))), Ok(false));
    assert!(is_empty(Some(&Value::Int(0))).is_err());
    assert_eq!(both(contains, "[1,2]", "2.0"), Ok(true));
    assert_eq!(both(contains, "[null]", "-"), Ok(true));
    assert_eq!(both(contains, r#""order-1""#, r#""-""#), Ok(true));
    assert_eq!(both(contains, r#""a1""#, "1"), Err("`contains()` of a string takes a string, found a number".into()));
    assert!(both(contains, r#"{"a":1}"#, r#""a""#).is_err());
    assert_eq!(both(starts_with, r#""abc""#, r#""ab""#), Ok(true));
    assert_eq!(both(ends_with, r#""abc""#, r#""ab""#), Ok(false));
    assert_eq!(both(ends_with, "-", r#""ab""#), Err("`endsWith()` is a method of a string, found null".into()));
    assert_eq!(to_lower_case(Some(&Value::from("ÄB"))), Ok(Value::from("äb")));
    assert_eq!(to_upper_case(Some(&Value::from("äb"))), Ok(Value::from("ÄB")));
    assert!(to_upper_case(Some(&Value::Int(1))).is_err());
}

#[test]
fn patterns_match_the_whole_text() {
    let text = Value::from("order-17");
    assert_eq!(matches(Some(&text), "order-[0-9]+"), Ok(true));
    assert_eq!(matches(Some(&text), "order"), Ok(false));
    assert_eq!(matches(Some(&Value::Int(17)), "[0-9]{2}"), Ok(true));
    assert_eq!(matches(None, ".*"), Ok(false));
    assert!(matches(Some(&value("[]")), ".*").is_err());
    assert_eq!(both(matches_value, r#""a""#, r#""[ab]""#), Ok(true));
    assert_eq!(
        both(matches_value, r#""a""#, "1"),
        Err("the pattern of `matches` must be a string, found a number".into())
    );
    for pattern in ["(", "((a{1000}){1000}){1000}"] {
        let json = Value::from(pattern).to_string();
        let cause = format!("the pattern of `matches` is not a valid regular expression or is too large: {pattern}");
        assert_eq!(both(matches_value, r#""a""#, &json), Err(cause));
    }
}

#[test]
fn one_that_is_selected_alone_is_the_element() {
    assert_eq!(only(Some(&value(r#"["MANAGER"]"#))), Value::from("MANAGER"));
    assert_eq!(only(Some(&value("[]"))), value("[]"));
    assert_eq!(only(Some(&value("[1,2]"))), value("[1,2]"));
    assert_eq!(only(None), Value::Null);
}
