//! A workflow as the compiler would print it, whose first state waits for two events in a row, and which the first one starts.

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
    starts_on StartsOn::new("Row", &[0]).in_a_row(&[0, 1]);
    states;
    "Row" "Event" 1 =>;
    tasks;
}

rt::machine! {
    pub enum State(item) from Begin(item);
    Begin(d: Value) = "begin", "", 1 => enter begin(d);
    Sow(d: Value) = "Sow", "Row", 2 => resume sown(d);
    Cut(first: Value) = "Cut", "Row", 3 => resume cut(first);
}

fn begin(d: Value, turn: &mut Turn) -> Step {
    turn.enter("Row", &d);
    turn.receive(&[0]);
    rt::wait(State::Sow(d))
}

fn sown(_: Value, event: Value, turn: &mut Turn) -> Step {
    turn.receive(&[1]);
    rt::wait(State::Cut(event.get("id").cloned().unwrap_or_default()))
}

fn cut(first: Value, event: Value, _: &mut Turn) -> Step {
    rt::done(Value::from_iter([first, event.get("id").cloned().unwrap_or_default()]))
}
