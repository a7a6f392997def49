//! Golden files: the compiler's output for a definition, kept beside it. `BLESS=1` rewrites them.

use crate::{case_folder, definitions, package};
use std::fmt::Write as _;
use std::path::Path;
use workflow_compiler::Output;
use workflow_compiler::diagnostics::render;
use workflow_compiler::emit::graph;

/// The largest number of lines of a difference that are shown on each side.
const SHOWN: usize = 12;

/// Checks the goldens of a case: the code, the graph and the diagnostics. `generated` is the code
/// in the tests. The build script has made it, so that two processes have to agree on every byte.
pub fn check_case(name: &str, generated: &str) {
    let folder = case_folder(name);
    let case = definitions::cases(package()).unwrap_or_else(|message| panic!("{message}"));
    let is_it = |case: &&definitions::Case| format!("{}/{}", case.dialect, case.name) == name;
    let case = case.iter().find(is_it).unwrap_or_else(|| panic!("there is no case {name}"));
    let output = case.compile().unwrap_or_else(|message| panic!("{message}"));
    let code = workflow_compiler::pretty(&output).unwrap_or_default();
    assert!(code == generated, "two processes compile {name} to different code:\n{}", difference(generated, &code));
    let graph = output.workflow.as_ref().map(graph::mermaid).unwrap_or_default();
    let found = findings(&output);
    let problems = [
        check(&folder.join("flow.rs"), &code),
        check(&folder.join("flow.mmd"), &graph),
        check(&folder.join("flow.stderr"), &found),
    ];
    let problems: Vec<String> = problems.into_iter().filter_map(Result::err).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Renders all diagnostics as a terminal shows them.
pub fn findings(output: &Output) -> String {
    let mut text = String::new();
    for found in &output.diagnostics {
        let _ = writeln!(text, "{}\n", render::render(found, &output.sources, false));
    }
    text.truncate(text.trim_end().len() + usize::from(!text.is_empty()));
    text
}

/// Compares a golden file, which must not exist if nothing is expected. Rewrites it if the
/// variable `BLESS` is set.
pub fn check(file: &Path, actual: &str) -> Result<(), String> {
    let golden = std::fs::read_to_string(file).unwrap_or_default();
    if golden == actual {
        return Ok(());
    }
    let shown = file.strip_prefix(package()).unwrap_or(file).display();
    if std::env::var_os("BLESS").is_some() {
        let done = match actual {
            "" => std::fs::remove_file(file),
            _ => std::fs::write(file, actual),
        };
        return done.map_err(|error| format!("{shown}: {error}"));
    }
    Err(format!(
        "{shown} is stale (`BLESS=1 cargo test -p workflow-tests` rewrites it)\n{}",
        difference(&golden, actual)
    ))
}

/// Returns the part of two texts that differs, with its line.
pub fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = (&old[start..], &new[start..]);
    let end = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(old, new)| old == new).count();
    let mut text = format!("at line {}:\n", start + 1);
    for (mark, lines) in [('-', &rest.0[..rest.0.len() - end]), ('+', &rest.1[..rest.1.len() - end])] {
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "{mark} {line}");
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "{mark} … {} more lines", lines.len() - SHOWN);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_short_and_placed() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "at line 2:\n- b\n+ x\n+ y\n");
        let long: String = (0..20).map(|line| format!("{line}\n")).collect();
        let shown = difference("", &long);
        assert!(shown.ends_with("+ 11\n+ … 8 more lines\n"), "{shown}");
    }
}
