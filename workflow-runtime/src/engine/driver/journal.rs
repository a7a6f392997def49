//! What an engine does with an execution between a completion and what the completion has caused.

use crate::machine::{Execution, Program};
use crate::time::Timestamp;

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

    /// Whether an execution should be let go that has no task under way, and nothing to do before this time, or before an
    /// outcome arrives by token.
    fn lets_go(&self, until: Option<Timestamp>) -> bool;
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
}
