//! The shapes of operators, constructors, functions and calls.

use super::check_shapes;

#[test]
fn operators_bind_as_in_the_reference() {
    check_shapes(&[
        ("1 + 2 * 3", "(+ 1 (* 2 3))"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("1 & 2 = 3 & 4", "(= (& 1 2) (& 3 4))"),
        ("1 or 2 and 3 in 4", "(or 1 (and 2 (in 3 4)))"),
        ("1 < 2 != 3", "(!= (< 1 2) 3)"),
        ("1 <= 2", "(<= 1 2)"),
        ("1 > 2 >= 3", "(>= (> 1 2) 3)"),
        ("6 / 2 % 4", "(% (/ 6 2) 4)"),
        ("-$x", "(- $x)"),
        ("-$x.y + 1", "(+ (- (path $x y)) 1)"),
        ("1 + -2", "(+ 1 -2)"),
        ("$x ~> $f ~> $g", "(~> (~> $x $f) $g)"),
    ]);
}

#[test]
fn conditions_and_bindings_group_to_the_right() {
    check_shapes(&[
        ("1 ? 2 : 3 ? 4 : 5", "(if 1 2 (if 3 4 5))"),
        ("1 ? 2", "(if 1 2)"),
        ("1 = 2 ? 3", "(if (= 1 2) 3)"),
        ("$x := $y := 1", "(bind $x (bind $y 1))"),
        ("$x := 1 ? 2 : 3", "(bind $x (if 1 2 3))"),
        ("($x := 1; $x + 1)", "(block (bind $x 1) (+ $x 1))"),
        ("(1;)", "(block 1)"),
        ("()", "(block)"),
    ]);
}

#[test]
fn constructors_hold_their_parts() {
    check_shapes(&[
        ("[]", "(array)"),
        ("[1, 2..3, 4]", "(array 1 (.. 2 3) 4)"),
        ("[[1]]", "(array (array 1))"),
        ("{}", "(object)"),
        ("{\"a\": 1, b: $c}", "(object \"a\":1 (path b):$c)"),
        ("|$x|{\"a\": 1}|", "(transform $x (object \"a\":1))"),
        ("|$x|{}, [\"a\"]|", "(transform $x (object) (array \"a\"))"),
    ]);
}

#[test]
fn calls_have_arguments_or_placeholders() {
    check_shapes(&[
        ("$f()", "(call $f)"),
        ("$f(1)(2)", "(call (call $f 1) 2)"),
        ("$f(?, 1)", "(partial $f ? 1)"),
        ("f(1)", "(call (path f) 1)"),
        ("$x.f(1)", "(path $x (call (path f) 1))"),
        ("$match($x, /a/i)", "(call $match $x /a/i)"),
    ]);
}

#[test]
fn functions_have_parameters_and_signatures() {
    check_shapes(&[
        ("function(){1}", "(function 1)"),
        ("λ($a, $b){$a + $b}", "(function $a $b (+ $a $b))"),
        ("function($a)<n-:n>{$a}", "(function $a <n-:n> $a)"),
        ("function($a)< a<s> ? : s >{$a}", "(function $a <a<s>?:s> $a)"),
        ("function($a){$a}(1)", "(call (function $a $a) 1)"),
    ]);
}

#[test]
fn calls_in_tail_position_are_thunks() {
    check_shapes(&[
        ("function(){$f()}", "(function (thunk (call $f)))"),
        ("function(){$f() + 1}", "(function (+ (call $f) 1))"),
        ("function(){$a ? $f() : 1}", "(function (if $a (thunk (call $f)) 1))"),
        ("function(){($f(); $g())}", "(function (block (call $f) (thunk (call $g))))"),
        ("function(){$f()[0]}", "(function {(call $f)[0]})"),
        ("function(){($f())[0]}", "(function {(block (call $f))[0]})"),
        ("function(){function(){$f()}}", "(function (function (thunk (call $f))))"),
    ]);
}
