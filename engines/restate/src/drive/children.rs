//! Children of an execution: started, awaited, attached to, and cancelled.

use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NotificationHandle, Target, TerminalFailure, VM, Value as Notified};
use workflow_runtime::fault::names::UNKNOWN_WORKFLOW;
use workflow_runtime::machine::{Call, Op, Outcome};
use workflow_runtime::{Fault, Value, value};

use super::{Drive, Run, Wait, read};
use crate::connection::{any_payload, target};
use crate::handlers::Handler;
use crate::journal::{self, MESSAGE_LIMIT, NO_TIME};
use crate::links::{self, Caller, Child};
use crate::proof;

/// Restate's refusal of a call whose key belongs to another execution.
const TAKEN: (u16, &str) = (409, "already invoked");

impl Drive<'_> {
    /// Starts a child, or attaches to one that an earlier invocation has started.
    pub(super) fn call(&mut self, op: Op, call: Arc<Call>) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        self.follow_child(op, &call);
        if let Some(child) = self.state.links.children.get(&op.id).cloned() {
            if self.redrive_child(op, &call, &child)? {
                return Ok(());
            }
            let outcome = self.attach(&child)?;
            return self.expect_child(op, &call, outcome);
        }
        if self.caller().names_own_workflow(&call) {
            return self.start_child(op, call, &self.service.name);
        }
        // The directory may differ in a replay.
        let name = call.workflow("");
        let service = self.journal_run("workflow", Run::Keep(self.service.directory.service_of(name)))?;
        self.wait(op, service, Wait::Service(op, call));
        Ok(())
    }

    /// Continues a call whose service is known.
    pub(super) async fn start_in_service(&mut self, op: Op, call: Arc<Call>, service: Notified) -> Result<(), Error> {
        match read(service) {
            (_, Ok(Value::String(service))) => self.start_child(op, call, &service),
            (at, Err(fault)) => self.complete(op, at, Err(fault)).await,
            // Journals of earlier versions say so here if no such workflow exists.
            (at, Ok(_)) => {
                let cause = format!("unknown workflow `{}`", call.workflow(""));
                self.complete(op, at, Err(Fault::new(UNKNOWN_WORKFLOW, cause))).await
            }
        }
    }

    fn start_child(&mut self, op: Op, call: Arc<Call>, service: &str) -> Result<(), Error> {
        let child = Child::of(&call, self.caller(), service);
        self.command();
        if call.detached {
            // A send is not refused if the key is taken, so the key is checked before.
            let found = self.connection.vm.sys_get_invocation_output(child.execution())?;
            self.wait(op, found, Wait::DetachedKey(op, call, child));
            return Ok(());
        }
        let input = match child_input(&call) {
            Ok(input) => input,
            Err(fault) => return self.request_time(op, NO_TIME, Err(fault)),
        };
        self.bytes += input.len() as u64;
        // Unlike a send, a call is refused if the key is taken.
        let run = self.child_target(&call, &child)?;
        let handles = self.connection.vm.sys_call(run, input, None, any_payload())?;
        // The request takes the same route as the call. Its answer shows that the call was
        // accepted or refused, so that the next invocation can attach to the child.
        if !self.asks_later(op) {
            self.command();
            let started = self.connection.vm.sys_get_invocation_output(child.execution())?;
            self.wait(op, started, Wait::Started);
        }
        self.state.links.children.insert(op.id, child);
        self.expect_child(op, &call, handles.call_notification_handle)
    }

    /// Starts a detached child unless its key is taken.
    pub(super) fn start_detached(&mut self, op: Op, call: &Call, child: Child, found: Notified) -> Result<(), Error> {
        let outcome = match (found, child_input(call)) {
            (Notified::Failure(TerminalFailure { code: 404, .. }), Ok(input)) => {
                let run = self.child_target(call, &child)?;
                self.command();
                self.connection.vm.sys_send(run, input, None, None, any_payload())?;
                self.keep_sent(op);
                Ok(child.key.into())
            }
            (Notified::Failure(TerminalFailure { code: 404, .. }), Err(fault)) => Err(fault),
            _ if self.has_sent(op) => Ok(child.key.into()),
            _ => Err(id_taken(&child)),
        };
        // A loop that only starts children must reach points where another invocation can
        // continue.
        self.request_time(op, NO_TIME, outcome)
    }

    /// Returns the target of a call. Before the first part that is called, the part can check the
    /// execution's secret.
    fn child_target(&mut self, call: &Call, child: &Child) -> Result<Target, Error> {
        let mut run = target(&child.service, Handler::Run.name(), &child.key);
        let secret = self.state.links.secret.clone().filter(|_| call.part().is_some());
        if let Some(secret) = &secret
            && !std::mem::replace(&mut self.has_published_secret, true)
        {
            self.command();
            proof::publish(self.connection, secret)?;
        }
        let correlation = self.execution.info().child_correlation(call);
        run.headers.extend(links::headers_of(call, self.caller(), correlation, secret.as_deref()));
        Ok(run)
    }

    pub(super) fn expect_child(&mut self, op: Op, call: &Call, outcome: NotificationHandle) -> Result<(), Error> {
        self.wait(op, outcome, Wait::Child(op));
        if let Some(deadline) = call.deadline() {
            let handle = self.sleep(deadline)?;
            self.wait(op, handle, Wait::Timeout(op, deadline));
        }
        Ok(())
    }

    /// Handles the end of an awaited child, whose time is unknown.
    pub(super) fn on_child_ended(&mut self, op: Op, outcome: Notified) -> Result<(), Error> {
        let child = self.forget_child(op);
        let is_redriven = child.as_ref().is_some_and(|child| !child.of_try.is_empty());
        let outcome = match outcome {
            Notified::Success(entry) if is_redriven => journal::decode(&entry).1,
            Notified::Success(output) => journal::read_output(&output),
            Notified::Failure(TerminalFailure { code, message, .. }) => Err(match child {
                Some(child) if code == TAKEN.0 && message.contains(TAKEN.1) => {
                    self.drop_taken_child(op);
                    id_taken(&child)
                }
                _ => journal::fault_of_message(&message),
            }),
            _ => Ok(Value::Null),
        };
        self.end_child(op, outcome)
    }

    /// Journals the time at which a child has ended.
    pub(super) fn end_child(&mut self, op: Op, outcome: Outcome) -> Result<(), Error> {
        match self.is_map_run {
            true => self.on_child_of_run_ended(op, outcome),
            false => self.request_time(op, NO_TIME, outcome),
        }
    }

    /// Cancels the child of an abandoned operation.
    pub(super) fn abandon(&mut self, op: Op) -> Result<(), Error> {
        let child = self.forget_child(op);
        child.map_or(Ok(()), |child| self.cancel_child(&child))
    }

    /// Cancels all awaited children.
    pub(super) fn abandon_all(&mut self) -> Result<(), Error> {
        let children = std::mem::take(&mut self.state.links.children);
        children.values().try_for_each(|child| self.cancel_child(child))
    }

    fn cancel_child(&mut self, child: &Child) -> Result<(), Error> {
        self.command();
        let signal = target(&child.service, Handler::Signal.name(), &child.key);
        // The start is uncertain, and the key may belong to another execution.
        let cancel = value!({ "cancel": true, "by": self.caller().name(), "try": child.of_try.as_str() });
        let cancel = Bytes::from(cancel.to_string());
        self.connection.vm.sys_send(signal, cancel, None, None, any_payload())?;
        Ok(())
    }

    pub(super) fn caller(&self) -> Caller<'_> {
        Caller {
            service: &self.service.name,
            definition: self.execution.info().definition(),
            id: self.execution.info().id(),
        }
    }
}

/// Returns the text of an input, unless the server refuses it.
fn child_input(call: &Call) -> Result<Bytes, Fault> {
    let text = call.input.to_json(MESSAGE_LIMIT);
    text.map(Bytes::from).map_err(|error| Fault::too_large("The input of a child execution", error))
}

fn id_taken(child: &Child) -> Fault {
    Fault::new("Execution.IdTaken", format!("an execution with the id `{}` already exists", child.key))
}
