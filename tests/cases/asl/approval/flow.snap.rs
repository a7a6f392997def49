// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `approval` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod approval {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `approval`: A purchase that one person approves and, if it is large,
    /// another countersigns.
    pub struct Approval;

    impl Approval {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Approval, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `approval`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `approval`",
        label = "the trait `approval::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl approval::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `sqs:sendMessage`, invoked by `Ask` (`flow.asl.json:7`).
        fn sqs_send_message(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `countersign`, invoked by `Countersign` (`flow.asl.json:31`).
        fn countersign(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `sns:publish`, invoked by `Escalate` (`flow.asl.json:39`).
        fn sns_publish(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.sqs_send_message(input, cx)),
                1 => rt::task_future(tasks.countersign(input, cx)),
                2 => rt::task_future(tasks.sns_publish(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Approval {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "approval",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 10091952818445093463,
        context: true,
        longest_task_seconds: Some(259200.0),
        states: &[
            rt::StateInfo::new("Ask", "Task", 5, &["Is It Large", "Rejected", "Escalate"]),
            rt::StateInfo::new("Is It Large", "Choice", 24, &["Countersign", "Buy"]),
            rt::StateInfo::new("Countersign", "Task", 29, &["Buy", "Escalate"]),
            rt::StateInfo::new("Escalate", "Task", 37, &["Buy"]),
            rt::StateInfo::new("Buy", "Succeed", 45, &[]),
            rt::StateInfo::new("Rejected", "Fail", 46, &[]),
        ],
        tasks: &[&ASK, &COUNTERSIGN, &ESCALATE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ASK: rt::Task =
        rt::Task::new(0, "sqs:sendMessage", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Ask", 7);
    static COUNTERSIGN: rt::Task = rt::Task::new(
        1,
        "countersign",
        "arn:aws:states:eu-west-1:123456789012:activity:countersign",
        "Countersign",
        31,
    );
    static ESCALATE: rt::Task =
        rt::Task::new(2, "sns:publish", "arn:aws:states:::sns:publish.waitForTaskToken", "Escalate", 39);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AskRetry(Value, Retries),
        Ask(Value, Retries),
        Countersign(Value),
        Escalate(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AskRetry(d, retries), "Ask retry", "Ask", 15960456506256740724),
            (Ask(d, retries), "Ask", "Ask", 15047625320176663010),
            (Countersign(d), "Countersign", "Countersign", 16290513905774444234),
            (Escalate(d), "Escalate", "Escalate", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => ask(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::AskRetry(d, retries), _) => ask_try(d, retries, turn),
                (State::Ask(d, retries), Ok(result)) => ask_done(d, retries, result, turn),
                (State::Ask(d, retries), Err(fault)) => ask_failed(d, retries, fault, turn),
                (State::Countersign(d), Ok(_)) => countersign_done(d, turn),
                (State::Countersign(d), Err(fault)) => countersign_failed(d, fault, turn),
                (State::Escalate(d), Ok(result)) => escalate_done(d, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Ask`, `flow.asl.json:5`.
    fn ask(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask", &d);
        ask_try(d, Retries::new(), turn)
    }

    /// `Ask`, `flow.asl.json:5`: One attempt.
    fn ask_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            ("QueueUrl", rt::string("https://sqs.eu-west-1.amazonaws.com/123456789012/approvals")),
            (
                "MessageBody",
                rt::object([
                    ("token", asl::context_field(&["Task", "Token"], &d, "token.$", turn)?),
                    ("purchase", asl::field(&d, &["id"], "purchase.$")?.clone()),
                    ("reminder", asl::context_field(&["State", "RetryCount"], &d, "reminder.$", turn)?),
                ]),
            ),
        ]);
        turn.invoke(&ASK, request).callback().timeout_seconds(86400.0).heartbeat_seconds(600.0);
        rt::wait(State::Ask(d, retries))
    }

    /// `Ask`, `flow.asl.json:5`: Continues with the result of the task.
    fn ask_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["approval"], result) {
            return ask_failed(d, retries, fault, turn);
        }
        is_it_large(d, turn)
    }

    /// `Ask`, `flow.asl.json:5`: Retries or catches a fault.
    fn ask_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskRetry(d, retries));
        }
        if fault.is(&["Rejected"]) {
            asl::put(&mut d, &["rejection"], fault.output())?;
            return rejected(d, turn);
        }
        if fault.is_timeout() {
            asl::put(&mut d, &["silence"], fault.output())?;
            return escalate(d, turn);
        }
        Err(fault)
    }

    /// `Is It Large`, `flow.asl.json:24`.
    fn is_it_large(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Large", &d);
        if asl::numeric_greater_than_equals(asl::subject(&d, &["amount"])?, 10000) {
            countersign(d, turn)
        } else {
            buy(d, turn)
        }
    }

    /// `Countersign`, `flow.asl.json:29`.
    fn countersign(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Countersign", &d);
        turn.invoke(&COUNTERSIGN, d.clone()).timeout_seconds(259200.0);
        rt::wait(State::Countersign(d))
    }

    /// `Countersign`, `flow.asl.json:29`: Continues with the result of the task.
    fn countersign_done(d: Value, turn: &mut Turn) -> TurnResult {
        buy(d, turn)
    }

    /// `Countersign`, `flow.asl.json:29`: Retries or catches a fault.
    fn countersign_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_timeout() {
            asl::put(&mut d, &["silence"], fault.output())?;
            return escalate(d, turn);
        }
        Err(fault)
    }

    /// `Escalate`, `flow.asl.json:37`.
    fn escalate(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Escalate", &d);
        let request = rt::object([
            ("Message", asl::field(&d, &["silence", "Error"], "Message.$")?.clone()),
            ("Subject", asl::context_field(&["Task", "Token"], &d, "Subject.$", turn)?),
        ]);
        turn.invoke(&ESCALATE, request).callback().timeout_seconds(3600.0);
        rt::wait(State::Escalate(d))
    }

    /// `Escalate`, `flow.asl.json:37`: Continues with the result of the task.
    fn escalate_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["approval"], result)?;
        buy(d, turn)
    }

    /// `Buy`, `flow.asl.json:45`.
    fn buy(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Buy", &d);
        rt::done(asl::path(&d, &["approval"])?.clone())
    }

    /// `Rejected`, `flow.asl.json:46`.
    fn rejected(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rejected", &d);
        Err(Fault::from_parts(
            Some(rt::string("Rejected")),
            Some(asl::fault_string(asl::at(&d, &["rejection", "Cause"]), &d, "CausePath")?.clone()),
        ))
    }

    static ASK_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Heartbeat], 60.0, 1, 1.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Ask\" as s0\n    s0 : sqs#58;sendMessage\n",
        "    s0 : waits for an answer, at most 1 d, a heartbeat every 10 min\n",
        "    s0 : retries#58; 1× on States.HeartbeatTimeout\n    state \"Is It Large\" as s1\n",
        "    state \"Countersign\" as s2\n    state \"Escalate\" as s3\n    s3 : sns#58;publish\n",
        "    s3 : waits for an answer, at most 1 h\n    state \"Buy\" as s4\n",
        "    state \"Rejected\" as s5\n    [*] --> s0\n    s0 --> s1\n",
        "    s0 --> s5 : catch Rejected\n    s0 --> s3 : catch States.Timeout\n",
        "    s1 --> s2 : $.amount ≥ 10000\n    s1 --> s4 : otherwise\n    s2 --> s4\n",
        "    s2 --> s3 : catch States.Timeout\n    s3 --> s4\n    s4 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2 task\n",
        "    classDef answer fill:#dbeafe,stroke:#3b82f6,color:#111827,stroke-width:3px\n",
        "    class s0,s3 answer\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s4 succeed\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s5 fail\n"
    );
}
