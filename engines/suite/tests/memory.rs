//! The suite on the engine in memory.

use std::path::PathBuf;
use std::sync::Arc;

use workflow_engine_suite::{Registry, Workflows, engine_suite};
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
