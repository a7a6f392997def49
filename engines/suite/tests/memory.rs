//! The suite on the engine in memory.

use std::path::PathBuf;
use std::sync::Arc;

use workflow_engine_suite::{PATIENCE, Registry, Workflows, engine_suite};
use workflow_runtime::engine::Engine;
use workflow_runtime::task::Invoke;
use workflow_runtime::{MemoryEngine, MemoryEngineBuilder, Workflow};

struct Builder(MemoryEngineBuilder);

impl Registry for Builder {
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
        Builder(self.0.workflow::<W>(tasks))
    }
}

async fn open(workflows: Workflows, _: PathBuf) -> Arc<dyn Engine> {
    let (engine, run) = workflows.register(Builder(MemoryEngine::builder())).0.open();
    tokio::spawn(run);
    Arc::new(engine)
}

engine_suite!(open);

/// Checks a promise of the engine, which keeps it, with a list of broken promises.
fn check(broken: &[(&str, &str)]) {
    workflow_engine_suite::check("an_execution_runs_to_its_end", open, PATIENCE, broken);
}

#[test]
#[should_panic = "no promise has the name"]
fn a_list_of_broken_promises_has_only_promises() {
    check(&[("an_execution_runs_for_ever", "")]);
}

#[test]
#[should_panic = "the engine keeps a promise that is listed as broken"]
fn a_promise_that_is_kept_is_not_listed_as_broken() {
    check(&[("an_execution_runs_to_its_end", "")]);
}
