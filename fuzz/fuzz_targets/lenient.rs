//! Reads any text as lenient JSON. If every error has a fix, the fixed text is JSON and has the
//! same meaning.
#![no_main]

#[expect(dead_code, reason = "the compiler is checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;
use workflow_compiler::Options;
use workflow_compiler::diagnostics::{Diagnostic, Diagnostics, fixes};
use workflow_compiler::source::{FileId, Source, Sources};
use workflow_compiler::syntax::{Node, Tree, json};
use workflow_tools::fix::fix;

/// Each pass applies up to a hundred fixes, and the text has some thousand bytes.
const MOST_PASSES: usize = 1_000;

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.json", text));
    let mut diagnostics = Diagnostics::default();
    let node = json::read_leniently(file, text, &mut diagnostics);
    let found = diagnostics.finish();
    checks::check_node(&node, text);
    checks::check_found(&found, text, &sources);

    let (strict, errors) = read(text, json::read);
    if errors.is_empty() {
        assert!(found.is_empty() && strict == node, "{text:?} is JSON: {found:?}");
    }
    if found.iter().all(|found| found.code.id == "WF0152") {
        let mended = all_fixed(text);
        let (strict, errors) = read(&mended, json::read);
        assert!(errors.is_empty(), "{text:?} became {mended:?}: {errors:?}");
        assert!(is_same(&strict, &node), "{text:?} became {mended:?}, which means something else");
    }
    for name in ["flow.workflow-dsl.json", "flow.asl.yaml"] {
        let mended = fix(Source::new(name, text), &Options::default());
        assert!(!mended.made_worse || *mended.text == *text);
        assert_eq!(mended.changes.is_empty(), *mended.text == *text);
        let again = fix(Source::new(name, &*mended.text), &Options::default());
        assert!(*again.text == *mended.text, "{text:?} became {:?}, then {:?}", mended.text, again.text);
    }
});

fn read(text: &str, reader: fn(FileId, &str, &mut Diagnostics) -> Node) -> (Node, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let node = reader(FileId(0), text, &mut diagnostics);
    (node, diagnostics.finish())
}

fn all_fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_PASSES {
        match fixes::apply(&text, FileId(0), &read(&text, json::read_leniently).1) {
            Some((mended, _)) => text = mended,
            None => return text,
        }
    }
    panic!("no end of fixes: {text:?}");
}

/// Returns `true` if both nodes have the same value, wherever they are.
fn is_same(left: &Node, right: &Node) -> bool {
    match (&left.tree, &right.tree) {
        (Tree::String(left), Tree::String(right)) => left.value == right.value,
        (Tree::Array(left), Tree::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Tree::Object(left), Tree::Object(right)) => {
            let mut members = left.iter().zip(right);
            left.len() == right.len()
                && members.all(|(left, right)| left.key.value == right.key.value && is_same(&left.value, &right.value))
        }
        (left, right) => left == right,
    }
}
