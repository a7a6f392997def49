//! The command line: `run`, `test`, `graph`.

use std::process::ExitCode;
use std::time::Duration;

use approval::approval::Approval;
use approval::manager;
use approval::tasks::Tasks;
use tokio::sync::mpsc;
use workflow_runtime::Callbacks;

fn main() -> ExitCode {
    let callbacks = Callbacks::new();
    let (queue, questions) = mpsc::unbounded_channel();
    manager::start(questions, callbacks.clone(), Duration::from_secs(1));
    let tasks = Tasks::new(queue);
    workflow_runner::main_with::<Approval>(&Approval::bind(&tasks), |builder| builder.callbacks(&callbacks))
}
