//! A workflow that events start, as the compiler would print it. It collects an event of each of
//! two kinds in its first state, calls a task, and waits for a third event, which may come early.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

pub struct Gate;

impl rt::Workflow for Gate {
    type State = GateState;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The attribute with the correlation key.
pub const ATTRIBUTE: &str = "gate";

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "gate",
    dialect: "none",
    source: "gate.rs",
    hash: 0x6a7e,
    graph: "stateDiagram-v2",
    events: &[
        EventInfo::new("opened").kind("gate.opened").correlation(ATTRIBUTE),
        EventInfo::new("confirmed").kind("gate.confirmed").correlation(ATTRIBUTE),
        EventInfo::new("closed").kind("gate.closed").correlation(ATTRIBUTE),
    ],
    correlation: Some(rt::Correlation { attributes: &[ATTRIBUTE], read: None }),
    starts_on: Some(StartsOn::new("Open", &[0, 1]).all_of()),
    states: &[
        rt::StateInfo::new("Open", "Event", 1, &["Pass"]),
        rt::StateInfo::new("Pass", "Task", 2, &["Close"]),
        rt::StateInfo::new("Close", "Event", 3, &[]),
    ],
    tasks: &[&PASS],
    points: <GateState as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static PASS: rt::Task = rt::Task::new(0, "pass", "pass", "pass", 2);

pub enum GateState {
    Begin,
    Open(Value),
    Pass,
    Close(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<GateState>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<GateState>;

impl rt::Machine for GateState {
    rt::suspension_points!(
        (Begin, "begin", "", 1),
        (Open(got), "Open", "Open", 2),
        (Pass, "Pass", "Pass", 3),
        (Close(d), "Close", "Close", 4),
    );

    fn start(_: Value) -> GateState {
        GateState::Begin
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            GateState::Begin => begin(turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (GateState::Open(got), Ok(event)) => opened(got, event, turn),
            (GateState::Pass, Ok(output)) => passed(output, turn),
            (GateState::Close(d), Ok(event)) => closed(d, event),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn begin(turn: &mut Turn) -> TurnResult {
    turn.enter("Open", &Value::Null);
    open(rt::Array::new().into(), turn)
}

fn open(got: Value, turn: &mut Turn) -> TurnResult {
    turn.receive(&[0, 1]).except_collected(&got);
    rt::wait(GateState::Open(got))
}

fn opened(got: Value, event: Value, turn: &mut Turn) -> TurnResult {
    let mut all = got.as_array().cloned().unwrap_or_default();
    all.push(event);
    if all.len() < 2 {
        return open(all.into(), turn);
    }
    let data = Value::from_iter(all.iter().map(data));
    turn.enter("Pass", &data);
    turn.invoke(&PASS, data);
    rt::wait(GateState::Pass)
}

fn passed(output: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Close", &output);
    turn.receive(&[2]);
    rt::wait(GateState::Close(output))
}

fn closed(output: Value, event: Value) -> TurnResult {
    rt::done(Value::from_iter([output, data(&event)]))
}

fn data(event: &Value) -> Value {
    event.get("data").cloned().unwrap_or_default()
}
