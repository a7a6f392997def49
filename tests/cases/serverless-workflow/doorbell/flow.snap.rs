// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `doorbell` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod doorbell {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, jsonpath, serverless_workflow};

    /// The workflow `doorbell`.
    pub struct Doorbell;

    impl Doorbell {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Doorbell, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `doorbell`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `doorbell`",
        label = "the trait `doorbell::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl doorbell::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `announce`, invoked by `At the door` (`flow.serverless-workflow.json:5`).
        fn announce(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.announce(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Doorbell {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "doorbell",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 17625446503402582582,
        workflow_id: Some(rt::WorkflowId { id: "doorbell", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        events: &[rt::EventInfo::new("BellRang").kind("house.bell").source("/door")],
        starts_on: Some(rt::StartsOn::new("At the door", &[0])),
        states: &[rt::StateInfo::new("At the door", "event", 8, &[])],
        tasks: &[&AT_THE_DOOR],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static AT_THE_DOOR: rt::Task = rt::Task::new(0, "announce", "speaker/announce", "At the door", 5);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AtTheDoor(Value),
        AtTheDoor2(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (AtTheDoor(data), "At the door", "At the door", 7662745259808997186),
            (AtTheDoor2(data), "At the door #2", "At the door", 12902554232008939295),
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
                (State::AtTheDoor(data), Ok(result)) => at_the_door_received(data, result, turn),
                (State::AtTheDoor2(data), Ok(result)) => at_the_door_done(data, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        at_the_door(data, turn)
    }

    /// `At the door`, `flow.serverless-workflow.json:8`.
    fn at_the_door(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("At the door", &data);
        turn.receive(&[0]);
        rt::wait(State::AtTheDoor(data))
    }

    /// `At the door`, `flow.serverless-workflow.json:8`: Continues with an event or after the
    /// wait.
    fn at_the_door_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let event_data = serverless_workflow::event_data(&event);
        let event_view = serverless_workflow::event_view(&event);
        let data = serverless_workflow::with_selected(
            data,
            event_view.get(jsonpath::Through("data")).get(jsonpath::Through("visitor")),
            &event_data,
            "visitor",
            &["data", "visitor"],
        );
        let parameters = serverless_workflow::with_event(data.clone(), &event);
        let request = rt::object([
            (
                "who",
                serverless_workflow::or_null(
                    parameters.get(jsonpath::Through("visitor")).get(jsonpath::Through("name")),
                )
                .clone(),
            ),
            ("where", serverless_workflow::or_null(parameters.get(jsonpath::Through("source"))).clone()),
        ]);
        turn.invoke(&AT_THE_DOOR, request);
        rt::wait(State::AtTheDoor2(data))
    }

    /// `At the door`, `flow.serverless-workflow.json:8`: Continues with the result of the
    /// task.
    fn at_the_door_done(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("spoken")),
            &result,
            "spoken",
            &["spoken"],
        );
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("spoken")), &data).clone())
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"At the door\" as s0\n    s0 : announce\n",
        "    s0 : waits for BellRang\n    [*] --> s0 : on event BellRang\n    s0 --> [*]\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0 event\n"
    );
}
