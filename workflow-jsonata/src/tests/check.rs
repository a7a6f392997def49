//! The checks of references.

use crate::{MAX_PATTERN, check, parse};

/// Checks the problems of expressions, each with its place.
#[track_caller]
fn check_problems(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let node = parse(text).expect("the text is an expression");
        let problems = check(&node, &["input", "context"]);
        let found: Vec<_> = problems.iter().map(|problem| problem.kind.to_string()).collect();
        assert_eq!(found, *expected, "the problems of {text}");
    }
}

#[test]
fn references_at_the_top_level_are_problems() {
    let phone = "Reference to 'phone' at the top level is not supported.";
    let item = "Reference to '$' at the top level is not supported.";
    check_problems(&[
        ("phone", &[phone]),
        ("phone[0]", &[phone]),
        ("phone.a.b", &[phone]),
        ("1 + (phone; -phone)", &[phone, phone]),
        ("[phone]", &[phone]),
        ("{\"a\": phone}", &[phone]),
        ("$x ? phone : 1", &[phone]),
        ("$exists(phone)", &[phone]),
        ("phone(1)", &[phone]),
        ("$y := phone", &[phone]),
        ("phone ~> $f", &[phone]),
        ("$map($x, function($v){phone})", &[phone]),
        ("`phone`", &[phone]),
        ("$.a", &[item]),
        ("$[0]", &[item]),
        ("*", &["Reference to '*' at the top level is not supported."]),
        ("**.a", &["Reference to '**' at the top level is not supported."]),
        (
            "aaa + bbb",
            &[
                "Reference to 'aaa' at the top level is not supported.",
                "Reference to 'bbb' at the top level is not supported.",
            ],
        ),
    ]);
}

#[test]
fn patterns_that_no_search_can_use_are_problems() {
    let refused = |pattern: &str, reason: &str| format!("Invalid regular expression: /{pattern}/: {reason}");
    for (text, pattern, reason) in [
        ("/a**/i", "a**", "Nothing to repeat"),
        ("/a{2,1}/", "a{2,1}", "numbers out of order in {} quantifier"),
        ("/[b-a]/m", "[b-a]", "Range out of order in character class"),
        ("/a(?=b)/", "a(?=b)", "look-around is not supported"),
        ("/(?<!a)b/", "(?<!a)b", "look-around is not supported"),
        (r"/(.)\1/", r"(.)\1", "back-references are not supported"),
        (r"/\1(.)/", r"\1(.)", "back-references are not supported"),
        (r"/(?<a>.)\k<a>/", r"(?<a>.)\k<a>", "back-references are not supported"),
        (r"/(?<a>.)[\k]/", r"(?<a>.)[\k]", "Invalid escape"),
        ("/(?<1>x)/", "(?<1>x)", "Invalid capture group name"),
        ("/(?<>x)/", "(?<>x)", "Invalid capture group name"),
        ("/(?<a-b>x)/", "(?<a-b>x)", "Invalid capture group name"),
        (r"/(?<\u{110000}>x)/", r"(?<\u{110000}>x)", "Invalid capture group name"),
        (r"/(?<\ud800>x)/", r"(?<\ud800>x)", "Invalid capture group name"),
        ("/(?<a>x)(?<a>y)/", "(?<a>x)(?<a>y)", "Duplicate capture group name"),
        ("/(?<a>x(?<a>y))/", "(?<a>x(?<a>y))", "Duplicate capture group name"),
        ("/(?:(?<a>x)|z)(?<a>y)/", "(?:(?<a>x)|z)(?<a>y)", "Duplicate capture group name"),
        ("/(?<a>x)(?:y|(?<a>z))/", "(?<a>x)(?:y|(?<a>z))", "Duplicate capture group name"),
        (r"/(?<a>x)(?<\u0061>y)/", r"(?<a>x)(?<\u0061>y)", "Duplicate capture group name"),
        ("$match($x, /(?)/)", "(?)", "Invalid group"),
        ("$x[$contains($, /(?)/)]", "(?)", "Invalid group"),
        ("$x^($replace($, /(?)/, ''))", "(?)", "Invalid group"),
        ("$x{$match($, /(?)/).match: 1}", "(?)", "Invalid group"),
        ("function($y) { $y ~> /(?)/ }", "(?)", "Invalid group"),
    ] {
        check_problems(&[(text, &[&refused(pattern, reason)])]);
    }
    let long = |count: usize| format!("/{}/", "a".repeat(count));
    check_problems(&[
        (&long(MAX_PATTERN), &[]),
        (&long(MAX_PATTERN + 1), &["Invalid regular expression: it is too large"]),
        (r"/^(?:[\w.-]+|(?<rest>\u00e9{2,}?))\b$/im", &[]),
    ]);
    check_problems(&[
        (r"/(a)\k/", &[]),
        (r"/(.)\10/", &[]),
        (r"/(a)\12[\1]/", &[]),
        (r"/\99999999999(.)/", &[]),
        ("/(?<a>x)|(?<a>y)/", &[]),
        ("/(?:(?<a>x)|(?:(?<a>y)|z))(?<b>z)/", &[]),
        (r"/(?<$_a1>x)(?<\u{62}\u0063>y)/", &[]),
    ]);
    let node = parse("$match($x, /(?)/)").expect("the text is an expression");
    assert_eq!(check(&node, &[])[0].at, 11..16);
}

#[test]
fn references_to_an_item_are_no_problems() {
    check_problems(&[
        ("$x.y", &[]),
        ("$x.(y + $)", &[]),
        ("$x[a > 1]", &[]),
        ("$x.a[b > 1][$ = 1]", &[]),
        ("$x^(y)", &[]),
        ("$x{y: $sum(z)}", &[]),
        ("$x.y.%.z", &[]),
        ("$x.$map(z, function($v){y})", &[]),
        ("$x ~> |a|{\"b\": c}, d|", &[]),
        ("$x.*.**", &[]),
        ("\"a\".b", &["Reference to 'a' at the top level is not supported."]),
    ]);
}

#[test]
fn the_root_is_a_problem_everywhere() {
    let root = "Reference to '$$' is not supported.";
    check_problems(&[("$$", &[root]), ("$states.input[$$.a]", &[root]), ("$x.($$)", &[root])]);
}

#[test]
fn members_of_states_are_checked_at_the_begin_of_a_path() {
    let result = "Field '$states.result' does not exist.";
    check_problems(&[
        ("$states", &[]),
        ("$states.input.result", &[]),
        ("$states.result", &[result]),
        ("$states.result[0].a", &[result]),
        ("$states.`result`", &[result]),
        ("$states.'result'", &[result]),
        ("$x[$states.result = 1]", &[result]),
        ("($states).result", &[]),
        ("$states.(result)", &[]),
        ("function($states){$states.result}", &[]),
        ("($states := {}; $states.result)", &[]),
        ("(($states := {}); $states.result)", &[result]),
    ]);
}

#[test]
fn problems_stand_in_the_order_of_their_places() {
    let text = "$states.result + b";
    let node = parse(text).expect("the text is an expression");
    let places: Vec<_> = check(&node, &[]).into_iter().map(|problem| &text[problem.at]).collect();
    assert_eq!(places, ["result", "b"]);
}
