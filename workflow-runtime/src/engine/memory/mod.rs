//! The engine that runs executions in memory: tasks are futures, waits are timers, and nothing is
//! persisted.

mod builder;
mod engine;
mod hub;
mod input;
mod records;
mod reloading;
mod subscriber_state;

pub use super::driver::{Callbacks, UnknownToken};
pub use builder::Builder;
pub use engine::{MemoryEngine, MemoryEngineBuilder};
pub use hub::{Hub, Subscription, subscribe};
pub use input::IntoInput;
pub(in crate::engine) use subscriber_state::SubscriberState;

use super::EngineError;

/// The receiver of problems that no caller receives.
type ProblemReport = dyn Fn(&EngineError) + Send + Sync;
