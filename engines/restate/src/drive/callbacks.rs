//! Callbacks: tasks whose outcome arrives by token.

use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, NotificationHandle, VM, Value as Notified};
use workflow_runtime::machine::{Invocation, Op, Outcome};
use workflow_runtime::{Fault, Timestamp};

use super::{Callback, Drive, Pending, Wait};
use crate::connection::any_payload;
use crate::journal::{self, NO_TIME};
use crate::promises;
use crate::segment::HandedOut;

/// Pending end of a callback. It applies unless a heartbeat was missing before.
pub(super) enum PendingEnd {
    /// The task ended with this outcome, at this time.
    Outcome(Timestamp, Outcome),
    /// The task timed out at this time.
    TimeIsOver(Timestamp),
    /// The task had no heartbeat in time.
    Nothing,
}

impl Drive<'_> {
    /// Lets a task hand its token out, and waits for the outcome by token.
    pub(super) fn begin_callback(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let cx = self.context(&invocation);
        let token = invocation.token().map(ToString::to_string).unwrap_or_default();
        let (deadline, heartbeat) = (invocation.deadline(), invocation.heartbeat());
        let callback = Callback { token: token.clone(), deadline, heartbeat, signs: Vec::new() };
        self.pending.insert(op, Pending { cx: Some(cx), callback: Some(callback), ..Pending::default() });
        self.command();
        let outcome = self.connection.vm.sys_get_promise(promises::token(&token))?;
        self.wait(op, outcome, Wait::Token(op));
        if let Some(deadline) = deadline {
            let handle = self.sleep(deadline)?;
            self.wait(op, handle, Wait::Timeout(op, deadline));
        }
        let handed_out = self.state.handed_out.get(&op.id).copied();
        let silent = invocation.heartbeat().map(|heartbeat| invocation.issued.plus(heartbeat));
        let HandedOut { beats, silent } = handed_out.unwrap_or(HandedOut { beats: 0, silent });
        self.expect_beat(op, beats, silent)?;
        if handed_out.is_none() {
            self.command();
            let known = NonEmptyValue::Success(Bytes::from_static(b"true"));
            let known =
                self.connection.vm.sys_complete_promise(promises::token_registered(&token), known, any_payload())?;
            self.wait(op, known, Wait::TokenRegistered(op, invocation));
        }
        Ok(())
    }

    /// Runs the task that hands its token out. Whoever receives the token finds it registered.
    pub(super) fn hand_out(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Error> {
        let Some(cx) = self.pending.get(&op).and_then(|pending| pending.cx.clone()) else { return Ok(()) };
        let handle = self.run_task(invocation, cx)?;
        self.wait(op, handle, Wait::HandOut(op));
        Ok(())
    }

    /// Returns the time-out and the heartbeat time-out of a callback, as far as known.
    fn ends(&self, op: Op) -> (Option<Timestamp>, Option<Timestamp>) {
        let callback = self.pending.get(&op).and_then(|pending| pending.callback.as_ref());
        let silent = self.state.handed_out.get(&op.id).and_then(|handed_out| handed_out.silent);
        (callback.and_then(|callback| callback.deadline), silent)
    }

    /// Ends an operation if the pending end came in time, whether or not Restate has reported the
    /// time-out.
    pub(super) async fn conclude(&mut self, op: Op, pending_end: PendingEnd) -> Result<(), Error> {
        let (deadline, silent) = self.ends(op);
        let before = |silent: Timestamp| match &pending_end {
            PendingEnd::Outcome(at, _) => silent < *at && deadline.is_none_or(|deadline| silent < deadline),
            PendingEnd::TimeIsOver(at) => silent < *at,
            PendingEnd::Nothing => true,
        };
        if silent.is_some_and(before) {
            // Heartbeats that arrived while no process ran are read one by one, and there may be
            // more.
            self.drop_waits_of(op);
            return self.look_for_sign(op, pending_end);
        }
        match pending_end {
            PendingEnd::Outcome(at, _) if deadline.is_some_and(|deadline| at > deadline) => {
                self.complete(op, at, Err(Fault::timeout())).await
            }
            PendingEnd::Outcome(at, outcome) => self.complete(op, at, outcome).await,
            PendingEnd::TimeIsOver(at) => self.request_time(op, at, Err(Fault::timeout())),
            PendingEnd::Nothing => Ok(()),
        }
    }

    /// Asks the journal for a further heartbeat.
    pub(super) fn look_for_sign(&mut self, op: Op, pending_end: PendingEnd) -> Result<(), Error> {
        let Some(beats) = self.state.handed_out.get(&op.id).map(|handed_out| handed_out.beats) else {
            return Ok(());
        };
        let Some(callback) = self.pending.get(&op).and_then(|pending| pending.callback.as_ref()) else { return Ok(()) };
        let beat = promises::heartbeat(&callback.token, beats);
        self.command();
        let sign = self.connection.vm.sys_peek_promise(beat)?;
        self.wait_for_sign(op, sign, Wait::Sign(op, pending_end));
        Ok(())
    }

    /// Handles the answer whether a further heartbeat arrived. A late one does not count.
    pub(super) async fn on_sign(&mut self, op: Op, pending_end: PendingEnd, sign: Notified) -> Result<(), Error> {
        let (_, silent) = self.ends(op);
        let sign = if let Notified::Success(entry) = sign { Some(journal::decode(&entry).0) } else { None };
        let in_time = sign.filter(|at| silent.is_none_or(|silent| *at <= silent));
        match (in_time, pending_end) {
            (Some(at), PendingEnd::Nothing) => self.on_heartbeat(op, at).await,
            (Some(at), pending_end) => {
                let handed_out = self.after_beat(op, at);
                self.state.handed_out.insert(op.id, handed_out);
                self.conclude(op, pending_end).await
            }
            (None, PendingEnd::Outcome(at, _)) => self.complete(op, at, Err(Fault::heartbeat_timeout())).await,
            (None, PendingEnd::TimeIsOver(_) | PendingEnd::Nothing) => {
                self.request_time(op, silent.unwrap_or(NO_TIME), Err(Fault::heartbeat_timeout()))
            }
        }
    }

    /// Handles a heartbeat of this time.
    pub(super) async fn on_heartbeat(&mut self, op: Op, at: Timestamp) -> Result<(), Error> {
        let (deadline, silent) = self.ends(op);
        let ends = [(deadline, Fault::timeout as fn() -> Fault), (silent, Fault::heartbeat_timeout)];
        let first = ends.into_iter().filter_map(|(end, fault)| Some((end?, fault))).min_by_key(|(end, _)| *end);
        if let Some((_, fault)) = first.filter(|(end, _)| at > *end) {
            return self.complete(op, at, Err(fault())).await;
        }
        let HandedOut { beats, silent } = self.after_beat(op, at);
        self.expect_beat(op, beats, silent)
    }

    /// Returns the state of a token after a heartbeat at this time.
    fn after_beat(&self, op: Op, at: Timestamp) -> HandedOut {
        let heartbeat = self.pending.get(&op).and_then(|pending| pending.callback.as_ref()?.heartbeat);
        let beats = self.state.handed_out.get(&op.id).map_or(0, |handed_out| handed_out.beats);
        HandedOut { beats: beats + 1, silent: heartbeat.map(|heartbeat| at.plus(heartbeat)) }
    }

    /// Waits for the next heartbeat of a token.
    pub(super) fn expect_beat(&mut self, op: Op, beats: u32, silent: Option<Timestamp>) -> Result<(), Error> {
        self.state.handed_out.insert(op.id, HandedOut { beats, silent });
        let Some((silent, pending)) = silent.zip(self.pending.get_mut(&op)) else { return Ok(()) };
        let Some(callback) = &mut pending.callback else { return Ok(()) };
        let beat = promises::heartbeat(&callback.token, beats);
        for before in std::mem::take(&mut callback.signs) {
            self.waits.remove(&before);
        }
        let silence = self.sleep(silent)?;
        self.command();
        let beat = self.connection.vm.sys_get_promise(beat)?;
        self.wait_for_sign(op, silence, Wait::Silence(op));
        self.wait_for_sign(op, beat, Wait::Heartbeat(op));
        Ok(())
    }

    fn wait_for_sign(&mut self, op: Op, handle: NotificationHandle, wait: Wait) {
        if let Some(callback) = self.pending.get_mut(&op).and_then(|pending| pending.callback.as_mut()) {
            callback.signs.push(handle);
        }
        self.wait(op, handle, wait);
    }
}
