//! Workflow as the compiler prints it: a Map that may be divided into batches. Each item starts a
//! detached part of the same workflow, publishes an event, and starts a child that it awaits.

use workflow_runtime::__private::{self as rt, CloudEvent, Value};

pub struct Trips;

rt::definition! {
    VERSION_0_1_0 Trips "trips", "none", "trips.json", 0x7219, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    states;
    "Each" "Map" 1 =>;
    "Aside" "Start" 2 => "Publish";
    "Publish" "Send" 3 => "Ask";
    "Ask" "Start" 4 =>;
    "Work" "Task" 5 =>;
    tasks;
    WORK 0 "Work" "Work" 5 "work";
}

rt::machine! {
    pub enum State(item) from Begin(item) entries [Part(item)];
    Begin(d: Value) = "begin", "", 1 => enter each(d);
    Each() = "Each", "Each", 2 => resume rt_done() { each Stop(item.clone()) };
    Stop(d: Value) = "stop", "", 3 => enter aside(d);
    Aside(d: Value) = "Aside", "Aside", 4 => resume aside_done(d);
    Publish(d: Value) = "Publish", "Publish", 5 => resume publish_done(d);
    Ask(d: Value) = "Ask", "Ask", 6 => resume ask_done(d);
    Part(d: Value) = "part", "", 7 => enter work(d);
    Work(d: Value) = "Work", "Work", 8 => resume work_done(d);
}

fn each(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Each", &d);
    turn.for_each(&d, rt::Limits::default());
    rt::wait(State::Each())
}

fn aside(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Aside", &d);
    turn.call_entry(0, rt::object([("number", number(&d))])).detach();
    rt::wait(State::Aside(d))
}

fn aside_done(d: Value, id: Value, turn: &mut Turn) -> TurnResult {
    let d = put(d, "aside", id);
    turn.enter("Publish", &d);
    let event = CloudEvent::new(turn.uuid(), "/trips", "errand.done").data(number(&d));
    turn.publish(event);
    rt::wait(State::Publish(d))
}

fn publish_done(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Ask", &d);
    match d.get("workflow").and_then(Value::as_str).map(str::to_owned) {
        Some(workflow) => turn.call(workflow, d.clone()),
        None => turn.call_entry(0, d.clone()),
    };
    rt::wait(State::Ask(d))
}

fn ask_done(d: Value, answer: Value, _: &mut Turn) -> TurnResult {
    rt::done(put(d, "answer", answer))
}

fn work(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Work", &d);
    turn.invoke(WORK, d.clone());
    rt::wait(State::Work(d))
}

fn work_done(d: Value, _: Value, _: &mut Turn) -> TurnResult {
    rt::done(number(&d))
}

fn rt_done(result: Value, _: &mut Turn) -> TurnResult {
    rt::done(result)
}

fn number(d: &Value) -> Value {
    d.get("number").cloned().unwrap_or_default()
}

fn put(mut d: Value, key: &'static str, value: Value) -> Value {
    if let Some(members) = d.as_object_mut() {
        members.insert(key, value);
    }
    d
}
