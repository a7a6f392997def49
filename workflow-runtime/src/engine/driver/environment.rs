//! The environment of executions.

use std::sync::Arc;

use super::Callbacks;
use crate::clock::{Clock, SystemClock};
use crate::engine::memory::Hub;
use crate::engine::turns::Turns;
use crate::event::EventSink;
use crate::objects::ObjectAccess;

/// The environment that an execution runs in.
#[derive(Clone)]
pub struct Environment {
    /// The source of the time.
    pub clock: Arc<dyn Clock>,
    /// The source of outcomes by token, shared with other executions.
    pub callbacks: Option<Callbacks>,
    /// The maximum number of concurrent tasks of the execution. Further tasks wait.
    pub tasks_at_once: usize,
    /// Workflows and events shared between the executions in memory of this process.
    pub hub: Option<Hub>,
    /// The receiver of published events outside of the process.
    pub sink: Option<Arc<dyn EventSink>>,
    /// The object stores of distributed Maps.
    pub objects: Option<ObjectAccess>,
    /// The threads that run turns.
    pub turns: Turns,
}

impl Default for Environment {
    /// Returns the system's clock, no limit of concurrent tasks, turns on the thread that polls
    /// the execution, and nothing shared.
    fn default() -> Environment {
        Environment {
            clock: Arc::new(SystemClock),
            callbacks: None,
            tasks_at_once: usize::MAX,
            hub: None,
            sink: None,
            objects: None,
            turns: Turns::default(),
        }
    }
}
