//! Conversion of documents and variables (docs/composer.md).

use super::json;
use crate::expr::js::run::call_state;
use crate::expr::js::{Js, Result, Run, Throw, Var, add, builtin, function, get, object, set, type_error};
use crate::machine::{FunctionLimits, RandomStream};
use crate::time::Timestamp;
use crate::value::Value;

fn result_of(function: fn(&Run, Js, [Var; 0]) -> Result) -> String {
    let mut random = RandomStream::seeded(1);
    call_state(Timestamp::from_seconds(0), &mut random, FunctionLimits::default(), json(r#"{"n": 1}"#), [], function)
        .to_string()
}

#[test]
fn results_are_wrapped() {
    assert_eq!(result_of(|_, params, _| Ok(params)), r#"{"n":1}"#);
    assert_eq!(result_of(|_, _, _| Ok(Js::Undefined)), "{}");
    assert_eq!(result_of(|_, _, _| Ok(Js::Null)), r#"{"value":null}"#);
    assert_eq!(result_of(|_, _, _| Ok(Js::Number(f64::NAN))), r#"{"value":null}"#);
    assert_eq!(result_of(|_, _, _| Ok(Js::text("x"))), r#"{"value":"x"}"#);
    assert_eq!(result_of(|_, _, _| Ok(object([("u", Js::Undefined)]))), "{}");
    assert_eq!(
        result_of(|run, _, _| builtin::date(run, &[Js::Number(0.0)])),
        r#"{"value":"1970-01-01T00:00:00.000Z"}"#
    );
    assert_eq!(result_of(|run, _, _| builtin::error(run, &[Js::text("m")])), "{}");
}

#[test]
fn errors_are_all_that_is_left() {
    let both = |_: &Run, _: Js, _: [Var; 0]| Ok(object([("error", Js::Null), ("n", Js::Null)]));
    assert_eq!(result_of(both), r#"{"error":null}"#);
    assert_eq!(result_of(|_, _, _| Err(type_error("no"))), r#"{"error":"An error has occurred: TypeError: no"}"#);
    assert_eq!(result_of(|_, _, _| Err(Throw::Value(Js::text("s")))), r#"{"error":"An error has occurred: s"}"#);
    let no_text =
        |_: &Run, _: Js, _: [Var; 0]| Err(Throw::Value(object([("toString", Js::Null), ("valueOf", Js::Null)])));
    assert_eq!(result_of(no_text), r#"{"error":"An error has occurred: an object that has no text"}"#);
    let function_result = |_: &Run, _: Js, _: [Var; 0]| Ok(function("f", 0, |_, _, _| Ok(Js::Null)));
    assert!(result_of(function_result).contains("An error has occurred: SyntaxError: "));
    let circular = |_: &Run, params: Js, _: [Var; 0]| {
        set(&params, "me", params.clone())?;
        Ok(params)
    };
    assert!(result_of(circular).contains("An error has occurred: TypeError: "));
}

#[test]
fn to_json_is_asked() {
    let to_json_of_member = |_: &Run, _: Js, _: [Var; 0]| {
        let to_json = function("toJSON", 1, |_, _, arguments| add(&Js::text("key "), &arguments[0]));
        Ok(object([("a", object([("toJSON", to_json)]))]))
    };
    assert_eq!(result_of(to_json_of_member), r#"{"a":"key a"}"#);
}

fn with_variable(before: &str, function: fn(&Run, Js, [Var; 1]) -> Result) -> (String, String) {
    let mut variable = json(before);
    let mut random = RandomStream::seeded(1);
    let document = call_state(
        Timestamp::from_seconds(0),
        &mut random,
        FunctionLimits::default(),
        json("{}"),
        [&mut variable],
        function,
    );
    (document.to_string(), variable.to_string())
}

#[test]
fn variables_are_written_back() {
    let count = with_variable("1", |_, _, [count]| {
        count.set(add(&count.get(), &Js::Number(1.0))?);
        Ok(Js::Undefined)
    });
    assert_eq!(count, ("{}".into(), "2".into()));
    let kept = with_variable("1", |_, _, [x]| {
        x.set(Js::text("kept"));
        Err(type_error("thrown"))
    });
    assert_eq!(kept.1, r#""kept""#);
    let inside = with_variable(r#"{"a": {"b": 1}}"#, |_, params, [x]| {
        set(&get(&x.get(), "a")?, "b", Js::Number(2.0))?;
        Ok(params)
    });
    assert_eq!(inside.1, r#"{"a":{"b":2}}"#);
    let date = with_variable("1", |run, _, [x]| {
        x.set(builtin::date(run, &[Js::Number(0.0)])?);
        Ok(Js::Undefined)
    });
    assert_eq!(date.1, r#""1970-01-01T00:00:00.000Z""#);
}

#[test]
fn a_variable_without_json_keeps_its_value() {
    let (document, variable) = with_variable(r#"{"a": 1}"#, |_, params, [x]| {
        x.set(Js::Undefined);
        Ok(params)
    });
    assert!(document.contains("An error has occurred: SyntaxError"), "{document}");
    assert_eq!(variable, r#"{"a":1}"#);
}

#[test]
fn variables_are_written_back_when_the_budget_is_used_up() {
    let (document, variable) = with_variable(r#"{"a": {"b": 1}}"#, |run, _, [x]| {
        set(&get(&x.get(), "a")?, "b", Js::Number(2.0))?;
        loop {
            run.tick()?;
        }
    });
    assert!(document.starts_with(r#"{"error":"An error has occurred: the function used up its budget"#), "{document}");
    assert_eq!(variable, r#"{"a":{"b":2}}"#);
}

#[test]
fn a_variable_and_the_document_may_be_one_object() {
    let (document, variable) = with_variable("null", |_, params, [x]| {
        x.set(params.clone());
        set(&params, "n", Js::Number(1.0))?;
        Ok(params)
    });
    assert_eq!((document.as_str(), variable.as_str()), (r#"{"n":1}"#, r#"{"n":1}"#));
}

#[test]
fn time_and_randomness_are_those_of_the_execution() {
    let now = |seed: u64| -> Value {
        let mut random = RandomStream::seeded(seed);
        let call = |run: &Run, _: Js, _: [Var; 0]| {
            let (now, random) = (builtin::date_now(run, &[])?, builtin::math_random(run, &[])?);
            Ok(object([("now", now), ("random", random)]))
        };
        let value = call_state(
            Timestamp::from_micros(1_234_567),
            &mut random,
            FunctionLimits::default(),
            Value::Null,
            [],
            call,
        );
        assert_ne!(random, RandomStream::seeded(seed), "the stream goes on");
        value
    };
    assert_eq!(now(1).get("now").unwrap().as_i64(), Some(1234));
    assert_eq!(now(1), now(1));
    assert_ne!(now(1), now(2));
}
