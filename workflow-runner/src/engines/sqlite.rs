//! Executions in an SQLite database.

use std::path::Path;
use std::sync::Arc;

use workflow_runtime::engine::Engine;
use workflow_sqlite::View;

#[cfg(feature = "durable")]
pub use durable::EngineSetup;
/// The engine, and its configuration by a program.
#[cfg(feature = "durable")]
pub type Sqlite = workflow_sqlite::Engine;
#[cfg(feature = "durable")]
pub type Builder = workflow_sqlite::Builder;
/// A transaction of the engine, for metrics.
#[cfg(feature = "durable")]
pub type Transaction = workflow_sqlite::Transaction;

/// Opens a database for reading only, also while a process has it in use.
pub fn view(db: &Path) -> Result<Arc<dyn Engine>, String> {
    if !db.exists() {
        return Err(format!("database `{}` not found", db.display()));
    }
    Ok(Arc::new(View::open(db).map_err(|error| error.to_string())?))
}

#[cfg(feature = "durable")]
mod durable {
    use std::path::Path;
    use std::sync::Arc;

    use tokio::sync::watch;
    use workflow_runtime::engine::{Engine, EngineError};
    use workflow_runtime::event::EventSink;
    use workflow_runtime::objects::ObjectAccess;
    use workflow_runtime::task::Invoke;
    use workflow_runtime::{Callbacks, Workflow};
    use workflow_sqlite::{Error, Measures};

    use super::{Builder, Sqlite};
    use crate::callbacks::{Announced, Endpoint, Port};
    use crate::engines::{OpenOptions, Opened};
    use crate::outcomes::Outcomes;

    /// The configuration of the engine.
    pub struct EngineSetup {
        /// The tasks of the workflow of the program.
        tasks: Arc<dyn Invoke>,
        /// Registers the workflow of the program with its tasks.
        register: fn(Builder, Arc<dyn Invoke>) -> Builder,
        /// Configures the engine further, for the program.
        pub builder: Box<dyn FnOnce(Builder) -> Builder>,
        /// Receives the engine, for the program.
        pub opened: Box<dyn FnOnce(&Sqlite)>,
        /// The channel for the engine of those who deliver outcomes by token.
        pub outcomes: Option<watch::Sender<Option<Arc<dyn Engine>>>>,
        /// Announces the tokens that a resumed execution waits for.
        pub endpoint: Option<Arc<Endpoint>>,
    }

    impl EngineSetup {
        /// Configures an engine for this workflow with these tasks.
        pub fn new<W: Workflow>(tasks: Arc<dyn Invoke>) -> EngineSetup {
            EngineSetup {
                tasks,
                register: |builder, tasks| builder.workflow::<W>(tasks),
                builder: Box::new(|builder| builder),
                opened: Box::new(|_| {}),
                outcomes: None,
                endpoint: None,
            }
        }

        /// Receives outcomes by token at a port of this machine, and announces the tokens of the
        /// program's own tasks.
        pub fn listen(mut self, port: Port) -> Result<EngineSetup, String> {
            let mut outcomes = Outcomes::new(Callbacks::new());
            self.outcomes = Some(outcomes.deliver_to_engine());
            let endpoint = Arc::new(Endpoint::open(port, outcomes)?);
            self.tasks = Arc::new(Announced { tasks: self.tasks, endpoint: endpoint.clone() });
            self.endpoint = Some(endpoint);
            Ok(self)
        }

        /// Sets the sink of the events that executions publish, if there is one. It replaces any
        /// other sink.
        pub fn with_sink(mut self, sink: Option<impl EventSink + 'static>) -> EngineSetup {
            if let Some(sink) = sink {
                let builder = self.builder;
                self.builder = Box::new(move |engine| builder(engine).sink(sink));
            }
            self
        }

        /// Sets the object stores of distributed Maps, if there are any.
        pub fn with_objects(mut self, objects: Option<ObjectAccess>) -> EngineSetup {
            if let Some(objects) = objects {
                let builder = self.builder;
                self.builder = Box::new(move |engine| builder(engine).objects(objects));
            }
            self
        }

        /// Opens the database.
        pub async fn open(self, db: &Path, options: OpenOptions) -> Result<Opened, String> {
            let builder = (self.register)(Sqlite::at(db), self.tasks);
            let opened = with_options((self.builder)(builder), options).open().await;
            let engine = match opened {
                Err(error @ Error::InUse { .. }) => {
                    let message = error.to_string();
                    return match error {
                        Error::InUse { address: Some(address), .. } => Ok(Opened::InUse { address, message }),
                        _ => Err(message),
                    };
                }
                opened => Arc::new(opened.map_err(|error| error.to_string())?),
            };
            if let Some(outcomes) = self.outcomes {
                outcomes.send_replace(Some(engine.clone()));
            }
            (self.opened)(&engine);
            Ok(Opened::Here(engine))
        }
    }

    /// Sets the options of a command.
    fn with_options(mut builder: Builder, options: OpenOptions) -> Builder {
        if let Some(only) = options.only {
            builder = builder.only(only);
        }
        for make in options.observers {
            builder = builder.observer(move |_| make());
        }
        if let Some(report) = options.on_transaction {
            builder = builder.measures(&Measures::new(report));
        }
        if let Some(report) = options.on_problem {
            builder = builder.on_problem(move |error| report(&EngineError::from(error.clone())));
        }
        if let Some(time) = options.events_known_for {
            builder = builder.events_known_for(time);
        }
        if let Some(time) = options.deployed_at {
            builder = builder.deployed_at(time);
        }
        match options.executions_at_once {
            Some(executions) => builder.executions_at_once(executions),
            None => builder,
        }
    }
}
