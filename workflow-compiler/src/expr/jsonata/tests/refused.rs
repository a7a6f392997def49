//! Tests of what is left to the evaluator.

use super::super::translate;
use super::translated;

const RAW: &str = "a sequence in the result of a function that calls itself";
const CALLER: &str = "the context item of the caller of a function that calls itself";

/// Checks that an expression is not translated, for this reason.
#[track_caller]
pub(super) fn check(source: &str, reason: &str) {
    match translate(source, &["states.input", "limit"], false) {
        Ok(_) => panic!("{source}: it is translated"),
        Err(found) => assert_eq!(found, reason, "{source}"),
    }
}

#[test]
fn functions_as_values_are_left_to_the_evaluator() {
    check("function($x) { $x }", "a function as a value");
    check("$string(function($x) { $x })", "a function as a value");
    check("($f := function($x) { $x }; [$f])", "the function `$f` as a value");
    check("$map([1], $limit)", "a function as a value, for `$map`");
    check("$substring(?, 1)", "a partial application");
    check("$unknown(?, 1)", "a partial application");
    check("$trim ~> $uppercase", "a composition of functions");
    check("(1 ? $sum : $max)([1])", "a call of a value");
    check("($f := $each; $f({'a': 1}, function($v) { $v }))", "`$each` under another name");
}

#[test]
fn joins_and_parents_are_left_to_the_evaluator() {
    check("$states.input.orders@$o.items", "a join, or the parent of an item");
    check("$states.input.orders#$at.id", "a join, or the parent of an item");
    check("$states.input.orders.items.%.id", "a join, or the parent of an item");
    check("($t := |orders|{'a': 1}|; [$t])", "the function `$t` as a value");
    check("($clone := 1; $limit ~> |a|{'b': 1}|)", "a transformation where `$clone` is hidden");
}

#[test]
fn some_calls_of_functions_made_of_others_are_left_to_the_evaluator() {
    const AT_END: &str = "a call at the end of such a function, beside a function that calls itself";
    check("($t := |a|{'b': 1}|; $p := $t(?); $p($limit))", "a partial application of a transformation");
    let recursive = "$f := function($n) { $n = 1 ? true : $single([$n - 1], $p) }";
    check(&format!("($g := function($a, $n) {{ $f($n) }}; $p := $g(1, ?); {recursive}; $f(60))"), AT_END);
    check(&format!("($g := function($n) {{ $f($n) }}; $p := $abs ~> $g; {recursive}; $f(60))"), AT_END);
}

#[test]
fn some_functions_that_call_themselves_are_left_to_the_evaluator() {
    let check_function = |body: &str, call: &str, reason: &str| {
        check(&format!("($f := function($n) {{ {body} }}; {call})"), reason);
    };
    check_function("$n < 1 ? $keys($n) : $f($n - 1)", "$f($limit)[0]", RAW);
    check_function("$n < 1 ? $keys($n) : $f($n - 1)", "$map([1], $f)", RAW);
    check_function("$n < 1 ? $uppercase() : $f($n - 1)", "$f(1)", CALLER);
    check_function("$n < 1 ? 1 : $f($f)", "$f(1)", "a function as a value");
    let large = format!("$n < 1 ? [{}1] : $f($n - 1)", "1,".repeat(300));
    check_function(&large, "$f(1)", "a function this large that calls itself");
    let body =
        |one: &str, other: &str| format!("function($n) {{ $n < 1 ? 1 : $n < 2 ? ${one}($n - 1) : ${other}($n - 1) }}");
    let tails = format!("($f := {}; $g := {}; $f(2))", body("f", "g"), body("g", "f"));
    check(&tails, "a function that calls itself in tail position of another one");
    let combinator = "function($f) { function($x) { $x($x) }(function($g) { $f(function($a) { $g($g)($a) }) }) }";
    check(
        &format!("{combinator}(function($f) {{ function($n) {{ $n < 2 ? 1 : $n * $f($n - 1) }} }})(6)"),
        "a call of a value",
    );
}

#[test]
fn functions_that_call_themselves_are_translated() {
    translated("($f := function($n) { $n < 2 ? 1 : $n * $f($n - 1) }; $f(5))");
    translated("($f := function($n) { $n < 2 ? $n : $f($n - 1) + $f($n - 2) }; [1..9].$f($))");
    translated("($f := function($n, $s) { $n < 1 ? $s : $f($n - 1, $s + $n) }; $f($limit))");
    translated("($f := function($x) { {'id': $x.id, 'all': $map($x.all, $f)} }; $f($states.input))");
    translated("($f := function($x)<n:n> { $x > 9 ? $x : $f($x * 2) }; $f($limit))");
    let odd = "$odd := function($n) { $n = 0 ? false : $even($n - 1) }";
    translated(&format!("($even := function($n) {{ $n = 0 ? true : $odd($n - 1) }}; {odd}; $even(2) and $odd(3))"));
    let inside = "$sort($x, function($l, $r) { $f([$l]) > $f([$r]) })[0]";
    translated(&format!("($f := function($x) {{ $count($x) < 2 ? $x : {inside} }}; $f($limit))"));
}

#[test]
fn functions_made_of_functions_are_translated() {
    translated("($f := function($x, $y) { $x + $y }; $g := $f(?, 1); $g($limit))");
    translated("($first := $substring(?, 0, ?); $five := $first(?, 5); $five($limit))");
    translated("($f := $trim ~> $uppercase; $f($limit))");
    translated("($f := $substringAfter(?, '(') ~> $substringBefore(?, ')') ~> $trim; $map($limit, $f))");
    translated("($f := $reduce(?, function($a, $b) { $a * $b }); [1..5] ~> $f())");
    translated("($f := $sum; $f($limit))");
    translated("$limit ~> $substring(?, 1)");
    translated("($t := |orders|{'a': $limit}|; $map($states.input, $t))");
    let doubled: Vec<String> = (1..30).map(|at| format!("$f{at} := $f{} ~> $f{}", at - 1, at - 1)).collect();
    check(&format!("($f0 := $trim; {}; $f29(1))", doubled.join("; ")), "such deep nesting of functions");
}

#[test]
fn signatures_are_checked_in_generated_code() {
    translated("function($x, $y)<n-n:n> { $x + $y }(2, 6)");
    translated("$limit.function($x)<s-:s> { $x }()");
    translated("$map($limit, function($x)<n:n> { $x })");
    check("function($f)<f:n> { $f(1) }(function($x) { $x })", "a function as a value");
}

#[test]
fn bindings_that_may_not_be_evaluated_are_left_to_the_evaluator() {
    let reason = "the binding of `$x` in a part that is not evaluated exactly once";
    check("($limit ? $x := 1 : 2; $x)", reason);
    check("$states.input.items[$x := price]", reason);
}

#[test]
fn what_depends_on_flags_of_arrays_is_left_to_the_evaluator() {
    check("[$limit].name", "an array that may be empty before a path");
    check("$limit^(a)[0].b", "a position or predicate of an order before the end of a path");
    check("$limit^(a)[][0]", "`[]` after a position");
    let nested = "a sequence in the result of a function that is called back";
    check("$map($map($limit, $keys), $count)", nested);
    check("$map($limit, function($v) { $keys($v) })[$ = 'a']", nested);
    // A part that passes a value on reduces it again.
    let twice = "$map(1, function($v) { $map($v, function($w) { $w }) })";
    translated(twice);
    check(&format!("({twice})"), nested);
    check(&format!("($x := {twice}; [$x])"), nested);
    check(&format!("$limit ? {twice}"), nested);
}

#[test]
fn what_the_evaluator_refuses_is_left_to_it() {
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    check(&deep, "nesting beyond the limit of the evaluation");
    let long = format!("[{}1]", "1,".repeat(3_000));
    check(&long, "an expression this large");
}

#[test]
fn sequences_that_functions_of_the_expression_return_stay_as_they_are() {
    let nested = "a sequence in the result of a function that is called back";
    let keys = "$f := function($x) { $keys($x) }";
    check(&format!("({keys}; $f($limit)[0])"), nested);
    check(&format!("({keys}; $map([1], function($x) {{ $f($x) }}).a)"), nested);
    check(&format!("({keys}; $map([1], function($x) {{ $f($x) }}))"), nested);
    translated(&format!("({keys}; [$map([1], function($x) {{ $f($x) }})])"));
    translated(&format!("({keys}; $f($limit)[])"));
    translated("($f := function($x) { $sum($x) }; $f($limit)[0])");
}

#[test]
fn what_may_be_a_function_is_left_to_the_evaluator() {
    let initial = "`$reduce` from a value that may be a function";
    check("$reduce([1, 2], function($a, $b) { $b }, $sum)", initial);
    check("$reduce([1, 2], function($a, $b) { $b }, /x/)", initial);
    translated("$reduce([1, 2], function($a, $b) { $a + $b }, $limit)");
    translated("($split($limit, /x/); $reduce([1, 2], function($a, $b) { $a + $b }, 0))");
    let composition = "an application that may be a composition of functions";
    check("/x/ ~> $string", composition);
    check("($sum) ~> $string", composition);
    check("($x := /x/; $x ~> $string)", composition);
    translated("$split($limit, /x/) ~> $count");
    translated("$limit ~> $string");
}

#[test]
fn sequences_are_no_initial_value_and_no_input() {
    let nested = "a sequence in the result of a function that is called back";
    let keys = "$map($limit, function($v) { $keys($v) })";
    check(&format!("$reduce([1], function($a, $b) {{ $a }}, {keys})"), nested);
    check(&format!("($x := {keys}; $x.a[0])"), nested);
    check(&format!("($x := {keys}; $x.a[b = 1])"), nested);
}

#[test]
fn wildcards_that_stay_arrays_are_left_to_the_evaluator() {
    check("$limit.(*[])", "`[]` after a wildcard");
}
