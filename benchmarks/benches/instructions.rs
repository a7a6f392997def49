//! The instructions of an execution, counted by callgrind: they do not depend on other work of the
//! machine. The input, the documents that tasks return and the drop of the output are not counted.
//!
//! Without arguments, prints a line for each subject. With the name of a subject and a number,
//! runs it that many times, so that callgrind can be run by hand.

use std::process::Command;

use workflow_benchmarks::by_hand::ByHand;
use workflow_benchmarks::generated::{chain::Chain, linear::Linear, pure::Pure, ten::Ten};
use workflow_benchmarks::plain;
use workflow_benchmarks::ready::{self, Ready};
use workflow_runtime::__private::Builder;
use workflow_runtime::{Fault, Value, Workflow};

/// The numbers of runs of the two processes that are compared: the start of the process and the
/// first runs, which are different, do not count.
const FEW: u32 = 200;
const MANY: u32 = 1_200;

const SUBJECTS: [&str; 7] = ["ten", "ten-by-hand", "ten-plain", "linear", "linear-plain", "chain", "pure"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &*arguments {
        [subject, runs] => repeat(subject, runs.parse().expect("a number of runs")),
        _ => {
            for subject in SUBJECTS {
                let (Some(few), Some(many)) = (instructions(subject, FEW), instructions(subject, MANY)) else { return };
                println!("instructions/{subject} {}", (many - few) / f64::from(MANY - FEW));
            }
        }
    }
}

fn repeat(subject: &str, runs: u32) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = ready::input(false);
    for _ in 0..runs {
        let output = counted(subject, &runtime, input.clone()).expect("an output");
        drop(output);
    }
}

/// Runs the subject once.
#[inline(never)]
fn counted(subject: &str, runtime: &tokio::runtime::Runtime, input: Value) -> Result<Value, Fault> {
    fn run<W: Workflow>(runtime: &tokio::runtime::Runtime, input: Value) -> Result<Value, Fault> {
        runtime.block_on(Builder::<W>::new().name("bench").seed(1).tasks(&Ready).run(input))
    }
    match subject {
        "ten" => run::<Ten>(runtime, input),
        "ten-by-hand" => run::<ByHand>(runtime, input),
        "ten-plain" => runtime.block_on(plain::ten(&Ready, input)),
        "linear" => run::<Linear>(runtime, input),
        "linear-plain" => runtime.block_on(plain::linear(&Ready, input)),
        "chain" => run::<Chain>(runtime, input),
        "pure" => run::<Pure>(runtime, input),
        unknown => panic!("no subject `{unknown}`"),
    }
}

/// Returns the instructions of this many runs, or `None` if valgrind is not installed.
fn instructions(subject: &str, runs: u32) -> Option<f64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg("--toggle-collect=instructions::counted*").arg(std::env::current_exe().ok()?);
    let output = command.args([subject, &runs.to_string()]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, collected) = text.split_once("Collected : ")?;
    collected.split_whitespace().next()?.parse().ok()
}
