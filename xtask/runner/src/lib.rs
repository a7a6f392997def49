//! What the generated crates of `cargo xtask conformance` are made of, besides the workflows: runs them as the cases say,
//! and prints one line of JSON for each. A panic ends its case only.

mod actions;
mod execute;
mod functions;
mod plan;
mod record;
mod stubs;

pub use execute::{Program, program};

use plan::Plan;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use workflow_runtime::value::object;
use workflow_runtime::{Object, Value};

/// Runs the cases of the file that the command line names, in order: `[{"program", "plan"}]`, the plan as the module `plan` says.
pub fn main(programs: &[(&str, Program)]) {
    let cases = match read() {
        Ok(cases) => cases,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    // Panics are told in the line of their case.
    std::panic::set_hook(Box::new(|_| {}));
    let mut output = std::io::stdout();
    for case in cases.as_array().into_iter().flatten() {
        let line = run(programs, case);
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            // Nobody reads any more.
            return;
        }
    }
}

fn read() -> Result<Value, String> {
    let path = std::env::args().nth(1).ok_or("name the file of the cases")?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    Value::from_json(&text).map_err(|error| format!("{path}: {error}"))
}

fn run(programs: &[(&str, Program)], case: &Value) -> Value {
    let name = case.get("program").and_then(Value::as_str).unwrap_or_default();
    let Some((_, program)) = programs.iter().find(|(program, _)| *program == name) else {
        return panicked(format!("there is no program `{name}`"));
    };
    let plan = match Plan::read(case.get("plan").unwrap_or(&Value::Null)) {
        Ok(plan) => plan,
        Err(message) => return panicked(message),
    };
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let mut seen = execute::run(*program, &plan, false);
        let reloaded = execute::run(*program, &plan, true);
        let (plain, reloaded) = (seen.get("result").cloned(), reloaded.get("result").cloned());
        if plain != reloaded {
            seen.insert("reloaded", reloaded.unwrap_or_default());
        }
        seen
    }));
    match attempt {
        Ok(seen) => Value::from(seen),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            panicked(text.unwrap_or("without a message").to_owned())
        }
    }
}

fn panicked(message: String) -> Value {
    object([("panic", message.into())])
}

/// Members in this order.
fn members<const N: usize>(members: [(&'static str, Value); N]) -> Object {
    members.into_iter().map(|(key, value)| (workflow_runtime::Str::from_static(key), value)).collect()
}
