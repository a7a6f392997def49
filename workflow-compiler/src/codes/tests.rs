//! Tests of the tables of codes.

use super::*;

#[test]
fn codes_are_in_order_and_well_formed() {
    let codes: Vec<&Code> = all().collect();
    for code in &codes {
        let digits = code.id.strip_prefix("WF").expect("a prefix");
        assert!(digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", code.id);
        let number: u32 = digits[2..].parse().expect("a number");
        assert_eq!(number < 50, code.severity == Severity::Error, "{}", code.id);
        assert!(code.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{}", code.name);
        assert!(!code.title.ends_with('.'), "{}", code.title);
        assert_eq!(code.explanation, format!("{}\n", code.explanation.trim()), "{}", code.id);
        assert!(code.explanation.len() > 1, "{}", code.id);
    }
    for table in TABLES.iter().copied().chain(DIALECTS.iter().map(|dialect| dialect.codes)) {
        let ids: Vec<&str> = table.iter().map(|code| code.id).collect();
        assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
    }
    let ids: Vec<&str> = codes.iter().map(|code| code.id).collect();
    assert!(ids.is_sorted_by(|left, right| left < right), "two codes share an id: {ids:?}");
    let mut names: Vec<&str> = codes.iter().map(|code| code.name).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|left, right| left < right), "two codes share a name: {names:?}");
}

#[test]
fn codes_are_found_by_any_spelling() {
    assert_eq!(find("wf0112"), Some(&syntax::WF0112));
    assert_eq!(find("WF0199"), None);
}

#[test]
fn codes_are_found_by_their_former_ids() {
    for (former, code) in [
        ("e0112", &syntax::WF0112),
        ("E0330", &javascript::codes::WF0330),
        ("E0801", &graph::WF0207),
        ("W0330", &javascript::codes::WF0380),
        ("N0330", &expressions::WF0375),
        ("N0340", &expressions::WF0375),
        ("N0701", &crate::dialects::composer::codes::WF0751),
        ("W0801", &fields::WF0460),
        ("W1401", &schema::codes::WF1451),
        ("N1401", &schema::codes::WF1452),
    ] {
        assert_eq!(find(former), Some(code), "{former}");
    }
    for unknown in ["E0199", "N0112", "W0112", "E112", "E+112", "", "É0112"] {
        assert_eq!(find(unknown), None, "{unknown}");
    }
}

#[test]
fn former_ids_and_names_lead_to_the_code_of_today() {
    for former in former::FORMER {
        assert!(!former.ids.is_empty() && former.ids.is_sorted(), "{:?}", former.ids);
        assert!(all().any(|code| code == former.code), "{}", former.code.id);
        for text in former.ids.iter().chain(former.names) {
            assert_eq!(lookup(text), Ok(former.code), "{text}");
            assert_eq!(lookup(&text.to_ascii_uppercase()), Ok(former.code), "{text}");
        }
    }
    assert_eq!(former_ids(&fields::WF0421).collect::<Vec<_>>(), ["WF0808", "WF1105", "WF1211"]);
    assert_eq!(former_ids(&graph::WF0201).next(), None);
}

/// Every table of codes is in the list of all codes: `every_explanation_belongs_to_one_code`, a
/// test of `workflow-tests`, compares the list with the files that tables include. A former id
/// that the list does not contain is therefore reported nowhere.
#[test]
fn nothing_reports_a_former_id_or_name() {
    let mut taken: Vec<&str> = all().flat_map(|code| [code.id, code.name]).collect();
    taken.extend(former::FORMER.iter().flat_map(|former| former.ids.iter().chain(former.names)));
    taken.sort_unstable();
    assert!(taken.is_sorted_by(|left, right| left < right), "{taken:?}");
}
