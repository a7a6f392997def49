//! `cargo xtask shapes`: what the shapes of data show of the definitions of external cases.

use crate::conformance::definitions;
use std::collections::BTreeMap;
use std::path::PathBuf;
use workflow_compiler::source::Source;
use workflow_compiler::{Severity, check_only};

/// Prints the diagnostics of shapes of all distinct definitions, and their numbers by code.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name the folders or files of the cases".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let definitions = definitions(&paths)?;
    for (file, id, definition) in &definitions {
        let source = Source::new(definition.file.clone(), definition.text.clone()).with_files(definition.files.clone());
        let output = check_only(source, &definition.options);
        for found in output.diagnostics.iter().filter(|found| found.code.id.starts_with("WF19")) {
            *counts.entry(found.code.id).or_default() += 1;
            let severity = if found.severity() == Severity::Error { "error" } else { "warning" };
            println!("{file} {id}: {severity}[{}] {}", found.code.id, found.message);
        }
    }
    println!("{} definitions", definitions.len());
    counts.iter().for_each(|(code, count)| println!("{code}: {count}"));
    Ok(())
}
