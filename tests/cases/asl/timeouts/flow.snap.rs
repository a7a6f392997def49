// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `timeouts` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod timeouts {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `timeouts`: Time-outs and heartbeats, stated, computed and by default.
    pub struct Timeouts;

    impl Timeouts {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Timeouts, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `timeouts`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `timeouts`",
        label = "the trait `timeouts::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl timeouts::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `default`, invoked by `Default` (`flow.asl.json:8`).
        fn default_(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `stated`, invoked by `Stated` (`flow.asl.json:15`).
        fn stated(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `computed`, invoked by `Computed` (`flow.asl.json:26`).
        fn computed(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.default_(input, cx)),
                1 => rt::task_future(tasks.stated(input, cx)),
                2 => rt::task_future(tasks.computed(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Timeouts {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "timeouts",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 16356645370100649045,
        states: &[
            rt::StateInfo::new("Default", "Task", 5, &["Stated"]),
            rt::StateInfo::new("Stated", "Task", 13, &["Computed", "Broken"]),
            rt::StateInfo::new("Computed", "Task", 24, &["Show"]),
            rt::StateInfo::new("Show", "Pass", 36, &[]),
            rt::StateInfo::new("Broken", "Fail", 37, &[]),
        ],
        tasks: &[&DEFAULT, &STATED, &COMPUTED],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static DEFAULT: rt::Task =
        rt::Task::new(0, "default", "arn:aws:lambda:eu-west-1:123456789012:function:default", "Default", 8);
    static STATED: rt::Task =
        rt::Task::new(1, "stated", "arn:aws:lambda:eu-west-1:123456789012:function:stated", "Stated", 15);
    static COMPUTED: rt::Task =
        rt::Task::new(2, "computed", "arn:aws:lambda:eu-west-1:123456789012:function:computed", "Computed", 26);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Default(Value),
        Stated(Value),
        Computed(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Default(d), "Default", "Default", 16290513905774444234),
            (Stated(d), "Stated", "Stated", 16290513905774444234),
            (Computed(d), "Computed", "Computed", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => default(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Default(d), Ok(_)) => default_done(d, turn),
                (State::Default(d), Err(fault)) => default_failed(d, fault, turn),
                (State::Stated(d), Ok(_)) => stated_done(d, turn),
                (State::Stated(d), Err(fault)) => stated_failed(d, fault, turn),
                (State::Computed(d), Ok(result)) => computed_done(d, result, turn),
                (State::Computed(d), Err(fault)) => computed_failed(d, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Default`, `flow.asl.json:5`: A minute.
    fn default(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Default", &d);
        turn.invoke(&DEFAULT, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Default(d))
    }

    /// `Default`, `flow.asl.json:5`: Continues with the result of the task.
    fn default_done(d: Value, turn: &mut Turn) -> TurnResult {
        stated(d, turn)
    }

    /// `Default`, `flow.asl.json:5`: Retries or catches a fault.
    fn default_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_timeout() {
            asl::put(&mut d, &["late"], fault.output())?;
            return stated(d, turn);
        }
        Err(fault)
    }

    /// `Stated`, `flow.asl.json:13`.
    fn stated(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Stated", &d);
        turn.invoke(&STATED, d.clone()).timeout_seconds(5.0);
        rt::wait(State::Stated(d))
    }

    /// `Stated`, `flow.asl.json:13`: Continues with the result of the task.
    fn stated_done(d: Value, turn: &mut Turn) -> TurnResult {
        computed(d, turn)
    }

    /// `Stated`, `flow.asl.json:13`: Retries or catches a fault.
    fn stated_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_task_failure() {
            return broken(d, turn);
        }
        if fault.is_catchable() {
            return computed(d, turn);
        }
        Err(fault)
    }

    /// `Computed`, `flow.asl.json:24`.
    fn computed(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Computed", &d);
        let request = d.clone();
        let timeout = asl::timeout_path(asl::at(&d, &["limits", "timeout"]), "TimeoutSecondsPath")?.clone();
        let heartbeat = asl::timeout_path(asl::at(&d, &["limits", "heartbeat"]), "HeartbeatSecondsPath")?.clone();
        turn.invoke(&COMPUTED, request)
            .timeout_seconds(rt::seconds(&timeout)?)
            .heartbeat_seconds(rt::seconds(&heartbeat)?);
        rt::wait(State::Computed(d))
    }

    /// `Computed`, `flow.asl.json:24`: Continues with the result of the task.
    fn computed_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["computed"], result) {
            return computed_failed(d, fault, turn);
        }
        show(d, turn)
    }

    /// `Computed`, `flow.asl.json:24`: Retries or catches a fault.
    fn computed_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_missed_heartbeat() {
            asl::put(&mut d, &["silent"], fault.output())?;
            return show(d, turn);
        }
        if fault.is_timeout() {
            asl::put(&mut d, &["late"], fault.output())?;
            return show(d, turn);
        }
        Err(fault)
    }

    /// `Show`, `flow.asl.json:36`: The limits are of no further interest.
    fn show(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Show", &d);
        rt::done(
            asl::require_path(
                jsonpath::members(Some(&d), &["late", "silent", "computed"]).as_ref(),
                &d,
                "$['late', 'silent', 'computed']",
                &[],
            )?
            .clone(),
        )
    }

    /// `Broken`, `flow.asl.json:37`.
    fn broken(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Broken", &d);
        Err(Fault::from_parts(Some(rt::string("Broken")), None))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Default\" as s0\n    state \"Stated\" as s1\n",
        "    state \"Computed\" as s2\n    state \"Show\" as s3\n    state \"Broken\" as s4\n",
        "    [*] --> s0\n    s0 --> s1\n    s0 --> s1 : catch States.Timeout\n    s1 --> s2\n",
        "    s1 --> s4 : catch States.TaskFailed\n    s1 --> s2 : catch States.ALL\n",
        "    s2 --> s3\n    s2 --> s3 : catch States.HeartbeatTimeout<br/>States.Timeout\n",
        "    s3 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2 task\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s4 fail\n"
    );
}
