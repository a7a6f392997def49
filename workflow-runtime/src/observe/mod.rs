//! Observation of executions in authored terms: states and tasks, never the suspension points of
//! the generated code.

mod fields;
mod history;
mod payloads;
#[cfg(feature = "tracing")]
mod tracing;

pub use crate::machine::observer::{Event, EventKind, Observer, PathStep};
pub use fields::{HistoryField, HistoryFields};
pub use history::History;
pub use payloads::InvalidPath;

#[cfg(feature = "tracing")]
pub use self::tracing::Tracing;
