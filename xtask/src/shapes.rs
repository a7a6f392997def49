//! `cargo xtask shapes`: prints the diagnostics about shapes of data in the definitions of
//! external cases, and the time that the inference takes.

use crate::conformance::definitions;
use crate::conformance::shapes::{errors, findings, line, none_of};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::passes::infer_shapes;
use workflow_compiler::shapes::{AnyReason, PathCount};

/// Prints the diagnostics of shapes of all distinct definitions, their numbers by code, and the
/// share of paths that begin at data of which something is known. Fails
/// if one of a definition that may succeed is an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name the folders or files of the cases".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let definitions = definitions(&paths)?;
    let (mut compiling, mut inferring) = (Duration::ZERO, Duration::ZERO);
    let mut wrong = Vec::new();
    let mut paths: BTreeMap<&str, PathCount> = BTreeMap::new();
    for distinct in &definitions {
        let start = Instant::now();
        let (found, workflow) = findings(distinct);
        compiling += start.elapsed();
        if let Some(workflow) = &workflow {
            let start = Instant::now();
            let shapes = infer_shapes(workflow, &mut Diagnostics::default());
            paths.entry(distinct.file.as_str()).or_default().add_assign(shapes.unwrap_or_default().paths);
            inferring += start.elapsed();
        }
        for found in &found {
            *counts.entry(found.code.id).or_default() += 1;
            println!("{}", line(distinct, found));
        }
        wrong.extend(errors(distinct, &found));
    }
    println!("{} definitions", definitions.len());
    let share = 100.0 * inferring.as_secs_f64() / compiling.as_secs_f64();
    println!("compiled in {:.2} s, of which the shapes take {share:.1} %", compiling.as_secs_f64());
    counts.iter().for_each(|(code, count)| println!("{code}: {count}"));
    let mut total = PathCount::default();
    for (file, count) in &paths {
        println!("{file}: {}", precision(*count));
        total += *count;
    }
    println!("all files: {}", precision(total));
    println!("the others begin at");
    for (reason, count) in AnyReason::ALL.into_iter().zip(total.unknown).filter(|(_, count)| *count > 0) {
        println!("{count:>7}  {}", reason.phrase());
    }
    none_of(&wrong)
}

/// Returns the share of the paths whose beginning is known, in words.
fn precision(paths: PathCount) -> String {
    let share = 100.0 * paths.known as f64 / paths.all.max(1) as f64;
    format!("of {} paths, {} begin at known data ({share:.1} %)", paths.all, paths.known)
}
