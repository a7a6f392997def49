//! Results, errors and limits of CEL expressions.

use std::time::{Duration, Instant};

use super::CelProgram;
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::value::Value;

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Returns a program for a test. A generated program is a constant.
fn program(source: &str, variables: &'static [&'static str]) -> CelProgram {
    CelProgram::new(Box::leak(source.to_owned().into_boxed_str()), variables)
}

fn holds(source: &str, data: &str) -> Result<bool, String> {
    program(source, &[]).holds(FunctionLimits::default(), &value(data), &[]).map_err(cause)
}

fn cause(fault: Fault) -> String {
    assert_eq!(fault.error(), Some("States.QueryEvaluationError"));
    assert!(!fault.is_uncatchable());
    fault.cause().and_then(Value::as_str).expect("a text").to_owned()
}

const ORDER: &str = r#"{ "total": 120, "rate": 1.5, "status": "open", "paid": false, "note": null, "at": "2026-03-01T10:00:00Z",
    "lines": [{ "sku": "cup", "count": 2 }, { "sku": "jar", "count": 5 }], "labels": { "b": "x", "a": "y", "c-d": 1 } }"#;

#[test]
fn values_of_the_data_are_those_of_cel() {
    for (source, expected) in [
        ("total > 100 && status == 'open' && !paid", true),
        ("total == 120.0 && total > 119.5 && rate < 2", true),
        ("type(total) == int && type(rate) == double && type(note) == null_type", true),
        ("note == null", true),
        ("lines[1].count == 5 && lines[1]['sku'] == 'jar'", true),
        ("lines.exists(l, l.count > 4) && lines.all(l, l.sku != '')", true),
        ("lines.map(l, l.count) == [2, 5] && size(lines.filter(l, l.count > 2)) == 1", true),
        ("lines.exists_one(l, l.sku == 'cup')", true),
        ("labels.a == 'y' && 'b' in labels && labels['c-d'] == 1 && labels.`c-d` == 1", true),
        ("has(labels.a) && !has(labels.z)", true),
        ("total / 7 == 17 && total % 7 == 1 && -total < 0", true),
        ("double(total) * rate == 180.0", true),
        ("status.startsWith('op') && status.matches('^o.+n$') && status + '!' == 'open!'", true),
        ("timestamp(at) < timestamp('2026-03-01T10:00:00Z') + duration('1h')", true),
        ("timestamp(at).getHours('Europe/Berlin') == 11", true),
        ("size('é') == 1 && total in [1, 120]", true),
        ("paid ? true : total == 1", false),
        ("absent || total > 1", true),
        ("lines.exists(l, l.absent || l.count == 5)", true),
    ] {
        assert_eq!(holds(source, ORDER), Ok(expected), "{source}");
    }
}

/// The keys of a map are iterated in their order, independently of their hashes.
#[test]
fn keys_of_maps_have_an_order() {
    for _ in 0..20 {
        assert_eq!(holds("labels.map(k, k) == ['a', 'b', 'c-d']", ORDER), Ok(true));
        assert_eq!(holds("{2: 'x', 1: 'y'}.filter(k, true) == [1, 2]", "{}"), Ok(true));
    }
}

#[test]
fn variables_win_over_members_of_the_data() {
    let program = program("name == 'Timeout' && size(items) == 2 && .name == name", &["name"]);
    let data = value(r#"{ "name": "Ada", "items": [1, 2] }"#);
    let ended = program.holds(FunctionLimits::default(), &data, &[Value::from("Timeout")]);
    assert_eq!(ended, Ok(true));
    // The parsed program is evaluated again.
    let ended = program.holds(FunctionLimits::default(), &data, &[Value::from("Lost")]);
    assert_eq!(ended, Ok(false));
}

#[test]
fn what_fails_is_a_fault_without_data() {
    for (source, expected) in [
        ("absent > 1", "unknown member `absent` of the data"),
        ("labels.z == 'x'", "the map has no key `z`"),
        ("status > 1", "found no matching overload for '_>_' applied to '(string, int)'"),
        ("total + rate > 1.0", "`+` is not defined for the types int and double"),
        ("total / 0 == 1", "the right side of `/` is zero"),
        ("total % 0 == 1", "the right side of `%` is zero"),
        ("total * 9223372036854775807 > 1", "the result of `*` is too large"),
        ("lines[2].count == 1", "index 2 is out of bounds"),
        ("total", "a condition must be a boolean, found int"),
        ("note", "a condition must be a boolean, found null_type"),
        ("status.matches(labels.a + '[')", "[y["),
        ("int(status) == 1", ""),
        ("status.size() > 'a'", ""),
    ] {
        let message = holds(source, ORDER).expect_err(source);
        match expected {
            "" => assert!(!message.is_empty()),
            "[y[" => assert!(message.contains("matches"), "{message}"),
            expected => assert_eq!(message, expected, "{source}"),
        }
    }
    assert_eq!(holds("a == 1", "[1]"), Err("unknown member `a` of the data".to_owned()));
}

#[test]
fn what_an_evaluation_uses_up_is_limited() {
    let numbers: Vec<Value> = (0..3_000).map(Value::from).collect();
    let text = Value::from("a".repeat(200_000));
    let data = value(r#"{ "few": [1, 2, 3, 4, 5, 6, 7, 8] }"#);
    let mut data = data.as_object().expect("an object").clone();
    data.insert(crate::Str::from("many"), Value::from(numbers));
    data.insert(crate::Str::from("text"), text);
    let data = Value::from(data);
    for source in [
        "many.all(a, many.all(b, many.all(c, a + b + c >= 0)))",
        "many.exists(a, many.exists(b, many == [a, b]))",
        "few.map(a, few.map(b, few.map(c, few.map(d, few.map(e, few.map(f, few.map(g, few.map(h, text)))))))) == []",
        "[text + text].map(a, a + a + a + a + a + a + a + a).map(a, a + a + a + a + a + a + a + a).map(a, a + a + a + a + a + a + a + a).map(a, a + a + a + a + a + a + a + a) == []",
        "[[many, many, many]].map(a, [a, a, a, a, a, a]).map(a, [a, a, a, a, a, a]).map(a, [a, a, a, a, a, a]).map(a, [a, a, a, a, a, a]).map(a, [a, a, a, a, a, a]).map(a, [a, a, a, a, a, a]) == []",
        "many.all(a, text.matches('(a|aa)+b' + string(a)) || true)",
        // One match that would take minutes.
        "text.matches('(?:[ab]{1,1000}){1,3}c') || true",
        // The error of a type mismatch contains a copy of the operand.
        "many.exists(a, a < many)",
        "many.exists(a, many - a == 0)",
        // An exceeded limit is not ignored.
        "many.all(a, many.all(b, many.all(c, true))) || true",
    ] {
        let limits = FunctionLimits { steps: 2_000_000, memory: 64 << 20, time: Duration::from_secs(2) };
        let started = Instant::now();
        let ended = program(source, &[]).holds(limits, &data, &[]);
        let message = cause(ended.expect_err(source));
        assert!(message.starts_with("the expression used up its budget of "), "{source}: {message}");
        assert!(started.elapsed() < Duration::from_secs(30), "{source}: {:?}", started.elapsed());
    }
    let limits = FunctionLimits { steps: 10_000_000, time: Duration::from_secs(60), ..FunctionLimits::default() };
    let few = FunctionLimits { steps: 100, ..limits };
    assert!(program("many.all(a, a in many)", &[]).holds(few, &data, &[]).is_err());
    assert_eq!(program("many.exists(a, a == 2999) && size(text) == 200000", &[]).holds(limits, &data, &[]), Ok(true));
}

/// The deepest nesting that the compiler accepts, on the stack of a test.
#[test]
fn what_is_nested_deeply_is_evaluated() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{} != null", open.repeat(times), close.repeat(times))
    };
    assert_eq!(holds(&nested("[", "1", "][0]", 30), "{}"), Ok(true));
    assert_eq!(holds(&nested("-(", "1", ")", 60), "{}"), Ok(true));
    assert_eq!(holds(&nested("(1 + ", "1", ")", 60), "{}"), Ok(true));
    assert_eq!(holds(&nested("[1].map(x, ", "x", ")", 12), "{}"), Ok(true));
    let deep = format!(r#"{{ "a": {}1{} }}"#, "[".repeat(100), "]".repeat(100));
    assert_eq!(holds("a == a && a != [a] && [a, a].all(x, x == a)", &deep), Ok(true));
}

#[test]
fn a_text_that_the_compiler_would_refuse_is_a_fault() {
    for source in ["total >", "(", "'", "\u{0}"] {
        let message = holds(source, ORDER).expect_err(source);
        assert!(message.starts_with("cannot parse the expression: "), "{message}");
    }
    assert_eq!(holds("nothing(1)", ORDER), Err("unknown member `nothing` of the data".to_owned()));
}
