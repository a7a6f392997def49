//! Tests of calls, of functions as values and of functions that call back.

use super::check;

const NO_FUNCTION: &str = "T1006: Attempted to invoke a non-function";

#[test]
fn a_function_sees_the_variables_of_its_place() {
    check(&[
        ("function($x) { $x + 1 }(2)", "3"),
        ("($n := 2; $f := function($x) { $x * $n }; $n := 3; $f(5))", "15"),
        ("($f := function($x) { function($y) { $x & $y } }; $f('a')('b'))", r#""ab""#),
        ("($f := function($x, $y) { $y }; $f(1))", "nothing"),
        ("($f := function() { name }; orders[0].($f()))", r#""shop""#),
        ("(($x := 1; $x); $x)", "nothing"),
        ("($x := 1; ($x := 2); $x)", "1"),
        ("$x := 5", "5"),
        ("($x := 1; $x := 2; $x)", "2"),
        ("()", "nothing"),
        ("$given + 1", "8"),
        ("$absent", "nothing"),
    ]);
}

#[test]
fn a_call_of_no_function_is_an_error() {
    check(&[
        ("$unknown()", NO_FUNCTION),
        ("name()", NO_FUNCTION),
        ("(1)(2)", NO_FUNCTION),
        ("$given(1)", NO_FUNCTION),
        ("($map := 1; $map([1], function($x) { $x }))", NO_FUNCTION),
        ("map([1])", "T1005: Attempted to invoke a non-function. Did you mean $map?"),
        ("map(?)", "T1007: Attempted to partially apply a non-function. Did you mean $map?"),
        ("$unknown(?)", "T1008: Attempted to partially apply a non-function"),
        ("($keys ~> $lowercase)('p')", "nothing"),
        ("$map([1], $keys) ~> $map($not ~> $sum)", "nothing"),
        ("$map([1], $exists ~> $keys)", "[]"),
        ("1 ~> 2", "T2006: The right side of the function application operator ~> must be a function"),
    ]);
}

#[test]
fn a_tail_call_needs_no_depth() {
    check(&[
        ("($f := function($n, $sum) { $n = 0 ? $sum : $f($n - 1, $sum + $n) }; $f(10000, 0))", "50005000"),
        (
            "($even := function($n) { $n = 0 ? true : $odd($n - 1) }; $odd := function($n) { $n = 0 ? false : \
             $even($n - 1) }; $even(1001))",
            "false",
        ),
        ("$map([1..3], function($x) { ($y := $x; $given ~> function($z) { $z + $y }) })", "[8, 9, 10]"),
    ]);
}

#[test]
fn a_partial_application_takes_the_other_arguments() {
    check(&[
        ("($f := function($a, $b, $c) { [$a, $b, $c] }; $g := $f(?, 2, ?); $g(1, 3))", "[1, 2, 3]"),
        ("($f := function($a, $b, $c) { [$a, $b, $c] }; $f(?, ?, 3)(1, ?)(2))", "[1, 2, 3]"),
        ("($f := function($a, $b) { [$a, $b] }; $f(?)(1, 2))", "[1]"),
        ("($all := $map(?, function($x) { $x + 1 }); $all([1, 2]))", "[2, 3]"),
        ("($add := $append(1, ?); $add())", "1"),
        ("($add := $append(?, missing); $add(1))", "1"),
        ("($f := function($a, $b)<nn:n> { $a & $b }; $f(?, 1)('x'))", r#""x1""#),
    ]);
}

#[test]
fn functions_are_applied_and_composed() {
    check(&[
        ("5 ~> function($x) { $x + 1 }", "6"),
        ("[1, 2] ~> $map(function($x) { $x + 1 })", "[2, 3]"),
        ("($inc := function($x) { $x + 1 }; $f := $inc ~> $inc ~> $inc; $f(1))", "4"),
        ("($inc := function($x) { $x + 1 }; 1 ~> $inc ~> $inc)", "3"),
        ("[1] ~> $map(function($x) { $x })[]", "[1]"),
        ("missing ~> $map", r#"T0410: Argument 2 of function "map" does not match function signature"#),
    ]);
}

#[test]
fn arguments_are_checked_against_signatures() {
    check(&[
        ("function($x)<n:n> { $x }('a')", "T0410: Argument 1 of function undefined does not match function signature"),
        (
            "($f := function($x)<n:n> { $x }; $f('a'))",
            r#"T0410: Argument 1 of function "f" does not match function signature"#,
        ),
        ("$map([1], 2)", r#"T0410: Argument 2 of function "map" does not match function signature"#),
        ("$map([1])", r#"T0410: Argument 2 of function "map" does not match function signature"#),
        (
            "$map([1], function($x) { $x }, 3)",
            r#"T0410: Argument 3 of function "map" does not match function signature"#,
        ),
        (
            "($f := function($x)<a<n>:n> { $x }; $f(['a']))",
            r#"T0412: Argument 1 of function "f" must be an array of "numbers""#,
        ),
        ("($f := function($x)<a:n> { $x }; $f(1))", "[1]"),
        ("name.(function($x)<s-:s> { $x }())", r#""shop""#),
        (
            "open.(function($x)<s-:s> { $x }())",
            "T0411: Context value is not a compatible type with argument 1 of function undefined",
        ),
        ("function($x, $y)<s?n:n> { $y }('a', 1)", "1"),
        ("function($x, $y)<(sn)b?:n> { $x }(1, missing)", "1"),
        (
            "function($x)<j:n> { $x }(function() { 1 })",
            "T0410: Argument 1 of function undefined does not match function signature",
        ),
    ]);
}

#[test]
fn callbacks_get_as_many_arguments_as_they_take() {
    check(&[
        ("$map([5, 6], function($v, $i) { $v + $i })", "[5, 7]"),
        ("$map([5, 6], function($v, $i, $all) { $all })", "[[5, 6], [5, 6]]"),
        ("$map([1, 2], function($v) { $v = 1 ? $v })", "1"),
        ("$map(missing, function($v) { $v })", "nothing"),
        ("$map(5, function($v) { $v })", "5"),
        ("$filter([1..5], function($v, $i) { $v > 2 and $i < 4 })", "[3, 4]"),
        ("$filter([1], function($v) { $v = 2 })", "nothing"),
        ("$reduce([1..4], function($sum, $v) { $sum + $v })", "10"),
        ("$reduce([1..4], function($sum, $v) { $sum + $v }, 10)", "20"),
        ("$reduce([1], function($sum, $v) { $sum + $v })", "1"),
        ("$reduce([], function($sum, $v) { $sum + $v })", "nothing"),
        ("$reduce([5, 6], function($sum, $v, $i, $all) { [$sum, $v, $i, $all] })", "[5, 6, 1, 5, 6]"),
        (
            "$reduce([1, 2], function($x) { $x })",
            "D3050: The second argument of reduce function must be a function with at least two arguments",
        ),
        ("$each({'a': 1, 'b': 2}, function($v, $k) { $k & $v })", r#"["a1", "b2"]"#),
        ("$sift({'a': 1, 'b': 2}, function($v, $k) { $k = 'b' })", r#"{"b": 2}"#),
        ("$sift({'a': 1}, function($v) { false })", "nothing"),
        ("$single([1, 2, 3], function($v) { $v = 2 })", "2"),
        ("$single([1])", "1"),
        (
            "$single([1, 2])",
            "D3138: The $single() function expected exactly 1 matching result.  Instead it matched more.",
        ),
        (
            "$single([1, 2], function($v) { false })",
            "D3139: The $single() function expected exactly 1 matching result.  Instead it matched 0.",
        ),
    ]);
}

#[test]
fn null_is_the_context_of_what_is_called_back() {
    check(&[
        ("$map([1, 2], function($x) { $string() })", r#"["null", "null"]"#),
        (
            "$map([1], function($x) { $uppercase() })",
            r#"T0411: Context value is not a compatible type with argument 1 of function "uppercase""#,
        ),
        ("1 ~> function($x, $y)<nx-:x> { $y }", "null"),
    ]);
}

#[test]
fn a_regular_expression_is_a_function() {
    check(&[
        ("$filter(['ab', 'b', 'a'], /^a/)", r#"["ab", "a"]"#),
        ("/b/('abc').[match, start, end]", r#"["b", 1, 2]"#),
        ("('a1b2' ~> /[a-z](\\d)/).next().groups", r#"["2"]"#),
        ("('a' ~> /b/)", "nothing"),
        ("missing ~> /b/", "nothing"),
        ("12 ~> /1/ ? 'yes' : 'no'", r#""yes""#),
        ("$map(['Ab', 'ab'], function($x) { $x ~> /a/i ? 1 : 0 })", "[1, 1]"),
        ("$map([1..200], function($x) { $contains('x1y', /x1/) })[0]", "true"),
    ]);
}

#[test]
fn a_function_is_no_result() {
    check(&[
        ("function($x) { $x }", "function"),
        ("$map", "function"),
        ("[function($x) { $x }]", "function"),
        ("{'a': [$map]}", "function"),
        ("[$map].name", "nothing"),
        ("{'f': function($x) { $x + 1 }}.f(1)", "2"),
    ]);
}
