//! Tests of the functions that look for patterns.

use super::check;

#[test]
fn a_text_contains_a_text_or_a_match() {
    check(&[
        ("$contains('abracadabra', 'bra')", "true"),
        ("$contains('abracadabra', 'x')", "false"),
        ("$contains('abc', '')", "true"),
        ("$contains('abracadabra', /a.*a$/)", "true"),
        ("$contains('Hello', /^h/)", "false"),
        ("$contains('Hello', /^h/i)", "true"),
        ("$contains($none, 'a')", "nothing"),
        ("$contains('a', $none)", "nothing"),
    ]);
}

#[test]
fn matches_have_positions_and_groups() {
    check(&[
        (
            "$match('ababbxabbcc', /a(b+)/)",
            r#"[{"match": "ab", "index": 0, "groups": ["b"]}, {"match": "abb", "index": 2, "groups": ["bb"]},
                {"match": "abb", "index": 6, "groups": ["bb"]}]"#,
        ),
        ("$match('ababbxabbcc', /a(b+)/, 1).match", r#""ab""#),
        ("$match('😀b', /b/).index", "2"),
        ("$match('x', /(a)|(x)/).groups", r#"[null, "x"]"#),
        ("$match('abc', /x/)", "nothing"),
        ("$match('abc', /b/, 0)", "nothing"),
        ("$match('abc', /b/, -1)", "D3040: Third argument of match function must evaluate to a positive number"),
        ("$match('ab', /x*/)", "D1004: Regular expression matches zero length string"),
        ("$match('', /x*/).index", "0"),
        ("$match($none, /x/)", "nothing"),
    ]);
}

#[test]
fn patterns_are_those_of_javascript() {
    check(&[
        (r"$match('é_1', /\w+/).match", r#""_1""#),
        (r"$match('a\u00a0b c', /\s/).index", "3"),
        (r"$match('éb cb', /\Bb/).index", "4"),
        (r"$match('éb', /\bb/).index", "1"),
        (r"$match('٣3', /\d/).match", r#""3""#),
        (r"$match('a\nb', /a.b/)", "nothing"),
        (r"$match('a\u2028b', /a.b/)", "nothing"),
        (r"$match('a\nb', /a[^]b/).index", "0"),
        (r"$match('a\nb', /^b/)", "nothing"),
        (r"$match('a\nb', /^b/m).index", "2"),
        (r"$match('a\nb\n', /b$/)", "nothing"),
        (r"$match('a\nb', /a$/m).index", "0"),
        (r"$match('a\r\nb', /\r$/m).index", "1"),
        (r"$match('a\r\nb', /a$/m).index", "0"),
        (r"$match('a\rb\r\nc', /^[bc]/m).index", "[2, 5]"),
        (r"$contains('\u017f\u212aß', /[sk]|S|k|\u1e9e/i)", "false"),
        (r"$match('ÉσK', /\u00e9[^a-rt-z]?/i).match", r#""Éσ""#),
        (r"$match('K1ſ', /[^\w]|\ud83d/i).match", r#""ſ""#),
        (r"$match('XyZ-', /[x-z]+-/i).index", "0"),
        (r"$match('a[b', /[\[]/).index", "1"),
        (r"$match('&&--', /[&&-]+/).match", r#""&&--""#),
        (r"$match('x{y}]', /x{y}\]/).index", "0"),
        (r"$match('\\c', /\c/).match", r#""\\c""#),
        (r"$match('a/b#c ~', /a\/b#c ~/).index", "0"),
        (r"$match('é\u0001A', /\u00e9\cA\x41/).index", "0"),
        (r"$match('😀', /\ud83d\ude00/).index", "0"),
        (r"$match('ab12', /(?<letters>[a-z]+)(?:\d)/).groups", r#"["ab"]"#),
        (r"$match('aab', /a+?/).match", r#"["a", "a"]"#),
    ]);
}

#[test]
fn patterns_that_need_backtracking_are_refused() {
    check(&[
        (r"$contains('a', /a(?=b)/)", ": Invalid regular expression: /a(?=b)/: look-around is not supported"),
        (r"$contains('a', /(a)\1/)", r": Invalid regular expression: /(a)\1/: back-references are not supported"),
        (r"$contains('a', /a**/)", ": Invalid regular expression: /a**/: Nothing to repeat"),
        (r"$contains('a', /a{2,1}/)", ": Invalid regular expression: /a{2,1}/: numbers out of order in {} quantifier"),
        (r"$contains('a', /[b-a]/)", ": Invalid regular expression: /[b-a]/: Range out of order in character class"),
        (r"$contains('a', /a{9999999}/)", ": Invalid regular expression: /a{9999999}/: it is too large"),
    ]);
}

#[test]
fn a_text_is_split_at_texts_and_at_matches() {
    check(&[
        ("$split('a, b, c', ', ')", r#"["a", "b", "c"]"#),
        ("$split('a, b, c', ', ', 2.9)", r#"["a", "b"]"#),
        ("$split('a.b.', '.')", r#"["a", "b", ""]"#),
        ("$split('a😀', '')", r#"["a", "😀"]"#),
        ("$split('', '')", "[]"),
        ("$split('', ',')", r#"[""]"#),
        ("$split('a1b22c', /\\d+/)", r#"["a", "b", "c"]"#),
        ("$split('a1b22c', /\\d+/, 2)", r#"["a", "b"]"#),
        ("$split('abc', /x/)", r#"["abc"]"#),
        ("$split('a', 'b', -1)", "D3020: Third argument of split function must evaluate to a positive number"),
        ("$split($none, ',')", "nothing"),
    ]);
}

#[test]
fn matches_are_replaced() {
    check(&[
        ("$replace('aXbX', 'X', '$1')", r#""a$1b$1""#),
        ("$replace('aaa', 'a', 'b', 2)", r#""bba""#),
        ("$replace('aaa', 'a', 'b', 1.9)", r#""baa""#),
        ("$replace('aaa', 'a', 'b', 0)", r#""aaa""#),
        ("$replace('John Smith', /(\\w+)\\s(\\w+)/, '$2, $1')", r#""Smith, John""#),
        ("$replace('265USD', /([0-9]+)USD/, '$$$1 $0 $w $')", r#""$265 265USD $w $""#),
        ("$replace('abc', /(x)?b/, '[$1$2]')", r#""a[]c""#),
        ("$replace('abc', /b/, '[$1$0]')", r#""a[b]c""#),
        ("$replace('abcdefghijk', /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/, '$11-$10-$1-$12-$9x')", r#""k-j-a-a2-ix""#),
        ("$replace('a😀b', /b/, function($m) { $m.match & $m.start & $m.end })", r#""a😀b34""#),
        (
            "$replace('hello', /l/, function($m) { 1 })",
            "D3012: Attempted to replace a matched string with a non-string value",
        ),
        (
            "$replace('abc', 'b', function($m) { 'x' })",
            "D3012: Attempted to replace a matched string with a non-string value",
        ),
        ("$replace('abc', '', 'x')", "D3010: Second argument of replace function cannot be an empty string"),
        (
            "$replace('abc', 'b', 'x', -1)",
            "D3011: Fourth argument of replace function must evaluate to a positive number",
        ),
        ("$replace('bbb', /b*/, 'x')", r#""x""#),
        ("$replace('abc', /b*/, 'x')", "D1004: Regular expression matches zero length string"),
        ("$replace($none, 'a', 'b')", "nothing"),
    ]);
}

#[test]
fn a_pattern_is_a_function_that_returns_its_first_match() {
    check(&[
        ("/b/('abcb').[match, start, end]", r#"["b", 1, 2]"#),
        ("/b/('abcb').next().start", "3"),
        ("/b/('abcb').next().next()", "nothing"),
        ("/x/('abc')", "nothing"),
    ]);
}

#[test]
fn a_function_can_take_the_place_of_a_pattern() {
    const MATCHER: &str = "($find := function($s) { {'match': '-', 'start': 1, 'end': 2, 'groups': ['g'], 'next': \
                           function() { {'match': '-', 'start': 3, 'end': 4, 'groups': [], 'next': function() { $none }} }} }; ";
    let with = |call: &str| format!("{MATCHER}{call})");
    let (split, matched, replaced, contained) = (
        with("$split('a-b-c', $find)"),
        with("$match('a-b-c', $find).index"),
        with("$replace('a-b-c', $find, '<$1>')"),
        with("$contains('a-b-c', $find)"),
    );
    check(&[
        (&split, r#"["a", "b", "c"]"#),
        (&matched, "[1, 3]"),
        (&replaced, r#""a<g>b<>c""#),
        (&contained, "true"),
        (
            "$contains('ab', function($s) { {'x': 1} })",
            "T1010: The matcher function argument passed to function \"contains\" does not return the correct object \
             structure",
        ),
    ]);
}
