//! `cargo xtask tidy`: the rules of the tree that no other tool checks.

mod api;
mod citations;
mod codes;
mod columns;
mod comments;
mod coordination;
mod cycles;
mod dialects;
mod documents;
mod homonyms;
mod identifiers;
mod idioms;
mod limits;
mod loops;
mod modules;
mod openings;
mod packages;
mod passes;
mod paths;
mod reference;
mod restate;
mod shell;
mod source;
mod words;

#[cfg(test)]
pub use citations::anchors;

use crate::workspace::{files, read, root};
use std::path::{Path, PathBuf};

/// A file of the project.
struct File {
    /// The path below the root, with `/`.
    name: String,
    text: String,
}

impl File {
    /// Returns `true` for a file of Rust that is written by hand: goldens and generated modules
    /// are not.
    fn is_source(&self) -> bool {
        let is_generated = self.name.starts_with("tests/cases/")
            || self.text.starts_with("//! Generated from `")
            || self.text.starts_with("// Generated from `");
        self.name.ends_with(".rs") && !is_generated
    }

    /// Returns `true` if the whole file is for tests.
    fn is_test(&self) -> bool {
        let mut parts = self.name.split('/');
        parts.any(|part| matches!(part, "tests" | "benches" | "differential" | "fuzz") || part == "tests.rs")
    }
}

/// A rule. Returns the places that break it.
type Rule = fn(&[File]) -> Vec<String>;

const RULES: &[Rule] = &[
    api::check,
    modules::check,
    words::check,
    passes::check,
    codes::check,
    paths::check,
    packages::check,
    documents::check,
    limits::check,
    loops::check,
    columns::check,
    coordination::check,
    openings::check,
    identifiers::check,
    idioms::check,
    citations::check,
    cycles::check,
    dialects::check,
    homonyms::check,
    reference::check,
    restate::check,
    shell::check,
];

/// Checks the tree, and prints every place that breaks a rule.
pub fn run() -> Result<(), String> {
    let root = root();
    let files = collect(&root);
    let mut broken: Vec<String> = RULES.iter().flat_map(|rule| rule(&files)).collect();
    broken.sort();
    match broken.len() {
        0 => {
            println!("{} files are tidy", files.len());
            Ok(())
        }
        count => Err(format!("{}\ntidy: {count} violations", broken.join("\n"))),
    }
}

/// Returns the files of the tree that are text.
fn collect(root: &Path) -> Vec<File> {
    let mut all: Vec<PathBuf> = files(root);
    all.extend([".ci", ".cargo"].iter().flat_map(|folder| files(&root.join(folder))));
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
        Some(File { name, text: read(&path).ok()? })
    };
    all.into_iter().filter_map(read).collect()
}
