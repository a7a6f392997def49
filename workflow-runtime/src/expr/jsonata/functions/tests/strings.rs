//! Tests of the functions of strings.

use super::check;

#[test]
fn lengths_and_positions_are_those_of_characters() {
    check(&[
        ("$length('')", "0"),
        ("$length('a😀é')", "3"),
        ("$length($none)", "nothing"),
        ("$length(1)", "T0410: Argument 1 of function \"length\" does not match function signature"),
        ("$substring('😀abc', 1)", r#""abc""#),
        ("$substring('abcde', 1, 2)", r#""bc""#),
        ("$substring('abcde', -3)", r#""cde""#),
        ("$substring('abcde', -3, 1)", r#""c""#),
        ("$substring('abcde', -9, 2)", r#""ab""#),
        ("$substring('abcde', 9)", r#""""#),
        ("$substring('abcde', 1, 0)", r#""""#),
        ("$substring('abcde', 1, -1)", r#""""#),
        ("$substring('abcde', 1.9, 1.2)", r#""bc""#),
        ("$substring('abcde', -0.5)", r#""abcde""#),
        ("$substring('abcde', 0, 1e300)", r#""abcde""#),
        ("$substring($none, 1)", "nothing"),
        ("$substring('abc', $none)", r#""abc""#),
        ("$substring('abc', $none, 1)", r#""""#),
    ]);
}

#[test]
fn a_text_is_cut_at_the_first_occurrence_of_another() {
    check(&[
        ("$substringBefore('a-b-c', '-')", r#""a""#),
        ("$substringAfter('a-b-c', '-')", r#""b-c""#),
        ("$substringBefore('abc', 'x')", r#""abc""#),
        ("$substringAfter('abc', 'x')", r#""abc""#),
        ("$substringBefore('abc', '')", r#""""#),
        ("$substringAfter('abc', '')", r#""abc""#),
        ("$substringAfter('abc', $none)", r#""abc""#),
        ("$substringBefore($none, '-')", "nothing"),
    ]);
}

#[test]
fn cases_follow_unicode() {
    check(&[
        ("$uppercase('straße é')", r#""STRASSE É""#),
        ("$lowercase('ΑΣ Éa')", r#""ας éa""#),
        ("$uppercase($none)", "nothing"),
    ]);
}

#[test]
fn white_space_is_trimmed_and_becomes_one_blank() {
    check(&[
        (r#"$trim("  a \n\t b\r\n ")"#, r#""a b""#),
        ("$trim('   ')", r#""""#),
        ("$trim('a\u{a0}')", "\"a\u{a0}\""),
        ("$trim($none)", "nothing"),
    ]);
}

#[test]
fn a_text_is_padded_at_the_end_or_at_the_start() {
    check(&[
        ("$pad('ab', 5)", r#""ab   ""#),
        ("$pad('ab', -5)", r#""   ab""#),
        ("$pad('ab', 7, 'xyz')", r#""abxyzxy""#),
        ("$pad('ab', -5, 'é😀')", r#""é😀éab""#),
        ("$pad('😀', 3, '')", r#""😀  ""#),
        ("$pad('ab', 2.9)", r#""ab""#),
        ("$pad('ab', -3.9)", r#"" ab""#),
        ("$pad('ab', 0)", r#""ab""#),
        ("$pad($none, 3)", "nothing"),
    ]);
}

#[test]
fn strings_are_joined() {
    check(&[
        ("$join(['a', 'b', 'c'])", r#""abc""#),
        ("$join(['a', 'b', 'c'], ', ')", r#""a, b, c""#),
        ("$join('a', ',')", r#""a""#),
        ("$join([])", r#""""#),
        ("$join($none)", "nothing"),
        ("$join(['a', 1])", "T0412: Argument 1 of function \"join\" must be an array of \"strings\""),
    ]);
}
