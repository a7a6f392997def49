//! `cargo xtask pictures`: draws every definition of the external cases, and measures the
//! pictures. No texts, boxes and lines may be drawn over each other.

use crate::conformance::{Distinct, definitions};
use crate::workspace::root;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;
use workflow_compiler::check_only;
use workflow_compiler::source::Source;
use workflow_tools::pictures::{Defect, DefectKind, measure};

/// The folder of the external cases. It may be missing.
const CORPUS: &str = "../shared/corpus";

/// The minimum number of definitions that must be drawn of a file.
const LEAST: [(&str, usize); 9] = [
    ("asl/realworld.json", 93),
    ("asl/valid.json", 91),
    ("asl3/valid.json", 10),
    ("composer/cases.json", 117),
    ("serverless-workflow/draft_examples.json", 16),
    ("serverless-workflow/draft_kogito.json", 10),
    ("serverless-workflow/draft_must_compile.json", 47),
    ("sm4c/cases.json", 25),
    ("workflow-dsl/examples.json", 19),
];

/// The flaws listed at most for each file.
const MOST_LISTED: usize = 20;

/// The pictures of a file.
#[derive(Default)]
struct Measured {
    pictures: usize,
    flawed: usize,
    refused: usize,
    defects: BTreeMap<DefectKind, usize>,
    list: Vec<String>,
}

/// Measures the pictures of the corpus in this folder, or in the usual place.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let folder = arguments.first().map_or_else(|| root().join(CORPUS), PathBuf::from);
    if !folder.is_dir() && arguments.is_empty() {
        println!("no external cases found: skipped");
        return Ok(());
    }
    if !folder.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    let start = Instant::now();
    let files = measure_all(folder)?;
    let mut problems = Vec::new();
    for (name, measured) in &files {
        let defects: usize = measured.defects.values().sum();
        println!(
            "{name}: {} pictures, {} with flaws, {} definitions without a picture",
            measured.pictures, measured.flawed, measured.refused
        );
        measured.defects.iter().for_each(|(kind, count)| println!("  {count:>6} {kind}"));
        measured.list.iter().take(MOST_LISTED).for_each(|defect| println!("         {defect}"));
        if defects > 0 {
            problems.push(format!("{name}: {defects} flaws"));
        }
    }
    for (name, least) in LEAST {
        let pictures = files.get(name).map_or(0, |measured| measured.pictures);
        if pictures < least {
            problems.push(format!("{name}: {pictures} pictures, not {least}"));
        }
    }
    println!("measured in {:.1} s", start.elapsed().as_secs_f64());
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn measure_all(folder: PathBuf) -> Result<BTreeMap<String, Measured>, String> {
    let mut files: BTreeMap<String, Measured> = BTreeMap::new();
    for Distinct { file, id, definition, .. } in definitions(&[folder])? {
        let measured = files.entry(file).or_default();
        let source = Source::new(definition.file, definition.text).with_files(definition.files);
        let checked = catch_unwind(AssertUnwindSafe(|| check_only(source, &definition.options).workflow));
        let Ok(Some(workflow)) = checked else {
            measured.refused += 1;
            continue;
        };
        let defects = measure(&workflow).map_err(|error| format!("{id}: {error}"))?;
        measured.pictures += 1;
        measured.flawed += usize::from(!defects.is_empty());
        for Defect { kind, what } in defects {
            *measured.defects.entry(kind).or_default() += 1;
            measured.list.push(format!("{id}: {kind}: {what}"));
        }
    }
    Ok(files)
}
