//! The command line: `run`, `serve`, and commands that look at executions and change them; `help`
//! tells them all.
//!
//! Executions are kept in the database `approval.db`, if nothing else is said, and a person
//! answers: the token that she needs is told with the question, and by `show`. Built with the
//! feature `restate`, the program has them on a Restate server with `--engine restate`. With `run
//! --memory` a manager is simulated.

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
