//! Answers of tasks that wait for an outcome by token: `/callbacks/{token}/succeed`, `/fail` and
//! `/heartbeat`.

use hyper::header::HeaderMap;
use workflow_runtime::{Fault, Value};

use super::answer::Answer;
use super::connections::Arriving;
use super::request::{json, members};

/// An answer of a task.
pub enum Callback {
    Succeed(Value),
    Fail(Fault),
    Heartbeat,
}

/// The last segments of the paths.
pub const KINDS: [&str; 3] = ["succeed", "fail", "heartbeat"];

/// Reads an answer of this kind, one of [`KINDS`]. The body of a heartbeat is not read.
pub async fn read(kind: &str, head: &HeaderMap, body: Arriving, most: usize) -> Result<Callback, Answer> {
    match kind {
        "succeed" => Ok(Callback::Succeed(json(head, body, most).await?.unwrap_or_default())),
        "fail" => {
            let mut body = members(json(head, body, most).await?, &["error", "cause"])?;
            let error = body.remove("error").filter(|error| error.as_str().is_some());
            let error = error
                .ok_or_else(|| Answer::bad("the body must name the error: `{\"error\": \"Name\", \"cause\": …}`"))?;
            Ok(Callback::Fail(Fault::from_parts(Some(error), body.remove("cause"))))
        }
        _ => Ok(Callback::Heartbeat),
    }
}
