//! The environment of executions.

use std::sync::Arc;

use super::Callbacks;
use crate::clock::{Clock, SystemClock};
use crate::engine::memory::Hub;
use crate::engine::turns::Turns;
use crate::event::EventSink;

/// What an execution runs with.
#[derive(Clone)]
pub struct Environment {
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where outcomes by token arrive, for this and other executions.
    pub callbacks: Option<Callbacks>,
    /// How many tasks of the execution may be under way at the same time. Others wait.
    pub tasks_at_once: usize,
    /// What executions of this process share that are not kept: workflows that they can start, and events.
    pub hub: Option<Hub>,
    /// Whom else events are sent to that executions publish.
    pub sink: Option<Arc<dyn EventSink>>,
    /// Where turns run.
    pub turns: Turns,
}

impl Default for Environment {
    /// The system's clock, any number of tasks at the same time, turns on the thread that polls the execution, and nothing shared.
    fn default() -> Environment {
        Environment {
            clock: Arc::new(SystemClock),
            callbacks: None,
            tasks_at_once: usize::MAX,
            hub: None,
            sink: None,
            turns: Turns::default(),
        }
    }
}
