//! An engine that keeps executions in memory, with the interface of all engines.

mod builder;
mod describe;
mod effects;
mod gauge;
mod history;
mod interface;
mod journal;
mod lifecycle;
mod run;
mod start;
mod state;
mod view;

use std::sync::{Arc, Mutex};

pub use builder::MemoryEngineBuilder;
use gauge::Gauge;
use history::{LineWriter, Lines};
use state::State;

use crate::clock::Clock;
use crate::engine::driver::Callbacks;
use crate::engine::memory::{Hub, ProblemReport};
use crate::engine::turns::Turns;
use crate::event::EventSink;
use crate::machine::{Definition, Inactive, Program, RandomStream};
use crate::observe::{History, Observer};
use crate::panics::catch;
use crate::task::Invoke;
use crate::time::Timestamp;

/// An engine that keeps executions in memory. A clone is the same engine.
///
/// The executions run while the future that [`MemoryEngineBuilder::open`] returns is polled. The
/// engine itself needs no tokio runtime, only a clock: the clock of the system has tokio's timers.
/// Executions that have ended are kept until they are purged, and up to a
/// [limit](MemoryEngineBuilder::keep_ended). Everything is lost with the process.
///
/// The engine lacks [redrives](crate::engine::Capability::Redrives) and
/// [durability](crate::engine::Capability::Durability).
///
/// ```
/// use workflow_runtime::engine::{Engine, EngineError, StartRequest};
/// use workflow_runtime::task::Invoke;
/// use workflow_runtime::{MemoryEngine, Outcome, Workflow, value};
///
/// async fn order<Order: Workflow>(tasks: impl Invoke + 'static) -> Result<Outcome, EngineError> {
///     let (engine, run) = MemoryEngine::builder().workflow::<Order>(tasks).open();
///     tokio::spawn(run);
///     let request = StartRequest::new("order", value!({ "amount": 25 })).key("17");
///     let started = engine.start(request).await?;
///     engine.attach(&started.id).await
/// }
/// ```
#[derive(Clone)]
pub struct MemoryEngine {
    shared: Arc<Shared>,
}

impl MemoryEngine {
    /// Returns a builder without workflows.
    pub fn builder() -> MemoryEngineBuilder {
        MemoryEngineBuilder::new()
    }
}

/// The data that the engine and its executions share.
struct Shared {
    programs: Vec<(Program, Arc<dyn Invoke>)>,
    clock: Arc<dyn Clock>,
    turns: Turns,
    sink: Option<Arc<dyn EventSink>>,
    objects: Option<crate::objects::ObjectAccess>,
    observers: Vec<ObserverFactory>,
    on_problem: Box<ProblemReport>,
    /// Replacements of workflows, for tests.
    stand_ins: Option<Hub>,
    /// The number of ended executions to keep.
    kept: usize,
    /// The number of events that a history has.
    history_events: usize,
    /// The number of events to remember for deduplication.
    remembered: usize,
    /// The time from which schedules count.
    deployed: Timestamp,
    callbacks: Callbacks,
    gauge: Gauge,
    random: Mutex<RandomStream>,
    state: Mutex<State>,
}

/// Factory of the observer for the execution of this id.
type ObserverFactory = Box<dyn Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync>;

impl Shared {
    /// Checks that the schedule of a workflow admits a start at this time.
    ///
    /// # Errors
    /// The interval in which the workflow can be started.
    fn check_schedule(&self, definition: &Definition, at: Timestamp) -> Result<(), Inactive> {
        definition.check_schedule(at, || self.deployed)
    }

    /// Returns the observers of an execution, and the writer of its history if there is one. A
    /// factory that panics makes none.
    fn observers(&self, id: &str, history: Option<Arc<Mutex<Lines>>>) -> Vec<Box<dyn Observer>> {
        let made = self.observers.iter().filter_map(|make| catch(|| make(id)).ok().flatten());
        let mut observers: Vec<_> = made.collect();
        if let Some(history) = history.filter(|_| self.history_events > 0) {
            observers.push(Box::new(History::new(LineWriter(history)).limit_payloads(4_096)));
        }
        observers
    }

    /// Returns a random id.
    fn random_id(&self) -> String {
        view::lock(&self.random).uuid()
    }
}
