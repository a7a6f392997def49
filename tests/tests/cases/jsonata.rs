//! Tests of the definitions below `jsonata`: the cases of the Amazon States Language, as `cargo
//! workflow fix --to-jsonata` converts them. They give the results of the originals.

use workflow_compiler::{Files, Source};
use workflow_tests::{definitions, package};
use workflow_tools::to_jsonata::{Status, to_jsonata};

include!(concat!(env!("OUT_DIR"), "/converted.rs"));

/// The states of all cases that are converted, and those that keep JSONPath.
const COUNTS: (usize, usize) = (583, 10);

#[test]
fn conversions_are_the_goldens() {
    let mut counts = (0, 0);
    let mut problems = Vec::new();
    for case in definitions::cases(package()).unwrap_or_default().iter().filter(|case| case.dialect == "asl") {
        let text = definitions::read(&case.folder.join(&case.definition)).unwrap_or_else(|message| panic!("{message}"));
        let options = definitions::options(&case.folder).unwrap_or_else(|message| panic!("{message}"));
        let source = Source::new(case.definition.clone(), text).with_files(Files::in_folder(&case.folder));
        let conversion = to_jsonata(source.clone(), &options, None);
        counts.0 += conversion.converted.len();
        counts.1 += conversion.refused.len();
        let again = to_jsonata(Source { text: conversion.text.clone(), ..source.clone() }, &options, None);
        if (again.status, &again.text) != (Status::Converted, &conversion.text) {
            problems.push(format!("{}: a second conversion changes the text", case.name));
        }
        let golden = case.converted(package());
        if conversion.text == source.text {
            // The definition is in JSONata.
            assert!(!golden.exists(), "{} is the definition itself", golden.display());
            continue;
        }
        if std::env::var_os("INSTA_UPDATE").is_some_and(|mode| mode == "always") {
            std::fs::write(&golden, &*conversion.text).unwrap_or_else(|error| panic!("{error}"));
        } else if definitions::read(&golden).is_ok_and(|kept| *kept == *conversion.text) {
            continue;
        } else {
            problems.push(format!("{} differs: run the test with INSTA_UPDATE=always", golden.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(counts, COUNTS);
}
