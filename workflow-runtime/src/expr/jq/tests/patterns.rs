//! Patterns that are not supported, and patterns whose meaning the translation must preserve.

use crate::expr::jq;
use crate::value::Value;

#[test]
fn what_is_not_supported_is_named() {
    let cases = [
        ("(?=a)", "a look-ahead"),
        ("(?!a)", "a look-ahead"),
        ("(?<=a)b", "a look-behind"),
        ("(?<!a)b", "a look-behind"),
        ("(?>a+)b", "an atomic group"),
        ("a++", "a possessive quantifier"),
        ("a?+", "a possessive quantifier"),
        (r"(a)\1", "a back-reference"),
        (r"(?<n>a)\k<n>", "a back-reference"),
        (r"(?<n>a)\g<n>", "a call of a group"),
        ("(?(1)a|b)", "a condition"),
        (r"\Ga", "the anchor `\\G`"),
        (r"a\Kb", "`\\K`"),
        (r"\X", "the text segment `\\X`"),
    ];
    for (pattern, what) in cases {
        let refused = jq::test(&"a".into(), &pattern.into()).expect_err(pattern);
        assert_eq!(refused.to_string(), format!("Regex failure: {what} is not supported"), "{pattern}");
    }
    let refused = jq::test_with(&"a".into(), &"a".into(), &"l".into()).expect_err("a flag");
    assert_eq!(refused.to_string(), "Regex failure: the flag `l`, the longest match is not supported");
}

#[test]
fn a_pattern_from_data_is_bounded() {
    let refused = jq::test(&"a".into(), &r"(\w{500}){500}".into()).expect_err("too large");
    assert_eq!(refused.to_string(), "Regex failure: the pattern is too large");
    let text = Value::from("a".repeat(50_000));
    assert!(!jq::test(&text, &"(a*)*b".into()).expect("an answer"), "in linear time");
    // More patterns than the cache holds.
    for at in 0..200 {
        assert!(jq::test(&"a7".into(), &format!("a[{}-9]", at % 8).into()).expect("an answer"));
    }
}

#[test]
fn groups_may_share_a_name() {
    let mut found = Value::Null;
    let captured = jq::capture(&"ab".into(), &"(?<n>a)(?<n>b)".into(), &mut |groups| {
        found = groups;
        Ok(())
    });
    assert!(captured.is_ok());
    assert_eq!(found.to_string(), r#"{"n":"b"}"#);
}
