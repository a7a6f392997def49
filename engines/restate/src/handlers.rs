//! Handlers of a workflow service.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Header, Input, NonEmptyValue, State, VM, Value as Notified};
use workflow_runtime::engine::admission::admit;
use workflow_runtime::engine::identity;
use workflow_runtime::engine::turns::ExecutionSlot;
use workflow_runtime::machine::{Batching, Outcome, Part, Start, StartCondition};
use workflow_runtime::observe::Observer;
use workflow_runtime::{Fault, Str, Timestamp, Value, id, value};

use crate::connection::{Connection, Waited, any_payload, target};
use crate::drive::{Drive, Ended};
use crate::endpoint::Service;
use crate::events::{self, Subscriber};
use crate::inbox::Liveness;
use crate::journal;
use crate::links::{ExecutionLinks, Subscription};
use crate::proof::Proof;
use crate::segment::{InvocationState, Limits, Segment};
use crate::{answers, inbox, links, promises, proof, redrives, updates};

/// Status with which an execution ends whose key is an invalid id. Executions started by events
/// never end with it.
pub(crate) const REFUSED_KEY: u16 = 400;

/// Handler of a workflow service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    /// Runs an execution.
    Run,
    /// Continues an execution whose journal became long.
    Segment,
    /// Runs a batch of a large iteration.
    Batch,
    /// Delivers outcomes by token, heartbeats and events, cancels, and redrives.
    Signal,
    /// Delivers an event, or returns events that an execution has not processed when it ends.
    Deliver,
    /// Returns the status of an execution, or the outcome of one of its tries.
    Status,
    /// Returns the identity of the request that started an execution.
    Request,
    /// Returns whether a part has the secret of its parent.
    Prove,
}

impl Handler {
    pub const ALL: [Handler; 8] = [
        Handler::Run,
        Handler::Segment,
        Handler::Batch,
        Handler::Signal,
        Handler::Deliver,
        Handler::Status,
        Handler::Request,
        Handler::Prove,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Handler::Run => "run",
            Handler::Segment => "segment",
            Handler::Batch => "batch",
            Handler::Signal => "signal",
            Handler::Deliver => "deliver",
            Handler::Status => "status",
            Handler::Request => "request",
            Handler::Prove => "prove",
        }
    }

    pub async fn handle(self, service: &Service, connection: &mut Connection) -> Result<(), Error> {
        let input = connection.input().await?;
        match self {
            Handler::Run => run(service, connection, input).await,
            Handler::Segment => segment(service, connection, input).await,
            Handler::Batch => batch(service, connection, input).await,
            Handler::Signal => signal(service, connection, input).await,
            Handler::Deliver => inbox::deliver(service, connection, input).await,
            Handler::Status => answers::status(service, connection, input).await,
            Handler::Request => answers::request(service, connection, input.key).await,
            Handler::Prove => proof::answer(connection, input).await,
        }
    }
}

/// Runs an execution, and returns its outcome.
async fn run(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let document = match read_json(&input.input) {
        Ok(document) => document,
        Err(problem) => return connection.fail(400, problem),
    };
    let correlation = match links::correlation_in(&input.headers) {
        Ok(correlation) => correlation,
        Err(problem) => return connection.fail(400, problem),
    };
    let part = match links::part_in(&input.headers) {
        Ok(part) => part,
        Err(problem) => return connection.fail(400, problem),
    };
    let invalid = is_asked_for_from_outside(&input.headers).then(|| id::check(&input.key).err()).flatten();
    let invalid = invalid.map(|invalid| invalid.to_string());
    let request = is_asked_for_from_outside(&input.headers)
        .then(|| identity::hex(&identity::of(&document, correlation.as_deref())));
    if part.is_none()
        && let Err(fault) = admit(service.program.definition, &document).await
    {
        if let Some(invalid) = invalid {
            return connection.fail(REFUSED_KEY, invalid);
        }
        events::drop_unstarted(service, connection, &input).await?;
        return finish(connection, &Err(fault));
    }
    let correlation = match (&part, links::parent_in(&input.headers)) {
        (Some(_), _) => correlation.map(Str::from),
        (None, Some(_)) => service.program.definition.correlation(&document, None, correlation.map(Str::from)),
        (None, None) => service.program.definition.correlation(&document, correlation.map(Str::from), None),
    };
    let proof = part.is_some().then(|| Proof::read(service, &input.headers));
    let is_proved = proof.as_ref().map(|proof| proof.as_ref().is_some_and(|proof| service.proofs.has(proof)));
    let to_keep =
        ToKeep { correlation, invalid, request, is_proved, takes_updates: matches!(part, Some(Part::Map(_))) };
    let Some(started) = journal_start(service, connection, &input.key, to_keep).await? else {
        events::drop_unstarted(service, connection, &input).await?;
        return finish(connection, &Err(crate::cancelled()));
    };
    let StartParameters {
        time,
        batching,
        limits,
        deployed,
        correlation,
        invalid,
        is_proved,
        secret,
        takes_updates,
        redrives,
    } = started;
    if let Some(invalid) = invalid {
        return connection.fail(REFUSED_KEY, invalid);
    }
    // Earlier versions began parts without a proof, and did not journal that one is needed.
    if is_proved == Some(false) {
        let holds = match proof.flatten() {
            Some(proof) => proof.check(service, connection).await?,
            None => false,
        };
        if !holds {
            return connection.fail(403, proof::REFUSED);
        }
    }
    if takes_updates {
        updates::mark(connection)?;
    }
    let value = correlation.as_deref().unwrap_or(&input.key);
    // A part of a workflow begins at any time. The schedule admits a start event when it arrives.
    if part.is_none()
        && !links::is_started_by_event(&input.headers)
        && let Some(refused) = check_schedule(service, connection, time, deployed).await?
    {
        // A child whose schedule does not admit a start completes at once.
        let is_child = links::parent_in(&input.headers).is_some();
        return finish(connection, &if is_child { Ok(document) } else { Err(refused) });
    }
    // From here on the execution receives events.
    let subscription = match service.waits_for_events() {
        true => {
            let started = links::started_by_event(&input.headers);
            let begins = part.is_none() && service.program.definition.starts_on.is_some();
            let subscriber = Subscriber { key: &input.key, correlation: value, started, begins };
            let Some(id) = events::subscribe(service, connection, &subscriber).await? else {
                return finish(connection, &Err(crate::cancelled()));
            };
            let condition = StartCondition::new(service.program.definition, value.into()).filter(|_| begins);
            let unmatched = condition.map(|condition| condition.unmatched().to_vec()).unwrap_or_default();
            let is_started = started == Some(id);
            Some(Subscription { id, is_started, begins, unmatched, ..Subscription::default() })
        }
        false => None,
    };
    let mut start = Start::new(document);
    service.set_up(&mut start);
    start.part = part;
    start.correlation = correlation;
    start.batching = Some(batching);
    start.name = Some(input.key.as_str().into());
    start.seed = Some(input.random_seed);
    start.time = Some(time);
    // Observers receive nothing during a replay.
    let replays = connection.vm.state() != State::Processing;
    let mut observers = if replays { std::mem::take(&mut start.observers) } else { Vec::new() };
    let mut execution = ExecutionSlot::new(service.program.begin(start));
    match replays {
        true => service.turns.run_again(&mut execution).await,
        false => service.turns.run(&mut execution).await,
    }
    let mut execution = execution.into_inner();
    observers.append(&mut execution.observe(Vec::new()));
    let parent = links::parent_in(&input.headers);
    let links = ExecutionLinks { parent, subscription, secret, ..ExecutionLinks::default() };
    let updates = takes_updates.then_some(0);
    let state = InvocationState { limits, links, updates, redrives, ..InvocationState::default() };
    let segment = Segment { state, execution, rows: Vec::new() };
    let outcome = match Drive::new(connection, service, segment, observers).run().await? {
        Ended::Execution(_, outcome) => outcome,
        Ended::Segment(bytes) => {
            continue_in_segment(service, connection, &input.key, bytes)?;
            result(connection).await?
        }
    };
    // Only an awaiting parent receives a termination, which must be a failure to differ from an
    // output.
    let outcome = if links::is_awaited(&input.headers) { outcome } else { journal::external_outcome(outcome) };
    finish(connection, &outcome)
}

/// Returns `true` if a client started the execution, not an event or another execution.
fn is_asked_for_from_outside(headers: &[Header]) -> bool {
    !links::is_started_by_event(headers) && links::parent_in(headers).is_none()
}

/// Continues an execution. `run` waits for the outcome.
async fn segment(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let segment = match Segment::load(&service.program, &input.key, &input.input) {
        Ok(segment) => segment,
        Err(problem) => return Err(connection.operator_error(problem)),
    };
    let observers = observers(service);
    drive(service, connection, &input.key, segment, observers).await
}

/// Runs a batch. The invocation that continues the execution waits for the outcome.
async fn batch(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let mut observers = observers(service);
    let mut attached = Vec::new();
    let replays = connection.vm.state() != State::Processing;
    if !replays {
        std::mem::swap(&mut observers, &mut attached);
    }
    let mut segment = match Segment::load_batch(&service.program, &input.key, &input.input, attached) {
        Ok(segment) => segment,
        Err(problem) => return Err(connection.operator_error(problem)),
    };
    let mut execution = ExecutionSlot::new(segment.execution);
    match replays {
        true => service.turns.run_again(&mut execution).await,
        false => service.turns.run(&mut execution).await,
    }
    segment.execution = execution.into_inner();
    observers.append(&mut segment.execution.observe(Vec::new()));
    drive(service, connection, &input.key, segment, observers).await
}

/// Returns the observers for this process.
fn observers(service: &Service) -> Vec<Box<dyn Observer>> {
    let mut start = Start::new(Value::Null);
    service.set_up(&mut start);
    start.observers
}

/// Drives an execution or a batch, and resolves the promise of its outcome.
async fn drive(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    segment: Segment,
    observers: Vec<Box<dyn Observer>>,
) -> Result<(), Error> {
    let (batch, of_try) = (segment.state.batch, segment.state.of_try.clone());
    match Drive::new(connection, service, segment, observers).run().await? {
        Ended::Execution(at, outcome) => {
            let (promise, entry) = match batch {
                Some(op) => (promises::batch_result(op), journal::encode_exactly(at, &outcome)),
                None => (promises::of_try(&of_try, promises::RESULT), journal::encode(journal::NO_TIME, &outcome)),
            };
            connection.vm.sys_complete_promise(promise, NonEmptyValue::Success(entry), any_payload())?;
        }
        Ended::Segment(bytes) => continue_in_segment(service, connection, key, bytes)?,
    }
    connection.succeed(&Value::Null)
}

/// Starts the invocation that continues the execution.
fn continue_in_segment(service: &Service, connection: &mut Connection, key: &str, bytes: Bytes) -> Result<(), Error> {
    let next = target(&service.name, Handler::Segment.name(), key);
    connection.vm.sys_send(next, bytes, None, None, any_payload())?;
    Ok(())
}

/// Waits for the outcome from another invocation, and passes cancellations on to it.
async fn result(connection: &mut Connection) -> Result<Outcome, Error> {
    let result = connection.vm.sys_get_promise(promises::RESULT.into())?;
    loop {
        match connection.wait(result).await? {
            Waited::Done(Notified::Success(entry)) => return Ok(journal::decode(&entry).1),
            Waited::Done(other) => return Err(Error::internal(format!("unexpected result: {other:?}"))),
            Waited::Cancelled => {
                let entry = NonEmptyValue::Success(Bytes::from_static(b"true"));
                connection.vm.sys_complete_promise(promises::CANCEL.into(), entry, any_payload())?;
            }
        }
    }
}

fn finish(connection: &mut Connection, outcome: &Outcome) -> Result<(), Error> {
    match outcome {
        Ok(output) => connection.succeed(output),
        Err(fault) => connection.end(NonEmptyValue::Failure(journal::failure(fault))),
    }
}

/// Journaled parameters of an execution.
struct StartParameters {
    /// Time of the start.
    time: Timestamp,
    /// Batches of its iterations.
    batching: Batching,
    limits: Limits,
    /// Deployment time of the workflow, if it matters and was set.
    deployed: Option<Timestamp>,
    /// Correlation key, if it is not the key of the execution.
    correlation: Option<Str>,
    /// Reason why the key is invalid. Executions of earlier versions continue with any key.
    invalid: Option<String>,
    /// Set if the execution runs a part: whether the process knew that its proof holds.
    is_proved: Option<bool>,
    /// Secret that its parts show.
    secret: Option<String>,
    /// Set if the execution is a run of a Map. Runs of earlier versions process no changes.
    takes_updates: bool,
    /// Set if it stores its state before a failure. Executions of earlier versions do not.
    redrives: bool,
}

/// The part of a start that is journaled besides the settings of the service.
struct ToKeep {
    correlation: Option<Str>,
    invalid: Option<String>,
    /// Identity of the request, if a client asked for the execution.
    request: Option<String>,
    is_proved: Option<bool>,
    takes_updates: bool,
}

/// Journals the parameters of an execution, and returns them; `None` if it was cancelled before.
/// Includes the definition, because a journal cannot be replayed with another one.
async fn journal_start(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    to_keep: ToKeep,
) -> Result<Option<StartParameters>, Error> {
    let ToKeep { correlation, invalid, request, is_proved, takes_updates } = to_keep;
    let definition = service.program.definition;
    let here = format!("{:016x}", definition.hash);
    let Batching { above, size } = service.batching;
    let mut keeps_to = value!({
        "definition": here.as_str(),
        "batches": [above, size],
        "limits": service.limits.save(),
        "secret": proof::new_secret(),
        "redrives": true,
    });
    if let (Some(is_proved), Some(keeps_to)) = (is_proved, keeps_to.as_object_mut()) {
        keeps_to.insert("proved", is_proved);
    }
    if let (Some(deployed), Some(keeps_to)) = (service.deployed_at, keeps_to.as_object_mut()) {
        keeps_to.insert("deployed", deployed.as_micros());
    }
    if let (Some(correlation), Some(keeps_to)) = (correlation, keeps_to.as_object_mut()) {
        keeps_to.insert("correlation", correlation);
    }
    if let (Some(invalid), Some(keeps_to)) = (invalid, keeps_to.as_object_mut()) {
        keeps_to.insert("invalid", invalid);
    }
    if let (Some(request), Some(keeps_to)) = (request, keeps_to.as_object_mut()) {
        keeps_to.insert("request", request);
    }
    if let (true, Some(keeps_to)) = (takes_updates, keeps_to.as_object_mut()) {
        keeps_to.insert("updates", true);
    }
    let kept = connection.keep("start", &keeps_to).await?;
    let entry = match kept {
        Waited::Done(Notified::Success(entry)) => entry,
        Waited::Done(other) => return Err(Error::internal(format!("unexpected start entry: {other:?}"))),
        Waited::Cancelled => return Ok(None),
    };
    let (time, began) = journal::decode(&entry);
    let began = began.unwrap_or_default();
    let definition_then = began.get("definition").and_then(Value::as_str).unwrap_or_default();
    if definition_then == here {
        // Journals of earlier versions have no such entry.
        if let Some(request) = began.get("request") {
            let request = NonEmptyValue::Success(journal::encode(journal::NO_TIME, &Ok(request.clone())));
            connection.vm.sys_complete_promise(promises::REQUEST.into(), request, any_payload())?;
        }
        let batches = began.get("batches");
        let number = |at: i64| u32::try_from(batches?.get(at)?.as_i64()?).ok();
        let batching = number(0).zip(number(1)).map(|(above, size)| Batching { above, size });
        let limits = Limits::load(began.get("limits"));
        return Ok(Some(StartParameters {
            time,
            batching: batching.unwrap_or(service.batching),
            limits: limits.unwrap_or(service.limits),
            deployed: began.get("deployed").and_then(Value::as_i64).map(Timestamp::from_micros),
            correlation: began.get("correlation").and_then(Value::as_str).map(Str::from),
            invalid: began.get("invalid").and_then(Value::as_str).map(str::to_owned),
            is_proved: began.get("proved").and_then(Value::as_bool),
            secret: began.get("secret").and_then(Value::as_str).map(str::to_owned),
            takes_updates: began.get("updates").and_then(Value::as_bool).unwrap_or_default(),
            redrives: began.get("redrives").and_then(Value::as_bool).unwrap_or_default(),
        }));
    }
    Err(connection.operator_error(format!(
        "the execution `{key}` of `{}` cannot continue: it started with the definition {}, but this program has the definition \
         {here}; serve the former definition under this name, and the new one as another version",
        definition.name, definition_then,
    )))
}

/// Returns the fault if the schedule does not admit a start at this time. A relative schedule
/// counts from the configured deployment time, or else from the first start of an execution.
async fn check_schedule(
    service: &Service,
    connection: &mut Connection,
    time: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<Option<Fault>, Error> {
    let definition = service.program.definition;
    let Some(schedule) = definition.schedule else { return Ok(None) };
    let deployed = match deployed {
        None if schedule.needs_deployment() => {
            match events::request_deployment_time(service, connection, time).await? {
                Some(deployed) => deployed,
                None => return Ok(Some(crate::cancelled())),
            }
        }
        deployed => deployed.unwrap_or_default(),
    };
    Ok(definition.check_schedule(time, || deployed).err().map(Fault::from))
}

/// Handles a signal to an execution.
async fn signal(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let signal = match read_json(&input.input) {
        Ok(signal) => signal,
        Err(problem) => return connection.fail(400, problem),
    };
    if let Some(event) = signal.get("event") {
        return inbox::send(service, connection, &input.key, event).await;
    }
    if let Some(update) = signal.get("update") {
        return updates::update(service, connection, &input.key, update).await;
    }
    let is_set = |name: &str| signal.get(name).and_then(Value::as_bool) == Some(true);
    let now = Timestamp::now();
    let Some(token) = signal.get("token").and_then(Value::as_str) else {
        let of_try = signal.get("try").and_then(Value::as_str).unwrap_or_default();
        let by = signal.get("by").and_then(Value::as_str).map(|by| (by, of_try));
        if is_set("redrive") && by.is_some() && of_try.is_empty() {
            return connection.fail(400, "a redrive `by` a parent needs the name of the parent's try in `try`");
        }
        if is_set("redrive") {
            return redrives::redrive(service, connection, &input.key, by).await;
        }
        if !is_set("cancel") {
            return connection.fail(400, "a signal needs `token`, `event`, `update`, `redrive` or `cancel`");
        }
        let order = signal.get("end").cloned().unwrap_or_default();
        return cancel(service, connection, &input.key, by, order).await;
    };
    if !is_resolved(connection, promises::token_registered(token)).await? {
        return connection.fail(404, "no task of this execution waits for this token");
    }
    let refused = match (signal.get("output"), signal.get("fault")) {
        (Some(output), None) => resolve(connection, promises::token(token), now, Ok(output.clone())).await?,
        (None, Some(fault)) => {
            resolve(connection, promises::token(token), now, Err(journal::fault_from_value(fault))).await?
        }
        (None, None) if is_set("heartbeat") => {
            let beat = next_of(connection, |before| promises::heartbeat(token, before)).await?;
            resolve(connection, promises::heartbeat(token, beat), now, Ok(Value::Null)).await?;
            None
        }
        _ => return connection.fail(400, "a signal for a token needs one of `output`, `fault` and `heartbeat`"),
    };
    match refused {
        None => connection.succeed(&Value::Null),
        Some(_) => connection.fail(409, "the task of this token already has an outcome"),
    }
}

/// Cancels an execution. With `by`, cancels or terminates (`order`) this try of the execution,
/// only if `by` started it.
async fn cancel(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    by: Option<(&str, &str)>,
    order: Value,
) -> Result<(), Error> {
    let promise = match by {
        Some((parent, of_try)) => promises::of_try(of_try, &promises::cancel_by(parent)),
        None => {
            let tried = redrives::latest(service, connection, key).await?;
            match inbox::liveness_at(&tried.end) {
                Liveness::Runs => promises::of_try(&tried.name, promises::CANCEL),
                // A promise would cancel a later execution of this key.
                Liveness::Unknown => return inbox::refuse_unknown(connection, key),
                Liveness::Ended => return connection.succeed(&Value::Null),
            }
        }
    };
    // Cancelling twice is not an error.
    resolve(connection, promise, Timestamp::now(), Ok(if by.is_some() { order } else { Value::Null })).await?;
    connection.succeed(&Value::Null)
}

/// Resolves a promise. Returns the server's message if it is resolved already.
pub(crate) async fn resolve(
    connection: &mut Connection,
    promise: String,
    at: Timestamp,
    outcome: Outcome,
) -> Result<Option<String>, Error> {
    let entry = NonEmptyValue::Success(journal::encode(at, &outcome));
    let resolved = connection.vm.sys_complete_promise(promise, entry, any_payload())?;
    match connection.finished(resolved).await? {
        Notified::Failure(failure) => Ok(Some(failure.message)),
        _ => Ok(None),
    }
}

/// Returns `true` if a promise is resolved.
pub(crate) async fn is_resolved(connection: &mut Connection, promise: impl Into<String>) -> Result<bool, Error> {
    let peeked = connection.vm.sys_peek_promise(promise.into())?;
    Ok(matches!(connection.finished(peeked).await?, Notified::Success(_)))
}

/// Returns the first unresolved one of numbered promises, which are resolved in order. Searches in
/// growing steps.
pub(crate) async fn next_of(connection: &mut Connection, promise: impl Fn(u32) -> String) -> Result<u32, Error> {
    let (mut next, mut step) = (0, 1);
    loop {
        match is_resolved(connection, promise(next + step - 1)).await? {
            true => {
                next += step;
                step *= 2;
            }
            false if step == 1 => return Ok(next),
            false => step = 1,
        }
    }
}

/// Reads the body of a request: JSON or nothing. A repeated member of an object is an error.
pub(crate) fn read_json(body: &[u8]) -> Result<Value, String> {
    match body.is_empty() {
        true => Ok(Value::Null),
        false => Value::from_json_strict(body).map_err(|error| format!("cannot read the input as JSON: {error}")),
    }
}
