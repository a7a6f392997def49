//! The results of a distributed Map: files of an object store, and a manifest of them.

mod config;
mod error;
mod file;
mod results;
mod state;

pub use config::{OutputType, WriterConfig, WriterSettings};
pub use error::WriterError;
pub use results::{ResultWriter, WriterTarget};
pub use state::{ResultFile, WriterState, Written};
pub use workflow_runtime::objects::{ChildOutcome, ChildRecord, Transformation};
