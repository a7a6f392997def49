//! Tests of the table of codes.

use super::*;

#[test]
fn codes_are_in_order_and_well_formed() {
    let codes: Vec<&Code> = all().collect();
    for code in &codes {
        let (letter, digits) = code.id.split_at(1);
        assert!(matches!(letter, "E" | "W" | "N") && digits.len() == 4, "{}", code.id);
        assert!(digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", code.id);
        assert!(code.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{}", code.name);
        assert!(!code.title.ends_with('.'), "{}", code.title);
        assert!(!code.explanation.trim().is_empty(), "{}", code.id);
    }
    for area in [syntax::ALL, graph::ALL, expressions::ALL, fields::ALL, output::ALL, stack::ALL, state_machines::ALL] {
        for letter in ["E", "W", "N"] {
            let ids: Vec<&str> = area.iter().map(|code| code.id).filter(|id| id.starts_with(letter)).collect();
            assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
        }
    }
    let mut names: Vec<&str> = codes.iter().map(|code| code.name).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|left, right| left < right), "two codes share a name: {names:?}");
}

#[test]
fn codes_are_found_by_any_spelling() {
    assert_eq!(find("e0112"), Some(&syntax::E0112));
    assert_eq!(find("E0199"), None);
}
