//! The handlers of a workflow service.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Header, Input, NonEmptyValue, State, VM, Value as Notified,
};
use workflow_runtime::engine::turns::Held;
use workflow_runtime::machine::{Batching, Outcome, Start};
use workflow_runtime::observe::Observer;
use workflow_runtime::{Fault, Str, Timestamp, Value, id, value};

use crate::beyond::{Beyond, Stay};
use crate::bus::Subscribed;
use crate::drive::{Drive, Ended};
use crate::endpoint::Service;
use crate::events::Life;
use crate::journal;
use crate::link::{Link, Waited, any_payload, target};
use crate::segment::{Limits, Segment, Standing};
use crate::{beyond, bus, events, promises};

/// How long `status` waits for an invocation to tell what an execution waits for. One whose process is not there cannot.
const TO_ANSWER: Duration = Duration::from_secs(5);

/// The status with which an execution ends whose key is no id. One that an event has started never
/// ends with it.
pub(crate) const REFUSED_KEY: u16 = 400;

/// A handler: its name, and whether it is the one that an execution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    /// Is an execution.
    Run,
    /// Goes on with an execution whose journal became long.
    Segment,
    /// Runs a part of a large iteration.
    Batch,
    /// Delivers outcomes by token, signs of life and events, and cancels.
    Signal,
    /// Delivers an event that was published.
    Hear,
    /// Tells what an execution waits for.
    Status,
}

impl Handler {
    pub const ALL: [Handler; 6] =
        [Handler::Run, Handler::Segment, Handler::Batch, Handler::Signal, Handler::Hear, Handler::Status];

    pub fn name(self) -> &'static str {
        match self {
            Handler::Run => "run",
            Handler::Segment => "segment",
            Handler::Batch => "batch",
            Handler::Signal => "signal",
            Handler::Hear => "hear",
            Handler::Status => "status",
        }
    }

    pub async fn handle(self, service: &Service, link: &mut Link) -> Result<(), Error> {
        let input = link.input().await?;
        match self {
            Handler::Run => run(service, link, input).await,
            Handler::Segment => segment(service, link, input).await,
            Handler::Batch => batch(service, link, input).await,
            Handler::Signal => signal(service, link, input).await,
            Handler::Hear => events::hear(service, link, input).await,
            Handler::Status => tell_status(service, link, input.key).await,
        }
    }
}

/// Starts an execution, and yields its outcome.
async fn run(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let document = match read_json(&input.input) {
        Ok(document) => document,
        Err(problem) => return link.fail(400, problem),
    };
    let correlation = match beyond::correlation_in(&input.headers) {
        Ok(correlation) => correlation,
        Err(problem) => return link.fail(400, problem),
    };
    let entry = match beyond::entry_in(&input.headers) {
        Ok(entry) => entry,
        Err(problem) => return link.fail(400, problem),
    };
    let invalid = is_asked_for_from_outside(&input.headers).then(|| id::check(&input.key).err()).flatten();
    let invalid = invalid.map(|invalid| invalid.to_string());
    if entry.is_none()
        && let Err(fault) = service.program.definition.admit(&document)
    {
        if let Some(invalid) = invalid {
            return link.fail(REFUSED_KEY, invalid);
        }
        if beyond::is_started_by_event(&input.headers) {
            bus::never_began(service, link, &input.key)?;
        }
        return finish(link, &Err(fault));
    }
    let correlation = match (&entry, beyond::parent_in(&input.headers)) {
        (Some(_), _) => correlation.map(Str::from),
        (None, Some(_)) => service.program.definition.correlation(&document, None, correlation.map(Str::from)),
        (None, None) => service.program.definition.correlation(&document, correlation.map(Str::from), None),
    };
    let Some(Began { time, batching, limits, deployed, correlation, invalid }) =
        started(service, link, &input.key, correlation, invalid).await?
    else {
        bus::never_began(service, link, &input.key)?;
        return finish(link, &Err(crate::cancelled()));
    };
    if let Some(invalid) = invalid {
        return link.fail(REFUSED_KEY, invalid);
    }
    let value = correlation.as_deref().unwrap_or(&input.key);
    events::tell_correlation(link, service.program.definition, value)?;
    // A part of a workflow begins at any time, and what an event starts was admitted when that came.
    if entry.is_none()
        && !beyond::is_started_by_event(&input.headers)
        && let Some(refused) = refused(service, link, time, deployed).await?
    {
        // What another execution starts completes at once.
        let is_child = beyond::parent_in(&input.headers).is_some();
        return finish(link, &if is_child { Ok(document) } else { Err(refused) });
    }
    // What is published from now on is for this execution.
    let listener = bus::Listener {
        key: &input.key,
        correlation: entry.is_none().then_some(value),
        is_started_by_event: beyond::is_started_by_event(&input.headers),
    };
    let from = match bus::subscribe(service, link, &listener).await? {
        Subscribed::From(from) => from,
        Subscribed::Cancelled => {
            bus::never_began(service, link, &input.key)?;
            return finish(link, &Err(crate::cancelled()));
        }
    };
    let mut start = Start::new(document);
    service.set_up(&mut start);
    start.entry = entry;
    start.correlation = correlation;
    start.batching = Some(batching);
    start.name = Some(input.key.as_str().into());
    start.seed = Some(input.random_seed);
    start.time = Some(time);
    // Observers of a replay are told nothing.
    let replays = link.vm.state() != State::Processing;
    let mut observers = if replays { std::mem::take(&mut start.observers) } else { Vec::new() };
    let mut execution = Held::new(service.program.begin(start));
    match replays {
        true => service.turns.run_again(&mut execution).await,
        false => service.turns.run(&mut execution).await,
    }
    let mut execution = execution.into_inner();
    observers.append(&mut execution.take_observers());
    let beyond = Beyond {
        parent: beyond::parent_in(&input.headers),
        next_published: from.published,
        stay: from.first.map(Stay::from),
        ..Beyond::default()
    };
    let standing = Standing { limits, beyond, ..Standing::default() };
    let segment = Segment { standing, execution };
    let outcome = match Drive::new(link, service, segment, observers).run().await? {
        Ended::Execution(_, outcome) => outcome,
        Ended::Segment(bytes) => {
            go_on(service, link, &input.key, bytes)?;
            result(link).await?
        }
    };
    bus::unsubscribe(service, link, &input.key)?;
    // Only the one that waits for this one ends with it. A failure is all that it can be told besides an output.
    let outcome = if beyond::is_waited_for(&input.headers) { outcome } else { journal::told(outcome) };
    finish(link, &outcome)
}

/// Whether somebody outside has asked for the execution: no event, and no other execution.
fn is_asked_for_from_outside(headers: &[Header]) -> bool {
    !beyond::is_started_by_event(headers) && beyond::parent_in(headers).is_none()
}

/// Goes on with an execution. `run` waits for the outcome.
async fn segment(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let segment = match Segment::load(&service.program, &input.key, &input.input) {
        Ok(segment) => segment,
        Err(problem) => return Err(link.needs_people(problem)),
    };
    let observers = observers(service);
    drive(service, link, &input.key, segment, observers).await
}

/// Runs a batch. Whatever invocation goes on with the execution waits for the outcome.
async fn batch(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let mut observers = observers(service);
    let mut told = Vec::new();
    let replays = link.vm.state() != State::Processing;
    if !replays {
        std::mem::swap(&mut observers, &mut told);
    }
    let mut segment = match Segment::load_batch(&service.program, &input.key, &input.input, told) {
        Ok(segment) => segment,
        Err(problem) => return Err(link.needs_people(problem)),
    };
    let mut execution = Held::new(segment.execution);
    match replays {
        true => service.turns.run_again(&mut execution).await,
        false => service.turns.run(&mut execution).await,
    }
    segment.execution = execution.into_inner();
    observers.append(&mut segment.execution.take_observers());
    drive(service, link, &input.key, segment, observers).await
}

/// Those that look at what happens in this process.
fn observers(service: &Service) -> Vec<Box<dyn Observer>> {
    let mut start = Start::new(Value::Null);
    service.set_up(&mut start);
    start.observers
}

/// Goes on with an execution, or a batch of one, and tells those that wait for its outcome.
async fn drive(
    service: &Service,
    link: &mut Link,
    key: &str,
    segment: Segment,
    observers: Vec<Box<dyn Observer>>,
) -> Result<(), Error> {
    let batch = segment.standing.batch;
    match Drive::new(link, service, segment, observers).run().await? {
        Ended::Execution(at, outcome) => {
            let (promise, entry) = match batch {
                Some(op) => (promises::batch_result(op), journal::encode_exactly(at, &outcome)),
                None => (promises::RESULT.into(), journal::encode(journal::NO_TIME, &outcome)),
            };
            link.vm.sys_complete_promise(promise, NonEmptyValue::Success(entry), any_payload())?;
        }
        Ended::Segment(bytes) => go_on(service, link, key, bytes)?,
    }
    link.succeed(&Value::Null)
}

/// Lets another invocation go on with the execution.
fn go_on(service: &Service, link: &mut Link, key: &str, bytes: Bytes) -> Result<(), Error> {
    let next = target(&service.name, Handler::Segment.name(), key);
    link.vm.sys_send(next, bytes, None, None, any_payload())?;
    Ok(())
}

/// The outcome that another invocation came to. Who is to be cancelled is the other one.
async fn result(link: &mut Link) -> Result<Outcome, Error> {
    let result = link.vm.sys_get_promise(promises::RESULT.into())?;
    loop {
        match link.wait(result).await? {
            Waited::Done(Notified::Success(entry)) => return Ok(journal::decode(&entry).1),
            Waited::Done(other) => return Err(Error::internal(format!("the result is {other:?}"))),
            Waited::Cancelled => {
                let entry = NonEmptyValue::Success(Bytes::from_static(b"true"));
                link.vm.sys_complete_promise(promises::CANCEL.into(), entry, any_payload())?;
            }
        }
    }
}

fn finish(link: &mut Link, outcome: &Outcome) -> Result<(), Error> {
    match outcome {
        Ok(output) => link.succeed(output),
        Err(fault) => link.end(NonEmptyValue::Failure(journal::failure(fault))),
    }
}

/// What an execution keeps to.
struct Began {
    /// When it was started.
    time: Timestamp,
    /// How it divides iterations.
    batching: Batching,
    limits: Limits,
    /// When its workflow was deployed, where that matters and was said.
    deployed: Option<Timestamp>,
    /// The correlation value, if it is not the key.
    correlation: Option<Str>,
    /// Why no execution can have the key. One that has begun with an earlier version goes on,
    /// whatever its key.
    invalid: Option<String>,
}

/// What an execution has begun with; none if it was cancelled before. It is kept, and so is the definition: a journal that
/// another one has written cannot be replayed with this one.
async fn started(
    service: &Service,
    link: &mut Link,
    key: &str,
    correlation: Option<Str>,
    invalid: Option<String>,
) -> Result<Option<Began>, Error> {
    let definition = service.program.definition;
    let here = format!("{:016x}", definition.hash);
    let Batching { above, size } = service.batching;
    let mut keeps_to =
        value!({ "definition": here.as_str(), "batches": [above, size], "limits": service.limits.save() });
    if let (Some(deployed), Some(keeps_to)) = (service.deployed_at, keeps_to.as_object_mut()) {
        keeps_to.insert("deployed", deployed.as_micros());
    }
    if let (Some(correlation), Some(keeps_to)) = (correlation, keeps_to.as_object_mut()) {
        keeps_to.insert("correlation", correlation);
    }
    if let (Some(invalid), Some(keeps_to)) = (invalid, keeps_to.as_object_mut()) {
        keeps_to.insert("invalid", invalid);
    }
    let kept = link.keep("start", &keeps_to).await?;
    let entry = match kept {
        Waited::Done(Notified::Success(entry)) => entry,
        Waited::Done(other) => return Err(Error::internal(format!("the start is {other:?}"))),
        Waited::Cancelled => return Ok(None),
    };
    let (time, began) = journal::decode(&entry);
    let began = began.unwrap_or_default();
    let definition_then = began.get("definition").and_then(Value::as_str).unwrap_or_default();
    if definition_then == here {
        let batches = began.get("batches");
        let number = |at: i64| u32::try_from(batches?.get(at)?.as_i64()?).ok();
        let batching = number(0).zip(number(1)).map(|(above, size)| Batching { above, size });
        let limits = Limits::load(began.get("limits"));
        return Ok(Some(Began {
            time,
            batching: batching.unwrap_or(service.batching),
            limits: limits.unwrap_or(service.limits),
            deployed: began.get("deployed").and_then(Value::as_i64).map(Timestamp::from_micros),
            correlation: began.get("correlation").and_then(Value::as_str).map(Str::from),
            invalid: began.get("invalid").and_then(Value::as_str).map(str::to_owned),
        }));
    }
    Err(link.needs_people(format!(
        "the execution `{key}` of `{}` cannot go on: it began with the definition {}, and this program has the definition \
         {here}; serve the former one under this name, and the new one as another version",
        definition.name, definition_then,
    )))
}

/// Why an execution does not start at this time, if it does not: its workflow says when it can, counted from when it was deployed, if
/// that was said, or else from when an execution was started first.
async fn refused(
    service: &Service,
    link: &mut Link,
    time: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<Option<Fault>, Error> {
    let definition = service.program.definition;
    let Some(schedule) = definition.schedule else { return Ok(None) };
    let deployed = match deployed {
        None if schedule.needs_deployment() => match bus::deployed(service, link, time).await? {
            Some(deployed) => deployed,
            None => return Ok(Some(crate::cancelled())),
        },
        deployed => deployed.unwrap_or_default(),
    };
    Ok(schedule.admits(definition.name, time, deployed).err().map(Fault::from))
}

/// Delivers something to an execution.
async fn signal(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let signal = match read_json(&input.input) {
        Ok(signal) => signal,
        Err(problem) => return link.fail(400, problem),
    };
    if let Some(event) = signal.get("event") {
        return events::send(service, link, &input.key, event).await;
    }
    let is_set = |name: &str| signal.get(name).and_then(Value::as_bool) == Some(true);
    let now = Timestamp::now();
    let Some(token) = signal.get("token").and_then(Value::as_str) else {
        if !is_set("cancel") {
            return link.fail(400, "a signal has a `token`, an `event`, or `cancel`");
        }
        let by = signal.get("by").and_then(Value::as_str);
        let order = signal.get("end").cloned().unwrap_or_default();
        return cancel(service, link, &input.key, by, order).await;
    };
    if !is_resolved(link, promises::known(token)).await? {
        return link.fail(404, "no task of this execution waits for this token");
    }
    let refused = match (signal.get("output"), signal.get("fault")) {
        (Some(output), None) => resolve(link, promises::token(token), now, Ok(output.clone())).await?,
        (None, Some(fault)) => {
            resolve(link, promises::token(token), now, Err(journal::fault_from_value(fault))).await?
        }
        (None, None) if is_set("heartbeat") => {
            let beat = next_of(link, |before| promises::beat(token, before)).await?;
            resolve(link, promises::beat(token, beat), now, Ok(Value::Null)).await?;
            None
        }
        _ => return link.fail(400, "a signal for a token has one of `output`, `fault` and `heartbeat`"),
    };
    match refused {
        None => link.succeed(&Value::Null),
        Some(_) => link.fail(409, "the task of this token has an outcome already"),
    }
}

/// Cancels an execution, or what has this key if it was started `by` this one; that is told how it is to end.
async fn cancel(service: &Service, link: &mut Link, key: &str, by: Option<&str>, order: Value) -> Result<(), Error> {
    let promise = match by {
        Some(parent) => promises::cancel_by(parent),
        None => match events::life(service, link, key).await? {
            Life::Runs => promises::CANCEL.into(),
            // It would end one that is started with this key later.
            Life::Unknown => return link.fail(404, format!("there is no execution `{key}`")),
            Life::Ended => return link.succeed(&Value::Null),
        },
    };
    // To cancel what is cancelled already is no mistake.
    resolve(link, promise, Timestamp::now(), Ok(if by.is_some() { order } else { Value::Null })).await?;
    link.succeed(&Value::Null)
}

/// Resolves a promise. Yields what the server says if that cannot be.
pub(crate) async fn resolve(
    link: &mut Link,
    promise: String,
    at: Timestamp,
    outcome: Outcome,
) -> Result<Option<String>, Error> {
    let entry = NonEmptyValue::Success(journal::encode(at, &outcome));
    let resolved = link.vm.sys_complete_promise(promise, entry, any_payload())?;
    match link.finished(resolved).await? {
        Notified::Failure(failure) => Ok(Some(failure.message)),
        _ => Ok(None),
    }
}

/// Whether a promise is resolved.
async fn is_resolved(link: &mut Link, promise: String) -> Result<bool, Error> {
    let peeked = link.vm.sys_peek_promise(promise)?;
    Ok(matches!(link.finished(peeked).await?, Notified::Success(_)))
}

/// The first of numbered promises that is not resolved. Those before are, those after are not: it is found in steps that
/// grow.
pub(crate) async fn next_of(link: &mut Link, promise: impl Fn(u32) -> String) -> Result<u32, Error> {
    let (mut next, mut step) = (0, 1);
    loop {
        match is_resolved(link, promise(next + step - 1)).await? {
            true => {
                next += step;
                step *= 2;
            }
            false if step == 1 => return Ok(next),
            false => step = 1,
        }
    }
}

/// Tells whether an execution runs, and what it waits for. That is asked of whichever invocation goes on with it.
async fn tell_status(service: &Service, link: &mut Link, key: String) -> Result<(), Error> {
    let execution = || AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
    let output = link.vm.sys_get_invocation_output(execution())?;
    let mut ended = link.finished(output).await?;
    if ended == Notified::Void {
        let number = next_of(link, promises::question).await?;
        // Somebody else may have asked just now.
        resolve(link, promises::question(number), Timestamp::now(), Ok(Value::Null)).await?;
        let answer = link.vm.sys_get_promise(promises::answer(number))?;
        let patience = Timestamp::now().plus(TO_ANSWER);
        let patience = Duration::from_micros(u64::try_from(patience.as_micros()).unwrap_or_default());
        let patience = link.vm.sys_sleep(String::new(), patience, None)?;
        let output = link.vm.sys_attach_invocation(execution())?;
        match link.first(&[answer, output, patience]).await? {
            Some((first, end)) if first == output => ended = end,
            Some((first, Notified::Success(waits))) if first == answer => {
                let waits = Value::from_json_slice(&waits).unwrap_or_default();
                return link.succeed(&value!({ "status": "running", "waits": waits }));
            }
            _ => return link.succeed(&value!({ "status": "running", "waits": Value::Null })),
        }
    }
    let status = match ended {
        Notified::Failure(failure) if failure.code == 404 => "unknown",
        Notified::Failure(failure) if failure.code == 409 => "cancelled",
        Notified::Failure(_) => "failed",
        _ => "succeeded",
    };
    link.succeed(&value!({ "status": status }))
}

/// Reads the body of a request, JSON or nothing. A key that an object has twice is an error.
pub(crate) fn read_json(body: &[u8]) -> Result<Value, String> {
    match body.is_empty() {
        true => Ok(Value::Null),
        false => {
            Value::from_json_strict(body).map_err(|error| format!("the input is not JSON that can be read: {error}"))
        }
    }
}
