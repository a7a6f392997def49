// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `failures` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod failures {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Get as _, Outcome, TaskContext, Value, asl};

    /// The workflow `failures`: All ways to fail on purpose.
    pub struct Failures;

    impl Failures {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Failures, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `failures`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `failures`",
        label = "the trait `failures::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl failures::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Failures {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "failures",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 15376081148678906648,
        context: true,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("How", "Choice", 5, &["Plain", "Bare", "Paths", "Computed", "From Context", "Caught"]),
            rt::StateInfo::new("Plain", "Fail", 16, &[]),
            rt::StateInfo::new("Bare", "Fail", 17, &[]),
            rt::StateInfo::new("Paths", "Fail", 18, &[]),
            rt::StateInfo::new("Computed", "Fail", 19, &[]),
            rt::StateInfo::new("From Context", "Fail", 24, &[]),
            rt::StateInfo::new("Caught", "Parallel", 25, &["Never", "Show"]),
            rt::StateInfo::new("Show", "Pass", 33, &[]),
            rt::StateInfo::new("Never", "Succeed", 34, &[]),
            rt::StateInfo::new("Inner", "Fail", 28, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        CaughtEntryInner(Value),
        Caught(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (CaughtEntryInner(d), "Caught entry Inner", "", 16290513905774444234),
            (Caught(d), "Caught", "Caught", 351662007070794327),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => how(d, turn),
                State::CaughtEntryInner(d) => inner(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Caught(_), Ok(result)) => caught_joined(result, turn),
                (State::Caught(d), Err(fault)) => caught_failed(d, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Caught(d), 0) => Some(State::CaughtEntryInner(d.clone())),
                _ => None,
            }
        }
    }

    /// `How`, `flow.asl.json:5`.
    fn how(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("How", &d);
        if asl::string_equals(asl::subject(&d, &["how"])?, "plain") {
            plain(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["how"])?, "bare") {
            bare(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["how"])?, "paths") {
            paths(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["how"])?, "computed") {
            computed(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["how"])?, "context") {
            from_context(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["how"])?, "caught") {
            caught(d, turn)
        } else {
            Err(asl::no_transition())
        }
    }

    /// `Plain`, `flow.asl.json:16`.
    fn plain(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Plain", &d);
        Err(Fault::new("Plain", "on purpose"))
    }

    /// `Bare`, `flow.asl.json:17`: says nothing
    fn bare(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Bare", &d);
        Err(Fault::from_parts(None, None))
    }

    /// `Paths`, `flow.asl.json:18`.
    fn paths(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Paths", &d);
        Err(Fault::from_parts(
            Some(asl::fault_string(asl::at(&d, &["error"]), &d, "ErrorPath")?.clone()),
            Some(asl::fault_string(asl::at(&d, &["cause"]), &d, "CausePath")?.clone()),
        ))
    }

    /// `Computed`, `flow.asl.json:19`.
    fn computed(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Computed", &d);
        Err(Fault::from_parts(
            Some(
                asl::fault_string(
                    asl::computed(
                        &asl::format(
                            &["Custom.", ""],
                            &[asl::argument(&d, &["error"], "States.Format('Custom.{}', $.error)")?],
                        ),
                        "States.Format('Custom.{}', $.error)",
                    ),
                    &d,
                    "ErrorPath",
                )?
                .clone(),
            ),
            Some(
                asl::fault_string(
                    asl::computed(
                        &asl::json_to_string(
                            asl::argument(&d, &["cause"], "States.JsonToString($.cause)")?,
                            "States.JsonToString($.cause)",
                        )?,
                        "States.JsonToString($.cause)",
                    ),
                    &d,
                    "CausePath",
                )?
                .clone(),
            ),
        ))
    }

    /// `From Context`, `flow.asl.json:24`.
    fn from_context(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("From Context", &d);
        Err(Fault::from_parts(
            Some(
                asl::fault_string(
                    asl::selected(
                        turn.context().get("State").get("Name"),
                        &turn.context(),
                        "$$.State.Name",
                        &[At::Key("State"), At::Key("Name")],
                    ),
                    &d,
                    "ErrorPath",
                )?
                .clone(),
            ),
            Some(rt::string("context")),
        ))
    }

    /// `Caught`, `flow.asl.json:25`.
    fn caught(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Caught", &d);
        turn.fork(1);
        rt::wait(State::Caught(d))
    }

    /// `Caught`, `flow.asl.json:25`: Continues with the outputs of the branches.
    fn caught_joined(d: Value, turn: &mut Turn) -> TurnResult {
        never(d, turn)
    }

    /// `Caught`, `flow.asl.json:25`: Retries or catches a fault.
    fn caught_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Inner"]) {
            asl::put(&mut d, &["caught"], fault.output())?;
            return show(d, turn);
        }
        Err(fault)
    }

    /// `Show`, `flow.asl.json:33`.
    fn show(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Show", &d);
        rt::done(asl::path(&d, &["caught"])?.clone())
    }

    /// `Never`, `flow.asl.json:34`.
    fn never(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &d);
        rt::done(d)
    }

    /// `Inner`, `flow.asl.json:28`.
    fn inner(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Inner", &d);
        Err(Fault::new("Inner", "inside"))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"How\" as s0\n    state \"Plain\" as s1\n",
        "    state \"Bare\" as s2\n    state \"Paths\" as s3\n    state \"Computed\" as s4\n",
        "    state \"From Context\" as s5\n    state \"Caught\" as s6 {\n",
        "        state \"branch 1\" as s7 {\n            state \"Inner\" as s8\n",
        "            [*] --> s8\n        }\n    }\n    state \"Show\" as s9\n",
        "    state \"Never\" as s10\n    [*] --> s0\n    s0 --> s1 : $.how = #34;plain#34;\n",
        "    s0 --> s2 : $.how = #34;bare#34;\n    s0 --> s3 : $.how = #34;paths#34;\n",
        "    s0 --> s4 : $.how = #34;computed#34;\n    s0 --> s5 : $.how = #34;context#34;\n",
        "    s0 --> s6 : $.how = #34;caught#34;\n    s6 --> s10\n    s6 --> s9 : catch Inner\n",
        "    s9 --> [*]\n    s10 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s10 succeed\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s1,s2,s3,s4,s5,s8 fail\n"
    );
}
