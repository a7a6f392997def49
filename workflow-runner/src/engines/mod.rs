//! The engines of programs: how they are opened, with which options. Everything else uses
//! [`workflow_runtime::engine::Engine`]. Each engine is named in one file.

#[cfg(feature = "restate")]
pub mod restate;
#[cfg(feature = "executions")]
pub mod sqlite;

#[cfg(feature = "durable")]
pub use options::{MakeObserver, OnTransaction, OpenOptions, Opened};

#[cfg(feature = "durable")]
mod options {
    use std::sync::Arc;
    use std::time::Duration;

    use workflow_runtime::Timestamp;
    use workflow_runtime::engine::{Engine, EngineError};
    use workflow_runtime::observe::Observer;

    use super::sqlite::Transaction;

    /// A function that makes the observer of an execution.
    pub type MakeObserver = Box<dyn Fn() -> Option<Box<dyn Observer>> + Send + Sync>;

    /// A receiver of the transactions of an engine.
    pub type OnTransaction = Box<dyn Fn(Transaction) + Send + Sync>;

    /// A receiver of problems.
    type Report = Box<dyn Fn(&EngineError) + Send + Sync>;

    /// The options of a command for the engine that it opens, after those of the program.
    #[derive(Default)]
    pub struct OpenOptions {
        /// The ids of the only executions that run; `None` runs all.
        pub only: Option<Vec<String>>,
        /// Make further observers for each execution.
        pub observers: Vec<MakeObserver>,
        /// The receiver of transactions. If it is set, the engine counts its executions, too.
        pub on_transaction: Option<OnTransaction>,
        /// The receiver of problems of the engine.
        pub on_problem: Option<Report>,
        /// The time for which delivered events are remembered, for deduplication.
        pub events_known_for: Option<Duration>,
        /// The time at which the program was deployed.
        pub deployed_at: Option<Timestamp>,
        /// The most executions that run at the same time.
        pub executions_at_once: Option<usize>,
    }

    /// The engine of a command.
    pub enum Opened {
        /// The engine, opened by this process.
        Here(Arc<dyn Engine>),
        /// Another process has the store.
        InUse {
            /// The address at which it serves the executions.
            address: String,
            /// The message for commands that it cannot carry out.
            message: String,
        },
    }
}
