//! Golden files: the compiler's output for a definition, kept by [`insta`] beside it.
//!
//! `cargo insta review` shows the differences after a run of the tests, and accepts them.

use crate::{case_folder, definitions, package};
use similar::TextDiff;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use workflow_compiler::Output;
use workflow_compiler::diagnostics::render;
use workflow_compiler::graph;
use workflow_compiler::rustfmt;

/// Checks the goldens of a case: the code, the graph and the diagnostics. `generated` is the code
/// in the tests. The build script has made it, so that two processes have to agree on every byte.
pub fn check_case(name: &str, generated: &str) {
    let folder = case_folder(name);
    let case = definitions::cases(package()).unwrap_or_else(|message| panic!("{message}"));
    let is_it = |case: &&definitions::Case| format!("{}/{}", case.dialect, case.name) == name;
    let case = case.iter().find(is_it).unwrap_or_else(|| panic!("there is no case {name}"));
    let output = case.compile().unwrap_or_else(|message| panic!("{message}"));
    let code = workflow_compiler::pretty(&output).unwrap_or_default();
    assert_eq!(code, generated, "two processes compile {name} to different code");
    let graph = output.workflow.as_ref().map(graph::mermaid).unwrap_or_default();
    let problems = [
        check_rust(&folder, "flow", &rustfmt(code)),
        check(&folder, "graph", &graph),
        check(&folder, "diagnostics", &findings(&output)),
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

/// Compares a text with `<name>.snap` in the folder. An empty text has no golden.
pub fn check(folder: &Path, name: &str, actual: &str) -> Result<(), String> {
    let golden = folder.join(format!("{name}.snap"));
    match actual {
        "" if golden.exists() => Err(format!("{} is not needed any more: remove it", golden.display())),
        "" => Ok(()),
        _ => assert(folder, name, || insta::assert_snapshot!(name, actual)),
    }
}

/// Compares Rust code with `<name>.snap.rs` in the folder.
pub fn check_rust(folder: &Path, name: &str, code: &str) -> Result<(), String> {
    // A mismatch of a binary golden shows no difference: compare the texts before.
    let kept = std::fs::read_to_string(folder.join(format!("{name}.snap.rs"))).unwrap_or_default();
    if kept != code {
        println!("{}", TextDiff::from_lines(kept.as_str(), code).unified_diff().header("kept", "compiled"));
    }
    let file = format!("{name}.rs");
    assert(folder, name, || insta::assert_binary_snapshot!(&file, code.as_bytes().to_vec()))
}

fn assert(folder: &Path, name: &str, assertion: impl FnOnce()) -> Result<(), String> {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // All goldens are compared, also after one that differs.
    let checked = catch_unwind(AssertUnwindSafe(|| settings.bind(assertion)));
    let shown = folder.strip_prefix(package()).unwrap_or(folder).display();
    checked.map_err(|_| format!("the golden {shown}/{name} differs: run `cargo insta review`"))
}
