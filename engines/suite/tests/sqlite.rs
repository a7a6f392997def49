//! The suite on the engine with an SQLite database.

use std::path::PathBuf;
use std::sync::Arc;

use workflow_engine_suite::{Registry, Workflows, engine_suite};
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

engine_suite!(open);
