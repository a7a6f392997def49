// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `limits` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod limits {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `limits`: Results and outputs of at most a hundred bytes, tasks of at most
    /// five seconds.
    pub struct Limits;

    impl Limits {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Limits, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `limits`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `limits`",
        label = "the trait `limits::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl limits::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `fetch`, invoked by `Fetch` (`flow.asl.json:7`).
        fn fetch(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `look`, invoked by `Late` (`flow.asl.json:18`).
        fn look(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.fetch(input, cx)),
                1 => rt::task_future(tasks.look(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Limits {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "limits",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 13231886764306029737,
        data_limit: Some(100),
        longest_task_seconds: Some(100.0),
        states: &[
            rt::StateInfo::new("Fetch", "Task", 5, &["Double", "Late"]),
            rt::StateInfo::new("Double", "Pass", 15, &[]),
            rt::StateInfo::new("Late", "Task", 16, &[]),
        ],
        tasks: &[&FETCH, &LATE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static FETCH: rt::Task =
        rt::Task::new(0, "fetch", "arn:aws:lambda:eu-west-1:123456789012:function:fetch", "Fetch", 7);
    static LATE: rt::Task = rt::Task::new(1, "look", "arn:aws:states:eu-west-1:123456789012:activity:look", "Late", 18);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        FetchRetry(Value, Retries),
        Fetch(Value, Retries),
        Late(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (FetchRetry(d, retries), "Fetch retry", "Fetch", 15960456506256740724),
            (Fetch(d, retries), "Fetch", "Fetch", 15047625320176663010),
            (Late(d), "Late", "Late", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => fetch(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::FetchRetry(d, retries), _) => fetch_try(d, retries, turn),
                (State::Fetch(_, _), Ok(result)) => fetch_done(result, turn),
                (State::Fetch(d, retries), Err(fault)) => fetch_failed(d, retries, fault, turn),
                (State::Late(d), Ok(_)) => late_done(d),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Fetch`, `flow.asl.json:5`.
    fn fetch(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Fetch", &d);
        fetch_try(d, Retries::new(), turn)
    }

    /// `Fetch`, `flow.asl.json:5`: One attempt.
    fn fetch_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&FETCH, d.clone()).timeout_seconds(5.0);
        rt::wait(State::Fetch(d, retries))
    }

    /// `Fetch`, `flow.asl.json:5`: Continues with the result of the task.
    fn fetch_done(d: Value, turn: &mut Turn) -> TurnResult {
        double(d, turn)
    }

    /// `Fetch`, `flow.asl.json:5`: Retries or catches a fault.
    fn fetch_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(FETCH_RETRY, &mut retries, &fault) {
            return rt::wait(State::FetchRetry(d, retries));
        }
        if fault.is_timeout() {
            let d = fault.output();
            return late(d, turn);
        }
        if fault.is(&["States.DataLimitExceeded"]) {
            return late(d, turn);
        }
        Err(fault)
    }

    /// `Double`, `flow.asl.json:15`.
    fn double(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Double", &d);
        rt::done(rt::object([(
            "twice",
            rt::array([
                asl::argument(&d, &["text"], "States.Array($.text, $.text)")?.clone(),
                asl::argument(&d, &["text"], "States.Array($.text, $.text)")?.clone(),
            ]),
        )]))
    }

    /// `Late`, `flow.asl.json:16`.
    fn late(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Late", &d);
        turn.invoke(&LATE, d.clone()).timeout_seconds(100.0);
        rt::wait(State::Late(d))
    }

    /// `Late`, `flow.asl.json:16`: Continues with the result of the task.
    fn late_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    static FETCH_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Fetch\" as s0\n    state \"Double\" as s1\n",
        "    state \"Late\" as s2\n    [*] --> s0\n    s0 --> s1\n",
        "    s0 --> s2 : catch States.Timeout<br/>States.DataLimitExceeded\n    s1 --> [*]\n",
        "    s2 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s2 task\n"
    );
}
