//! Tests of programs and of what they see.

use crate::expr::jsonata::environment::{JsonataEnvironment, JsonataLimits, States};
use crate::expr::jsonata::program::{JsonataOutcome, JsonataProgram};
use crate::value;
use crate::value::Value;

use super::Counter;

/// Evaluates a program with these members of `$states` and these values of variables.
fn evaluate(text: &'static str, states: States<'_>, values: &[Option<Value>]) -> JsonataOutcome {
    let program = JsonataProgram::new(text, &["first", "second", "length"]);
    let mut random = Counter(0);
    let limits = JsonataLimits::default();
    let environment = JsonataEnvironment { states, values, now: 0, random: &mut random, limits };
    program.evaluate(environment).expect("the expression has no error")
}

#[test]
fn states_has_the_members_that_are_given() {
    let (input, result, context) = (value!({ "a": 1 }), value!([2]), value!("c"));
    let states = States { input: Some(&input), result: Some(&result), context: Some(&context), error_output: None };
    for (text, expected) in [
        ("$states.input.a", Some(value!(1))),
        ("$states.result", Some(value!([2]))),
        ("$states.result[0]", Some(value!(2))),
        ("$states.context", Some(value!("c"))),
        ("$states.errorOutput", None),
        ("$states.other", None),
        ("$states", Some(value!({ "input": { "a": 1 }, "result": [2], "context": "c" }))),
        ("($states).input.a", Some(value!(1))),
        ("($states := {'input': 5}; $states.input)", Some(value!(5))),
        ("$states.*[0]", Some(value!({ "a": 1 }))),
        ("$states.input{'b': a}", Some(value!({ "b": 1 }))),
    ] {
        assert_eq!(
            evaluate(text, states, &[]),
            expected.map_or(JsonataOutcome::Nothing, JsonataOutcome::Value),
            "{text}"
        );
    }
}

#[test]
fn variables_have_the_values_of_their_places() {
    let values = [Some(value!([1, 2])), None];
    for (text, expected) in [
        ("$first", Some(value!([1, 2]))),
        ("$first.($ + 1)", Some(value!([2, 3]))),
        ("$second", None),
        ("$third", None),
        ("$length", None),
        ("[$exists($length), $exists($sum)]", Some(value!([false, true]))),
        ("($first := 3; $first)", Some(value!(3))),
    ] {
        let outcome = evaluate(text, States::default(), &values);
        assert_eq!(outcome, expected.map_or(JsonataOutcome::Nothing, JsonataOutcome::Value), "{text}");
    }
}

#[test]
fn there_is_no_input_document() {
    for text in ["$", "$$", "*", "name", "$.name"] {
        assert_eq!(evaluate(text, States::default(), &[]), JsonataOutcome::Nothing, "{text}");
    }
}

#[test]
fn a_syntax_error_is_an_error_of_the_evaluation() {
    static PROGRAM: JsonataProgram = JsonataProgram::new("1 +", &[]);
    let mut random = Counter(0);
    let limits = JsonataLimits::default();
    let environment =
        JsonataEnvironment { states: States::default(), values: &[], now: 0, random: &mut random, limits };
    let error = PROGRAM.evaluate(environment).expect_err("the text is no expression");
    assert_eq!(error.to_string(), "S0207: Unexpected end of expression");
}

#[test]
fn a_function_that_holds_itself_is_dropped() {
    let shared = std::sync::Arc::new(crate::value::Array::from(vec![Value::from(1)]));
    let input = Value::Array(std::sync::Arc::clone(&shared));
    for text in [
        "($x := $states.input; $f := function($n) { $n = 0 ? $x : $f($n - 1) }; $f(3))",
        "($x := $states.input; $f := function() { [$x, $f] }; $count($f()))",
        "($g := function($x) { ($h := function() { $x }; $h) }; $all := $map([1..200], function() { $g($states.input) }); 1)",
        "($x := $states.input; $f := (function() { 1 }); 0)",
        "($x := $states.input; $f := ((($y := 1; function() { $y }))); $f())",
        "($x := $states.input; $f := $map([1, 2], function($y) { ($z := $y; function() { $z }) }); 0)",
        "($x := $states.input; [1, 2][($f := function() { $x }; true)])",
        "($x := $states.input; $f := (|$|{}|); 0)",
        "($x := $states.input; $t := |$|{'x': $x, 't': $t}|; $p := function($a, $b) { $t }(?, $t ~> $t); $type($p))",
    ] {
        let states = States { input: Some(&input), ..States::default() };
        assert!(matches!(evaluate(text, states, &[]), JsonataOutcome::Value(_)), "{text}");
        assert_eq!(std::sync::Arc::strong_count(&shared), 2, "{text}");
    }
}

#[test]
fn the_message_of_a_limit_has_no_code() {
    let program = JsonataProgram::new("(1)", &[]);
    let mut random = Counter(0);
    let limits = JsonataLimits { depth: 1, ..JsonataLimits::default() };
    let environment =
        JsonataEnvironment { states: States::default(), values: &[], now: 0, random: &mut random, limits };
    let error = program.evaluate(environment).expect_err("the limit is exceeded");
    assert!(error.to_string().starts_with("Stack overflow error: "), "{error}");
}
