//! Runs of all cases of a file, with a report.

mod formats;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use workflow_runtime::Workflow;
use workflow_runtime::machine::{Definition, Outcome};

use crate::cases::{self, Coverage};

/// The options of the command `test`.
#[derive(Debug, Default)]
pub struct SuiteOptions {
    /// Only the cases whose names contain this text are run.
    pub filter: Option<String>,
    /// The smallest percentage of the states that the runs must visit. It takes precedence over
    /// that of the file.
    pub min_coverage: Option<u8>,
    pub format: ReportFormat,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportFormat {
    /// Text for people.
    #[default]
    Text,
    /// JSON, one object per line: each run, then a summary.
    Json,
    /// JUnit XML, which CI servers display.
    Junit,
}

impl ReportFormat {
    /// Returns the format of this name.
    pub fn named(name: &str) -> Result<ReportFormat, String> {
        match name {
            "text" => Ok(ReportFormat::Text),
            "json" => Ok(ReportFormat::Json),
            "junit" => Ok(ReportFormat::Junit),
            _ => Err(format!("`--format {name}`: expected one of `text`, `json`, `junit`")),
        }
    }
}

/// Reads the value of `--min-coverage`.
pub fn percent(value: &str) -> Result<u8, String> {
    let number = value.strip_suffix('%').unwrap_or(value).parse().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| format!("`--min-coverage {value}`: expected a whole number from 0 to 100"))
}

/// The results of the runs of a file.
pub struct Suite {
    definition: &'static Definition,
    /// The name of the file.
    file: String,
    results: Vec<Case>,
    coverage: Coverage,
    required: Option<Required>,
}

/// The coverage that the runs must reach.
struct Required {
    percent: u8,
    /// The option or key that requires it.
    by: &'static str,
}

/// The result of one run.
struct Case {
    name: String,
    /// The line of the file at which the run starts.
    line: usize,
    /// `None` if `--run` excluded it.
    result: Option<Ended>,
}

struct Ended {
    failures: Vec<String>,
    notes: Vec<String>,
    outcome: Outcome,
    visited: Vec<&'static str>,
    virtual_time: Duration,
    real_time: Duration,
}

/// Runs the cases of a file. A filter that no name contains is an error.
pub fn run<W: Workflow>(file: &str, options: &SuiteOptions) -> Result<Suite, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    run_text::<W>(file, &text, options)
}

/// Runs the cases in the text of a file.
fn run_text<W: Workflow>(file: &str, text: &str, options: &SuiteOptions) -> Result<Suite, String> {
    let cases::Cases { min_coverage, runs } = cases::read(file, text).map_err(|problem| problem.to_string())?;
    let is_wanted = |name: &str| options.filter.as_ref().is_none_or(|filter| name.contains(&**filter));
    if let (Some(filter), true) = (&options.filter, runs.iter().all(|run| !is_wanted(&run.name))) {
        let names: Vec<String> = runs.iter().map(|run| format!("{:?}", run.name)).collect();
        return Err(format!("no run in {file} has a name that contains {filter:?}: the runs are {}", names.join(", ")));
    }
    let coverage = Coverage::new(W::DEFINITION);
    let run = |run: &cases::Run| {
        let start = Instant::now();
        let verdict = cases::check::<W>(run, &coverage);
        Ended {
            failures: verdict.failures,
            notes: verdict.notes,
            outcome: verdict.report.outcome,
            visited: verdict.report.visited,
            virtual_time: verdict.report.elapsed,
            real_time: start.elapsed(),
        }
    };
    let case = |case: &cases::Run| {
        let result = is_wanted(&case.name).then(|| run(case));
        Case { name: case.name.clone(), line: case.line, result }
    };
    let results = runs.iter().map(case).collect();
    let by_option = options.min_coverage.map(|percent| Required { percent, by: "--min-coverage" });
    // The file requires it of all its runs, and `--run` selects some.
    let by_file = min_coverage.filter(|_| options.filter.is_none());
    let by_file = by_file.map(|percent| Required { percent, by: "min_coverage" });
    let required = by_option.or(by_file);
    Ok(Suite { definition: W::DEFINITION, file: file.to_owned(), results, coverage, required })
}

/// Runs all cases of a file, and returns the report. The result is an error if a case failed or
/// the file cannot be used.
///
/// ```no_run
/// use workflow_runtime::Workflow;
///
/// fn all_cases_pass<Order: Workflow>() {
///     workflow_runner::cases::run_file::<Order>("tests/case.toml").unwrap_or_else(|report| panic!("{report}"));
/// }
/// ```
pub fn run_file<W: Workflow>(file: &str) -> Result<String, String> {
    let suite = run::<W>(file, &SuiteOptions::default())?;
    let report = suite.text();
    if suite.failed() { Err(report) } else { Ok(report) }
}

impl Suite {
    /// Returns `true` if a run failed, or the runs visit too few states.
    pub fn failed(&self) -> bool {
        self.number_failed() > 0 || self.uncovered().is_some()
    }

    /// Returns the report in a format.
    pub fn report(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Text => self.text(),
            ReportFormat::Json => self.json(),
            ReportFormat::Junit => self.junit(),
        }
    }

    fn ended(&self) -> impl Iterator<Item = (&Case, &Ended)> {
        self.results.iter().filter_map(|case| case.result.as_ref().map(|ended| (case, ended)))
    }

    fn number_failed(&self) -> usize {
        self.ended().filter(|(_, ended)| !ended.failures.is_empty()).count()
    }

    fn number_skipped(&self) -> usize {
        self.results.len() - self.ended().count()
    }

    /// Returns the mistake if the runs visit a smaller part of the states than required.
    fn uncovered(&self) -> Option<String> {
        let Required { percent, by } = *self.required.as_ref()?;
        let (visited, missed) = self.coverage.states();
        let total = visited + missed.len();
        if visited * 100 >= total * usize::from(percent) {
            return None;
        }
        // Rounded down, so that it is below the required percentage.
        let reached = visited * 100 / total.max(1);
        Some(format!(
            "the runs visit {visited} of {total} states, which is {reached} %: `{by}` requires {percent} %\n\
             = help: add runs that visit {}",
            missed.join(", ")
        ))
    }
}
