//! The interface between a driver and its engine: persistence of the execution, child executions,
//! and events.

use std::sync::Arc;

use super::Environment;
use crate::event::CloudEvent;
use crate::machine::{Call, Execution, Op, Outcome, Program};
use crate::time::Timestamp;
use crate::value::Value;

/// The error of an engine that can no longer persist the execution. The execution remains as last
/// committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The persistence of an execution. The engine commits a completion before any command that it
/// caused begins.
pub trait Journal: Send {
    /// `true` if the engine persists executions. Otherwise, the driver never commits.
    const IS_DURABLE: bool;

    /// Persists the changes since the last commit. The driver begins new commands only afterwards.
    fn commit(
        &mut self,
        execution: &mut Box<dyn Execution>,
        program: Program,
    ) -> impl Future<Output = Result<(), Stopped>> + Send;

    /// Observes an execution that has issued its commands, before it waits or lets others run.
    fn inspect(&mut self, execution: &dyn Execution) {
        let _ = execution;
    }

    /// Returns `true` if the driver should suspend an execution without running tasks, which has
    /// nothing to do before `until` or the next message.
    fn should_suspend(&self, until: Option<Timestamp>) -> bool;

    /// Returns `true` if the execution stays in memory while it waits for children that run
    /// elsewhere.
    fn keeps_loaded(&self) -> bool {
        false
    }

    /// Starts the child execution that a frame asks for.
    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> ChildStart;

    /// Releases the child execution of an operation that is no longer awaited.
    fn abandon(&mut self, op: Op);

    /// Terminates the child execution of an operation, because the whole execution terminates. The
    /// driver waits for the child.
    fn terminate(&mut self, op: Op);

    /// Publishes an event. The frame continues afterwards.
    fn publish(&mut self, caller: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome;

    /// Records the delivery of the event with this number. Returns `false` if the event was
    /// delivered before.
    fn is_new_event(&mut self, number: u64) -> bool;
}

/// The execution that issues a request.
pub struct Caller<'c> {
    /// The workflow of the execution.
    pub program: Program,
    /// The environment of the execution.
    pub environment: &'c Environment,
    /// The execution.
    pub execution: &'c dyn Execution,
    /// `true` if the execution is a run of a distributed Map.
    pub is_map_run: bool,
}

/// The way in which the parent receives the outcome of a child execution.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildStart {
    /// The outcome is known.
    Completed(Outcome),
    /// The driver runs the child in the same future.
    InProcess,
    /// The outcome will arrive as a message.
    Remote,
}

/// A journal that persists nothing.
pub struct Volatile;

impl Journal for Volatile {
    const IS_DURABLE: bool = false;

    /// Returns a small future: a waiting execution in memory holds it.
    fn commit(&mut self, _: &mut Box<dyn Execution>, _: Program) -> impl Future<Output = Result<(), Stopped>> + Send {
        std::future::ready(Ok(()))
    }

    fn should_suspend(&self, _: Option<Timestamp>) -> bool {
        false
    }

    fn call(&mut self, _: Caller<'_>, _: Op, _: &Arc<Call>) -> ChildStart {
        ChildStart::InProcess
    }

    fn abandon(&mut self, _: Op) {}

    fn terminate(&mut self, _: Op) {}

    fn publish(&mut self, caller: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome {
        if let Some(hub) = &caller.environment.hub {
            hub.publish_from_inside(event);
        }
        Ok(Value::Null)
    }

    fn is_new_event(&mut self, _: u64) -> bool {
        true
    }
}
