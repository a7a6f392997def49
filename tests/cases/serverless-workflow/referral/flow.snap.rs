// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `referral` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod referral {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, jsonpath, serverless_workflow, spel};

    /// The workflow `referral`.
    pub struct Referral;

    impl Referral {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Referral, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `referral`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `referral`",
        label = "the trait `referral::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl referral::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `file`, invoked by `File` (`flow.serverless-workflow.json:4`).
        fn file(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.file(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Referral {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "referral",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 17538857116202011727,
        workflow_id: Some(rt::WorkflowId { id: "referral", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        states: &[
            rt::StateInfo::new("Write", "subflow", 7, &["Visit"]),
            rt::StateInfo::new("Visit", "subflow", 15, &["File"]),
            rt::StateInfo::new("File", "operation", 24, &[]),
        ],
        tasks: &[&FILE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static FILE: rt::Task = rt::Task::new(0, "file", "records", "File", 4);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Write(Value),
        Visit(Value),
        File(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (Write(data), "Write", "Write", 11163295431466945752),
            (Visit(data), "Visit", "Visit", 11163295431466945752),
            (File(data), "File", "File", 11163295431466945752),
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
                (State::Write(data), Ok(_)) => write_done(data, turn),
                (State::Visit(data), Ok(result)) => visit_done(data, result, turn),
                (State::Visit(data), Err(fault)) => visit_failed(data, fault, turn),
                (State::File(data), Ok(result)) => file_done(data, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        write(data, turn)
    }

    /// `Write`, `flow.serverless-workflow.json:7`.
    fn write(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Write", &data);
        turn.call("letters", data.clone()).detach();
        rt::wait(State::Write(data))
    }

    /// `Write`, `flow.serverless-workflow.json:7`: Continues with the output of the execution.
    fn write_done(data: Value, turn: &mut Turn) -> TurnResult {
        visit(data, turn)
    }

    /// `Visit`, `flow.serverless-workflow.json:15`.
    fn visit(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Visit", &data);
        let data = serverless_workflow::filtered(data.get(jsonpath::Through("patient")), &data).clone();
        turn.call("visit", data.clone());
        rt::wait(State::Visit(data))
    }

    /// `Visit`, `flow.serverless-workflow.json:15`: Continues with the output of the
    /// execution.
    fn visit_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "visit");
        file(data, turn)
    }

    /// `Visit`, `flow.serverless-workflow.json:15`: Retries or catches a fault.
    fn visit_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Visit", turn);
            return if spel::equals(Some(serverless_workflow::or_null(error.get("name"))), Some(&rt::string("Closed"))) {
                let data = serverless_workflow::with_error(data, &error);
                file(data, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `File`, `flow.serverless-workflow.json:24`.
    fn file(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("File", &data);
        turn.invoke(&FILE, data.clone());
        rt::wait(State::File(data))
    }

    /// `File`, `flow.serverless-workflow.json:24`: Continues with the result of the task.
    fn file_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with(data, result, "file"))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Write\" as s0\n    s0 : letters\n",
        "    state \"Visit\" as s1\n    s1 : visit\n    state \"File\" as s2\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s1 --> s2 : catch $.error.name = #34;Closed#34;\n",
        "    s2 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s2 task\n",
        "    classDef call fill:#e0e7ff,stroke:#4f46e5,color:#111827,stroke-dasharray:8 3 2 3\n",
        "    class s0,s1 call\n"
    );
}
