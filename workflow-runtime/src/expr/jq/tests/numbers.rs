//! Numbers without a JSON form, and exact integers.

use crate::expr::jq::{self, Result};
use crate::machine::FunctionLimits;
use crate::value;
use crate::value::Value;

fn evaluate(expression: impl FnOnce() -> Result<Value>) -> String {
    jq::run(FunctionLimits::default(), expression).expect("a value").to_string()
}

#[test]
fn what_is_not_finite_leaves_no_expression() {
    let nested = || Ok(value!([{ "a": (jq::nan()) }, (jq::infinite()), 1]));
    assert_eq!(evaluate(nested), r#"[{"a":null},1.7976931348623157e308,1]"#);
    let computed = || jq::mul(Value::Float(-1e300), &Value::Float(1e300));
    assert_eq!(evaluate(computed), "-1.7976931348623157e308");
    // Within the expression, the number is infinite.
    assert_eq!(evaluate(|| Ok(jq::isnan(&jq::sub(jq::infinite(), &jq::infinite())?).into())), "true");
}

#[test]
fn an_error_shows_such_a_number_in_its_json_form() {
    let raised = jq::run(FunctionLimits::default(), || -> Result<Value> { Err(jq::Error::raised(jq::nan())) });
    let fault = raised.expect_err("a fault");
    assert_eq!((fault.error(), fault.cause()), (Some("States.QueryEvaluationError"), Some(&Value::Null)));
}

#[test]
fn whole_numbers_are_exact_until_they_are_computed_with() {
    let great = Value::Int(9_007_199_254_740_993);
    let cases = [
        (jq::add(great.clone(), &Value::Int(0)), "9007199254740992"),
        (jq::neg(great.clone()), "-9007199254740993"),
        (jq::length(&Value::Int(-9_007_199_254_740_993)), "9007199254740993"),
        (jq::add(Value::Int(9_007_199_254_740_992), &Value::Int(-1)), "9007199254740991"),
        (jq::mul(Value::Int(3), &Value::Int(-4)), "-12"),
        (jq::mul(Value::Int(0), &Value::Int(-4)), "-0.0"),
        (jq::neg(Value::Int(i64::MIN)), "9.223372036854776e18"),
        (jq::rem(Value::Int(i64::MIN), &Value::Int(-1)), "0"),
    ];
    for (result, expected) in cases {
        assert_eq!(result.expect("a number").to_string(), expected);
    }
    assert!(!jq::eq(&great, &Value::Int(9_007_199_254_740_992)));
    assert!(jq::eq(&great, &Value::Float(9_007_199_254_740_992.0)), "one of both was computed");
}

#[test]
fn sorting_bears_numbers_that_have_no_order() {
    let mut items: Vec<Value> = Vec::new();
    for at in 0..200_i64 {
        items.push(if at % 3 == 0 { jq::nan() } else { Value::Int((at * 7919) % 100 + (1 << 53)) });
        items.push(Value::Float(((1_u64 << 53) + (at as u64 % 5) * 2) as f64));
    }
    let sorted = jq::sort(&items.into()).expect("an array");
    let sorted = sorted.as_array().expect("an array");
    assert!(sorted[..67].iter().all(jq::isnan) && !jq::isnan(&sorted[67]));
}
