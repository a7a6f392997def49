//! Comparisons of lowered programs with emitted ones: every expression of the recorded results and
//! of the cases.

use super::super::{ResultMode, emit, lower, read_text};
use crate::diagnostics::Diagnostics;
use crate::source::{Source, Sources};
use crate::syntax::{self, Node, Tree};
use proc_macro2::{Ident, Span};
use std::path::Path;

const MODES: [ResultMode; 3] = [ResultMode::Value, ResultMode::Test, ResultMode::All];

/// Lowers a program in every mode, and compares the properties with those of the emitted function.
/// Returns `false` for a text that is not a program.
fn compare(source: &str) -> bool {
    let names: Vec<&str> = source.split('$').skip(1).map(leading_name).collect();
    for mode in MODES {
        let Ok(filter) = read_text(source, &names, mode) else { return false };
        let name = Ident::new("filter", Span::call_site());
        let lowered = lower::function(&filter.program, &filter.variables, mode);
        match (emit::function(&filter.program, &filter.variables, mode, &name, &Default::default()), lowered) {
            (Ok(emitted), Ok(lowered)) => {
                let emitted = (emitted.loops, emitted.now, emitted.cardinality);
                assert_eq!((lowered.loops, lowered.now, lowered.cardinality), emitted, "{source}");
            }
            (Err(reason), Err(other)) => assert_eq!(reason.0, other.0, "{source}"),
            (Ok(_), Err(reason)) => panic!("{source}: {}", reason.0),
            (Err(reason), Ok(_)) => panic!("{source}: emission refuses {}", reason.0),
        }
    }
    true
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn recorded_expressions_are_lowered() {
    let mut compared = 0;
    for list in ["expressions.txt", "serverless.txt"] {
        let text = file(&format!("differential/jq/data/{list}"));
        compared += text.lines().filter(|line| compare(line)).count();
    }
    assert!(compared > 1_100, "only {compared} expressions");
}

#[test]
fn expressions_of_cases_are_lowered() {
    let mut compared = 0;
    for dialect in ["baton", "serverless-workflow", "sm4c", "workflow-dsl"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases").join(dialect);
        for case in std::fs::read_dir(folder).expect("the cases are there") {
            let case = case.expect("the case is there").path();
            for entry in std::fs::read_dir(case).into_iter().flatten().flatten() {
                compared += compare_definition(&entry.path());
            }
        }
    }
    assert!(compared > 100, "only {compared} expressions");
}

/// Compares all strings of a definition that are programs.
fn compare_definition(path: &Path) -> usize {
    let is_definition = path.extension().is_some_and(|ending| ending == "json" || ending == "yaml");
    let Some(text) = std::fs::read_to_string(path).ok().filter(|_| is_definition) else { return 0 };
    let mut sources = Sources::default();
    let file = sources.add(Source::new(&*path.to_string_lossy(), text));
    let mut compared = 0;
    each_string(&syntax::read(file, &sources, &mut Diagnostics::default()), &mut |text| {
        let inner = text.trim().strip_prefix("${").and_then(|text| text.strip_suffix('}'));
        compared += usize::from(compare(inner.unwrap_or(text)));
    });
    compared
}

fn each_string(node: &Node, visit: &mut dyn FnMut(&str)) {
    match &node.tree {
        Tree::String(text) => visit(&text.value),
        Tree::Array(items) => items.iter().for_each(|item| each_string(item, visit)),
        Tree::Object(members) => members.iter().for_each(|member| each_string(&member.value, visit)),
        _ => {}
    }
}
