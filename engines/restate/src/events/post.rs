//! Requests of clients: publish an event, or post events that may start executions.

use restate_sdk_shared_core::Input;
use workflow_runtime::{Array, CloudEvent, Value, value};

use super::decision::Mode;
use super::route::{Home, Reach, Route};
use super::spread::offer_json;
use super::{ALL, Answer, EventHandler, Stop, call, keyed_target, read_event, target};
use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::read_json;

/// Largest number of events in a request.
const MAX_EVENTS: usize = 1_000;

/// Beginning and rest of a refusal. Between them is the key of the execution with a full inbox.
const FULL: (&str, &str) =
    ("the execution `", "` would accept the event in its start state, but its inbox is full: publish it again later");

/// Refusal if an object of an earlier version does not name the execution.
const FULL_UNNAMED: &str =
    "an execution would accept the event in its start state, but its inbox is full: publish it again later";

/// Handles a published event.
pub(super) async fn on_publish(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let event = read_event(&read_json(&input.input)?)?;
    let route = Route::of(service.program.definition, &event);
    let reached = publish(service, connection, &event, &route, Reach::default()).await?;
    Ok(value!({ "executions": reached.executions as i64, "full": reached.full as i64 }))
}

/// Handles a posted event or list of events.
pub(super) async fn on_start(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let body = read_json(&input.input)?;
    let Value::Array(events) = &body else { return start(service, connection, &read_posted(&body)?).await };
    if events.len() > MAX_EVENTS {
        return Err(format!("a request can have at most {MAX_EVENTS} events, found {}", events.len()).into());
    }
    let events = events.iter().map(read_posted).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for event in &events {
        all.push(start(service, connection, event).await?);
    }
    Ok(Array::from(all).into())
}

/// Posts an event, and returns what it has reached.
async fn start(service: &Service, connection: &mut Connection, event: &CloudEvent) -> Answer {
    answer(post(service, connection, event).await?)
}

/// Returns the answer to a posted event. It is refused if it is not decided which execution takes
/// it. Others may have it already, and do not receive it again.
fn answer(reached: Reach) -> Answer {
    let Reach { executions, started, full, blocked, blocked_by, .. } = reached;
    if blocked > 0 {
        let refusal = blocked_by.map_or_else(|| FULL_UNNAMED.to_owned(), |key| format!("{}{key}{}", FULL.0, FULL.1));
        return Err(Stop::Refused(429, refusal));
    }
    Ok(value!({ "executions": executions as i64, "started": started as i64, "full": full as i64 }))
}

/// Returns the key of the execution whose full inbox a refusal of an event names.
pub(crate) fn full_execution(refusal: &str) -> Option<&str> {
    refusal.strip_prefix(FULL.0)?.strip_suffix(FULL.1)
}

/// Reads a posted event.
fn read_posted(event: &Value) -> Result<CloudEvent, String> {
    let event = read_event(event)?;
    // The names of executions that events start consist of source and id.
    match is_uri_reference(&event.source) {
        true => Ok(event),
        false => Err(format!("`source` must be a URI reference, found {}", event.source)),
    }
}

fn is_uri_reference(source: &str) -> bool {
    fluent_uri::UriRef::parse(source).is_ok()
}

/// Sends an event to where it is decided whether it starts an execution, and to all others that
/// wait for it.
async fn post(service: &Service, connection: &mut Connection, event: &CloudEvent) -> Result<Reach, Stop> {
    let mut route = Route::of(service.program.definition, event);
    let (target, request) = match route.home.take() {
        None => return publish(service, connection, event, &route, Reach::default()).await,
        Some(Home::Key(key)) => {
            let home = keyed_target(service, EventHandler::Offer, &key);
            route.keys.remove(&key);
            (home, offer_json(event, Mode::Post, None, None))
        }
        Some(Home::All) => {
            let all = target(&service.name, EventHandler::Spread, ALL);
            route = Route { keys: Default::default(), trie: None, home: None };
            (all, value!({ "event": event.to_value(), "post": true }))
        }
    };
    let mut reached = Reach::default();
    reached.add(&call(connection, target, &request).await?.map_err(Stop::Failed)?);
    publish(service, connection, event, &route, reached).await
}

/// Publishes an event to all objects of a route.
async fn publish(
    service: &Service,
    connection: &mut Connection,
    event: &CloudEvent,
    route: &Route,
    mut reached: Reach,
) -> Result<Reach, Stop> {
    for recipient in route.recipients() {
        let target = match recipient {
            Some(key) => keyed_target(service, EventHandler::Offer, &key),
            None => target(&service.name, EventHandler::Spread, ALL),
        };
        let offer = offer_json(event, Mode::Publish, None, None);
        reached.add(&call(connection, target, &offer).await?.map_err(Stop::Failed)?);
    }
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_of_an_event_names_the_execution_with_a_full_inbox() {
        let blocked = |key: &str| Reach { full: 1, blocked: 1, blocked_by: Some(key.to_owned()), ..Reach::default() };
        for (reached, expected) in [
            (Reach::default(), None),
            (Reach { full: 1, ..Reach::default() }, None),
            (blocked("one"), Some("one")),
            (blocked("a ` is full"), Some("a ` is full")),
            (Reach { executions: 2, holders: 1, ..blocked("one") }, Some("one")),
        ] {
            let named = match answer(reached.clone()) {
                Err(Stop::Refused(429, message)) => full_execution(&message).map(str::to_owned),
                _ => None,
            };
            assert_eq!(named.as_deref(), expected, "{reached:?}");
        }
        assert_eq!(full_execution("no"), None);
        // An object of an earlier version answers without a name.
        let mut reached = Reach::default();
        reached.add(&value!({ "executions": 0, "blocked": 1, "full": 1 }));
        assert!(matches!(answer(reached), Err(Stop::Refused(429, message)) if message == FULL_UNNAMED));
    }

    #[test]
    fn sources_are_uri_references() {
        for (source, is_taken) in
            [("/ward", true), ("urn:x", true), ("http://[::1]/a", true), ("http://[", false), ("a b", false)]
        {
            assert_eq!(is_uri_reference(source), is_taken, "{source}");
        }
    }
}
