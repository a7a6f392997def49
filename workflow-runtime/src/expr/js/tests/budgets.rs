//! Limits that stop a hostile function from using unbounded memory, time or stack.

use std::slice;
use std::time::Duration;

use super::session;
use crate::expr::js::budget::Session;
use crate::expr::js::json::round_trip;
use crate::expr::js::literal::array_of;
use crate::expr::js::run::call_state;
use crate::expr::js::{
    Js, Result, Run, Throw, Var, add, array, builtin, call, call_method, function, get, get_at, iterate, less,
    loose_equals, object, set, set_at, strict_equals, string,
};
use crate::machine::{FunctionLimits, RandomStream};
use crate::time::Timestamp;
use crate::value::{Array, Value};

fn is_bounded(result: Result) -> bool {
    match result {
        Ok(_) => false,
        Err(Throw::Abort(_)) => true,
        Err(thrown) => format!("{thrown:?}").contains("RangeError"),
    }
}

#[test]
fn huge_strings_and_arrays_are_refused() {
    let session = session();
    let method =
        |receiver: Js, name: &'static str, arguments: &[Js]| call_method(&session, &receiver, name, name, arguments);
    let large = Js::Number(1e9);
    assert!(is_bounded(method(Js::text("abc"), "padStart", slice::from_ref(&large))));
    assert!(is_bounded(method(Js::text("abc"), "padEnd", &[Js::Number(1e300), Js::text("é")])));
    assert!(is_bounded(method(Js::text("abc"), "repeat", slice::from_ref(&large))));
    assert!(is_bounded(builtin::array(&session, slice::from_ref(&large))));
    assert!(is_bounded(builtin::array(&session, &[Js::Number(4_294_967_296.0)])));
    assert!(is_bounded(builtin::array_from(&session, &[object([("length", Js::Number(4_294_967_296.0))])])));
    assert!(is_bounded(builtin::array_from(&session, &[object([("length", large.clone())])])));
    let items = array([Js::Null]);
    assert!(is_bounded(set_at(&items, &Js::Number(4_294_967_294.0), Js::Null).map(|()| Js::Null)));
    assert!(is_bounded(set(&items, "length", Js::Number(4_294_967_295.0)).map(|()| Js::Null)));
    assert!(is_bounded(set(&items, "length", Js::Number(-1.0)).map(|()| Js::Null)));
    assert!(is_bounded(method(array([Js::Null]), "with", &[Js::Number(1e300), Js::Null])));
}

#[test]
fn a_string_that_doubles_ends() {
    let _session = session();
    let mut text = Js::text("0123456789");
    let result = (0..64).try_for_each(|_| {
        text = add(&text, &text)?;
        Ok(())
    });
    assert!(is_bounded(result.map(|()| Js::Null)));
}

#[test]
fn what_is_made_of_a_long_text_is_counted() {
    fn text(text: &str) -> Js {
        Js::from(text.repeat(8 << 20))
    }
    let calls: [fn(&Run) -> Result; 6] = [
        |run| builtin::json_parse(run, &[text("[")]),
        |run| builtin::json_parse(run, &[add(&Js::text("["), &text("0,"))?]),
        |run| call_method(run, &text("x"), "split", "split", &[Js::text("")]),
        |run| call_method(run, &text("x,"), "split", "split", &[Js::text(",")]),
        |_| iterate(&text("x")).map(|_| Js::Null),
        |run| iterate(&builtin::buffer_from(run, &[text("xx")])?).map(|_| Js::Null),
    ];
    // Each call has a budget of its own.
    assert!(calls.into_iter().all(|call| is_bounded(call(&session()))));
}

#[test]
fn a_loop_ends() {
    let session = session();
    let result: Result = loop {
        if let Err(thrown) = session.tick() {
            break Err(thrown);
        }
    };
    assert!(matches!(result, Err(Throw::Abort(text)) if text.contains("budget")));
}

#[test]
fn memory_that_a_loop_makes_is_counted() {
    let session = session();
    let kept = array([]);
    let result: Result<()> = (|| loop {
        session.tick()?;
        call_method(&session, &kept, "push", "push", &[object([("k", Js::Null), ("l", Js::Null)])])?;
    })();
    assert!(matches!(result, Err(Throw::Abort(_))));
}

#[test]
fn recursion_ends() {
    let session = session();
    let me = Var::new(Js::Undefined);
    let captured = me.clone();
    me.set(function("me", 0, move |run: &Run, _, _| call(run, &captured.get(), "me", &[])));
    assert!(matches!(call(&session, &me.get(), "me", &[]), Err(Throw::Abort(_))));
    // Through a built-in, and through a conversion.
    let captured = me.clone();
    me.set(function("me", 0, move |run: &Run, _, _| {
        call_method(run, &array([Js::Null]), "map", "map", &[captured.get()])
    }));
    assert!(matches!(call(&session, &me.get(), "me", &[]), Err(Throw::Abort(_))));
    let value = object([]);
    let captured = value.clone();
    set(&value, "valueOf", function("valueOf", 0, move |_, _, _| add(&captured, &Js::Null))).unwrap();
    assert!(matches!(add(&value, &Js::Null), Err(Throw::Abort(_))));
}

/// Returns nested arrays.
fn nested(depth: usize) -> Js {
    (0..depth).fold(Js::Null, |inner, _| array([inner]))
}

#[test]
fn deep_values_are_converted_and_dropped_with_bounded_stack() {
    let session = session();
    let deep = nested(100_000);
    let value = round_trip(&session, &deep).unwrap().unwrap();
    let mut level = &value;
    let mut depth = 0;
    while let Some(inner) = level.get(0) {
        (level, depth) = (inner, depth + 1);
    }
    assert_eq!(depth, 100_000);
    let text = string(&builtin::json_stringify(&session, slice::from_ref(&deep)).unwrap()).unwrap();
    assert_eq!(text.len(), 200_004);
    let read = builtin::json_parse(&session, &[Js::String(text)]).unwrap();
    drop(read);
    drop(deep);
}

#[test]
fn deep_functions_are_dropped_with_bounded_stack() {
    let mut inner = Js::Null;
    for _ in 0..100_000 {
        let captured = Var::new(inner);
        inner = function("f", 0, move |_, _, _| Ok(captured.get()));
    }
    drop(inner);
}

#[test]
fn deep_documents_are_walked_with_bounded_stack() {
    let session = session();
    let deep = (0..100_000).fold(Value::Null, |inner, _| Value::from(Array::from(vec![inner])));
    let document = Js::from(deep);
    let mut level = document.clone();
    while let Js::Object(_) = level {
        level = crate::expr::js::get_at(&level, &Js::Number(0.0)).unwrap();
    }
    assert!(round_trip(&session, &document).unwrap().is_some());
}

#[test]
fn the_text_of_what_is_nested_too_deep_is_a_range_error() {
    let session = session();
    let deep = nested(10_000);
    assert!(is_bounded(string(&deep).map(Js::String)));
    assert!(is_bounded(loose_equals(&deep, &Js::text("x")).map(Js::Bool)));
    assert!(is_bounded(call_method(&session, &deep, "join", "join", &[])));
    assert!(is_bounded(builtin::json_parse(
        &session,
        &[Js::from("[".repeat(500) + &"]".repeat(500)), function("f", 2, |_, _, a| Ok(a[1].clone()))]
    )));
    let flat = call_method(&session, &deep, "flat", "flat", &[Js::Number(f64::INFINITY)]).unwrap();
    assert_eq!(iterate(&flat).unwrap().len(), 1);
}

#[test]
fn an_array_that_holds_itself_ends() {
    let session = session();
    let me = array([]);
    set_at(&me, &Js::Number(0.0), me.clone()).unwrap();
    assert!(is_bounded(string(&me).map(Js::String)));
    assert!(is_bounded(call_method(&session, &me, "flat", "flat", &[Js::Number(f64::INFINITY)])));
    assert!(round_trip(&session, &me).is_err());
    assert!(strict_length(&me, 1.0));
}

fn strict_length(value: &Js, length: f64) -> bool {
    matches!(get(value, "length"), Ok(Js::Number(number)) if number == length)
}

#[test]
fn a_replacer_that_nests_without_end_is_stopped() {
    let session = session();
    let wrap = function("wrap", 2, |_, _, arguments| Ok(array([arguments[1].clone()])));
    assert!(is_bounded(builtin::json_stringify(&session, &[Js::Null, wrap])));
}

/// Returns a session with these limits.
fn limited(limits: FunctionLimits) -> Session {
    Session::with_random(Timestamp::from_seconds(0), &RandomStream::seeded(1), limits)
}

#[test]
fn what_built_ins_go_through_counts_as_steps() {
    const LENGTH: usize = 1 << 20;
    let (long, wide) = (Js::from("a".repeat(LENGTH)), Js::from("é".repeat(LENGTH / 2)));
    let other = Js::from("a".repeat(LENGTH - 1) + "b");
    let list = || array_of((0..LENGTH / 16).map(|at| Js::Number(at as f64)).collect());
    let document = Js::from(Value::from(Array::from((0..LENGTH / 16).map(Value::from).collect::<Vec<_>>())));
    let none = [Js::Number(-1.0)];
    let methods: [(&'static str, &Js, &[Js]); 20] = [
        ("indexOf", &long, &[Js::text("b")]),
        ("indexOf", &wide, &[Js::text("b")]),
        ("lastIndexOf", &long, &[Js::text("b")]),
        ("includes", &long, &[Js::text("ab")]),
        ("startsWith", &long, slice::from_ref(&long)),
        ("endsWith", &long, slice::from_ref(&long)),
        ("localeCompare", &long, slice::from_ref(&other)),
        ("replace", &long, &[Js::text("b"), Js::text("c")]),
        ("split", &long, &[Js::text("b")]),
        ("repeat", &long, &[Js::Number(1.0)]),
        ("concat", &long, &[Js::text("b")]),
        ("slice", &long, &[Js::Number(1.0)]),
        ("toUpperCase", &long, &[]),
        ("trim", &Js::from(" ".repeat(LENGTH)), &[]),
        ("indexOf", &list(), &none),
        ("lastIndexOf", &list(), &none),
        ("includes", &document, &none),
        ("join", &list(), &[Js::text("")]),
        ("slice", &document, &[Js::Number(-1.0)]),
        ("reverse", &list(), &[]),
    ];
    for (name, receiver, arguments) in methods {
        let session = session();
        call_method(&session, receiver, name, name, arguments).unwrap();
        assert!((4000..16_384).contains(&session.steps()), "{name}: {}", session.steps());
    }
    type Call<'a> = &'a dyn Fn(&Run) -> Result;
    let others: [(&str, Call<'_>); 6] = [
        ("===", &|_| Ok(Js::Bool(strict_equals(&long, &other)))),
        ("<", &|_| less(&long, &other).map(Js::Bool)),
        ("+", &|_| add(&long, &Js::Null)),
        ("Number", &|run| builtin::number(run, slice::from_ref(&long))),
        ("JSON.stringify", &|run| builtin::json_stringify(run, slice::from_ref(&long))),
        ("[]", &|_| get_at(&object([]), &long)),
    ];
    for (name, call) in others {
        let session = session();
        call(&session).unwrap();
        assert!((4000..16_384).contains(&session.steps()), "{name}: {}", session.steps());
    }
}

#[test]
fn a_loop_of_long_scans_ends() {
    let text = Js::from("a".repeat(1 << 20));
    let scans = |session: &Session| {
        (1..).find_map(|turn| {
            let scanned = call_method(session, &text, "indexOf", "indexOf", &[Js::text("b")]);
            scanned.err().map(|thrown| (turn, format!("{thrown:?}")))
        })
    };
    let unlimited = FunctionLimits { memory: u64::MAX, time: Duration::MAX, steps: u64::MAX };
    let (turns, fault) = scans(&limited(FunctionLimits { steps: 1_000_000, ..unlimited })).unwrap();
    assert!(turns < 256 && fault.contains("budget of steps"), "{turns}: {fault}");
    // The clock is checked in every iteration.
    let (turns, fault) = scans(&limited(FunctionLimits { time: Duration::ZERO, ..unlimited })).unwrap();
    assert!(turns < 4 && fault.contains("budget of time"), "{turns}: {fault}");
}

#[test]
fn one_call_that_scans_much_ends() {
    let session = limited(FunctionLimits { steps: 100_000, ..FunctionLimits::default() });
    let (text, wanted) = ("a".repeat(1 << 20), "a".repeat((1 << 20) - 1) + "b");
    let text = Js::from(text);
    let texts = array_of((0..10_000).map(|_| text.clone()).collect());
    let wanted = [Js::from(wanted)];
    let calls: [(&'static str, &[Js]); 6] = [
        ("indexOf", &wanted),
        ("lastIndexOf", &wanted),
        ("includes", &wanted),
        ("sort", &[]),
        ("toSorted", &[]),
        ("join", &[]),
    ];
    for (name, arguments) in calls {
        session.renew();
        assert!(is_bounded(call_method(&session, &texts, name, name, arguments)), "{name}");
    }
    // One array many times.
    let numbers = array_of((0..100_000).map(|_| Js::Null).collect());
    let arguments: Vec<Js> = (0..10_000).map(|_| numbers.clone()).collect();
    session.renew();
    assert!(is_bounded(call_method(&session, &numbers, "concat", "concat", &arguments)));
}

#[test]
fn looking_at_parts_of_a_long_text_is_cheap() {
    for text in ["a".repeat(1 << 20), "é".repeat(1 << 19)] {
        let (session, text) = (session(), Js::from(text));
        for at in 0..1000 {
            let (from, to) = (Js::Number(f64::from(at * 50)), Js::Number(f64::from(at * 50 + 4)));
            call_method(&session, &text, "slice", "slice", &[from.clone(), to]).unwrap();
            call_method(&session, &text, "charCodeAt", "charCodeAt", &[from]).unwrap();
        }
        assert!(session.steps() < 10_000, "{}", session.steps());
    }
}

#[test]
fn limits_are_those_of_the_call() {
    fn turns(run: &Run, params: Js, []: [Var; 0]) -> Result {
        let count = crate::expr::js::number(&get(&params, "n")?)?;
        let mut at = 0.0;
        while at < count {
            run.tick()?;
            at += 1.0;
        }
        Ok(params)
    }
    fn text(_: &Run, params: Js, []: [Var; 0]) -> Result {
        string(&params)?;
        crate::expr::js::concat(&["x"; 4096]).map(Js::from)
    }
    let call = |limits, function, count: u32| {
        let document = crate::value!({"n": count});
        call_state(Timestamp::from_seconds(0), &mut RandomStream::seeded(1), limits, document, [], function).to_string()
    };
    let default = FunctionLimits::default();
    let few = FunctionLimits { steps: 10, ..default };
    assert_eq!(call(few, turns, 10), r#"{"n":10}"#);
    assert_eq!(call(few, turns, 11), r#"{"error":"An error has occurred: the function used up its budget of steps"}"#);
    assert_eq!(call(default, turns, 11), r#"{"n":11}"#);
    let short = FunctionLimits { time: Duration::ZERO, ..default };
    assert_eq!(call(short, turns, 100), r#"{"n":100}"#);
    assert!(call(short, turns, 10_000).contains("budget of time"));
    let small = FunctionLimits { memory: 1000, ..default };
    assert!(call(small, text, 0).contains("budget of memory"));
    assert!(call(FunctionLimits { memory: u64::MAX, time: Duration::MAX, steps: u64::MAX }, text, 0).contains("xxx"));
}

/// Returns the text of the error object for a function that throws this error.
fn thrown(message_bytes: f64, limits: FunctionLimits, of: fn(&Run, Js) -> Result) -> String {
    type Function = fn(&Run, Js) -> Result;
    thread_local! {
        static WANTED: std::cell::Cell<(f64, Function)> = const { std::cell::Cell::new((0.0, |_, _| Ok(Js::Null))) };
    }
    WANTED.set((message_bytes, of));
    let function = |run: &Run, _: Js, _: [Var; 0]| {
        let (bytes, of) = WANTED.get();
        let text = call_method(run, &Js::text("x"), "repeat", "repeat", &[Js::Number(bytes)])?;
        Err(Throw::Value(of(run, text)?))
    };
    let (now, mut random) = (Timestamp::from_micros(0), RandomStream::seeded(1));
    let document = call_state(now, &mut random, limits, Value::Null, [], function);
    document.get("error").and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn texts_of_errors_are_counted_and_bounded() {
    let limits = FunctionLimits { time: Duration::from_secs(60), ..FunctionLimits::default() };
    let error: fn(&Run, Js) -> Result = |run, text| builtin::error(run, &[text]);
    let memory = "An error has occurred: the function used up its budget of memory";
    // The message alone exhausts the memory.
    assert_eq!(thrown(f64::from(1 << 28), limits, error), memory);
    let long = thrown(f64::from(1 << 20), limits, error);
    assert!(long.starts_with("An error has occurred: Error: xxx") && long.len() < 70_000, "{}", long.len());
    let text = thrown(f64::from(1 << 20), limits, |_, text| Ok(text));
    assert!(text.starts_with("An error has occurred: xxx") && text.len() < 70_000, "{}", text.len());
    assert_eq!(thrown(2.0, limits, error), "An error has occurred: Error: xx");
    // The function sees the whole text, except for the stack.
    let session = session();
    let error = builtin::error(&session, &[Js::from("x".repeat(1 << 20))]).expect("an error");
    let length = |key| get(&error, key).and_then(|text| get(&text, "length")).expect("a length");
    assert!(matches!(length("message"), Js::Number(length) if length == f64::from(1 << 20)));
    assert!(matches!(length("stack"), Js::Number(length) if length < 70_000.0));
}

#[test]
fn a_function_ends_with_the_turn() {
    let limits = FunctionLimits { steps: u64::MAX, time: Duration::MAX, ..FunctionLimits::default() };
    let endless = |run: &Run, _: Js, _: [Var; 0]| loop {
        run.tick()?;
    };
    let (document, took) = crate::budget::run(Duration::MAX, Duration::from_millis(50), || {
        call_state(Timestamp::from_micros(0), &mut RandomStream::seeded(1), limits, Value::Null, [], endless)
    });
    assert!(document.get("error").is_some() && took < Duration::from_secs(10));
}
