//! Times that objects journal: the current time, the deduplication time, and the time of the
//! deployment, which is the first start of an execution by default.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, Target, VM, Value as Notified};
use workflow_runtime::{Timestamp, Value};

use super::{Answer, EventHandler, call, number_of, set_state, state, target};
use crate::connection::{Connection, Waited, any_payload};
use crate::endpoint::{DEDUPLICATION_TIME, Service};
use crate::journal;

/// Key of the object that stores the deployment time.
const DEPLOYMENT: &str = "deployment";

/// State entry: the deployment time of the workflow, in microseconds since 1970.
const DEPLOYED: &str = "deployed";

/// Journals and returns the current time and the deduplication time, which must be the same in a
/// replay.
pub(crate) async fn journal_time(
    service: &Service,
    connection: &mut Connection,
) -> Result<(Timestamp, Duration), Error> {
    let known = i64::try_from(service.events_known_for.as_micros()).unwrap_or(i64::MAX);
    loop {
        if let Waited::Done(Notified::Success(entry)) = connection.keep("now", &Value::from(known)).await? {
            let (now, known) = journal::decode(&entry);
            let known = known.ok().and_then(|known| u64::try_from(known.as_i64()?).ok());
            return Ok((now, known.map_or(DEDUPLICATION_TIME, Duration::from_micros)));
        }
    }
}

/// Reads the time and the deduplication time that another object has journaled.
pub(super) fn read_time(offer: &Value) -> Option<(Timestamp, Duration)> {
    let time = offer.get("time")?;
    let now = Timestamp::from_micros(time.get(0)?.as_i64()?);
    Some((now, Duration::from_micros(number_of(time.get(1)?)?)))
}

/// Asks for the deployment time of the workflow: the time `at` if this is the first start.
/// Returns `None` if the execution is being cancelled.
pub(crate) async fn request_deployment_time(
    service: &Service,
    connection: &mut Connection,
    at: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let own = Bytes::from(at.as_micros().to_string());
    let call = connection.vm.sys_call(deployment(service), own, None, any_payload())?;
    Ok(match connection.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(time)) => {
            let time = Value::from_json_slice(&time).ok().and_then(|time| time.as_i64());
            Some(time.map_or(at, Timestamp::from_micros))
        }
        Waited::Done(_) => Some(at),
        Waited::Cancelled => None,
    })
}

fn deployment(service: &Service) -> Target {
    target(&service.name, EventHandler::Deployed, DEPLOYMENT)
}

pub(super) async fn on_deployed(connection: &mut Connection, input: Input) -> Answer {
    let deployed = match state(connection, DEPLOYED).await? {
        Some(deployed) => deployed,
        None => {
            let at = Value::from_json_slice(&input.input).unwrap_or_default();
            set_state(connection, DEPLOYED, &at)?;
            at
        }
    };
    Ok(deployed)
}

/// Returns `true` if the schedule admits a start at this time.
pub(super) async fn admits_start(service: &Service, connection: &mut Connection, at: Timestamp) -> Result<bool, Error> {
    let definition = service.program.definition;
    let Some(schedule) = definition.schedule else { return Ok(true) };
    let set = service.deployed_at.map_or(Value::Null, |at| at.as_micros().into());
    let set = loop {
        // The setting must be the same in a replay.
        if let Waited::Done(Notified::Success(entry)) = connection.keep("deployed", &set).await? {
            break journal::decode(&entry).1.ok().and_then(|at| at.as_i64()).map(Timestamp::from_micros);
        }
    };
    let deployed = match set {
        None if schedule.needs_deployment() => {
            let answer = call(connection, deployment(service), &at.as_micros().into()).await?;
            answer.ok().and_then(|time| time.as_i64()).map_or(at, Timestamp::from_micros)
        }
        set => set.unwrap_or_default(),
    };
    Ok(definition.check_schedule(at, || deployed).is_ok())
}
