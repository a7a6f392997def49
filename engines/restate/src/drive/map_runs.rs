//! Runs of distributed Maps: they read items, write results, and have many children.
//!
//! The items and the answers of the writer are journaled. The journal is bounded: a run begins
//! nothing while it has many children, or when the journal is long. What it has issued until then
//! is in its snapshot, or is issued again by the next invocation, from the cursor of the run.
//!
//! A child costs few entries. Children that end at about the same time share the entry with their
//! time. Before another invocation continues, the run asks of each child that still runs whether
//! it was started.

use std::collections::BTreeSet;
use std::sync::Arc;

use restate_sdk_shared_core::{Error, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::Timestamp;
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::machine::{Call, Occurrence, Op, Outcome};
use workflow_runtime::objects::{ReadItems, WriteResults};

use super::{Drive, Run, Wait, read};
use crate::connection::any_payload;
use crate::journal::{self, NO_TIME};
use crate::links::Child;
use crate::promises;

/// Journal entries of the limit for each child that runs at the same time. The next invocation
/// attaches to each of them.
const ENTRIES_FOR_CHILD: u64 = 2;

/// Limit of the bytes of the inputs of running children. At this limit no more children start.
/// The next invocation receives them in one message, besides results.
const INPUT_BYTES: u64 = 8 << 20;

/// Children of a run, as far as this invocation has started them or attached to them.
#[derive(Default)]
pub(super) struct FollowedChildren {
    /// Number of those that have not ended.
    count: u64,
    /// Bytes of their inputs.
    input_bytes: u64,
    /// Operations of their calls that may have been refused.
    uncertain: BTreeSet<u64>,
    /// Children that have ended, while the time is being journaled.
    ended: Vec<(Op, Outcome)>,
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

    /// Lets `status` find the numbers of items of a run that ends.
    pub(super) fn publish_items(&mut self) -> Result<(), Error> {
        let Some(items) = self.execution.map_counts() else { return Ok(()) };
        self.command();
        let items = NonEmptyValue::Success(journal::encode(NO_TIME, &Ok(items.to_value())));
        let promise = promises::of_try(&self.state.of_try, promises::ITEMS);
        self.connection.vm.sys_complete_promise(promise, items, any_payload())?;
        Ok(())
    }

    fn use_stores(&mut self, op: Op, name: &str, run: Run) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        let handle = self.journal_run(name, run)?;
        self.wait(op, handle, Wait::Task(op));
        Ok(())
    }

    /// Awaits the next change of a run, if the execution is one.
    pub(super) fn expect_update(&mut self) -> Result<(), Error> {
        if let Some(before) = self.state.updates {
            self.command();
            let update = self.connection.vm.sys_get_promise(promises::update(before))?;
            self.waits.insert(update, Wait::Update);
        }
        Ok(())
    }

    /// Applies a change, and awaits the next one.
    pub(super) async fn on_update(&mut self, value: Notified) -> Result<(), Error> {
        self.attach_observers();
        self.keep_state();
        self.state.updates = self.state.updates.map(|before| before + 1);
        // The handler that resolves the promise has checked the numbers.
        let (at, update) = read(value);
        if let Ok(Ok(update)) = update.map(|update| MapUpdate::from_value(&update)) {
            self.now = self.now.max(at);
            self.execution.apply(at, Occurrence::Updated(update));
            self.run_turn().await;
        }
        self.expect_update()
    }

    /// Returns `true` if the execution is a run of a Map that begins no more commands for now.
    /// It attaches to all children of earlier invocations, whose calls are issued again.
    pub(super) fn holds_commands(&self) -> bool {
        if !self.is_map_run {
            return false;
        }
        let FollowedChildren { count, input_bytes, .. } = self.followed;
        let most_children = (self.state.limits.journal / ENTRIES_FOR_CHILD).max(1);
        let has_many = count >= most_children || input_bytes >= INPUT_BYTES;
        self.is_overlong()
            || (has_many || self.has_more_than_allowed()) && count >= self.state.links.children.len() as u64
    }

    /// Returns `true` if the limit of children at once was lowered, and as many run as it allows.
    /// The run had issued the calls of more children, which wait for the end of others.
    fn has_more_than_allowed(&self) -> bool {
        let issued = self.execution.map_counts().map_or(0, |counts| counts.running);
        self.execution.max_children().is_some_and(|most| issued > most && self.followed.count >= most)
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
            self.followed.uncertain.remove(&op.id);
        }
        let child = self.state.links.children.remove(&op.id)?;
        self.keep_child(op, &child);
        Some(child)
    }

    /// Returns `true` if nothing has to be asked about the start of the child of an operation now.
    pub(super) fn asks_later(&mut self, op: Op) -> bool {
        self.is_map_run && self.followed.uncertain.insert(op.id)
    }

    /// Asks whether the children that run were started, so that the next invocation can attach to
    /// them. Returns `false` if nothing is to be asked.
    pub(super) fn ask_for_starts(&mut self) -> Result<bool, Error> {
        let uncertain = std::mem::take(&mut self.followed.uncertain);
        let children = uncertain.iter().filter_map(|op| self.state.links.children.get(op));
        let children: Vec<_> = children.map(Child::execution).collect();
        let asks = !children.is_empty();
        for child in children {
            self.command();
            let started = self.connection.vm.sys_get_invocation_output(child)?;
            self.waits.insert(started, Wait::Started);
        }
        Ok(asks)
    }

    /// Handles the end of a child of a run. Its time is journaled with that of others.
    pub(super) fn on_child_of_run_ended(&mut self, op: Op, outcome: Outcome) -> Result<(), Error> {
        self.drop_waits_of(op);
        self.followed.ended.push((op, outcome));
        if self.followed.ended.len() == 1 {
            let handle = self.journal_run("now", Run::Now)?;
            self.waits.insert(handle, Wait::ChildrenEnded);
        }
        Ok(())
    }

    /// Delivers the outcomes of the children that have ended.
    pub(super) async fn on_children_ended(&mut self, at: Timestamp) -> Result<(), Error> {
        for (op, outcome) in std::mem::take(&mut self.followed.ended) {
            self.complete(op, at, outcome).await?;
        }
        Ok(())
    }
}
