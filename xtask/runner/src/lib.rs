//! The library of the crates that `cargo xtask conformance` generates. Runs their workflows and
//! expressions as the cases say, and prints one line of JSON for each case. A panic ends only its
//! case.

mod actions;
mod execute;
mod expression;
mod functions;
mod plan;
mod record;
mod stubs;

pub use execute::Execute;
pub use expression::{Expression, Translated};

use plan::Plan;
use std::any::Any;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use workflow_runtime::value::object;
use workflow_runtime::{Object, Value, Workflow};

/// A program of a generated crate.
#[derive(Clone, Copy)]
pub enum Program {
    /// A workflow.
    Workflow(Execute),
    /// An expression in JSONata.
    Expression(&'static Expression),
}

/// Returns the program that runs the workflow `W`.
pub fn program<W: Workflow>() -> Program {
    Program::Workflow(execute::execute::<W>)
}

/// Runs the cases of the file that the command line names, in order: `[{"program", "plan"}]`, the
/// plan as the module `plan` says.
pub fn main(programs: &[(&str, Program)]) {
    let cases = match read() {
        Ok(cases) => cases,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    // The line of the case reports its panic.
    std::panic::set_hook(Box::new(|_| {}));
    let mut output = std::io::stdout();
    for case in cases.as_array().into_iter().flatten() {
        let line = run(programs, case);
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            // The reader of the output is gone.
            return;
        }
    }
}

fn read() -> Result<Value, String> {
    let path = std::env::args().nth(1).ok_or("name the case file")?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    Value::from_json(&text).map_err(|error| format!("{path}: {error}"))
}

fn run(programs: &[(&str, Program)], case: &Value) -> Value {
    let name = case.get("program").and_then(Value::as_str).unwrap_or_default();
    let Some((_, program)) = programs.iter().find(|(program, _)| *program == name) else {
        return panicked(format!("unknown program `{name}`"));
    };
    let plan = case.get("plan").unwrap_or(&Value::Null);
    let further = plan.get("also").and_then(Value::as_array).into_iter().flatten();
    let seen = run_plan(*program, plan).and_then(|mut seen| {
        let also = further.map(|plan| run_plan(*program, plan).map(Value::from)).collect::<Result<Vec<_>, _>>()?;
        seen.insert("also", also);
        Ok(seen)
    });
    seen.map_or_else(panicked, Value::from)
}

fn run_plan(program: Program, plan: &Value) -> Result<Object, String> {
    match program {
        Program::Workflow(execute) => run_workflow(execute, plan),
        Program::Expression(expression) => expression::run(expression, plan),
    }
}

/// Runs a plan twice: as it is, and with the execution saved and loaded at every wait. Fails with
/// the message of a panic.
fn run_workflow(program: Execute, plan: &Value) -> Result<Object, String> {
    let plan = Arc::new(Plan::read(plan)?);
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let mut seen = execute::run(program, &plan, false);
        let reloaded = execute::run(program, &plan, true);
        let (plain, reloaded) = (seen.get("result").cloned(), reloaded.get("result").cloned());
        if plain != reloaded {
            seen.insert("reloaded", reloaded.unwrap_or_default());
        }
        seen
    }));
    attempt.map_err(|panic| message(panic.as_ref()))
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

fn panicked(message: String) -> Value {
    object([("panic", message.into())])
}

/// Returns an object with these members, in this order.
fn members<const N: usize>(members: [(&'static str, Value); N]) -> Object {
    members.into_iter().map(|(key, value)| (workflow_runtime::Str::from_static(key), value)).collect()
}
