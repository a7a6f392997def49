//! Changes of runs of distributed Maps. Each becomes a numbered promise, which the run processes
//! in order.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::{Timestamp, Value};

use crate::answers::resolved_soon;
use crate::connection::{Connection, any_payload};
use crate::endpoint::Service;
use crate::handlers::{next_of, resolve};
use crate::inbox::{self, Liveness};
use crate::promises;

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
    match inbox::liveness(service, connection, key).await? {
        Liveness::Runs => {}
        Liveness::Unknown => return connection.fail(404, format!("execution `{key}` not found")),
        Liveness::Ended => return connection.fail(409, format!("the execution `{key}` has ended")),
    }
    // A run that has just been started may not have begun.
    if !matches!(resolved_soon(service, connection, key, promises::MAP_RUN).await?, Notified::Success(_)) {
        return connection.fail(422, format!("the execution `{key}` is no run of a distributed Map"));
    }
    loop {
        let number = next_of(connection, promises::update).await?;
        // Another client may have taken the number just now.
        if resolve(connection, promises::update(number), Timestamp::now(), Ok(update.clone())).await?.is_none() {
            return connection.succeed(&Value::Null);
        }
    }
}
