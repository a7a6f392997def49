// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `tokens` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod tokens {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `tokens`: The token that a task was given is still there when its result
    /// is shaped, kept or refused.
    pub struct Tokens;

    impl Tokens {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Tokens, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `tokens`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `tokens`",
        label = "the trait `tokens::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl tokens::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `sqs:sendMessage`, invoked by `Ask` (`flow.asl.json:7`).
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

    impl rt::Workflow for Tokens {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "tokens",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 11734843124433540050,
        context: true,
        longest_task_seconds: Some(600.0),
        states: &[
            rt::StateInfo::new("Ask", "Task", 5, &["Answered", "Refused"]),
            rt::StateInfo::new("Answered", "Pass", 18, &[]),
            rt::StateInfo::new("Refused", "Pass", 23, &[]),
        ],
        tasks: &[&ASK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ASK: rt::Task =
        rt::Task::new(0, "sqs:sendMessage", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Ask", 7);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AskRetry(Value, Retries),
        Ask(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AskRetry(d, retries), "Ask retry", "Ask", 15960456506256740724),
            (Ask(d, retries), "Ask", "Ask", 15047625320176663010),
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
                (State::AskRetry(d, retries), _) => ask_try(d, retries, turn),
                (State::Ask(_, _), Ok(result)) => ask_done(result, turn),
                (State::Ask(d, retries), Err(fault)) => ask_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        ask(d, turn)
    }

    /// `Ask`, `flow.asl.json:5`.
    fn ask(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask", &d);
        ask_try(d, Retries::new(), turn)
    }

    /// `Ask`, `flow.asl.json:5`: One attempt.
    fn ask_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("token", asl::context_field(&["Task", "Token"], &d, "token.$", turn)?)]);
        turn.invoke(&ASK, request).callback().timeout_seconds(600.0);
        rt::wait(State::Ask(d, retries))
    }

    /// `Ask`, `flow.asl.json:5`: Continues with the result of the task.
    fn ask_done(result: Value, turn: &mut Turn) -> TurnResult {
        let output = rt::object([
            ("answer", asl::field(&result, &["answer"], "answer.$")?.clone()),
            ("token", asl::context_field(&["Task", "Token"], &result, "token.$", turn)?),
        ]);
        let kept = Some(asl::context_field(&["Task", "Token"], &result, "kept.$", turn)?);
        answered(output, kept, turn)
    }

    /// `Ask`, `flow.asl.json:5`: Retries or catches a fault.
    fn ask_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskRetry(d, retries));
        }
        if fault.is(&["Refused"]) {
            let result = fault.output();
            asl::put(&mut d, &["refusal"], result.clone())?;
            let kept = Some(asl::context_field(&["Task", "Token"], &result, "kept.$", turn)?);
            return refused(d, kept, turn);
        }
        Err(fault)
    }

    /// `Answered`, `flow.asl.json:18`.
    fn answered(d: Value, kept: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Answered", &d);
        rt::done(rt::object([
            ("answer", asl::field(&d, &["answer"], "answer.$")?.clone()),
            ("selected", asl::field(&d, &["token"], "selected.$")?.clone()),
            ("assigned", asl::variable(kept.as_ref(), "kept")?.clone()),
        ]))
    }

    /// `Refused`, `flow.asl.json:23`.
    fn refused(d: Value, kept: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Refused", &d);
        rt::done(rt::object([
            ("error", asl::field(&d, &["refusal", "Error"], "error.$")?.clone()),
            ("assigned", asl::variable(kept.as_ref(), "kept")?.clone()),
        ]))
    }

    static ASK_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 1.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Ask\" as s0\n    s0 : sqs#58;sendMessage\n",
        "    s0 : waits for an answer, at most 10 min\n    s0 : retries#58; 1× on Busy\n",
        "    state \"Answered\" as s1\n    state \"Refused\" as s2\n    [*] --> s0\n",
        "    s0 --> s1\n    s0 --> s2 : catch Refused\n    s1 --> [*]\n    s2 --> [*]\n",
        "    classDef answer fill:#dbeafe,stroke:#3b82f6,color:#111827,stroke-width:3px\n",
        "    class s0 answer\n"
    );
}
