//! Runs in this process, whose results are journaled.

use std::sync::Arc;

use futures_util::future::AbortHandle;
use restate_sdk_shared_core::{Error, NotificationHandle, VM};
use workflow_runtime::machine::{Invocation, Op, Outcome};
use workflow_runtime::objects::{ReadItems, WriteResults};
use workflow_runtime::{CloudEvent, TaskContext, Value};

use super::Drive;
use crate::endpoint::Service;
use crate::task_run::{self, RunFuture};

/// Run in this process.
pub(super) enum Run {
    Task(Arc<Invocation>, TaskContext),
    Now,
    /// Journals this outcome.
    Keep(Outcome),
    /// Sends the event of an operation to the sink.
    Send(Op, Arc<CloudEvent>),
    /// Reads items for a distributed Map.
    Read(Op, Arc<ReadItems>),
    /// Writes results of a distributed Map.
    Write(Op, Arc<WriteResults>),
}

impl Drive<'_> {
    /// Journals the run of a task.
    pub(super) fn run_task(
        &mut self,
        invocation: Arc<Invocation>,
        cx: TaskContext,
    ) -> Result<NotificationHandle, Error> {
        let key = invocation.task.key;
        self.journal_run(key, Run::Task(invocation, cx))
    }

    /// Journals a run: its result is kept.
    pub(super) fn journal_run(&mut self, name: &str, run: Run) -> Result<NotificationHandle, Error> {
        self.command();
        let asked = self.connection.vm.sys_run(name.into())?;
        if !asked.replayed {
            self.runs.insert(asked.handle, run);
        }
        Ok(asked.handle)
    }

    /// Returns a run as a future.
    pub(super) fn begin_run(&mut self, handle: NotificationHandle, run: Run) -> RunFuture {
        let mut stopped_for = |op| {
            let (stop, stopped) = AbortHandle::new_pair();
            if let Some(pending) = self.pending.get_mut(&op) {
                pending.stop = Some(stop);
            }
            stopped
        };
        let Service { tasks, sink, objects, .. } = self.service;
        match run {
            Run::Task(invocation, cx) => task_run::run_task(handle, tasks.clone(), invocation, cx),
            Run::Now => task_run::completed(handle, &Ok(Value::Null)),
            Run::Keep(outcome) => task_run::completed(handle, &outcome),
            Run::Send(op, event) => task_run::send_event(handle, sink.clone(), event, stopped_for(op)),
            Run::Read(op, request) => {
                let stopped = stopped_for(op);
                task_run::read_items(handle, objects.clone(), self.items.clone(), request, stopped)
            }
            Run::Write(op, request) => task_run::write_results(handle, objects.clone(), request, stopped_for(op)),
        }
    }
}
