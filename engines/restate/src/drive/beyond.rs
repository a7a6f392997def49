//! What an execution does to others, and they to it: it starts them, and they send events.

use std::collections::BTreeSet;
use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    Error, NonEmptyValue, NotificationHandle, Target, TerminalFailure, VM, Value as Notified,
};
use workflow_runtime::fault::names::UNKNOWN_WORKFLOW;
use workflow_runtime::machine::{Call, First, Here, Op, Outcome, Reception, WaitsFor};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Array, CloudEvent, Fault, Timestamp, Value, value};

use super::{Drive, Run, Wait, read};
use crate::beyond::{self, Caller, Child, Stay};
use crate::handlers::Handler;
use crate::journal::{self, NO_TIME};
use crate::link::{any_payload, target};
use crate::{bus, promises, starting};

/// What Restate says where the execution that is called is another one's.
const TAKEN: (u16, &str) = (409, "already invoked");

/// How an event arrives.
#[derive(Clone, Copy)]
pub(super) enum Mail {
    /// It is sent to the execution alone.
    Sent,
    /// It is published to all executions of the service.
    Published,
    /// The execution takes it in its first state, if it is there.
    First,
}

impl Drive<'_> {
    /// Hears of events from now on, if the definition waits for any.
    pub(super) fn listen(&mut self) -> Result<(), Error> {
        if self.execution.definition().events.is_empty() {
            return Ok(());
        }
        // Nothing reaches it before the event that has started it, whichever way it comes.
        if !self.standing.beyond.stay.is_some_and(Stay::awaits_its_start) {
            self.listen_to_others()?;
        }
        self.expect_event(Mail::First)
    }

    fn listen_to_others(&mut self) -> Result<(), Error> {
        self.expect_event(Mail::Sent)?;
        self.expect_event(Mail::Published)
    }

    fn expect_event(&mut self, mail: Mail) -> Result<(), Error> {
        let beyond = &self.standing.beyond;
        let promise = match mail {
            Mail::Sent => Some(promises::sent(beyond.next_sent)),
            Mail::Published => beyond.next_published.map(promises::published),
            Mail::First => {
                let stay = beyond.stay.filter(|stay| !stay.left);
                stay.map(|stay| promises::first(stay.number, stay.next))
            }
        };
        let Some(promise) = promise else { return Ok(()) };
        self.command();
        let handle = self.link.vm.sys_get_promise(promise)?;
        self.waits.insert(handle, Wait::Event(mail));
        Ok(())
    }

    /// An event is there, which may be waited for.
    pub(super) async fn hear(&mut self, mail: Mail, value: Notified) -> Result<(), Error> {
        let (at, event) = read(value);
        // One that was not for this execution, or cannot be read, is none.
        let event = event.unwrap_or_default();
        let has_it_already = event.as_bool() == Some(true);
        let event = CloudEvent::from_value(&event).ok();
        // The one that has started the execution it takes in any case.
        let begins = matches!(mail, Mail::First) && self.standing.beyond.stay.is_some_and(Stay::awaits_its_start);
        if matches!(mail, Mail::First) && !begins {
            let here = First::here(&*self.execution);
            let Some(here) = here.filter(|here| here.first.until().is_none_or(|until| at <= until)) else {
                return self.leave_first();
            };
            if event.as_ref().is_some_and(|event| !here.first.takes(event, at)) {
                return self.refuse(here.first);
            }
        }
        let beyond = &mut self.standing.beyond;
        match mail {
            Mail::Sent => beyond.next_sent += 1,
            Mail::Published => beyond.next_published = beyond.next_published.map(|next| next + 1),
            Mail::First => beyond.stay = beyond.stay.map(|stay| Stay { next: stay.next + 1, ..stay }),
        }
        if let Some(event) = event.filter(|event| self.is_for_this(event)) {
            match self.standing.beyond.room.beside.is_empty() && self.has_room() || self.is_waited_for(at, &event) {
                true => self.deliver(at, &event).await,
                // Who sent it could not know, and was told that it is kept.
                false => self.standing.beyond.room.beside.push_back((at, event)),
            }
        }
        if has_it_already {
            self.tell_open()?;
        }
        self.expect_event(mail)?;
        if begins { self.listen_to_others() } else { Ok(()) }
    }

    /// The execution does not take an event that it was given in its first state, where it waits for something else, of which the
    /// bus did not hear.
    fn refuse(&mut self, first: First) -> Result<(), Error> {
        let Some(stay) = &mut self.standing.beyond.stay else { return Ok(()) };
        let number = stay.next;
        stay.next += 1;
        let stay = *stay;
        self.command();
        // First of all that is to be known, or else it is given it once more.
        starting::tell_open(self.service, self.link, self.execution.id(), stay, first)?;
        self.command();
        starting::tell_refused(self.service, self.link, self.execution.id(), stay, number)?;
        self.expect_event(Mail::First)
    }

    /// Says so, once the execution has left its first state, or has come back to it, which may be one after the other.
    pub(super) fn look_at_stay(&mut self) -> Result<(), Error> {
        let Some(stay) = self.standing.beyond.stay else { return Ok(()) };
        if self.execution.result().is_some() || self.execution.is_terminating() {
            return self.leave_first();
        }
        match First::here(&*self.execution) {
            None if stay.awaits_its_start() => Ok(()),
            None => self.leave_first(),
            // What came too late has not ended the wait yet.
            Some(here) if stay.left && stay.op == here.op => Ok(()),
            Some(here) if !stay.left && [0, here.visit].contains(&stay.visit) => {
                self.standing.beyond.stay = Some(Stay { visit: here.visit, op: here.op, ..stay });
                Ok(())
            }
            Some(here) => {
                self.leave_first()?;
                self.come_back(stay, here)
            }
        }
    }

    /// Says what the execution waits for in its first state: the bus has counted an event for it that it has already.
    fn tell_open(&mut self) -> Result<(), Error> {
        let Some(stay) = self.standing.beyond.stay.filter(|stay| !stay.left) else { return Ok(()) };
        let Some(here) = First::here(&*self.execution).filter(|here| here.visit == stay.visit) else { return Ok(()) };
        self.command();
        starting::tell_open(self.service, self.link, self.execution.id(), stay, here.first)
    }

    /// The execution takes no more events in its first state: others get what it was given and has not taken there.
    fn leave_first(&mut self) -> Result<(), Error> {
        let Some(stay) = self.standing.beyond.stay.as_mut().filter(|stay| !stay.left) else { return Ok(()) };
        stay.left = true;
        let left = *stay;
        self.waits.retain(|_, wait| !matches!(wait, Wait::Event(Mail::First)));
        self.command();
        starting::tell_left(self.service, self.link, self.execution.id(), left)
    }

    /// The execution takes events in its first state again.
    fn come_back(&mut self, before: Stay, here: Here) -> Result<(), Error> {
        let stay = Stay { number: before.number + 1, next: 1, left: false, visit: here.visit, op: here.op };
        self.standing.beyond.stay = Some(stay);
        self.command();
        starting::tell_back(self.service, self.link, self.execution.id(), stay, here.first)?;
        self.expect_event(Mail::First)
    }

    async fn deliver(&mut self, at: Timestamp, event: &CloudEvent) {
        self.speak();
        self.now = self.now.max(at);
        self.execution.offer(at, event);
        self.compute().await;
        self.unmarked = true;
    }

    /// Whether the definition waits for such events, and those of this correlation value are for the execution.
    fn is_for_this(&self, event: &CloudEvent) -> bool {
        let events = self.execution.definition().events;
        events.iter().any(|kind| kind.is_for(event, self.execution.correlation()))
    }

    fn has_room(&self) -> bool {
        self.execution.events_kept() < self.standing.limits.events as usize
    }

    /// Whether the execution would not keep an event of this time: it waits for it, or drops it.
    fn is_waited_for(&self, at: Timestamp, event: &CloudEvent) -> bool {
        let correlation = self.execution.correlation();
        let does = |reception: &Reception| {
            reception.until.is_none_or(|until| at <= until)
                && (reception.drops_others || reception.events.iter().any(|kind| kind.is_for(event, correlation)))
        };
        self.execution.describe().iter().any(|frame| match &frame.waits_for {
            WaitsFor::Event(reception) => does(reception),
            _ => false,
        })
    }

    /// Delivers what came when there was no room, and tells those who send events whether there is, if that has changed.
    pub(super) async fn tell_room(&mut self) -> Result<(), Error> {
        if self.execution.definition().events.is_empty() || self.standing.batch.is_some() {
            return Ok(());
        }
        self.make_up_for().await?;
        if self.execution.result().is_some() {
            return Ok(());
        }
        let news = match self.has_room() {
            true => Value::Null,
            false => self.events_waited_for(),
        };
        let room = &mut self.standing.beyond.room;
        if room.last == news {
            return Ok(());
        }
        let promise = promises::room(room.told);
        room.told += 1;
        room.last = news.clone();
        self.command();
        let news = NonEmptyValue::Success(journal::encode(NO_TIME, &Ok(news)));
        self.link.vm.sys_complete_promise(promise, news, any_payload())?;
        Ok(())
    }

    /// Delivers those events for which there was no room, as far as there is now, or as they are waited for.
    async fn make_up_for(&mut self) -> Result<(), Error> {
        while self.execution.result().is_none() {
            let beside = &self.standing.beyond.room.beside;
            let next = match beside.is_empty() {
                true => None,
                false if self.has_room() => Some(0),
                false => beside.iter().position(|(at, event)| self.is_waited_for(*at, event)),
            };
            let Some((at, event)) = next.and_then(|next| self.standing.beyond.room.beside.remove(next)) else { break };
            self.deliver(at, &event).await;
            self.carry_out().await?;
        }
        Ok(())
    }

    /// The names of the events that the execution waits for right now.
    fn events_waited_for(&self) -> Value {
        let waits = self.execution.describe();
        let receptions = waits.iter().filter_map(|frame| match &frame.waits_for {
            WaitsFor::Event(reception) => Some(&reception.events),
            _ => None,
        });
        let names: BTreeSet<&str> = receptions.flatten().map(|kind| kind.name).collect();
        Array::from(names.into_iter().map(Value::from).collect::<Vec<_>>()).into()
    }

    /// Waits for an event, and for no longer than it may take. Events are delivered whether they are waited for or not.
    pub(super) fn receive(&mut self, op: Op, reception: &Reception) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        if let Some(until) = reception.until {
            let handle = self.sleep(until)?;
            self.wait(op, handle, Wait::Sleep(op, until));
        }
        Ok(())
    }

    /// Asks who is to be told of an event. A sink is one of them, told apart from services by its type.
    pub(super) fn publish(&mut self, op: Op, event: Arc<CloudEvent>) -> Result<(), Error> {
        let services = self.service.directory.services_that_wait_for(&event);
        let sink = self.service.sink.is_some().then_some(Value::Bool(true));
        let audience = services.as_array().into_iter().flat_map(|all| all.iter()).cloned().chain(sink);
        let audience = Array::from(audience.collect::<Vec<_>>());
        let handle = self.run_of("publish", Run::Keep(Ok(audience.into())))?;
        self.pending.entry(op).or_default();
        self.wait(op, handle, Wait::Audience(op, event));
        Ok(())
    }

    /// Tells the buses of these services of an event, and then the sink, if there is one. The buses have it for sure as soon as
    /// the journal says so.
    pub(super) async fn tell(&mut self, op: Op, event: Arc<CloudEvent>, audience: Notified) -> Result<(), Error> {
        let (at, audience) = read(audience);
        let audience = audience.unwrap_or_default();
        let told = || audience.as_array().into_iter().flat_map(|all| all.iter());
        let text = match event.to_json() {
            Ok(text) => Bytes::from(text),
            Err(fault) => return self.complete(op, at, Err(fault)).await,
        };
        if !bus::can_be_told(&event) {
            return self.complete(op, at, Err(Fault::runtime(bus::TOO_DEEP))).await;
        }
        for service in told().filter_map(Value::as_str) {
            self.command();
            let publish = bus::target(service, bus::Handler::Publish);
            self.link.vm.sys_send(publish, text.clone(), None, None, any_payload())?;
        }
        if told().any(|one| one.as_bool() == Some(true)) {
            let handle = self.run_of("sink", Run::Send(op, event))?;
            self.wait(op, handle, Wait::Sink(op));
            return Ok(());
        }
        self.complete(op, at, Ok(Value::Null)).await
    }

    /// Starts another execution, or goes on to wait for it if an earlier invocation has started it.
    pub(super) fn call(&mut self, op: Op, call: Arc<Call>) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        if let Some(execution) = self.standing.beyond.children.get(&op.id).map(Child::execution) {
            self.command();
            let outcome = self.link.vm.sys_attach_invocation(execution)?;
            return self.expect_child(op, &call, outcome);
        }
        if self.caller().is_meant_by(&call) {
            return self.begin(op, call, &self.service.name);
        }
        // What is served may be something else when this is replayed.
        let name = call.workflow("");
        let service = self.run_of("workflow", Run::Keep(self.service.directory.service_of(name)))?;
        self.wait(op, service, Wait::Service(op, call));
        Ok(())
    }

    /// It is known which service the execution to be started is of.
    pub(super) async fn found(&mut self, op: Op, call: Arc<Call>, service: Notified) -> Result<(), Error> {
        match read(service) {
            (_, Ok(Value::String(service))) => self.begin(op, call, &service),
            (at, Err(fault)) => self.complete(op, at, Err(fault)).await,
            // Journals of old say so where there is none.
            (at, Ok(_)) => {
                let cause = format!("no workflow `{}` can be started here", call.workflow(""));
                self.complete(op, at, Err(Fault::new(UNKNOWN_WORKFLOW, cause))).await
            }
        }
    }

    fn begin(&mut self, op: Op, call: Arc<Call>, service: &str) -> Result<(), Error> {
        let child = Child::of(&call, self.caller(), service);
        self.command();
        if call.detached {
            // What is only sent is not refused if there is one already. So that is asked before.
            let found = self.link.vm.sys_get_invocation_output(child.execution())?;
            self.wait(op, found, Wait::Free(op, call, child));
            return Ok(());
        }
        // Unlike one that is sent, a call tells if the key is another one's.
        let (run, input) = self.run_of_child(&call, &child)?;
        let handles = self.link.vm.sys_call(run, input, None, any_payload())?;
        // This takes the same way, to and fro: when it is answered, a call that is refused was. The next invocation can
        // attach to the execution then.
        self.command();
        let started = self.link.vm.sys_get_invocation_output(child.execution())?;
        self.wait(op, started, Wait::Started);
        self.standing.beyond.children.insert(op.id, child);
        self.expect_child(op, &call, handles.call_notification_handle)
    }

    /// Starts an execution that is not waited for, unless there is one already.
    pub(super) fn begin_aside(&mut self, op: Op, call: &Call, child: Child, found: Notified) -> Result<(), Error> {
        let outcome = match found {
            Notified::Failure(TerminalFailure { code: 404, .. }) => {
                let (run, input) = self.run_of_child(call, &child)?;
                self.command();
                self.link.vm.sys_send(run, input, None, None, any_payload())?;
                Ok(child.key.into())
            }
            _ => Err(id_taken(&child)),
        };
        // What has no end but starts must get to where it can leave the invocation.
        self.ask_time(op, NO_TIME, outcome)
    }

    /// What is called for an execution, with what.
    fn run_of_child(&self, call: &Call, child: &Child) -> Result<(Target, Bytes), Error> {
        let mut run = target(&child.service, Handler::Run.name(), &child.key);
        let correlation = self.execution.correlation_of(call);
        run.headers.extend(beyond::headers_of(call, self.caller(), correlation));
        // The execution has checked it already.
        let input = call.input.to_json(TEXT_LIMIT).map_err(|error| Error::internal(format!("the input: {error}")))?;
        Ok((run, Bytes::from(input)))
    }

    fn expect_child(&mut self, op: Op, call: &Call, outcome: NotificationHandle) -> Result<(), Error> {
        self.wait(op, outcome, Wait::Child(op));
        if let Some(deadline) = call.deadline() {
            let handle = self.sleep(deadline)?;
            self.wait(op, handle, Wait::Timeout(op, deadline));
        }
        Ok(())
    }

    /// An execution that was waited for has ended. When is not told.
    pub(super) fn child_ended(&mut self, op: Op, outcome: Notified) -> Result<(), Error> {
        let child = self.standing.beyond.children.remove(&op.id);
        let outcome = match outcome {
            Notified::Success(output) => read_output(&output),
            Notified::Failure(TerminalFailure { code, message, .. }) => Err(match child {
                Some(child) if code == TAKEN.0 && message.contains(TAKEN.1) => id_taken(&child),
                _ => journal::fault_of_message(&message),
            }),
            _ => Ok(Value::Null),
        };
        self.ask_time(op, NO_TIME, outcome)
    }

    /// Nobody waits any more for what an operation has started.
    pub(super) fn abandon(&mut self, op: Op) -> Result<(), Error> {
        let child = self.standing.beyond.children.remove(&op.id);
        child.map_or(Ok(()), |child| self.cancel_child(&child))
    }

    /// The execution has ended: those that it waits for do, too.
    pub(super) fn abandon_all(&mut self) -> Result<(), Error> {
        let children = std::mem::take(&mut self.standing.beyond.children);
        children.values().try_for_each(|child| self.cancel_child(child))
    }

    fn cancel_child(&mut self, child: &Child) -> Result<(), Error> {
        self.command();
        let signal = target(&child.service, Handler::Signal.name(), &child.key);
        // Whether it was started is not known for sure: what has its key may be another one.
        let cancel = Bytes::from(value!({ "cancel": true, "by": self.caller().name() }).to_string());
        self.link.vm.sys_send(signal, cancel, None, None, any_payload())?;
        Ok(())
    }

    pub(super) fn caller(&self) -> Caller<'_> {
        Caller { service: &self.service.name, definition: self.execution.definition(), id: self.execution.id() }
    }
}

fn id_taken(child: &Child) -> Fault {
    Fault::new("Execution.IdTaken", format!("there is another execution `{}`", child.key))
}

/// What an execution has ended with.
fn read_output(output: &[u8]) -> Outcome {
    Value::from_json_slice(output).map_err(|error| Fault::runtime(format!("the output cannot be read: {error}")))
}
