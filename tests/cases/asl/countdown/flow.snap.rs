// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `countdown` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod countdown {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, asl};

    /// The workflow `countdown`: A cycle of states that do not wait, and another around it
    /// that does.
    pub struct Countdown;

    impl Countdown {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Countdown, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `countdown`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `countdown`",
        label = "the trait `countdown::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl countdown::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Countdown {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "countdown",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 104427402063710010,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Begin", "Pass", 5, &["Is It Zero"]),
            rt::StateInfo::new("Is It Zero", "Choice", 6, &["Down", "Round"]),
            rt::StateInfo::new("Down", "Pass", 11, &["Is It Zero"]),
            rt::StateInfo::new("Round", "Pass", 16, &["Again"]),
            rt::StateInfo::new("Again", "Choice", 21, &["Rest", "Tell"]),
            rt::StateInfo::new("Rest", "Wait", 26, &["Begin"]),
            rt::StateInfo::new("Tell", "Pass", 27, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Rest(Value),
        IsItZeroEnter(Value, Option<Value>, Option<Value>),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Rest(d), "Rest", "Rest", 2127385451422886396),
            (IsItZeroEnter(d, n, sum), "Is It Zero enter", "Is It Zero", 14838021410608217941),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::IsItZeroEnter(d, n, sum) => is_it_zero(d, n, sum, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Rest(d), _) => begin(d, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        begin(d, turn)
    }

    /// `Begin`, `flow.asl.json:5`.
    fn begin(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Begin", &d);
        let (n, sum) = (Some(asl::field(&d, &["from"], "n.$")?.clone()), Some(Value::Int(0)));
        is_it_zero(d, n, sum, turn)
    }

    /// `Is It Zero`, `flow.asl.json:6`.
    fn is_it_zero(d: Value, n: Option<Value>, sum: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Zero", &d);
        if asl::numeric_greater_than(asl::variable(n.as_ref(), "n")?, 0) {
            down(d, n, sum, turn)
        } else {
            round(d, n, sum, turn)
        }
    }

    /// `Down`, `flow.asl.json:11`.
    fn down(d: Value, n: Option<Value>, sum: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Down", &d);
        let (n, sum) = (
            Some(asl::math_add(asl::variable(n.as_ref(), "n")?, &Value::Int(-1), "States.MathAdd($n, -1)")?),
            Some(asl::math_add(
                asl::variable(sum.as_ref(), "sum")?,
                asl::variable(n.as_ref(), "n")?,
                "States.MathAdd($sum, $n)",
            )?),
        );
        rt::next(State::IsItZeroEnter(d, n, sum))
    }

    /// `Round`, `flow.asl.json:16`.
    fn round(d: Value, n: Option<Value>, sum: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Round", &d);
        let d = rt::object([
            ("from", asl::field(&d, &["from"], "from.$")?.clone()),
            (
                "rounds",
                asl::math_add(
                    asl::argument(&d, &["rounds"], "States.MathAdd($.rounds, -1)")?,
                    &Value::Int(-1),
                    "States.MathAdd($.rounds, -1)",
                )?,
            ),
        ]);
        again(d, n, sum, turn)
    }

    /// `Again`, `flow.asl.json:21`.
    fn again(d: Value, n: Option<Value>, sum: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Again", &d);
        if asl::numeric_greater_than(asl::subject(&d, &["rounds"])?, 0) { rest(d, turn) } else { tell(d, n, sum, turn) }
    }

    /// `Rest`, `flow.asl.json:26`.
    fn rest(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rest", &d);
        turn.sleep_seconds(60.0);
        rt::wait(State::Rest(d))
    }

    /// `Tell`, `flow.asl.json:27`.
    fn tell(d: Value, n: Option<Value>, sum: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Tell", &d);
        rt::done(rt::object([
            ("sum", asl::variable(sum.as_ref(), "sum")?.clone()),
            ("n", asl::variable(n.as_ref(), "n")?.clone()),
        ]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Begin\" as s0\n    state \"Is It Zero\" as s1\n",
        "    state \"Down\" as s2\n    state \"Round\" as s3\n    state \"Again\" as s4\n",
        "    state \"Rest\" as s5\n    state \"Tell\" as s6\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2 : $n #62; 0\n    s1 --> s3 : otherwise\n    s2 --> s1\n    s3 --> s4\n",
        "    s4 --> s5 : $.rounds #62; 0\n    s4 --> s6 : otherwise\n    s5 --> s0\n",
        "    s6 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1,s4 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s5 wait\n"
    );
}
