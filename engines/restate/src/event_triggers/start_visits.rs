//! Visits of executions to their start states: entered, left, re-entered, or ended before an event
//! was delivered.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, PayloadOptions, VM, Value as Notified};
use workflow_runtime::machine::{StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Value, value};

use super::record::{Claim, PostedEvent, StartRecord, claim_key, claim_mark, record_key, shared_claim_key};
use super::{Attempt, dispatch, time_and_deployment};
use crate::connection::{self, Connection, any_payload};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::event_bus::{self, BusHandler};
use crate::handlers::read_json;
use crate::inbox::{self, Liveness, journal_time};
use crate::links::StartVisit;

/// Handles the report that an execution has left its start state: its remaining claims are
/// dispatched again.
pub(crate) async fn on_left(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let Some((report, key, visit)) = read_visit(&input) else {
        return connection.fail(400, "expected the `key` of an execution and the `stay` in its first state");
    };
    let Some(next) = number_in(&report, "next") else {
        return connection.fail(400, "expected the number of the `next` event for the execution");
    };
    release_claims(service, connection, &key, visit, next).await?;
    connection.succeed(&Value::Null)
}

/// Releases the claims of a visit. Dispatches those from number `next` on again, to others or to
/// the same execution if a later state awaits them. The start event belongs to the execution in
/// any case.
async fn release_claims(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: u64,
    next: u64,
) -> Result<(), Error> {
    let Some(record) = StartRecord::find(service, connection, key).await?.filter(|record| record.visit == visit) else {
        return Ok(());
    };
    remove_record(connection, key)?;
    for number in record.from.max(1)..record.next {
        match number < next {
            true => remove_consumed(connection, &claim_key(key, visit, number)).await?,
            false => dispatch_again(service, connection, key, visit, number).await?,
        }
    }
    Ok(())
}

/// Removes a claim whose event was consumed. Other executions with a claim on the event need not
/// dispatch it.
async fn remove_consumed(connection: &mut Connection, claim: &str) -> Result<(), Error> {
    let kept = connection.vm.sys_state_get(claim.to_owned(), None, PayloadOptions::default())?;
    let Notified::Success(kept) = connection.finished(kept).await? else { return Ok(()) };
    connection.vm.sys_state_clear(claim.to_owned(), None)?;
    if let Some(Claim { event, is_shared: true, .. }) = Claim::read(&kept) {
        connection.vm.sys_state_clear(shared_claim_key(&event), None)?;
    }
    Ok(())
}

/// Returns `true` if other executions have claimed the event and not all of them have declined it.
/// The event is dispatched again only after the last decline.
async fn has_other_claims(connection: &mut Connection, event: &CloudEvent) -> Result<bool, Error> {
    let left = connection.vm.sys_state_get(shared_claim_key(event), None, PayloadOptions::default())?;
    let left = match connection.finished(left).await? {
        Notified::Success(left) => Value::from_json_slice(&left).ok().and_then(|left| left.as_i64()),
        _ => None,
    };
    // Another one has consumed it.
    let Some(left) = left else { return Ok(true) };
    match left > 1 {
        true => connection.vm.sys_state_set(
            shared_claim_key(event),
            Bytes::from((left - 1).to_string()),
            None,
            any_payload(),
        )?,
        false => connection.vm.sys_state_clear(shared_claim_key(event), None)?,
    }
    Ok(left > 1)
}

/// Removes the record of an ended execution. An execution reports its consumed events before it
/// ends. A killed one does not: it keeps its claims, unless a delivery finds it dead.
pub(crate) async fn on_ended(service: &Service, connection: &mut Connection, key: &str) -> Result<(), Error> {
    let Some(record) = StartRecord::find(service, connection, key).await? else { return Ok(()) };
    remove_record(connection, key)?;
    let (visit, from, next) = (record.visit as i64, record.from as i64, record.next as i64);
    let report = value!({ "key": key, "stay": visit, "from": from, "next": next });
    let (now, known) = journal_time(service, connection).await?;
    let at = Duration::from_micros(u64::try_from(now.plus(known).as_micros()).unwrap_or_default());
    let purge = event_bus::target(&service.name, BusHandler::PurgeClaims);
    connection.vm.sys_send(purge, Bytes::from(report.to_string()), Some(at.min(END_OF_TIME)), None, any_payload())?;
    Ok(())
}

/// Removes the claims of an execution that was killed long ago, unless another one has its key.
pub(crate) async fn purge_claims(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let read = read_visit(&input)
        .and_then(|(report, key, visit)| Some((key, visit, number_in(&report, "from")?, number_in(&report, "next")?)));
    let Some((key, visit, from, next)) = read else {
        return connection
            .fail(400, "expected the `key` of an execution, its `stay`, and the numbers `from` and `next`");
    };
    let other = StartRecord::find(service, connection, &key).await?.filter(|other| other.visit == visit);
    let next = other.map_or(next, |other| next.min(other.from));
    for number in from.max(1)..next {
        remove_consumed(connection, &claim_key(&key, visit, number)).await?;
    }
    connection.succeed(&Value::Null)
}

/// Handles the report that an event for a start state was undeliverable or declined: others get
/// it.
pub(crate) async fn on_undeliverable(
    service: &Service,
    connection: &mut Connection,
    input: Input,
) -> Result<(), Error> {
    let read =
        read_visit(&input).and_then(|(report, key, visit)| Some((number_in(&report, "number")?, report, key, visit)));
    let Some((number, report, key, visit)) = read else {
        return connection.fail(400, "expected the `key` of an execution, its `stay`, and the `number` of an event");
    };
    // A dead execution accepts nothing more. It is alive if it only declined this event, or if
    // another one has the key by now.
    if report.get("refused").is_none() && !matches!(inbox::liveness(service, connection, &key).await?, Liveness::Runs) {
        on_ended(service, connection, &key).await?;
    }
    dispatch_again(service, connection, &key, visit, number).await?;
    connection.succeed(&Value::Null)
}

/// Removes the record of an execution.
fn remove_record(connection: &mut Connection, key: &str) -> Result<(), Error> {
    connection.vm.sys_state_clear(record_key(key), None)
}

/// Dispatches the event of a claim again, once.
async fn dispatch_again(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: u64,
    number: u64,
) -> Result<(), Error> {
    let kept = claim_key(key, visit, number);
    let event = connection.vm.sys_state_get(kept.clone(), None, PayloadOptions::default())?;
    let Notified::Success(event) = connection.finished(event).await? else { return Ok(()) };
    connection.vm.sys_state_clear(kept, None)?;
    let Some(Claim { event, posted, is_shared, published_as }) = Claim::read(&event) else { return Ok(()) };
    // All other executions that may await it later have it.
    if TriggerMatch::of(service.program.definition, &event).is_some_and(|opening| opening.is_awaited_later()) {
        event_bus::redeliver_to(service, connection, key, &event, &claim_mark(visit, number)).await?;
    }
    if is_shared && has_other_claims(connection, &event).await? {
        return Ok(());
    }
    let (now, deployed) = time_and_deployment(service, connection).await?;
    let posted = PostedEvent { event: &event, at: posted.unwrap_or(now), is_shared: false, published_as };
    let reached = dispatch(service, connection, &posted, Attempt::Repeated, now, deployed).await?;
    if !reached.taken {
        // The schedule did not admit a start when it came. Another post of the event may start
        // one.
        let forget = connection::target(
            &event_bus::name(&service.name),
            BusHandler::Forget.name(),
            &TriggerMatch::execution_name(&event),
        );
        connection.vm.sys_send(forget, Bytes::new(), None, None, any_payload())?;
    }
    Ok(())
}

/// Handles the report that an execution has re-entered its start state, or waits for other events
/// there than its record says.
pub(crate) async fn on_reentered(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let Some((report, key, visit)) = read_visit(&input) else {
        return connection.fail(400, "expected the `key` of an execution and the `stay` in its first state");
    };
    let Some(record) = StartRecord::load(service.program.definition, report.to_string().as_bytes()) else {
        return connection.fail(400, "expected the `correlation` key and the event kinds that are `open`");
    };
    let known = StartRecord::find(service, connection, &key).await?.filter(|known| known.visit == visit);
    match (known, report.get("again")) {
        (Some(known), _) => {
            let mut condition = record.condition;
            // Deliveries in progress count.
            for number in record.next.max(1)..known.next {
                let kept =
                    connection.vm.sys_state_get(claim_key(&key, visit, number), None, PayloadOptions::default())?;
                if let Notified::Success(kept) = connection.finished(kept).await?
                    && let Some(Claim { event, .. }) = Claim::read(&kept)
                {
                    condition.record(&event);
                }
            }
            StartRecord { condition, ..known }.keep(connection, &key)?;
        }
        (None, None) => record.keep(connection, &key)?,
        // The execution has left.
        (None, Some(_)) => {}
    }
    connection.succeed(&Value::Null)
}

/// Reads the execution and the visit of a report.
fn read_visit(input: &Input) -> Option<(Value, String, u64)> {
    let report = read_json(&input.input).ok()?;
    let key = report.get("key")?.as_str()?.to_owned();
    // Reports without a number are of the first visit.
    let visit = number_in(&report, "stay").unwrap_or_default();
    Some((report, key, visit))
}

fn number_in(report: &Value, name: &str) -> Option<u64> {
    report.get(name).and_then(event_bus::number_of)
}

/// Reports that an execution has left its start state, and did not consume event `next` and later
/// ones there.
pub(crate) fn send_left(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: StartVisit,
) -> Result<(), Error> {
    let report = value!({ "key": key, "stay": visit.number as i64, "next": visit.next as i64 });
    send(service, connection, BusHandler::LeftStartState, &report)
}

/// Reports that an execution has re-entered its start state, and its unmatched event kinds.
pub(crate) fn send_reentered(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: StartVisit,
    condition: StartCondition,
) -> Result<(), Error> {
    send(service, connection, BusHandler::ReenteredStartState, &visit_report(key, visit, condition))
}

/// Reports the unmatched event kinds of an execution in its start state, because the record may be
/// wrong.
pub(crate) fn send_unmatched(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: StartVisit,
    condition: StartCondition,
) -> Result<(), Error> {
    let mut report = visit_report(key, visit, condition);
    if let Some(report) = report.as_object_mut() {
        report.insert("again", true);
    }
    send(service, connection, BusHandler::ReenteredStartState, &report)
}

fn visit_report(key: &str, visit: StartVisit, condition: StartCondition) -> Value {
    let record = StartRecord { condition, next: visit.next, from: 1, visit: visit.number };
    let mut report = Value::from_json_slice(&record.save()).unwrap_or_default();
    if let Some(report) = report.as_object_mut() {
        report.insert("key", key);
    }
    report
}

/// Reports that an event for a start state was undeliverable.
pub(crate) fn send_undeliverable(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: u64,
    number: u64,
) -> Result<(), Error> {
    let report = value!({ "key": key, "stay": visit as i64, "number": number as i64 });
    send(service, connection, BusHandler::Undeliverable, &report)
}

/// Reports that an execution declined an event in its start state, and stays there.
pub(crate) fn send_declined(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: StartVisit,
    number: u64,
) -> Result<(), Error> {
    let report = value!({ "key": key, "stay": visit.number as i64, "number": number as i64, "refused": true });
    send(service, connection, BusHandler::Undeliverable, &report)
}

fn send(service: &Service, connection: &mut Connection, handler: BusHandler, report: &Value) -> Result<(), Error> {
    let target = event_bus::target(&service.name, handler);
    connection.vm.sys_send(target, Bytes::from(report.to_string()), None, None, any_payload())?;
    Ok(())
}
