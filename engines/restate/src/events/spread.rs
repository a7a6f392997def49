//! Events for all executions, and events that executions of any correlation key may accept in
//! their start states: one object handles one event after the other.
//!
//! An event that is posted starts an execution here if no execution accepts it. The next one is
//! decided after the execution has its subscription. So the state of this object has the records
//! of events only.

use std::time::Duration;

use restate_sdk_shared_core::{Error, Input};
use workflow_runtime::machine::TriggerMatch;
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use super::decision::Mode;
use super::keyed::{free_key, keep_receipt, stored_receipt};
use super::members::{Receipt, time_in};
use super::route::{Reach, Route};
use super::schedule::{admits_start, journal_time};
use super::{ALL, Answer, EventHandler, call, call_all, encode, keyed_target, read_request};
use crate::connection::Connection;
use crate::endpoint::Service;

pub(super) async fn on_spread(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let (request, event) = read_request(&input)?;
    let time @ (now, _) = journal_time(service, connection).await?;
    if request.get("post").is_none() {
        return Ok(offer_to_all(service, connection, &event, Mode::Publish, None, time).await?.to_value());
    }
    let mut receipt = stored_receipt(connection, &event, now).await?;
    if receipt.is_taken {
        return Ok(Reach { executions: 1, ..Reach::default() }.to_value());
    }
    let reached = decide(service, connection, &event, Mode::Offer, (now, time), &mut receipt).await?;
    if receipt.is_taken {
        keep_receipt(service, connection, ALL, &event, &mut receipt, time)?;
    }
    Ok(reached.to_value())
}

/// Handles the report of the object of a correlation key that its executions have declined an
/// event.
pub(super) async fn on_declined(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let (request, event) = read_request(&input)?;
    let posted = time_in(&request, "posted").ok_or_else(|| "expected the time of an event".to_owned())?;
    let time = journal_time(service, connection).await?;
    let mut receipt = stored_receipt(connection, &event, time.0).await?;
    receipt.holders = receipt.holders.saturating_sub(1);
    if receipt.holders == 0 {
        receipt.is_taken = false;
        decide(service, connection, &event, Mode::OfferAgain, (posted, time), &mut receipt).await?;
    }
    keep_receipt(service, connection, ALL, &event, &mut receipt, time)?;
    Ok(Value::Null)
}

/// Offers an event to all executions that may accept it, and starts one if none does and the
/// schedule admits it.
async fn decide(
    service: &Service,
    connection: &mut Connection,
    event: &CloudEvent,
    mode: Mode,
    (posted, time): (Timestamp, (Timestamp, Duration)),
    receipt: &mut Receipt,
) -> Result<Reach, Error> {
    let mut reached = offer_to_all(service, connection, event, mode, Some(posted), time).await?;
    receipt.holders = reached.holders;
    receipt.is_taken = reached.holders > 0;
    if receipt.is_taken || reached.blocked > 0 || !admits_start(service, connection, posted).await? {
        return Ok(reached);
    }
    let trigger = TriggerMatch::of(service.program.definition, event);
    let correlation = trigger.and_then(|trigger| trigger.correlation(event));
    let correlation = match correlation {
        Some(correlation) => correlation,
        None => free_key(service, connection, event).await?.into(),
    };
    let begin = keyed_target(service, EventHandler::Offer, &correlation);
    let begun = call(connection, begin, &offer_json(event, Mode::Begin, Some(posted), Some(time))).await?;
    reached.add(&begun.unwrap_or_default());
    receipt.is_taken = reached.started > 0;
    Ok(reached)
}

/// Sends an event to all objects that it concerns.
async fn offer_to_all(
    service: &Service,
    connection: &mut Connection,
    event: &CloudEvent,
    mode: Mode,
    posted: Option<Timestamp>,
    time: (Timestamp, Duration),
) -> Result<Reach, Error> {
    let route = Route::of(service.program.definition, event);
    let offer = offer_json(event, mode, posted, Some(time));
    let mut reached = match route.trie {
        Some(trie) => trie.visit(service, connection, &offer).await?,
        None => Reach::default(),
    };
    // A publication goes to the objects of its values without this object.
    if mode != Mode::Publish {
        let keys = route.keys.iter().map(|key| keyed_target(service, EventHandler::Offer, key));
        let offer = encode(&offer);
        reached.add(&call_all(connection, keys.map(|key| (key, offer.clone()))).await?.to_value());
    }
    Ok(reached)
}

/// Returns the request that offers an event, with the time and the deduplication time if they are
/// journaled.
pub(super) fn offer_json(
    event: &CloudEvent,
    mode: Mode,
    posted: Option<Timestamp>,
    time: Option<(Timestamp, Duration)>,
) -> Value {
    let posted = posted.map_or(Value::Null, |at| at.as_micros().into());
    let time = time.map_or(Value::Null, |(now, window)| {
        value!([now.as_micros(), i64::try_from(window.as_micros()).unwrap_or(i64::MAX)])
    });
    value!({ "event": event.to_value(), "mode": mode.name(), "posted": posted, "time": time })
}
