//! The routes of the server: they carry out requests.

use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::header::{self, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode, Uri};
use tokio::sync::{Semaphore, watch};
use workflow_runtime::engine::{Engine, EngineError, MapUpdate, Purge, Signal, StartRequest, TaskToken};
use workflow_runtime::machine::Definition;
use workflow_runtime::{Object, TooLarge, Value, uri};

use super::list;
use super::progress::{self, STREAMS, Stream};
use super::query::Query;
use super::{Metrics, ServeOptions, Token};
use super::{description, etag, events, log, templates};
use crate::command_line::correlation;
use crate::duration;
use crate::executions::{description_json, outcome_json, summary_json};
use crate::http::Serve;
use crate::http::answer::Answer;
use crate::http::body::AnswerBody;
use crate::http::callback::{self, Callback};
use crate::http::connections::{Arriving, OF_ONE_PEER};
use crate::http::request::{from_this_machine, json, members, not_allowed, only, path, single};

/// The longest time that a request may wait for an execution.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// The most requests that wait for executions at the same time. Further requests are answered at
/// once, so that connections are left for requests that do not wait.
const WAITING: usize = OF_ONE_PEER - 64;
/// The number of executions in a list: by default, and at most.
const LISTED: u32 = 100;
const LISTED_AT_MOST: u32 = 1_000;
/// The number of events in an answer with a history: by default, and at most.
const EVENTS: u64 = 500;
const EVENTS_AT_MOST: u64 = 5_000;
/// An upper bound of the bytes of a page of a history besides its events.
const ENVELOPE: usize = 64;
/// The most bytes of the JSON of the cause that a client gives for a cancellation.
const CAUSE: usize = 32 << 10;
/// The most bytes of an `Idempotency-Key`.
const KEY_BYTES: usize = 255;

/// The state of the server that answers requests.
pub struct Server {
    engine: Arc<dyn Engine>,
    token: Option<Token>,
    /// `true` if only this machine can reach the server.
    local: bool,
    max_body: usize,
    max_answer: u64,
    settings: Object,
    /// `true` if an outcome by task token needs the server's token, too.
    callbacks_authorized: bool,
    /// `true` if events start executions.
    start_on_events: bool,
    /// The places for requests that wait for executions.
    waiting: Arc<Semaphore>,
    /// The places for streams of events. A stream waits, too.
    streams: Arc<Semaphore>,
    leaving: watch::Sender<bool>,
    metrics: Metrics,
}

type Answered = Result<Answer, Answer>;

impl Server {
    pub fn new(engine: Arc<dyn Engine>, options: ServeOptions, local: bool) -> Server {
        let ServeOptions { token, max_body, max_answer, settings, callbacks_authorized, start_on_events, .. } = options;
        let (waiting, leaving) = (Arc::new(Semaphore::new(WAITING)), watch::Sender::new(false));
        let max_answer = max_answer as u64;
        Server {
            engine,
            token,
            local,
            max_body,
            max_answer,
            settings,
            callbacks_authorized,
            start_on_events,
            waiting,
            streams: Arc::new(Semaphore::new(STREAMS)),
            leaving,
            metrics: Metrics::new(),
        }
    }

    /// Sets the metrics, to which the server adds its own.
    pub fn with_metrics(self, metrics: Metrics) -> Server {
        Server { metrics, ..self }
    }

    /// Waits until the server is about to end.
    fn leaving(&self) -> impl Future<Output = ()> + use<> {
        let mut leaving = self.leaving.subscribe();
        async move {
            // The channel is closed if the server was dropped: then it has ended, too.
            let _closed = leaving.wait_for(|leaving| *leaving).await.is_err();
        }
    }

    async fn route(&self, request: Request<Arriving>) -> Answered {
        let (head, body) = request.into_parts();
        // A request has at most one `Host` (RFC 9112 §3.2).
        single(&head.headers, "host")?;
        let parts = path(&head.uri)?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let admitted = self.admit(&head.headers);
        if parts == ["health"] && head.method != Method::POST {
            only(&head.method, &[Method::GET, Method::HEAD])?;
            return Ok(self.health(admitted.is_ok()));
        }
        // By default, the token of a task suffices to deliver its outcome.
        let by_token = parts.first() == Some(&"callbacks") && self.token.is_some() && !self.callbacks_authorized;
        let is_admitted = admitted.is_ok();
        if !by_token {
            admitted?;
        }
        let query = |known: &[&str]| Query::of(&head.uri, known);
        if let ["executions", id, "events"] = parts[..]
            && head.method != Method::POST
        {
            only(&head.method, &[Method::GET, Method::HEAD, Method::POST])?;
            return self.follow(id, &head, &query(&["after"])?).await;
        }
        if is_about_events(&parts, &self.workflows()) {
            only(&head.method, &[Method::POST])?;
            let (execution, start) = match parts[..] {
                ["executions", id, _] => {
                    query(&[])?;
                    self.engine.summary(id).await?;
                    (Some(id), false)
                }
                _ => (None, flag(&query(&["start"])?, "start")?.unwrap_or(true)),
            };
            let request = events::read(&head.headers, body, self.max_body).await?;
            return match execution {
                Some(id) => events::send(&*self.engine, id, request).await,
                None => {
                    let settings = (start && self.start_on_events).then_some(&self.settings);
                    events::publish(&*self.engine, request, settings).await
                }
            };
        }
        if let ["callbacks", token, kind] = parts[..]
            && callback::KINDS.contains(&kind)
        {
            only(&head.method, &[Method::POST])?;
            let query = query(&["execution"])?;
            let task = TaskToken::new(token);
            let task = query.get("execution").map_or(task, |id| task.of(id));
            // Who has no token of the server does not learn which executions exist.
            let refused = |error| match error {
                EngineError::UnknownExecution(_) | EngineError::NotNow { .. } | EngineError::UnknownToken { .. }
                    if !is_admitted =>
                {
                    EngineError::UnknownToken { execution: None }
                }
                error => error,
            };
            // Without a token of a task nobody occupies memory.
            self.engine.signal(task, Signal::Check).await.map_err(refused)?;
            let signal = match callback::read(kind, &head.headers, body, self.max_body).await? {
                Callback::Succeed(output) => Signal::Succeed(output),
                Callback::Fail(fault) => Signal::Fail(fault),
                Callback::Heartbeat => Signal::Heartbeat,
            };
            self.engine.signal(task, signal).await.map_err(refused)?;
            return Ok(Answer::done());
        }
        let input = || json(&head.headers, body, self.max_body);
        let (get, post) = ([Method::GET, Method::HEAD], [Method::POST]);
        match parts[..] {
            [workflow] if head.method == Method::POST && self.workflows().contains(&workflow) => {
                let query = query(&["id", "wait", "delay", "correlate"])?;
                self.start(workflow, &head.headers, &query, input().await?).await
            }
            ["executions"] => {
                only(&head.method, &get)?;
                let listed = self.list(&query(&list::PARAMETERS)?).await?;
                Ok(etag::conditional(&head.headers, listed))
            }
            ["executions", "purge"] if head.method == Method::POST => {
                self.purge(&query(&["older-than", "history"])?).await
            }
            ["executions", id] => {
                only(&head.method, &get)?;
                query(&[])?;
                let description = self.engine.describe(id).await?;
                let described =
                    self.answer_without_tokens(StatusCode::OK, description_json(&description, false)).await?;
                Ok(etag::conditional(&head.headers, described))
            }
            ["executions", id, "history"] => {
                only(&head.method, &get)?;
                let query = query(&["after", "limit"])?;
                let after = number(&query, "after", 0..=u64::MAX)?.unwrap_or(0);
                let limit = number(&query, "limit", 1..=EVENTS_AT_MOST)?.unwrap_or(EVENTS);
                let bytes = usize::try_from(self.max_answer).unwrap_or(usize::MAX).saturating_sub(ENVELOPE);
                let page = self.engine.history(id, after, limit as usize, bytes).await?;
                let events = self.engine.without_tokens(page.events.join(",")).await?;
                let next = page.next.map_or("null".to_owned(), |next| next.to_string());
                let text = format!("{{\"events\":[{events}],\"next\":{next}}}");
                if text.len() as u64 > self.max_answer {
                    return Err(Answer::too_large(TooLarge { limit: self.max_answer }));
                }
                Ok(etag::conditional(&head.headers, Answer::text(StatusCode::OK, text)))
            }
            ["executions", id, "result"] => {
                only(&head.method, &get)?;
                let wait = longest(&query(&["wait"])?)?;
                self.state_of(id, wait, StatusCode::OK, StatusCode::ACCEPTED).await
            }
            ["executions", id, "cancel"] => {
                only(&head.method, &post)?;
                let wait = longest(&query(&["wait"])?)?;
                self.engine.summary(id).await?;
                let cause = members(input().await?, &["cause"])?.remove("cause");
                let cause = cause.map(|cause| cause.as_str().map_or_else(|| cause.excerpt(CAUSE), str::to_owned));
                self.engine.cancel(id, &cause.unwrap_or_default()).await?;
                log::cancellation(id);
                self.state_of(id, wait, StatusCode::OK, StatusCode::ACCEPTED).await
            }
            ["executions", id, "redrive"] => {
                only(&head.method, &post)?;
                let wait = longest(&query(&["wait"])?)?;
                self.engine.redrive(id).await?;
                log::redrive(id);
                self.state_of(id, wait, StatusCode::OK, StatusCode::ACCEPTED).await
            }
            ["executions", id, "update"] => {
                only(&head.method, &post)?;
                query(&[])?;
                self.engine.summary(id).await?;
                let update = MapUpdate::from_value(&input().await?.unwrap_or_default());
                let update = update.map_err(|invalid| EngineError::Invalid(invalid.to_string()))?;
                self.engine.update_map(id, update).await?;
                log::map_update(id);
                self.state_of(id, Duration::ZERO, StatusCode::OK, StatusCode::ACCEPTED).await
            }
            ["metrics"] if head.method != Method::POST => {
                only(&head.method, &get)?;
                query(&[])?;
                self.metrics.answer(&*self.engine).await
            }
            ["openapi.json"] if head.method != Method::POST => {
                only(&head.method, &get)?;
                query(&[])?;
                let described = |one: &'static Definition| (one.name, one.describe_input.map(|describe| describe()));
                let workflows: Vec<description::Described<'_>> =
                    self.engine.workflows().into_iter().map(described).collect();
                let document = Answer::json(StatusCode::OK, description::document(&workflows));
                Ok(etag::conditional(&head.headers, document))
            }
            ["health" | "metrics" | "openapi.json"] => Err(not_allowed(&get)),
            [workflow] if self.workflows().contains(&workflow) => Err(not_allowed(&post)),
            [workflow] if head.method == Method::POST && !workflow.is_empty() => {
                let names: Vec<String> = self.workflows().iter().map(|name| format!("`{name}`")).collect();
                let error = format!("unknown workflow `{workflow}`");
                Err(Answer::problem(StatusCode::NOT_FOUND, error, format!("the workflows are {}", names.join(", "))))
            }
            _ => Err(Answer::problem(StatusCode::NOT_FOUND, "not found", ROUTES)),
        }
    }

    /// Checks the authorization of a request. Without a server token, programs on this machine are
    /// admitted, and web pages in its browsers are not.
    fn admit(&self, head: &HeaderMap) -> Result<(), Answer> {
        let Some(token) = &self.token else {
            from_this_machine(head, self.local).map_err(|what| {
                Answer::problem(StatusCode::FORBIDDEN, what, "these requests need a server with a token")
            })?;
            return Ok(());
        };
        let credentials = head.get(header::AUTHORIZATION).map(header::HeaderValue::as_bytes).unwrap_or_default();
        let (scheme, credentials) = credentials.split_at(credentials.len().min("Bearer ".len()));
        match scheme.eq_ignore_ascii_case(b"Bearer ") && token.is(credentials) {
            true => Ok(()),
            false => {
                let help = "send the token as `Authorization: Bearer TOKEN`";
                let refused = Answer::problem(StatusCode::UNAUTHORIZED, "missing or wrong bearer token", help);
                Err(refused.with(header::WWW_AUTHENTICATE, "Bearer"))
            }
        }
    }

    /// Returns the names of the workflows.
    fn workflows(&self) -> Vec<&'static str> {
        self.engine.workflows().iter().map(|definition| definition.name).collect()
    }

    /// Returns the definition of a workflow.
    fn definition(&self, workflow: &str) -> Result<&'static Definition, Answer> {
        let found = self.engine.workflows().into_iter().find(|definition| definition.name == workflow);
        found.ok_or_else(|| EngineError::UnknownWorkflow(workflow.to_owned()).into())
    }

    /// Returns the health of the engine. Every client sees that there is a problem. Only admitted
    /// clients see its text, which has paths in it.
    fn health(&self, admitted: bool) -> Answer {
        let (code, status, problem) = match self.engine.problem() {
            _ if *self.leaving.borrow() => (StatusCode::SERVICE_UNAVAILABLE, "ending", None),
            None => (StatusCode::OK, "ok", None),
            Some(problem) => (StatusCode::SERVICE_UNAVAILABLE, "failed", Some(problem.to_string())),
        };
        let mut body = Object::new();
        body.insert("status", status);
        if let Some(problem) = problem.filter(|_| admitted) {
            body.insert("error", problem);
        }
        Answer::json(code, body)
    }

    async fn start(&self, workflow: &str, head: &HeaderMap, query: &Query, input: Option<Value>) -> Answered {
        let wait = longest(query)?;
        let input = input.unwrap_or_else(|| Object::new().into());
        let mut request = StartRequest::new(workflow, input).settings(self.settings.clone());
        if let Some(id) = query.get("id") {
            request = request.id(id);
        }
        if let Some(key) = single(head, "idempotency-key")? {
            let key = std::str::from_utf8(key.as_bytes());
            let key = key.map_err(|_| Answer::bad("the `Idempotency-Key` is not UTF-8"))?.trim();
            // The draft of the standard has the key in quotes.
            let quoted = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
            request = request.key(checked_key(quoted.unwrap_or(key))?);
        }
        if let Some(pair) = query.get("correlate") {
            let definition = self.definition(workflow)?;
            request = request.correlate(correlation(definition, pair).map_err(Answer::bad)?);
        }
        if let Some(delay) = query.duration("delay")? {
            request = request.after(delay);
        }
        let started = self.engine.start(request).await?;
        let status = if started.is_new { StatusCode::CREATED } else { StatusCode::OK };
        let answer = self.state_of(&started.id, wait, status, status).await?;
        Ok(answer.with(header::LOCATION, format!("/executions/{}", uri::encode(&started.id))))
    }

    async fn purge(&self, query: &Query) -> Answered {
        let Some(older_than) = query.duration("older-than")? else {
            return Err(Answer::bad("the parameter `older-than` is missing: write `?older-than=30d`"));
        };
        let only_history = flag(query, "history")?.unwrap_or(false);
        let what = if only_history { Purge::Histories } else { Purge::Executions };
        let executions = self.engine.purge(older_than, what).await?;
        log::purge(executions);
        let mut body = Object::new();
        body.insert("executions", executions);
        Ok(Answer::json(StatusCode::OK, body))
    }

    /// Returns the events of an execution as they are recorded.
    async fn follow(&self, id: &str, head: &Parts, query: &Query) -> Answered {
        let after = progress::last_event(&head.headers, number(query, "after", 0..=u64::MAX)?)?;
        let (summary, _) = self.engine.summary(id).await?;
        if head.method == Method::HEAD {
            return Ok(match progress::has_ended(&*self.engine, &summary, after).await? {
                true => Answer::done(),
                false => progress::without_stream(),
            });
        }
        let places = progress::places(&self.streams, &self.waiting)?;
        let stream = Stream::start(self.engine.clone(), summary, after, self.max_answer, places, self.leaving());
        Ok(stream.await?)
    }

    async fn list(&self, query: &Query) -> Answered {
        let mut filter = list::filter(query)?;
        let limit = number(query, "limit", 1..=LISTED_AT_MOST.into())?;
        let limit = limit.and_then(|limit| limit.try_into().ok()).unwrap_or(LISTED);
        if let Some(before) = query.get("before") {
            filter = filter.before(before);
        }
        let listed = self.engine.list(&filter.limit(limit)).await?;
        let full = listed.len() == limit as usize;
        let next = listed.last().filter(|_| full).map_or(Value::Null, |last| last.id.as_str().into());
        let mut body = Object::new();
        body.insert("executions", Value::from_iter(listed.iter().map(|one| Value::from(summary_json(one)))));
        body.insert("next", next);
        self.answer_without_tokens(StatusCode::OK, body).await
    }

    /// Returns an answer about executions, with task tokens removed.
    async fn answer_without_tokens(&self, status: StatusCode, body: impl Into<Value>) -> Answered {
        let body = body.into();
        let text = tokio::task::block_in_place(|| body.to_json(self.max_answer)).map_err(Answer::too_large)?;
        Ok(Answer::text(status, self.engine.without_tokens(text).await?))
    }

    /// Returns the status of an execution, and its outcome if it has ended. Waits for its end for
    /// `wait` at most. The HTTP status is `ended` or `not`, by the status of the execution.
    async fn state_of(&self, id: &str, wait: Duration, ended: StatusCode, not: StatusCode) -> Answered {
        // If too many requests wait already, this request is answered at once.
        if !wait.is_zero()
            && let Ok(_place) = self.waiting.try_acquire()
        {
            tokio::select! {
                // The outcome is read below.
                stuck = self.engine.attach(id) => match stuck {
                    // The program cannot continue the execution: a client that waits for the
                    // result would ask again without end.
                    Err(error @ EngineError::CannotContinue { halted: true, .. }) if not == StatusCode::ACCEPTED => {
                        return Err(error.into());
                    }
                    _ => {}
                },
                () = tokio::time::sleep(wait) => {}
                () = self.leaving() => {}
            }
        }
        let (summary, outcome) = self.engine.summary(id).await?;
        let mut body = summary_json(&summary);
        if let Some(outcome) = &outcome {
            body.insert("outcome", outcome_json(outcome));
        }
        self.answer_without_tokens(if summary.status.is_over() { ended } else { not }, body).await
    }
}

impl Serve for Server {
    async fn answer(&self, request: Request<Arriving>, peer: IpAddr) -> Response<AnswerBody> {
        let (method, path, started) = (request.method().clone(), shown_path(request.uri()), Instant::now());
        let parts = crate::http::request::path(request.uri()).unwrap_or_default();
        let template = templates::of(&method, &parts, &self.workflows());
        let (Ok(answer) | Err(answer)) = self.route(request).await;
        let request = log::Request { method: method.as_str(), path: &path, peer };
        let seconds = started.elapsed().as_secs_f64();
        log::answered(&request, answer.status(), answer.reason(), seconds);
        self.metrics.answered(templates::method(&method), template, answer.status(), seconds);
        answer.response()
    }

    fn leave(&self) {
        self.leaving.send_replace(true);
    }

    fn leaving(&self) -> impl Future<Output = ()> + Send {
        Server::leaving(self)
    }
}

/// The requests that the server answers, as its refusal of others lists them.
pub const ROUTES: &str = "POST /{workflow}, GET /executions, GET /executions/{id}, GET /executions/{id}/result, \
    GET /executions/{id}/history, POST /executions/purge, POST /executions/{id}/cancel, POST /executions/{id}/redrive, \
    POST /executions/{id}/update, GET /executions/{id}/events, POST /executions/{id}/events, POST /events, \
    POST /callbacks/{token}/succeed, POST /callbacks/{token}/fail, POST /callbacks/{token}/heartbeat, GET /health, \
    GET /metrics, GET /openapi.json";

/// Returns the path of a request as the log shows it. Parts that may be secrets are left out: the
/// tokens of tasks, and everything behind the first segment of a path that is no route.
fn shown_path(uri: &Uri) -> String {
    let Ok(parts) = path(uri) else { return "(invalid)".to_owned() };
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts[..] {
        ["executions", _] | ["executions", _, "history" | "result" | "cancel" | "redrive" | "update" | "events"] => {
            format!("/{}", parts.join("/"))
        }
        ["callbacks", _, what @ ("succeed" | "fail" | "heartbeat")] => format!("/callbacks/…/{what}"),
        [only] => format!("/{only}"),
        [first, ..] => format!("/{first}/…"),
        [] => "/".to_owned(),
    }
}

/// Returns `true` if the path receives events. `/events` starts a workflow instead if one has this
/// name.
fn is_about_events(path: &[&str], workflows: &[&str]) -> bool {
    match path {
        ["executions", _, "events"] => true,
        ["events"] => !workflows.contains(&"events"),
        _ => false,
    }
}

/// Checks the length and the characters of a key.
fn checked_key(key: &str) -> Result<&str, Answer> {
    if key.is_empty() || key.len() > KEY_BYTES || key.chars().any(char::is_control) {
        let error = format!("the `Idempotency-Key` must have 1 to {KEY_BYTES} bytes and no control characters");
        return Err(Answer::bad(error));
    }
    Ok(key)
}

/// Returns a parameter that is a number in a range.
fn number(query: &Query, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Answer> {
    let Some(text) = query.get(name) else { return Ok(None) };
    let number = text.parse().ok().filter(|number| range.contains(number));
    let wrong = || Answer::bad(format!("`{name}={text}`: expected a number from {} to {}", range.start(), range.end()));
    number.map(Some).ok_or_else(wrong)
}

/// Returns a parameter that is `true` or `false`.
fn flag(query: &Query, name: &str) -> Result<Option<bool>, Answer> {
    let Some(text) = query.get(name) else { return Ok(None) };
    let flag = text.parse().map_err(|_| Answer::bad(format!("`{name}={text}`: expected `true` or `false`")))?;
    Ok(Some(flag))
}

fn longest(query: &Query) -> Result<Duration, Answer> {
    let wait = query.duration("wait")?.unwrap_or_default();
    if wait > LONGEST_WAIT {
        let most = duration::show(LONGEST_WAIT);
        return Err(Answer::bad(format!("`wait` can be at most {most}: repeat the request to wait longer")));
    }
    Ok(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_no_tokens() {
        let shown = |path: &str| shown_path(&path.parse().expect("a path"));
        for (path, expected) in [
            ("/errand?id=secret", "/errand"),
            ("/executions/one/history?after=1", "/executions/one/history"),
            ("/executions/purge?older-than=1d", "/executions/purge"),
            ("/callbacks/secret/succeed", "/callbacks/…/succeed"),
            ("/%63allbacks/secret/%73ucceed", "/callbacks/…/succeed"),
            ("/callbacks/secret", "/callbacks/…"),
            ("/callback/secret/fail", "/callback/…"),
            ("/executions/one/secret", "/executions/…"),
            ("/%zz/secret", "(invalid)"),
            ("/", "/"),
        ] {
            assert_eq!(shown(path), expected, "{path}");
        }
    }
}
