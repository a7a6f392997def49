//! Tests of transformations.

use super::check;

#[test]
fn a_transformation_changes_a_copy() {
    check(&[
        ("customer ~> |address|{'zip': 1}|", r#"{"vip": true, "address": {"city": "Rome", "zip": 1}}"#),
        ("customer ~> |$|{'vip': false}, 'address'|", r#"{"vip": false}"#),
        ("customer ~> |$|{}, ['vip', 'address', 'x']|", "{}"),
        ("($c := customer; $d := $c ~> |$|{'vip': 0}|; [$c.vip, $d.vip])", "[true, 0]"),
        ("(orders ~> |$|{'total': total * 2}|).total", "[60, 20, 40]"),
        ("(orders ~> |lines|{'n': n + 1}|).lines.n", "[2, 3, 4]"),
        ("customer ~> |missing|{'a': 1}|", r#"{"vip": true, "address": {"city": "Rome"}}"#),
        ("customer ~> |address|missing|", r#"{"vip": true, "address": {"city": "Rome"}}"#),
        ("missing ~> |$|{'a': 1}|", "nothing"),
        (
            "customer ~> |$|{'old': $}, 'address'|",
            r#"{"vip": true, "old": {"vip": true, "address": {"city": "Rome"}}}"#,
        ),
        ("{'a': {'b': 1}} ~> |**|{'n': 1}|", r#"{"a": {"b": 1, "n": 1}, "n": 1}"#),
        ("($x := {'a': 1}; [$x, $x] ~> |$[0]|{'a': 2}|)", r#"[{"a": 2}, {"a": 1}]"#),
        ("(|$|{'n': 1}|)({'f': $map})", r#"{"f": "", "n": 1}"#),
    ]);
}

#[test]
fn a_transformation_takes_an_object_and_names() {
    check(&[
        (
            "customer ~> |$|1|",
            "T2011: The insert/update clause of the transform expression must evaluate to an object: 1",
        ),
        (
            "customer ~> |$|{}, 1|",
            "T2012: The delete clause of the transform expression must evaluate to a string or array of strings: 1",
        ),
        ("name ~> |$|{}|", "T0410: Argument 1 of function undefined does not match function signature"),
        (
            "($clone := 1; customer ~> |$|{}|)",
            "T2013: The transform expression clones the input object using the $clone() function.  This has been \
             overridden in the current scope by a non-function.",
        ),
        ("{'n': 9007199254740993} ~> |$|{}|", r#"{"n": 9007199254740993}"#),
        (
            "($clone := $uppercase; customer ~> |$|{}|)",
            r#"T0410: Argument 1 of function "uppercase" does not match function signature"#,
        ),
        ("{} ~> |$|{'i': 1/0, 'f': $map}|", r#"{"i": "Infinity", "f": ""}"#),
        ("($clone := function($x) { {'b': 1} }; customer ~> |$|{'c': 2}|)", r#"{"b": 1, "c": 2}"#),
    ]);
}
