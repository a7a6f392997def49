//! Callbacks: tasks whose outcome arrives by token.

use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM};
use workflow_runtime::machine::{Invocation, Op};
use workflow_runtime::{Fault, Timestamp};

use super::{Callback, Drive, Pending, Wait};
use crate::link::any_payload;
use crate::promises;
use crate::segment::HandedOut;

impl Drive<'_> {
    /// Lets a task hand its token out, and waits for the outcome by the token.
    pub(super) fn call_back(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let cx = self.context(&invocation);
        let token = invocation.token.as_deref().unwrap_or_default().to_owned();
        let (deadline, heartbeat) = (invocation.deadline(), invocation.heartbeat);
        let callback = Callback { token: token.clone(), deadline, heartbeat, silence: None };
        self.pending.insert(op, Pending { cx: Some(cx), callback: Some(callback), ..Pending::default() });
        self.command();
        let outcome = self.link.vm.sys_get_promise(promises::token(&token))?;
        self.wait(op, outcome, Wait::Token(op));
        if let Some(deadline) = deadline {
            let handle = self.sleep(deadline)?;
            self.wait(op, handle, Wait::Timeout(op, deadline));
        }
        let handed_out = self.standing.handed_out.get(&op.id).copied();
        let silent = invocation.heartbeat.map(|heartbeat| invocation.issued.plus(heartbeat));
        let HandedOut { beats, silent } = handed_out.unwrap_or(HandedOut { beats: 0, silent });
        self.expect_beat(op, beats, silent)?;
        if handed_out.is_none() {
            self.command();
            let known = NonEmptyValue::Success(Bytes::from_static(b"true"));
            let known = self.link.vm.sys_complete_promise(promises::known(&token), known, any_payload())?;
            self.wait(op, known, Wait::Known(op, invocation));
        }
        Ok(())
    }

    /// Runs the task that hands its token out. Who has it from there finds that the token is known.
    pub(super) fn hand_out(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let Some(cx) = self.pending.get(&op).and_then(|pending| pending.cx.clone()) else { return Ok(()) };
        let handle = self.run_task(invocation, cx)?;
        self.wait(op, handle, Wait::HandOut(op));
        Ok(())
    }

    /// Why what was said at this time for a token was said too late, whether Restate has told that its time was over or not.
    pub(super) fn too_late(&self, op: Op, at: Timestamp) -> Option<Fault> {
        let deadline = self.pending.get(&op)?.callback.as_ref()?.deadline;
        let silent = self.standing.handed_out.get(&op.id).and_then(|handed_out| handed_out.silent);
        let ends = [(deadline, Fault::timeout as fn() -> Fault), (silent, Fault::heartbeat_timeout)];
        let (end, fault) =
            ends.into_iter().filter_map(|(end, fault)| Some((end?, fault))).min_by_key(|(end, _)| *end)?;
        (at > end).then(fault)
    }

    /// Waits for the next sign of life for a token.
    pub(super) fn expect_beat(&mut self, op: Op, beats: u32, silent: Option<Timestamp>) -> Result<(), Error> {
        self.standing.handed_out.insert(op.id, HandedOut { beats, silent });
        let Some((silent, pending)) = silent.zip(self.pending.get_mut(&op)) else { return Ok(()) };
        let Some(callback) = &mut pending.callback else { return Ok(()) };
        let beat = promises::beat(&callback.token, beats);
        if let Some(before) = callback.silence.take() {
            self.waits.remove(&before);
        }
        let silence = self.sleep(silent)?;
        self.command();
        let beat = self.link.vm.sys_get_promise(beat)?;
        if let Some(callback) = self.pending.get_mut(&op).and_then(|pending| pending.callback.as_mut()) {
            callback.silence = Some(silence);
        }
        self.wait(op, silence, Wait::Silence(op, silent));
        self.wait(op, beat, Wait::Beat(op));
        Ok(())
    }
}
