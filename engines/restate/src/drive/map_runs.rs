//! Runs of distributed Maps: they read items, write results, and have many children.
//!
//! The items and the answers of the writer are journaled. The journal is bounded: a run begins
//! nothing while it has many children, or when the journal is long. What it has issued until then
//! is in its snapshot, or is issued again by the next invocation, from the cursor of the run.

use std::sync::Arc;

use restate_sdk_shared_core::Error;
use workflow_runtime::machine::{Call, Op};
use workflow_runtime::objects::{ReadItems, WriteResults};

use super::{Drive, Run, Wait};
use crate::links::Child;

/// Journal entries of the limit for each child that runs at the same time. The next invocation
/// attaches to each of them.
const ENTRIES_FOR_CHILD: u64 = 2;

/// Bytes of the inputs of running children from which on no more start. The next invocation
/// receives them in one message, besides results, and Restate limits messages to 32 MiB.
const INPUT_BYTES: u64 = 8 << 20;

/// Children of a run that this invocation has started or attached to, and that have not ended.
#[derive(Clone, Copy, Default)]
pub(super) struct FollowedChildren {
    count: u64,
    /// Bytes of their inputs.
    input_bytes: u64,
}

impl Drive<'_> {
    /// Reads items.
    pub(super) fn read_items(&mut self, op: Op, request: Arc<ReadItems>) -> Result<(), Error> {
        self.use_stores(op, "read", Run::Read(op, request))
    }

    /// Writes results.
    pub(super) fn write_results(&mut self, op: Op, request: Arc<WriteResults>) -> Result<(), Error> {
        self.use_stores(op, "write", Run::Write(op, request))
    }

    fn use_stores(&mut self, op: Op, name: &str, run: Run) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        let handle = self.journal_run(name, run)?;
        self.wait(op, handle, Wait::Task(op));
        Ok(())
    }

    /// Returns `true` if the execution is a run of a Map that begins no more commands for now.
    /// It attaches to all children of earlier invocations, whose calls are issued again.
    pub(super) fn holds_commands(&self) -> bool {
        if !self.is_map_run {
            return false;
        }
        let FollowedChildren { count, input_bytes } = self.followed;
        let most_children = (self.state.limits.journal / ENTRIES_FOR_CHILD).max(1);
        let has_many = count >= most_children || input_bytes >= INPUT_BYTES;
        self.is_overlong() || has_many && count >= self.state.links.children.len() as u64
    }

    /// Counts a child that a run starts or attaches to.
    pub(super) fn follow_child(&mut self, op: Op, call: &Call) {
        if self.is_map_run
            && let Some(pending) = self.pending.get_mut(&op)
        {
            let bytes = call.input.json_len(INPUT_BYTES).unwrap_or(INPUT_BYTES);
            pending.input_bytes = Some(bytes);
            self.followed.count += 1;
            self.followed.input_bytes += bytes;
        }
    }

    /// Records that a child has ended or is no longer awaited.
    pub(super) fn forget_child(&mut self, op: Op) -> Option<Child> {
        if let Some(bytes) = self.pending.get_mut(&op).and_then(|pending| pending.input_bytes.take()) {
            self.followed.count -= 1;
            self.followed.input_bytes -= bytes;
        }
        self.state.links.children.remove(&op.id)
    }
}
