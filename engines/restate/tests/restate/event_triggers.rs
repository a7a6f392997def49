//! Start events: each starts one execution, or one for each set of events, only within the
//! schedule of the workflow, and across crashes of the process.

use std::collections::BTreeSet;
use std::time::Duration;

use workflow_restate::{ClientError, Reached};
use workflow_runtime::machine::{Outcome, Start};
use workflow_runtime::{CloudEvent, Timestamp, Value, include_workflow, value};

use crate::correlation::events::each::Each;
use crate::correlation::events::sale::Sale;
use crate::server::server;
use crate::{Served, eventually};

#[path = "../machines/row.rs"]
mod row;

include_workflow!("tests/flows/bell.sw.json");
include_workflow!("tests/flows/gloves.sw.json");
include_workflow!("tests/flows/knock.sw.json");

use bell::Bell;
use gloves::Gloves;
use knock::Knock;
use row::Row;

pub(crate) fn order(id: &str, kind: &str, order: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", format!("order.{kind}")).extension("order", order)
}

pub(crate) fn glove(id: &str, kind: &str, pair: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", format!("glove.{kind}")).extension("pair", pair).data(value!({ (kind): id }))
}

/// Time for an execution to begin, or to resume after it has left the process.
pub(crate) fn slowly(_: &mut Start) {
    tokio::task::block_in_place(|| std::thread::sleep(Duration::from_millis(300)));
}

impl Served {
    /// Publishes an event. Returns the numbers of deliveries and of starts.
    pub(crate) async fn post(&self, event: &CloudEvent) -> (u64, u64) {
        let posted = self.executions.publish_and_start(event);
        let reached = tokio::time::timeout(Duration::from_secs(60), posted).await.expect("an answer").unwrap();
        let Reached { executions, started, .. } = reached;
        (executions, started)
    }

    pub(crate) async fn outcome_of(&self, key: &str) -> Outcome {
        tokio::time::timeout(Duration::from_secs(60), self.executions.attach(key)).await.expect("it ends").unwrap()
    }

    /// Waits for an execution that an event has started although another one had its first key.
    async fn repeated_key(&self) -> String {
        eventually(async || self.keys().into_iter().find(|key| key.starts_with("event  "))).await
    }

    /// Waits until an execution waits in a state.
    pub(crate) async fn waits_in(&self, key: &str, state: &str) {
        let is_it = |wait: &Value| wait.get("state") == Some(&state.into());
        let waits = async || {
            let status = self.executions.status(key).await.ok()?;
            status.get("waits")?.as_array()?.iter().any(is_it).then_some(())
        };
        eventually(waits).await;
    }

    /// Waits until the objects of the service have a state entry with such a text, or no longer
    /// have it.
    pub(crate) async fn records_have(&self, entry: &str, text: &str, is_there: bool) {
        let objects = format!("{}.events", self.executions.name());
        let query = format!(
            "SELECT key FROM state WHERE service_name = '{objects}' AND key LIKE '{entry}' AND value_utf8 LIKE '%{text}%'"
        );
        let is_it = async || (server().unwrap().query(&query).contains("\"key\"") == is_there).then_some(());
        eventually(is_it).await;
    }

    /// Waits until the object of the correlation key assumes that an execution in its start state
    /// needs these kinds of events.
    async fn start_state_needs(&self, kinds: &str) {
        self.records_have("members", &format!("start__{kinds}"), true).await;
    }

    /// Waits until an execution has received this number of events.
    pub(crate) async fn was_given(&self, key: &str, number: u32) {
        let name = self.executions.name();
        let query = format!(
            "SELECT key FROM sys_promise WHERE service_name = '{name}' AND service_key = '{key}' \
             AND key LIKE 'event/%/{}' AND completed",
            number - 1
        );
        eventually(async || server().unwrap().query(&query).contains("\"key\"").then_some(())).await;
    }

    /// Waits until an object has handled a request.
    pub(crate) async fn has_completed(&self, handler: &str) {
        let query = format!(
            "SELECT target FROM sys_invocation WHERE target_service_name = '{}.events' \
             AND target_handler_name = '{handler}' AND status = 'completed'",
            self.executions.name()
        );
        eventually(async || server().unwrap().query(&query).contains("\"target\"").then_some(())).await;
    }

    /// Waits until an execution has left the process.
    pub(crate) async fn is_suspended(&self, key: &str) {
        let query = format!("SELECT status FROM sys_invocation WHERE target = '{}/{key}/run'", self.executions.name());
        eventually(async || server().unwrap().query(&query).contains("suspended").then_some(())).await;
    }

    /// Returns the id of an execution's invocation.
    async fn invocation(&self, key: &str) -> String {
        let query = format!("SELECT id FROM sys_invocation WHERE target = '{}/{key}/run'", self.executions.name());
        let invocation = eventually(async || {
            let answer = server().unwrap().query(&query);
            let from = answer.find("inv_")?;
            Some(answer[from..].split('"').next()?.to_owned())
        });
        invocation.await
    }

    /// Kills an execution with Restate's tools.
    pub(crate) async fn kill(&self, key: &str) {
        let invocation = self.invocation(key).await;
        server().unwrap().kill(&invocation);
        eventually(async || self.executions.outcome(key).await.ok()?.map(|_| ())).await;
    }

    /// Removes an ended execution with Restate's tools.
    pub(crate) async fn purge(&self, key: &str) {
        let invocation = self.invocation(key).await;
        server().unwrap().purge(&invocation);
        eventually(async || (!self.keys().contains(key)).then_some(())).await;
    }

    /// Returns the keys of all executions.
    pub(crate) fn keys(&self) -> BTreeSet<String> {
        let service = self.executions.name();
        let query = format!(
            "SELECT target_service_key FROM sys_invocation WHERE target_service_name = '{service}' \
             AND target_handler_name = 'run'"
        );
        let answer = server().unwrap().query(&query);
        // The body is chunked; each chunk follows a line with its length.
        let body: String =
            answer.split_once("\r\n\r\n").expect("an answer").1.split("\r\n").skip(1).step_by(2).collect();
        let body = Value::from_json(&body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        let rows = body.get("rows").and_then(Value::as_array).cloned().unwrap_or_default();
        let keys: Vec<String> =
            rows.iter().filter_map(|row| Some(row.get("target_service_key")?.as_str()?.to_owned())).collect();
        let unique: BTreeSet<String> = keys.iter().cloned().collect();
        assert_eq!(unique.len(), keys.len(), "{keys:?}");
        unique
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_starts_one_execution_as_often_as_it_comes() {
    let Some(mut served) = Served::start::<Each>(|service| service).await else { return };
    assert_eq!(served.post(&order("0", "lost", "17")).await, (0, 0));
    // An event without the attribute is for no execution.
    assert_eq!(served.post(&CloudEvent::new("0", "/shop", "order.placed")).await, (0, 0));
    assert_eq!(served.post(&order("1", "placed", "17")).await, (0, 1));
    // The next event is for it, although it may not have begun.
    assert_eq!(served.executions.publish(&order("5", "paid", "17")).await, Ok(1));
    assert_eq!(served.post(&order("1", "placed", "17")).await, (1, 0));
    // Another event starts another execution, even with the same correlation key.
    assert_eq!(served.post(&order("2", "placed", "17")).await, (0, 1));
    served.restart().await;
    assert_eq!(served.post(&order("1", "placed", "17")).await, (1, 0));
    assert_eq!(served.outcome_of("event /shop 1").await, Ok(value!(["1", "5"])));
    // An execution in its first state accepts it, and so does one that events cannot start.
    served.executions.start_correlated("own", value!({}), Some("18")).await.unwrap();
    served.waits_in("own", "Place").await;
    assert_eq!(served.post(&order("3", "placed", "18")).await, (1, 0));
    served.waits_in("own", "Pay").await;
    assert_eq!(served.post(&order("4", "placed", "18")).await, (0, 1));
    // An execution past it keeps an event for both states.
    assert_eq!(served.post(&order("6", "paid", "18")).await.1, 0);
    assert_eq!(served.outcome_of("own").await, Ok(value!(["3", "6"])));
    assert_eq!(served.outcome_of("event /shop 4").await, Ok(value!(["4", "6"])));
    let keys = ["event /shop 1", "event /shop 2", "event /shop 4", "own"].map(str::to_owned);
    assert_eq!(served.keys(), keys.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_takes_the_key_of_an_event() {
    let Some(served) = Served::start::<Each>(|service| service).await else { return };
    for key in ["event /shop 1", "..", "a/b", ""] {
        let started = served.executions.start(key, value!({})).await;
        assert!(matches!(started, Err(ClientError::InvalidId(_))), "{started:?}");
    }
    // Any client of the ingress can call the service. Restate considers the key used then; the
    // event is not lost.
    let path = format!("/{}/event%20%2Fshop%201/run", served.executions.name());
    let refused = server().unwrap().call(&path, "{}");
    assert!(refused.contains(" 400 ") && refused.contains("starts with `event `"), "{refused}");
    assert_eq!(served.post(&order("1", "placed", "17")).await, (0, 1));
    assert_eq!(served.post(&order("1", "placed", "17")).await, (1, 0));
    served.waits_in(&served.repeated_key().await, "Pay").await;
    let is_no_source = CloudEvent::new("2", "http://[", "order.placed").extension("order", "18");
    let posted = served.executions.publish_and_start(&is_no_source).await;
    assert!(matches!(posted, Err(ClientError::Refused { status: 400, .. })), "{posted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_comes_again_after_the_deduplication_window_starts_another_one() {
    let known = Duration::from_secs(1);
    let Some(served) = Served::start::<Each>(move |service| service.events_known_for(known)).await else { return };
    assert_eq!(served.post(&order("1", "placed", "17")).await, (0, 1));
    served.records_have("has/%", "", false).await;
    // It is a new event then, although Restate stores the execution that it started.
    assert_eq!(served.post(&order("1", "placed", "17")).await, (0, 1));
    served.waits_in(&served.repeated_key().await, "Pay").await;
    assert_eq!(served.keys().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_execution_collects_the_events_of_a_set() {
    for limit in [2_000, 3] {
        let Some(mut served) = Served::start::<Gloves>(move |service| service.journal_limit(limit)).await else {
            return;
        };
        assert_eq!(served.post(&glove("1", "left", "a")).await, (0, 1));
        // The execution has not begun, or waits for the other event. It accepts this one, also of
        // a kind that it has.
        assert_eq!(served.post(&glove("2", "left", "a")).await, (1, 0));
        assert_eq!(served.post(&glove("1", "left", "a")).await, (1, 0));
        served.restart().await;
        // In the other order, and with another correlation key.
        assert_eq!(served.post(&glove("3", "right", "b")).await, (0, 1));
        assert_eq!(served.post(&glove("4", "left", "b")).await, (1, 0));
        assert_eq!(served.post(&glove("5", "right", "a")).await, (1, 0));
        // Both have all events: the next one is for another execution.
        assert_eq!(served.post(&glove("6", "right", "a")).await, (0, 1));
        // No execution with another key accepts it, and one keeps it that will wait for it.
        assert_eq!(served.executions.publish(&glove("7", "worn", "b")).await, Ok(1));
        assert_eq!(served.outcome_of("event /shop 3").await, Ok(value!({ "right": "3", "left": "4", "worn": "7" })));
        served.waits_in("event /shop 1", "Wear").await;
        served.restart().await;
        assert_eq!(served.post(&glove("8", "worn", "a")).await.1, 0);
        assert_eq!(served.outcome_of("event /shop 1").await, Ok(value!({ "left": "1", "right": "5", "worn": "8" })));
        assert_eq!(served.keys().len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_that_takes_too_long_fails_and_the_next_event_begins_another_one() {
    let Some(mut served) = Served::start::<Gloves>(|service| service).await else { return };
    assert_eq!(served.post(&glove("1", "left", "a")).await, (0, 1));
    served.waits_in("event /shop 1", "Match").await;
    // A late event is late even if no process noticed the time-out before.
    served.server.abort();
    tokio::time::sleep(Duration::from_millis(4_500)).await;
    served.restart().await;
    let late = served.post(&glove("2", "right", "a")).await;
    assert!(late == (0, 1) || late == (1, 0), "{late:?}");
    let fault = served.outcome_of("event /shop 1").await.unwrap_err();
    assert_eq!(fault.error(), Some("States.IncompleteEvents"), "{fault}");
    // The execution that timed out has not consumed it, and it is not lost.
    served.waits_in("event /shop 2", "Match").await;
    assert_eq!(served.post(&glove("3", "left", "a")).await, (1, 0));
    assert_eq!(served.post(&glove("4", "worn", "a")).await.1, 0);
    assert_eq!(served.outcome_of("event /shop 2").await, Ok(value!({ "right": "2", "left": "3", "worn": "4" })));
    assert_eq!(served.keys().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_comes_too_late_for_one_starts_another_one() {
    let Some(served) = Served::start::<Each>(|service| service).await else { return };
    for turn in 0..8 {
        let (own, value) = (format!("own {turn}"), format!("value {turn}"));
        served.executions.start_correlated(&own, value!({}), Some(&value)).await.unwrap();
        served.waits_in(&own, "Place").await;
        served.executions.send(&own, &order(&format!("sent {turn}"), "placed", &value)).await.unwrap();
        let id = format!("posted {turn}");
        assert_eq!(served.post(&order(&id, "placed", &value)).await, (0, 1));
        let started = format!("event /shop {id}");
        served.waits_in(&started, "Pay").await;
        assert_eq!(served.post(&order(&format!("paid {turn}"), "paid", &value)).await.1, 0);
        assert_eq!(served.outcome_of(&own).await, Ok(value!([format!("sent {turn}"), format!("paid {turn}")])));
        assert_eq!(served.outcome_of(&started).await, Ok(value!([id, format!("paid {turn}")])));
    }
    // No state of ended executions is left.
    for entry in ["members", "node"] {
        served.records_have(entry, "", false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_comes_too_late_for_the_first_state_is_for_a_later_one() {
    let Some(served) = Served::start::<Knock>(|service| service.start_with(slowly)).await else { return };
    let knock = |id: &str, door: &str| {
        CloudEvent::new(id, "/door", "knock").extension("door", door).data(value!({ (id): true }))
    };
    for turn in 0..4 {
        let (own, door) = (format!("own {turn}"), format!("door {turn}"));
        served.executions.start_correlated(&own, value!({}), Some(&door)).await.unwrap();
        served.waits_in(&own, "Once").await;
        served.is_suspended(&own).await;
        // The first state consumes this event, and a later one the next event.
        served.executions.send(&own, &knock("sent", &door)).await.unwrap();
        let id = format!("posted {turn}");
        assert_eq!(served.post(&knock(&id, &door)).await, (1, 1));
        assert_eq!(served.outcome_of(&own).await, Ok(value!({ "sent": true, (id.clone()): true })));
        // It starts another execution, which receives it once.
        let started = format!("event /door {id}");
        served.waits_in(&started, "Twice").await;
        let last = format!("last {turn}");
        served.post(&knock(&last, &door)).await;
        assert_eq!(served.outcome_of(&started).await, Ok(value!({ (id): true, (last): true })));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_that_comes_back_to_its_first_state_takes_what_is_posted() {
    for limit in [2_000, 3] {
        let set_up = move |service: workflow_restate::Service| service.journal_limit(limit);
        let Some(mut served) = Served::start::<Bell>(set_up).await else { return };
        let event = |id: &str, kind: &str| {
            CloudEvent::new(id, "/door", format!("bell.{kind}")).extension("door", "front").data(value!({ (id): true }))
        };
        let key = "event /door r0";
        assert_eq!(served.post(&event("r0", "rung")).await, (0, 1));
        for turn in 1..4 {
            served.waits_in(key, "Answer").await;
            assert_eq!(served.post(&event(&format!("a{turn}"), "answered")).await.1, 0);
            served.waits_in(key, "Wait").await;
            if turn == 2 {
                served.restart().await;
            }
            assert_eq!(served.post(&event(&format!("r{turn}"), "rung")).await, (1, 0));
            // It has this event already.
            assert_eq!(served.post(&event(&format!("r{turn}"), "rung")).await, (1, 0));
        }
        served.waits_in(key, "Answer").await;
        // An execution past that state accepts no more there.
        assert_eq!(served.post(&event("r4", "rung")).await, (0, 1));
        assert_eq!(served.post(&event("enough", "answered")).await.1, 0);
        let all = ["r0", "a1", "r1", "a2", "r2", "a3", "r3", "enough", "left"];
        let all: workflow_runtime::Object = all.into_iter().map(|id| (id.into(), Value::from(true))).collect();
        assert_eq!(served.outcome_of(key).await, Ok(all.into()));
        let other = value!({ "r4": true, "enough": true, "left": true });
        assert_eq!(served.outcome_of("event /door r4").await, Ok(other));
        assert_eq!(served.keys().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_that_comes_back_at_once_takes_what_is_posted() {
    let Some(served) = Served::start::<Bell>(|service| service).await else { return };
    let event = |id: &str, kind: &str| {
        CloudEvent::new(id, "/door", format!("bell.{kind}")).extension("door", "front").data(value!({ (id): true }))
    };
    let key = "event /door r0";
    assert_eq!(served.post(&event("r0", "rung")).await, (0, 1));
    served.waits_in(key, "Answer").await;
    served.post(&event("a0", "answered")).await;
    served.start_state_needs("[0]").await;
    // It is kept until the bell rings: then the execution passes the other state in no time.
    served.post(&event("a1", "answered")).await;
    assert_eq!(served.post(&event("r1", "rung")).await, (1, 0));
    served.start_state_needs("[0]").await;
    assert_eq!(served.post(&event("r2", "rung")).await, (1, 0));
    served.waits_in(key, "Answer").await;
    served.post(&event("a2", "answered")).await;
    served.start_state_needs("[0]").await;
    // It does not accept a duplicate, whichever way it comes, and still waits for another event.
    assert_eq!(served.executions.publish(&event("r1", "rung")).await, Ok(1));
    served.start_state_needs("[0]").await;
    assert_eq!(served.post(&event("r3", "rung")).await, (1, 0));
    served.waits_in(key, "Answer").await;
    served.post(&event("enough", "answered")).await;
    let all = ["r0", "a0", "r1", "a1", "r2", "a2", "r3", "enough", "left"];
    let all: workflow_runtime::Object = all.into_iter().map(|id| (id.into(), Value::from(true))).collect();
    assert_eq!(served.outcome_of(key).await, Ok(all.into()));
    assert_eq!(served.keys().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_reaches_an_execution_before_the_event_that_has_started_it() {
    let Some(served) = Served::start::<Knock>(|service| service.start_with(slowly)).await else { return };
    let knock = |id: &str| CloudEvent::new(id, "/door", "knock").extension("door", "1").data(value!({ "last": id }));
    for turn in 0..4 {
        let (first, second) = (format!("first {turn}"), format!("second {turn}"));
        assert_eq!(served.post(&knock(&first)).await.1, 1);
        // Both events exist when it begins.
        served.executions.publish(&knock(&second)).await.unwrap();
        assert_eq!(served.outcome_of(&format!("event /door {first}")).await, Ok(value!({ "last": second })));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_state_that_does_something_else_meanwhile_takes_what_is_posted_after_that() {
    let Some(served) = Served::start::<Row>(|service| service).await else { return };
    let row = |id: &str, kind: &str| CloudEvent::new(id, "/field", format!("row.{kind}")).extension("field", "1");
    assert_eq!(served.post(&row("first", "sown")).await, (0, 1));
    assert_eq!(served.post(&row("poor", "cut")).await.1, 0);
    served.start_state_needs("[0,1]").await;
    assert_eq!(served.post(&row("second", "sown")).await, (1, 0));
    assert_eq!(served.post(&row("rich", "cut")).await.1, 0);
    assert_eq!(served.outcome_of("event /field first").await, Ok(value!(["second", "rich"])));
    assert_eq!(served.keys().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_the_first_state_waits_for_no_more_starts_another_one() {
    let Some(served) = Served::start::<Row>(|service| service).await else { return };
    let row = |id: &str, kind: &str| CloudEvent::new(id, "/field", format!("row.{kind}")).extension("field", "1");
    served.executions.start_correlated("own", value!({}), Some("1")).await.unwrap();
    served.waits_in("own", "Row").await;
    served.executions.send("own", &row("sent", "sown")).await.unwrap();
    // Both wait for the other event then.
    assert_eq!(served.post(&row("posted", "sown")).await, (0, 1));
    assert_eq!(served.post(&row("cut", "cut")).await, (2, 0));
    assert_eq!(served.outcome_of("own").await, Ok(value!(["sent", "cut"])));
    assert_eq!(served.outcome_of("event /field posted").await, Ok(value!(["posted", "cut"])));
    assert_eq!(served.keys().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_another_one_has_taken_starts_nothing() {
    let Some(served) = Served::start::<Knock>(|service| service.start_with(slowly)).await else { return };
    let knock = |id: &str| CloudEvent::new(id, "/door", "knock").extension("door", "1").data(value!({ (id): true }));
    for key in ["one", "other"] {
        served.executions.start_correlated(key, value!({}), Some("1")).await.unwrap();
        served.waits_in(key, "Once").await;
        served.is_suspended(key).await;
    }
    // One waits for it in its start state, and the other one in a later state.
    served.executions.send("one", &knock("sent")).await.unwrap();
    assert_eq!(served.post(&knock("posted")).await, (2, 0));
    assert_eq!(served.outcome_of("one").await, Ok(value!({ "sent": true, "posted": true })));
    served.waits_in("other", "Twice").await;
    assert_eq!(served.keys(), ["one", "other"].map(str::to_owned).into());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_key_of_one_that_was_killed_is_another_one() {
    let Some(served) = Served::start::<Gloves>(|service| service).await else { return };
    let executions = &served.executions;
    let begin = async || {
        executions.start_correlated("own", value!({}), Some("a")).await.unwrap();
        served.waits_in("own", "Match").await;
    };
    begin().await;
    assert_eq!(served.post(&glove("1", "left", "a")).await, (1, 0));
    served.was_given("own", 1).await;
    served.executions.publish(&glove("2", "worn", "b")).await.unwrap();
    served.kill("own").await;
    let invocation = served.invocation("own").await;
    server().unwrap().purge(&invocation);
    eventually(async || (!served.keys().contains("own")).then_some(())).await;
    begin().await;
    assert_eq!(served.post(&glove("3", "right", "a")).await, (1, 0));
    assert_eq!(served.post(&glove("4", "left", "a")).await, (1, 0));
    served.waits_in("own", "Wear").await;
    assert_eq!(served.executions.publish(&glove("5", "worn", "a")).await, Ok(1));
    assert_eq!(served.outcome_of("own").await, Ok(value!({ "right": "3", "left": "4", "worn": "5" })));
    assert_eq!(served.keys(), ["own".to_owned()].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_to_one_that_was_killed_starts_nothing_and_what_comes_after_that_does() {
    let Some(served) = Served::start::<Gloves>(|service| service).await else { return };
    assert_eq!(served.post(&glove("1", "left", "a")).await, (0, 1));
    assert_eq!(served.post(&glove("2", "left", "a")).await, (1, 0));
    served.was_given("event /shop 1", 2).await;
    served.kill("event /shop 1").await;
    // The object learns of it with the next event, which is of another kind.
    served.records_have("members", "event /shop 1", true).await;
    served.executions.publish(&glove("3", "worn", "a")).await.unwrap();
    served.records_have("members", "event /shop 1", false).await;
    assert_eq!(served.keys(), ["event /shop 1".to_owned()].into());
    // An event claimed by a killed execution is not lost.
    assert_eq!(served.post(&glove("4", "left", "a")).await, (0, 1));
    served.waits_in("event /shop 4", "Match").await;
    served.kill("event /shop 4").await;
    assert_eq!(served.post(&glove("5", "right", "a")).await, (1, 0));
    served.waits_in("event /shop 5", "Match").await;
    let keys = ["event /shop 1", "event /shop 4", "event /shop 5"].map(str::to_owned);
    assert_eq!(served.keys(), keys.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_process_neither_loses_nor_doubles_what_an_event_starts() {
    let Some(mut served) = Served::start::<Each>(|service| service).await else { return };
    const EVENTS: usize = 24;
    let mut posts = Vec::new();
    for number in 0..EVENTS {
        let executions = served.executions.clone();
        posts.push(tokio::spawn(async move {
            let event = order(&number.to_string(), "placed", &number.to_string());
            // The client asks again.
            let mut started = 0;
            for _ in 0..2 {
                started += executions.publish_and_start(&event).await.unwrap().started;
            }
            started
        }));
        if number % 6 == 3 {
            served.restart().await;
        }
    }
    served.restart().await;
    for post in posts {
        let started = tokio::time::timeout(Duration::from_secs(60), post).await.expect("an answer").unwrap();
        assert_eq!(started, 1);
    }
    let started: BTreeSet<String> = (0..EVENTS).map(|number| format!("event /shop {number}")).collect();
    assert_eq!(served.keys(), started);
    for number in 0..EVENTS {
        let number = number.to_string();
        served.executions.publish(&order(&format!("paid {number}"), "paid", &number)).await.unwrap();
        let outcome = served.outcome_of(&format!("event /shop {number}")).await;
        assert_eq!(outcome, Ok(value!([number.clone(), format!("paid {number}")])));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_start_executions_inside_of_the_interval() {
    let bought = |id: &str| CloudEvent::new(id, "/shop", "sale.bought");
    let long_ago = Timestamp::from_micros(Timestamp::now().as_micros() - 2 * 24 * 3_600_000_000);
    let Some(mut served) = Served::start::<Sale>(move |service| service.deployed_at(long_ago)).await else { return };
    assert_eq!(served.post(&bought("1")).await, (0, 0));
    assert!(served.keys().is_empty());
    // It was not recorded, so it starts an execution within the schedule. By default the first
    // start is the deployment time.
    let version = served.executions.name().rsplit('-').next().unwrap().to_owned();
    let tasks = served.desk.clone();
    served.service =
        std::sync::Arc::new(move || workflow_restate::Service::of::<Sale>(tasks.clone()).version(&version));
    served.restart().await;
    assert_eq!(served.post(&bought("1")).await, (0, 1));
    assert_eq!(served.outcome_of("event /shop 1").await, Ok(value!("1")));
    assert_eq!(served.post(&bought("2")).await, (0, 1));
    assert_eq!(served.outcome_of("event /shop 2").await, Ok(value!("2")));
}
