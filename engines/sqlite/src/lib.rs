//! Embedded durable engine for compiled workflows. Executions live in an SQLite database and
//! survive the process.
//!
//! The engine commits a completion, together with the frame that it moved, before it starts
//! anything that the completion caused. Nothing is replayed: when the database is opened again,
//! every unfinished execution continues where it was. Tasks that had completed do not run again.
//! Tasks that were running do, with the same idempotency key
//! ([`TaskContext::idempotency_key`](workflow_runtime::TaskContext::idempotency_key)).
//!
//! ```no_run
//! # use workflow_runtime::{Value, Workflow, task::Invoke};
//! # use workflow_sqlite::Engine;
//! # async fn run<Order: Workflow>(tasks: impl Invoke + 'static, input: Value) -> Result<(), Box<dyn std::error::Error>> {
//! let engine = Engine::at("orders.db").workflow::<Order>(tasks).open().await?;
//! let execution = engine.start::<Order>(input).key("order-17").submit().await?;
//! println!("{:?}", execution.result().await?);
//! engine.shut_down(std::time::Duration::from_secs(10)).await;
//! # Ok(())
//! # }
//! ```
//!
//! # What is stored
//! - One row for each frame of an execution (the top level, a branch, an iteration). The row is
//!   rewritten when the frame moves. The row of one frame that moved also holds the progress of
//!   the execution as a whole. A turn that moves no frame writes a row for it.
//! - One row for each value of more than a kilobyte, however many frames refer to it.
//! - One row for the output of each iteration whose siblings still run.
//! - The history: what observers receive, written in the same transactions. The newest events of
//!   an execution are one row, which a step rewrites. When it is full, it becomes a row of the
//!   history.
//!
//! # Exclusive use
//! One process at a time holds the lease on a database. A second process gets [`Error::InUse`]; it
//! can still read executions through a [`View`]. On Unix the files of a new database have mode
//! 0600 whatever the umask, because they hold the tokens of tasks. Existing files keep their
//! modes.

#[macro_use]
mod sql;

mod awaited;
mod builder;
mod children;
mod codec;
mod engine;
mod error;
mod executions;
mod failures;
mod history;
mod inbox;
mod journal;
mod lease;
mod loading;
mod map_slots;
mod map_updates;
mod measures;
mod private;
mod records;
mod recovery;
mod registry;
mod removal;
mod rows;
mod runs;
mod scheduler;
mod schema;
mod store;
mod submit;
mod times;
mod tokens;
mod view;
mod writer;

pub use builder::Builder;
pub use engine::{Engine, Execution};
pub use error::{Error, Mismatch};
pub use measures::{Measures, Transaction};
pub use submit::Submit;
pub use view::View;
pub use workflow_runtime::engine::{
    Child, Deadline, Description, Filter, HistoryPage, Reached, Status, Summary, WaitsAt, WaitsFor,
};
