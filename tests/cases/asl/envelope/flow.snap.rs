// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `envelope` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod envelope {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, TaskContext, Value, asl};

    /// The workflow `envelope`: What goes into a state, what comes out of it, and what becomes
    /// of the rest: every path, also as null.
    pub struct Envelope;

    impl Envelope {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Envelope, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `envelope`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `envelope`",
        label = "the trait `envelope::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl envelope::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `echo`, invoked by `All Paths` (`flow.asl.json:7`), `No Input` (`flow.asl.json:21`),
        /// `Result Dropped` (`flow.asl.json:28`).
        fn echo(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0..=2 => rt::task_future(tasks.echo(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Envelope {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "envelope",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 4294553434017374650,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("All Paths", "Task", 5, &["No Input"]),
            rt::StateInfo::new("No Input", "Task", 19, &["Result Dropped"]),
            rt::StateInfo::new("Result Dropped", "Task", 26, &["Result Replaces"]),
            rt::StateInfo::new("Result Replaces", "Pass", 33, &["Into Itself"]),
            rt::StateInfo::new("Into Itself", "Pass", 39, &["Result Into Output"]),
            rt::StateInfo::new("Result Into Output", "Pass", 40, &["Through"]),
            rt::StateInfo::new("Through", "Choice", 47, &["Output Dropped"]),
            rt::StateInfo::new("Output Dropped", "Pass", 50, &["End"]),
            rt::StateInfo::new("End", "Succeed", 51, &[]),
        ],
        tasks: &[&ALL_PATHS, &NO_INPUT, &RESULT_DROPPED],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ALL_PATHS: rt::Task =
        rt::Task::new(0, "echo", "arn:aws:lambda:eu-west-1:123456789012:function:echo", "All Paths", 7);
    static NO_INPUT: rt::Task =
        rt::Task::new(1, "echo", "arn:aws:lambda:eu-west-1:123456789012:function:echo", "No Input", 21);
    static RESULT_DROPPED: rt::Task =
        rt::Task::new(2, "echo", "arn:aws:lambda:eu-west-1:123456789012:function:echo", "Result Dropped", 28);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AllPaths(Value),
        NoInput(Value),
        ResultDropped(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AllPaths(d), "All Paths", "All Paths", 16290513905774444234),
            (NoInput(d), "No Input", "No Input", 16290513905774444234),
            (ResultDropped(d), "Result Dropped", "Result Dropped", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => all_paths(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::AllPaths(d), Ok(result)) => all_paths_done(d, result, turn),
                (State::NoInput(d), Ok(result)) => no_input_done(d, result, turn),
                (State::ResultDropped(d), Ok(_)) => result_dropped_done(d, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `All Paths`, `flow.asl.json:5`.
    fn all_paths(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("All Paths", &d);
        let input = asl::path(&d, &["letter"])?.clone();
        let request = rt::object([
            ("to", asl::field(&input, &["to"], "to.$")?.clone()),
            (
                "stamp",
                rt::object([
                    ("price", asl::context_field(&["Execution", "Input", "price"], &input, "price.$", turn)?),
                    ("kept", input.clone()),
                    ("plain", rt::string("$.to is text")),
                ]),
            ),
            (
                "list",
                rt::array([
                    Value::Int(1),
                    rt::object([(
                        "first",
                        asl::field_at(&input, &[At::Key("pages"), At::Index(0)], "first.$")?.clone(),
                    )]),
                    rt::string("$.pages"),
                ]),
            ),
        ]);
        turn.invoke(&ALL_PATHS, request).timeout_seconds(60.0);
        rt::wait(State::AllPaths(d))
    }

    /// `All Paths`, `flow.asl.json:5`: Continues with the result of the task.
    fn all_paths_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(
            &mut d,
            &["letter", "sent", "report"],
            rt::object([("status", asl::field(&result, &["code"], "status.$")?.clone()), ("all", result.clone())]),
        )?;
        let d = asl::path(&d, &["letter"])?.clone();
        no_input(d, turn)
    }

    /// `No Input`, `flow.asl.json:19`.
    fn no_input(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("No Input", &d);
        let input = LITERAL_1.clone();
        turn.invoke(&NO_INPUT, input).timeout_seconds(60.0);
        rt::wait(State::NoInput(d))
    }

    /// `No Input`, `flow.asl.json:19`: Continues with the result of the task.
    fn no_input_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put_at(&mut d, &[At::Key("pages"), At::Index(0)], result)?;
        result_dropped(d, turn)
    }

    /// `Result Dropped`, `flow.asl.json:26`.
    fn result_dropped(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Result Dropped", &d);
        let input = asl::path(&d, &["to"])?.clone();
        turn.invoke(&RESULT_DROPPED, input).timeout_seconds(60.0);
        rt::wait(State::ResultDropped(d))
    }

    /// `Result Dropped`, `flow.asl.json:26`: Continues with the result of the task.
    fn result_dropped_done(d: Value, turn: &mut Turn) -> TurnResult {
        result_replaces(d, turn)
    }

    /// `Result Replaces`, `flow.asl.json:33`.
    fn result_replaces(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Result Replaces", &d);
        let d = LITERAL_2.clone();
        into_itself(d, turn)
    }

    /// `Into Itself`, `flow.asl.json:39`.
    fn into_itself(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Into Itself", &d);
        let result = d.clone();
        asl::put(&mut d, &["copy"], result)?;
        result_into_output(d, turn)
    }

    /// `Result Into Output`, `flow.asl.json:40`.
    fn result_into_output(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Result Into Output", &d);
        let result = rt::object([(
            "pages",
            asl::array_length(
                asl::argument(&d, &["pages"], "States.ArrayLength($.pages)")?,
                "States.ArrayLength($.pages)",
            )?,
        )]);
        asl::put(&mut d, &["a key", "deep"], result)?;
        let d = asl::require_path(d.get("a key"), &d, "$['a key']", &[At::Key("a key")])?.clone();
        through(d, turn)
    }

    /// `Through`, `flow.asl.json:47`.
    fn through(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Through", &d);
        if asl::numeric_equals(asl::subject(&d, &["deep", "pages"])?, 0) {
            let d = asl::path(&d, &["deep"])?.clone();
            output_dropped(d, turn)
        } else {
            Err(asl::no_transition())
        }
    }

    /// `Output Dropped`, `flow.asl.json:50`.
    fn output_dropped(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Output Dropped", &d);
        let d = LITERAL_1.clone();
        end(d, turn)
    }

    /// `End`, `flow.asl.json:51`.
    fn end(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("End", &d);
        rt::done(d)
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"never.$\":\"$.templated\",\"pages\":[]}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"All Paths\" as s0\n    state \"No Input\" as s1\n",
        "    state \"Result Dropped\" as s2\n    state \"Result Replaces\" as s3\n",
        "    state \"Into Itself\" as s4\n    state \"Result Into Output\" as s5\n",
        "    state \"Through\" as s6\n    state \"Output Dropped\" as s7\n",
        "    state \"End\" as s8\n    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n",
        "    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n    s6 --> s7 : $.deep.pages = 0\n",
        "    s7 --> s8\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s1,s2 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s6 choice\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s8 succeed\n"
    );
}
