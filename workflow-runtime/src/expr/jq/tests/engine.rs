//! The engine: its results compared with jq (`programs.txt`), and the programs that it rejects.

use std::time::Duration;

use crate::expr::jq::engine::JqProgram;
use crate::expr::jq::{self, Result};
use crate::machine::FunctionLimits;
use crate::value::{Value, object};

const TABLE: &str = include_str!("programs.txt");
const VARIABLES: &[&str] = &["$v", "$w"];

/// Programs that `jaq-core` cannot parse.
const DIFFERENT: &[&str] = &[". as [$x, $y] ?// $x | $x"];

/// Returns a program that lives as long as the process.
fn program(source: &str) -> JqProgram {
    JqProgram::new(String::from(source).leak(), VARIABLES)
}

fn outputs(source: &str, input: &Value, limits: FunctionLimits) -> Result<Vec<Value>> {
    program(source).outputs(limits, 1_700_000_000.5, input, &[Value::Int(5), Value::Float(0.5)])
}

fn failure(source: &str, limits: FunctionLimits) -> String {
    match outputs(source, &Value::Null, limits) {
        Ok(outputs) => panic!("`{source}` yields {outputs:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn programs_yield_what_jq_does() {
    let mut different = Vec::new();
    for line in TABLE.lines() {
        let [source, input, expected] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let input = jq::fromjson(&input.into()).expect("a value");
        let outcome = match outputs(source, &input, FunctionLimits::default()) {
            Ok(outputs) => object([("o", outputs.into())]),
            Err(error) => object([("e", error.caught().expect("an error of jq"))]),
        };
        let outcome = jq::tojson(&outcome).expect("a text").to_string();
        let outcome = Value::from_json(&outcome).expect("a string");
        let outcome = outcome.as_str().unwrap_or_default();
        if (outcome != expected) != DIFFERENT.contains(&source) {
            different.push(format!("engine {source} {input}\n    jq:   {expected}\n    ours: {outcome}"));
        }
    }
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn what_is_not_allowed_is_not_there() {
    for name in ["halt", "halt_error", "env", "input", "inputs", "debug", "stderr", "input_filename", "get_search_list"]
    {
        assert_eq!(failure(name, FunctionLimits::default()), format!("the filter `{name}` is not defined"));
    }
    assert_eq!(failure("$ENV", FunctionLimits::default()), "the variable `$ENV` is not defined");
    assert_eq!(failure("_tick", FunctionLimits::default()), "the filter `_tick` is not defined");
    for source in ["import \"a\" as a; .", "include \"a\"; .", ".a |", "{"] {
        assert!(failure(source, FunctionLimits::default()).starts_with("cannot parse the program"), "{source}");
    }
}

#[test]
fn recursion_is_refused() {
    let recursive = [
        "def f: 1 + f; f",
        "def f: f; .",
        "def f: def g: f; g; f",
        "def f(g): g | f(g); f(.)",
        "[.[]? | def f: if . then f else . end; f]",
        "\"\\(def f: f; f)\"",
    ];
    for source in recursive {
        assert_eq!(failure(source, FunctionLimits::default()), "the definition of `f` calls itself", "{source}");
    }
    assert!(outputs("def f: 1; def f: f + 1; f", &Value::Null, FunctionLimits::default()).is_err());
    assert!(outputs("def f(g): g; f(f(1))", &Value::Null, FunctionLimits::default()).is_ok());
}

#[test]
fn nothing_goes_on_for_ever() {
    let limits = FunctionLimits { steps: 50_000, time: Duration::from_secs(20), memory: 8 << 20 };
    let endless = [
        "last(repeat(1))",
        "last(repeat(empty))",
        "last(repeat(try error catch .))",
        "last(repeat(.a?))",
        "repeat(empty)",
        "try repeat(empty) catch .",
        "try last(repeat(try (1 + 1) catch .)) catch .",
        "[repeat(1)]",
        "last(range(infinite))",
        "last(range(0; 1; 1e-300))",
        "last(while(true; .))",
        "until(false; .)",
        "until(false; try error catch .)",
        "last(recurse(.))",
        "last(recurse(., .))",
        "first(range(infinite) | select(false))",
        "reduce range(infinite) as $x (0; .)",
        "reduce repeat(1) as $x (0; . + 1)",
        "last(foreach repeat(1) as $x (0; .))",
        "[limit(1e9; repeat(1))]",
        "\"x\" * 1e9",
        "[range(1e9)]",
        "reduce range(1e9) as $i ([]; . + [$i])",
        "reduce range(40) as $i (\"x\"; . + .)",
        "try (reduce range(40) as $i (\"x\"; . + .)) catch .",
        "[1, 2] | combinations(1e6)",
        "label $out | repeat(if false then break $out else empty end)",
        "isempty(repeat(empty))",
        "any(repeat(false); .)",
        ".[1e8] = 1",
        "path(last(repeat(.)))",
        "(repeat(empty)) |= 1",
        "(last(range(infinite) | empty)) as $x | .",
    ];
    for source in endless {
        let cause = failure(source, limits);
        assert!(cause.starts_with("the expression used up its budget of "), "{source}: {cause}");
    }
    // Each step doubles the number of values, and no function is called.
    let exponential = format!("reduce ({}) as $x (0; .)", vec!["(., .)"; 60].join(" | "));
    assert!(failure(&exponential, limits).starts_with("the expression used up"));
    let updated = format!("({}) |= .", vec!["(., .)"; 60].join(" | "));
    assert!(failure(&updated, limits).starts_with("the expression used up"));
    let iterated = format!("[1, 1] | reduce ({}) as $x (0; .)", vec!["(. as $a | $a[] | $a)"; 60].join(" | "));
    assert!(failure(&iterated, limits).starts_with("the expression used up"));
}

#[test]
fn the_stack_is_enough() {
    let limits = FunctionLimits { steps: u64::MAX, time: Duration::from_secs(60), memory: u64::MAX };
    let deep = |depth: usize| (0..depth).fold(Value::Int(1), |inner, _| vec![inner].into());
    for source in [
        "[..] | length",
        "walk(.)",
        "(.. | numbers) |= . + 1",
        "[paths] | length",
        "flatten",
        "tojson",
        "[recurse] | length",
    ] {
        assert!(outputs(source, &deep(512), limits).is_ok(), "{source}");
        let refused = outputs(source, &deep(100_000), limits).expect_err("too deep");
        assert_eq!(refused.to_string(), "the expression used up its budget of levels of arrays and objects");
    }
    for source in [
        "reduce range(1000000) as $i (.; [.])",
        "reduce range(1000000) as $i (.; {a: .})",
        "last(while(true; [.]))",
        "reduce range(100000) as $i (null; setpath([range(100) | \"a\"]; .))",
        "[range(600) | \"[\"] | add + ([range(600) | \"]\"] | add) | fromjson",
        "[range(1000) | 0] as $p | null | setpath($p; 1)",
        "reduce range(1000000) as $i (.; try [.] catch .)",
    ] {
        let cause = failure(source, limits);
        assert_eq!(cause, "the expression used up its budget of levels of arrays and objects", "{source}");
    }
    let nested = |open: &str, inner: &str, close: &str| {
        let number = (16 << 10) / (open.len() + close.len()) - 8;
        format!("{}{inner}{}", open.repeat(number), close.repeat(number))
    };
    for source in [
        nested("(", "1", ")"),
        nested("[", "1", "]"),
        nested("-", "1", ""),
        nested("try ", "1", ""),
        nested(".|", "1", ""),
        nested("1,", "1", ""),
        nested("1+", "1", ""),
        nested("{a:", "1", "}"),
        nested("if .then ", "1", " end"),
        nested("1 as $x|", "$x", ""),
        nested("def f:1;", "f", ""),
        nested("def f:", "1", ";f"),
        nested("\"\\(", "1", ")\""),
        nested("reduce 1 as $x(", "1", ";.)"),
        nested(".a", "", ""),
        nested(".[]?", "", ""),
        nested("1//", "1", ""),
        nested("..|", ".", ""),
    ] {
        // The test passes if the run ends, with or without an error.
        drop(outputs(&source, &Value::Null, limits));
    }
    assert!(failure(&"1+".repeat(10_000), limits).contains("longer than 16384 bytes"));
}
