//! The durable promises of an execution, by their names. They belong to its key, so that `signal` and every invocation that
//! goes on with the execution see the same ones.

/// Resolved when the execution is to end.
pub const CANCEL: &str = "cancel";

/// Resolved when the execution is to end that this one has started. Only such an execution waits for it: another one that
/// has the key is not meant.
pub fn cancel_by(parent: &str) -> String {
    format!("{CANCEL}/{parent}")
}

/// Resolved with the outcome, where another invocation than `run` came to the end.
pub const RESULT: &str = "result";

/// Resolved with the event of this number among those that are sent to the execution alone.
pub fn sent(number: u32) -> String {
    format!("event/{number}")
}

/// Resolved when an event of this source and id is given to the execution, and so many times before it was, each a day or more
/// ago.
pub fn given(source: &str, id: &str, before: u32) -> String {
    format!("given/{before}/{}/{source}/{id}", source.len())
}

/// Resolved with what has changed about the room for events, and so many changes were told before.
pub fn room(before: u32) -> String {
    format!("room/{before}")
}

/// Resolved with the event of this number among those that are published to the executions of the service.
pub fn published(number: u64) -> String {
    format!("published/{number}")
}

/// Resolved with the event of this number among those that the execution takes in its first state, after it has come back there
/// so many times.
pub fn first(stay: u64, number: u64) -> String {
    match stay {
        0 => format!("first/{number}"),
        _ => format!("first/{stay}/{number}"),
    }
}

/// Resolved with the correlation value, where events are told to be for the execution by that.
pub const CORRELATION: &str = "correlation";

/// Resolved with the outcome of the task of this token.
pub fn token(token: &str) -> String {
    format!("token/{token}")
}

/// Resolved before the task of this token is run: there is no other token.
pub fn known(token: &str) -> String {
    format!("token/{token}/known")
}

/// Resolved when the task of this token has given a sign of life so many times before, and does again.
pub fn beat(token: &str, before: u32) -> String {
    format!("token/{token}/beat/{before}")
}

/// Resolved with the outcome of the batch that an operation of this number waits for.
pub fn batch_result(op: u64) -> String {
    format!("batch/{op}/result")
}

/// Resolved when that batch is to end.
pub fn batch_cancel(op: u64) -> String {
    format!("batch/{op}/cancel")
}

/// Resolved when somebody asks what the execution waits for, and so many were answered before.
pub fn question(before: u32) -> String {
    format!("status/{before}/asked")
}

/// Resolved with what the execution waits for.
pub fn answer(before: u32) -> String {
    format!("status/{before}")
}
