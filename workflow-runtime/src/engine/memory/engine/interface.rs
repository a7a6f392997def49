//! The interface that all engines have in common.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::MemoryEngine;
use super::effects::Effects;
use super::state::State;
use super::view::{Watcher, lock};
use crate::coordination::{Addressee, Sent, publish, send};
use crate::engine::driver::{Message, UnknownToken};
use crate::engine::tokens;
use crate::engine::{
    Capabilities, Capability, Counts, Description, Engine, EngineError, EngineFuture, Filter, HistoryPage, MapUpdate,
    Publication, Purge, Reached, Signal, StartRequest, Started, Status, Summary, TaskToken, UnwantedEvent, WaitsAt,
};
use crate::event::CloudEvent;
use crate::machine::{Definition, Outcome, Part};
use crate::time::Timestamp;
use crate::value::Object;

impl MemoryEngine {
    /// Runs a method that waits for nothing, under the lock.
    pub(super) fn with<T>(
        &self,
        run: impl FnOnce(&mut State, &mut Effects) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mut effects = Effects::default();
        let result = run(&mut lock(&self.shared.state), &mut effects);
        effects.run_all(&self.shared);
        result
    }

    fn cancel_execution(&self, id: &str, cause: &str) -> Result<(), EngineError> {
        self.with(|state, effects| {
            state.check_open()?;
            let status = state.record(id)?.status;
            if status.is_over() {
                return Err(EngineError::NotNow { execution: id.to_owned(), status, asked: "cancelled" });
            }
            if let Some(number) = state.number(id) {
                self.shared.cancel(state, number, cause, effects);
            }
            Ok(())
        })
    }

    fn update_run(&self, id: &str, update: MapUpdate) -> Result<(), EngineError> {
        update.check().map_err(|invalid| EngineError::Invalid(invalid.to_string()))?;
        self.with(|state, effects| {
            state.check_open()?;
            let record = state.record(id)?;
            if !matches!(record.part, Some(Part::Map(_))) {
                return Err(EngineError::no_map_run(id));
            }
            let status = record.status;
            if status.is_over() {
                return Err(EngineError::NotNow { execution: id.to_owned(), status, asked: "updated" });
            }
            effects.wakers.extend(record.subscriber.messages.append(Message::Update(update)));
            Ok(())
        })
    }

    fn signal_task(&self, task: TaskToken<'_>, signal: Signal) -> Result<(), EngineError> {
        self.with(|state, _| {
            state.check_open()?;
            task.execution.map_or(Ok(()), |id| state.record(id).map(drop))
        })?;
        let (token, callbacks) = (task.token, &self.shared.callbacks);
        let unknown = || EngineError::UnknownToken { execution: task.execution.map(str::to_owned) };
        let of = callbacks.execution_of(token);
        if of.is_none() || task.execution.is_some_and(|id| of.as_deref() != Some(id)) {
            return Err(unknown());
        }
        let signalled = match signal {
            Signal::Succeed(output) => callbacks.succeed(token, output),
            Signal::Fail(fault) => callbacks.fail(token, fault),
            Signal::Heartbeat => callbacks.heartbeat(token),
            Signal::Check => Ok(()),
        };
        signalled.map_err(|UnknownToken| unknown())
    }

    fn send_events(&self, id: &str, events: Vec<CloudEvent>) -> Result<usize, EngineError> {
        let routed: Vec<_> = events.into_iter().map(|event| self.shared.route(Arc::new(event))).collect();
        self.with(|state, effects| {
            state.check_open()?;
            let record = state.record(id)?;
            let (definition, status) = (record.program.definition, record.status);
            let correlation = record.subscriber.correlation.clone();
            let Some(execution) = state.number(id) else { return Err(EngineError::UnknownExecution(id.to_owned())) };
            let settings = Object::new();
            let addressee = Addressee { execution, workflow: definition.name, status };
            let Ok(sent) = send(&mut self.shared.delivery(state, &settings, effects), addressee, &routed);
            let execution = id.to_owned();
            match sent {
                Sent::Delivered(events) => Ok(events),
                Sent::NotNow(_) => Err(EngineError::NotNow { execution, status, asked: "signalled" }),
                Sent::Unwanted(event) => {
                    let versions = self.shared.definitions().filter(|one| one.name == definition.name);
                    let kinds = versions.flat_map(|one| one.events);
                    let reason = UnwantedEvent::new(kinds, &event.event, Some(&correlation));
                    let problem = reason.to_string();
                    Err(EngineError::UnwantedEvent { execution, problem, reason: Some(Box::new(reason)) })
                }
                Sent::Full => Err(EngineError::InboxFull(execution)),
            }
        })
    }

    fn publish_events(&self, publication: Publication) -> Result<Vec<Reached>, EngineError> {
        let routed: Vec<_> = publication.events.into_iter().map(|event| self.shared.route(Arc::new(event))).collect();
        let (may_start, settings) = (publication.starts.is_some(), publication.starts.unwrap_or_default());
        self.with(|state, effects| {
            state.check_open()?;
            let mut delivery = self.shared.delivery(state, &settings, effects);
            let publish_one = |event| {
                let now = delivery.now;
                let Ok(published) = publish(&mut delivery, event, may_start, now);
                Reached::new(published.executions, published.started, published.full)
            };
            Ok(routed.iter().map(publish_one).collect())
        })
    }

    fn list_executions(&self, filter: &Filter) -> Result<Vec<Summary>, EngineError> {
        self.with(|state, _| {
            let before = match &filter.before {
                Some(id) => state.number(id).ok_or_else(|| EngineError::UnknownExecution(id.clone()))?,
                None => u64::MAX,
            };
            let most = if filter.limit == 0 { usize::MAX } else { filter.limit as usize };
            let selected = state.records.all.range(..before).rev().map(|(_, record)| record).filter(|record| {
                filter.workflow.as_deref().is_none_or(|name| record.program.definition.name == name)
                    && filter.status.is_none_or(|status| record.status == status)
                    && filter.key.as_deref().is_none_or(|key| record.key.as_deref() == Some(key))
                    && is_within(record.started, filter.started)
                    && is_within(record.ended, filter.ended)
            });
            Ok(selected.take(most).map(|record| record.summary()).collect())
        })
    }

    fn purge_executions(&self, older_than: Duration, what: Purge) -> Result<usize, EngineError> {
        self.with(|state, effects| {
            state.check_open()?;
            let now = self.shared.clock.now();
            let ended = state.records.all.iter().filter(|(_, record)| {
                // A parked execution has not ended. None is parked in memory.
                let is_older = record.ended.is_some_and(|ended| ended.plus(older_than) < now);
                is_older && record.status.is_over() && record.status != Status::Parked
            });
            let ended: Vec<u64> = ended.map(|(number, _)| *number).collect();
            match what {
                Purge::Histories => {
                    let histories = ended.iter().filter_map(|number| state.records.all.get(number));
                    Ok(histories.filter(|record| lock(&record.history).clear()).count())
                }
                Purge::Executions => {
                    let purged: std::collections::HashSet<u64> = ended.iter().copied().collect();
                    state.ended.retain(|number| !purged.contains(number));
                    effects.removed.extend(ended.iter().filter_map(|number| state.remove(*number)));
                    Ok(ended.len())
                }
            }
        })
    }
}

/// Returns the future of a result that is there.
fn ready<'a, T: Send + 'a>(result: Result<T, EngineError>) -> EngineFuture<'a, T> {
    Box::pin(std::future::ready(result))
}

/// Returns `true` for a time from the first of the range on, and before the second. A time that is
/// missing is in no range.
fn is_within(time: Option<Timestamp>, range: [Option<Timestamp>; 2]) -> bool {
    let [since, until] = range;
    since.is_none_or(|since| time.is_some_and(|time| time >= since))
        && until.is_none_or(|until| time.is_some_and(|time| time < until))
}

impl Engine for MemoryEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities::all("memory")
            .without(Capability::Redrives, "start a new execution")
            .without(Capability::Durability, "keep executions in a database")
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        let mut current = Vec::<&'static Definition>::new();
        for definition in self.shared.definitions() {
            if current.iter().all(|other| other.name != definition.name) {
                current.push(definition);
            }
        }
        current
    }

    fn start(&self, request: StartRequest) -> EngineFuture<'_, Started> {
        Box::pin(self.start_execution(request))
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move {
            let watcher = Watcher::of(lock(&self.shared.state).record(id)?.view.clone());
            let ended = std::future::poll_fn(|cx| {
                let outcome = watcher.watch(cx.waker()).outcome.clone();
                match outcome {
                    Some(outcome) => Poll::Ready(Ok(outcome)),
                    None if lock(&self.shared.state).is_stopped => Poll::Ready(Err(EngineError::Stopped)),
                    None => Poll::Pending,
                }
            });
            ended.await
        })
    }

    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        ready(self.cancel_execution(id, cause))
    }

    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        ready(self.update_run(id, update))
    }

    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        ready(self.signal_task(task, signal))
    }

    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        ready(self.send_events(id, events))
    }

    fn publish(&self, publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        ready(self.publish_events(publication))
    }

    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        ready(self.list_executions(filter))
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        ready(
            self.with(|state, _| state.record(id).map(|record| (record.summary(), lock(&record.view).outcome.clone()))),
        )
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        Box::pin(self.describe_execution(id))
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        Box::pin(self.waiting_of(id))
    }

    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        ready(self.with(|state, _| Ok(lock(&state.record(id)?.history).page(after, limit, bytes))))
    }

    fn purge(&self, older_than: Duration, what: Purge) -> EngineFuture<'_, usize> {
        ready(self.purge_executions(older_than, what))
    }

    fn counts(&self) -> EngineFuture<'_, Counts> {
        ready(self.with(|state, _| Ok(state.counts())))
    }

    fn without_tokens(&self, text: String) -> EngineFuture<'_, String> {
        ready(Ok(tokens::mask(&text, |uuid| self.shared.callbacks.expects(uuid))))
    }

    fn shut_down(&self, grace: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            let shared = &self.shared;
            lock(&shared.state).is_closed = true;
            shared.gauge.close();
            let idle = std::future::poll_fn(|cx| shared.gauge.poll_idle(cx));
            match select(idle, shared.clock.sleep_until(shared.clock.now().plus(grace))).await {
                Either::Left(_) | Either::Right(_) => shared.stop(),
            }
        })
    }
}
