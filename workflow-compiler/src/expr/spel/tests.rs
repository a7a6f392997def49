//! Tests of SpEL: parsing, diagnostics and results.

mod diagnostics;
mod meaning;
mod random;
mod reading;

use super::{SpelMode, SpelScope, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::tests::eval::{Env, eval};
use crate::expr::{Expr, LocalId};
use crate::source::{FileId, Span};
use crate::syntax::Text;
use workflow_runtime::{Fault, Value};

/// A scope with the data as local 0, the output of a state as local 1 and the name of an error as
/// local 2.
fn scope_with<'a>(variables: &'a [(&'a str, Expr)]) -> SpelScope<'a> {
    let paths = Box::leak(Box::default());
    SpelScope { root: Expr::Local(LocalId(0)), variables, schema: None, paths }
}

fn variables() -> [(&'static str, Expr); 2] {
    [("stateOutputData", Expr::Local(LocalId(1))), ("name", Expr::Local(LocalId(2)))]
}

/// Parses an expression that is the whole of its file.
fn try_read(source: &str, mode: SpelMode) -> (Option<Expr>, Vec<Diagnostic>) {
    let text = Text::verbatim(source, Span::new(FileId(0), 0, source.len()), 0);
    let mut diagnostics = Diagnostics::default();
    let expr = read(&text, &scope_with(&variables()), mode, &mut diagnostics);
    (expr, diagnostics.finish())
}

/// Parses an expression that must have no errors.
fn expr(source: &str, mode: SpelMode) -> Expr {
    let (expr, found) = try_read(source, mode);
    assert!(found.is_empty(), "{source}: {found:?}");
    expr.unwrap_or_else(|| panic!("{source} is refused"))
}

/// Returns the expression in the notation of dumps.
fn shown(source: &str, mode: SpelMode) -> String {
    let names = |local: LocalId| ["data", "output", "name"][local.0 as usize].to_owned();
    expr(source, mode).show(&names)
}

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// The output of a state.
const OUTPUT: &str = r#"{"user": {"title": "MANAGER"}, "users": [{"name": "Ada"}, {"name": "Tim"}]}"#;

/// Evaluates an expression on some data.
fn run(expr: &Expr, data: &str) -> Result<Value, Fault> {
    let locals = vec![Some(value(data)), Some(value(OUTPUT)), Some(Value::from("OrderError"))];
    let env = Env { locals, context: Value::Null };
    eval(expr, &env).map(|found| found.value().unwrap_or_default())
}
