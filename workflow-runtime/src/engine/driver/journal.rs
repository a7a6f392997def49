//! What an engine does with an execution between a completion and what the completion has caused, and what an execution
//! reaches beyond its tasks.

use std::sync::Arc;

use super::Environment;
use crate::event::CloudEvent;
use crate::machine::{Call, Execution, Op, Outcome, Program};
use crate::time::Timestamp;
use crate::value::Value;

/// The engine can no longer keep the execution: it is left as it was last committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Keeps an execution: what has happened is kept before anything that it caused begins.
pub trait Journal: Send {
    /// Whether anything is kept. Where nothing is, nothing is waited for.
    const KEEPS: bool;

    /// Keeps what has happened since the last time. Commands that it caused begin when this has ended.
    fn commit(
        &mut self,
        execution: &mut Box<dyn Execution>,
        program: Program,
    ) -> impl Future<Output = Result<(), Stopped>> + Send;

    /// Whether an execution should be let go that has no task under way, and nothing to do before this time, or before
    /// something arrives.
    fn lets_go(&self, until: Option<Timestamp>) -> bool;

    /// Begins the execution that a frame asks for.
    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> Begun;

    /// Nobody waits any more for the execution that this operation has begun.
    fn abandon(&mut self, op: Op);

    /// The whole run is about to end: the execution that this operation has begun is to end, too, when what it does is
    /// completed. That is waited for.
    fn terminate(&mut self, op: Op);

    /// Publishes an event. A frame goes on when that is done.
    fn publish(&mut self, caller: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome;

    /// An event is about to be delivered to the execution, the one of this number. `false` if it has been before.
    fn receives(&mut self, number: u64) -> bool;
}

/// The execution that asks for something.
pub struct Caller<'c> {
    /// Its workflow.
    pub program: Program,
    /// What it runs with.
    pub environment: &'c Environment,
    /// The execution.
    pub execution: &'c dyn Execution,
}

/// How the outcome of an execution arrives at the one that has started it.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// It is there.
    Done(Outcome),
    /// The execution is to run in the same future.
    Here,
    /// It will be in the mailbox.
    ByMail,
}

/// Keeps nothing.
pub struct Volatile;

impl Journal for Volatile {
    const KEEPS: bool = false;

    async fn commit(&mut self, _: &mut Box<dyn Execution>, _: Program) -> Result<(), Stopped> {
        Ok(())
    }

    fn lets_go(&self, _: Option<Timestamp>) -> bool {
        false
    }

    fn call(&mut self, _: Caller<'_>, _: Op, _: &Arc<Call>) -> Begun {
        Begun::Here
    }

    fn abandon(&mut self, _: Op) {}

    fn terminate(&mut self, _: Op) {}

    fn publish(&mut self, caller: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome {
        if let Some(hub) = &caller.environment.hub {
            hub.publish_once(event);
        }
        Ok(Value::Null)
    }

    fn receives(&mut self, _: u64) -> bool {
        true
    }
}
