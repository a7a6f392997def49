// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `catching` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod catching {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, TaskContext, Value, asl};

    /// The workflow `catching`: Which catcher takes which error, and what becomes of the
    /// input.
    pub struct Catching;

    impl Catching {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Catching, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `catching`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `catching`",
        label = "the trait `catching::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl catching::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `try`, invoked by `Try` (`flow.asl.json:7`).
        fn try_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.try_(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Catching {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "catching",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 8260466385489514259,
        longest_task_seconds: Some(3.0),
        states: &[
            rt::StateInfo::new("Try", "Task", 5, &["Tell", "Replaced", "Never"]),
            rt::StateInfo::new("Replaced", "Pass", 23, &["Tell"]),
            rt::StateInfo::new("Never", "Succeed", 24, &[]),
            rt::StateInfo::new("Tell", "Pass", 25, &[]),
        ],
        tasks: &[&TRY],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static TRY: rt::Task = rt::Task::new(0, "try", "arn:aws:lambda:eu-west-1:123456789012:function:try", "Try", 7);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Try(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Try(d), "Try", "Try", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Try(d), Ok(result)) => try_done(d, result, turn),
                (State::Try(d), Err(fault)) => try_failed(d, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        try_(d, turn)
    }

    /// `Try`, `flow.asl.json:5`.
    fn try_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Try", &d);
        turn.invoke(&TRY, d.clone()).timeout_seconds(3.0);
        rt::wait(State::Try(d))
    }

    /// `Try`, `flow.asl.json:5`: Continues with the result of the task.
    fn try_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put_at(&mut d, &[At::Key("list"), At::Index(1)], result) {
            return try_failed(d, fault, turn);
        }
        let d = asl::path(&d, &["list"])?.clone();
        let outcome2 = Some(rt::string("ok"));
        tell(d, outcome2, turn)
    }

    /// `Try`, `flow.asl.json:5`: Retries or catches a fault.
    fn try_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["First", "Second"]) {
            let result = fault.output();
            let d = result.clone();
            let (outcome2, cause) = (
                Some(asl::field(&result, &["Error"], "outcome.$")?.clone()),
                Some(asl::field(&result, &["Cause"], "cause.$")?.clone()),
            );
            return replaced(d, cause, outcome2, turn);
        }
        if fault.is(&["First"]) {
            let d = fault.output();
            return never(d, turn);
        }
        if fault.is(&["Kept"]) {
            let outcome2 = Some(rt::string("kept"));
            return tell(d, outcome2, turn);
        }
        if fault.is(&["Put"]) {
            asl::put_at(&mut d, &[At::Key("list"), At::Index(0), At::Key("error")], fault.output())?;
            let outcome2 = Some(rt::string("put"));
            return tell(d, outcome2, turn);
        }
        if fault.is_timeout() {
            asl::put(&mut d, &["late"], fault.output())?;
            let outcome2 = Some(rt::string("late"));
            return tell(d, outcome2, turn);
        }
        if fault.is_task_failure() {
            asl::put(&mut d, &["failed"], fault.output())?;
            let outcome2 = Some(rt::string("failed"));
            return tell(d, outcome2, turn);
        }
        if fault.is_catchable() {
            let d = fault.output();
            let outcome2 = Some(rt::string("all"));
            return tell(d, outcome2, turn);
        }
        Err(fault)
    }

    /// `Replaced`, `flow.asl.json:23`.
    fn replaced(d: Value, cause: Option<Value>, outcome2: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Replaced", &d);
        let d = rt::object([
            ("cause", asl::variable(cause.as_ref(), "cause")?.clone()),
            ("error", asl::field(&d, &["Error"], "error.$")?.clone()),
        ]);
        tell(d, outcome2, turn)
    }

    /// `Never`, `flow.asl.json:24`.
    fn never(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &d);
        rt::done(d)
    }

    /// `Tell`, `flow.asl.json:25`.
    fn tell(d: Value, outcome2: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Tell", &d);
        rt::done(rt::object([("outcome", asl::variable(outcome2.as_ref(), "outcome")?.clone()), ("document", d)]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Try\" as s0\n    state \"Replaced\" as s1\n",
        "    state \"Never\" as s2\n    state \"Tell\" as s3\n    [*] --> s0\n    s0 --> s3\n",
        "    s0 --> s1 : catch First, Second\n    s0 --> s2 : catch First\n",
        "    s0 --> s3 : catch Kept<br/>Put<br/>States.Timeout<br/>States.TaskFailed<br/>States.A",
        "LL\n    s1 --> s3\n    s2 --> [*]\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0 task\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s2 succeed\n"
    );
}
