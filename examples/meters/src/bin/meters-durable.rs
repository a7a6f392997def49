//! The command line that keeps executions in a database: `run`, `serve`, and commands that inspect
//! and change executions. `help` lists them all.

use std::process::ExitCode;
use std::sync::Arc;

use meters::Office;
use meters::meters::Meters;
use workflow_runner::Durable;

fn main() -> ExitCode {
    Durable::<Meters>::new(Meters::bind(Arc::new(Office))).main()
}
