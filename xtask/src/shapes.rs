//! `cargo xtask shapes`: what the shapes of data show of the definitions of external cases, and
//! what their inference costs.

use crate::conformance::definitions;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::passes::infer_shapes;
use workflow_compiler::source::Source;
use workflow_compiler::{Severity, compile};

/// Prints the diagnostics of shapes of all distinct definitions, and their numbers by code.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name the folders or files of the cases".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let definitions = definitions(&paths)?;
    let (mut compiling, mut inferring) = (Duration::ZERO, Duration::ZERO);
    for (file, id, definition) in &definitions {
        let source = Source::new(definition.file.clone(), definition.text.clone()).with_files(definition.files.clone());
        // What is an error by default counts as one.
        let mut options = definition.options.clone();
        options.allow.retain(|code| !code.starts_with("WF19"));
        let start = Instant::now();
        let output = compile(source, &options);
        compiling += start.elapsed();
        if let Some(workflow) = &output.workflow {
            let start = Instant::now();
            infer_shapes(workflow, &mut Diagnostics::default());
            inferring += start.elapsed();
        }
        for found in output.diagnostics.iter().filter(|found| found.code.id.starts_with("WF19")) {
            *counts.entry(found.code.id).or_default() += 1;
            let severity = if found.severity() == Severity::Error { "error" } else { "warning" };
            println!("{file} {id}: {severity}[{}] {}", found.code.id, found.message);
        }
    }
    println!("{} definitions", definitions.len());
    let share = 100.0 * inferring.as_secs_f64() / compiling.as_secs_f64();
    println!("compiled in {:.2} s, of which the shapes take {share:.1} %", compiling.as_secs_f64());
    counts.iter().for_each(|(code, count)| println!("{code}: {count}"));
    Ok(())
}
