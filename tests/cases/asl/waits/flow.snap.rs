// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `waits` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod waits {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, asl};

    /// The workflow `waits`: The four ways to wait, one after another.
    pub struct Waits;

    impl Waits {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Waits, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `waits`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `waits`",
        label = "the trait `waits::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl waits::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Waits {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "waits",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 8984464529987569052,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Seconds", "Wait", 5, &["Until Noon"]),
            rt::StateInfo::new("Until Noon", "Wait", 6, &["As Long As Asked"]),
            rt::StateInfo::new("As Long As Asked", "Wait", 7, &["Until Asked"]),
            rt::StateInfo::new("Until Asked", "Wait", 8, &["In The Past"]),
            rt::StateInfo::new("In The Past", "Wait", 15, &["Not At All"]),
            rt::StateInfo::new("Not At All", "Wait", 16, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Seconds(Value),
        UntilNoon(Value),
        AsLongAsAsked(Value),
        UntilAsked(Value),
        InThePast(Value),
        NotAtAll(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Seconds(d), "Seconds", "Seconds", 2127385451422886396),
            (UntilNoon(d), "Until Noon", "Until Noon", 2127385451422886396),
            (AsLongAsAsked(d), "As Long As Asked", "As Long As Asked", 2127385451422886396),
            (UntilAsked(d), "Until Asked", "Until Asked", 2127385451422886396),
            (InThePast(d), "In The Past", "In The Past", 2127385451422886396),
            (NotAtAll(d), "Not At All", "Not At All", 2127385451422886396),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => seconds2(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Seconds(d), _) => until_noon(d, turn),
                (State::UntilNoon(d), _) => as_long_as_asked(d, turn),
                (State::AsLongAsAsked(d), _) => until_asked(d, turn),
                (State::UntilAsked(d), _) => until_asked_over(d, turn),
                (State::InThePast(d), _) => not_at_all(d, turn),
                (State::NotAtAll(d), _) => not_at_all_over(d),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Seconds`, `flow.asl.json:5`.
    fn seconds2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Seconds", &d);
        turn.sleep_seconds(90.0);
        rt::wait(State::Seconds(d))
    }

    /// `Until Noon`, `flow.asl.json:6`.
    fn until_noon(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Until Noon", &d);
        let time = rt::string("2026-01-01T12:00:00+00:00");
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::UntilNoon(d))
    }

    /// `As Long As Asked`, `flow.asl.json:7`.
    fn as_long_as_asked(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("As Long As Asked", &d);
        let seconds = asl::seconds_path(asl::at(&d, &["pause", "seconds"]))?.clone();
        turn.sleep_seconds(rt::seconds(&seconds)?);
        rt::wait(State::AsLongAsAsked(d))
    }

    /// `Until Asked`, `flow.asl.json:8`.
    fn until_asked(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Until Asked", &d);
        let d = asl::path(&d, &["pause"])?.clone();
        let time = asl::timestamp_path(asl::at(&d, &["until"]), turn)?.clone();
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::UntilAsked(d))
    }

    /// `Until Asked`, `flow.asl.json:8`: Continues after the wait.
    fn until_asked_over(d: Value, turn: &mut Turn) -> TurnResult {
        let d = asl::path(&d, &["note"])?.clone();
        in_the_past(d, turn)
    }

    /// `In The Past`, `flow.asl.json:15`.
    fn in_the_past(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("In The Past", &d);
        let time = rt::string("2016-03-14T01:59:00Z");
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::InThePast(d))
    }

    /// `Not At All`, `flow.asl.json:16`.
    fn not_at_all(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Not At All", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::NotAtAll(d))
    }

    /// `Not At All`, `flow.asl.json:16`: Continues after the wait.
    fn not_at_all_over(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Seconds\" as s0\n    state \"Until Noon\" as s1\n",
        "    state \"As Long As Asked\" as s2\n    state \"Until Asked\" as s3\n",
        "    state \"In The Past\" as s4\n    state \"Not At All\" as s5\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n",
        "    s5 --> [*]\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s0,s1,s2,s3,s4,s5 wait\n"
    );
}
