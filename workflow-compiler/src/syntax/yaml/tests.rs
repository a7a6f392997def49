use super::*;
use crate::diagnostics::{Diagnostic, render};
use crate::source::{Source, Sources};
use crate::syntax::testing::{check_spans, flip_bytes, is_same};

fn read_text(text: &str) -> (Node, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.yaml", text));
    let mut diagnostics = Diagnostics::default();
    let node = read(file, text, &mut diagnostics);
    (node, diagnostics.finish(), sources)
}

/// Each finding as `code line:column message`.
fn findings(text: &str) -> Vec<String> {
    let (_, found, sources) = read_text(text);
    let line = |found: &Diagnostic| {
        let at = sources.position(found.span);
        format!("{} {}:{} {}", found.code.id, at.line, at.column, found.message)
    };
    found.iter().map(line).collect()
}

#[test]
fn probe() {
    for text in ["a: b\nc: [1, 2]\n", "&a\n key: v\n", "a: |\n  x\n  y\n", "a: \"b\"   # c\nd: {e: f } # g\n"] {
        let (node, found, _) = read_text(text);
        println!("{text:?}\n{node:#?}\n{found:?}");
    }
    let _ = (findings(""), check_spans, flip_bytes, is_same, render::render);
}
