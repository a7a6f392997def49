//! The amount of generated code for each state.

use super::definition::definition;
use super::report::BenchReport;
use super::scratch::SIZES;
use crate::workspace::{read, root};
use serde_json::Value;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile, pretty, rustfmt};

/// The definitions of real projects. The file may be missing.
const CORPUS: &str = "../shared/corpus/asl/realworld.json";

/// Lines of generated code, and the number of states they come from.
#[derive(Debug, Default, Clone, Copy)]
struct Size {
    lines: usize,
    states: usize,
}

impl Size {
    fn lines_per_state(self) -> f64 {
        self.lines as f64 / self.states.max(1) as f64
    }
}

/// Runs the measurement.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    report.section("Formatted Rust");
    let lines = |size| {
        let size_of_code = compiled(definition(size)).map(Size::lines_per_state);
        size_of_code.ok_or_else(|| format!("the definition of {size} states is refused"))
    };
    let (small, large) = (lines(SIZES[0])?, lines(SIZES[1])?);
    report.limited(&format!("lines per state, {} states", SIZES[0]), small, 26.0, "");
    report.limited(&format!("a state among {} : among {}", SIZES[1], SIZES[0]), large / small, 1.2, "x");
    let corpus = root().join(CORPUS);
    if !corpus.is_file() {
        println!("  no external definitions found: their lines are not counted");
        return Ok(());
    }
    let document: Value = serde_json::from_str(&read(&corpus)?).map_err(|error| format!("{CORPUS}: {error}"))?;
    let cases = document["cases"].as_array().ok_or_else(|| format!("{CORPUS} has no `cases`"))?;
    let sizes: Vec<Size> =
        cases.iter().filter_map(|case| case.get("definition")).filter_map(|case| compiled(case.to_string())).collect();
    let lines = sizes.iter().map(|size| size.lines).sum();
    let total = Size { lines, states: sizes.iter().map(|size| size.states).sum() };
    report.at_least("real definitions that compile", sizes.len() as f64, 95.0, "");
    report.plain("their states", total.states as f64, "");
    report.limited("lines per state in them", total.lines_per_state(), 54.0, "");
    Ok(())
}

/// Returns the size of a definition's code. `None` if the compiler refuses the definition.
fn compiled(text: String) -> Option<Size> {
    let output = compile(Source::new("flow.asl.json", text), &Options::default());
    let lines = rustfmt(pretty(&output)?).lines().count();
    Some(Size { lines, states: output.workflow?.states().count() })
}
