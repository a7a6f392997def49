//! What programs around a compiled workflow are made of: a command line, progress on the terminal,
//! tasks bound to shell commands, endpoints and mocks, and test cases in `case.toml`.
//!
//! The command `cargo workflow` generates programs that use it; a program of one's own can, too:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     workflow_runner::main::<order::Order>(&order::Order::bind(&Tasks))
//! }
//! ```
//!
//! With the feature `durable`, `Durable` is a program whose executions are kept in an SQLite
//! database: it runs them, serves them over HTTP, shows and changes them. With the feature
//! `restate` a Restate server can keep them: `--engine restate`. With the feature `events` what
//! executions publish can leave for an address or standard output, with `nats` for NATS JetStream:
//! `--sink`.

mod bindings;
pub mod cases;
mod command_line;
#[cfg(feature = "durable")]
mod durable;
mod duration;
mod engine;
#[cfg(feature = "durable")]
mod events;
#[cfg(feature = "executions")]
pub mod executions;
mod help;
mod inspect;
mod progress;
#[cfg(feature = "restate")]
mod restate;
#[cfg(feature = "durable")]
mod serve;
mod sink;
#[cfg(feature = "durable")]
mod size;
mod suite;
mod tasks;
mod toml;

pub use command_line::{bound_main, main, main_with};
#[cfg(feature = "durable")]
pub use durable::Durable;
pub use toml::Problem;
