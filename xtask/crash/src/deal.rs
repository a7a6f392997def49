//! A workflow with a child execution and events, as the compiler would print it. It starts a child
//! of its own workflow, which publishes an event. Then it waits for two events: one for this
//! execution alone, and one that any other execution of the workflow has published.

use workflow_runtime::__private::{self as rt, CloudEvent, EventInfo, Value};

pub struct Deal;

rt::definition! {
    VERSION_0_1_0 Deal "deal", "none", "deal.rs", 0xdea1, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    events [
        EventInfo::new("sent").kind("deal.sent"),
        EventInfo::new("rung").kind("deal.rung")
    ];
    states;
    "Ask" "Start" 1 => "Order";
    "Order" "Task" 2 => "Sent";
    "Sent" "Event" 3 => "Rung";
    "Rung" "Event" 4 => "Step";
    "Step" "Task" 5 =>;
    "Part" "Task" 6 => "Ring";
    "Ring" "Send" 7 =>;
    tasks;
    ORDER 0 "order" "order" 2 "order";
    STEP 1 "step" "step" 5 "step";
    PART 2 "part" "part" 6 "part";
}

rt::machine! {
    pub enum State(item) from Begin(item) entries [Part(item)];
    Begin(d: Value) = "begin", "", 1 => enter ask(d);
    Ask() = "Ask", "Ask", 2 => resume order();
    Order() = "Order", "Order", 3 => resume ordered();
    Sent() = "Sent", "Sent", 4 => resume sent();
    Rung(d: Value) = "Rung", "Rung", 5 => resume rung(d);
    Step() = "Step", "Step", 6 => resume end();
    Part(d: Value) = "part", "", 7 => enter part(d);
    Parted() = "Part", "Part", 8 => resume ring();
    Ring(d: Value) = "Ring", "Ring", 9 => resume ring_done(d);
}

fn ask(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Ask", &d);
    turn.call_entry(0, d).timeout_seconds(3600.0);
    rt::wait(State::Ask())
}

fn order(part: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Order", &part);
    turn.invoke(ORDER, part);
    rt::wait(State::Order())
}

fn ordered(order: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Sent", &order);
    turn.receive(&[0]);
    rt::wait(State::Sent())
}

fn sent(event: Value, turn: &mut Turn) -> TurnResult {
    let data = event.get("data").cloned().unwrap_or_default();
    turn.enter("Rung", &data);
    turn.receive(&[1]);
    rt::wait(State::Rung(data))
}

fn rung(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Step", &d);
    turn.invoke(STEP, d);
    rt::wait(State::Step())
}

fn end(output: Value, _: &mut Turn) -> TurnResult {
    rt::done(output)
}

fn part(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Part", &d);
    turn.invoke(PART, d);
    rt::wait(State::Parted())
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
