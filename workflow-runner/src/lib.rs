//! What programs around a compiled workflow are made of: a command line, progress on the terminal, tasks bound to shell
//! commands, endpoints and mocks, and test cases in `case.toml`.
//!
//! The command `cargo workflow` generates programs that use it; a program of one's own can, too:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     workflow_runner::main::<order::Order>(&order::Order::bind(&Tasks))
//! }
//! ```

mod bindings;
pub mod cases;
mod command_line;
mod duration;
mod help;
mod inspect;
mod progress;
mod suite;
mod tasks;
mod toml;

pub use command_line::{bound_main, main, main_with};
pub use toml::Problem;
