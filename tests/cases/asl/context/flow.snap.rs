// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `context` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod context {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Get as _, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `context`: What the context object tells, in every place that can read it.
    pub struct Context;

    impl Context {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Context, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `context`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `context`",
        label = "the trait `context::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl context::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `tries`, invoked by `Count Tries` (`flow.asl.json:73`).
        fn tries(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.tries(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Context {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "context",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 12191150158149487412,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Who", "Pass", 5, &["Later"]),
            rt::StateInfo::new("Later", "Wait", 19, &["Is It Later"]),
            rt::StateInfo::new("Is It Later", "Choice", 20, &["Each", "Whole"]),
            rt::StateInfo::new("Each", "Map", 33, &["Count Tries"]),
            rt::StateInfo::new("Count Tries", "Task", 71, &[]),
            rt::StateInfo::new("Whole", "Pass", 80, &[]),
            rt::StateInfo::new("Within", "Parallel", 44, &[]),
            rt::StateInfo::new("Deep", "Pass", 50, &[]),
        ],
        tasks: &[&COUNT_TRIES],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static COUNT_TRIES: rt::Task =
        rt::Task::new(0, "tries", "arn:aws:lambda:eu-west-1:123456789012:function:tries", "Count Tries", 73);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        EachEntryWithin(Value),
        WithinEntryDeep(Value),
        Later(Value),
        Each(Value),
        CountTriesRetry(Value, Retries),
        CountTries(Value, Retries),
        Within(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (EachEntryWithin(d), "Each entry Within", "", 16290513905774444234),
            (WithinEntryDeep(d), "Within entry Deep", "", 16290513905774444234),
            (Later(d), "Later", "Later", 2127385451422886396),
            (Each(d), "Each", "Each", 11263612639614581427),
            (CountTriesRetry(d, retries), "Count Tries retry", "Count Tries", 15960456506256740724),
            (CountTries(d, retries), "Count Tries", "Count Tries", 15047625320176663010),
            (Within(d), "Within", "Within", 13770073190775327649),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => who(d, turn),
                State::EachEntryWithin(d) => each_entry_within(d, turn),
                State::WithinEntryDeep(d) => deep(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Later(d), _) => is_it_later(d, turn),
                (State::Each(d), Ok(result)) => each_joined(d, result, turn),
                (State::CountTriesRetry(d, retries), _) => count_tries_try(d, retries, turn),
                (State::CountTries(d, retries), Ok(result)) => count_tries_done(d, retries, result, turn),
                (State::CountTries(d, retries), Err(fault)) => count_tries_failed(d, retries, fault, turn),
                (State::Within(_), Ok(result)) => within_joined(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Each(d), _) => Some(State::EachEntryWithin(d.clone())),
                (State::Within(d), 0) => Some(State::WithinEntryDeep(d.clone())),
                _ => None,
            }
        }
    }

    /// `Who`, `flow.asl.json:5`.
    fn who(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Who", &d);
        let result = rt::object([
            ("machine", asl::context_field(&["StateMachine", "Name"], &d, "machine.$", turn)?),
            ("state", asl::context_field(&["State", "Name"], &d, "state.$", turn)?),
            ("entered", asl::context_field(&["State", "EnteredTime"], &d, "entered.$", turn)?),
            ("started", asl::context_field(&["Execution", "StartTime"], &d, "started.$", turn)?),
            ("input", asl::context_field(&["Execution", "Input"], &d, "input.$", turn)?),
            ("redrives", asl::context_field(&["Execution", "RedriveCount"], &d, "redrives.$", turn)?),
            (
                "text",
                asl::format(
                    &["", " runs ", ""],
                    &[
                        asl::require_argument(
                            turn.context().get("StateMachine").get("Name"),
                            &d,
                            "$$.StateMachine.Name",
                            "States.Format('{} runs {}', $$.StateMachine.Name, $$.State.Name)",
                        )?,
                        asl::require_argument(
                            turn.context().get("State").get("Name"),
                            &d,
                            "$$.State.Name",
                            "States.Format('{} runs {}', $$.StateMachine.Name, $$.State.Name)",
                        )?,
                    ],
                ),
            ),
        ]);
        asl::put(&mut d, &["who"], result)?;
        later(d, turn)
    }

    /// `Later`, `flow.asl.json:19`.
    fn later(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Later", &d);
        turn.sleep_seconds(10.0);
        rt::wait(State::Later(d))
    }

    /// `Is It Later`, `flow.asl.json:20`.
    fn is_it_later(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Later", &d);
        if asl::timestamp_greater_than_path(
            asl::choice_variable(turn.context().get("State").get("EnteredTime"), "$$.State.EnteredTime")?,
            asl::subject(&d, &["who", "entered"])?,
        ) && asl::boolean_equals(
            asl::choice_variable(turn.context().get("Execution").get("Input").get("go"), "$$.Execution.Input.go")?,
            true,
        ) {
            each(d, turn)
        } else {
            whole(d, turn)
        }
    }

    /// `Each`, `flow.asl.json:33`.
    fn each(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Each", &d);
        let items = asl::items_array(asl::selected(
            turn.context().get("Execution").get("Input").get("items"),
            &turn.context(),
            "$$.Execution.Input.items",
            &[At::Key("Execution"), At::Key("Input"), At::Key("items")],
        ))?
        .clone();
        turn.for_each(&items, rt::Limits::default());
        rt::wait(State::Each(d))
    }

    /// `Each`, `flow.asl.json:33`: Continues with the outputs of the iterations.
    fn each_joined(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["each"], result)?;
        count_tries(d, turn)
    }

    /// `Count Tries`, `flow.asl.json:71`.
    fn count_tries(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Count Tries", &d);
        count_tries_try(d, Retries::new(), turn)
    }

    /// `Count Tries`, `flow.asl.json:71`: One attempt.
    fn count_tries_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("tries", asl::context_field(&["State", "RetryCount"], &d, "tries.$", turn)?)]);
        turn.invoke(&COUNT_TRIES, request).timeout_seconds(60.0);
        rt::wait(State::CountTries(d, retries))
    }

    /// `Count Tries`, `flow.asl.json:71`: Continues with the result of the task.
    fn count_tries_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["tries"], result) {
            return count_tries_failed(d, retries, fault, turn);
        }
        rt::done(
            asl::require_path(
                jsonpath::members(Some(&d), &["who", "each", "tries"]).as_ref(),
                &d,
                "$['who', 'each', 'tries']",
                &[],
            )?
            .clone(),
        )
    }

    /// `Count Tries`, `flow.asl.json:71`: Retries or catches a fault.
    fn count_tries_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(COUNT_TRIES_RETRY, &mut retries, &fault) {
            return rt::wait(State::CountTriesRetry(d, retries));
        }
        Err(fault)
    }

    /// `Whole`, `flow.asl.json:80`.
    fn whole(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Whole", &d);
        let d = asl::require_path(
            turn.context().get("Execution").get("Input"),
            &turn.context(),
            "$$.Execution.Input",
            &[At::Key("Execution"), At::Key("Input")],
        )?
        .clone();
        rt::done(asl::path(&d, &["items"])?.clone())
    }

    /// The start of the item processor of `Each`.
    fn each_entry_within(d: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("index", asl::context_field(&["Map", "Item", "Index"], &d, "index.$", turn)?),
            ("value", asl::context_field(&["Map", "Item", "Value"], &d, "value.$", turn)?),
            ("in", asl::context_field(&["State", "Name"], &d, "in.$", turn)?),
        ]);
        within(d, turn)
    }

    /// `Within`, `flow.asl.json:44`.
    fn within(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Within", &d);
        turn.fork(1);
        rt::wait(State::Within(d))
    }

    /// `Within`, `flow.asl.json:44`: Continues with the outputs of the branches.
    fn within_joined(result: Value) -> TurnResult {
        rt::done(asl::path_at(&result, &[At::Index(0)])?.clone())
    }

    /// `Deep`, `flow.asl.json:50`.
    fn deep(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Deep", &d);
        rt::done(rt::object([
            ("given", d.clone()),
            ("index", asl::context_field(&["Map", "Item", "Index"], &d, "index.$", turn)?),
            ("item", asl::context_field(&["Map", "Item", "Value", "n"], &d, "item.$", turn)?),
            ("state", asl::context_field(&["State", "Name"], &d, "state.$", turn)?),
        ]))
    }

    static COUNT_TRIES_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Again")], 1.0, 2, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Who\" as s0\n    state \"Later\" as s1\n",
        "    state \"Is It Later\" as s2\n    state \"Each\" as s3 {\n",
        "        state \"for each item\" as s4 {\n            state \"Within\" as s5 {\n",
        "                state \"branch 1\" as s6 {\n                    state \"Deep\" as s7\n",
        "                    [*] --> s7\n                    s7 --> [*]\n                }\n",
        "            }\n            [*] --> s5\n            s5 --> [*]\n        }\n    }\n",
        "    state \"Count Tries\" as s8\n    state \"Whole\" as s9\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n",
        "    s2 --> s3 : $#36;.State.EnteredTime #62; $.who.entered and $#36;.Execution.Input.go ",
        "= true\n    s2 --> s9 : otherwise\n    s3 --> s8\n    s8 --> [*]\n    s9 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s8 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s2 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s1 wait\n"
    );
}
