//! A workflow in the form of the compiler's output. Its iterations perform the actions of their
//! items one after the other: `work`, `sleep`, `hear` an event, `ask` for an outcome by token,
//! `call` the same workflow, `send` an event, iterate over items, `fail`, or `stop` the whole
//! execution. A task that fails is retried once. A failed iteration over items is caught.

use workflow_runtime::__private::{self as rt, EventInfo, Fault, Limits, Retrier, Retries, Value};

pub struct Relay;

impl rt::Workflow for Relay {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "relay",
    dialect: "none",
    source: "relay.json",
    hash: 0x5eed,
    timeout_seconds: Some(1_000_000),
    graph: "stateDiagram-v2",
    events: &[EventInfo::new("news")],
    states: &[rt::StateInfo::new("All", "Map", 1, &["All"]), rt::StateInfo::new("One", "Task", 2, &["One"])],
    tasks: &[&WORK, &ASK],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static WORK: rt::Task = rt::Task::new(0, "Work", "work", "One", 2);

static ASK: rt::Task = rt::Task::new(1, "Ask", "ask", "One", 2);

pub enum State {
    Start(Value),
    All,
    Item(Value),
    One(Value, Retries),
    Again(Value, Retries),
    Slept(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Start(d), "start", "", 1),
        (All, "All", "All", 2),
        (Item(d), "item", "", 3),
        (One(d, retries), "One", "One", 4),
        (Again(d, retries), "One retry", "One", 5),
        (Slept(d), "One slept", "One", 6),
    );

    fn start(item: Value) -> State {
        State::Start(item)
    }

    fn entry(number: u32, item: &Value) -> Option<State> {
        match number {
            0 => Some(State::Start(item.clone())),
            _ => None,
        }
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Start(d) => all(d, turn),
            State::Item(d) => one(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::All, Ok(result)) => joined(result, turn),
            (State::All, Err(fault)) => failed(fault, turn),
            (State::One(d, _), Ok(result)) => next(d, result, turn),
            (State::One(d, retries), Err(fault)) => one_failed(d, retries, fault, turn),
            (State::Again(d, retries), _) => try_one(d, retries, turn),
            (State::Slept(d), _) => slept(d, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }

    fn child(&self, index: usize, item: &Value) -> Option<State> {
        match (self, index) {
            (State::All, _) => Some(State::Item(item.clone())),
            _ => None,
        }
    }
}

static RETRY: &[Retrier] = &[Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 1.0)];

/// Iterates over the items of a document, or over the document itself if it is an array.
fn all(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("All", &d);
    let number = |name: &str| d.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let limits = Limits { concurrency: number("max") as u64, delay_seconds: number("delay"), ..Limits::default() };
    turn.for_each(d.get("items").unwrap_or(&d), limits);
    rt::wait(State::All)
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
        return rt::wait(State::All);
    } else if let Some(seconds) = part("sleep") {
        turn.sleep_seconds(seconds.as_f64().unwrap_or(1.0));
        return rt::wait(State::Slept(d));
    } else if part("hear").is_some() {
        turn.receive(&[0]);
    } else if let Some(input) = part("ask") {
        turn.invoke(&ASK, input).callback();
    } else if let Some(input) = part("call") {
        turn.call("relay", input);
    } else if let Some(input) = part("aside") {
        turn.call_entry(0, input).detach();
    } else if let Some(data) = part("send") {
        turn.send(const { &EventInfo::new("sent") }, data);
    } else {
        turn.invoke(&WORK, first);
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
