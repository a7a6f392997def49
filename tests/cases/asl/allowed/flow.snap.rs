// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `allowed` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod allowed {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, asl};

    /// The workflow `allowed`: Calls and paths that fail in every run, and that the options
    /// allow.
    pub struct Allowed;

    impl Allowed {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Allowed, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `allowed`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `allowed`",
        label = "the trait `allowed::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl allowed::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Allowed {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "allowed",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 13083289096680108606,
        context: true,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Which", "Choice", 5, &["Number", "Kind", "Template", "Context", "Guarded"]),
            rt::StateInfo::new("Number", "Pass", 15, &[]),
            rt::StateInfo::new("Kind", "Pass", 16, &[]),
            rt::StateInfo::new("Template", "Pass", 17, &[]),
            rt::StateInfo::new("Context", "Pass", 18, &[]),
            rt::StateInfo::new("Guarded", "Parallel", 19, &["Never"]),
            rt::StateInfo::new("Never", "Succeed", 27, &[]),
            rt::StateInfo::new("Sum", "Pass", 22, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        GuardedEntrySum(Value),
        Guarded(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (GuardedEntrySum(d), "Guarded entry Sum", "", 16290513905774444234),
            (Guarded(d), "Guarded", "Guarded", 351662007070794327),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => which(d, turn),
                State::GuardedEntrySum(d) => sum(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Guarded(_), Ok(result)) => guarded_joined(result, turn),
                (State::Guarded(_), Err(fault)) => guarded_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Guarded(d), 0) => Some(State::GuardedEntrySum(d.clone())),
                _ => None,
            }
        }
    }

    /// `Which`, `flow.asl.json:5`.
    fn which(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Which", &d);
        if asl::string_equals(asl::subject(&d, &["which"])?, "number") {
            number(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["which"])?, "kind") {
            kind(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["which"])?, "template") {
            template(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["which"])?, "context") {
            context(d, turn)
        } else {
            guarded(d, turn)
        }
    }

    /// `Number`, `flow.asl.json:15`.
    fn number(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Number", &d);
        rt::done(rt::object([("text", asl::wrong_arguments("States.JsonToString($.which, $.which)")?)]))
    }

    /// `Kind`, `flow.asl.json:16`.
    fn kind(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Kind", &d);
        rt::done(rt::object([(
            "hash",
            asl::hash(
                asl::argument(&d, &["which"], "States.Hash($.which, 'SHA1')")?,
                &rt::string("SHA1"),
                "States.Hash($.which, 'SHA1')",
            )?,
        )]))
    }

    /// `Template`, `flow.asl.json:17`.
    fn template(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Template", &d);
        rt::done(rt::object([(
            "text",
            asl::format_template(
                &rt::string("{which}"),
                &[asl::argument(&d, &["which"], "States.Format('{which}', $.which)")?],
                "States.Format('{which}', $.which)",
            )?,
        )]))
    }

    /// `Context`, `flow.asl.json:18`.
    fn context(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Context", &d);
        rt::done(rt::object([("order", asl::context_field(&["Map", "Itm"], &d, "order.$", turn)?)]))
    }

    /// `Guarded`, `flow.asl.json:19`.
    fn guarded(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Guarded", &d);
        turn.fork(1);
        rt::wait(State::Guarded(d))
    }

    /// `Guarded`, `flow.asl.json:19`: Continues with the outputs of the branches.
    fn guarded_joined(d: Value, turn: &mut Turn) -> TurnResult {
        never(d, turn)
    }

    /// `Guarded`, `flow.asl.json:19`: Retries or catches a fault.
    fn guarded_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = fault.output();
            return never(d, turn);
        }
        Err(fault)
    }

    /// `Never`, `flow.asl.json:27`.
    fn never(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &d);
        rt::done(d)
    }

    /// `Sum`, `flow.asl.json:22`.
    fn sum(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum", &d);
        rt::done(rt::object([(
            "sum",
            asl::math_add(
                asl::argument(&d, &["n"], "States.MathAdd($.n, 1)")?,
                &Value::Int(1),
                "States.MathAdd($.n, 1)",
            )?,
        )]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Which\" as s0\n    state \"Number\" as s1\n",
        "    state \"Kind\" as s2\n    state \"Template\" as s3\n    state \"Context\" as s4\n",
        "    state \"Guarded\" as s5 {\n        state \"branch 1\" as s6 {\n",
        "            state \"Sum\" as s7\n            [*] --> s7\n            s7 --> [*]\n",
        "        }\n    }\n    state \"Never\" as s8\n    [*] --> s0\n",
        "    s0 --> s1 : $.which = #34;number#34;\n    s0 --> s2 : $.which = #34;kind#34;\n",
        "    s0 --> s3 : $.which = #34;template#34;\n    s0 --> s4 : $.which = #34;context#34;\n",
        "    s0 --> s5 : otherwise\n    s1 --> [*]\n    s2 --> [*]\n    s3 --> [*]\n",
        "    s4 --> [*]\n    s5 --> s8\n    s5 --> s8 : catch States.ALL\n    s8 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s8 succeed\n"
    );
}
