//! Callbacks: tasks whose outcome arrives by token.

use std::sync::Arc;

use restate_sdk_shared_core::{Error, VM};
use workflow_runtime::Timestamp;
use workflow_runtime::machine::{Invocation, Op};

use super::{Callback, Drive, Pending, Wait};
use crate::promises;
use crate::segment::HandedOut;

impl Drive<'_> {
    /// Lets a task hand its token out, and waits for the outcome by the token.
    pub(super) fn call_back(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let cx = self.context(&invocation);
        let token = invocation.token.as_deref().unwrap_or_default().to_owned();
        let callback = Callback { token: token.clone(), heartbeat: invocation.heartbeat, silence: None };
        self.pending.insert(op, Pending { cx: Some(cx.clone()), callback: Some(callback), ..Pending::default() });
        self.command();
        let outcome = self.link.vm.sys_get_promise(promises::token(&token))?;
        self.wait(op, outcome, Wait::Token(op));
        if let Some(deadline) = invocation.deadline() {
            let handle = self.sleep(deadline)?;
            self.wait(op, handle, Wait::Timeout(op, deadline));
        }
        let handed_out = self.standing.handed_out.get(&op.id).copied();
        let silent = invocation.heartbeat.map(|heartbeat| invocation.issued.plus(heartbeat));
        let HandedOut { beats, silent } = handed_out.unwrap_or(HandedOut { beats: 0, silent });
        self.expect_beat(op, beats, silent)?;
        if handed_out.is_none() {
            let handle = self.run_task(invocation, cx)?;
            self.wait(op, handle, Wait::HandOut(op));
        }
        Ok(())
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
