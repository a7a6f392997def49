// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `credit` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
#[allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::collapsible_if,
    reason = "expressions have the structure of their source"
)]
pub mod credit {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, cel, schema, serverless_workflow, spel};

    /// The workflow `credit`.
    pub struct Credit;

    impl Credit {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Runs an execution in memory to its end, with the types of its input and output.
        pub async fn run_typed<T: Tasks>(tasks: &T, input: schemas::Input) -> Result<Value, Fault> {
            rt::Builder::<Credit>::new()
                .tasks(Bound(tasks))
                .types::<schemas::Input, Value>(rt::write, Ok)
                .run(input)
                .await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Credit, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The types of the input and the output, from schemas and from the definition.
    pub mod schemas {
        pub use input::Input;

        /// The type of the input, and its parts.
        #[allow(missing_docs, reason = "a member need not have a description")]
        pub mod input {
            /// `Input`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq,
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct Input {
                pub amount: i64,
                pub debts: ::std::vec::Vec<InputDebtsItem>,
                #[serde(skip_serializing_if = "::std::option::Option::is_none")]
                pub since: ::std::option::Option<::std::string::String>,
            }

            /// `InputDebtsItem`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq,
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct InputDebtsItem {
                pub open: ::workflow_runtime::Value,
            }

            /// Error types.
            pub mod error {
                /// Error from a `TryFrom` or `FromStr` implementation.
                pub struct ConversionError(::std::borrow::Cow<'static, str>);

                impl ::std::error::Error for ConversionError {}

                impl ::std::fmt::Display for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Display::fmt(&self.0, f)
                    }
                }

                impl ::std::fmt::Debug for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Debug::fmt(&self.0, f)
                    }
                }

                impl From<&'static str> for ConversionError {
                    fn from(value: &'static str) -> Self {
                        Self(value.into())
                    }
                }

                impl From<String> for ConversionError {
                    fn from(value: String) -> Self {
                        Self(value.into())
                    }
                }
            }

            impl ::core::convert::From<Input> for ::workflow_runtime::Value {
                fn from(input: Input) -> Self {
                    ::workflow_runtime::__private::write(input).unwrap_or_default()
                }
            }
        }
    }

    /// The tasks of `credit`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `credit`",
        label = "the trait `credit::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl credit::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `score`, invoked by `Score` (`flow.serverless-workflow.json:7`).
        fn score(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `grant`, invoked by `Grant` (`flow.serverless-workflow.json:8`).
        fn grant(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.score(input, cx)),
                1 => rt::task_future(tasks.grant(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Credit {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "credit",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 3331222539649828798,
        workflow_id: Some(rt::WorkflowId { id: "credit", version: None, is_child: true }),
        check_input: Some(|input| rt::schema::fits(&rt::object_input(input)?, &SCHEMA_2, "the input")),
        describe_input: Some(|| SCHEMA_2.document()),
        states: &[
            rt::StateInfo::new("Score", "operation", 12, &["Grant", "By hand"]),
            rt::StateInfo::new("Grant", "operation", 34, &["By hand"]),
            rt::StateInfo::new("By hand", "inject", 43, &[]),
        ],
        tasks: &[&SCORE, &GRANT],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static SCORE: rt::Task = rt::Task::new(0, "score", "bureau/score", "Score", 7);
    static GRANT: rt::Task = rt::Task::new(1, "grant", "bank/grant", "Grant", 8);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        ScoreRetry(Value, Value, rt::BlockRetries),
        Score(Value, Value, Value, rt::BlockRetries),
        GrantRetry(Value, rt::BlockRetries),
        Grant(Value, Value, rt::BlockRetries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (ScoreRetry(kept, workflow_input, tries), "Score retry", "Score", 15405308903185625817),
            (Score(data, kept, workflow_input, tries), "Score", "Score", 9416026428561822436),
            (GrantRetry(kept, tries), "Grant retry", "Grant", 9356966988073314386),
            (Grant(data, kept, tries), "Grant", "Grant", 1980496721727182483),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => entry(data, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::ScoreRetry(kept, workflow_input, tries), _) => score_try(workflow_input, kept, tries, turn),
                (State::Score(data, kept, workflow_input, tries), Ok(result)) => {
                    score_done(data, workflow_input, kept, tries, result, turn)
                }
                (State::Score(data, kept, workflow_input, tries), Err(fault)) => {
                    score_failed(data, workflow_input, kept, tries, fault, turn)
                }
                (State::GrantRetry(kept, tries), _) => grant_try(kept, tries, turn),
                (State::Grant(data, kept, tries), Ok(result)) => grant_done(data, kept, tries, result, turn),
                (State::Grant(data, kept, tries), Err(fault)) => grant_failed(data, kept, tries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        let workflow_input = data.clone();
        score(data, workflow_input, turn)
    }

    /// `Score`, `flow.serverless-workflow.json:12`.
    fn score(data: Value, workflow_input: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Score", &data);
        let tries = turn.begin_retry_block();
        score_try(workflow_input, data, tries, turn)
    }

    /// `Score`, `flow.serverless-workflow.json:12`: One attempt.
    fn score_try(workflow_input: Value, kept: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let data = kept.clone();
        turn.invoke(&SCORE, data.clone());
        rt::wait(State::Score(data, kept, workflow_input, tries))
    }

    /// `Score`, `flow.serverless-workflow.json:12`: Continues with the result of the task.
    fn score_done(
        data: Value,
        workflow_input: Value,
        kept: Value,
        tries: rt::BlockRetries,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let data = serverless_workflow::with(data, result, "score");
        match rt::attempt(|| {
            Ok(serverless_workflow::has_new_error(&kept, &data)
                && cel::interpret_test(turn, &SCORE_EXPRESSION, &data, &[workflow_input.clone()])?)
        }) {
            Ok(true) => {
                if let Err(fault) = serverless_workflow::refuse_results(&data, "Score") {
                    return score_failed(data, workflow_input, kept, tries, fault, turn);
                }
                return score_accepted(data, workflow_input, kept, tries, turn);
            }
            Ok(false) => {}
            Err(fault) => return score_failed(data, workflow_input, kept, tries, fault, turn),
        }
        score_accepted(data, workflow_input, kept, tries, turn)
    }

    /// `Score`, `flow.serverless-workflow.json:12`: Continues within the state.
    fn score_accepted(
        data: Value,
        workflow_input: Value,
        kept: Value,
        tries: rt::BlockRetries,
        turn: &mut Turn,
    ) -> TurnResult {
        let data = match schema::check(data.clone(), &SCHEMA_1, "the output of the state") {
            Ok(value) => value,
            Err(fault) => return score_failed(data, workflow_input, kept, tries, fault, turn),
        };
        if cel::interpret_test(turn, &SCORE_EXPRESSION2, &data, &[data.clone()])? {
            grant(data, turn)
        } else {
            Err(serverless_workflow::guard("Score", TEXT_1, &data))
        }
    }

    /// `Score`, `flow.serverless-workflow.json:12`: Retries or catches a fault.
    fn score_failed(
        data: Value,
        workflow_input: Value,
        kept: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&tries, 1);
            let error = serverless_workflow::error(fault.output(), "Score", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if !serverless_workflow::is_null(&error)
                && cel::interpret_test(turn, &SCORE_EXPRESSION, &seen, &[workflow_input.clone()])?
            {
                if turn.retry_block(SCORE_RETRY, &mut tries, &fault) {
                    return rt::wait(State::ScoreRetry(kept, workflow_input, tries));
                }
                score_handle(data, fault, error, seen, turn)
            } else {
                score_handle(data, fault, error, seen, turn)
            };
        }
        Err(fault)
    }

    /// `Score`, `flow.serverless-workflow.json:12`: Continues within the state.
    fn score_handle(data: Value, fault: Fault, error: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        if cel::interpret_test(
            turn,
            &SCORE_EXPRESSION3,
            &seen,
            &[
                serverless_workflow::or_null(error.get("name")).clone(),
                serverless_workflow::or_null(error.get("message")).clone(),
            ],
        )? {
            let data = serverless_workflow::with_error(data, &error);
            let data = if serverless_workflow::is_violation(&error) {
                data
            } else {
                schema::check(data, &SCHEMA_1, "the output of the state")?
            };
            by_hand(data, turn)
        } else if spel::equals(
            Some(serverless_workflow::or_null(error.get("name"))),
            Some(&rt::string("QueryEvaluationError")),
        ) {
            let data = serverless_workflow::with_error(data, &error);
            let data = if serverless_workflow::is_violation(&error) {
                data
            } else {
                schema::check(data, &SCHEMA_1, "the output of the state")?
            };
            by_hand(data, turn)
        } else {
            Err(fault)
        }
    }

    /// `Grant`, `flow.serverless-workflow.json:34`.
    fn grant(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Grant", &data);
        let tries = turn.begin_retry_block();
        grant_try(data, tries, turn)
    }

    /// `Grant`, `flow.serverless-workflow.json:34`: One attempt.
    fn grant_try(kept: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let data = kept.clone();
        turn.invoke(&GRANT, data.clone());
        rt::wait(State::Grant(data, kept, tries))
    }

    /// `Grant`, `flow.serverless-workflow.json:34`: Continues with the result of the task.
    fn grant_done(data: Value, kept: Value, tries: rt::BlockRetries, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "grant");
        match rt::attempt(|| Ok(cel::interpret_test(turn, &GRANT_EXPRESSION, &data, &[])?)) {
            Ok(true) => {
                if let Err(fault) = serverless_workflow::refuse_results(&data, "Grant") {
                    return grant_failed(data, kept, tries, fault, turn);
                }
                return grant_accepted(data);
            }
            Ok(false) => {}
            Err(fault) => return grant_failed(data, kept, tries, fault, turn),
        }
        grant_accepted(data)
    }

    /// `Grant`, `flow.serverless-workflow.json:34`: Continues within the state.
    fn grant_accepted(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Grant`, `flow.serverless-workflow.json:34`: Retries or catches a fault.
    fn grant_failed(
        data: Value,
        kept: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&tries, 1);
            let error = serverless_workflow::error(fault.output(), "Grant", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if cel::interpret_test(turn, &GRANT_EXPRESSION, &seen, &[])? {
                if turn.retry_block(GRANT_RETRY, &mut tries, &fault) {
                    return rt::wait(State::GrantRetry(kept, tries));
                }
                grant_handle(data, fault, error, seen, turn)
            } else {
                grant_handle(data, fault, error, seen, turn)
            };
        }
        Err(fault)
    }

    /// `Grant`, `flow.serverless-workflow.json:34`: Continues within the state.
    fn grant_handle(data: Value, fault: Fault, error: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        if cel::interpret_test(turn, &GRANT_EXPRESSION2, &seen, &[])? {
            let data = serverless_workflow::with_error(data, &error);
            by_hand(data, turn)
        } else {
            Err(fault)
        }
    }

    /// `By hand`, `flow.serverless-workflow.json:43`.
    fn by_hand(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("By hand", &data);
        rt::done(serverless_workflow::injected(data, LITERAL_1.clone()))
    }

    /// `error.name == 'Busy' && workflowInput.amount < 1000`
    static SCORE_EXPRESSION: cel::CelProgram =
        cel::CelProgram::new("error.name == 'Busy' && workflowInput.amount < 1000", &["workflowInput"]);

    /// `score >= 600 && debts.all(d, d.open <= amount / 2) && (!has(stateOutputData.since) ||
    /// timestamp(since) < timestamp('2026-01-01T00:00:00Z'))`
    static SCORE_EXPRESSION2: cel::CelProgram = cel::CelProgram::new(
        ::core::concat!(
            "score >= 600 && debts.all(d, d.open <= amount / 2) && (!has(stateOutputData.since) || ti",
            "mestamp(since) < timestamp('2026-01-01T00:00:00Z'))"
        ),
        &["stateOutputData"],
    );

    /// `name == 'Busy' || message.matches('^no (file|record)')`
    static SCORE_EXPRESSION3: cel::CelProgram =
        cel::CelProgram::new("name == 'Busy' || message.matches('^no (file|record)')", &["name", "message"]);

    /// `double(granted.count) * 1.5 < 3.0`
    static GRANT_EXPRESSION: cel::CelProgram = cel::CelProgram::new("double(granted.count) * 1.5 < 3.0", &[]);

    /// `granted.count < 2`
    static GRANT_EXPRESSION2: cel::CelProgram = cel::CelProgram::new("granted.count < 2", &[]);

    static SCORE_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 60.0, 2, 1.0)];
    static GRANT_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 0.0, 1, 1.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"byHand\":true}");
    static TEXT_1: &str = ::core::concat!(
        "score >= 600 && debts.all(d, d.open <= amount / 2) && (!has(stateOutputData.since) || ti",
        "mestamp(since) < timestamp('2026-01-01T00:00:00Z'))"
    );
    static SCHEMA_1: rt::schema::Schema = rt::schema::Schema::new(
        "schemas/scored.json",
        rt::schema::Draft::Draft7,
        ::core::concat!(
            "{\"type\":\"object\",\"properties\":{\"score\":{\"type\":\"integer\"},\"error\":{\"prope",
            "rties\":{\"message\":{\"maxLength\":40}}}}}"
        ),
    );
    static SCHEMA_2: rt::schema::Schema = rt::schema::Schema::new(
        "schemas/application.json",
        rt::schema::Draft::Draft7,
        ::core::concat!(
            "{\"type\":\"object\",\"required\":[\"amount\",\"debts\"],\"properties\":{\"amount\":{\"t",
            "ype\":\"integer\"},\"debts\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"requir",
            "ed\":[\"open\"]}},\"since\":{\"type\":\"string\"}}}"
        ),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Score\" as s0\n    state \"Grant\" as s1\n",
        "    state \"By hand\" as s2\n    [*] --> s0\n",
        "    s0 --> s1 : score #62;= 600 #38;#38; debts.all(d, d.open #60;= amount / 2) #38;#38; ",
        "(!has(stateOutputData.since) || timestamp(since) #60; timestamp('2026-01-01T00#58;00#58;",
        "00Z'))\n",
        "    s0 --> s2 : catch name == 'Busy' || message.matches('^no (file|record)')<br/>$.error",
        ".name = #34;QueryEvaluationError#34;\n    s1 --> [*]\n",
        "    s1 --> s2 : catch granted.count #60; 2\n    s2 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s1 task\n"
    );
}
