//! Events for all executions, and events that executions of any correlation key may accept in
//! their start states: one object handles one event after the other.
//!
//! An event that is posted starts an execution here if no execution accepts it. The next one is
//! decided after the execution has its subscription. So the state of this object has the records
//! of events only.

use std::time::Duration;

use restate_sdk_shared_core::{Error, Input};
use workflow_runtime::coordination::{Returned, returned};
use workflow_runtime::machine::TriggerMatch;
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use super::decision::Mode;
use super::keyed::{free_key, keep_receipt, stored_receipt};
use super::members::{Receipt, time_in};
use super::route::{Home, Reach, Route};
use super::schedule::{admits_start, journal_time};
use super::{ALL, Answer, EventHandler, call, call_all, encode, keyed_target, number_in, read_request};
use crate::connection::Connection;
use crate::endpoint::Service;

pub(super) async fn on_spread(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let (request, event) = read_request(&input)?;
    let time @ (now, _) = journal_time(service, connection).await?;
    let is_posted = request.get("post").is_some();
    if !is_posted && Route::of(service.program.definition, &event).home != Some(Home::All) {
        return Ok(offer_to_all(service, connection, &event, Mode::Publish, None, time).await?.to_value());
    }
    let mut receipt = stored_receipt(connection, &event, now).await?;
    if receipt.is_taken {
        // Executions in later states may lack it. One that took it may have ended.
        let reached = offer_to_all(service, connection, &event, Mode::Taken, None, time).await?;
        return Ok(Reach { executions: reached.executions.max(1), ..reached }.to_value());
    }
    let reached = match is_posted {
        true => {
            let unique = input.random_seed >> 1;
            decide(service, connection, &event, Mode::Offer, (now, time, unique), &mut receipt).await?
        }
        false => {
            let reached = offer_to_all(service, connection, &event, Mode::Publish, None, time).await?;
            // They keep it: they decline only what may start executions.
            receipt.holders += reached.holders;
            receipt.is_taken = reached.blocked == 0 && receipt.holders > 0;
            reached
        }
    };
    if receipt.holders > 0 || receipt.is_taken {
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
    // Refused: its sender repeats it.
    let is_refused = receipt.holders > 0 && !receipt.is_taken;
    receipt.holders = receipt.holders.saturating_sub(1);
    if !is_refused && returned(true, receipt.holders > 0) == Returned::OfferedAgain {
        receipt.is_taken = false;
        let unique = input.random_seed >> 1;
        decide(service, connection, &event, Mode::OfferAgain, (posted, time, unique), &mut receipt).await?;
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
    (posted, time, unique): (Timestamp, (Timestamp, Duration), u64),
    receipt: &mut Receipt,
) -> Result<Reach, Error> {
    let mut reached = offer_to_all(service, connection, event, mode, Some(posted), time).await?;
    receipt.holders += reached.holders;
    if reached.blocked > 0 {
        // Those that have accepted it keep it. When it comes again, the others are asked again.
        return Ok(reached);
    }
    // It may have been published before, or begun by a request that an operator killed.
    receipt.is_taken = receipt.holders > 0 || !mode.is_again() && reached.taken > 0;
    if receipt.holders > 0 {
        // Those that accepted it before may have ended.
        reached.executions = reached.executions.max(1);
    }
    if receipt.is_taken || !admits_start(service, connection, posted).await? {
        return Ok(reached);
    }
    let trigger = TriggerMatch::of(service.program.definition, event);
    let correlation = trigger.and_then(|trigger| trigger.correlation(event));
    let correlation = match correlation {
        Some(correlation) => correlation,
        None => {
            let first = TriggerMatch::execution_name(event);
            let key = free_key(service, connection, event, unique).await?;
            if key != first && !mode.is_again() {
                // The one that the event has started may be in a later state.
                let begun = keyed_target(service, EventHandler::Offer, &first);
                let begun = call(connection, begun, &offer_json(event, Mode::Taken, None, Some(time))).await?;
                if begun.as_ref().ok().and_then(|begun| number_in(begun, "taken")) > Some(0) {
                    receipt.is_taken = true;
                    reached.executions = reached.executions.max(1);
                    return Ok(reached);
                }
            }
            key.into()
        }
    };
    let begin = keyed_target(service, EventHandler::Offer, &correlation);
    let begun = call(connection, begin, &offer_json(event, Mode::Begin, Some(posted), Some(time))).await?;
    reached.add(&begun.unwrap_or_default());
    receipt.is_taken = reached.started + reached.taken > 0;
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
    // Otherwise publications go to the objects of its values without this object.
    if route.home == Some(Home::All) {
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
