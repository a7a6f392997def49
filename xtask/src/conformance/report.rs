//! Counts verdicts and prints them.

use super::case::Verdict;
use super::compile::Ways;
use std::fmt;

/// The numbers of a file's cases by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Cases with the right outcome.
    pub passed: usize,
    /// Cases with a wrong outcome.
    pub failed: usize,
    /// Cases that were not tried.
    pub unsupported: usize,
    /// Expressions that are translated, besides evaluated.
    pub translated: usize,
    /// Expressions without syntax errors, translated or not.
    pub expressions: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} unsupported", self.passed, self.failed, self.unsupported)?;
        match self.expressions {
            0 => Ok(()),
            all => write!(f, ", translated {} of {all}", self.translated),
        }
    }
}

/// The counts of all files.
pub struct Report {
    list: bool,
    /// The counts, by file.
    pub files: Vec<(String, Count)>,
}

impl Report {
    /// Returns an empty report. With `list`, it names the failures.
    pub fn new(list: bool) -> Report {
        Report { list, files: Vec::new() }
    }

    /// Counts the verdicts of a file.
    pub fn add<'a>(&mut self, file: &str, verdicts: impl Iterator<Item = (&'a str, Verdict, Option<&'a Ways>)>) {
        let mut count = Count::default();
        for (id, verdict, ways) in verdicts {
            match &verdict {
                Verdict::Passed => count.passed += 1,
                Verdict::Failed { .. } => count.failed += 1,
                Verdict::Unsupported(_) => count.unsupported += 1,
            }
            count.expressions += usize::from(matches!(ways, Some(Ways::Both | Ways::Evaluated(_))));
            count.translated += usize::from(ways == Some(&Ways::Both));
            if self.list {
                print_case(id, &verdict, ways);
            }
        }
        self.files.push((file.to_owned(), count));
    }

    /// Prints a line for every file and one for all.
    pub fn print(&self) {
        let mut total = Count::default();
        for (file, count) in &self.files {
            println!("{file}: {count}");
            total.passed += count.passed;
            total.failed += count.failed;
            total.unsupported += count.unsupported;
            total.translated += count.translated;
            total.expressions += count.expressions;
        }
        println!("total: {total}");
    }
}

fn print_case(id: &str, verdict: &Verdict, ways: Option<&Ways>) {
    if let Some(Ways::Evaluated(reason)) = ways {
        println!("EVALUATED {id}: {reason}");
    }
    match verdict {
        Verdict::Passed => {}
        Verdict::Failed { expected, actual } => println!("FAILED {id}\n  expected: {expected}\n  actual:   {actual}"),
        Verdict::Unsupported(reason) => println!("UNSUPPORTED {id}: {reason}"),
    }
}
