//! Objects of correlation keys: handlers, and the requests of executions to them.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Header, Input, NonEmptyValue, TerminalFailure, VM, Value as Notified,
};
use workflow_runtime::coordination::{Returned, returned};
use workflow_runtime::machine::{StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Object, Str, Timestamp, Value, value};

use super::decision::{Decision, Delivery, Mode};
use super::members::{Member, Members, Receipt, capacity_in, kinds_from_value, names_from_value, time_in};
use super::returns::{end_returns, return_events, return_part};
use super::route::Reach;
use super::schedule::{admits_start, journal_time, read_time};
use super::trie::Trie;
use super::{
    ALL, Answer, EventHandler, KEYED, Stop, call, keyed_target, number_in, read_event, read_request, send, set_state,
    state, target,
};
use crate::connection::{self, Connection, Waited, any_payload};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::handlers::{self, read_json};
use crate::{journal, links, promises};

/// State entry: the executions of the correlation key.
const MEMBERS: &str = "members";

/// Returns the state entry of the receipt of an event.
fn receipt_entry(event: &CloudEvent) -> String {
    format!("has/{}/{}/{}", event.source.len(), event.source, event.id)
}

/// Returns the record of an event that this object has, unless it has expired.
pub(super) async fn stored_receipt(
    connection: &mut Connection,
    event: &CloudEvent,
    now: Timestamp,
) -> Result<Receipt, Error> {
    let stored = state(connection, &receipt_entry(event)).await?;
    Ok(Receipt::load(stored.as_ref(), now).unwrap_or_default())
}

/// The object of a correlation key while it handles a request.
struct KeyedObject<'a> {
    service: &'a Service,
    correlation: Str,
    members: Members,
    stored: Members,
    /// Record of the event that the request is about.
    receipt: Receipt,
    stored_receipt: Receipt,
    now: Timestamp,
    /// Deduplication window.
    window: Duration,
    /// Identity of an execution that begins.
    new_id: u64,
}

impl<'a> KeyedObject<'a> {
    async fn load(service: &'a Service, connection: &mut Connection, input: &Input) -> Result<KeyedObject<'a>, Error> {
        let members = Members::load(state(connection, MEMBERS).await?.as_ref());
        let correlation = input.key.strip_prefix(KEYED).unwrap_or(&input.key).into();
        Ok(KeyedObject {
            service,
            correlation,
            stored: members.clone(),
            members,
            receipt: Receipt::default(),
            stored_receipt: Receipt::default(),
            now: journal::NO_TIME,
            window: Duration::ZERO,
            // It is a number in JSON.
            new_id: input.random_seed >> 1,
        })
    }

    /// Loads the record of an event.
    async fn load_receipt(&mut self, connection: &mut Connection, event: &CloudEvent) -> Result<(), Error> {
        if self.now == journal::NO_TIME {
            (self.now, self.window) = journal_time(self.service, connection).await?;
        }
        self.stored_receipt = stored_receipt(connection, event, self.now).await?;
        self.receipt = self.stored_receipt.clone();
        Ok(())
    }

    /// Decides about an event, and delivers it.
    async fn offer(
        &mut self,
        connection: &mut Connection,
        event: &Arc<CloudEvent>,
        mode: Mode,
        posted: Option<Timestamp>,
    ) -> Result<Reach, Error> {
        let is_start = matches!(mode, Mode::Post | Mode::PostAgain);
        // The time of the posting counts, also if an execution had the event first and declined.
        let admits_start = match is_start && !self.receipt.is_taken {
            true => admits_start(self.service, connection, posted.unwrap_or(self.now)).await?,
            false => false,
        };
        let mut decision = self.decision(mode, admits_start);
        let reached = decision.publish(event);
        let deliveries = decision.deliveries;
        if reached.started > 0 {
            self.begin(connection, event).await?;
        }
        self.deliver(connection, event, &deliveries, mode, posted)?;
        Ok(reached)
    }

    fn decision(&mut self, mode: Mode, admits_start: bool) -> Decision<'_> {
        Decision {
            definition: self.service.program.definition,
            correlation: self.correlation.clone(),
            members: &mut self.members.all,
            receipt: &mut self.receipt,
            now: self.now,
            mode,
            new_id: self.new_id,
            admits_start,
            deliveries: Vec::new(),
            skips_full: false,
        }
    }

    /// Starts the execution that an event starts, which is the last one of the members.
    async fn begin(&mut self, connection: &mut Connection, event: &CloudEvent) -> Result<(), Error> {
        let key = free_key(self.service, connection, event, self.new_id).await?;
        let trigger = TriggerMatch::of(self.service.program.definition, event);
        let correlation = trigger.and_then(|trigger| trigger.correlation(event));
        let mut run = connection::target(&self.service.name, handlers::Handler::Run.name(), &key);
        run.headers.push(Header { key: links::EVENT.into(), value: self.new_id.to_string().into() });
        run.headers.extend(correlation.map(|value| links::correlation_header(&value)));
        send(connection, run, &Object::new().into())?;
        if let Some(member) = self.members.find(self.new_id) {
            member.key = key;
        }
        Ok(())
    }

    fn deliver(
        &self,
        connection: &mut Connection,
        event: &CloudEvent,
        deliveries: &[Delivery],
        mode: Mode,
        posted: Option<Timestamp>,
    ) -> Result<(), Error> {
        for delivery in deliveries {
            let member = &self.members.all[delivery.to];
            let deliver = connection::target(&self.service.name, handlers::Handler::Deliver.name(), &member.key);
            let mut request = value!({
                "of": &*self.correlation,
                "id": member.id as i64,
                "number": delivery.number as i64,
                "at": self.now.as_micros(),
                "reports": member.reports as i64,
                "event": event.to_value(),
                // The delivery asks first whether the execution exists.
                "asks": true,
            });
            if let Some(request) = request.as_object_mut().filter(|_| delivery.is_claim) {
                request.insert("posted", posted.unwrap_or(self.now).as_micros());
                request.insert("elsewhere", mode.is_decided_elsewhere());
            }
            send(connection, deliver, &request)?;
        }
        Ok(())
    }

    /// Stores the executions, and the record of an event until the end of its deduplication
    /// window.
    async fn store_all(mut self, connection: &mut Connection, event: &CloudEvent) -> Result<(), Error> {
        if self.receipt != self.stored_receipt {
            let (key, time) = (format!("{KEYED}{}", self.correlation), (self.now, self.window));
            keep_receipt(self.service, connection, &key, event, &mut self.receipt, time)?;
        }
        self.store(connection).await
    }

    /// Stores the executions, and updates the tries that have the correlation key.
    async fn store(mut self, connection: &mut Connection) -> Result<(), Error> {
        let definition = self.service.program.definition;
        let in_start = self.members.all.iter().any(|member| !member.unmatched.is_empty());
        for (trie, is_in) in [(Trie::Later, !self.members.all.is_empty()), (Trie::Start, in_start)] {
            let was_in = match trie {
                Trie::Later => &mut self.members.in_later,
                Trie::Start => &mut self.members.in_start,
            };
            if trie.is_needed(definition) && *was_in != is_in {
                *was_in = is_in;
                trie.change(self.service, connection, &self.correlation, is_in).await?;
            }
        }
        match &self.members {
            members if *members == self.stored => Ok(()),
            members if members.all.is_empty() => connection.vm.sys_state_clear(MEMBERS.to_owned(), None),
            members => set_state(connection, MEMBERS, &members.save()),
        }
    }

    /// Offers an event again that an execution of this correlation key had and has declined, if no
    /// other one has it for its start state.
    async fn take_back(
        &mut self,
        connection: &mut Connection,
        declined: &Value,
        event: &Arc<CloudEvent>,
        id: u64,
    ) -> Result<(), Error> {
        self.load_receipt(connection, event).await?;
        // A record that has expired does not say who else has the event.
        let had_taken = self.receipt == Receipt::default() || self.receipt.claims.contains(&id);
        self.receipt.claims.retain(|claim| *claim != id);
        if had_taken && !self.receipt.to.contains(&id) {
            self.receipt.to.push(id);
        }
        if returned(had_taken, !self.receipt.claims.is_empty()) != Returned::OfferedAgain {
            return Ok(());
        }
        self.receipt.is_taken = false;
        if declined.get("elsewhere").and_then(Value::as_bool) == Some(true) {
            let report = value!({ "event": event.to_value(), "posted": declined.get("posted").cloned() });
            return send(connection, target(&self.service.name, EventHandler::Declined, ALL), &report);
        }
        self.offer(connection, event, Mode::PostAgain, time_in(declined, "posted")).await?;
        Ok(())
    }
}

/// Stores the record of an event in the object of this key, and removes it at the end of the
/// deduplication window.
pub(super) fn keep_receipt(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    event: &CloudEvent,
    receipt: &mut Receipt,
    (now, window): (Timestamp, Duration),
) -> Result<(), Error> {
    let entry = receipt_entry(event);
    if receipt.until == Timestamp::default() {
        receipt.until = now.plus(window);
        let at = Duration::from_micros(u64::try_from(receipt.until.as_micros()).unwrap_or_default());
        let forget = Bytes::from(value!({ "entry": entry.as_str(), "until": receipt.until.as_micros() }).to_string());
        let target = target(&service.name, EventHandler::Forget, key);
        connection.vm.sys_send(target, forget, Some(at.min(END_OF_TIME)), None, any_payload())?;
    }
    set_state(connection, &entry, &receipt.save())
}

/// Removes the record of an event, unless the event came again since.
pub(super) async fn on_forget(connection: &mut Connection, input: Input) -> Answer {
    let request = read_json(&input.input)?;
    let entry = request.get("entry").and_then(Value::as_str).unwrap_or_default();
    let stored = state(connection, entry).await?;
    if stored.is_some_and(|stored| stored.get("until") == request.get("until")) {
        connection.vm.sys_state_clear(entry.to_owned(), None)?;
    }
    Ok(Value::Null)
}

/// Returns the key of an execution that an event starts. If the same event has started one before
/// the deduplication window, this number makes the key unique.
pub(super) async fn free_key(
    service: &Service,
    connection: &mut Connection,
    event: &CloudEvent,
    unique: u64,
) -> Result<String, Error> {
    let key = TriggerMatch::execution_name(event);
    let execution = AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
    let found = connection.vm.sys_get_invocation_output(execution)?;
    Ok(match connection.finished(found).await? {
        Notified::Failure(TerminalFailure { code: 404, .. }) => key,
        _ => repeated_key(&key, unique),
    })
}

/// Returns the key of an execution that an event starts again. Two spaces distinguish it from the
/// first key of any event.
fn repeated_key(key: &str, unique: u64) -> String {
    key.replacen(' ', &format!("  {unique:x} "), 1)
}

pub(super) async fn on_offer(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let (request, event) = read_request(&input)?;
    let mode = request.get("mode").and_then(Value::as_str).and_then(Mode::named);
    let mode = mode.ok_or_else(|| "expected the `mode` of the offer".to_owned())?;
    let mut object = KeyedObject::load(service, connection, &input).await?;
    if mode == Mode::Publish && object.members.all.is_empty() {
        return Ok(Reach::default().to_value());
    }
    if let Some(time) = read_time(&request) {
        (object.now, object.window) = time;
    }
    let event = Arc::new(event);
    object.load_receipt(connection, &event).await?;
    if mode.is_again() {
        object.receipt.is_taken = false;
    }
    let reached = object.offer(connection, &event, mode, time_in(&request, "posted")).await?;
    object.store_all(connection, &event).await?;
    Ok(reached.to_value())
}

pub(super) async fn on_send(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let (request, event) = read_request(&input)?;
    let (id, key) = (read_id(&request)?, request.get("key").and_then(Value::as_str).unwrap_or_default());
    let mut object = KeyedObject::load(service, connection, &input).await?;
    let event = Arc::new(event);
    object.load_receipt(connection, &event).await?;
    let Some(to) = object.members.all.iter().position(|member| member.id == id) else {
        return match object.receipt.to.contains(&id) {
            true => Ok(Value::from(0)),
            false => Err(Stop::Refused(409, format!("the execution `{key}` has ended"))),
        };
    };
    let mut decision = object.decision(Mode::Publish, false);
    if !decision.send(&event, to) {
        return Err(Stop::Refused(429, format!("the inbox of the execution `{key}` is full")));
    }
    let deliveries = decision.deliveries;
    object.deliver(connection, &event, &deliveries, Mode::Publish, None)?;
    object.store_all(connection, &event).await?;
    Ok(Value::from(deliveries.len() as u64))
}

pub(super) async fn on_subscribe(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let request = read_json(&input.input)?;
    let key = request.get("key").and_then(Value::as_str);
    let key = key.ok_or_else(|| "expected the `key` of an execution".to_owned())?;
    let mut object = KeyedObject::load(service, connection, &input).await?;
    let begun_by = number_in(&request, "started");
    let started = begun_by.and_then(|id| object.members.find(id)).filter(|member| !member.has_begun);
    let id = match started {
        Some(member) => {
            member.has_begun = true;
            member.id
        }
        None => {
            // One with this key was killed and removed.
            object.members.all.retain(|member| member.key != key);
            let condition = StartCondition::new(service.program.definition, object.correlation.clone());
            let begins = request.get("begins").and_then(Value::as_bool) == Some(true);
            let member = Member::new(object.new_id, key, condition.as_ref().filter(|_| begins));
            object.members.all.push(Member { has_begun: true, ..member });
            object.new_id
        }
    };
    if let Some(member) = object.members.find(id) {
        member.capacity = capacity_in(&request);
    }
    object.store(connection).await?;
    Ok((id as i64).into())
}

pub(super) async fn on_unsubscribe(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let request = read_json(&input.input)?;
    let id = read_id(&request)?;
    let mut object = KeyedObject::load(service, connection, &input).await?;
    let next = object.members.find(id).map(|member| member.next);
    object.members.all.retain(|member| member.id != id);
    object.store(connection).await?;
    let next = next.map_or(Value::Null, |next| (next as i64).into());
    Ok(match request.get("parts") {
        Some(_) => value!({ "next": next }),
        None => next,
    })
}

pub(super) async fn on_report(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let request = read_json(&input.input)?;
    let id = read_id(&request)?;
    let mut object = KeyedObject::load(service, connection, &input).await?;
    if request.get("gone").is_some() {
        // It was killed, and did not unsubscribe.
        object.members.all.retain(|member| member.id != id);
    } else if let Some(reports) = number_in(&request, "reports")
        && let Some(member) = object.members.find(id).filter(|member| reports > member.reports)
    {
        member.reports = reports;
        member.seen = number_in(&request, "seen").unwrap_or(member.seen);
        member.unmatched = kinds_from_value(request.get("start"));
        member.until = time_in(&request, "until");
        member.full = names_from_value(request.get("full"));
    }
    let declined = request.get("declined").unwrap_or(&Value::Null);
    match read_event(declined.get("event").unwrap_or(&Value::Null)) {
        Ok(event) => {
            let event = Arc::new(event);
            object.take_back(connection, declined, &event, id).await?;
            object.store_all(connection, &event).await?;
        }
        Err(_) => object.store(connection).await?,
    }
    Ok(Value::Null)
}

/// Reads the identity of a subscription from a request.
fn read_id(request: &Value) -> Result<u64, String> {
    number_in(request, "id").ok_or_else(|| "expected the `id` of a subscription".to_owned())
}

/// Execution that subscribes.
pub(crate) struct Subscriber<'a> {
    pub key: &'a str,
    pub correlation: &'a str,
    /// Identity of its subscription, if an event started it.
    pub started: Option<u64>,
    /// Set if it begins with its start state.
    pub begins: bool,
}

/// Subscribes an execution, and reports that to senders of events. Returns the identity of the
/// subscription, or `None` if the execution is being cancelled.
pub(crate) async fn subscribe(
    service: &Service,
    connection: &mut Connection,
    of: &Subscriber<'_>,
) -> Result<Option<u64>, Error> {
    let mut request = value!({ "key": of.key, "begins": of.begins, "capacity": service.limits.events });
    if let (Some(request), Some(id)) = (request.as_object_mut(), of.started) {
        request.insert("started", id as i64);
    }
    let object = keyed_target(service, EventHandler::Subscribe, of.correlation);
    let call = connection.vm.sys_call(object, Bytes::from(request.to_string()), None, any_payload())?;
    let mut is_cancelled = false;
    let answer = loop {
        match connection.wait(call.call_notification_handle).await? {
            Waited::Done(Notified::Success(answer)) => break Value::from_json_slice(&answer).unwrap_or_default(),
            Waited::Done(other) => {
                let name = super::name(&service.name);
                return Err(connection.operator_error(format!("unexpected answer of `{name}`: {other:?}")));
            }
            Waited::Cancelled => is_cancelled = true,
        }
    };
    let id = super::number_of(&answer).ok_or_else(|| Error::internal("the subscription has no id"))?;
    if is_cancelled {
        let next = u64::from(of.started == Some(id));
        unsubscribe(service, connection, of.key, &SubscriptionEnd { correlation: of.correlation, id, next }).await?;
        return Ok(None);
    }
    let subscription = value!({ "of": of.correlation, "id": id as i64 });
    let subscription = NonEmptyValue::Success(journal::encode(journal::NO_TIME, &Ok(subscription)));
    connection.vm.sys_complete_promise(promises::SUBSCRIPTION.into(), subscription, any_payload())?;
    Ok(Some(id))
}

/// End of a subscription.
pub(crate) struct SubscriptionEnd<'a> {
    pub correlation: &'a str,
    pub id: u64,
    /// Number of the first event that the execution has not processed.
    pub next: u64,
}

/// Unsubscribes the execution of this key, which ends. Events for its start state that it has not
/// processed are offered again.
pub(crate) async fn unsubscribe(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    of: &SubscriptionEnd<'_>,
) -> Result<(), Error> {
    let object = keyed_target(service, EventHandler::Unsubscribe, of.correlation);
    let request = value!({ "id": of.id as i64, "parts": true });
    if service.program.definition.starts_on.is_none() {
        return send(connection, object, &request);
    }
    let answer = call(connection, object, &request).await?.unwrap_or_default();
    // In journals of earlier versions it is a number. Their invocations return all events.
    match super::number_of(&answer) {
        Some(next) => return_part(service, connection, of, next).await?,
        None => return_events(service, connection, key, of, number_in(&answer, "next").unwrap_or_default()).await?,
    }
    end_returns(connection, of.id).await
}

/// Unsubscribes an execution that ended before it began, if an event started it.
pub(crate) async fn drop_unstarted(service: &Service, connection: &mut Connection, input: &Input) -> Result<(), Error> {
    let Some(id) = links::started_by_event(&input.headers) else { return Ok(()) };
    let correlation = links::correlation_in(&input.headers).ok().flatten();
    let correlation = correlation.as_deref().unwrap_or(&input.key);
    unsubscribe(service, connection, &input.key, &SubscriptionEnd { correlation, id, next: 1 }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_events_are_unique_and_reserved() {
        let event = |source: &str, id: &str| TriggerMatch::execution_name(&CloudEvent::new(id, source, "t"));
        let key = event("/ward", "777");
        assert_eq!((&*key, &*repeated_key(&key, 26)), ("event /ward 777", "event  1a /ward 777"));
        for key in [&key, &repeated_key(&key, 26), &event("urn:x", "7")] {
            assert!(workflow_runtime::id::check(key).is_err(), "{key}");
        }
    }
}
