//! The engine that runs executions in memory: tasks are futures, waits are timers, and nothing is
//! persisted.

mod builder;
mod engine;
mod event_triggers;
mod hub;
mod input;
mod progress;
mod reloading;
mod store;

pub use super::driver::{Callbacks, UnknownToken};
pub use builder::Builder;
pub use engine::{MemoryEngine, MemoryEngineBuilder};
pub use hub::{Hub, Subscription, subscribe};
pub use input::IntoInput;
pub(in crate::engine) use progress::Progress;
