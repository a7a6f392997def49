//! The events that observers receive, and the payloads that they show.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::order::Order;
use workflow_runtime::observe::{Event, History, Observer};
use workflow_runtime::testing::{self, Mocks, Reply};
use workflow_runtime::{Builder, Value, value};

/// A text that can be read while it is being written.
#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Text {
    fn lines(&self) -> Vec<Value> {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::str::from_utf8(&text).expect("text");
        text.lines().map(|line| line.parse().expect("a line of JSON")).collect()
    }
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn input() -> Value {
    value!({ "id": "o-1", "card": { "number": "4111" }, "count": 0, "items": ["x"] })
}

/// Returns mocks for a charge that is retried, after which everything succeeds.
fn mocks() -> Mocks {
    Mocks::new()
        .task("ChargeCard", [Reply::error("Flaky", "busy"), Reply::never(), Reply::ok("receipt")])
        .task("Reserve", [Reply::ok("reserved")])
        .task("Label", [Reply::ok("label")])
        .task("Pack", [Reply::ok("packed")])
        .task("sqs:sendMessage", [Reply::ok("approved")])
}

fn builder() -> Builder<Order> {
    Builder::new().name("run-1").seed(1)
}

fn history(mocks: &Mocks, configure: impl FnOnce(History<Text>) -> History<Text>) -> Vec<Value> {
    let text = Text::default();
    testing::run(builder().observer(configure(History::new(text.clone()))), mocks, input());
    text.lines()
}

/// Summarises a line: the event, the path, the state, and the given keys.
fn short(line: &Value, keys: &[&str]) -> String {
    let of = |key: &str| line.get(key).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
    let parts = ["event", "path", "state"].into_iter().chain(keys.iter().copied()).filter_map(of);
    parts.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_history_reports_states_tasks_and_waits_in_the_authors_words() {
    let lines = history(&mocks(), |history| history);
    let keys = ["task", "attempt", "retry", "delay", "error", "cause", "until"];
    let events: Vec<String> = lines.iter().map(|line| short(line, &keys)).collect();
    let expected = [
        "ExecutionStarted",
        "StateEntered Charge",
        "TaskScheduled Charge ChargeCard 1",
        "TaskFailed Charge ChargeCard Flaky busy",
        "StateRetried Charge 1 1.0 Flaky busy",
        "TaskScheduled Charge ChargeCard 2",
        "TaskTimedOut Charge ChargeCard States.Timeout",
        "StateRetried Charge 2 2.0 States.Timeout",
        "TaskScheduled Charge ChargeCard 3",
        "TaskSucceeded Charge ChargeCard",
        "StateExited Charge",
        "StateEntered Count",
        "StateExited Count",
        "StateEntered Cool",
        "WaitStarted Cool 2026-01-01T00:00:53.000Z",
        "StateExited Cool",
        "StateEntered Fan",
        r#"StateEntered [["Fan",0]] Reserve"#,
        r#"TaskScheduled [["Fan",0]] Reserve Reserve 1"#,
        r#"StateEntered [["Fan",1]] Rest"#,
        r#"WaitStarted [["Fan",1]] Rest 2026-01-01T00:00:58.000Z"#,
        r#"TaskSucceeded [["Fan",0]] Reserve Reserve"#,
        r#"StateExited [["Fan",0]] Reserve"#,
        r#"StateExited [["Fan",1]] Rest"#,
        r#"StateEntered [["Fan",1]] Label"#,
        r#"TaskScheduled [["Fan",1]] Label Label 1"#,
        r#"TaskSucceeded [["Fan",1]] Label Label"#,
        r#"StateExited [["Fan",1]] Label"#,
        "StateExited Fan",
        "StateEntered Each",
        r#"StateEntered [["Each",0]] Pack"#,
        r#"TaskScheduled [["Each",0]] Pack Pack 1"#,
        r#"TaskSucceeded [["Each",0]] Pack Pack"#,
        r#"StateExited [["Each",0]] Pack"#,
        "StateExited Each",
        "StateEntered Approve",
        "TaskScheduled Approve sqs:sendMessage 1",
        "TaskSucceeded Approve sqs:sendMessage",
        "StateExited Approve",
        "ExecutionSucceeded",
    ];
    assert_eq!(events, expected);
    let first = r#"{"time":"2026-01-01T00:00:00.000Z","workflow":"order","execution":"run-1","event":"ExecutionStarted","input":{"id":"o-1","card":{"number":"4111"},"count":0,"items":["x"]}}"#;
    assert_eq!(lines[0].to_string(), first);
    let exited = lines.iter().find(|line| short(line, &[]) == "StateExited Charge").expect("the line");
    assert_eq!(exited.get("output").and_then(|output| output.get("charge")), Some(&"receipt".into()));
}

#[test]
fn caught_and_failed_states_are_reported() {
    let declined = Mocks::new().task("ChargeCard", [Reply::error("Declined", "")]);
    let events: Vec<String> =
        history(&declined, |history| history).iter().map(|line| short(line, &["error"])).collect();
    let expected = [
        "ExecutionStarted",
        "StateEntered Charge",
        "TaskScheduled Charge",
        "TaskFailed Charge Declined",
        "StateCaught Charge Declined",
        "StateExited Charge",
        "StateEntered Notify",
        "TaskScheduled Notify",
        "TaskFailed Notify States.Runtime",
        "StateFailed Notify States.Runtime",
        "ExecutionFailed States.Runtime",
    ];
    assert_eq!(events, expected);
}

#[test]
fn reloading_does_not_change_a_history() {
    let text = Text::default();
    let builder = builder().observer(History::new(text.clone())).reload_at_every_completion(true);
    testing::run(builder, &mocks(), input());
    assert_eq!(text.lines(), history(&mocks(), |history| history));
}

#[test]
fn payloads_can_be_left_out() {
    let redacted = history(&mocks(), |history| history.redact(["$.card.number", "$..Input"]).expect("valid paths"));
    assert_eq!(redacted[0].get("input").and_then(|input| input.get("card")), Some(&value!({ "number": "[redacted]" })));
    let text = Value::from(redacted).to_string();
    assert!(text.contains("receipt"));

    let bare = history(&mocks(), History::without_payloads);
    assert_eq!(bare.len(), 40);
    let text = Value::from(bare).to_string();
    for payload in ["4111", "receipt", "busy", "input", "output", "cause"] {
        assert!(!text.contains(payload), "{payload}");
    }
    assert!(text.contains("Flaky"), "names of errors are no payload");
}

#[test]
fn a_history_that_cannot_be_written_ends_and_the_execution_does_not() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let errors = Arc::new(Mutex::new(Vec::new()));
    let log = errors.clone();
    let history = History::new(Full).on_error(move |error| log.lock().expect("a lock").push(error.to_string()));
    assert!(testing::run(builder().observer(history), &mocks(), input()).outcome.is_ok());
    assert_eq!(*errors.lock().expect("a lock"), ["the disk is full"]);
}

#[test]
fn an_observer_that_panics_is_removed_and_changes_nothing() {
    struct Panicking(u32, Arc<Mutex<u32>>);
    impl Observer for Panicking {
        fn observe(&mut self, _: &Event<'_>) {
            *self.1.lock().expect("a lock") += 1;
            self.0 = self.0.checked_sub(1).expect("an observer that has seen enough");
        }
    }
    impl Drop for Panicking {
        fn drop(&mut self) {
            panic!("an observer that does not want to go");
        }
    }
    let watched = testing::run(builder(), &mocks(), input());
    for patience in [0, 5, 100] {
        let (notified, text) = (Arc::new(Mutex::new(0)), Text::default());
        let observed = builder().observer(Panicking(patience, notified.clone())).observer(History::new(text.clone()));
        assert_eq!(testing::run(observed, &mocks(), input()), watched);
        assert_eq!(text.lines().len(), 40, "other observers receive everything");
        assert_eq!(*notified.lock().expect("a lock"), (patience + 1).min(40));
    }
}

#[cfg(feature = "tracing")]
mod tracing_observer {
    use super::*;
    use std::collections::HashMap;
    use std::fmt::{Debug, Write as _};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Metadata, Subscriber};
    use workflow_runtime::observe::Tracing;

    /// Records spans and events as lines: the names of the enclosing spans, and the fields.
    #[derive(Clone, Default)]
    struct Recorder(Arc<Mutex<Recorded>>);

    #[derive(Default)]
    struct Recorded {
        spans: HashMap<u64, String>,
        open: i64,
        lines: Vec<String>,
    }

    struct Fields(String);

    impl Visit for Fields {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            write!(self.0, " {}={value:?}", field.name()).expect("text");
        }
    }

    impl Subscriber for Recorder {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, attributes: &Attributes<'_>) -> Id {
            let mut fields = Fields(String::new());
            attributes.record(&mut fields);
            let mut recorded = self.0.lock().expect("a lock");
            let around = attributes.parent().and_then(|id| recorded.spans.get(&id.into_u64()).cloned());
            let id = recorded.spans.len() as u64 + 1;
            let name = format!("{}{}{} > ", around.unwrap_or_default(), attributes.metadata().name(), fields.0);
            recorded.spans.insert(id, name);
            recorded.open += 1;
            Id::from_u64(id)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &tracing::Event<'_>) {
            let mut fields = Fields(String::new());
            event.record(&mut fields);
            let mut recorded = self.0.lock().expect("a lock");
            let around = event.parent().and_then(|id| recorded.spans.get(&id.into_u64()).cloned());
            recorded.lines.push(format!("{}{}", around.unwrap_or_default(), fields.0.trim_start()));
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}

        fn clone_span(&self, id: &Id) -> Id {
            self.0.lock().expect("a lock").open += 1;
            id.clone()
        }

        fn try_close(&self, _: Id) -> bool {
            self.0.lock().expect("a lock").open -= 1;
            false
        }
    }

    #[test]
    fn spans_are_nested_as_states_are() {
        let recorder = Recorder::default();
        tracing::subscriber::with_default(recorder.clone(), || {
            let observer = Tracing::new().redact(["$..number"]).expect("a valid path");
            testing::run(builder().observer(observer), &mocks(), input());
        });
        let recorded = recorder.0.lock().expect("a lock");
        let execution = r#"execution workflow="order" execution="run-1" > "#;
        let expected = [
            r#"message=execution started input="{\"id\":\"o-1\",\"card\":{\"number\":\"[redacted]\"},\"count\":0,\"items\":[\"x\"]}""#,
            r#"state state="Charge" > message=task failed task="ChargeCard" error="Flaky" cause="\"busy\"""#,
            r#"state state="Charge" > message=state retried error="Flaky" cause="\"busy\"" retry=1 delay=1.0"#,
            r#"state state="Fan" > state state="Reserve" index=0 > message=task succeeded task="Reserve" output="\"reserved\"""#,
            r#"state state="Fan" > state state="Label" index=1 > message=state exited output="\"label\"""#,
        ];
        for line in expected {
            let line = format!("{execution}{line}");
            assert!(recorded.lines.contains(&line), "{line}\nis not in\n{}", recorded.lines.join("\n"));
        }
        assert_eq!(recorded.open, 0, "every span is closed");
        assert!(!recorded.lines.iter().any(|line| line.contains("4111")));
    }
}

#[test]
fn virtual_time_is_the_time_of_events() {
    let lines = history(&mocks(), |history| history);
    let times = lines.iter().filter_map(|line| line.get("time").and_then(Value::as_str));
    assert!(times.is_sorted());
    let report = testing::run(builder(), &mocks(), input());
    assert_eq!(report.elapsed, Duration::from_secs(1 + 20 + 2 + 30 + 5));
}
