//! Workflow as the compiler prints it, with one task that is a request without a document.

use workflow_runtime::__private::{self as rt, Value, operation};

pub struct Order;

static OPERATION_1: rt::Operation = rt::Operation::Http(
    operation::Http::new("GET", "http://127.0.0.1:").goes_on().secrets(&[operation::SecretHeader::new(
        "Authorization",
        "Bearer ",
        "token",
    )]),
);

impl rt::Workflow for Order {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "order",
    dialect: "none",
    source: "order.json",
    hash: 0x5eed,
    graph: "stateDiagram-v2",
    states: &[rt::StateInfo::new("Order", "Task", 1, &[])],
    tasks: &[&ORDER],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static ORDER: rt::Task =
    rt::Task::new(0, "order", "GET http://127.0.0.1:${ .port }/v1/orders", "Order", 1).operation(&OPERATION_1);

pub enum State {
    Begin(Value),
    Order,
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!((Begin(d), "begin", "", 1), (Order, "Order", "Order", 2),);

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
            (State::Order, Ok(result)) => done(result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn begin(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Order", &d);
    turn.invoke(&ORDER, d);
    rt::wait(State::Order)
}

fn done(result: Value, _: &mut Turn) -> TurnResult {
    rt::done(result)
}
