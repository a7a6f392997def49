//! Events over HTTP: CloudEvents 1.0 in the structured, the batched and the binary mode (HTTP
//! Protocol Binding 1.0.2, §3).

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use workflow_runtime::engine::{Engine, Publication, Reached};
use workflow_runtime::{CloudEvent, Object, Value, uri};

use super::log;
use crate::events::{self, base64};
use crate::http::answer::Answer;
use crate::http::connections::Arriving;
use crate::http::request::{bytes, parse, single, value};

/// The most events of one request. All of them are written at once, and other requests wait
/// meanwhile.
const MOST: usize = 1_000;

/// The events of a request.
pub enum EventRequest {
    One(CloudEvent),
    Batch(Vec<CloudEvent>),
}

/// Reads the events of a request. A batch with an invalid event is refused as a whole.
pub async fn read(head: &HeaderMap, body: Arriving, most: usize) -> Result<EventRequest, Answer> {
    let media = Media::of(head)?;
    let essence = media.as_ref().map_or("", |media| media.essence.as_str());
    match essence {
        "application/cloudevents+json" => {
            let event = json(media.as_ref(), &bytes(head, body, most).await?)?;
            events::read(&event).map(EventRequest::One).map_err(not_an_event)
        }
        "application/cloudevents-batch+json" => {
            batch(&json(media.as_ref(), &bytes(head, body, most).await?)?).map(EventRequest::Batch)
        }
        _ if essence.starts_with("application/cloudevents") => {
            Err(unsupported(format!("the event format `{essence}` is not supported"), MODES))
        }
        _ if !head.keys().any(|name| name.as_str().starts_with("ce-")) => {
            Err(unsupported("the request contains no CloudEvent".to_owned(), MODES))
        }
        _ => binary(head, media.as_ref(), &bytes(head, body, most).await?).map(EventRequest::One),
    }
}

/// Delivers events to an execution. The answer has the numbers of delivered events and of
/// duplicates.
pub async fn send(engine: &dyn Engine, id: &str, request: EventRequest) -> Result<Answer, Answer> {
    let events = match request {
        EventRequest::One(event) => vec![event],
        EventRequest::Batch(events) => events,
    };
    let all = events.len();
    let delivered = engine.send(id, events).await?;
    let mut body = Object::new();
    body.insert("delivered", delivered as u64);
    body.insert("known", (all - delivered) as u64);
    Ok(Answer::json(StatusCode::ACCEPTED, body))
}

/// Delivers events to all executions that wait for them. With settings, also starts the executions
/// that the events trigger. The log has each event that nothing takes.
pub async fn publish(engine: &dyn Engine, request: EventRequest, settings: Option<&Object>) -> Result<Answer, Answer> {
    let (events, is_one) = match request {
        EventRequest::One(event) => (vec![event], true),
        EventRequest::Batch(events) => (events, false),
    };
    // Clones of events share their data.
    let sent = events.clone();
    let mut publication = Publication::of(events);
    publication.starts = settings.cloned();
    let all = engine.publish(publication).await?;
    for (event, reached) in sent.iter().zip(&all) {
        match reached {
            Reached { executions: 0, started: 0, full: 0, .. } => log::undelivered(event, "no subscribers"),
            Reached { executions: 0, started: 0, .. } => {
                log::undelivered(event, "the inboxes of its subscribers are full");
            }
            _ => {}
        }
    }
    let answer = match (is_one, all.first()) {
        (true, Some(one)) => reached(*one),
        _ => Value::from_iter(all.into_iter().map(reached)),
    };
    Ok(Answer::json(StatusCode::OK, answer))
}

/// The reason in the log. Details could be parts of the request.
const NOT_AN_EVENT: &str = "not a CloudEvent";

fn not_an_event(problem: impl std::fmt::Display) -> Answer {
    Answer::bad(format!("{NOT_AN_EVENT}: {problem}")).logged_as(NOT_AN_EVENT)
}

fn reached(reached: Reached) -> Value {
    let mut body = Object::new();
    body.insert("executions", reached.executions as u64);
    body.insert("started", reached.started as u64);
    body.insert("full", reached.full as u64);
    body.into()
}

const MODES: &str = "send one event as `application/cloudevents+json`, several as `application/cloudevents-batch+json`, or one with its \
                     attributes in the headers `ce-specversion: 1.0`, `ce-id`, `ce-source` and `ce-type` and its data as the body";

fn unsupported(error: String, help: &str) -> Answer {
    Answer::problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, help)
}

/// The media type of a body.
struct Media {
    /// The `Content-Type` as the client sent it.
    text: String,
    /// The type without its parameters, in lower case.
    essence: String,
    charset: Option<String>,
}

impl Media {
    fn of(head: &HeaderMap) -> Result<Option<Media>, Answer> {
        let Some(kind) = single(head, header::CONTENT_TYPE.as_str())? else { return Ok(None) };
        let text = kind.to_str().map_err(|_| Answer::bad("the `Content-Type` is not plain text"))?.trim();
        let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
        let charset = parameters.split(';').filter_map(|one| one.split_once('=')).find_map(|(name, value)| {
            let value = value.trim();
            let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
            name.trim().eq_ignore_ascii_case("charset").then(|| unquoted.to_owned())
        });
        Ok(Some(Media { text: text.to_owned(), essence: essence.trim().to_ascii_lowercase(), charset }))
    }

    fn is_json(&self) -> bool {
        self.essence.split_once('/').is_some_and(|(_, subtype)| subtype == "json" || subtype.ends_with("+json"))
    }

    fn is_text(&self) -> bool {
        self.essence.starts_with("text/")
    }

    /// Checks that the charset is UTF-8, or ASCII, which is a subset.
    fn must_be_utf_8(&self) -> Result<(), Answer> {
        let known = |charset: &str| ["utf-8", "utf8", "us-ascii"].iter().any(|one| one.eq_ignore_ascii_case(charset));
        match &self.charset {
            Some(charset) if !known(charset) => {
                Err(unsupported(format!("the charset `{charset}` is not supported"), "send it in UTF-8"))
            }
            _ => Ok(()),
        }
    }
}

/// Reads a body in the JSON format.
fn json(media: Option<&Media>, body: &Bytes) -> Result<Value, Answer> {
    media.map_or(Ok(()), Media::must_be_utf_8)?;
    parse(body)?.ok_or_else(|| Answer::bad("not a CloudEvent: the body is empty"))
}

/// Reads the events of a batch (JSON Batch Format, §4.1).
fn batch(batch: &Value) -> Result<Vec<CloudEvent>, Answer> {
    let Some(events) = batch.as_array() else {
        return Err(Answer::bad(format!("a batch must be an array of CloudEvents, found {}", batch.kind())));
    };
    if events.len() > MOST {
        let error = format!("a batch can have at most {MOST} events, found {}", events.len());
        return Err(Answer::problem(StatusCode::PAYLOAD_TOO_LARGE, error, "send several batches"));
    }
    let read = |(event, number): (&Value, u32)| {
        let all = events.len();
        events::read(event).map_err(|problem| {
            let error = format!("event {number} of {all} is not a CloudEvent: {problem}");
            Answer::bad(error).logged_as(NOT_AN_EVENT)
        })
    };
    events.iter().zip(1..).map(read).collect()
}

/// Reads an event whose attributes are in the head, and whose data is the body (§3.1).
fn binary(head: &HeaderMap, media: Option<&Media>, body: &Bytes) -> Result<CloudEvent, Answer> {
    let bad = |problem: String| not_an_event(problem);
    let mut event = Object::new();
    for name in head.keys() {
        let Some(attribute) = name.as_str().strip_prefix("ce-") else { continue };
        let Some(value) = single(head, name.as_str())? else { continue };
        match attribute {
            "datacontenttype" => {
                return Err(bad("`datacontenttype` must be sent as `Content-Type`, not as a `ce-` header".into()));
            }
            "data" | "data_base64" => return Err(bad("the data must be the body, not a `ce-` header".into())),
            _ => {}
        }
        let value = attribute_value(value).map_err(|problem| bad(format!("`{name}` {problem}")))?;
        event.insert(attribute, value);
    }
    if let Some(media) = media {
        event.insert("datacontenttype", media.text.as_str());
    }
    match media {
        _ if body.is_empty() => {}
        Some(media) if media.is_json() => {
            media.must_be_utf_8()?;
            let data = value(body).map_err(|error| bad(format!("the data is not JSON: {error}")))?;
            event.insert("data", data);
        }
        Some(media) if media.is_text() => {
            media.must_be_utf_8()?;
            let data = std::str::from_utf8(body).map_err(|error| bad(format!("the data is not UTF-8: {error}")))?;
            event.insert("data", data);
        }
        _ => {
            event.insert("data_base64", base64(body));
        }
    }
    events::read(&event.into()).map_err(|problem| {
        let error = format!("not a CloudEvent: {problem}");
        let help = "send attributes as headers: `id` is `ce-id`";
        Answer::problem(StatusCode::BAD_REQUEST, error, help).logged_as(NOT_AN_EVENT)
    })
}

/// Returns the value of an attribute in a header: removes quotes, and then decodes
/// percent-encoding once (§3.1.3.2).
fn attribute_value(value: &HeaderValue) -> Result<String, &'static str> {
    const NOT_PLAIN: &str = "has non-ASCII characters, which must be percent-encoded";
    let text = value.to_str().map_err(|_| NOT_PLAIN)?;
    let (mut plain, mut quoted) = (String::with_capacity(text.len()), false);
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        match next {
            '"' => quoted = !quoted,
            '\\' if quoted => plain.push(rest.next().ok_or("has an unterminated quote")?),
            other => plain.push(other),
        }
    }
    if quoted {
        return Err("has an unterminated quote");
    }
    uri::decode(&plain).ok_or("has invalid percent-encoding: expected two hexadecimal digits after `%`, and UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_attributes_are_decoded_once() {
        let read = |text: &str| HeaderValue::try_from(text).map_or(Err("no field"), |value| attribute_value(&value));
        for (text, value) in [
            ("plain", "plain"),
            ("Euro%20%E2%82%AC%20%f0%9f%98%80", "Euro € 😀"),
            ("%41%2541", "A%41"),
            ("\"a b\"", "a b"),
            (r#""a \"b\" \\ %22""#, r#"a "b" \ ""#),
            ("a+b", "a+b"),
            ("", ""),
        ] {
            assert_eq!(read(text).as_deref(), Ok(value), "{text}");
        }
        for wrong in ["%C0%A0", "%", "%4", "100%", "%zz", "\"a", "\"a\\", "für"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn types_are_distinguished() {
        let media = |text: &'static str| {
            let mut head = HeaderMap::new();
            head.insert(header::CONTENT_TYPE, HeaderValue::from_static(text));
            Media::of(&head).ok().flatten().expect("a type")
        };
        for json in ["application/json", "Application/JSON; charset=UTF-8", "application/vnd.a+json", "text/json"] {
            assert!(media(json).is_json(), "{json}");
        }
        assert!(!media("application/jsonl").is_json() && media("text/plain;charset=\"utf-8\"").is_text());
        assert!(media("text/plain;a=b; Charset=\"utf-8\"").must_be_utf_8().is_ok());
        assert!(media("text/plain; charset=iso-8859-1").must_be_utf_8().is_err());
    }
}
