//! The results of a distributed Map: files of an object store, and a manifest of them.

mod config;
mod error;
mod file;
mod record;
mod results;
mod state;

pub use config::{OutputType, Transformation, WriterConfig, WriterSettings};
pub use error::WriterError;
pub use record::{ChildOutcome, ChildRecord};
pub use results::{ResultWriter, WriterTarget};
pub use state::{ResultFile, WriterState, Written};
