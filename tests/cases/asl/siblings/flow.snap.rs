// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `siblings` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod siblings {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `siblings`: Three offers at once; if one fails the others are given up,
    /// and all are asked once more.
    pub struct Siblings;

    impl Siblings {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Siblings, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `siblings`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `siblings`",
        label = "the trait `siblings::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl siblings::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `near`, invoked by `Ask Near` (`flow.asl.json:14`).
        fn near(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `far`, invoked by `Ask Far` (`flow.asl.json:24`).
        fn far(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.near(input, cx)),
                1 => rt::task_future(tasks.far(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Siblings {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "siblings",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 11071173481634804797,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Ask All", "Parallel", 5, &["Nothing"]),
            rt::StateInfo::new("Nothing", "Pass", 40, &[]),
            rt::StateInfo::new("Ask Near", "Task", 12, &["No Offer"]),
            rt::StateInfo::new("No Offer", "Pass", 18, &[]),
            rt::StateInfo::new("Ask Far", "Task", 24, &["Add Freight"]),
            rt::StateInfo::new("Add Freight", "Pass", 25, &[]),
            rt::StateInfo::new("Look It Up", "Wait", 30, &["Own Price"]),
            rt::StateInfo::new("Own Price", "Succeed", 30, &[]),
        ],
        tasks: &[&ASK_NEAR, &ASK_FAR],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ASK_NEAR: rt::Task =
        rt::Task::new(0, "near", "arn:aws:lambda:eu-west-1:123456789012:function:near", "Ask Near", 14);
    static ASK_FAR: rt::Task =
        rt::Task::new(1, "far", "arn:aws:lambda:eu-west-1:123456789012:function:far", "Ask Far", 24);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AskAllEntryAskNear(Value),
        AskAllEntryAskFar(Value),
        AskAllEntryLookItUp(Value),
        AskAllRetry(Value, Retries),
        AskAll(Value, Value, Retries),
        AskNear,
        AskFar,
        LookItUp(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AskAllEntryAskNear(input), "Ask All entry Ask Near", "", 3736688280224215270),
            (AskAllEntryAskFar(input), "Ask All entry Ask Far", "", 3736688280224215270),
            (AskAllEntryLookItUp(input), "Ask All entry Look It Up", "", 3736688280224215270),
            (AskAllRetry(d, retries), "Ask All retry", "Ask All", 15960456506256740724),
            (AskAll(d, input, retries), "Ask All", "Ask All", 80862308828053546),
            (AskNear, "Ask Near", "Ask Near", 8115882890224929488),
            (AskFar, "Ask Far", "Ask Far", 8115882890224929488),
            (LookItUp(d), "Look It Up", "Look It Up", 10018666061677677287),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => ask_all(d, turn),
                State::AskAllEntryAskNear(input) => ask_all_entry_ask_near(input, turn),
                State::AskAllEntryAskFar(input) => ask_all_entry_ask_far(input, turn),
                State::AskAllEntryLookItUp(input) => ask_all_entry_look_it_up(input, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::AskAllRetry(d, retries), _) => ask_all_try(d, retries, turn),
                (State::AskAll(d, _, retries), Ok(result)) => ask_all_joined(d, retries, result, turn),
                (State::AskAll(d, _, retries), Err(fault)) => ask_all_failed(d, retries, fault, turn),
                (State::AskNear, Ok(result)) => ask_near_done(result),
                (State::AskNear, Err(fault)) => ask_near_failed(fault, turn),
                (State::AskFar, Ok(result)) => ask_far_done(result, turn),
                (State::LookItUp(d), _) => own_price(d, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::AskAll(_, input, _), 0) => Some(State::AskAllEntryAskNear(input.clone())),
                (State::AskAll(_, input, _), 1) => Some(State::AskAllEntryAskFar(input.clone())),
                (State::AskAll(_, input, _), 2) => Some(State::AskAllEntryLookItUp(input.clone())),
                _ => None,
            }
        }
    }

    /// `Ask All`, `flow.asl.json:5`.
    fn ask_all(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask All", &d);
        ask_all_try(d, Retries::new(), turn)
    }

    /// `Ask All`, `flow.asl.json:5`: One attempt.
    fn ask_all_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let input = rt::object([
            ("item", asl::field(&d, &["item"], "item.$")?.clone()),
            ("try", asl::context_field(&["State", "RetryCount"], &d, "try.$", turn)?),
        ]);
        turn.fork(3);
        rt::wait(State::AskAll(d, input, retries))
    }

    /// `Ask All`, `flow.asl.json:5`: Continues with the outputs of the branches.
    fn ask_all_joined(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        let result = rt::object([
            ("offers", result.clone()),
            (
                "cheapest",
                asl::require_field(
                    jsonpath::select(&result)
                        .matching(|current| jsonpath::less(current.get("price"), Some(&Value::Int(50))))
                        .name("price")
                        .found()
                        .as_ref(),
                    &result,
                    "$[?(@.price < 50)].price",
                    "cheapest.$",
                )?
                .clone(),
            ),
        ]);
        if let Err(fault) = asl::put(&mut d, &["answer"], result) {
            return ask_all_failed(d, retries, fault, turn);
        }
        rt::done(asl::path(&d, &["answer"])?.clone())
    }

    /// `Ask All`, `flow.asl.json:5`: Retries or catches a fault.
    fn ask_all_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_ALL_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskAllRetry(d, retries));
        }
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return nothing(d, turn);
        }
        Err(fault)
    }

    /// `Nothing`, `flow.asl.json:40`.
    fn nothing(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nothing", &d);
        rt::done(rt::object([("nothing", asl::field(&d, &["problem", "Error"], "nothing.$")?.clone())]))
    }

    /// The start of branch 1 of `Ask All`.
    fn ask_all_entry_ask_near(input: Value, turn: &mut Turn) -> TurnResult {
        ask_near(input, turn)
    }

    /// `Ask Near`, `flow.asl.json:12`.
    fn ask_near(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask Near", &d);
        turn.invoke(&ASK_NEAR, d).timeout_seconds(60.0);
        rt::wait(State::AskNear)
    }

    /// `Ask Near`, `flow.asl.json:12`: Continues with the result of the task.
    fn ask_near_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Ask Near`, `flow.asl.json:12`: Retries or catches a fault.
    fn ask_near_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Closed"]) {
            let d = fault.output();
            return no_offer(d, turn);
        }
        Err(fault)
    }

    /// `No Offer`, `flow.asl.json:18`.
    fn no_offer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("No Offer", &d);
        rt::done(Value::Null)
    }

    /// The start of branch 2 of `Ask All`.
    fn ask_all_entry_ask_far(input: Value, turn: &mut Turn) -> TurnResult {
        ask_far(input, turn)
    }

    /// `Ask Far`, `flow.asl.json:24`.
    fn ask_far(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask Far", &d);
        turn.invoke(&ASK_FAR, d).timeout_seconds(60.0);
        rt::wait(State::AskFar)
    }

    /// `Ask Far`, `flow.asl.json:24`: Continues with the result of the task.
    fn ask_far_done(d: Value, turn: &mut Turn) -> TurnResult {
        add_freight(d, turn)
    }

    /// `Add Freight`, `flow.asl.json:25`.
    fn add_freight(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Add Freight", &d);
        rt::done(rt::object([(
            "price",
            asl::math_add(
                asl::argument(&d, &["price"], "States.MathAdd($.price, 10)")?,
                &Value::Int(10),
                "States.MathAdd($.price, 10)",
            )?,
        )]))
    }

    /// The start of branch 3 of `Ask All`.
    fn ask_all_entry_look_it_up(input: Value, turn: &mut Turn) -> TurnResult {
        look_it_up(input, turn)
    }

    /// `Look It Up`, `flow.asl.json:30`.
    fn look_it_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Look It Up", &d);
        turn.sleep_seconds(2.0);
        rt::wait(State::LookItUp(d))
    }

    /// `Own Price`, `flow.asl.json:30`.
    fn own_price(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Own Price", &d);
        rt::done(asl::path(&d, &["item"])?.clone())
    }

    static ASK_ALL_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Named("Strike"), rt::ErrorMatch::AnyTask], 60.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Ask All\" as s0 {\n        state \"branch 1\" as s1 {\n",
        "            state \"Ask Near\" as s2\n            state \"No Offer\" as s3\n",
        "            [*] --> s2\n            s2 --> [*]\n            s2 --> s3 : catch Closed\n",
        "            s3 --> [*]\n        }\n        state \"branch 2\" as s4 {\n",
        "            state \"Ask Far\" as s5\n            state \"Add Freight\" as s6\n",
        "            [*] --> s5\n            s5 --> s6\n            s6 --> [*]\n        }\n",
        "        state \"branch 3\" as s7 {\n            state \"Look It Up\" as s8\n",
        "            state \"Own Price\" as s9\n            [*] --> s8\n            s8 --> s9\n",
        "            s9 --> [*]\n        }\n    }\n    state \"Nothing\" as s10\n    [*] --> s0\n",
        "    s0 --> [*]\n    s0 --> s10 : catch States.ALL\n    s10 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s5 task\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s8 wait\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s9 succeed\n"
    );
}
