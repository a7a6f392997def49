//! Callbacks: tasks whose outcome arrives by token.

use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, NotificationHandle, VM, Value as Notified};
use workflow_runtime::machine::{Invocation, Op, Outcome};
use workflow_runtime::{Fault, Timestamp};

use super::{Callback, Drive, Pending, Wait};
use crate::journal::{self, NO_TIME};
use crate::link::any_payload;
use crate::promises;
use crate::segment::HandedOut;

/// What is said of a task whose outcome arrives by token, and holds if no sign of life was missing before.
pub(super) enum Said {
    /// This was its outcome, at this time.
    Outcome(Timestamp, Outcome),
    /// It took until this time, which is too long.
    TimeIsOver(Timestamp),
    /// It was silent for too long.
    Nothing,
}

impl Drive<'_> {
    /// Lets a task hand its token out, and waits for the outcome by the token.
    pub(super) fn call_back(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let cx = self.context(&invocation);
        let token = invocation.token.as_deref().unwrap_or_default().to_owned();
        let (deadline, heartbeat) = (invocation.deadline(), invocation.heartbeat);
        let callback = Callback { token: token.clone(), deadline, heartbeat, signs: Vec::new() };
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

    /// When a callback is given up, and when it will have been silent for too long, as far as is known.
    fn ends(&self, op: Op) -> (Option<Timestamp>, Option<Timestamp>) {
        let callback = self.pending.get(&op).and_then(|pending| pending.callback.as_ref());
        let silent = self.standing.handed_out.get(&op.id).and_then(|handed_out| handed_out.silent);
        (callback.and_then(|callback| callback.deadline), silent)
    }

    /// Ends an operation as it was said, if that was in time, whether Restate has told that its time was over or not.
    pub(super) async fn judge(&mut self, op: Op, said: Said) -> Result<(), Error> {
        let (deadline, silent) = self.ends(op);
        let before = |silent: Timestamp| match &said {
            Said::Outcome(at, _) => silent < *at && deadline.is_none_or(|deadline| silent < deadline),
            Said::TimeIsOver(at) => silent < *at,
            Said::Nothing => true,
        };
        if silent.is_some_and(before) {
            // Signs of life that arrived while no process ran are heard of one by one, and there may be more of them.
            self.forget_all_of(op);
            return self.look_for_sign(op, said);
        }
        match said {
            Said::Outcome(at, _) if deadline.is_some_and(|deadline| at > deadline) => {
                self.complete(op, at, Err(Fault::timeout())).await
            }
            Said::Outcome(at, outcome) => self.complete(op, at, outcome).await,
            Said::TimeIsOver(at) => self.ask_time(op, at, Err(Fault::timeout())),
            Said::Nothing => Ok(()),
        }
    }

    /// Asks whether there is a further sign of life for a token.
    pub(super) fn look_for_sign(&mut self, op: Op, said: Said) -> Result<(), Error> {
        let Some(beats) = self.standing.handed_out.get(&op.id).map(|handed_out| handed_out.beats) else {
            return Ok(());
        };
        let Some(callback) = self.pending.get(&op).and_then(|pending| pending.callback.as_ref()) else { return Ok(()) };
        let beat = promises::beat(&callback.token, beats);
        self.command();
        let sign = self.link.vm.sys_peek_promise(beat)?;
        self.wait_for_sign(op, sign, Wait::Sign(op, said));
        Ok(())
    }

    /// It is known whether there is a further sign of life. One that was given too late is none.
    pub(super) async fn signed(&mut self, op: Op, said: Said, sign: Notified) -> Result<(), Error> {
        let (_, silent) = self.ends(op);
        let sign = if let Notified::Success(entry) = sign { Some(journal::decode(&entry).0) } else { None };
        let in_time = sign.filter(|at| silent.is_none_or(|silent| *at <= silent));
        match (in_time, said) {
            (Some(at), Said::Nothing) => self.beaten(op, at).await,
            (Some(at), said) => {
                let handed_out = self.after_beat(op, at);
                self.standing.handed_out.insert(op.id, handed_out);
                self.judge(op, said).await
            }
            (None, Said::Outcome(at, _)) => self.complete(op, at, Err(Fault::heartbeat_timeout())).await,
            (None, Said::TimeIsOver(_) | Said::Nothing) => {
                self.ask_time(op, silent.unwrap_or(NO_TIME), Err(Fault::heartbeat_timeout()))
            }
        }
    }

    /// A sign of life was given at this time.
    pub(super) async fn beaten(&mut self, op: Op, at: Timestamp) -> Result<(), Error> {
        let (deadline, silent) = self.ends(op);
        let ends = [(deadline, Fault::timeout as fn() -> Fault), (silent, Fault::heartbeat_timeout)];
        let first = ends.into_iter().filter_map(|(end, fault)| Some((end?, fault))).min_by_key(|(end, _)| *end);
        if let Some((_, fault)) = first.filter(|(end, _)| at > *end) {
            return self.complete(op, at, Err(fault())).await;
        }
        let HandedOut { beats, silent } = self.after_beat(op, at);
        self.expect_beat(op, beats, silent)
    }

    /// What is known of a token after a sign of life at this time.
    fn after_beat(&self, op: Op, at: Timestamp) -> HandedOut {
        let heartbeat = self.pending.get(&op).and_then(|pending| pending.callback.as_ref()?.heartbeat);
        let beats = self.standing.handed_out.get(&op.id).map_or(0, |handed_out| handed_out.beats);
        HandedOut { beats: beats + 1, silent: heartbeat.map(|heartbeat| at.plus(heartbeat)) }
    }

    /// Waits for the next sign of life for a token.
    pub(super) fn expect_beat(&mut self, op: Op, beats: u32, silent: Option<Timestamp>) -> Result<(), Error> {
        self.standing.handed_out.insert(op.id, HandedOut { beats, silent });
        let Some((silent, pending)) = silent.zip(self.pending.get_mut(&op)) else { return Ok(()) };
        let Some(callback) = &mut pending.callback else { return Ok(()) };
        let beat = promises::beat(&callback.token, beats);
        for before in std::mem::take(&mut callback.signs) {
            self.waits.remove(&before);
        }
        let silence = self.sleep(silent)?;
        self.command();
        let beat = self.link.vm.sys_get_promise(beat)?;
        self.wait_for_sign(op, silence, Wait::Silence(op));
        self.wait_for_sign(op, beat, Wait::Beat(op));
        Ok(())
    }

    fn wait_for_sign(&mut self, op: Op, handle: NotificationHandle, wait: Wait) {
        if let Some(callback) = self.pending.get_mut(&op).and_then(|pending| pending.callback.as_mut()) {
            callback.signs.push(handle);
        }
        self.wait(op, handle, wait);
    }
}
