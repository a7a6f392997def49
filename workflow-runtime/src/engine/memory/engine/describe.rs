//! Descriptions of executions.

use std::task::Poll;

use super::MemoryEngine;
use super::state::{Record, State};
use super::view::{Watcher, lock};
use crate::coordination::link::Awaited;
use crate::engine::driver::Message;
use crate::engine::{Child, Deadline, Description, EngineError, Status, WaitsAt, WaitsFor};
use crate::machine::{self, AwaitedEvent, Waiting};
use crate::observe::PathStep;

/// The most children that a description has.
const LISTED_CHILDREN: usize = 100;

impl MemoryEngine {
    /// Returns the waiting branches of an execution. A running one answers as soon as its turn is
    /// over.
    pub(super) async fn waiting_of(&self, id: &str) -> Result<Vec<WaitsAt>, EngineError> {
        let (view, messages) = {
            let state = lock(&self.shared.state);
            let record = state.record(id)?;
            if record.status != Status::Running || state.is_stopped {
                return Ok(Vec::new());
            }
            (record.view.clone(), record.subscriber.messages.clone())
        };
        let watcher = Watcher::of(view.clone());
        let request = lock(&view).request();
        messages.push(Message::Inspect);
        let answer = std::future::poll_fn(|cx| {
            drop(watcher.watch(cx.waker()));
            let state = lock(&self.shared.state);
            let record = match state.record(id) {
                Ok(record) if record.status == Status::Running && !state.is_stopped => record,
                _ => return Poll::Ready(Vec::new()),
            };
            match lock(&view).description(request) {
                Some(waiting) => Poll::Ready(waiting.iter().map(|wait| waits_at(wait, record)).collect()),
                None => Poll::Pending,
            }
        });
        Ok(answer.await)
    }

    /// Describes an execution in full.
    pub(super) async fn describe_execution(&self, id: &str) -> Result<Description, EngineError> {
        let waiting = self.waiting_of(id).await?;
        let state = lock(&self.shared.state);
        let record = state.record(id)?;
        let mut description = Description::new(record.summary());
        description.input = Some(record.input.clone());
        {
            let view = lock(&record.view);
            description.outcome.clone_from(&view.outcome);
            (description.deadline, description.items) = (view.deadline, view.items);
        }
        description.correlation = Some(record.subscriber.correlation.to_string());
        description.waiting = if record.status == Status::Running { waiting } else { Vec::new() };
        let parent = record.link.as_ref().and_then(|link| state.records.all.get(&link.parent));
        description.parent = parent.map(|parent| parent.subscriber.id.to_string());
        description.children = children(&state, record);
        Ok(description)
    }
}

fn children(state: &State, record: &Record) -> Vec<Child> {
    let children = record.children.iter().rev().filter_map(|number| state.records.all.get(number));
    let described = children.map(|child| {
        let awaited = child.link.as_ref().is_some_and(|link| link.awaited != Awaited::No);
        Child::new(&*child.subscriber.id, child.program.definition.name, child.status, awaited)
    });
    described.take(LISTED_CHILDREN).collect()
}

fn waits_at(wait: &Waiting, record: &Record) -> WaitsAt {
    let mut waits = WaitsAt::new(wait.state, WaitsFor::Nothing);
    waits.frame = wait.op.frame.0;
    let path: Vec<String> = wait.path.iter().map(|PathStep { state, index, .. }| format!("{state}[{index}]")).collect();
    waits.path = Some(path.join("/"));
    match &wait.waits_for {
        machine::WaitsFor::Task { key, deadline, first_heartbeat, token, handed_over } => {
            waits.waits_for = match token {
                Some(_) => WaitsFor::Token((*key).to_owned()),
                None => WaitsFor::Task((*key).to_owned()),
            };
            waits.token = token.as_ref().map(ToString::to_string);
            let heartbeat = first_heartbeat.filter(|_| *handed_over);
            (waits.until, waits.deadline) = match (deadline, heartbeat) {
                (Some(deadline), Some(heartbeat)) if heartbeat >= *deadline => {
                    (Some(*deadline), Some(Deadline::Timeout))
                }
                (_, Some(heartbeat)) => (Some(heartbeat), Some(Deadline::Heartbeat)),
                (Some(deadline), None) => (Some(*deadline), Some(Deadline::Timeout)),
                (None, None) => (None, None),
            };
        }
        machine::WaitsFor::Time(until) => {
            waits.waits_for = WaitsFor::Time;
            (waits.until, waits.deadline) = (Some(*until), Some(Deadline::Wait));
        }
        machine::WaitsFor::Event(reception) => {
            let events = reception.events.iter().map(|kind| AwaitedEvent::from(*kind));
            waits.waits_for = WaitsFor::Event(events.collect());
            (waits.until, waits.deadline) = (reception.until, reception.until.map(|_| Deadline::Timeout));
        }
        machine::WaitsFor::Published(_) => {}
        machine::WaitsFor::Child(call) => {
            let workflow = match &call.target {
                machine::Target::Workflow(name) => name.to_string(),
                machine::Target::Entry(_) | machine::Target::Map(_) => String::new(),
            };
            waits.waits_for = WaitsFor::Child(workflow);
            waits.child = Some(call.execution_id(&record.subscriber.id));
            waits.until = call.deadline();
            waits.deadline = waits.until.map(|_| Deadline::Timeout);
        }
        machine::WaitsFor::Batch { first, items } => {
            waits.waits_for = WaitsFor::Items(format!("{first}-{}", first.saturating_add(items.saturating_sub(1))));
        }
        machine::WaitsFor::Map(counts) => waits.waits_for = WaitsFor::Map(*counts),
        machine::WaitsFor::Objects => {}
        machine::WaitsFor::Children { .. } => waits.waits_for = WaitsFor::Branches,
    }
    waits
}
