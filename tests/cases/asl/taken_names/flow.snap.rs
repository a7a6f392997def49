// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `taken_names` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod taken_names {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `taken_names`: Variables and settings that are called like the locals of
    /// generated functions.
    pub struct TakenNames;

    impl TakenNames {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<TakenNames, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `taken_names`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `taken_names`",
        label = "the trait `taken_names::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl taken_names::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `sqs:sendMessage`, invoked by `Call` (`flow.asl.json:12`).
        fn sqs_send_message(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.sqs_send_message(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for TakenNames {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "taken_names",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 1151386870457017740,
        context: true,
        settings: &["value"],
        states: &[
            rt::StateInfo::new("Assign", "Pass", 5, &["Call"]),
            rt::StateInfo::new("Call", "Task", 10, &["Sleep", "Fail"]),
            rt::StateInfo::new("Sleep", "Wait", 23, &["Wake"]),
            rt::StateInfo::new("Wake", "Wait", 24, &["Put"]),
            rt::StateInfo::new("Put", "Pass", 25, &[]),
            rt::StateInfo::new("Fail", "Fail", 35, &[]),
        ],
        tasks: &[&CALL],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CALL: rt::Task =
        rt::Task::new(0, "sqs:sendMessage", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Call", 12);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        CallRetry(
            Value,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Retries,
        ),
        Call(
            Value,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Retries,
        ),
        Sleep(
            Value,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
        ),
        Wake(
            Value,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
            Option<Value>,
        ),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (
                CallRetry(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries),
                "Call retry",
                "Call",
                16875041713947908442
            ),
            (
                Call(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries),
                "Call",
                "Call",
                12039389605624955464
            ),
            (
                Sleep(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2),
                "Sleep",
                "Sleep",
                14422674243738201290
            ),
            (
                Wake(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2),
                "Wake",
                "Wake",
                14422674243738201290
            ),
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
                (
                    State::CallRetry(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries),
                    _,
                ) => call_try(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries, turn),
                (
                    State::Call(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries),
                    Ok(result),
                ) => call_done(
                    d,
                    credentials2,
                    heartbeat2,
                    node2,
                    seconds2,
                    time2,
                    timeout2,
                    value2,
                    retries,
                    result,
                    turn,
                ),
                (
                    State::Call(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries),
                    Err(fault),
                ) => call_failed(
                    d,
                    credentials2,
                    heartbeat2,
                    node2,
                    seconds2,
                    time2,
                    timeout2,
                    value2,
                    retries,
                    fault,
                    turn,
                ),
                (State::Sleep(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2), _) => {
                    wake(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, turn)
                }
                (State::Wake(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2), _) => {
                    put(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, turn)
                }
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        assign(d, turn)
    }

    /// `Assign`, `flow.asl.json:5`.
    fn assign(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Assign", &d);
        let (timeout2, heartbeat2, credentials2, seconds2, time2, value2, node2) = (
            Some(Value::Int(7)),
            Some(Value::Int(3)),
            Some(rt::string("role")),
            Some(Value::Int(2)),
            Some(rt::string("2001-01-01T00:00:00Z")),
            Some(Value::Int(0)),
            Some(Value::Int(5)),
        );
        call(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, turn)
    }

    /// `Call`, `flow.asl.json:10`.
    fn call(
        d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Call", &d);
        call_try(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, Retries::new(), turn)
    }

    /// `Call`, `flow.asl.json:10`: One attempt.
    fn call_try(
        d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        retries: Retries,
        turn: &mut Turn,
    ) -> TurnResult {
        let request = rt::object([
            ("QueueUrl", rt::string("q")),
            ("MessageBody", asl::context_field(&["Task", "Token"], &d, "MessageBody.$", turn)?),
        ]);
        let timeout = asl::timeout_path(
            asl::computed(asl::variable(timeout2.as_ref(), "timeout")?, "$timeout"),
            "TimeoutSecondsPath",
        )?
        .clone();
        let heartbeat = asl::timeout_path(
            asl::computed(asl::variable(heartbeat2.as_ref(), "heartbeat")?, "$heartbeat"),
            "HeartbeatSecondsPath",
        )?
        .clone();
        let credentials = rt::object([("RoleArn", asl::variable(credentials2.as_ref(), "credentials")?.clone())]);
        turn.invoke(&CALL, request)
            .callback()
            .timeout_seconds(rt::seconds(&timeout)?)
            .heartbeat_seconds(rt::seconds(&heartbeat)?)
            .credentials(credentials);
        rt::wait(State::Call(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, retries))
    }

    /// `Call`, `flow.asl.json:10`: Continues with the result of the task.
    fn call_done(
        mut d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        retries: Retries,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let result = rt::object([
            ("token", asl::context_field(&["Task", "Token"], &result, "token.$", turn)?),
            ("sent", asl::field(&result, &["token"], "sent.$")?.clone()),
        ]);
        if let Err(fault) = asl::put(&mut d, &["call"], result) {
            return call_failed(
                d,
                credentials2,
                heartbeat2,
                node2,
                seconds2,
                time2,
                timeout2,
                value2,
                retries,
                fault,
                turn,
            );
        }
        sleep(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2, turn)
    }

    /// `Call`, `flow.asl.json:10`: Retries or catches a fault.
    fn call_failed(
        mut d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        mut retries: Retries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CALL_RETRY, &mut retries, &fault) {
            return rt::wait(State::CallRetry(
                d,
                credentials2,
                heartbeat2,
                node2,
                seconds2,
                time2,
                timeout2,
                value2,
                retries,
            ));
        }
        if fault.is_missed_heartbeat() {
            asl::put_at(&mut d, &[At::Key("items"), At::Index(0)], fault.output())?;
            return fail(d, turn);
        }
        Err(fault)
    }

    /// `Sleep`, `flow.asl.json:23`.
    fn sleep(
        d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Sleep", &d);
        let seconds =
            asl::seconds_path(asl::computed(asl::variable(seconds2.as_ref(), "seconds")?, "$seconds"))?.clone();
        turn.sleep_seconds(rt::seconds(&seconds)?);
        rt::wait(State::Sleep(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2))
    }

    /// `Wake`, `flow.asl.json:24`.
    fn wake(
        d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Wake", &d);
        let time = asl::timestamp_path(asl::computed(asl::variable(time2.as_ref(), "time")?, "$time"), turn)?.clone();
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::Wake(d, credentials2, heartbeat2, node2, seconds2, time2, timeout2, value2))
    }

    /// `Put`, `flow.asl.json:25`.
    fn put(
        mut d: Value,
        credentials2: Option<Value>,
        heartbeat2: Option<Value>,
        node2: Option<Value>,
        seconds2: Option<Value>,
        time2: Option<Value>,
        timeout2: Option<Value>,
        value2: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Put", &d);
        let result = rt::object([
            ("timeout", asl::variable(timeout2.as_ref(), "timeout")?.clone()),
            ("heartbeat", asl::variable(heartbeat2.as_ref(), "heartbeat")?.clone()),
            ("credentials", asl::variable(credentials2.as_ref(), "credentials")?.clone()),
            ("seconds", asl::variable(seconds2.as_ref(), "seconds")?.clone()),
            ("time", asl::variable(time2.as_ref(), "time")?.clone()),
            ("value", asl::variable(value2.as_ref(), "value")?.clone()),
            (
                "items",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("items")
                        .union(|node| ::std::vec![node.index(0), node.index(1)])
                        .name("x")
                        .found()
                        .as_ref(),
                    &d,
                    "$.items[0,1].x",
                    "items.$",
                )?
                .clone(),
            ),
            ("node", asl::variable(node2.as_ref(), "node")?.clone()),
        ]);
        asl::put(&mut d, &["all"], result)?;
        rt::done(asl::path(&d, &["all"])?.clone())
    }

    /// `Fail`, `flow.asl.json:35`.
    fn fail(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Fail", &d);
        Err(Fault::from_parts(
            Some(turn.setting("value")),
            Some(asl::format(&["because of ", ""], &[&turn.setting("value")])),
        ))
    }

    static CALL_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Again")], 1.0, 3, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Assign\" as s0\n    state \"Call\" as s1\n",
        "    s1 : sqs#58;sendMessage\n",
        "    s1 : waits for an answer, at most $timeout seconds, a heartbeat every $heartbeat sec",
        "onds\n    s1 : retries#58; 3× on Again\n    state \"Sleep\" as s2\n",
        "    state \"Wake\" as s3\n    state \"Put\" as s4\n    state \"Fail\" as s5\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n",
        "    s1 --> s5 : catch States.HeartbeatTimeout\n    s2 --> s3\n    s3 --> s4\n",
        "    s4 --> [*]\n",
        "    classDef answer fill:#dbeafe,stroke:#3b82f6,color:#111827,stroke-width:3px\n",
        "    class s1 answer\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s2,s3 wait\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s5 fail\n"
    );
}
