//! A workflow in the form of the compiler's output. It starts with an event, waits for the next,
//! and re-enters its start state, three times in all.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

pub struct Round;

impl rt::Workflow for Round {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "round",
    dialect: "none",
    source: "round.json",
    hash: 0x6a4,
    graph: "stateDiagram-v2",
    events: &[
        EventInfo::new("filled").kind("round.filled").correlation("table"),
        EventInfo::new("drunk").kind("round.drunk").correlation("table"),
    ],
    correlation: Some(rt::Correlation { attributes: &["table"], read: None }),
    starts_on: Some(StartsOn::new("Fill", &[0])),
    states: &[rt::StateInfo::new("Fill", "Event", 1, &["Drink"]), rt::StateInfo::new("Drink", "Event", 2, &["Fill"])],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

pub enum State {
    Begin(Value),
    Fill(Value),
    Drink(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Begin(d), "begin", "", 1),
        (Fill(ids), "Fill", "Fill", 2),
        (Drink(ids), "Drink", "Drink", 3),
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
            (State::Fill(ids), Ok(result)) => filled(ids, result, turn),
            (State::Drink(ids), Ok(result)) => drunk(ids, result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn begin(_: Value, turn: &mut Turn) -> TurnResult {
    fill(Value::from_iter(Vec::<Value>::new()), turn)
}

fn fill(ids: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Fill", &ids);
    turn.receive(&[0]);
    rt::wait(State::Fill(ids))
}

fn filled(ids: Value, event: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Drink", &ids);
    turn.receive(&[1]);
    let before = ids.as_array().into_iter().flatten().cloned();
    rt::wait(State::Drink(Value::from_iter(before.chain(event.get("id").cloned()).collect::<Vec<_>>())))
}

fn drunk(ids: Value, _: Value, turn: &mut Turn) -> TurnResult {
    if ids.as_array().is_some_and(|ids| ids.len() > 2) { rt::done(ids) } else { fill(ids, turn) }
}
