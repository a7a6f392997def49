// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `imports` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod imports {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `imports`: Imports the rows of an object, and writes what became of each
    /// to a bucket.
    pub struct Imports;

    impl Imports {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Imports, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `imports`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `imports`",
        label = "the trait `imports::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl imports::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `import-row`, invoked by `Import` (`flow.asl.json:27`).
        fn import_row(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ask-for-object`, invoked by `AskForObject` (`flow.asl.json:44`).
        fn ask_for_object(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.import_row(input, cx)),
                1 => rt::task_future(tasks.ask_for_object(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Imports {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "imports",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 3428889143435362614,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("EachRow", "Map", 5, &["AskForObject", "Stop"]),
            rt::StateInfo::new("AskForObject", "Task", 44, &[]),
            rt::StateInfo::new("Stop", "Fail", 45, &[]),
            rt::StateInfo::new("Import", "Task", 25, &[]),
        ],
        tasks: &[&IMPORT, &ASK_FOR_OBJECT],
        maps: &[rt::DistributedMap::new("EachRow", "Rows", 0).selector(1).reader(rt::ReaderKind::GetObject).writer()],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static IMPORT: rt::Task = rt::Task::new(0, "import-row", "import-row", "Import", 27);
    static ASK_FOR_OBJECT: rt::Task = rt::Task::new(1, "ask-for-object", "ask-for-object", "AskForObject", 44);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        EachRowEntryImport(Value),
        EachRowEntryItemSelector(Value),
        EachRow(Value),
        AskForObject,
        ImportRetry(Value, Retries),
        Import(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (EachRowEntryImport(input), "EachRow entry Import", "", 3736688280224215270),
            (EachRowEntryItemSelector(element), "EachRow entry ItemSelector", "", 17140121287228190346),
            (EachRow(d), "EachRow", "EachRow", 16290513905774444234),
            (AskForObject, "AskForObject", "AskForObject", 14695981039346656037),
            (ImportRetry(d, retries), "Import retry", "Import", 8737603747323458292),
            (Import(d, retries), "Import", "Import", 1543807494614043594),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn entry(number: u32, item: &Value) -> Option<State> {
            match number {
                0 => Some(State::EachRowEntryImport(item.clone())),
                1 => Some(State::EachRowEntryItemSelector(item.clone())),
                _ => None,
            }
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => each_row(d, turn),
                State::EachRowEntryImport(input) => each_row_entry_import(input, turn),
                State::EachRowEntryItemSelector(element) => each_row_entry_item_selector(element),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::EachRow(_), Ok(result)) => each_row_joined(result),
                (State::EachRow(d), Err(fault)) => each_row_failed(d, fault, turn),
                (State::AskForObject, Ok(result)) => ask_for_object_done(result),
                (State::ImportRetry(d, retries), _) => import_try(d, retries, turn),
                (State::Import(_, _), Ok(result)) => import_done(result),
                (State::Import(d, retries), Err(fault)) => import_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `EachRow`, `flow.asl.json:5`.
    fn each_row(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("EachRow", &d);
        let settings = match rt::attempt(|| {
            Ok(rt::object([
                (
                    "reader",
                    rt::object([
                        ("Bucket", rt::string("arrivals")),
                        ("Key", asl::field(&d, &["key"], "Key.$")?.clone()),
                    ]),
                ),
                (
                    "config",
                    rt::object([
                        ("InputType", rt::string("CSV")),
                        ("CSVHeaderLocation", rt::string("FIRST_ROW")),
                        ("MaxItems", asl::max_items_path(asl::at(&d, &["most"]))?),
                    ]),
                ),
                (
                    "writer",
                    rt::object([(
                        "Parameters",
                        rt::object([
                            ("Bucket", asl::field(&d, &["results"], "Bucket.$")?.clone()),
                            ("Prefix", rt::string("imports")),
                        ]),
                    )]),
                ),
                ("concurrency", Value::Int(2)),
                ("tolerated_count", Value::Int(1)),
                ("scope", rt::array([d.clone()])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return each_row_failed(d, fault, turn),
        };
        turn.call_map(0, settings);
        rt::wait(State::EachRow(d))
    }

    /// `EachRow`, `flow.asl.json:5`: Continues with the result of the executions.
    fn each_row_joined(result: Value) -> TurnResult {
        rt::done(rt::object([("bucket", asl::field(&result, &["ResultWriterDetails", "Bucket"], "bucket.$")?.clone())]))
    }

    /// `EachRow`, `flow.asl.json:5`: Retries or catches a fault.
    fn each_row_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ItemReaderFailed"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return ask_for_object(d, turn);
        }
        if fault.is(&["States.ExceedToleratedFailureThreshold"]) {
            let d = fault.output();
            return stop(d, turn);
        }
        Err(fault)
    }

    /// `AskForObject`, `flow.asl.json:44`.
    fn ask_for_object(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("AskForObject", &d);
        let input = asl::path(&d, &["problem", "Cause"])?.clone();
        turn.invoke(&ASK_FOR_OBJECT, input).timeout_seconds(60.0);
        rt::wait(State::AskForObject)
    }

    /// `AskForObject`, `flow.asl.json:44`: Continues with the result of the task.
    fn ask_for_object_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Stop`, `flow.asl.json:45`.
    fn stop(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Stop", &d);
        Err(Fault::from_parts(
            Some(rt::string("BadRows")),
            Some(asl::fault_string(asl::at(&d, &["Cause"]), &d, "CausePath")?.clone()),
        ))
    }

    /// The start of the item processor of `EachRow`.
    fn each_row_entry_import(input: Value, turn: &mut Turn) -> TurnResult {
        import(input, turn)
    }

    /// `Import`, `flow.asl.json:25`.
    fn import(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Import", &d);
        import_try(d, Retries::new(), turn)
    }

    /// `Import`, `flow.asl.json:25`: One attempt.
    fn import_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&IMPORT, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Import(d, retries))
    }

    /// `Import`, `flow.asl.json:25`: Continues with the result of the task.
    fn import_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Import`, `flow.asl.json:25`: Retries or catches a fault.
    fn import_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(IMPORT_RETRY, &mut retries, &fault) {
            return rt::wait(State::ImportRetry(d, retries));
        }
        Err(fault)
    }

    /// The start of the item selector of `EachRow`.
    fn each_row_entry_item_selector(element: Value) -> TurnResult {
        let input = asl::value_in_scope(&element, 0).clone();
        rt::done(rt::object([
            ("row", asl::element_member(&element, "value").clone()),
            ("number", asl::element_member(&element, "index").clone()),
            ("from", asl::require_field(element.get("source"), &input, "$$.Map.Item.Source", "from.$")?.clone()),
            ("shop", asl::field(&input, &["shop"], "shop.$")?.clone()),
        ]))
    }

    static IMPORT_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 5.0, 3, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"EachRow\" as s0 {\n",
        "        state \"an execution for each item, 2 at a time\" as s1 {\n",
        "            state \"Import\" as s2\n            [*] --> s2\n            s2 --> [*]\n",
        "        }\n    }\n    state \"AskForObject\" as s3\n    state \"Stop\" as s4\n",
        "    [*] --> s0\n    s0 --> [*]\n    s0 --> s3 : catch States.ItemReaderFailed\n",
        "    s0 --> s4 : catch States.ExceedToleratedFailureThreshold\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s3 task\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s4 fail\n"
    );
}
