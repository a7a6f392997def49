//! The builder of an engine in memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::state::State;
use super::{MemoryEngine, ObserverFactory, Shared};
use crate::clock::{Clock, SystemClock};
use crate::engine::EngineError;
use crate::engine::driver::Callbacks;
use crate::engine::memory::{Hub, ProblemReport};
use crate::engine::turns::{Turns, Workers};
use crate::event::EventSink;
use crate::machine::{Program, RandomStream, Workflow};
use crate::observe::Observer;
use crate::task::Invoke;
use crate::time::Timestamp;

/// The default of [`MemoryEngineBuilder::keep_ended`].
const KEPT: usize = 10_000;
/// The default of [`MemoryEngineBuilder::history_events`].
const HISTORY_EVENTS: usize = 10_000;
/// The default of [`MemoryEngineBuilder::remember_events`].
const REMEMBERED: usize = 10_000;

/// The builder of a [`MemoryEngine`]. Everything but the workflows has a default.
///
/// ```
/// use workflow_runtime::task::Invoke;
/// use workflow_runtime::{MemoryEngine, Workflow};
///
/// async fn run<Order: Workflow>(tasks: impl Invoke + 'static) {
///     let builder = MemoryEngine::builder().workflow::<Order>(tasks).keep_ended(100);
///     let (engine, run) = builder.history_events(1_000).open();
///     run.await;
/// }
/// ```
pub struct MemoryEngineBuilder {
    programs: Vec<(Program, Arc<dyn Invoke>)>,
    clock: Arc<dyn Clock>,
    turns: Turns,
    sink: Option<Arc<dyn EventSink>>,
    observers: Vec<ObserverFactory>,
    on_problem: Box<ProblemReport>,
    stand_ins: Option<Hub>,
    callbacks: Callbacks,
    kept: usize,
    history_events: usize,
    remembered: usize,
    deployed: Option<Timestamp>,
}

impl MemoryEngineBuilder {
    pub(super) fn new() -> MemoryEngineBuilder {
        MemoryEngineBuilder {
            programs: Vec::new(),
            clock: Arc::new(SystemClock),
            turns: Turns::default(),
            sink: None,
            observers: Vec::new(),
            on_problem: Box::new(|error| eprintln!("{error}")),
            stand_ins: None,
            callbacks: Callbacks::new(),
            kept: KEPT,
            history_events: HISTORY_EVENTS,
            remembered: REMEMBERED,
            deployed: None,
        }
    }

    /// Registers a workflow with its tasks. Of several workflows with one name, requests and
    /// events start the first.
    pub fn workflow<W: Workflow>(mut self, tasks: impl Invoke + 'static) -> Self {
        self.programs.push((Program::of::<W>(), Arc::new(tasks)));
        self
    }

    /// Sets how many ended executions are kept, by default 10,000. Those that ended first are
    /// removed.
    pub fn keep_ended(mut self, executions: usize) -> Self {
        self.kept = executions;
        self
    }

    /// Limits the history of one execution to its newest events, by default 10,000. 0 keeps no
    /// history.
    pub fn history_events(mut self, events: usize) -> Self {
        self.history_events = events;
        self
    }

    /// Sets the number of events that are remembered for deduplication, for each execution and
    /// each workflow that events start; by default 10,000.
    pub fn remember_events(mut self, events: usize) -> Self {
        self.remembered = events;
        self
    }

    /// Limits the time that one turn of an execution may compute, by default 30 seconds. An
    /// execution that exceeds it fails with
    /// [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Self {
        self.turns = self.turns.with_limit(limit);
        self
    }

    /// Moves long turns to these workers. By default, turns run on the thread that polls the
    /// engine's future, and long ones move to the [workers of the process](Workers::shared) if
    /// that is a task of a tokio runtime with several threads.
    pub fn workers(mut self, workers: Workers) -> Self {
        self.turns = self.turns.with_workers(workers);
        self
    }

    /// Adds a factory of observers, which receives the id of an execution that begins, or whose
    /// detached child has failed.
    pub fn observer(mut self, make: impl Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync + 'static) -> Self {
        self.observers.push(Box::new(make));
        self
    }

    /// Sets the receiver of problems that no caller receives: an event that an execution publishes
    /// and another declines, because its inbox is full. By default they are printed.
    pub fn on_problem(mut self, report: impl Fn(&EngineError) + Send + Sync + 'static) -> Self {
        self.on_problem = Box::new(report);
        self
    }

    /// Replaces workflows by the [stand-ins](Hub::stand_in) of a hub when executions start them.
    #[doc(hidden)]
    pub fn stand_ins(mut self, hub: &Hub) -> Self {
        self.stand_ins = Some(hub.clone());
        self
    }

    /// Sets the source of outcomes by token.
    #[doc(hidden)]
    pub fn callbacks(mut self, callbacks: &Callbacks) -> Self {
        self.callbacks = callbacks.clone();
        self
    }

    /// Sends published events to this sink as well.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Self {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// Uses this clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the time of the deployment, from which schedules count. The default is the time at
    /// which the engine is opened.
    pub fn deployed_at(mut self, time: Timestamp) -> Self {
        self.deployed = Some(time);
        self
    }

    /// Opens the engine. The future drives all executions, and ends when the engine is [shut
    /// down](crate::engine::Engine::shut_down). Dropping it stops the engine at once.
    pub fn open(self) -> (MemoryEngine, impl Future<Output = ()> + Send + 'static) {
        let deployed = self.deployed.unwrap_or_else(|| self.clock.now());
        let shared = Arc::new(Shared {
            programs: self.programs,
            clock: self.clock,
            turns: self.turns,
            sink: self.sink,
            observers: self.observers,
            on_problem: self.on_problem,
            stand_ins: self.stand_ins,
            kept: self.kept,
            history_events: self.history_events,
            remembered: self.remembered,
            deployed,
            callbacks: self.callbacks,
            gauge: super::Gauge::default(),
            random: Mutex::new(RandomStream::unpredictable()),
            state: Mutex::new(State::default()),
        });
        (MemoryEngine { shared: shared.clone() }, super::run::run(shared))
    }
}
