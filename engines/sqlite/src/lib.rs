//! The embedded durable engine of compiled workflows: executions live in an SQLite database, and survive the process.
//!
//! A completion is durable, with the frame of the execution that it moved, before anything that it caused begins. Nothing is
//! ever replayed: when the database is opened again, every unfinished execution goes on from where it was. Steps that had
//! ended do not run again; tasks that were under way do, with the idempotency key that they had
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
//! One row for each frame of an execution (the top level, a branch, an iteration), rewritten when the frame moves; one for
//! each value of more than a kilobyte, whatever the number of frames that refer to it; and one for the output of each
//! iteration whose siblings still run. What observers see is a table of its own, written in the same transactions.
//!
//! # Who has the database
//! One process. A second one is told so ([`Error::InUse`]); it can look at executions ([`View`]). On Unix the files of a new
//! database have mode 0600, whatever the umask: they hold the tokens of tasks. Files that exist keep their modes.

mod beyond;
mod builder;
mod codec;
mod engine;
mod error;
mod executions;
mod identity;
mod journal;
mod lease;
mod loading;
mod mail;
mod parts;
mod private;
mod recovery;
mod registry;
mod scheduler;
mod schema;
mod starting;
mod store;
mod submit;
mod times;
mod tokens;
mod view;
mod writer;

pub use builder::Builder;
pub use engine::{Engine, Execution};
pub use error::{Error, Mismatch};
pub use executions::Status;
pub use mail::Reached;
pub use submit::Submit;
pub use view::{Child, Description, Filter, HistoryPage, Summary, View, WaitsAt, WaitsFor};
