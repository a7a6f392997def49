// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `alike` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod alike {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, asl};

    /// The workflow `alike`: States whose names are one in a normal form of Unicode, and tasks
    /// called as methods of all types are.
    pub struct Alike;

    impl Alike {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Alike, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `alike`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `alike`",
        label = "the trait `alike::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl alike::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `Into`, invoked by `é` (`flow.asl.json:5`).
        fn into_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `TryInto`, invoked by `é` (`flow.asl.json:6`).
        fn try_into_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Clone`, invoked by `𖵩` (`flow.asl.json:7`).
        fn clone_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Default`, invoked by `𖵩` (`flow.asl.json:8`).
        fn default_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.into_(input, cx)),
                1 => rt::task_future(tasks.try_into_(input, cx)),
                2 => rt::task_future(tasks.clone_(input, cx)),
                3 => rt::task_future(tasks.default_(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Alike {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "alike",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 17232138416118879110,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("e\u{301}", "Task", 5, &["é"]),
            rt::StateInfo::new("é", "Task", 6, &["𖵩"]),
            rt::StateInfo::new("𖵩", "Task", 7, &["𖵩"]),
            rt::StateInfo::new("𖵩", "Task", 8, &[]),
        ],
        tasks: &[&É, &É2, &𖵩, &𖵩2],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static É: rt::Task = rt::Task::new(0, "Into", "arn:aws:lambda:eu-west-1:123456789012:function:Into", "e\u{301}", 5);
    static É2: rt::Task = rt::Task::new(1, "TryInto", "arn:aws:lambda:eu-west-1:123456789012:function:TryInto", "é", 6);
    static 𖵩: rt::Task = rt::Task::new(2, "Clone", "arn:aws:lambda:eu-west-1:123456789012:function:Clone", "𖵩", 7);
    static 𖵩2: rt::Task = rt::Task::new(3, "Default", "arn:aws:lambda:eu-west-1:123456789012:function:Default", "𖵩", 8);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        É(Value),
        É2(Value),
        𖵩(Value),
        𖵩2(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (É(d), "e\u{301}", "e\u{301}", 16290513905774444234),
            (É2(d), "é", "é", 16290513905774444234),
            (𖵩(d), "𖵩", "𖵩", 16290513905774444234),
            (𖵩2(d), "𖵩", "𖵩", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => é(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::É(d), Ok(result)) => é_done(d, result, turn),
                (State::É2(d), Ok(result)) => é_done2(d, result, turn),
                (State::𖵩(d), Ok(result)) => 𖵩_done(d, result, turn),
                (State::𖵩2(d), Ok(result)) => 𖵩_done2(d, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `é`, `flow.asl.json:5`.
    fn é(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("e\u{301}", &d);
        turn.invoke(&É, d.clone()).timeout_seconds(60.0);
        rt::wait(State::É(d))
    }

    /// `é`, `flow.asl.json:5`: Continues with the result of the task.
    fn é_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["Into"], result)?;
        é2(d, turn)
    }

    /// `é`, `flow.asl.json:6`.
    fn é2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("é", &d);
        turn.invoke(&É2, d.clone()).timeout_seconds(60.0);
        rt::wait(State::É2(d))
    }

    /// `é`, `flow.asl.json:6`: Continues with the result of the task.
    fn é_done2(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["TryInto"], result)?;
        𖵩3(d, turn)
    }

    /// `𖵩`, `flow.asl.json:7`.
    fn 𖵩3(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("𖵩", &d);
        turn.invoke(&𖵩, d.clone()).timeout_seconds(60.0);
        rt::wait(State::𖵩(d))
    }

    /// `𖵩`, `flow.asl.json:7`: Continues with the result of the task.
    fn 𖵩_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["Clone"], result)?;
        𖵩4(d, turn)
    }

    /// `𖵩`, `flow.asl.json:8`.
    fn 𖵩4(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("𖵩", &d);
        turn.invoke(&𖵩2, d.clone()).timeout_seconds(60.0);
        rt::wait(State::𖵩2(d))
    }

    /// `𖵩`, `flow.asl.json:8`: Continues with the result of the task.
    fn 𖵩_done2(mut d: Value, result: Value) -> TurnResult {
        asl::put(&mut d, &["Default"], result)?;
        rt::done(d)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"e\u{301}\" as s0\n    state \"é\" as s1\n",
        "    state \"𖵩\" as s2\n    state \"𖵩\" as s3\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2,s3 task\n"
    );
}
