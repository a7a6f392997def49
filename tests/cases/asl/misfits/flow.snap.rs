// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `misfits` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod misfits {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `misfits`: Paths to several values, and data that they do not fit.
    pub struct Misfits;

    impl Misfits {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Misfits, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `misfits`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `misfits`",
        label = "the trait `misfits::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl misfits::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Misfits {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "misfits",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 8625971160979809099,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Has Lines", "Choice", 5, &["Read", "First", "Never"]),
            rt::StateInfo::new("Read", "Pass", 13, &[]),
            rt::StateInfo::new("First", "Pass", 23, &[]),
            rt::StateInfo::new("Never", "Fail", 24, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Entry(d), "entry", "", 16290513905774444234),);
        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => has_lines(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Has Lines`, `flow.asl.json:5`.
    fn has_lines(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Has Lines", &d);
        if asl::is_present(jsonpath::select(&d).name("order").name("lines").slice(Some(0), Some(1), 1).found().as_ref())
        {
            read(d, turn)
        } else if !asl::is_present(
            jsonpath::select(&d).name("order").name("lines").slice(Some(0), Some(1), 1).found().as_ref(),
        ) {
            first(d, turn)
        } else {
            never(d, turn)
        }
    }

    /// `Read`, `flow.asl.json:13`.
    fn read(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Read", &d);
        rt::done(rt::object([
            (
                "ids",
                asl::require_field(
                    jsonpath::select(&d).name("order").name("lines").wildcard().name("id").found().as_ref(),
                    &d,
                    "$.order.lines[*].id",
                    "ids.$",
                )?
                .clone(),
            ),
            (
                "first",
                asl::require_field(
                    jsonpath::select(&d).name("order").name("lines").index(0).name("parts").wildcard().found().as_ref(),
                    &d,
                    "$.order.lines[0].parts[*]",
                    "first.$",
                )?
                .clone(),
            ),
            (
                "picked",
                asl::require_field(
                    jsonpath::members_of_each(
                        jsonpath::select(&d).name("order").name("lines").slice(Some(0), Some(9), 1).found().as_ref(),
                        &["id", "sum"],
                    )
                    .as_ref(),
                    &d,
                    "$.order.lines[0:9]['id', 'sum']",
                    "picked.$",
                )?
                .clone(),
            ),
            (
                "count",
                asl::array_length(
                    asl::require_argument(
                        jsonpath::select(&d).name("order").name("notes").slice(Some(0), Some(2), 1).found().as_ref(),
                        &d,
                        "$.order.notes[0:2]",
                        "States.ArrayLength($.order.notes[0:2])",
                    )?,
                    "States.ArrayLength($.order.notes[0:2])",
                )?,
            ),
        ]))
    }

    /// `First`, `flow.asl.json:23`.
    fn first(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("First", &d);
        rt::done(
            asl::require_path(
                jsonpath::select(&d).name("order").name("lines").slice(Some(0), Some(1), 1).found().as_ref(),
                &d,
                "$.order.lines[0:1]",
                &[At::Key("order"), At::Key("lines")],
            )?
            .clone(),
        )
    }

    /// `Never`, `flow.asl.json:24`.
    fn never(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &d);
        Err(Fault::from_parts(None, None))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Has Lines\" as s0\n    state \"Read\" as s1\n",
        "    state \"First\" as s2\n    state \"Never\" as s3\n    [*] --> s0\n",
        "    s0 --> s1 : $.order.lines[0#58;1] is present\n",
        "    s0 --> s2 : $.order.lines[0#58;1] is not present\n    s0 --> s3 : otherwise\n",
        "    s1 --> [*]\n    s2 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s3 fail\n"
    );
}
