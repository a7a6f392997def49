//! Workflows in the form of the compiler's output, with events that correlate. One collects two
//! events in its start state, invokes a task, and waits for a third event. Another starts with one
//! event and waits for the next. Two have a schedule.

/// Collects an event of each of two kinds.
pub mod set {
    use std::time::Duration;

    use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

    pub struct Gather;

    impl rt::Workflow for Gather {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "gather",
        dialect: "none",
        source: "gather.json",
        hash: 0x6a1,
        graph: "stateDiagram-v2",
        events: &[
            EventInfo::new("left").kind("glove.left").correlation("pair"),
            EventInfo::new("right").kind("glove.right").correlation("pair"),
            EventInfo::new("worn").kind("glove.worn").correlation("pair"),
        ],
        correlation: Some(rt::Correlation { attributes: &["pair"], read: None }),
        starts_on: Some(StartsOn::new("Gather", &[0, 1]).all_of()),
        states: &[
            rt::StateInfo::new("Gather", "Event", 1, &["Ask"]),
            rt::StateInfo::new("Ask", "Task", 2, &["Wear"]),
            rt::StateInfo::new("Wear", "Event", 3, &[]),
        ],
        tasks: &[&ASK],
        points: <State as rt::Machine>::POINTS,
        ..rt::Definition::VERSION_0_1_0
    };

    static ASK: rt::Task = rt::Task::new(0, "Ask", "ask", "Ask", 2);

    pub enum State {
        Begin(Value),
        Gather(Value),
        Ask(Value),
        Wear(Value),
    }

    /// The turn of this machine.
    type Turn = rt::Turn<State>;

    /// The result of running a frame of this machine.
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Begin(d), "begin", "", 1),
            (Gather(got), "Gather", "Gather", 2),
            (Ask(got), "Ask", "Ask", 3),
            (Wear(got), "Wear", "Wear", 4),
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
                (State::Gather(got), Ok(result)) => gathered(got, result, turn),
                (State::Ask(got), Ok(result)) => asked(got, result, turn),
                (State::Wear(got), Ok(result)) => worn(got, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
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
        turn.invoke(&ASK, got.clone());
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

    impl rt::Workflow for Each {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "each",
        dialect: "none",
        source: "each.json",
        hash: 0x6a2,
        graph: "stateDiagram-v2",
        events: &[
            EventInfo::new("placed").kind("order.placed").correlation("order"),
            EventInfo::new("paid").kind("order.paid").correlation("order"),
        ],
        correlation: Some(rt::Correlation { attributes: &["order"], read: None }),
        starts_on: Some(StartsOn::new("Place", &[0])),
        states: &[rt::StateInfo::new("Place", "Event", 1, &["Pay"]), rt::StateInfo::new("Pay", "Event", 2, &[])],
        points: <State as rt::Machine>::POINTS,
        ..rt::Definition::VERSION_0_1_0
    };

    pub enum State {
        Begin(Value),
        Place,
        Pay(Value),
    }

    /// The turn of this machine.
    type Turn = rt::Turn<State>;

    /// The result of running a frame of this machine.
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Begin(d), "begin", "", 1), (Place, "Place", "Place", 2), (Pay(id), "Pay", "Pay", 3),);

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
                (State::Place, Ok(result)) => placed(result, turn),
                (State::Pay(id), Ok(result)) => paid(id, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Place", &d);
        turn.receive(&[0]);
        rt::wait(State::Place)
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

    impl rt::Workflow for Sale {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "sale",
        dialect: "none",
        source: "sale.json",
        hash: 0x6a3,
        graph: "stateDiagram-v2",
        events: &[EventInfo::new("bought").kind("sale.bought")],
        starts_on: Some(StartsOn::new("Buy", &[0])),
        schedule: Some(Schedule::after_deployment("P1D", 86_400_000_000)),
        states: &[rt::StateInfo::new("Buy", "Event", 1, &[])],
        points: <State as rt::Machine>::POINTS,
        ..rt::Definition::VERSION_0_1_0
    };

    pub enum State {
        Begin(Value),
        Buy,
    }

    /// The turn of this machine.
    type Turn = rt::Turn<State>;

    /// The result of running a frame of this machine.
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Begin(d), "begin", "", 1), (Buy, "Buy", "Buy", 2),);

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
                (State::Buy, Ok(result)) => bought(result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Buy", &d);
        turn.receive(&[0]);
        rt::wait(State::Buy)
    }

    fn bought(event: Value, _: &mut Turn) -> TurnResult {
        rt::done(event.get("id").cloned().unwrap_or_default())
    }
}
