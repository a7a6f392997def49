//! The parts of programs around a compiled workflow: a command line, progress on the terminal,
//! tasks bound to shell commands, endpoints and mocks, and test cases in `case.toml`.
//!
//! The command `cargo workflow` generates programs that use this crate. Hand-written programs can
//! use it, too:
//!
//! ```no_run
//! # mod order { pub use super::ping::{Ping as Order, Tasks}; }
//! # workflow_runtime::include_workflow!("tests/flows/ping.asl.json", tasks: { "ping" => ping });
//! use workflow_runtime::prelude::*;
//!
//! struct Shop;
//!
//! impl order::Tasks for Shop {
//! #   async fn ping(&self, input: Value, _: TaskContext) -> Result<Value, Fault> { Ok(input) }
//!     // …
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     workflow_runner::main::<order::Order>(&order::Order::bind(&Shop))
//! }
//! ```
//!
//! With the feature `durable`, a `Durable` is a program that keeps its executions in an SQLite
//! database. It runs them, serves them over HTTP, shows and changes them. With the feature
//! `restate`, `--engine restate` keeps executions on a Restate server. With the feature `events`,
//! `--sink` sends the events that executions publish to an address or to standard output, and with
//! `nats` to NATS JetStream.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bindings;
#[cfg(feature = "callbacks")]
mod callbacks;
pub mod cases;
mod command_line;
mod console;
#[cfg(feature = "executions")]
#[doc(hidden)]
pub mod database;
#[cfg(feature = "durable")]
mod durable;
mod duration;
mod engine;
#[cfg(feature = "executions")]
mod engines;
#[cfg(feature = "durable")]
mod events;
#[cfg(feature = "executions")]
#[doc(hidden)]
pub mod executions;
mod help;
mod history_file;
#[cfg(feature = "callbacks")]
mod http;
mod input;
mod inspect;
mod outcomes;
mod progress;
#[cfg(feature = "restate")]
mod restate;
#[cfg(feature = "durable")]
mod serve;
mod sink;
#[cfg(feature = "durable")]
mod size;
mod stores;
mod suite;
mod tasks;
mod toml;
mod visible;

pub use command_line::{bound_main, main, main_with};
#[cfg(feature = "durable")]
pub use durable::Durable;
pub use toml::Problem;
