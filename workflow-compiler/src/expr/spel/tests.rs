//! Tests of what is read, of what is refused and where, and of what expressions yield.

mod findings;
mod meaning;
mod random;
mod reading;

use super::{Mode, Scope, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::eval::{Env, eval};
use crate::expr::{Expr, LocalId};
use crate::source::{FileId, Span};
use crate::syntax::Text;
use workflow_runtime::{Fault, Value};

/// The data are local 0, the output of a state local 1, the name of an error local 2.
fn scope_with<'a>(variables: &'a [(&'a str, Expr)]) -> Scope<'a> {
    Scope { root: Expr::Local(LocalId(0)), variables, schema: None }
}

fn variables() -> [(&'static str, Expr); 2] {
    [("stateOutputData", Expr::Local(LocalId(1))), ("name", Expr::Local(LocalId(2)))]
}

/// Reads an expression that stands alone in its file.
fn try_read(source: &str, mode: Mode) -> (Option<Expr>, Vec<Diagnostic>) {
    let text = Text::verbatim(source, Span::new(FileId(0), 0, source.len()), 0);
    let mut diagnostics = Diagnostics::default();
    let expr = read(&text, &scope_with(&variables()), mode, &mut diagnostics);
    (expr, diagnostics.finish())
}

/// As [`try_read`], of an expression without flaws.
fn expr(source: &str, mode: Mode) -> Expr {
    let (expr, found) = try_read(source, mode);
    assert!(found.is_empty(), "{source}: {found:?}");
    expr.unwrap_or_else(|| panic!("{source} is refused"))
}

/// The expression in the notation of dumps.
fn shown(source: &str, mode: Mode) -> String {
    let names = |local: LocalId| ["data", "output", "name"][local.0 as usize].to_owned();
    expr(source, mode).show(&names)
}

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// What an expression yields of some data.
fn run(expr: &Expr, data: &str) -> Result<Value, Fault> {
    let output = r#"{"user": {"title": "MANAGER"}, "users": [{"name": "Ada"}, {"name": "Tim"}]}"#;
    let locals = vec![Some(value(data)), Some(value(output)), Some(Value::from("OrderError"))];
    let env = Env { locals, context: Value::Null };
    eval(expr, &env).map(|found| found.value().unwrap_or_default())
}
