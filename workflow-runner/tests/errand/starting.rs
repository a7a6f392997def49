//! Executions that events start, which are posted to `serve`.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

use crate::program::Place;
use crate::{BATCHED, STRUCTURED};

pub struct Parcel;

rt::definition! {
    VERSION_0_1_0 Parcel "parcel", "none", "parcel.json", 0x9a, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    events [EventInfo::new("ordered").kind("order.placed")];
    starts_on StartsOn::new("Order", &[0]);
    states;
    "Order" "Event" 1 =>;
    tasks;
}

rt::machine! {
    pub enum State(item) from Begin(item);
    Begin(d: Value) = "begin", "", 1 => enter begin(d);
    Order(d: Value) = "Order", "Order", 2 => resume order_done(d);
}

fn begin(d: Value, turn: &mut Turn) -> Step {
    turn.enter("Order", &d);
    turn.receive(&[0]);
    rt::wait(State::Order(d))
}

fn order_done(d: Value, event: Value, _: &mut Turn) -> Step {
    let mut output = rt::Object::new();
    output.insert("input", d);
    output.insert("data", event.get("data").cloned().unwrap_or_default());
    rt::done(output.into())
}

fn placed(id: &str) -> String {
    format!(
        r#"{{"specversion": "1.0", "id": "{id}", "source": "/shop", "type": "order.placed", "data": {{"n": "{id}"}}}}"#
    )
}

pub fn events_start_executions_once() {
    let place = Place::new("starting");
    let mut server = place.serve(&[]);
    let answer = server.post("/events", STRUCTURED, &placed("1"));
    assert_eq!((answer.status, answer.at(&["started"])), (200, 1.into()), "{}", answer.body);
    server.kill();
    let server = place.serve(&[]);
    let batch = format!("[{}, {}]", placed("1"), placed("2"));
    let answer = server.post("/events", BATCHED, &batch);
    let started: Vec<Value> =
        answer.body.as_array().into_iter().flatten().filter_map(|one| one.get("started").cloned()).collect();
    assert_eq!(started, [0.into(), 1.into()], "{}", answer.body);
    let ended = server.until("/executions?workflow=parcel&status=succeeded", |answer| {
        answer.at(&["executions"]).as_array().is_some_and(|all| all.len() == 2)
    });
    let outputs: Vec<String> = ended
        .at(&["executions"])
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            let id = one.get("id").and_then(Value::as_str).unwrap_or_default();
            server.get(&format!("/executions/{id}")).at(&["outcome", "output"]).to_string()
        })
        .collect();
    assert_eq!(outputs, [r#"{"input":{},"data":{"n":"2"}}"#, r#"{"input":{},"data":{"n":"1"}}"#]);
}

pub fn events_start_nothing_where_that_is_said() {
    let place = Place::new("not-starting");
    let (server, log) = place.serve_and_log(&["--no-start-on-events"]);
    let answer = server.post("/events", STRUCTURED, &placed("s3cret"));
    assert_eq!((answer.status, answer.at(&["started"])), (200, 0.into()), "{}", answer.body);
    let told = log.recv_timeout(std::time::Duration::from_secs(30)).expect("a line");
    assert_eq!(told, "nothing takes the event `s3cret` of `/shop`, type `order.placed`");
    let unknown = placed("2").replace("order.placed", "other");
    server.post("/events", STRUCTURED, &unknown);
    let told = log.recv_timeout(std::time::Duration::from_secs(30)).expect("a line");
    assert!(told.ends_with("type `other`") && !told.contains("\"n\""), "{told}");
    let (status, _, error) = place.run(&["serve", "--engine", "restate", "--no-start-on-events"]);
    assert!(status == 2 && error.contains("estate"), "{error}");
}
