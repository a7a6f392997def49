//! Tests of the translation of regular expressions.

use crate::{Pattern, translate};

#[test]
fn a_number_above_the_number_of_groups_is_an_octal_escape() {
    for (text, expected) in [
        (r"(a)\12", "(a)\n"),
        (r"(a)\011", "(a)\t"),
        (r"(a)\1012", "(a)A2"),
        (r"(a)\4012", "(a)\u{20}12"),
        (r"(a)\18", "(a)\u{1}8"),
        (r"(a)\9", "(a)9"),
        (r"(a)[\12\k]", r"(a)[\x{a}-\x{a}\x{6b}-\x{6b}]"),
        (r"(a)\k", "(a)k"),
    ] {
        let pattern = Pattern { text: text.to_owned(), ignores_case: false, is_multiline: false };
        assert_eq!(translate(&pattern, &|first, last| vec![(first, last)]).as_deref(), Ok(expected), "{text}");
    }
}
