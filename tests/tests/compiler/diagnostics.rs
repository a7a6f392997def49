//! The diagnostics of wrong definitions: every code has a definition that provokes it, and a
//! golden of the rendered text.

use std::collections::BTreeSet;
use std::path::Path;
use workflow_compiler::codes;
use workflow_compiler::diagnostics::Severity;
use workflow_tests::{definitions, errors, golden, package};

/// The sources of the compiler, which include the explanations of codes.
const SOURCES: &str = "../workflow-compiler/src";

/// Codes that no file can provoke here, each with the reason.
const NOT_IN_FILES: &[(&str, &str)] = &[
    ("WF0132", "needs a compiler that is built without a feature"),
    ("WF0607", "needs schemas in the options"),
    ("WF0652", "needs schemas in a shared `workflow.toml`"),
    ("WF1051", "needs a compiler that is built without gRPC"),
];

#[test]
fn diagnostics_of_wrong_definitions() {
    let mut problems = Vec::new();
    for case in errors::all().unwrap_or_else(|message| panic!("{message}")) {
        let output = case.compile().unwrap_or_else(|message| panic!("{message}"));
        if output.diagnostics.iter().all(|found| found.code.id != case.code) {
            let found: Vec<&str> = output.diagnostics.iter().map(|found| found.code.id).collect();
            problems.push(format!("{}: not reported, but {found:?}", case.name()));
        }
        if output.is_refused() != output.diagnostics.iter().any(|found| found.severity() == Severity::Error) {
            problems.push(format!("{}: refused without an error, or not refused with one", case.name()));
        }
        for found in output.diagnostics.iter().filter(|found| found.help.is_none()) {
            problems.push(format!("{}: has no help: {}", case.name(), found.message));
        }
        let folder = case.file.parent().unwrap_or(Path::new(""));
        problems.extend(golden::check(folder, &case.golden(), &golden::findings(&output)).err());
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_code_has_a_definition_that_provokes_it() {
    let cases = errors::all().unwrap_or_else(|message| panic!("{message}"));
    let provoked: BTreeSet<&str> = cases.iter().map(|case| case.code.as_str()).collect();
    let excused: BTreeSet<&str> = NOT_IN_FILES.iter().map(|(code, _)| *code).collect();
    let all: BTreeSet<&str> = codes::all().map(|code| code.id).collect();
    let known: BTreeSet<&str> = provoked.union(&excused).copied().collect();
    assert_eq!(known, all, "codes with a definition or an excuse, and all codes");
    assert!(provoked.is_disjoint(&excused), "an excuse is not needed any more");
}

#[test]
fn every_code_is_explained_by_a_bad_and_a_good_example() {
    let lacking = codes::all().filter(|code| {
        let text = code.explanation;
        text.find("Bad").is_none_or(|bad| text[bad..].find("Good").is_none())
    });
    let lacking: Vec<&str> = lacking.map(|code| code.id).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

/// The tables include the explanations, so that the compiler finds a missing file. This test finds
/// the file of a removed code, and a second file of a code.
#[test]
fn every_explanation_belongs_to_one_code() {
    let mut files = Vec::new();
    find_explanations(&package().join(SOURCES), &mut files);
    files.sort_unstable();
    assert_eq!(files, codes::all().map(|code| format!("{}.md", code.id)).collect::<Vec<_>>());
}

/// Adds the names of the Markdown files in the folders `codes` inside of a folder.
fn find_explanations(folder: &Path, files: &mut Vec<String>) {
    for path in definitions::list(folder).unwrap_or_else(|message| panic!("{message}")) {
        if path.is_dir() {
            find_explanations(&path, files);
        } else if folder.ends_with("codes") && path.extension().is_some_and(|extension| extension == "md") {
            files.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
}
