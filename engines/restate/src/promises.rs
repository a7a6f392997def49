//! Names of the durable promises of an execution. They belong to its key, so that `signal` and
//! every invocation of the execution share them.

/// Resolved when the execution is to end.
pub const CANCEL: &str = "cancel";

/// Resolved when the parent cancels the child. Only a child of that parent waits for it, not
/// another execution of the key.
pub fn cancel_by(parent: &str) -> String {
    format!("{CANCEL}/{parent}")
}

/// Resolved with the identity of the request that started the execution, if a client started it.
pub const REQUEST: &str = "request";

/// Resolved with the outcome, if another invocation than `run` has ended the execution.
pub const RESULT: &str = "result";

/// Resolved with the event of this number among those sent to the execution.
pub fn sent(number: u32) -> String {
    format!("event/{number}")
}

/// Resolved when an event of this source and id is delivered after `before` expired deliveries.
pub fn delivered_event(source: &str, id: &str, before: u32) -> String {
    format!("given/{before}/{}/{source}/{id}", source.len())
}

/// Resolved with a report of the inbox capacity, the one after `before` others.
pub fn inbox_capacity(before: u32) -> String {
    format!("room/{before}")
}

/// Resolved with the event of this number among those published to the service.
pub fn published(number: u64) -> String {
    format!("published/{number}")
}

/// Resolved with the event of this number among those for a visit to the start state.
pub fn start_state_event(visit: u64, number: u64) -> String {
    match visit {
        0 => format!("first/{number}"),
        _ => format!("first/{visit}/{number}"),
    }
}

/// Resolved with the correlation key, if the definition correlates events by key.
pub const CORRELATION: &str = "correlation";

/// Resolved with the outcome of the task of this token.
pub fn token(token: &str) -> String {
    format!("token/{token}")
}

/// Resolved before the task of this token runs: the token is registered.
pub fn token_registered(token: &str) -> String {
    format!("token/{token}/known")
}

/// Resolved with a heartbeat of the task of this token, the one after `before` others.
pub fn heartbeat(token: &str, before: u32) -> String {
    format!("token/{token}/beat/{before}")
}

/// Resolved with the outcome of the batch of this operation.
pub fn batch_result(op: u64) -> String {
    format!("batch/{op}/result")
}

/// Resolved when that batch is to end.
pub fn batch_cancel(op: u64) -> String {
    format!("batch/{op}/cancel")
}

/// Resolved with a status question, the one after `before` others.
pub fn question(before: u32) -> String {
    format!("status/{before}/asked")
}

/// Resolved with the answer to a status question.
pub fn answer(before: u32) -> String {
    format!("status/{before}")
}
