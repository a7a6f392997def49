//! Changes of runs of distributed Maps. Each becomes a numbered promise, which the run processes
//! in order.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM};
use workflow_runtime::engine::{EngineError, MapUpdate};
use workflow_runtime::{Timestamp, Value};

use crate::answers::{Answer, ask};
use crate::connection::{Connection, any_payload};
use crate::endpoint::Service;
use crate::handlers::{is_resolved, next_of, resolve};
use crate::inbox::{self, Liveness};
use crate::{promises, redrives};

/// Marks an execution that begins as a run of a Map, which processes changes.
pub(crate) fn mark(connection: &mut Connection) -> Result<(), Error> {
    let mark = NonEmptyValue::Success(Bytes::from_static(b"true"));
    connection.vm.sys_complete_promise(promises::MAP_RUN.into(), mark, any_payload())?;
    Ok(())
}

/// Handles a change that a client sends to a run.
pub(crate) async fn update(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    update: &Value,
) -> Result<(), Error> {
    let update = match MapUpdate::from_value(update) {
        Ok(update) => update.to_value(),
        Err(invalid) => return connection.fail(400, invalid.to_string()),
    };
    let tried = redrives::latest(service, connection, key).await?;
    match inbox::liveness_at(&tried.end) {
        Liveness::Runs => {}
        Liveness::Unknown => return inbox::refuse_unknown(connection, key),
        Liveness::Ended => return inbox::refuse_ended(connection, key),
    }
    if !is_resolved(connection, promises::MAP_RUN).await? {
        // An execution that begins marks itself before it answers.
        let answer = ask(service, connection, key, &tried.name).await?;
        if matches!(answer, Answer::Ended(_)) {
            return inbox::refuse_ended(connection, key);
        }
        if !is_resolved(connection, promises::MAP_RUN).await? {
            return match answer {
                Answer::Nothing => connection.fail(
                    503,
                    format!("the execution `{key}` has not answered within five seconds, perhaps because it has not begun: try again"),
                ),
                _ => connection.fail(422, EngineError::no_map_run(key).to_string()),
            };
        }
    }
    loop {
        let number = next_of(connection, promises::update).await?;
        // Another client may have taken the number just now.
        if resolve(connection, promises::update(number), Timestamp::now(), Ok(update.clone())).await?.is_none() {
            return connection.succeed(&Value::Null);
        }
    }
}
