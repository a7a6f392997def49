//! Tasks that are HTTP endpoints.
//!
//! The input is posted as JSON. An answer with a status from 200 to 299 is the result, as JSON. An
//! empty answer means null. Any other status is an error `Http.StatusCode.<n>`, whose cause is the
//! answer. If the answer is an object with `Error` and `Cause`, these are the error and the cause.
//! An endpoint that cannot be reached is the error `Http.Socket`.
//!
//! Headers describe the call: `Idempotency-Key`, `Workflow-Execution`, `Workflow-Correlation` and
//! `Workflow-State`. Their values are percent-encoded where needed ([`header::encode`]). If the
//! task waits for its token, `Workflow-Callback-Url` is the address for its answers.

use std::time::Duration;

use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value, header};

use super::variables::expand;
use super::{answer, read_fault};

/// The most bytes that are read of an answer.
const MOST: u64 = 64 << 20;
/// The time that a task without a time-out waits for an answer.
const LONGEST: Duration = Duration::from_secs(3600);

/// Posts the input and reads the answer.
pub async fn post(
    url: &str,
    headers: &[(String, String)],
    callback: Option<String>,
    input: Value,
    cx: TaskContext,
) -> Outcome {
    let headers = headers.iter().map(|(name, value)| Ok((name.clone(), expand("a header", value)?)));
    let callback = callback.map(|address| Ok(("Workflow-Callback-Url".to_owned(), address)));
    let headers = headers.chain(callback).collect::<Result<Vec<(String, String)>, String>>();
    let headers = headers.map_err(|cause| Fault::new("States.TaskFailed", cause))?;
    let limit = cx.deadline().map_or(LONGEST, |deadline| deadline.since(cx.now()).max(Duration::from_millis(1)));
    let body = input.to_json(TEXT_LIMIT);
    let body = body.map_err(|error| Fault::too_large(format_args!("The input of {url}"), error))?;
    let url = url.to_owned();
    let about = [
        ("Content-Type", "application/json".to_owned()),
        ("Accept", "application/json".to_owned()),
        ("Idempotency-Key", header::encode(&cx.idempotency_key())),
        ("Workflow-Execution", header::encode(cx.execution_id())),
        ("Workflow-Correlation", header::encode(cx.correlation())),
        ("Workflow-State", header::encode(cx.task().state)),
    ];
    let sent = tokio::task::spawn_blocking(move || send(&url, &about, &headers, &body, limit)).await;
    sent.unwrap_or_else(|error| Err(Fault::new("States.TaskFailed", error.to_string())))
}

fn send(url: &str, about: &[(&str, String)], headers: &[(String, String)], body: &str, limit: Duration) -> Outcome {
    let config = ureq::Agent::config_builder().timeout_global(Some(limit)).http_status_as_error(false);
    // A redirect is not followed: its status is an error.
    let config = config.max_redirects(0).max_redirects_will_error(false);
    let agent: ureq::Agent = config.build().into();
    let mut request = agent.post(url);
    for (name, value) in about {
        request = request.header(*name, value);
    }
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let socket = |error: ureq::Error| Fault::new("Http.Socket", format!("{url}: {error}"));
    let mut response = request.send(body).map_err(socket)?;
    let status = response.status();
    let text = response.body_mut().with_config().limit(MOST).read_to_string().map_err(socket)?;
    if !status.is_success() {
        let fault = || Fault::new(format!("Http.StatusCode.{}", status.as_u16()), text.trim());
        return Err(read_fault(&text).unwrap_or_else(fault));
    }
    answer(&text, url)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;

    use workflow_runtime::machine::Task;
    use workflow_runtime::task::{Invoke, TaskFuture};
    use workflow_runtime::{Builder, include_workflow};

    use super::*;

    include_workflow!("tests/flows/ping.asl.json");

    /// Tasks that post to an address.
    struct Posts(String);

    impl Invoke for Posts {
        fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
            Box::pin(async move { post(&self.0, &[], None, input, cx).await })
        }
    }

    /// Returns the head of the request that an execution makes, in lower case.
    fn head(id: &str, correlation: &str) -> Vec<String> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let asked = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut lines = BufReader::new(stream.try_clone().expect("the same connection"));
            let (mut head, mut length) = (Vec::new(), 0);
            loop {
                let mut line = String::new();
                lines.read_line(&mut line).expect("a line");
                let line = line.trim_end().to_ascii_lowercase();
                if let Some(number) = line.strip_prefix("content-length: ") {
                    length = number.parse().expect("a number");
                }
                if line.is_empty() {
                    break;
                }
                head.push(line);
            }
            lines.read_exact(&mut vec![0; length]).expect("the body");
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\ntrue";
            stream.write_all(answer).expect("it is written");
            head
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let posts = Posts(url);
        let run = Builder::<ping::Ping>::new().name(id.to_owned()).correlate(correlation.to_owned());
        assert_eq!(runtime.block_on(run.tasks(&posts).run(Value::Null)), Ok(true.into()));
        asked.join().expect("a request")
    }

    #[test]
    fn ids_and_names_of_any_script_are_sent() {
        for (id, correlation, expected) in [
            ("order-7", "17", ["ping/order-7/1-0", "order-7", "17", "pr%c3%bcfung%2020%25"].map(str::to_owned)),
            (
                "order-ü7",
                "für ada",
                ["ping/order-%c3%bc7/1-0", "order-%c3%bc7", "f%c3%bcr%20ada", "pr%c3%bcfung%2020%25"]
                    .map(str::to_owned),
            ),
        ] {
            let head = head(id, correlation);
            let names = ["idempotency-key", "workflow-execution", "workflow-correlation", "workflow-state"];
            for (name, value) in names.iter().zip(expected) {
                assert!(head.contains(&format!("{name}: {value}")), "{name}: {value}: {head:#?}");
            }
        }
    }
}
