//! Tests of operators.

use super::check;

#[test]
fn arithmetic_is_that_of_doubles() {
    check(&[
        ("1 + 2 * 3", "7"),
        ("7 / 2", "3.5"),
        ("-7 % 3", "-1"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("4 / 2", "2"),
        ("missing + 1", "nothing"),
        ("1 - missing", "nothing"),
        ("-missing", "nothing"),
        ("-(0)", "0"),
        ("'a' + 1", r#"T2001: The left side of the "+" operator must evaluate to a number"#),
        ("1 * 'a'", r#"T2002: The right side of the "*" operator must evaluate to a number"#),
        ("missing + 'a'", r#"T2002: The right side of the "+" operator must evaluate to a number"#),
        ("-name", r#"D1002: Cannot negate a non-numeric value: "shop""#),
    ]);
}

#[test]
fn numbers_that_are_not_finite_leave_an_expression_as_strings() {
    check(&[
        ("1/0", r#""Infinity""#),
        ("-1/0", r#""-Infinity""#),
        ("0/0", r#""NaN""#),
        ("{'k': [1/0]}", r#"{"k": ["Infinity"]}"#),
        ("1/0 + 1", "D1001: Number out of range: null"),
        ("0/0 * 1", "D1001: Number out of range: null"),
        ("-(1/0)", "D1001: Number out of range: null"),
        ("0/0 > 1e308", "true"),
        ("1/0 > 5", "true"),
        ("0/0 = 0/0", "false"),
    ]);
}

#[test]
fn comparisons_take_two_numbers_or_two_strings() {
    check(&[
        ("1 < 2", "true"),
        ("2 <= 2", "true"),
        ("'a' < 'b'", "true"),
        ("'\u{ff61}' > '\u{1f600}'", "true"),
        ("missing < 1", "nothing"),
        ("1 >= missing", "nothing"),
        ("1 < 'a'", r#"T2009: The values 1 and "a" either side of operator "<" must be of the same data type"#),
        ("true < 1", r#"T2010: The expressions either side of operator "<" must evaluate to numeric or string values"#),
        (
            "missing > nothing",
            r#"T2010: The expressions either side of operator ">" must evaluate to numeric or string values"#,
        ),
    ]);
}

#[test]
fn equality_is_deep_and_false_for_nothing() {
    check(&[
        ("1 = 1.0", "true"),
        ("'1' = 1", "false"),
        ("{'a': [1, 2], 'b': 3} = {'b': 3, 'a': [1, 2]}", "true"),
        ("[1, 2] = [2, 1]", "false"),
        ("missing = missing", "false"),
        ("missing != 1", "false"),
        ("null = nothing", "true"),
        ("1 != 2", "true"),
    ]);
}

#[test]
fn arrays_and_objects_are_no_elements() {
    check(&[
        ("1 in [1, 2]", "true"),
        ("'shop' in name", "true"),
        ("{} in [{}]", "false"),
        ("missing in [1]", "false"),
        ("1 in missing", "false"),
        ("($x := {'a': 1}; $x in [$x, 2])", "false"),
        ("($x := [1]; $x in [$x, 2])", "false"),
        ("orders[0] in orders", "false"),
        ("($f := function() { 1 }; $f in [$f])", "true"),
    ]);
}

#[test]
fn logic_takes_truth_and_does_not_evaluate_more_than_it_needs() {
    check(&[
        ("open and name", "true"),
        ("open and missing", "false"),
        ("missing or 'x'", "true"),
        ("false and $x()", "false"),
        ("true or $x()", "true"),
        ("nothing or []", "false"),
        ("[0, false] or [[1]]", "true"),
        ("open ? 1 : 2", "1"),
        ("missing ? 1 : 2", "2"),
        ("missing ? 1", "nothing"),
    ]);
}

#[test]
fn concatenation_takes_the_text_of_values() {
    check(&[
        ("'a' & 1 & true & null", r#""a1truenull""#),
        ("'a' & missing", r#""a""#),
        ("missing & missing", r#""""#),
        ("[1, {'a': 2.5}] & ''", r#""[1,{\"a\":2.5}]""#),
        ("1/0 & ''", "D3001: Attempting to invoke string function on Infinity or NaN"),
    ]);
}

#[test]
fn a_range_has_whole_bounds_and_ten_million_elements_at_most() {
    check(&[
        ("[1..1]", "[1]"),
        ("[-1..1]", "[-1, 0, 1]"),
        ("[missing..1]", "[]"),
        ("[1.5..2]", "T2003: The left side of the range operator (..) must evaluate to an integer"),
        ("[1..'a']", "T2004: The right side of the range operator (..) must evaluate to an integer"),
        (
            "[0..10000000]",
            "D2014: The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted to \
             allocate 10000001.",
        ),
    ]);
}
