//! Workflow as the compiler prints it. Its first state waits for two events in sequence; the first
//! of them starts the workflow. After a poor harvest it waits for both again, without leaving the
//! state.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

pub struct Row;

impl rt::Workflow for Row {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "row",
    dialect: "none",
    source: "row.json",
    hash: 0x7071,
    graph: "stateDiagram-v2",
    events: &[
        EventInfo::new("sown").kind("row.sown").correlation("field"),
        EventInfo::new("cut").kind("row.cut").correlation("field"),
    ],
    correlation: Some(rt::Correlation { attributes: &["field"], read: None }),
    starts_on: Some(StartsOn::new("Row", &[0]).sequence(&[0, 1])),
    states: &[rt::StateInfo::new("Row", "Event", 1, &[])],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

pub enum State {
    Begin(Value),
    Sow(Value),
    Cut(Value),
    Rest(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Begin(d), "begin", "", 1),
        (Sow(d), "Sow", "Row", 2),
        (Cut(first), "Cut", "Row", 3),
        (Rest(d), "Rest", "Row", 4),
    );

    fn start(item: Value) -> State {
        State::Begin(item)
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Begin(d) => begin(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Sow(d), Ok(result)) => sown(d, result, turn),
            (State::Cut(first), Ok(result)) => cut(first, result, turn),
            (State::Rest(d), Ok(result)) => rested(d, result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn begin(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Row", &d);
    sow(d, turn)
}

fn sow(d: Value, turn: &mut Turn) -> TurnResult {
    turn.receive(&[0]);
    rt::wait(State::Sow(d))
}

fn sown(_: Value, event: Value, turn: &mut Turn) -> TurnResult {
    turn.receive(&[1]);
    rt::wait(State::Cut(event.get("id").cloned().unwrap_or_default()))
}

fn cut(first: Value, event: Value, turn: &mut Turn) -> TurnResult {
    if event.get("id").and_then(Value::as_str) == Some("poor") {
        turn.sleep_seconds(0.1);
        return rt::wait(State::Rest(first));
    }
    rt::done(Value::from_iter([first, event.get("id").cloned().unwrap_or_default()]))
}

fn rested(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
    sow(d, turn)
}
