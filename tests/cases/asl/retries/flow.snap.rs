// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `retries` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod retries {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `retries`: Every way to retry, each in a state of its own.
    pub struct RetriesWorkflow;

    impl RetriesWorkflow {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<RetriesWorkflow, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `retries`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `retries`",
        label = "the trait `retries::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl retries::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `capped`, invoked by `Capped` (`flow.asl.json:8`).
        fn capped(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `jittered`, invoked by `Jittered` (`flow.asl.json:25`).
        fn jittered(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `several`, invoked by `Several` (`flow.asl.json:35`).
        fn several(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `defaults`, invoked by `Defaults` (`flow.asl.json:53`).
        fn defaults(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.capped(input, cx)),
                1 => rt::task_future(tasks.jittered(input, cx)),
                2 => rt::task_future(tasks.several(input, cx)),
                3 => rt::task_future(tasks.defaults(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for RetriesWorkflow {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "retries",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 8332026289056807581,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Capped", "Task", 5, &["Jittered"]),
            rt::StateInfo::new("Jittered", "Task", 22, &["Several"]),
            rt::StateInfo::new("Several", "Task", 32, &["Defaults", "Given Up", "Last Resort"]),
            rt::StateInfo::new("Defaults", "Task", 50, &[]),
            rt::StateInfo::new("Given Up", "Pass", 59, &[]),
            rt::StateInfo::new("Last Resort", "Pass", 60, &[]),
        ],
        tasks: &[&CAPPED, &JITTERED, &SEVERAL, &DEFAULTS],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CAPPED: rt::Task =
        rt::Task::new(0, "capped", "arn:aws:lambda:eu-west-1:123456789012:function:capped", "Capped", 8);
    static JITTERED: rt::Task =
        rt::Task::new(1, "jittered", "arn:aws:lambda:eu-west-1:123456789012:function:jittered", "Jittered", 25);
    static SEVERAL: rt::Task =
        rt::Task::new(2, "several", "arn:aws:lambda:eu-west-1:123456789012:function:several", "Several", 35);
    static DEFAULTS: rt::Task =
        rt::Task::new(3, "defaults", "arn:aws:lambda:eu-west-1:123456789012:function:defaults", "Defaults", 53);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        CappedRetry(Value, Retries),
        Capped(Value, Retries),
        JitteredRetry(Value, Retries),
        Jittered(Value, Retries),
        SeveralRetry(Value, Retries),
        Several(Value, Retries),
        DefaultsRetry(Value, Retries),
        Defaults(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (CappedRetry(d, retries), "Capped retry", "Capped", 15960456506256740724),
            (Capped(d, retries), "Capped", "Capped", 15047625320176663010),
            (JitteredRetry(d, retries), "Jittered retry", "Jittered", 15960456506256740724),
            (Jittered(d, retries), "Jittered", "Jittered", 15047625320176663010),
            (SeveralRetry(d, retries), "Several retry", "Several", 15960456506256740724),
            (Several(d, retries), "Several", "Several", 15047625320176663010),
            (DefaultsRetry(d, retries), "Defaults retry", "Defaults", 15960456506256740724),
            (Defaults(d, retries), "Defaults", "Defaults", 15047625320176663010),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => capped(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::CappedRetry(d, retries), _) => capped_try(d, retries, turn),
                (State::Capped(d, retries), Ok(result)) => capped_done(d, retries, result, turn),
                (State::Capped(d, retries), Err(fault)) => capped_failed(d, retries, fault, turn),
                (State::JitteredRetry(d, retries), _) => jittered_try(d, retries, turn),
                (State::Jittered(d, retries), Ok(result)) => jittered_done(d, retries, result, turn),
                (State::Jittered(d, retries), Err(fault)) => jittered_failed(d, retries, fault, turn),
                (State::SeveralRetry(d, retries), _) => several_try(d, retries, turn),
                (State::Several(d, retries), Ok(result)) => several_done(d, retries, result, turn),
                (State::Several(d, retries), Err(fault)) => several_failed(d, retries, fault, turn),
                (State::DefaultsRetry(d, retries), _) => defaults_try(d, retries, turn),
                (State::Defaults(d, retries), Ok(result)) => defaults_done(d, retries, result, turn),
                (State::Defaults(d, retries), Err(fault)) => defaults_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Capped`, `flow.asl.json:5`: 1, 3, 9, and from then on 10 seconds.
    fn capped(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Capped", &d);
        capped_try(d, Retries::new(), turn)
    }

    /// `Capped`, `flow.asl.json:5`: One attempt.
    fn capped_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&CAPPED, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Capped(d, retries))
    }

    /// `Capped`, `flow.asl.json:5`: Continues with the result of the task.
    fn capped_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["capped"], result) {
            return capped_failed(d, retries, fault, turn);
        }
        jittered(d, turn)
    }

    /// `Capped`, `flow.asl.json:5`: Retries or catches a fault.
    fn capped_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CAPPED_RETRY, &mut retries, &fault) {
            return rt::wait(State::CappedRetry(d, retries));
        }
        Err(fault)
    }

    /// `Jittered`, `flow.asl.json:22`: Somewhere between 0 and 100, and between 0 and 200
    /// seconds.
    fn jittered(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Jittered", &d);
        jittered_try(d, Retries::new(), turn)
    }

    /// `Jittered`, `flow.asl.json:22`: One attempt.
    fn jittered_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&JITTERED, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Jittered(d, retries))
    }

    /// `Jittered`, `flow.asl.json:22`: Continues with the result of the task.
    fn jittered_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["jittered"], result) {
            return jittered_failed(d, retries, fault, turn);
        }
        several(d, turn)
    }

    /// `Jittered`, `flow.asl.json:22`: Retries or catches a fault.
    fn jittered_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(JITTERED_RETRY, &mut retries, &fault) {
            return rt::wait(State::JitteredRetry(d, retries));
        }
        Err(fault)
    }

    /// `Several`, `flow.asl.json:32`: Each retrier counts for itself; one with no attempts
    /// keeps an error from the next.
    fn several(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Several", &d);
        several_try(d, Retries::new(), turn)
    }

    /// `Several`, `flow.asl.json:32`: One attempt.
    fn several_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&SEVERAL, d.clone()).timeout_seconds(5.0);
        rt::wait(State::Several(d, retries))
    }

    /// `Several`, `flow.asl.json:32`: Continues with the result of the task.
    fn several_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["several"], result) {
            return several_failed(d, retries, fault, turn);
        }
        defaults(d, turn)
    }

    /// `Several`, `flow.asl.json:32`: Retries or catches a fault.
    fn several_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(SEVERAL_RETRY, &mut retries, &fault) {
            return rt::wait(State::SeveralRetry(d, retries));
        }
        if fault.is(&["Fatal", "Busy"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return given_up(d, turn);
        }
        if fault.is_catchable() {
            let d = fault.output();
            return last_resort(d, turn);
        }
        Err(fault)
    }

    /// `Defaults`, `flow.asl.json:50`: After 1, 2 and 4 seconds; the context has the count.
    fn defaults(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Defaults", &d);
        defaults_try(d, Retries::new(), turn)
    }

    /// `Defaults`, `flow.asl.json:50`: One attempt.
    fn defaults_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("retry", asl::context_field(&["State", "RetryCount"], &d, "retry.$", turn)?)]);
        turn.invoke(&DEFAULTS, request).timeout_seconds(60.0);
        rt::wait(State::Defaults(d, retries))
    }

    /// `Defaults`, `flow.asl.json:50`: Continues with the result of the task.
    fn defaults_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["defaults"], result) {
            return defaults_failed(d, retries, fault, turn);
        }
        rt::done(d)
    }

    /// `Defaults`, `flow.asl.json:50`: Retries or catches a fault.
    fn defaults_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(DEFAULTS_RETRY, &mut retries, &fault) {
            return rt::wait(State::DefaultsRetry(d, retries));
        }
        Err(fault)
    }

    /// `Given Up`, `flow.asl.json:59`.
    fn given_up(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Given Up", &d);
        let result = asl::path(&d, &["problem", "Error"])?.clone();
        asl::put(&mut d, &["given_up"], result)?;
        rt::done(d)
    }

    /// `Last Resort`, `flow.asl.json:60`.
    fn last_resort(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Last Resort", &d);
        rt::done(d)
    }

    static CAPPED_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 1.0, 6, 3.0).max_delay_seconds(10.0)];
    static JITTERED_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 100.0, 2, 2.0).full_jitter()];
    static SEVERAL_RETRY: &[rt::Retrier] = &[
        rt::Retrier::new(&[rt::ErrorMatch::Named("Fatal")], 1.0, 0, 2.0),
        rt::Retrier::new(&[rt::ErrorMatch::Named("Busy"), rt::ErrorMatch::Named("Late")], 10.0, 2, 1.5),
        rt::Retrier::new(&[rt::ErrorMatch::AnyTask], 100.0, 1, 2.0),
        rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 3, 2.0),
    ];
    static DEFAULTS_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 3, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Capped\" as s0\n    state \"Jittered\" as s1\n",
        "    state \"Several\" as s2\n    state \"Defaults\" as s3\n",
        "    state \"Given Up\" as s4\n    state \"Last Resort\" as s5\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n    s2 --> s4 : catch Fatal, Busy\n",
        "    s2 --> s5 : catch States.ALL\n    s3 --> [*]\n    s4 --> [*]\n    s5 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2,s3 task\n"
    );
}
