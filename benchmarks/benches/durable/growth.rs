//! The cost of a late step of an execution, compared with an early step.

use std::hint::black_box;
use std::process::Command;

use workflow_benchmarks::generated::rounds::Rounds;
use workflow_runtime::machine::{self, Changes, Execution, Program};
use workflow_runtime::{Timestamp, Value};

use crate::{input, report};

/// The number of measured steps.
const STEPS: i64 = 100;

/// The numbers of steps before the measured steps.
const EARLY: i64 = 100;
const LATE: i64 = 100_000;

/// Prints the bytes of the changes that an engine receives, and the instructions, if callgrind is
/// installed.
pub fn measure() {
    for (name, before) in [("early", EARLY), ("late", LATE)] {
        let (mut execution, mut left) = after(before);
        let bytes = measured(&mut execution, &mut left);
        report(&format!("bytes-{name}"), bytes as f64 / STEPS as f64);
        if let Some(instructions) = instructions(before) {
            report(&format!("instructions-{name}"), instructions / STEPS as f64);
        }
    }
}

/// Runs only the steps, for callgrind.
pub fn steps(before: i64) {
    let (mut execution, mut left) = after(before);
    black_box(measured(&mut execution, &mut left));
}

fn after(before: i64) -> (Box<dyn Execution>, i64) {
    let start = machine::Start { seed: Some(1), ..machine::Start::new(input(1 << 40)) };
    let mut execution = Program::of::<Rounds>().start(start);
    let mut left = 1 << 40;
    drop(execution.changes());
    (0..before).for_each(|_| drop(step(&mut execution, &mut left)));
    (execution, left)
}

#[inline(never)]
fn measured(execution: &mut Box<dyn Execution>, left: &mut i64) -> usize {
    (0..STEPS).map(|_| bytes(&step(execution, left))).sum()
}

/// Makes a step as an engine does, without writing. Returns the changes.
fn step(execution: &mut Box<dyn Execution>, left: &mut i64) -> Changes {
    let (op, _) = execution.next_command().expect("a task");
    *left -= 1;
    execution.complete(op, Timestamp::from_micros(1_700_000_000_000_000), Ok(Value::from(*left)));
    execution.changes()
}

fn bytes(changes: &Changes) -> usize {
    changes.rows.iter().filter_map(|(_, data)| data.as_ref()).map(Vec::len).sum()
}

/// Returns the number of instructions of the steps.
fn instructions(before: i64) -> Option<f64> {
    let this = std::env::current_exe().ok()?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg("--toggle-collect=durable::growth::measured*").arg(this).args(["steps", &before.to_string()]);
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, collected) = text.split_once("Collected : ")?;
    collected.split_whitespace().next()?.parse().ok()
}
