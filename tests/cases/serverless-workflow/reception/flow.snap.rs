// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `reception` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod reception {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, jsonpath, serverless_workflow};

    /// The workflow `reception`.
    pub struct Reception;

    impl Reception {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Reception, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `reception`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `reception`",
        label = "the trait `reception::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl reception::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `audit`, invoked by `Wait for a customer` (`flow.serverless-workflow.json:7`).
        fn audit(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `greet`, invoked by `Wait for a customer` (`flow.serverless-workflow.json:6`).
        fn greet(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.audit(input, cx)),
                1 => rt::task_future(tasks.greet(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Reception {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "reception",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 2869645512918241967,
        workflow_id: Some(rt::WorkflowId { id: "reception", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        events: &[rt::EventInfo::new("CustomerArrived").kind("shop.arrival").source("/door")],
        starts_on: Some(rt::StartsOn::new("Wait for a customer", &[0])),
        states: &[rt::StateInfo::new("Wait for a customer", "event", 11, &[])],
        tasks: &[&WAIT_FOR_A_CUSTOMER, &WAIT_FOR_A_CUSTOMER2],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static WAIT_FOR_A_CUSTOMER: rt::Task = rt::Task::new(0, "audit", "desk/audit", "Wait for a customer", 7);
    static WAIT_FOR_A_CUSTOMER2: rt::Task = rt::Task::new(1, "greet", "desk/greet", "Wait for a customer", 6);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        WaitForACustomer(Value),
        WaitForACustomer2(Value, Value),
        WaitForACustomer3(Value),
        WaitForACustomer4(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (WaitForACustomer(data), "Wait for a customer", "Wait for a customer", 7664434109669550832),
            (WaitForACustomer2(data, event), "Wait for a customer #2", "Wait for a customer", 6124223198909288402),
            (WaitForACustomer3(data), "Wait for a customer #3", "Wait for a customer", 14041328441246253974),
            (WaitForACustomer4(data), "Wait for a customer #4", "Wait for a customer", 7187011411486192051),
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
                (State::WaitForACustomer(data), Ok(result)) => wait_for_a_customer_received(data, result, turn),
                (State::WaitForACustomer2(data, event), Ok(result)) => {
                    wait_for_a_customer_audit_done(data, event, result, turn)
                }
                (State::WaitForACustomer3(data), Ok(result)) => wait_for_a_customer_greet_done(data, result, turn),
                (State::WaitForACustomer4(data), Ok(result)) => wait_for_a_customer_audit_done2(data, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        wait_for_a_customer(data, turn)
    }

    /// `Wait for a customer`, `flow.serverless-workflow.json:11`.
    fn wait_for_a_customer(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Wait for a customer", &data);
        turn.receive(&[0]);
        rt::wait(State::WaitForACustomer(data))
    }

    /// `Wait for a customer`, `flow.serverless-workflow.json:11`: Continues with an event or
    /// after the wait.
    fn wait_for_a_customer_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::filtered(
            data.get(jsonpath::Through("phrases")).get(jsonpath::Through("hello")),
            &data,
        )
        .clone();
        let event_data = serverless_workflow::event_data(&event);
        let event_view = serverless_workflow::event_view(&event);
        let data = serverless_workflow::with_selected(
            data,
            event_view.get(jsonpath::Through("visitor")),
            &event_data,
            "visitor",
            &["visitor"],
        );
        turn.invoke(&WAIT_FOR_A_CUSTOMER, data.clone());
        rt::wait(State::WaitForACustomer2(data, event))
    }

    /// `Wait for a customer`, `flow.serverless-workflow.json:11`: Continues with the result of
    /// the task.
    fn wait_for_a_customer_audit_done(data: Value, event: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "audit");
        let parameters = serverless_workflow::with_event(data.clone(), &event);
        let request = rt::object([
            ("greeting", serverless_workflow::or_null(parameters.get(jsonpath::Through("spanish"))).clone()),
            ("to", serverless_workflow::or_null(parameters.get(jsonpath::Through("name"))).clone()),
        ]);
        turn.invoke(&WAIT_FOR_A_CUSTOMER2, request);
        rt::wait(State::WaitForACustomer3(data))
    }

    /// `Wait for a customer`, `flow.serverless-workflow.json:11`: Continues with the result of
    /// the task.
    fn wait_for_a_customer_greet_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("finalGreeting")),
            &result,
            "finalGreeting",
            &["finalGreeting"],
        );
        turn.invoke(&WAIT_FOR_A_CUSTOMER, data.clone());
        rt::wait(State::WaitForACustomer4(data))
    }

    /// `Wait for a customer`, `flow.serverless-workflow.json:11`: Continues with the result of
    /// the task.
    fn wait_for_a_customer_audit_done2(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with(data, result, "audit");
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("finalGreeting")), &data).clone())
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Wait for a customer\" as s0\n    s0 : audit\n",
        "    s0 : greet\n    s0 : waits for CustomerArrived\n",
        "    [*] --> s0 : on event CustomerArrived\n    s0 --> [*]\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0 event\n"
    );
}
