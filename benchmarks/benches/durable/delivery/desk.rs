//! Two workflows in the form of the compiler's output. An execution waits for an order in its
//! first state, or for payments. Each event names the next state. The order of `Desk` is for any
//! execution, that of `Order` for the execution with its correlation key.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

/// The workflow whose start event has no correlation key.
pub struct Desk;

/// The workflow whose start event has a correlation key.
pub struct Order;

impl rt::Workflow for Desk {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DESK;
}

impl rt::Workflow for Order {
    type State = State;
    const DEFINITION: &'static rt::Definition = &ORDER;
}

const BASE: rt::Definition = rt::Definition {
    name: "desk",
    dialect: "none",
    source: "desk.rs",
    hash: 0xde5,
    graph: "stateDiagram-v2",
    starts_on: Some(StartsOn::new("Place", &[0])),
    states: &[rt::StateInfo::new("Place", "Event", 1, &["Pay"]), rt::StateInfo::new("Pay", "Event", 2, &["Pay"])],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static DESK: rt::Definition = rt::Definition {
    events: &[
        EventInfo::new("placed").kind("desk.placed"),
        EventInfo::new("paid").kind("desk.paid").correlation("order"),
        // No execution comes to a state that awaits these.
        EventInfo::new("closed").kind("desk.closed").correlation("order"),
        EventInfo::new("noted").kind("desk.noted"),
    ],
    ..BASE
};

static ORDER: rt::Definition = rt::Definition {
    name: "order",
    hash: 0xde6,
    events: &[
        EventInfo::new("placed").kind("order.placed").correlation("order"),
        EventInfo::new("paid").kind("order.paid").correlation("order"),
    ],
    correlation: Some(rt::Correlation { attributes: &["order"], read: None }),
    ..BASE
};

/// The state of an execution.
pub enum State {
    Begin(Value),
    Place,
    Pay,
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!((Begin(d), "begin", "", 1), (Place, "Place", "Place", 2), (Pay, "Pay", "Pay", 3),);

    fn start(item: Value) -> State {
        State::Begin(item)
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Begin(d) => go_on(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Place | State::Pay, Ok(event)) => go_on(event.get("data").cloned().unwrap_or_default(), turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

/// Goes on with the state that the document names, by default the first one.
fn go_on(d: Value, turn: &mut Turn) -> TurnResult {
    match d.get("next").and_then(Value::as_str) {
        Some("Pay") => {
            turn.enter("Pay", &d);
            turn.receive(&[1]);
            rt::wait(State::Pay)
        }
        Some("end") => rt::done(d),
        _ => {
            turn.enter("Place", &d);
            turn.receive(&[0]);
            rt::wait(State::Place)
        }
    }
}
