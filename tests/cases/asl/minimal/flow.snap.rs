// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `minimal` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod minimal {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value};

    /// The workflow `minimal`.
    pub struct Minimal;

    impl Minimal {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Minimal, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `minimal`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `minimal`",
        label = "the trait `minimal::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl minimal::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Minimal {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "minimal",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 6450709019189946266,
        longest_task_seconds: Some(0.0),
        states: &[rt::StateInfo::new("Done", "Succeed", 1, &[])],
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
                State::Entry(d) => done(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Done`, `flow.asl.json:1`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(d)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Done\" as s0\n    [*] --> s0\n    s0 --> [*]\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s0 succeed\n"
    );
}
