//! The limits, and texts made to exceed them.

use std::time::{Duration, Instant};

use crate::{MAX_DEPTH, MAX_LENGTH, parse};

const TOO_DEEP: &str = "The expression is nested more than 250 levels deep";

/// Texts that nest when they are repeated, with an operand and what closes them.
const NESTING: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{1:", "1", "}"),
    ("-", "$x", ""),
    ("$f(", "1", ")"),
    ("$f(?,", "1", ")"),
    ("a[", "1", "]"),
    ("a{1:", "1", "}"),
    ("a^(", "1", ")"),
    ("1?1:", "1", ""),
    ("1?", "1", ""),
    ("$x:=", "1", ""),
    ("function(){", "1", "}"),
    ("|", "1", "|1|"),
    ("1+", "1", ""),
    ("1~>", "$f", ""),
];

#[test]
fn trees_have_at_most_250_levels() {
    for (opening, operand, closing) in NESTING {
        let repeat = |count| [opening.repeat(count), (*operand).to_owned(), closing.repeat(count)].concat();
        let deepest = parse(&repeat(MAX_DEPTH - 1)).expect("the depth is allowed");
        assert_eq!(deepest.clone(), deepest);
        for count in [MAX_DEPTH, 20_000] {
            let error = parse(&repeat(count)).expect_err("the text is too deep");
            assert_eq!((error.code, &*error.message), ("", TOO_DEEP), "for {opening}");
        }
    }
}

#[test]
fn paths_are_one_level_however_long() {
    let text = "a.".repeat(20_000) + "a";
    assert!(parse(&text).is_ok());
    assert!(parse(&("a@$v.".repeat(20_000) + "%")).is_ok());
    assert!(parse(&("[".to_owned() + &"1,".repeat(20_000) + "1]")).is_ok());
}

#[test]
fn a_text_has_at_most_a_mebibyte() {
    let text = " ".repeat(MAX_LENGTH - 1) + "1";
    assert!(parse(&text).is_ok());
    let error = parse(&(text + " ")).expect_err("the text is too long");
    assert_eq!((error.code, &*error.message), ("", "The expression has more than 1048576 bytes"));
}

#[test]
fn references_to_ancestors_are_limited() {
    let text = "a.".repeat(5_000) + &"%.".repeat(5_000) + "b";
    let error = parse(&text).expect_err("the references are too many");
    assert_eq!(error.message, "The expression has too many references to ancestors (%)");
}

#[test]
fn long_texts_are_answered_in_time() {
    for part in
        ["a.", "%.", "a.%.", "1,", "((", "/*", "\"\\", "`a` ", "\\", "[/", "/[", "$f(", "?:", "9", "<", "~>", "\n"]
    {
        for opening in ["", "(", "[", "\"", "/", "$f(", "function($x)<", "a.", "9."] {
            let mut text = opening.to_owned();
            text.extend(std::iter::repeat_n(part, MAX_LENGTH / 8 / part.len()));
            let start = Instant::now();
            drop(parse(&text));
            assert!(start.elapsed() < Duration::from_secs(5), "for {opening} and many {part}");
        }
    }
}

#[test]
fn garbage_does_not_panic() {
    const PARTS: &[&str] = &[
        "a", "$x", "$", "$$", "1", "-", "\"s\"", "'", "`", "(", ")", "[", "]", "{", "}", ".", "..", ",", ":", ":=",
        "?", "*", "**", "%", "@", "#", "^(", "~>", "=", "<", ">", "!", "|", ";", "/a/", "/", "and", " ", "é", "😀",
        "\\u", "function", "λ", "<a<n>>", "/*", "*/", "\u{0}", "\u{a0}",
    ];
    let mut state = 1_u64;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits fit") % limit
    };
    for _ in 0..20_000 {
        let length = next(14);
        let text: String = (0..length).map(|_| PARTS[next(PARTS.len())]).collect();
        match parse(&text) {
            Ok(node) => assert!(text.get(node.at.clone()).is_some(), "the place of {text}"),
            Err(error) => assert!(text.get(error.at.clone()).is_some(), "the place of the error in {text}"),
        }
    }
}
