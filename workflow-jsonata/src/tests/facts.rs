//! The variables and members of `$states` that expressions read.

use crate::{FUNCTIONS, Facts, FreeVariable, is_function, parse};

fn facts(text: &str) -> Facts {
    Facts::of(&parse(text).expect("the text is an expression"))
}

/// Checks the free variables: `()` follows a callee, `!` one that is also read, `?`
/// one that the expression may bind.
#[track_caller]
fn check_variables(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let describe = |variable: &FreeVariable| {
            let call = if variable.is_callee { "()" } else { "" };
            let read = if variable.is_callee && variable.is_read { "!" } else { "" };
            let bound = if variable.may_be_bound { "?" } else { "" };
            format!("{}{call}{read}{bound}", variable.name)
        };
        let found: Vec<_> = facts(text).variables.iter().map(describe).collect();
        assert_eq!(found.join(" "), *expected, "the variables of {text}");
    }
}

#[test]
fn variables_stand_in_the_order_of_their_first_use() {
    check_variables(&[
        ("$b + $a + $b", "b a"),
        ("$states.input + $x", "x"),
        ("$f($x)", "f() x"),
        ("$x ~> $f", "x f()"),
        ("$f ~> $g(1)", "f g()"),
        ("$map($x, $f)", "map() x f"),
        ("$f($f)", "f()!"),
        ("$x[$i].a[$j]^($k){$l: $m}", "x i j k l m"),
        ("$f(?, $y)", "f() y"),
        ("$o ~> |$p|{\"a\": $q}, $r|", "o p q r"),
    ]);
}

#[test]
fn variables_that_the_expression_binds_are_not_free() {
    check_variables(&[
        ("($x := 1; $x)", ""),
        ("$x := $x", "x"),
        ("(($x := 1); $x)", "x"),
        ("function($x){$x + $y}", "y"),
        ("($f := function($n){$f($n - 1)}; $f(3))", ""),
        ("$a.b@$v.c#$i[$v and $i]", "a"),
        ("$a#$i.($i)", "a"),
        ("($a#$i.b; $i)", "a i"),
        ("$c ? ($x := 1; $x) : $x", "c x"),
    ]);
}

#[test]
fn variables_that_may_be_bound_are_marked() {
    check_variables(&[
        ("($c ? $x := 1 : 2; $x)", "c x?"),
        ("($c and ($x := 1; true); $x)", "c x"),
        ("($f := function(){$g()}; $g := function(){1}; $f())", "g()?"),
        ("($y := $g; $g := 1)", "g"),
    ]);
}

#[test]
fn members_of_states_are_those_that_are_read() {
    for (text, expected, is_whole) in [
        ("1", "", false),
        ("$states.context.a + $states.input.b", "input context", false),
        ("$states.result[0]", "result", false),
        ("$x[$states.errorOutput.Error = a]", "errorOutput", false),
        ("$states", "input result errorOutput context", true),
        ("$states.*", "input result errorOutput context", true),
        ("($states).input", "input result errorOutput context", true),
        ("$states.other", "", false),
        ("function($states){$states.input}", "", false),
    ] {
        let facts = facts(text);
        assert_eq!(facts.states.join(" "), expected, "the members in {text}");
        assert_eq!(facts.reads_whole_states, is_whole, "the whole in {text}");
    }
}

#[test]
fn members_of_the_context_object_are_those_that_are_read() {
    for (text, expected, is_whole) in [
        ("$states.input.context.a", "", false),
        ("$states.context.Map.Item.Value + $states.context.State.Name", "Map State", false),
        ("$map($states.input, function($v){ $v & $states.context.`Execution`.Id })", "Execution", false),
        ("$states.context.Map[0].Item{'a': Key}", "Map", false),
        ("$states.context", "", true),
        ("$keys($states.context)", "", true),
        ("$states.context.*", "", true),
        ("$states.context.**.Id", "", true),
        ("$states.context[Map.Item.Index = 1]", "", true),
        ("$states.context[Map.Item.Index = 1].Map", "", true),
        ("$states.context@$c.Map", "", true),
        ("$states.context.(Map)", "", true),
        ("$states.context.Map.Item.%.%.Execution", "Map", true),
        ("$states", "", true),
        ("function($states){$states.context}", "", false),
    ] {
        let facts = facts(text);
        assert_eq!(facts.context.join(" "), expected, "the members in {text}");
        assert_eq!(facts.reads_whole_context, is_whole, "the whole in {text}");
    }
}

#[test]
fn unknown_functions_are_only_called() {
    for (text, expected) in [
        ("$eval('1')", "eval"),
        ("$sum($x) + $foo(1) + $bar", "foo"),
        ("$foo(1) + $foo", ""),
        ("($f := function(){$g()}; $g := function(){1})", ""),
    ] {
        let facts = facts(text);
        let found: Vec<_> = facts.unknown_functions().map(|variable| &*variable.name).collect();
        assert_eq!(found.join(" "), expected, "the unknown functions of {text}");
    }
}

#[test]
fn volatile_functions_are_found() {
    let facts = facts("$now() & $map($x, $random) & $count($y) & $uuid()");
    assert_eq!(facts.volatile().collect::<Vec<_>>(), ["now", "random", "uuid"]);
}

#[test]
fn names_of_functions_are_sorted() {
    assert!(FUNCTIONS.is_sorted());
    assert!(is_function("parse") && is_function("sum") && !is_function("eval"));
}
