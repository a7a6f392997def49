//! Workflow as the compiler prints it. Its first state waits for two events in sequence; the first
//! of them starts the workflow. After a poor harvest it waits for both again, without leaving the
//! state.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

pub struct Row;

rt::definition! {
    VERSION_0_1_0 Row "row", "none", "row.json", 0x7071, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    events [
        EventInfo::new("sown").kind("row.sown").correlation("field"),
        EventInfo::new("cut").kind("row.cut").correlation("field")
    ];
    correlation ["field"];
    starts_on StartsOn::new("Row", &[0]).sequence(&[0, 1]);
    states;
    "Row" "Event" 1 =>;
    tasks;
}

rt::machine! {
    pub enum State(item) from Begin(item);
    Begin(d: Value) = "begin", "", 1 => enter begin(d);
    Sow(d: Value) = "Sow", "Row", 2 => resume sown(d);
    Cut(first: Value) = "Cut", "Row", 3 => resume cut(first);
    Rest(d: Value) = "Rest", "Row", 4 => resume rested(d);
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
