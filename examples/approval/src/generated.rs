//! Generated from `approval.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `approval` of `flows/approval.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod approval {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `approval`: Asks a manager to approve an expense, reminds her every day,
    /// and gives up after three days without a sign of life
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
        note = "flows/approval.asl.json:1:1: the workflow is defined here",
        note = "write `impl approval::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `sqs:sendMessage`, invoked by `AskManager` (`flows/approval.asl.json:13`).
        fn sqs_send_message(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `BookExpense`, invoked by `BookExpense` (`flows/approval.asl.json:43`).
        fn book_expense(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.sqs_send_message(input, cx)),
                1 => rt::task_future(tasks.book_expense(input, cx)),
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
        source: "flows/approval.asl.json",
        hash: 12380609600941447533,
        context: true,
        longest_task_seconds: Some(2592000.0),
        states: &[
            rt::StateInfo::new("IsSmall", "Choice", 5, &["Approved", "AskManager"]),
            rt::StateInfo::new("AskManager", "Task", 10, &["Decide", "Unanswered"]),
            rt::StateInfo::new("Decide", "Choice", 31, &["Approved", "Declined"]),
            rt::StateInfo::new("Approved", "Pass", 38, &["BookExpense"]),
            rt::StateInfo::new("Declined", "Pass", 39, &["BookExpense"]),
            rt::StateInfo::new("Unanswered", "Pass", 40, &["BookExpense"]),
            rt::StateInfo::new("BookExpense", "Task", 41, &[]),
        ],
        tasks: &[&ASK_MANAGER, &BOOK_EXPENSE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ASK_MANAGER: rt::Task =
        rt::Task::new(0, "sqs:sendMessage", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "AskManager", 13);
    static BOOK_EXPENSE: rt::Task = rt::Task::new(
        1,
        "BookExpense",
        "arn:aws:lambda:eu-central-1:123456789012:function:BookExpense",
        "BookExpense",
        43,
    );

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AskManagerRetry(Value, Retries),
        AskManager(Value, Retries),
        BookExpense,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AskManagerRetry(d, retries), "AskManager retry", "AskManager", 15960456506256740724),
            (AskManager(d, retries), "AskManager", "AskManager", 15047625320176663010),
            (BookExpense, "BookExpense", "BookExpense", 14695981039346656037),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => is_small(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::AskManagerRetry(d, retries), _) => ask_manager_try(d, retries, turn),
                (State::AskManager(d, retries), Ok(result)) => ask_manager_done(d, retries, result, turn),
                (State::AskManager(d, retries), Err(fault)) => ask_manager_failed(d, retries, fault, turn),
                (State::BookExpense, Ok(result)) => book_expense_done(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `IsSmall`, `flows/approval.asl.json:5`.
    fn is_small(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("IsSmall", &d);
        if asl::numeric_less_than(asl::subject(&d, &["amount"])?, 50) {
            approved(d, turn)
        } else {
            ask_manager(d, turn)
        }
    }

    /// `AskManager`, `flows/approval.asl.json:10`: The answer arrives with the task token,
    /// seconds or weeks later; whoever opens the question gives a heartbeat
    fn ask_manager(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("AskManager", &d);
        ask_manager_try(d, Retries::new(), turn)
    }

    /// `AskManager`, `flows/approval.asl.json:10`: One attempt.
    fn ask_manager_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            ("QueueUrl", rt::string("https://queue.example/approvals")),
            (
                "MessageBody",
                rt::object([
                    ("token", asl::context_field(&["Task", "Token"], &d, "token.$", turn)?),
                    ("employee", asl::field(&d, &["employee"], "employee.$")?.clone()),
                    ("purpose", asl::field(&d, &["purpose"], "purpose.$")?.clone()),
                    ("amount", asl::field(&d, &["amount"], "amount.$")?.clone()),
                    ("reminder", asl::context_field(&["State", "RetryCount"], &d, "reminder.$", turn)?),
                ]),
            ),
        ]);
        turn.invoke(&ASK_MANAGER, request).callback().timeout_seconds(2592000.0).heartbeat_seconds(86400.0);
        rt::wait(State::AskManager(d, retries))
    }

    /// `AskManager`, `flows/approval.asl.json:10`: Continues with the result of the task.
    fn ask_manager_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["answer"], result) {
            return ask_manager_failed(d, retries, fault, turn);
        }
        decide(d, turn)
    }

    /// `AskManager`, `flows/approval.asl.json:10`: Retries or catches a fault.
    fn ask_manager_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_MANAGER_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskManagerRetry(d, retries));
        }
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return unanswered(d, turn);
        }
        Err(fault)
    }

    /// `Decide`, `flows/approval.asl.json:31`.
    fn decide(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Decide", &d);
        if asl::is_present(d.get("answer").get("approved"))
            && asl::boolean_equals(asl::subject(&d, &["answer", "approved"])?, true)
        {
            approved(d, turn)
        } else {
            declined(d, turn)
        }
    }

    /// `Approved`, `flows/approval.asl.json:38`.
    fn approved(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Approved", &d);
        asl::put(&mut d, &["outcome"], rt::string("approved"))?;
        book_expense(d, turn)
    }

    /// `Declined`, `flows/approval.asl.json:39`.
    fn declined(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Declined", &d);
        asl::put(&mut d, &["outcome"], rt::string("declined"))?;
        book_expense(d, turn)
    }

    /// `Unanswered`, `flows/approval.asl.json:40`.
    fn unanswered(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Unanswered", &d);
        asl::put(&mut d, &["outcome"], rt::string("unanswered"))?;
        book_expense(d, turn)
    }

    /// `BookExpense`, `flows/approval.asl.json:41`.
    fn book_expense(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("BookExpense", &d);
        let request = rt::object([
            ("employee", asl::field(&d, &["employee"], "employee.$")?.clone()),
            ("amount", asl::field(&d, &["amount"], "amount.$")?.clone()),
            ("outcome", asl::field(&d, &["outcome"], "outcome.$")?.clone()),
        ]);
        turn.invoke(&BOOK_EXPENSE, request).timeout_seconds(60.0);
        rt::wait(State::BookExpense)
    }

    /// `BookExpense`, `flows/approval.asl.json:41`: Continues with the result of the task.
    fn book_expense_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    static ASK_MANAGER_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Heartbeat], 1.0, 2, 1.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"IsSmall\" as s0\n    state \"AskManager\" as s1\n",
        "    s1 : sqs#58;sendMessage\n",
        "    s1 : waits for an answer, at most 30 d, a heartbeat every 1 d\n",
        "    s1 : retries#58; 2× on States.HeartbeatTimeout\n    state \"Decide\" as s2\n",
        "    state \"Approved\" as s3\n    state \"Declined\" as s4\n",
        "    state \"Unanswered\" as s5\n    state \"BookExpense\" as s6\n    [*] --> s0\n",
        "    s0 --> s3 : $.amount #60; 50\n    s0 --> s1 : otherwise\n    s1 --> s2\n",
        "    s1 --> s5 : catch States.ALL\n",
        "    s2 --> s3 : $.answer.approved is present and $.answer.approved = true\n",
        "    s2 --> s4 : otherwise\n    s3 --> s6\n    s4 --> s6\n    s5 --> s6\n    s6 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s6 task\n",
        "    classDef answer fill:#dbeafe,stroke:#3b82f6,color:#111827,stroke-width:3px\n",
        "    class s1 answer\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0,s2 choice\n"
    );
}
