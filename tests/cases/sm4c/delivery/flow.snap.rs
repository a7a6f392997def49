// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `delivery` of `flow.sm4c.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
#[allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::collapsible_if,
    reason = "expressions have the structure of their source"
)]
pub mod delivery {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, deadline, jq, operation, sm4c};

    /// The workflow `delivery`.
    pub struct Delivery;

    impl Delivery {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Delivery, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `delivery`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `delivery`",
        label = "the trait `delivery::Tasks` is not implemented for this type",
        note = "flow.sm4c.json:1:1: the workflow is defined here",
        note = "write `impl delivery::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `weigh`, invoked by `Packing` (`flow.sm4c.json:9`).
        fn weigh(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.weigh(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Delivery {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "delivery",
        dialect: "sm4c",
        source: "flow.sm4c.json",
        hash: 5779216170266423848,
        events: &[
            rt::EventInfo::new("paid").subject("paid").any_case().kind("payment.made"),
            rt::EventInfo::new("cancelled").subject("cancelled").any_case(),
        ],
        states: &[
            rt::StateInfo::new("Waiting", "State", 13, &["Given up", "Packing"]),
            rt::StateInfo::new("Packing", "State", 31, &["Sending"]),
            rt::StateInfo::new("Sending", "State", 43, &[]),
            rt::StateInfo::new("Given up", "State", 53, &[]),
        ],
        tasks: &[&PACKING],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PACKING: rt::Task = rt::Task::new(0, "weigh", "scales.json#weigh", "Packing", 9).operation(&OPERATION_1);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Waiting(Value, Value, Value),
        PackingRetry(Value, rt::BlockRetries),
        Packing(Value, rt::BlockRetries),
        Sending(Value),
        Sending2(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Waiting(d, seen, until), "Waiting", "Waiting", 7678729430577259371),
            (PackingRetry(d, retries), "Packing retry", "Packing", 4886697238090824359),
            (Packing(d, retries), "Packing", "Packing", 18236129607119812587),
            (Sending(d), "Sending", "Sending", 2371848044947328224),
            (Sending2(d), "Sending #2", "Sending", 17242637566105333137),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Waiting(d, seen, until), Ok(result)) => waiting_received(d, until, seen, result, turn),
                (State::PackingRetry(d, retries), _) => packing_try(d, retries, turn),
                (State::Packing(d, _), Ok(result)) => packing_done(d, result, turn),
                (State::Packing(d, retries), Err(fault)) => packing_failed(d, retries, fault, turn),
                (State::Sending(d), Ok(result)) => sending_done(d, result, turn),
                (State::Sending2(d), Ok(_)) => sending_sent(d),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        waiting(d, turn)
    }

    /// `Waiting`, `flow.sm4c.json:13`.
    fn waiting(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Waiting", &d);
        let until = deadline::in_seconds(86400.0, turn);
        let seen = rt::array([]);
        waiting_listen(d, until, seen, turn)
    }

    /// `Waiting`, `flow.sm4c.json:13`: Continues within the state.
    fn waiting_listen(d: Value, until: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        turn.receive(&[0, 1]).until(rt::timestamp(&until)?).discard_unmatched();
        rt::wait(State::Waiting(d, seen, until))
    }

    /// `Waiting`, `flow.sm4c.json:13`: Continues with an event or after the wait.
    fn waiting_received(d: Value, until: Value, seen: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(&event) {
            given_up(d, turn)
        } else {
            let event2 = sm4c::event(&event);
            if sm4c::is_null(sm4c::seen(&seen, 0))
                && sm4c::is_event(&event, &["0"], turn)
                && waiting_event_condition(&d, &event2)?
            {
                let seen = sm4c::note(seen, 0, &event2);
                waiting_heard(d, until, seen, event, event2, turn)
            } else {
                waiting_heard(d, until, seen, event, event2, turn)
            }
        }
    }

    /// `Waiting`, `flow.sm4c.json:13`: Continues within the state.
    fn waiting_heard(d: Value, until: Value, seen: Value, event: Value, event2: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(sm4c::seen(&seen, 1)) && sm4c::is_event(&event, &["1"], turn) {
            let seen = sm4c::note(seen, 1, &event2);
            waiting_heard2(d, until, seen, turn)
        } else {
            waiting_heard2(d, until, seen, turn)
        }
    }

    /// `Waiting`, `flow.sm4c.json:13`: Continues within the state.
    fn waiting_heard2(d: Value, until: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        if !sm4c::is_null(sm4c::seen(&seen, 0)) {
            let d = waiting_event_result_handler(d, sm4c::seen(&seen, 0))?;
            packing(d, turn)
        } else if !sm4c::is_null(sm4c::seen(&seen, 1)) {
            given_up(d, turn)
        } else {
            waiting_listen(d, until, seen, turn)
        }
    }

    /// `Packing`, `flow.sm4c.json:31`.
    fn packing(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Packing", &d);
        let retries = turn.begin_retry_block();
        packing_try(d, retries, turn)
    }

    /// `Packing`, `flow.sm4c.json:31`: One attempt.
    fn packing_try(d: Value, retries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let request = match rt::attempt(|| Ok(rt::object([("what", packing_argument(&d)?)]))) {
            Ok(value) => value,
            Err(fault) => return packing_failed(d, retries, fault, turn),
        };
        turn.invoke(&PACKING, request);
        rt::wait(State::Packing(d, retries))
    }

    /// `Packing`, `flow.sm4c.json:31`: Continues with the result of the task.
    fn packing_done(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let d = packing_enter_result_handler(d, &result)?;
        sending(d, turn)
    }

    /// `Packing`, `flow.sm4c.json:31`: Retries or catches a fault.
    fn packing_failed(d: Value, mut retries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = packing_error_result_handler(d)?;
            if turn.retry_block(PACKING_RETRY, &mut retries, &fault) {
                return rt::wait(State::PackingRetry(d, retries));
            }
            return Err(fault);
        }
        Err(fault)
    }

    /// `Sending`, `flow.sm4c.json:43`.
    fn sending(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sending", &d);
        let request = rt::object([("weight", sending_argument(&d)?)]);
        turn.call("carrier", request);
        rt::wait(State::Sending(d))
    }

    /// `Sending`, `flow.sm4c.json:43`: Continues with the output of the execution.
    fn sending_done(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let d = sending_enter_result_handler(d, &result)?;
        let value = sending_event_data(&d)?;
        turn.send(const { &rt::EventInfo::new("sent").subject("sent") }, value);
        rt::wait(State::Sending2(d))
    }

    /// `Sending`, `flow.sm4c.json:43`: Continues after the event was published.
    fn sending_sent(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Given up`, `flow.sm4c.json:53`.
    fn given_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Given up", &d);
        rt::done(d)
    }

    /// `$value.data.sum >= .price`
    fn waiting_event_condition(input: &Value, value_of: &Value) -> jq::Result<bool> {
        let price = jq::get(input, "price")?;
        Ok(jq::ge(jq::get(jq::get(value_of, "data")?, "sum")?, price))
    }

    /// `.paid = $value.data.sum`
    fn waiting_event_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let sum = jq::get(jq::get(value_of, "data")?, "sum")?;
        let paid = jq::get_mut(&mut input, "paid")?;
        *paid = sum.clone();
        Ok(input)
    }

    /// `.what`
    fn packing_argument(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "what")?.clone())
    }

    /// `.weight = $value`
    fn packing_enter_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let weight = jq::get_mut(&mut input, "weight")?;
        *weight = value_of.clone();
        Ok(input)
    }

    /// `.tries += 1`
    fn packing_error_result_handler(mut input: Value) -> jq::Result<Value> {
        let tries = jq::get_mut(&mut input, "tries")?;
        *tries = jq::add(tries.take(), &Value::Int(1))?;
        Ok(jq::finished(input))
    }

    /// `.weight`
    fn sending_argument(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "weight")?.clone())
    }

    /// `.number = $value`
    fn sending_enter_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let number = jq::get_mut(&mut input, "number")?;
        *number = value_of.clone();
        Ok(input)
    }

    /// `.number`
    fn sending_event_data(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "number")?.clone())
    }

    static PACKING_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 2.0, 2, 1.0)];
    static OPERATION_1: rt::Operation = rt::Operation::Rest(
        operation::Rest::new(
            "scales",
            "scales.json",
            "weigh",
            "GET",
            &[operation::Piece::Text("/weights/"), operation::Piece::Parameter(0)],
        )
        .parameters(&[
            operation::Parameter::new("what", operation::Place::Path)
                .decomposition(operation::Decomposition::None)
                .required(),
            operation::Parameter::new("unit", operation::Place::Query).decomposition(operation::Decomposition::None),
        ])
        .server("https://scales.example.com")
        .security(&[&[operation::Scheme::new("token", operation::SchemeKind::Bearer)]]),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Waiting\" as s0\n",
        "    s0 : waits for paid or cancelled (at most 1 d)\n    state \"Packing\" as s1\n",
        "    state \"Sending\" as s2\n    s2 : carrier\n    state \"Given up\" as s3\n",
        "    [*] --> s0\n    s0 --> s1\n    s0 --> s3\n    s1 --> s2\n",
        "    s2 --> [*] : sends sent\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s1 task\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0 event\n",
        "    classDef call fill:#e0e7ff,stroke:#4f46e5,color:#111827,stroke-dasharray:8 3 2 3\n",
        "    class s2 call\n"
    );
}
