//! Limits of an evaluation, and nesting of values.

use std::time::{Duration, Instant};

use crate::expr::jq::{self, Error, Result};
use crate::machine::FunctionLimits;
use crate::value::Value;

const LIMITS: FunctionLimits = FunctionLimits { steps: 100_000, time: Duration::from_secs(10), memory: 1 << 20 };

/// Returns the reason why the evaluation ended.
fn ended(limits: FunctionLimits, expression: impl FnOnce() -> Result<()>) -> String {
    let fault = jq::run(limits, || expression().map(|()| true)).expect_err("a limit");
    fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn loops_without_end_use_up_the_steps() {
    let steps = "the expression used up its budget of steps";
    let ignored: jq::Out = &mut |_| Ok(());
    assert_eq!(ended(LIMITS, || jq::range(&Value::Int(0), &jq::infinite(), ignored)), steps);
    assert_eq!(ended(LIMITS, || jq::range(&jq::nan(), &Value::Int(1), ignored)), steps);
    assert_eq!(ended(LIMITS, || jq::range_by(&1.into(), &2.into(), &Value::Float(1e-300), ignored)), steps);
    assert_eq!(ended(LIMITS, || jq::repeat(&Value::Null, &mut |_, _| Ok(()), ignored)), steps);
    let roomy = FunctionLimits { memory: u64::MAX, ..LIMITS };
    assert_eq!(ended(roomy, || jq::recurse(Value::Null, &mut |value, out| out(value), ignored)), steps);
    assert_eq!(ended(LIMITS, || jq::until(Value::Null, |_| Ok(false), Ok).map(drop)), steps);
    assert_eq!(ended(LIMITS, || jq::while_(Value::Null, |_| Ok(true), Ok, ignored)), steps);
    let choices = Value::from(vec![Value::from(vec![0, 1]); 64]);
    assert_eq!(ended(LIMITS, || jq::combinations(&choices, ignored)), "the expression used up its budget of memory");
}

#[test]
fn what_is_made_uses_up_the_memory() {
    let memory = "the expression used up its budget of memory";
    let text = Value::from("x");
    assert_eq!(ended(LIMITS, || jq::mul(text.clone(), &Value::Float(1e9)).map(drop)), memory);
    assert_eq!(ended(LIMITS, || jq::setpath(Value::Null, &vec![400_000_000].into(), Value::Null).map(drop)), memory);
    let doubled = || (0..40).try_fold(Value::from("x"), |text, _| jq::add(text.clone(), &text)).map(drop);
    assert_eq!(ended(LIMITS, doubled), memory);
    let nested = || (0..60).try_fold(Value::from(vec![1]), |items, _| jq::tojson(&vec![items.clone(), items].into()));
    assert_eq!(ended(LIMITS, || nested().map(drop)), memory);
    let flat = (0..40).fold(Value::from(vec![1]), |items, _| vec![items.clone(), items].into());
    assert_eq!(ended(LIMITS, || jq::flatten(&flat).map(drop)), memory);
    // Outside of an evaluation, a limit for one value remains.
    assert!(jq::mul(text, &Value::Float(2e9)).is_err());
}

#[test]
fn nothing_catches_a_limit() {
    let exceeded = jq::run(LIMITS, || {
        let error = jq::mul(Value::from("x"), &Value::Float(1e9)).expect_err("a limit");
        error.caught()
    });
    assert!(exceeded.is_err());
    assert!(Error::break_to(3).caught().expect_err("a break").is_break_to(3));
    assert_eq!(Error::message("a").caught().expect("a message"), Value::from("a"));
}

#[test]
fn time_runs_out() {
    let limits = FunctionLimits { time: Duration::from_millis(20), steps: u64::MAX, ..LIMITS };
    let started = Instant::now();
    let cause = ended(limits, || jq::repeat(&Value::Null, &mut |_, _| Ok(()), &mut |_| Ok(())));
    assert_eq!(cause, "the expression used up its budget of time");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_match_that_takes_too_long_is_not_begun() {
    let limits = FunctionLimits { time: Duration::from_secs(60), steps: u64::MAX, memory: u64::MAX };
    let time = "the expression used up its budget of time";
    let text = Value::from("ab".repeat(500_000));
    let pattern = Value::from("(?:[ab]{1,1000}){1,3}c");
    assert_eq!(ended(limits, || jq::test(&text, &pattern).map(drop)), time);
    assert_eq!(ended(limits, || jq::match_(&text, &pattern, &mut |_| Ok(()))), time);
    assert_eq!(jq::test(&text, &"^[ab]*$".into()).ok(), Some(true));
    // Every match reads the text to its end.
    let limits = FunctionLimits { time: Duration::from_millis(50), ..limits };
    let pattern = vec![Value::from("a(?:.*c)?"), "g".into()].into();
    let started = Instant::now();
    assert_eq!(ended(limits, || jq::match_(&text, &pattern, &mut |_| Ok(()))), time);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn values_nested_without_end_overflow_no_stack() {
    const DEPTH: usize = 200_000;
    let deep = |leaf: i64| {
        (0..DEPTH).fold(Value::Int(leaf), |inner, at| match at % 2 {
            0 => vec![inner].into(),
            _ => crate::value!({ "a": (inner) }),
        })
    };
    let (one, two) = (deep(1), deep(2));
    assert!(jq::cmp(&one, &two).is_lt() && !jq::eq(&one, &two) && jq::eq(&one, &deep(1)));
    assert!(jq::contains(&one, &deep(1)).expect("an answer") && !jq::contains(&one, &two).expect("an answer"));
    assert!(jq::tojson(&one).expect("a text").as_str().is_some_and(|text| text.len() > DEPTH));
    assert_eq!(jq::walk(one.clone(), Ok).expect("a value"), one);
    let objects = |leaf: i64| (0..DEPTH).fold(Value::Int(leaf), |inner, _| crate::value!({ "a": (inner) }));
    assert!(jq::eq(&jq::mul(objects(1), &objects(2)).expect("an object"), &objects(2)));
    let mut visited = 0;
    jq::recurse_all(&one, &mut |_| {
        visited += 1;
        Ok(())
    })
    .expect("no error");
    assert_eq!(visited, DEPTH + 1);
    let arrays = (0..DEPTH).fold(Value::Int(1), |inner, _| vec![inner].into());
    assert_eq!(jq::flatten(&arrays).expect("an array"), Value::from(vec![1]));
    let path = Value::from(vec![0; 10_000]);
    let changed = jq::setpath(arrays, &path, Value::Null).expect("an array");
    assert_eq!(jq::getpath(&changed, &path).expect("a value"), Value::Null);
    assert!(jq::delpaths(changed, &vec![path].into()).is_ok());
    assert!(jq::fromjson(&"[".repeat(DEPTH).into()).is_err());
    // Conversion at the end traverses the value as well.
    assert!(jq::run(FunctionLimits { memory: u64::MAX, ..LIMITS }, || Ok(vec![deep(1), jq::nan()])).is_ok());
}
