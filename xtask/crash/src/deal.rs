//! A workflow with a child execution and events, as the compiler would print it. It starts a child
//! of its own workflow, which publishes an event. Then it waits for two events: one for this
//! execution alone, and one that any other execution of the workflow has published.

use workflow_runtime::__private::{self as rt, CloudEvent, EventInfo, Value};

pub struct Deal;

impl rt::Workflow for Deal {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "deal",
    dialect: "none",
    source: "deal.rs",
    hash: 0xdea1,
    graph: "stateDiagram-v2",
    events: &[EventInfo::new("sent").kind("deal.sent"), EventInfo::new("rung").kind("deal.rung")],
    states: &[
        rt::StateInfo::new("Ask", "Start", 1, &["Order"]),
        rt::StateInfo::new("Order", "Task", 2, &["Sent"]),
        rt::StateInfo::new("Sent", "Event", 3, &["Rung"]),
        rt::StateInfo::new("Rung", "Event", 4, &["Step"]),
        rt::StateInfo::new("Step", "Task", 5, &[]),
        rt::StateInfo::new("Part", "Task", 6, &["Ring"]),
        rt::StateInfo::new("Ring", "Send", 7, &[]),
    ],
    tasks: &[&ORDER, &STEP, &PART],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static ORDER: rt::Task = rt::Task::new(0, "order", "order", "order", 2);

static STEP: rt::Task = rt::Task::new(1, "step", "step", "step", 5);

static PART: rt::Task = rt::Task::new(2, "part", "part", "part", 6);

pub enum State {
    Begin(Value),
    Ask,
    Order,
    Sent,
    Rung(Value),
    Step,
    Part(Value),
    Parted,
    Ring(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!(
        (Begin(d), "begin", "", 1),
        (Ask, "Ask", "Ask", 2),
        (Order, "Order", "Order", 3),
        (Sent, "Sent", "Sent", 4),
        (Rung(d), "Rung", "Rung", 5),
        (Step, "Step", "Step", 6),
        (Part(d), "part", "", 7),
        (Parted, "Part", "Part", 8),
        (Ring(d), "Ring", "Ring", 9),
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
            State::Begin(d) => ask(d, turn),
            State::Part(d) => part(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Ask, Ok(result)) => order(result, turn),
            (State::Order, Ok(result)) => ordered(result, turn),
            (State::Sent, Ok(result)) => sent(result, turn),
            (State::Rung(d), Ok(result)) => rung(d, result, turn),
            (State::Step, Ok(result)) => end(result, turn),
            (State::Parted, Ok(result)) => ring(result, turn),
            (State::Ring(d), Ok(result)) => ring_done(d, result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn ask(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Ask", &d);
    turn.call_entry(0, d).timeout_seconds(3600.0);
    rt::wait(State::Ask)
}

fn order(part: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Order", &part);
    turn.invoke(&ORDER, part);
    rt::wait(State::Order)
}

fn ordered(order: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Sent", &order);
    turn.receive(&[0]);
    rt::wait(State::Sent)
}

fn sent(event: Value, turn: &mut Turn) -> TurnResult {
    let data = event.get("data").cloned().unwrap_or_default();
    turn.enter("Rung", &data);
    turn.receive(&[1]);
    rt::wait(State::Rung(data))
}

fn rung(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Step", &d);
    turn.invoke(&STEP, d);
    rt::wait(State::Step)
}

fn end(output: Value, _: &mut Turn) -> TurnResult {
    rt::done(output)
}

fn part(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Part", &d);
    turn.invoke(&PART, d);
    rt::wait(State::Parted)
}

fn ring(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Ring", &d);
    let event = CloudEvent::new(turn.uuid(), "/deals", "deal.rung");
    turn.publish(event);
    rt::wait(State::Ring(d))
}

fn ring_done(d: Value, _: Value, _: &mut Turn) -> TurnResult {
    rt::done(d)
}
