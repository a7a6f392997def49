// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `deadline` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod deadline {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `deadline`: The whole execution has ten minutes, whatever its states would
    /// wait for.
    pub struct Deadline;

    impl Deadline {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Deadline, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `deadline`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `deadline`",
        label = "the trait `deadline::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl deadline::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `work`, invoked by `Work` (`flow.asl.json:15`).
        fn work(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.work(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Deadline {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "deadline",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 3066660490758078763,
        timeout_seconds: Some(600),
        longest_task_seconds: Some(86400.0),
        states: &[
            rt::StateInfo::new("Both", "Parallel", 6, &["Rescue"]),
            rt::StateInfo::new("Rescue", "Pass", 26, &[]),
            rt::StateInfo::new("Nap", "Wait", 9, &[]),
            rt::StateInfo::new("Work", "Task", 13, &[]),
        ],
        tasks: &[&WORK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static WORK: rt::Task = rt::Task::new(0, "work", "arn:aws:lambda:eu-west-1:123456789012:function:work", "Work", 15);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        BothEntryNap(Value),
        BothEntryWork(Value),
        Both(Value),
        Nap(Value),
        WorkRetry(Value, Retries),
        Work(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (BothEntryNap(d), "Both entry Nap", "", 16290513905774444234),
            (BothEntryWork(d), "Both entry Work", "", 16290513905774444234),
            (Both(d), "Both", "Both", 351662007070794327),
            (Nap(d), "Nap", "Nap", 2071370099236015108),
            (WorkRetry(d, retries), "Work retry", "Work", 1612539197533549500),
            (Work(d, retries), "Work", "Work", 14180685934455749734),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => both(d, turn),
                State::BothEntryNap(d) => nap(d, turn),
                State::BothEntryWork(d) => work(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Both(_), Ok(result)) => both_joined(result),
                (State::Both(_), Err(fault)) => both_failed(fault, turn),
                (State::Nap(d), _) => nap_over(d),
                (State::WorkRetry(d, retries), _) => work_try(d, retries, turn),
                (State::Work(_, _), Ok(result)) => work_done(result),
                (State::Work(d, retries), Err(fault)) => work_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Both(d), 0) => Some(State::BothEntryNap(d.clone())),
                (State::Both(d), 1) => Some(State::BothEntryWork(d.clone())),
                _ => None,
            }
        }
    }

    /// `Both`, `flow.asl.json:6`.
    fn both(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Both", &d);
        turn.fork(2);
        rt::wait(State::Both(d))
    }

    /// `Both`, `flow.asl.json:6`: Continues with the outputs of the branches.
    fn both_joined(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Both`, `flow.asl.json:6`: Retries or catches a fault.
    fn both_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = fault.output();
            return rescue(d, turn);
        }
        Err(fault)
    }

    /// `Rescue`, `flow.asl.json:26`.
    fn rescue(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rescue", &d);
        rt::done(rt::string("rescued"))
    }

    /// `Nap`, `flow.asl.json:9`.
    fn nap(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nap", &d);
        let seconds = asl::seconds_path(asl::at(&d, &["nap"]))?.clone();
        turn.sleep_seconds(rt::seconds(&seconds)?);
        rt::wait(State::Nap(d))
    }

    /// `Nap`, `flow.asl.json:9`: Continues after the wait.
    fn nap_over(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Work`, `flow.asl.json:13`.
    fn work(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Work", &d);
        work_try(d, Retries::new(), turn)
    }

    /// `Work`, `flow.asl.json:13`: One attempt.
    fn work_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&WORK, d.clone()).timeout_seconds(86400.0);
        rt::wait(State::Work(d, retries))
    }

    /// `Work`, `flow.asl.json:13`: Continues with the result of the task.
    fn work_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Work`, `flow.asl.json:13`: Retries or catches a fault.
    fn work_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(WORK_RETRY, &mut retries, &fault) {
            return rt::wait(State::WorkRetry(d, retries));
        }
        Err(fault)
    }

    static WORK_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 400.0, 5, 1.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Both\" as s0 {\n        state \"branch 1\" as s1 {\n",
        "            state \"Nap\" as s2\n            [*] --> s2\n            s2 --> [*]\n",
        "        }\n        state \"branch 2\" as s3 {\n            state \"Work\" as s4\n",
        "            [*] --> s4\n            s4 --> [*]\n        }\n    }\n",
        "    state \"Rescue\" as s5\n    [*] --> s0\n    s0 --> [*]\n",
        "    s0 --> s5 : catch States.ALL\n    s5 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s4 task\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s2 wait\n"
    );
}
