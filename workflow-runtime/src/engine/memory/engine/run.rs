//! The future that drives all executions of an engine in memory.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::future::{AbortHandle, AbortRegistration, Abortable};
use futures_util::stream::FuturesUnordered;

use super::Shared;
use super::effects::Effects;
use super::gauge::CountedTasks;
use super::history::Lines;
use super::journal::MemoryJournal;
use super::state::State;
use super::view::{ExecutionView, lock};
use crate::engine::Status;
use crate::engine::driver::{Driver, DriverExit, Environment, MessageQueue, Stopped};
use crate::engine::memory::SubscriberState;
use crate::fault::Fault;
use crate::machine::{MapCounts, Outcome, Program, Start};
use crate::panics::catch;
use crate::time::Timestamp;

/// Returns the future that drives all executions until the engine is shut down. Dropping it stops
/// the engine, even if it was never polled.
pub(super) fn run(shared: Arc<Shared>) -> impl Future<Output = ()> + Send + 'static {
    let guard = Guard(shared.clone());
    async move {
        let _guard = guard;
        drive_all(shared).await;
    }
}

/// Drives all executions until the engine is shut down.
async fn drive_all(shared: Arc<Shared>) {
    let turns = shared.turns.clone().off_runtime();
    let environment = Environment {
        clock: shared.clock.clone(),
        callbacks: Some(shared.callbacks.clone()),
        sink: shared.sink.clone(),
        objects: shared.objects.clone(),
        hub: shared.stand_ins.clone(),
        turns,
        ..Environment::default()
    };
    let mut running = FuturesUnordered::new();
    std::future::poll_fn(|cx: &mut Context<'_>| {
        loop {
            let new = {
                let mut state = lock(&shared.state);
                if state.is_stopped {
                    return Poll::Ready(());
                }
                let replaced = state.waker.replace(cx.waker().clone());
                let new = state.take_new();
                drop(state);
                drop(replaced);
                new
            };
            let drive_one = |(number, abort)| Box::pin(drive(shared.clone(), number, environment.clone(), abort));
            running.extend(new.into_iter().map(drive_one));
            match Pin::new(&mut running).poll_next_unpin(cx) {
                Poll::Ready(Some(())) => {}
                Poll::Ready(None) | Poll::Pending => return Poll::Pending,
            }
        }
    })
    .await;
}

/// Stops the engine when its future ends or is dropped.
struct Guard(Arc<Shared>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Shared {
    /// Stops the engine: nothing runs any more, and those who wait for an outcome get an error.
    pub(super) fn stop(&self) {
        let mut effects = Effects::default();
        {
            let mut state = lock(&self.state);
            (state.is_closed, state.is_stopped) = (true, true);
            effects.wakers.extend(state.waker.take());
            state.wake_all(&mut effects.wakers);
        }
        self.gauge.close();
        effects.run_all(self);
    }

    /// Records the end of a running execution, with the numbers of its items if it is a run of a
    /// distributed Map.
    fn record_end(&self, number: u64, outcome: Outcome, for_parent: Option<Outcome>, items: Option<MapCounts>) {
        let mut effects = Effects::default();
        {
            let state = &mut *lock(&self.state);
            if let Some(record) = state.records.all.get(&number).filter(|record| !record.status.is_over()) {
                lock(&record.view).items = items;
                self.end(state, number, outcome, for_parent, &mut effects);
            }
        }
        effects.run_all(self);
    }

    /// Marks an execution as begun. Returns its driver, unless it has ended already. The observers
    /// get the first event without the lock, and may ask the engine.
    fn begin<'a>(
        self: &Arc<Shared>,
        number: u64,
        environment: Environment,
        tasks: &'a CountedTasks,
    ) -> Option<Driver<'a, MemoryJournal>> {
        let now = self.clock.now();
        let begun = lock(&self.state).begin(number, now);
        let Begun { mut start, program, view, history, messages, state, abort } = begun?;
        drop(abort);
        start.observers = self.observers(start.name.as_deref().unwrap_or_default(), Some(history));
        let journal = MemoryJournal { shared: self.clone(), number, view };
        let mut driver = Driver::new(program, program.begin(start), environment, tasks, journal);
        driver.receive_from(messages);
        if !program.definition.events.is_empty() {
            driver.track_progress(state);
        }
        Some(driver)
    }
}

/// The parts of an execution that begins.
struct Begun {
    start: Start,
    program: Program,
    view: Arc<Mutex<ExecutionView>>,
    history: Arc<Mutex<Lines>>,
    messages: MessageQueue,
    state: Arc<SubscriberState>,
    /// The handle of a wait that is over. Dropping it may drop a waker.
    abort: Option<AbortHandle>,
}

impl State {
    /// Takes the executions to drive that have not ended, each with the end of its wait for a
    /// delayed start.
    fn take_new(&mut self) -> Vec<(u64, AbortRegistration)> {
        let new = std::mem::take(&mut self.new).into_iter().filter_map(|number| {
            let record = self.records.all.get_mut(&number).filter(|record| !record.status.is_over())?;
            let (handle, registration) = AbortHandle::new_pair();
            record.abort = Some(handle);
            Some((number, registration))
        });
        new.collect()
    }

    /// Marks an execution as begun, unless it has ended already.
    fn begin(&mut self, number: u64, now: Timestamp) -> Option<Begun> {
        if self.is_closed {
            return None;
        }
        let record = self.records.all.get_mut(&number).filter(|record| record.status == Status::Queued)?;
        (record.status, record.started) = (Status::Running, Some(now));
        record.subscriber.has_begun = true;
        let mut start = Start::new(record.input.clone());
        (start.name, start.time, start.part) = (Some(record.subscriber.id.clone()), Some(now), record.part);
        start.correlation.clone_from(&record.own_correlation);
        start.settings.clone_from(&record.settings);
        Some(Begun {
            start,
            program: record.program,
            view: record.view.clone(),
            history: record.history.clone(),
            messages: record.subscriber.messages.clone(),
            state: record.subscriber.state.clone(),
            abort: record.abort.take(),
        })
    }
}

/// Drives an execution to its end.
async fn drive(shared: Arc<Shared>, number: u64, environment: Environment, abort: AbortRegistration) {
    let (due, tasks) = {
        let state = lock(&shared.state);
        let Some(record) = state.records.all.get(&number) else { return };
        let tasks = CountedTasks { tasks: record.tasks.clone(), gauge: shared.gauge.clone() };
        (record.subscriber.due, tasks)
    };
    if let Some(due) = due {
        let wait = async {
            while due > shared.clock.now() {
                shared.clock.sleep_until(due).await;
            }
        };
        // A cancellation ends the wait.
        if Abortable::new(wait, abort).await.is_err() {
            return;
        }
    }
    let mut run = pin!(async {
        let Some(mut driver) = shared.begin(number, environment, &tasks) else { return };
        let outcome = match driver.run().await {
            Ok(DriverExit::Ended(outcome)) => outcome,
            Ok(DriverExit::Suspended(_)) | Err(Stopped) => Err(Fault::runtime("the execution was dropped")),
        };
        let execution = driver.execution();
        shared.record_end(number, outcome, execution.info().outcome_for_parent(), execution.map_counts());
        // Only stand-ins of detached children run in here.
        if driver.has_detached_children() {
            driver.finish_children().await;
        }
    });
    // An observer may panic. That must not end the other executions.
    let ended = poll_fn(|cx| match catch(|| run.as_mut().poll(cx)) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    });
    if ended.await.is_err() {
        shared.record_end(number, Err(Fault::runtime("the execution panicked")), None, None);
    }
}
