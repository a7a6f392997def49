//! Executions that crash the process: they are found, and others are not blamed.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::place::{Place, clock, process, until};
use steps::Steps;
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Builder, Engine, Execution, Status, View};

include_workflow!("tests/flows/steps.asl.json");

struct Tasks;

impl steps::Tasks for Tasks {
    async fn step(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(Value::Null)
    }
}

/// Observer that crashes the process in the execution's code, before its first commit.
struct Abort;

impl Observer for Abort {
    fn observe(&mut self, _: &Event<'_>) {
        std::process::abort();
    }
}

fn engine(file: PathBuf) -> Builder {
    Engine::at(file).workflow::<Steps>(Steps::bind(Arc::new(Tasks))).clock(clock()).on_problem(|_| {})
}

/// The test below runs this one as a process of its own. It does nothing otherwise.
#[test]
fn runs_until_it_is_ended() {
    let Some(file) = std::env::var_os("CRASHES_FILE").map(PathBuf::from) else { return };
    process(async {
        let builder = engine(file).observer(|id| (id == "bad").then(|| Box::new(Abort) as Box<dyn Observer>));
        let engine = builder.open().await.expect("the database");
        let mut executions = Vec::new();
        for id in ["bad", "good", "better"] {
            let start = engine.start::<Steps>(value!({ "hold": false })).id(id).submit().await;
            executions.push(start.expect("a start"));
        }
        let ended = |execution: &Execution| execution.outcome().expect("it can be read").is_some();
        until("all have ended", || executions.iter().all(ended)).await;
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn an_execution_whose_start_ends_the_process_is_parked() {
    let place = Place::new("aborts");
    let this = std::env::current_exe().expect("a program");
    let mut ended = 0;
    loop {
        let mut command = Command::new(&this);
        command.args(["--exact", "crashes::runs_until_it_is_ended"]).env("CRASHES_FILE", place.file());
        if command.output().expect("a process").status.success() {
            break;
        }
        ended += 1;
        assert!(ended < 20, "it is not parked");
    }
    let view = View::open(place.file()).expect("a view");
    let bad = view.describe("bad").expect("it");
    assert_eq!(bad.summary.status, Status::Parked);
    let fault = bad.outcome.expect("a reason").expect_err("a fault");
    let cause = fault.cause().map(Value::to_string).expect("a cause");
    assert!(
        cause.contains("times in a row while the execution started, 3 times without any other running execution"),
        "{cause}"
    );
    for id in ["good", "better"] {
        assert_eq!(view.describe(id).expect("it").summary.status, Status::Succeeded);
    }
    println!("ended {ended} times");
}
