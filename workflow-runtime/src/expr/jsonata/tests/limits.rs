//! Tests of the limits: depth, memory, steps and the native stack.

use std::time::Duration;

use super::evaluate;
use crate::budget;
use crate::expr::jsonata::environment::JsonataLimits;
use crate::expr::jsonata::program::JsonataOutcome;

const DEPTH: &str =
    "Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive";
const MEMORY: &str = "Expression evaluation memory limit exceeded: Check for excessive memory usage";
const TIME: &str = "Expression evaluation timeout: Check for infinite loop";

/// Returns the message of a limit, or nothing if the expression has a value.
fn limit(text: &str) -> Option<String> {
    limit_of(text, JsonataLimits::default())
}

/// Returns the message of one of these limits.
fn limit_of(text: &str, limits: JsonataLimits) -> Option<String> {
    match evaluate(text, limits) {
        Ok(JsonataOutcome::Value(_)) => None,
        Ok(other) => panic!("{text} has no value: {other:?}"),
        Err(error) => {
            assert_eq!(error.code(), "", "{text}: {}", error.message());
            Some(error.message().to_owned())
        }
    }
}

/// Asserts that a text with this count passes, and that one more exceeds a limit.
fn check(most: usize, message: &str, text: impl Fn(usize) -> String) {
    assert_eq!(limit(&text(most)), None, "{}", text(most));
    assert_eq!(limit(&text(most + 1)).as_deref(), Some(message), "{}", text(most + 1));
}

#[test]
fn a_hundred_levels_are_the_limit() {
    check(100, DEPTH, |count| vec!["1"; count].join("+"));
    check(99, DEPTH, |count| format!("{}1{}", "(".repeat(count), ")".repeat(count)));
    check(31, DEPTH, |count| format!("($f := function($x){{$x<=0 ? 0 : 1+$f($x-1)}}; $f({count}))"));
    check(98, DEPTH, |count| format!("{}name{}", "(".repeat(count), ")".repeat(count)));
}

#[test]
fn a_chain_of_compositions_counts_its_levels() {
    let chain = |count: usize| {
        let made = "$n = 0 ? $f : $made($n - 1, $f ~> function($x) { $x })";
        format!("($made := function($n, $f) {{ {made} }}; $made({count}, function($x) {{ $x }})(1))")
    };
    assert_eq!(limit(&chain(90)), None);
    assert_eq!(limit(&chain(20_000)).as_deref(), Some(DEPTH));
}

#[test]
fn an_array_and_a_text_have_a_largest_size() {
    check(873_782, MEMORY, |count| format!("[1..{count}][0]"));
    let doubled = |count: usize| {
        format!("($f := function($s, $n) {{ $n = 0 ? $s : $f($s & $s, $n - 1) }}; $f('x', {count}) != '')")
    };
    check(22, MEMORY, doubled);
}

#[test]
fn memory_is_limited_in_all() {
    let text =
        "($s := $pad('', 4000000); $f := function($n) { $n = 0 ? 1 : $f($n + $length($s & 'x') * 0 - 1) }; $f(1000))";
    assert_eq!(limit(text).as_deref(), Some(MEMORY));
}

#[test]
fn parameters_and_functions_have_a_size() {
    let many = |name: &str| (0..1_000).map(|at| format!("${name}{at}")).collect::<Vec<_>>().join(", ");
    let each = |body: &str| format!("$count($map([1..5000], function($x) {{ [{body}] }}))");
    for text in [
        format!("$count($map([1..100], function({}) {{ 1 }}))", many("a")),
        format!("($f := function({}) {{ 1 }}; $count($map([1..100], function() {{ [$f(?)] }})))", many("a")),
        format!("($f := function({}) {{ 1 }}; $g := $f(?); $count($map([1..100], function() {{ $g(1) }})))", many("a")),
        each("function() { 1 }"),
        each("|$|{}|"),
        each("$string(?)"),
        each("$string ~> $string"),
    ] {
        let limits = JsonataLimits { total_memory: 1 << 20, ..JsonataLimits::default() };
        assert_eq!(limit_of(&text, limits).as_deref(), Some(MEMORY), "{text}");
    }
}

#[test]
fn groups_have_the_size_of_their_items() {
    let pairs = (0..50).map(|at| format!("'{at}': 1")).collect::<Vec<_>>().join(", ");
    let text = format!("[1..100]@$a#$b{{ {pairs} }}");
    let limits = JsonataLimits { total_memory: 1 << 20, ..JsonataLimits::default() };
    assert_eq!(limit_of(&text, limits).as_deref(), Some(MEMORY));
}

#[test]
fn a_search_for_a_variable_counts_steps() {
    let bound = (0..3_000).map(|at| format!("$a{at} := 1")).collect::<Vec<_>>().join("; ");
    let named = (0..1_000).map(|at| format!("$a{at}")).collect::<Vec<_>>().join(", ");
    for text in [
        format!("({bound}; 1)"),
        format!("$map([1..1000], function({named}) {{ $a0 }})"),
        format!("$map([1..1000], function({named}) {{ $given }})"),
    ] {
        let limits = JsonataLimits { steps: 100_000, ..JsonataLimits::default() };
        assert_eq!(limit_of(&text, limits).as_deref(), Some(TIME), "{text}");
    }
}

#[test]
fn a_comparison_counts_the_parts_of_both_values() {
    for text in [
        "($x := [1..50000]; $map([1..10], function() { $x = $x }))",
        "($x := {'a': [1..50000]}; $map([1..10], function() { $x != $x }))",
        "($x := [$pad('', 2000000)]; $map([1..10], function() { $x = $x }))",
    ] {
        let limits = JsonataLimits { steps: 200_000, ..JsonataLimits::default() };
        assert_eq!(limit_of(text, limits).as_deref(), Some(TIME), "{text}");
    }
}

#[test]
fn an_endless_loop_ends() {
    for text in [
        "($f := function($x) { $f($x + 1) }; $f(1))",
        "($f := function() { $f() }; $f())",
        "($g := function($f) { $f($f) }; $g($g))",
        "($s := $pad('', 6000000); $map([1..1000], function() { $s < $s }))",
        "$map([1..1000], function($x) { $x in [1..1000] })",
        "[1..1000]@$a.([1..1000]#$b.$b)",
    ] {
        let limits = JsonataLimits { steps: 100_000, ..JsonataLimits::default() };
        assert_eq!(limit_of(text, limits).as_deref(), Some(TIME), "{text}");
    }
}

#[test]
fn an_evaluation_ends_with_the_time_of_its_turn() {
    let text = "($f := function($x) { $f($x + 1) }; $f(1))";
    let limits = JsonataLimits { steps: u64::MAX, ..JsonataLimits::default() };
    let (message, _) = budget::run(Duration::MAX, Duration::from_millis(20), || limit_of(text, limits));
    assert_eq!(message.as_deref(), Some(TIME));
}

#[test]
fn values_of_any_depth_are_dropped() {
    let count = "$n = 0 ? 1 : $f(";
    for text in [
        format!("($f := function($n, $g) {{ {count}$n - 1, function() {{ $g }}) }}; $f(100000, 1))"),
        format!("($f := function($n, $a) {{ {count}$n - 1, [$a]) }}; $f(100000, [$map]))"),
        format!("($f := function($n, $a) {{ {count}$n - 1, {{'a': $a}}) }}; $f(100000, $map))"),
        format!("($f := function($n, $g) {{ {count}$n - 1, $g ~> $map) }}; $f(100000, $map))"),
        format!("($f := function($n, $g) {{ {count}$n - 1, $map ~> $g) }}; $f(100000, $map))"),
        format!("($f := function($n, $g) {{ {count}$n - 1, $map(?, $g)) }}; $f(100000, $map))"),
        format!("($f := function($n, $a) {{ {count}$n - 1, name.[[$a]]) }}; $f(100000, 1))"),
    ] {
        assert_eq!(limit(&text), None, "{text}");
    }
}

/// Returns the text of a function that is put into others many times by `step`, and of its call.
fn chained(first: &str, step: &str, arg: &str) -> String {
    chain_of(20_000, first, step, arg)
}

/// Returns such a text for a chain of this length.
fn chain_of(count: usize, first: &str, step: &str, arg: &str) -> String {
    format!("($f := function($n, $g) {{ $n = 0 ? $g : $f($n - 1, {step}) }}; $f({count}, {first})({arg}))")
}

#[test]
fn calls_that_no_part_of_the_text_makes_are_limited() {
    for text in [
        chained("$string", "$map(?, $g)", "[1]"),
        chained("$string", "$filter(?, $g)", "[1]"),
        chained("$string", "$single(?, $g)", "[1]"),
        chained("$string", "($c := $string ~> $g; $c(?))", "1"),
        "($clone := |$|{}|; {'a': 1} ~> $clone)".to_owned(),
        // A call in tail position is no level.
        "($f := function($x) { $map([$x], $f) }; $f(1))".to_owned(),
    ] {
        assert_eq!(limit(&text).as_deref(), Some(DEPTH), "{text}");
    }
    assert_eq!(limit(&chain_of(49, "$string", "$map(?, $g)", "[1]")), None);
}

#[test]
fn the_stack_of_a_small_thread_suffices() {
    let nested = |count: usize, open: &str, core: &str, close: &str| {
        format!("{}{core}{}", open.repeat(count), close.repeat(count))
    };
    let texts = [
        nested(99, "(", "1", ")"),
        nested(48, "$map([1], function($x) { ", "1", " })"),
        nested(33, "function() { ", "1", " }() "),
        nested(45, "name.(", "1", ")"),
        nested(90, "[", "1", "]"),
        nested(90, "{'a': ", "1", "}"),
        nested(45, "name[", "true", "]"),
        nested(45, "orders^(", "1", ")"),
        nested(40, "orders#$i[", "true", "]"),
        nested(90, "-", "given", ""),
        nested(90, "1 ~> function($x) { ", "1", " }"),
        nested(90, "true ? ", "1", " : 2"),
        nested(40, "customer ~> |", "$", "|{}|"),
        nested(45, "name{'a': ", "1", "}"),
        nested(40, "$reduce([1, 2], function($x, $y) { ", "1", " })"),
        "($f := function($x) { 1 + $map([$x], $f) }; $f(1))".to_owned(),
        "($f := function($x) { 1 + $sort([$x, $x], $f) }; $f(1))".to_owned(),
        "($f := function($x) { 1 + (orders ~> |$|$f(1)|) }; $f(1))".to_owned(),
        chained("$string", "$map(?, $g)", "[1]"),
        chained("$string", "$single(?, $g)", "[1]"),
        chained("$string", "$replace(?, $g, '')", "'a'"),
        chained("$string", "($c := $string ~> $g; $c(?))", "1"),
        "($clone := |$|{}|; {'a': 1} ~> $clone)".to_owned(),
        "($f := function($x) { 1 + $map(?, $f)([$x]) }; $f(1))".to_owned(),
        "($f := function($x) { $map([$x], $f) }; $f(1))".to_owned(),
        "($f := function($x) { 1 + $replace(?, $f, '')('a') }; $f(1))".to_owned(),
    ];
    let steps = ["$map(?, $g)", "$single(?, $g)", "$replace(?, $g, '')", "$match(?, $g)", "$split(?, $g)"];
    let bodies = ["1 + $d(1)", "name[$d(1)]", "orders#$i[$d(1)]", "orders^($d(1))", "name{'a': $d(1)}", "name.($d(1))"];
    // Both limits are used up: by calls first, and by levels inside of them.
    let both = steps.iter().flat_map(|step| {
        let deep = |body: &&str| chain_of(49, &format!("($d := function($x) {{ {body} }}; $d)"), step, "'a'");
        bodies.iter().map(deep).collect::<Vec<_>>()
    });
    let texts: Vec<String> = texts.into_iter().chain(both).collect();
    let run = move || {
        for text in texts {
            // The depth of some exceeds the limit.
            let _ = evaluate(&text, JsonataLimits::default());
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread can start");
    thread.join().expect("the stack suffices");
}

/// A stack with room for what calls the evaluator and for what it calls, below the 2 MiB of
/// threads.
const STACK: usize = 3 << 19;
