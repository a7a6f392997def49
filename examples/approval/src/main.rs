//! The command line: `run`, `serve`, and commands that inspect and change executions. `help` lists
//! them all.
//!
//! Executions are kept in the database `approval.db` by default, and a person answers. The
//! question and the command `show` display the token that the answer needs. A build with the
//! feature `restate` keeps the executions on a Restate server with `--engine restate`. With `run
//! --memory`, the program simulates a manager.

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use approval::approval::Approval;
use approval::manager;
use approval::tasks::Tasks;
use tokio::sync::mpsc;
use workflow_runner::Durable;
use workflow_runtime::Callbacks;

fn main() -> ExitCode {
    let (queue, questions) = mpsc::unbounded_channel();
    let simulated = Arc::new(OnceLock::new());
    manager::start(questions, simulated.clone(), Duration::from_secs(1));
    Durable::<Approval>::new(Approval::bind(Arc::new(Tasks::new(queue))))
        .in_memory(move |builder| builder.callbacks(simulated.get_or_init(Callbacks::new)))
        .main()
}
