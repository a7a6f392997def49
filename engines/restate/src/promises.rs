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

/// Resolved with the secret of the execution, before it starts parts of its workflow.
pub const SECRET: &str = "secret";

/// Resolved when a failed execution is redriven, after `before` earlier redrives, with the name of
/// the try that begins.
pub fn redrive(before: u32) -> String {
    format!("redrive/{before}")
}

/// Resolved when a try has failed, with the state before its failure.
pub const FAILED: &str = "failed";

/// Returns the name of a promise of one try of an execution. The name of a try is empty for the
/// first one, and random for others: a promise of a redrive that outlives its execution on the
/// server never meets a later execution of the key.
pub fn of_try(name: &str, promise: &str) -> String {
    match name {
        "" => promise.to_owned(),
        name => format!("try/{name}/{promise}"),
    }
}

/// Resolved when a run of a distributed Map begins, and by no other execution.
pub const MAP_RUN: &str = "map";

/// Resolved with a change of the run of a Map, the one after `before` others.
pub fn update(before: u32) -> String {
    format!("{MAP_RUN}/{before}")
}

/// Resolved with the outcome, if another invocation than `run` has ended the execution.
pub const RESULT: &str = "result";

/// Resolved with the numbers of items, before a run of a distributed Map ends.
pub const ITEMS: &str = "items";

/// Resolved with the event of this number among those of a subscription.
pub fn event(subscription: u64, number: u64) -> String {
    format!("event/{subscription:x}/{number}")
}

/// Resolved with the subscription of the execution to events.
pub const SUBSCRIPTION: &str = "subscription";

/// Resolved before the execution of this subscription ends. One that was killed does not resolve
/// it.
pub fn ended(subscription: u64) -> String {
    format!("ended/{subscription:x}")
}

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
