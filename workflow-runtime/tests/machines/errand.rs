//! A workflow in the form of the compiler's output. It waits for events, publishes one, and starts
//! child executions: an awaited one of the whole workflow, and a detached one of an entry.

use workflow_runtime::__private::{self as rt, CloudEvent, EventInfo, Fault, Retrier, Retries, Value};

pub struct Errand;

impl rt::Workflow for Errand {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "errand",
    dialect: "none",
    source: "errand.json",
    hash: 0x5eed,
    graph: "stateDiagram-v2",
    events: &[
        EventInfo::new("paid").subject("Paid").any_case(),
        EventInfo::new("shipped").kind("order.shipped").attributes(&[("tenant", "a")]),
        EventInfo::new("done").kind("errand.done"),
    ],
    states: &[
        rt::StateInfo::new("Begin", "Choice", 1, &["Aside", "Ask", "Await", "Work", "Nested"]),
        rt::StateInfo::new("Aside", "Start", 2, &["Ask"]),
        rt::StateInfo::new("Ask", "Start", 3, &["Await"]),
        rt::StateInfo::new("Await", "Event", 4, &["Await", "Publish"]),
        rt::StateInfo::new("Publish", "Send", 5, &[]),
        rt::StateInfo::new("Work", "Task", 6, &[]),
        rt::StateInfo::new("Later", "Task", 7, &[]),
        rt::StateInfo::new("Nested", "Start", 8, &[]),
    ],
    tasks: &[&WORK, &LATER],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static WORK: rt::Task = rt::Task::new(0, "Work", "work", "Work", 6);

static LATER: rt::Task = rt::Task::new(1, "Later", "later", "Later", 7);

pub enum State {
    Begin(Value),
    Aside(Value),
    Ask(Value),
    Await(Value),
    Publish(Value),
    PublishRetry(Value),
    Work,
    Nested,
    Later,
    Entry(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Begin(d), "begin", "", 1),
        (Aside(d), "Aside", "Aside", 2),
        (Ask(d), "Ask", "Ask", 3),
        (Await(d), "Await", "Await", 4),
        (Publish(d), "Publish", "Publish", 5),
        (PublishRetry(d), "Publish retry", "Publish", 10),
        (Work, "Work", "Work", 6),
        (Nested, "Nested", "Nested", 9),
        (Later, "Later", "Later", 7),
        (Entry(d), "entry", "", 8),
    );

    fn start(item: Value) -> State {
        State::Begin(item)
    }

    fn entry(number: u32, item: &Value) -> Option<State> {
        match number {
            0 => Some(State::Entry(item.clone())),
            _ => None,
        }
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Begin(d) => begin(d, turn),
            State::Entry(d) => later(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Aside(d), Ok(result)) => aside_done(d, result, turn),
            (State::Ask(d), Ok(result)) => ask_done(d, result, turn),
            (State::Ask(d), Err(fault)) => ask_failed(d, fault, turn),
            (State::Await(d), Ok(result)) => await_done(d, result, turn),
            (State::Publish(d), Ok(result)) => publish_done(d, result, turn),
            (State::Publish(d), Err(fault)) => publish_failed(d, fault, turn),
            (State::PublishRetry(d), _) => send(d, turn),
            (State::Work, Ok(result)) => rt_done(result, turn),
            (State::Nested, Ok(result)) => rt_done(result, turn),
            (State::Later, Ok(result)) => rt_done(result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

static PUBLISH_RETRY: &[Retrier] = &[Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 1.0)];

fn begin(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Begin", &d);
    match d.get("do").and_then(Value::as_str) {
        Some("work") => work(d, turn),
        Some("wait") => wait_for(d, turn),
        Some("nested") => nested(d, turn),
        _ => aside(d, turn),
    }
}

fn nested(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Nested", &d);
    turn.call("errand", put(d, "do", "work".into()));
    rt::wait(State::Nested)
}

fn aside(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Aside", &d);
    turn.call_entry(0, d.get("aside").cloned().unwrap_or_default()).detach();
    rt::wait(State::Aside(d))
}

fn aside_done(d: Value, id: Value, turn: &mut Turn) -> TurnResult {
    ask(put(d, "detached", id), turn)
}

fn ask(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Ask", &d);
    let workflow = d.get("workflow").and_then(Value::as_str).unwrap_or("errand").to_owned();
    let input = d.get("ask").cloned().unwrap_or_default();
    turn.call(workflow, input).timeout_seconds(d.get("patience").and_then(Value::as_f64).unwrap_or(600.0));
    rt::wait(State::Ask(d))
}

fn ask_done(d: Value, answer: Value, turn: &mut Turn) -> TurnResult {
    wait_for(put(d, "answer", answer), turn)
}

fn ask_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    wait_for(put(d, "answer", fault.output()), turn)
}

fn wait_for(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Await", &d);
    let left = d.get("events").and_then(Value::as_i64).unwrap_or(0);
    if left == 0 {
        return publish(d, turn);
    }
    let patience = d.get("seconds").and_then(Value::as_i64).unwrap_or(3600);
    let until = turn.now().plus(std::time::Duration::from_secs(patience.unsigned_abs()));
    let strict = d.get("strict").is_some();
    let kinds: &[usize] = if d.get("done").is_some() { &[2] } else { &[0, 1] };
    let reception = turn.receive(kinds).until(until);
    if strict {
        reception.discard_unmatched();
    }
    rt::wait(State::Await(put(d, "events", Value::from(left - 1))))
}

fn await_done(d: Value, event: Value, turn: &mut Turn) -> TurnResult {
    let mut got = d.get("got").and_then(Value::as_array).cloned().unwrap_or_default();
    got.push(event.get("data").cloned().unwrap_or(Value::from("time-out")));
    wait_for(put(d, "got", got.into()), turn)
}

fn publish(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Publish", &d);
    send(d, turn)
}

fn send(d: Value, turn: &mut Turn) -> TurnResult {
    let event = CloudEvent::new(turn.event_id(), "/errands", "errand.done").subject("Done").data(d.clone());
    turn.publish(event);
    rt::wait(State::Publish(d))
}

fn publish_done(d: Value, _: Value, _: &mut Turn) -> TurnResult {
    rt::done(d)
}

fn publish_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    let left = |key: &str| d.get(key).and_then(Value::as_i64).unwrap_or(0);
    let (retries, again) = (left("retries"), left("again"));
    if retries > 0 && turn.retry(PUBLISH_RETRY, &mut Retries::new(), &fault) {
        return rt::wait(State::PublishRetry(put(d, "retries", (retries - 1).into())));
    }
    match again {
        1.. => publish(put(d, "again", (again - 1).into()), turn),
        _ => Err(fault),
    }
}

fn work(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Work", &d);
    turn.invoke(&WORK, d);
    rt::wait(State::Work)
}

fn later(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Later", &d);
    turn.invoke(&LATER, d);
    rt::wait(State::Later)
}

fn rt_done(result: Value, _: &mut Turn) -> TurnResult {
    rt::done(result)
}

fn put(mut d: Value, key: &'static str, value: Value) -> Value {
    if let Some(members) = d.as_object_mut() {
        members.insert(key, value);
    }
    d
}
