//! A workflow in the form of the compiler's output. Its iterations perform the actions of their
//! items one after the other: `work`, `sleep`, `hear` an event, `ask` for an outcome by token,
//! `call` the same workflow, `send` an event, iterate over items, `fail`, or `stop` the whole
//! execution. A task that fails is retried once. A failed iteration over items is caught.

use workflow_runtime::__private::{self as rt, EventInfo, Fault, Limits, Retrier, Retries, Value};

pub struct Relay;

rt::definition! {
    VERSION_0_1_0 Relay "relay", "none", "relay.json", 0x5eed, Some(1_000_000), None, false, None;
    graph "stateDiagram-v2";
    settings;
    events [EventInfo::new("news")];
    states;
    "All" "Map" 1 => "All";
    "One" "Task" 2 => "One";
    tasks;
    WORK 0 "Work" "One" 2 "work";
    ASK 1 "Ask" "One" 2 "ask";
}

rt::machine! {
    pub enum State(item) from Start(item) entries [Start(item)];
    Start(d: Value) = "start", "", 1 => enter all(d);
    All() = "All", "All", 2 => resume joined() { else failed() each Item(item.clone()) };
    Item(d: Value) = "item", "", 3 => enter one(d);
    One(d: Value, retries: Retries) = "One", "One", 4 => resume next(d) { else one_failed(d, retries) };
    Again(d: Value, retries: Retries) = "One retry", "One", 5 => elapsed try_one(d, retries);
    Slept(d: Value) = "One slept", "One", 6 => elapsed slept(d);
}

static RETRY: &[Retrier] = &[Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 1.0)];

/// Iterates over the items of a document, or over the document itself if it is an array.
fn all(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("All", &d);
    let number = |name: &str| d.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let limits = Limits { concurrency: number("max") as u64, delay_seconds: number("delay"), ..Limits::default() };
    turn.for_each(d.get("items").unwrap_or(&d), limits);
    rt::wait(State::All())
}

fn joined(outputs: Value, _: &mut Turn) -> TurnResult {
    rt::done(outputs)
}

fn failed(fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    rt::done(fault.error().unwrap_or_default().into())
}

fn one(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("One", &d);
    try_one(d, Retries::new(), turn)
}

/// Performs the first action of a list. A nested list is an item of its own.
fn try_one(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
    let Some(first) = d.get(0).cloned() else { return rt::done("well".into()) };
    let part = |name: &str| first.get(name).cloned();
    if let Some(output) = part("stop") {
        return rt::terminate(output);
    } else if let Some(name) = part("fail") {
        return Err(Fault::from_parts(Some(name), None));
    } else if let Some(items) = part("items") {
        turn.for_each(&items, Limits::default());
        return rt::wait(State::All());
    } else if let Some(seconds) = part("sleep") {
        turn.sleep_seconds(seconds.as_f64().unwrap_or(1.0));
        return rt::wait(State::Slept(d));
    } else if part("hear").is_some() {
        turn.receive(&[0]);
    } else if let Some(input) = part("ask") {
        turn.invoke(ASK, input).callback();
    } else if let Some(input) = part("call") {
        turn.call("relay", input);
    } else if let Some(input) = part("aside") {
        turn.call_entry(0, input).detach();
    } else if let Some(data) = part("send") {
        turn.send(const { &EventInfo::new("sent") }, data);
    } else {
        turn.invoke(WORK, first);
    }
    rt::wait(State::One(d, retries))
}

fn slept(d: Value, turn: &mut Turn) -> TurnResult {
    next(d, Value::Null, turn)
}

fn next(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
    let left = d.as_array().map(|all| all.iter().skip(1).cloned().collect::<Vec<Value>>());
    one(left.unwrap_or_default().into(), turn)
}

fn one_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    match turn.retry(RETRY, &mut retries, &fault) {
        true => rt::wait(State::Again(d, retries)),
        false => next(d, Value::Null, turn),
    }
}
