//! Workflows in the form of the compiler's output, with events that correlate. One collects two
//! events in its start state, invokes a task, and waits for a third event. Another starts with one
//! event and waits for the next. Two have a schedule.

/// Collects an event of each of two kinds.
pub mod set {
    use std::time::Duration;

    use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

    pub struct Gather;

    rt::definition! {
        VERSION_0_1_0 Gather "gather", "none", "gather.json", 0x6a1, None, None, false, None;
        graph "stateDiagram-v2";
        settings;
        events [
            EventInfo::new("left").kind("glove.left").correlation("pair"),
            EventInfo::new("right").kind("glove.right").correlation("pair"),
            EventInfo::new("worn").kind("glove.worn").correlation("pair")
        ];
        correlation ["pair"];
        starts_on StartsOn::new("Gather", &[0, 1]).all_of();
        states;
        "Gather" "Event" 1 => "Ask";
        "Ask" "Task" 2 => "Wear";
        "Wear" "Event" 3 =>;
        tasks;
        ASK 0 "Ask" "Ask" 2 "ask";
    }

    rt::machine! {
        pub enum State(item) from Begin(item);
        Begin(d: Value) = "begin", "", 1 => enter begin(d);
        Gather(got: Value) = "Gather", "Gather", 2 => resume gathered(got);
        Ask(got: Value) = "Ask", "Ask", 3 => resume asked(got);
        Wear(got: Value) = "Wear", "Wear", 4 => resume worn(got);
    }

    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Gather", &d);
        gather(rt::Array::new().into(), turn)
    }

    fn gather(got: Value, turn: &mut Turn) -> TurnResult {
        let until = turn.now().plus(Duration::from_secs(60));
        turn.receive(&[0, 1]).except_collected(&got).until(until);
        rt::wait(State::Gather(got))
    }

    fn gathered(got: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if event.is_null() {
            return rt::done("too late".into());
        }
        let mut all = got.as_array().cloned().unwrap_or_default();
        all.push(event);
        if all.len() < 2 {
            return gather(all.into(), turn);
        }
        let got: Value = all.into();
        turn.enter("Ask", &got);
        turn.invoke(ASK, got.clone());
        rt::wait(State::Ask(got))
    }

    fn asked(got: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        let mut all = got.as_array().cloned().unwrap_or_default();
        all.push(answer);
        let got: Value = all.into();
        turn.enter("Wear", &got);
        turn.receive(&[2]);
        rt::wait(State::Wear(got))
    }

    fn worn(got: Value, event: Value, _: &mut Turn) -> TurnResult {
        let id = |event: &Value| event.get("id").cloned().unwrap_or_else(|| event.clone());
        let ids = got.as_array().into_iter().flatten().chain([&event]).map(id);
        rt::done(Value::from_iter(ids))
    }
}

/// Starts with one event, and waits for another.
pub mod each {
    use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

    pub struct Each;

    rt::definition! {
        VERSION_0_1_0 Each "each", "none", "each.json", 0x6a2, None, None, false, None;
        graph "stateDiagram-v2";
        settings;
        events [
            EventInfo::new("placed").kind("order.placed").correlation("order"),
            EventInfo::new("paid").kind("order.paid").correlation("order")
        ];
        correlation ["order"];
        starts_on StartsOn::new("Place", &[0]);
        states;
        "Place" "Event" 1 => "Pay";
        "Pay" "Event" 2 =>;
        tasks;
    }

    rt::machine! {
        pub enum State(item) from Begin(item);
        Begin(d: Value) = "begin", "", 1 => enter begin(d);
        Place() = "Place", "Place", 2 => resume placed();
        Pay(id: Value) = "Pay", "Pay", 3 => resume paid(id);
    }

    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Place", &d);
        turn.receive(&[0]);
        rt::wait(State::Place())
    }

    fn placed(event: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Pay", &event);
        turn.receive(&[1]);
        rt::wait(State::Pay(event.get("id").cloned().unwrap_or_default()))
    }

    fn paid(id: Value, event: Value, _: &mut Turn) -> TurnResult {
        rt::done(Value::from_iter([id, event.get("id").cloned().unwrap_or_default()]))
    }
}

/// Can start for a day after the deployment, also by an event.
pub mod sale {
    use workflow_runtime::__private::{self as rt, EventInfo, Schedule, StartsOn, Value};

    pub struct Sale;

    rt::definition! {
        VERSION_0_1_0 Sale "sale", "none", "sale.json", 0x6a3, None, None, false, None;
        graph "stateDiagram-v2";
        settings;
        events [EventInfo::new("bought").kind("sale.bought")];
        starts_on StartsOn::new("Buy", &[0]);
        schedule Schedule::after_deployment("P1D", 86_400_000_000);
        states;
        "Buy" "Event" 1 =>;
        tasks;
    }

    rt::machine! {
        pub enum State(item) from Begin(item);
        Begin(d: Value) = "begin", "", 1 => enter begin(d);
        Buy() = "Buy", "Buy", 2 => resume bought();
    }

    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Buy", &d);
        turn.receive(&[0]);
        rt::wait(State::Buy())
    }

    fn bought(event: Value, _: &mut Turn) -> TurnResult {
        rt::done(event.get("id").cloned().unwrap_or_default())
    }
}
