// Generated from `flow.serverless-workflow.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `visit` of `flow.serverless-workflow.yaml`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod visit {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, jsonpath, serverless_workflow};

    /// The workflow `visit`.
    pub struct Visit;

    impl Visit {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Visit, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `visit`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `visit`",
        label = "the trait `visit::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.yaml:1:1: the workflow is defined here",
        note = "write `impl visit::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `look`, invoked by `Look` (`flow.serverless-workflow.yaml:4`).
        fn look(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `call`, invoked by `Call` (`flow.serverless-workflow.yaml:5`).
        fn call(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.look(input, cx)),
                1 => rt::task_future(tasks.call(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Visit {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "visit",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.yaml",
        hash: 6204459268298742988,
        workflow_id: Some(rt::WorkflowId { id: "visit", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        states: &[
            rt::StateInfo::new("Look", "operation", 7, &["Is it urgent"]),
            rt::StateInfo::new("Is it urgent", "switch", 15, &["Call", "Rest"]),
            rt::StateInfo::new("Call", "operation", 20, &[]),
            rt::StateInfo::new("Rest", "delay", 26, &[]),
        ],
        tasks: &[&LOOK, &CALL],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static LOOK: rt::Task = rt::Task::new(0, "look", "specialist", "Look", 4);
    static CALL: rt::Task = rt::Task::new(1, "call", "ambulance", "Call", 5);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Look(Value),
        Call(Value),
        Rest(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (Look(data), "Look", "Look", 11163295431466945752),
            (Call(data), "Call", "Call", 11163295431466945752),
            (Rest(data), "Rest", "Rest", 6443120302792414794),
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
                (State::Look(data), Ok(result)) => look_done(data, result, turn),
                (State::Call(data), Ok(result)) => call_done(data, result),
                (State::Rest(data), _) => rest_over(data),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        look(data, turn)
    }

    /// `Look`, `flow.serverless-workflow.yaml:7`.
    fn look(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Look", &data);
        let action_data = serverless_workflow::filtered(data.get(jsonpath::Through("name")), &data).clone();
        turn.invoke(&LOOK, action_data);
        rt::wait(State::Look(data))
    }

    /// `Look`, `flow.serverless-workflow.yaml:7`: Continues with the result of the task.
    fn look_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "look");
        is_it_urgent(data, turn)
    }

    /// `Is it urgent`, `flow.serverless-workflow.yaml:15`.
    fn is_it_urgent(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is it urgent", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("urgent")), "equals", "true") {
            call(data, turn)
        } else {
            rest(data, turn)
        }
    }

    /// `Call`, `flow.serverless-workflow.yaml:20`.
    fn call(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Call", &data);
        let request = rt::object([("who", serverless_workflow::or_null(data.get(jsonpath::Through("name"))).clone())]);
        turn.invoke(&CALL, request);
        rt::wait(State::Call(data))
    }

    /// `Call`, `flow.serverless-workflow.yaml:20`: Continues with the result of the task.
    fn call_done(data: Value, result: Value) -> TurnResult {
        rt::terminate(serverless_workflow::with(data, result, "call"))
    }

    /// `Rest`, `flow.serverless-workflow.yaml:26`.
    fn rest(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rest", &data);
        turn.sleep_seconds(3600.0);
        rt::wait(State::Rest(data))
    }

    /// `Rest`, `flow.serverless-workflow.yaml:26`: Continues after the wait.
    fn rest_over(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Look\" as s0\n    state \"Is it urgent\" as s1\n",
        "    state \"Call\" as s2\n    state \"Rest\" as s3\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2 : $.urgent = #34;true#34;\n    s1 --> s3 : otherwise\n",
        "    s2 --> [*] : (ends the execution)\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s2 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s3 wait\n"
    );
}
