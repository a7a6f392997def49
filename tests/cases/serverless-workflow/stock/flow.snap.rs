// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `stock` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod stock {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, jsonpath, schema, serverless_workflow, spel};

    /// The workflow `stock`.
    pub struct Stock;

    impl Stock {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Runs an execution in memory to its end, with the types of its input and output.
        pub async fn run_typed<T: Tasks>(tasks: &T, input: Value) -> Result<schemas::Output, Fault> {
            rt::Builder::<Stock>::new()
                .tasks(Bound(tasks))
                .types::<Value, schemas::Output>(Ok, rt::read)
                .run(input)
                .await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Stock, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The types of the input and the output, from schemas and from the definition.
    pub mod schemas {
        pub use output::Output;

        /// The type of the output, and its parts.
        #[allow(missing_docs, reason = "a member need not have a description")]
        pub mod output {
            /// `Output`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                Default,
                PartialEq,
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct Output {}

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

            impl ::core::convert::TryFrom<::workflow_runtime::Value> for Output {
                type Error = ::workflow_runtime::ValueError;
                fn try_from(output: ::workflow_runtime::Value) -> ::core::result::Result<Self, Self::Error> {
                    ::workflow_runtime::__private::read(output)
                }
            }
        }
    }

    /// The tasks of `stock`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `stock`",
        label = "the trait `stock::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl stock::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `count`, invoked by `Count` (`flow.serverless-workflow.json:5`).
        fn count(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.count(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Stock {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "stock",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 5492969119653690526,
        workflow_id: Some(rt::WorkflowId { id: "stock", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        states: &[
            rt::StateInfo::new("Which", "switch", 8, &["Both", "Count"]),
            rt::StateInfo::new("Both", "parallel", 15, &["Never"]),
            rt::StateInfo::new("Count", "operation", 29, &["Told"]),
            rt::StateInfo::new("Told", "inject", 38, &[]),
            rt::StateInfo::new("Never", "inject", 39, &[]),
            rt::StateInfo::new("Stop", "inject", 21, &[]),
        ],
        tasks: &[&COUNT],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static COUNT: rt::Task = rt::Task::new(0, "count", "scanner", "Count", 5);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        BothEntryStop(Value),
        Both(Value),
        CountRetry(Value, rt::BlockRetries),
        Count(Value, Value, rt::BlockRetries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (BothEntryStop(data), "Both entry Stop", "", 11163295431466945752),
            (Both(data), "Both", "Both", 5246125627435243945),
            (CountRetry(kept, tries), "Count retry", "Count", 9356966988073314386),
            (Count(data, kept, tries), "Count", "Count", 1980496721727182483),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => entry(data, turn),
                State::BothEntryStop(data) => both_entry_stop(data, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Both(data), Ok(result)) => both_joined(data, result),
                (State::Both(data), Err(fault)) => both_failed(data, fault, turn),
                (State::CountRetry(kept, tries), _) => count_try(kept, tries, turn),
                (State::Count(data, kept, tries), Ok(result)) => count_done(data, kept, tries, result, turn),
                (State::Count(data, kept, tries), Err(fault)) => count_failed(data, kept, tries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Both(data), 0) => Some(State::BothEntryStop(data.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        which(data, turn)
    }

    /// `Which`, `flow.serverless-workflow.json:8`.
    fn which(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Which", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("both")), "exists", "") {
            both(data, turn)
        } else {
            count(data, turn)
        }
    }

    /// `Both`, `flow.serverless-workflow.json:15`.
    fn both(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Both", &data);
        turn.fork(1);
        rt::wait(State::Both(data))
    }

    /// `Both`, `flow.serverless-workflow.json:15`: Continues with the outputs of the branches.
    fn both_joined(data: Value, outputs: Value) -> TurnResult {
        let data = serverless_workflow::with_branches(data, &outputs, &["Shelf"]);
        rt::done(schema::check(data, &SCHEMA_1, "the output")?)
    }

    /// `Both`, `flow.serverless-workflow.json:15`: Retries or catches a fault.
    fn both_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Both", turn);
            return if true {
                let data = serverless_workflow::with_error(data, &error);
                never(data, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Count`, `flow.serverless-workflow.json:29`.
    fn count(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Count", &data);
        let tries = turn.begin_retry_block();
        count_try(data, tries, turn)
    }

    /// `Count`, `flow.serverless-workflow.json:29`: One attempt.
    fn count_try(kept: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let data = kept.clone();
        turn.invoke(&COUNT, data.clone());
        rt::wait(State::Count(data, kept, tries))
    }

    /// `Count`, `flow.serverless-workflow.json:29`: Continues with the result of the task.
    fn count_done(data: Value, kept: Value, tries: rt::BlockRetries, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "count");
        if serverless_workflow::has_new_error(&kept, &data)
            && (spel::equals(
                data.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                Some(&rt::string("Schema.Violation")),
            ) && spel::equals(data.get(jsonpath::Through("late")), Some(&Value::Bool(true))))
        {
            if let Err(fault) = serverless_workflow::refuse_results(&data, "Count") {
                return count_failed(data, kept, tries, fault, turn);
            }
            count_accepted(data, kept, tries, turn)
        } else {
            count_accepted(data, kept, tries, turn)
        }
    }

    /// `Count`, `flow.serverless-workflow.json:29`: Continues within the state.
    fn count_accepted(data: Value, kept: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let left = serverless_workflow::filtered(data.get(jsonpath::Through("shelf")), &data).clone();
        let data = match schema::check(left, &SCHEMA_2, "the output of the state") {
            Ok(value) => value,
            Err(fault) => return count_failed(data, kept, tries, fault, turn),
        };
        told(data, turn)
    }

    /// `Count`, `flow.serverless-workflow.json:29`: Retries or catches a fault.
    fn count_failed(
        data: Value,
        kept: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&tries, 1);
            let error = serverless_workflow::error(fault.output(), "Count", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if !serverless_workflow::is_null(&error)
                && (spel::equals(
                    seen.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                    Some(&rt::string("Schema.Violation")),
                ) && spel::equals(seen.get(jsonpath::Through("late")), Some(&Value::Bool(true))))
            {
                if turn.retry_block(COUNT_RETRY, &mut tries, &fault) {
                    return rt::wait(State::CountRetry(kept, tries));
                }
                count_handle(data, fault, error, turn)
            } else {
                count_handle(data, fault, error, turn)
            };
        }
        Err(fault)
    }

    /// `Count`, `flow.serverless-workflow.json:29`: Continues within the state.
    fn count_handle(data: Value, fault: Fault, error: Value, turn: &mut Turn) -> TurnResult {
        if spel::equals(Some(serverless_workflow::or_null(error.get("name"))), Some(&rt::string("Schema.Violation"))) {
            let data = serverless_workflow::with_error(data, &error);
            let data = serverless_workflow::filtered(data.get(jsonpath::Through("shelf")), &data).clone();
            let data = if serverless_workflow::is_violation(&error) {
                data
            } else {
                schema::check(data, &SCHEMA_2, "the output of the state")?
            };
            told(data, turn)
        } else {
            Err(fault)
        }
    }

    /// `Told`, `flow.serverless-workflow.json:38`.
    fn told(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Told", &data);
        let data = serverless_workflow::injected(data, LITERAL_1.clone());
        rt::done(schema::check(data, &SCHEMA_1, "the output")?)
    }

    /// `Never`, `flow.serverless-workflow.json:39`.
    fn never(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &data);
        let data = serverless_workflow::injected(data, LITERAL_2.clone());
        rt::done(schema::check(data, &SCHEMA_1, "the output")?)
    }

    /// The start of the branch `Shelf` of `Both`.
    fn both_entry_stop(data: Value, turn: &mut Turn) -> TurnResult {
        stop(data, turn)
    }

    /// `Stop`, `flow.serverless-workflow.json:21`.
    fn stop(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Stop", &data);
        let data = serverless_workflow::injected(data, LITERAL_3.clone());
        rt::terminate(schema::check_end(data, &SCHEMA_1, "the output")?)
    }

    static COUNT_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 60.0, 1, 1.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"told\":true}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{}");
    static LITERAL_3: rt::Literal = rt::Literal::new("{\"stopped\":true}");
    static SCHEMA_1: rt::schema::Schema = rt::schema::Schema::new(
        "schemas/told.json",
        rt::schema::Draft::Draft202012,
        "{\"type\":\"object\",\"properties\":{\"secret\":false}}",
    );
    static SCHEMA_2: rt::schema::Schema = rt::schema::Schema::new(
        "schemas/counted.json",
        rt::schema::Draft::Draft202012,
        "{\"type\":\"object\",\"required\":[\"ink\"]}",
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Which\" as s0\n    state \"Both\" as s1 {\n",
        "        state \"branch Shelf\" as s2 {\n            state \"Stop\" as s3\n",
        "            [*] --> s3\n            s3 --> [*] : (ends the execution)\n        }\n",
        "    }\n    state \"Count\" as s4\n    state \"Told\" as s5\n    state \"Never\" as s6\n",
        "    [*] --> s0\n    s0 --> s1 : $.both is present\n    s0 --> s4 : otherwise\n",
        "    s1 --> [*]\n    s1 --> s6 : catch\n    s4 --> s5\n",
        "    s4 --> s5 : catch $.error.name = #34;Schema.Violation#34;\n    s5 --> [*]\n",
        "    s6 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s4 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n"
    );
}
