//! Tests of the tables of codes.

use super::*;
use crate::dialects::composer;
use std::path::Path;

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
        ("W0330", &javascript::codes::WF0380),
        ("N0330", &composer::codes::WF0382),
        ("N0340", &jq::codes::WF0390),
        ("N0701", &composer::codes::WF0751),
        ("W1401", &schema::codes::WF1451),
        ("N1401", &schema::codes::WF1452),
    ] {
        assert_eq!(find(former), Some(code), "{former}");
    }
    for unknown in ["E0199", "N0112", "W0112", "E112", "E+112", "", "É0112"] {
        assert_eq!(find(unknown), None, "{unknown}");
    }
}

/// The tables include the explanations, so that the compiler finds a missing file. This test finds
/// the file of a removed code, and a second file of a code.
#[test]
fn every_explanation_belongs_to_one_code() {
    let mut files = Vec::new();
    find_explanations(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files.sort_unstable();
    assert_eq!(files, all().map(|code| format!("{}.md", code.id)).collect::<Vec<_>>());
}

/// Adds the names of the Markdown files in the folders `codes` inside of a folder.
fn find_explanations(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find_explanations(&path, files);
        } else if folder.ends_with("codes") && path.extension().is_some_and(|extension| extension == "md") {
            files.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
}
