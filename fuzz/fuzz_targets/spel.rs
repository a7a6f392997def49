//! Reads any text as an expression of SpEL, with the paths in it, and as a lenient path.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::expr::jsonpath::{self, Roots};
use workflow_compiler::expr::spel::{SpelMode, SpelScope, read};
use workflow_compiler::expr::{Expr, LocalId, Type};
use workflow_compiler::source::{Source, Sources, Span};
use workflow_compiler::syntax;

struct Data;

impl Roots for Data {
    fn document(&self) -> Expr {
        Expr::Local(LocalId(0))
    }

    fn variable(&self, _: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        None
    }
}

fuzz_target!(|text: &str| {
    // The text is a string of a definition, so that spans have to account for its escapes.
    let mut definition = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => definition.extend(['\\', c]),
            c if c < ' ' => definition.push_str(&format!("\\u{:04x}", c as u32)),
            c => definition.push(c),
        }
    }
    definition.push('"');
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.json", definition.as_str()));
    let node = syntax::read(file, &sources, &mut Diagnostics::default());
    let Some(text) = node.as_text() else { return };
    let paths = RefCell::default();
    let variables = [("name", Expr::Local(LocalId(1)))];
    let scope = SpelScope { root: Expr::Local(LocalId(0)), variables: &variables, schema: None, paths: &paths };
    for mode in [SpelMode::Value, SpelMode::Test] {
        let mut diagnostics = Diagnostics::default();
        let expr = read(text, &scope, mode, &mut diagnostics);
        assert_eq!(expr.is_none(), diagnostics.has_errors());
        assert!(mode == SpelMode::Value || expr.is_none_or(|expr| expr.ty() == Type::Bool));
        checks::check_found(&diagnostics.finish(), &definition, &sources);
    }
    let mut diagnostics = Diagnostics::default();
    let path = jsonpath::parse(text, jsonpath::Mode::ServerlessWorkflow, &Data, &mut diagnostics);
    assert_eq!(path.is_none(), diagnostics.has_errors());
    checks::check_found(&diagnostics.finish(), &definition, &sources);
});
