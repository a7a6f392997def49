//! The progress of an execution as server-sent events (HTML, 9.2): the events of its history as
//! they are recorded.
//!
//! Each event has its number as its id, so that a client that was cut off continues behind the
//! last event that it has. What the history hides, this hides, too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderName};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use workflow_runtime::engine::{Engine, EngineError, Summary};
use workflow_runtime::{Object, Value};

use super::log;
use crate::executions::summary_json;
use crate::http::answer::Answer;
use crate::http::request::single;

/// The most streams at the same time.
pub const STREAMS: usize = 128;
/// The media type of streams.
const MEDIA: &str = "text/event-stream";
/// The pauses between two looks at the history: the first after an event, and the longest.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The silence after which a comment shows that the connection is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The most events and bytes that are read at once.
const PAGE: usize = 500;
const PAGE_BYTES: usize = 1 << 20;
/// The beginning of a stream: a client that is cut off connects again after a second.
const BEGINNING: &str = "retry: 1000\n\n";

/// The places of a stream among all streams, and among the requests that wait.
pub type Places = [OwnedSemaphorePermit; 2];

/// Returns the number of the last event that the client has: `Last-Event-ID`, which a browser
/// sends when it connects again, or else the parameter `after`.
pub fn last_event(head: &HeaderMap, after: Option<u64>) -> Result<Option<u64>, Answer> {
    let Some(id) = single(head, "last-event-id")? else { return Ok(after) };
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    number.map(Some).ok_or_else(|| Answer::bad("invalid `Last-Event-ID`: expected the id of an event"))
}

/// Takes the places for a stream.
pub fn places(streams: &Arc<Semaphore>, waiting: &Arc<Semaphore>) -> Result<Places, Answer> {
    let take = |from: &Arc<Semaphore>| {
        from.clone().try_acquire_owned().map_err(|_| {
            let help = "`GET /executions/{id}/history?after=N` has the same events";
            let refused = Answer::problem(StatusCode::SERVICE_UNAVAILABLE, "too many clients wait for events", help);
            refused.with(header::RETRY_AFTER, "5")
        })
    };
    Ok([take(streams)?, take(waiting)?])
}

/// Returns an answer without a stream: to `HEAD`.
pub fn without_stream() -> Answer {
    Answer::text(StatusCode::OK, String::new()).of_type(MEDIA)
}

/// Returns `true` if the client has all events of an execution that is over.
///
/// # Errors
/// [`EngineError::Unsupported`] if the engine has no histories.
pub async fn has_ended(engine: &dyn Engine, of: &Summary, after: Option<u64>) -> Result<bool, EngineError> {
    let has_more = !engine.history(&of.id, after.unwrap_or(0), 1, 0).await?.events.is_empty();
    Ok(of.status.is_over() && !has_more && after.is_some())
}

/// A stream that is being written.
pub struct Stream {
    engine: Arc<dyn Engine>,
    /// The id of the execution.
    id: String,
    /// The number of the last event that was sent.
    after: u64,
    /// The most bytes of an event.
    most: u64,
    parts: Sender<Bytes>,
    sent: Instant,
}

/// The client has closed the connection.
struct Closed;

impl Stream {
    /// Returns the answer with the events after this number, and writes them in a task of its own
    /// until the execution ends, the client has closed the connection, or `leaving` is ready.
    /// If the client has all events of an execution that is over, the answer is 204, upon which
    /// browsers do not connect again.
    pub async fn start(
        engine: Arc<dyn Engine>,
        of: Summary,
        after: Option<u64>,
        most: u64,
        places: Places,
        leaving: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Answer, EngineError> {
        if has_ended(&*engine, &of, after).await? {
            return Ok(Answer::done());
        }
        let (parts, receiver) = mpsc::channel(1);
        let after = after.unwrap_or(0);
        let mut stream = Stream { engine, id: of.id, after, most, parts, sent: Instant::now() };
        tokio::spawn(async move {
            tokio::select! {
                _closed = stream.write() => {}
                () = leaving => {}
            }
            drop(places);
        });
        let answer = Answer::in_parts(receiver).of_type(MEDIA);
        // Proxies that collect answers would hold the events back.
        Ok(answer.with(HeaderName::from_static("x-accel-buffering"), "no"))
    }

    async fn write(&mut self) -> Result<(), Closed> {
        self.send(BEGINNING.to_owned()).await?;
        let mut pause = SHORTEST_PAUSE;
        loop {
            match self.read().await {
                Ok((events, _)) if !events.is_empty() => {
                    pause = SHORTEST_PAUSE;
                    self.send(events).await?;
                }
                Ok((_, Some(end))) => return self.send(end).await,
                Ok(_) => {
                    if self.sent.elapsed() >= HEARTBEAT {
                        self.send(":\n\n".to_owned()).await?;
                    }
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        () = self.parts.closed() => return Err(Closed),
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(error) => {
                    log::problem(&error);
                    let mut problem = Object::new();
                    problem.insert("error", error.to_string());
                    return self.send(format!("event: error\ndata: {}\n\n", Value::from(problem))).await;
                }
            }
        }
    }

    /// Reads the next events as text, and the text for the end if the execution is over.
    async fn read(&mut self) -> Result<(String, Option<String>), EngineError> {
        // An execution that was over before its events are read has no more of them.
        let (summary, _) = self.engine.summary(&self.id).await?;
        let page = self.engine.history(&self.id, self.after, PAGE, PAGE_BYTES).await?;
        let first = page.last.saturating_sub(page.events.len() as u64).saturating_add(1);
        let events = match page.events.is_empty() {
            true => String::new(),
            false => self.engine.without_tokens(page.events.join("\n")).await?,
        };
        let mut text = String::new();
        for (event, id) in events.lines().zip(first..) {
            if event.len() as u64 > self.most {
                let problem = format!("the event has more than {} bytes", self.most);
                text.push_str(&format!("id: {id}\nevent: omitted\ndata: {{\"error\":\"{problem}\"}}\n\n"));
            } else {
                text.push_str(&format!("id: {id}\ndata: {event}\n\n"));
            }
        }
        self.after = page.last;
        let end = match summary.status.is_over() {
            true => {
                let summary = self.engine.without_tokens(Value::from(summary_json(&summary)).to_string()).await?;
                Some(format!("id: {}\nevent: end\ndata: {summary}\n\n", self.after))
            }
            false => None,
        };
        Ok((text, end))
    }

    async fn send(&mut self, text: String) -> Result<(), Closed> {
        self.sent = Instant::now();
        self.parts.send(Bytes::from(text)).await.map_err(|_| Closed)
    }
}
