//! Workflow as the compiler prints it: a Map that may be divided into batches. Each item starts a
//! detached part of the same workflow, publishes an event, and starts a child that it awaits.

use workflow_runtime::__private::{self as rt, CloudEvent, Value};

pub struct Trips;

impl rt::Workflow for Trips {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "trips",
    dialect: "none",
    source: "trips.json",
    hash: 0x7219,
    graph: "stateDiagram-v2",
    states: &[
        rt::StateInfo::new("Each", "Map", 1, &[]),
        rt::StateInfo::new("Aside", "Start", 2, &["Publish"]),
        rt::StateInfo::new("Publish", "Send", 3, &["Ask"]),
        rt::StateInfo::new("Ask", "Start", 4, &[]),
        rt::StateInfo::new("Work", "Task", 5, &[]),
    ],
    tasks: &[&WORK],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static WORK: rt::Task = rt::Task::new(0, "Work", "work", "Work", 5);

pub enum State {
    Begin(Value),
    Each,
    Stop(Value),
    Aside(Value),
    Publish(Value),
    Ask(Value),
    Part(Value),
    Work(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Begin(d), "begin", "", 1),
        (Each, "Each", "Each", 2),
        (Stop(d), "stop", "", 3),
        (Aside(d), "Aside", "Aside", 4),
        (Publish(d), "Publish", "Publish", 5),
        (Ask(d), "Ask", "Ask", 6),
        (Part(d), "part", "", 7),
        (Work(d), "Work", "Work", 8),
    );

    fn start(item: Value) -> State {
        State::Begin(item)
    }

    fn entry(number: u32, item: &Value) -> Option<State> {
        match number {
            0 => Some(State::Part(item.clone())),
            _ => None,
        }
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Begin(d) => each(d, turn),
            State::Stop(d) => aside(d, turn),
            State::Part(d) => work(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Each, Ok(result)) => rt_done(result, turn),
            (State::Aside(d), Ok(result)) => aside_done(d, result, turn),
            (State::Publish(d), Ok(result)) => publish_done(d, result, turn),
            (State::Ask(d), Ok(result)) => ask_done(d, result, turn),
            (State::Work(d), Ok(result)) => work_done(d, result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }

    fn child(&self, index: usize, item: &Value) -> Option<State> {
        match (self, index) {
            (State::Each, _) => Some(State::Stop(item.clone())),
            _ => None,
        }
    }
}

fn each(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Each", &d);
    turn.for_each(&d, rt::Limits::default());
    rt::wait(State::Each)
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
    turn.invoke(&WORK, d.clone());
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
