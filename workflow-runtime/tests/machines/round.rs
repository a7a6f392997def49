//! A workflow in the form of the compiler's output. It starts with an event, waits for the next,
//! and re-enters its start state, three times in all.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

pub struct Round;

rt::definition! {
    VERSION_0_1_0 Round "round", "none", "round.json", 0x6a4, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    events [
        EventInfo::new("filled").kind("round.filled").correlation("table"),
        EventInfo::new("drunk").kind("round.drunk").correlation("table")
    ];
    correlation ["table"];
    starts_on StartsOn::new("Fill", &[0]);
    states;
    "Fill" "Event" 1 => "Drink";
    "Drink" "Event" 2 => "Fill";
    tasks;
}

rt::machine! {
    pub enum State(item) from Begin(item);
    Begin(d: Value) = "begin", "", 1 => enter begin(d);
    Fill(ids: Value) = "Fill", "Fill", 2 => resume filled(ids);
    Drink(ids: Value) = "Drink", "Drink", 3 => resume drunk(ids);
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
