//! The suite on the engine with an SQLite database.

use std::path::PathBuf;
use std::sync::Arc;

use workflow_engine_suite::{PATIENCE, Registry, Workflows, engine_suite};
use workflow_runtime::Workflow;
use workflow_runtime::task::Invoke;

struct Builder(workflow_sqlite::Builder);

impl Registry for Builder {
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
        Builder(self.0.workflow::<W>(tasks))
    }
}

async fn open(workflows: Workflows, folder: PathBuf) -> Arc<dyn workflow_runtime::engine::Engine> {
    let builder = Builder(workflow_sqlite::Engine::at(folder.join("suite.db")));
    let opened = workflows.register(builder).0.open().await;
    Arc::new(opened.expect("the database can be opened"))
}

/// The promises that the engine does not keep.
const BROKEN: &[(&str, &str)] = &[
    // The failure of a detached child is in the history of the child only.
    ("a_history_shows_the_failure_of_a_detached_child", "the history of the parent has the failure of the child"),
];

engine_suite!(open, PATIENCE, BROKEN);
