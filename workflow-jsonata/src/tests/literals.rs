//! The literals and names.

use super::check_shapes;

#[test]
fn literals_are_read() {
    check_shapes(&[
        ("null", "null"),
        (" true\n", "true"),
        ("\tfalse\r", "false"),
        ("\"it's\"", "\"it's\""),
        ("'say \"x\"'", "\"say \\\"x\\\"\""),
        ("/a\\/b/im", "/a\\/b/im"),
        ("/[/]+(/)/", "/[/]+(/)/"),
        ("/a/mi", "/a/im"),
    ]);
}

#[test]
fn escape_sequences_are_those_of_json() {
    check_shapes(&[
        (r#""\"\\\/\b\f\n\r\t""#, r#""\"\\/\u{8}\u{c}\n\r\t""#),
        (r#""\u0041\u00e9""#, r#""Aé""#),
        (r#""\ud83d\ude00""#, r#""😀""#),
        (r#""\ud83d""#, r#""�""#),
        (r#""\ud83d\u0041""#, r#""�A""#),
        (r#""\ude00""#, r#""�""#),
    ]);
}

#[test]
fn whole_numbers_are_exact_within_64_bits() {
    check_shapes(&[
        ("0", "0"),
        ("1e3", "1000"),
        ("10.0", "10"),
        ("2.50", "2.5"),
        ("-3", "-3"),
        ("--3", "3"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9223372036854776000"),
        ("1e21", "1e+21"),
        ("1.5e-7", "1.5e-7"),
        ("-1.5E+2", "-150"),
        ("1[0]", "{1[0]}"),
        ("-1[0]", "{-1[0]}"),
        ("-0", "0"),
    ]);
}

#[test]
fn names_and_variables_end_at_blanks_and_operators() {
    check_shapes(&[
        ("a", "(path a)"),
        ("a_1é'\"", "(path a_1é'\")"),
        ("`a b.c`", "(path a b.c)"),
        ("``", "(path )"),
        ("$", "$"),
        ("$$", "$$"),
        ("$a1", "$a1"),
        ("and", "(path and)"),
        ("or.in", "(path or in)"),
        ("and and and", "(and (path and) (path and))"),
        ("`true`", "(path true)"),
        ("*", "*"),
        ("**", "**"),
    ]);
}

#[test]
fn comments_stand_between_tokens() {
    check_shapes(&[
        ("/* a */ 1 /**/ + /* * / */ 2", "(+ 1 2)"),
        ("1/* a *//2", "(/ 1 2)"),
        ("$f(/* a *//b/)", "(call $f /b/)"),
    ]);
}
