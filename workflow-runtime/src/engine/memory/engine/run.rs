//! The future that drives all executions of an engine in memory.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::Shared;
use super::effects::Effects;
use super::gauge::CountedTasks;
use super::journal::MemoryJournal;
use super::state::State;
use super::view::lock;
use crate::engine::Status;
use crate::engine::driver::{Driver, DriverExit, Environment, Stopped};
use crate::engine::memory::records::Subscriber;
use crate::fault::Fault;
use crate::machine::{Outcome, Start};
use crate::observe::Observer;

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
                let new = std::mem::take(&mut state.new);
                drop(state);
                drop(replaced);
                new
            };
            running.extend(new.into_iter().map(|number| {
                let (handle, registration) = AbortHandle::new_pair();
                if let Some(record) = lock(&shared.state).records.all.get_mut(&number) {
                    record.abort = Some(handle);
                }
                Box::pin(drive(shared.clone(), number, environment.clone(), registration))
            }));
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

    /// Records the end of a running execution.
    fn record_end(&self, number: u64, outcome: Outcome, for_parent: Option<Outcome>) {
        let mut effects = Effects::default();
        {
            let state = &mut *lock(&self.state);
            if state.records.all.get(&number).is_some_and(|record| !record.status.is_over()) {
                self.end(state, number, outcome, for_parent, &mut effects);
            }
        }
        effects.run_all(self);
    }

    /// Marks an execution as begun. Returns its driver, unless it has ended already.
    fn begin<'a>(
        self: &Arc<Shared>,
        state: &mut State,
        number: u64,
        environment: Environment,
        tasks: &'a CountedTasks,
        observers: Vec<Box<dyn Observer>>,
    ) -> Option<Driver<'a, MemoryJournal>> {
        if state.is_closed {
            return None;
        }
        let record = state.records.all.get_mut(&number).filter(|record| record.status == Status::Queued)?;
        let now = self.clock.now();
        (record.status, record.started, record.abort) = (Status::Running, Some(now), None);
        record.subscriber.has_begun = true;
        let mut start = Start::new(record.input.clone());
        (start.name, start.time, start.entry) = (Some(record.subscriber.id.clone()), Some(now), record.entry);
        start.correlation.clone_from(&record.own_correlation);
        start.settings.clone_from(&record.settings);
        start.observers = observers;
        let (program, view) = (record.program, record.view.clone());
        let journal = MemoryJournal { shared: self.clone(), number, view };
        let mut driver = Driver::new(program, program.begin(start), environment, tasks, journal);
        driver.receive_from(record.subscriber.messages.clone());
        if !program.definition.events.is_empty() {
            driver.track_progress(record.subscriber.state.clone());
        }
        Some(driver)
    }
}

/// Drives an execution to its end.
async fn drive(
    shared: Arc<Shared>,
    number: u64,
    environment: Environment,
    abort: futures_util::future::AbortRegistration,
) {
    let (due, id, history, tasks) = {
        let state = lock(&shared.state);
        let Some(record) = state.records.all.get(&number) else { return };
        let Subscriber { due, id, .. } = &record.subscriber;
        let tasks = CountedTasks { tasks: record.tasks.clone(), gauge: shared.gauge.clone() };
        (*due, id.clone(), record.history.clone(), tasks)
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
    let run = AssertUnwindSafe(async {
        let observers = shared.observers(&id, &history);
        let driver = shared.begin(&mut lock(&shared.state), number, environment, &tasks, observers);
        let Some(mut driver) = driver else { return };
        let outcome = match driver.run().await {
            Ok(DriverExit::Ended(outcome)) => outcome,
            Ok(DriverExit::Suspended(_)) | Err(Stopped) => Err(Fault::runtime("the execution was dropped")),
        };
        shared.record_end(number, outcome, driver.execution().info().outcome_for_parent());
        // Only stand-ins of detached children run in here.
        if driver.has_detached_children() {
            driver.finish_children().await;
        }
    });
    // An observer may panic. That must not end the other executions.
    if run.catch_unwind().await.is_err() {
        shared.record_end(number, Err(Fault::runtime("the execution panicked")), None);
    }
}
