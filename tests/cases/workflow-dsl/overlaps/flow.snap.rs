// Generated from `flow.workflow-dsl.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `overlaps` of `flow.workflow-dsl.yaml`.
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
pub mod overlaps {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, deadline, jq, operation, workflow_dsl};

    /// The workflow `overlaps`.
    pub struct Overlaps;

    impl Overlaps {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Overlaps, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `overlaps`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `overlaps`",
        label = "the trait `overlaps::Tasks` is not implemented for this type",
        note = "flow.workflow-dsl.yaml:2:1: the workflow is defined here",
        note = "write `impl overlaps::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `Call`, invoked by `Call` (`flow.workflow-dsl.yaml:23`).
        fn call(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.call(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Overlaps {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "overlaps",
        dialect: "workflow-dsl",
        source: "flow.workflow-dsl.yaml",
        hash: 7112202136089375120,
        workflow_id: Some(rt::WorkflowId { id: "overlaps", version: None, is_child: false }),
        longest_task_seconds: Some(1.0),
        events: &[
            rt::EventInfo::new("Any").kind("t"),
            rt::EventInfo::new("Ours").kind("t").source("/s"),
            rt::EventInfo::new("Plain").kind("e"),
            rt::EventInfo::new("Filtered").kind("e"),
        ],
        starts_on: Some(rt::StartsOn::new("Both", &[1, 0]).sequence(&[1, 0])),
        states: &[
            rt::StateInfo::new("Both", "message", 5, &["Either"]),
            rt::StateInfo::new("Either", "message", 10, &["Nothing"]),
            rt::StateInfo::new("Nothing", "operation", 16, &["No member"]),
            rt::StateInfo::new("No member", "operation", 17, &["Call"]),
            rt::StateInfo::new("Call", "operation", 19, &[]),
        ],
        tasks: &[&CALL],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CALL: rt::Task =
        rt::Task::new(0, "Call", "DELETE https://example.com/orders/${ .order }", "Call", 23).operation(&OPERATION_1);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Both(Value),
        Both2(Value),
        Either(Value),
        Either2(Value, Value),
        Either3(Value),
        Either4(Value),
        Call(Value, Value),
        Call2(Value, Value),
        Call3(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (Both(data), "Both", "Both", 7662745259808997186),
            (Both2(data), "Both #2", "Both", 12902554232008939295),
            (Either(data), "Either", "Either", 7664434109669550832),
            (Either2(data, payload), "Either #2", "Either", 10340801540090217352),
            (Either3(data), "Either #3", "Either", 14041328441246253974),
            (Either4(data), "Either #4", "Either", 7187011411486192051),
            (Call(close_of_try, data), "Call", "Call", 1925404694998961618),
            (Call2(close_of_try, data), "Call #2", "Call", 5772198059779960819),
            (Call3(close_of_try, data), "Call #3", "Call", 14366604943960930048),
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
                (State::Both(data), Ok(result)) => both_ours_received(data, result, turn),
                (State::Both(_), Err(fault)) => both_failed(fault, turn),
                (State::Both2(data), Ok(result)) => both_any_received(data, result, turn),
                (State::Both2(_), Err(fault)) => both_failed(fault, turn),
                (State::Either(data), Ok(result)) => either_received(data, result, turn),
                (State::Either(_), Err(fault)) => either_failed(fault, turn),
                (State::Either2(data, payload), Ok(_)) => either_one_sent(data, payload, turn),
                (State::Either2(_, _), Err(fault)) => either_failed(fault, turn),
                (State::Either3(data), Ok(_)) => either_two_sent(data, turn),
                (State::Either3(_), Err(fault)) => either_failed(fault, turn),
                (State::Either4(data), Ok(_)) => either_two_sent2(data, turn),
                (State::Either4(_), Err(fault)) => either_failed(fault, turn),
                (State::Call(close_of_try, data), Ok(result)) => call_done(data, close_of_try, result, turn),
                (State::Call(_, _), Err(fault)) => call_failed(fault, turn),
                (State::Call2(close_of_try, data), _) => call_over(data, close_of_try, turn),
                (State::Call3(close_of_try, data), Ok(_)) => call_sent(data, close_of_try, turn),
                (State::Call3(_, _), Err(fault)) => call_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = workflow_dsl::input(data);
        both(data, turn)
    }

    /// `Both`, `flow.workflow-dsl.yaml:5`.
    fn both(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Both", &data);
        turn.receive(&[1]);
        rt::wait(State::Both(data))
    }

    /// `Both`, `flow.workflow-dsl.yaml:5`: Continues with an event or after the wait.
    fn both_ours_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let data = workflow_dsl::with_result(data, &rt::object([("ours", payload)]));
        turn.receive(&[0]);
        rt::wait(State::Both2(data))
    }

    /// `Both`, `flow.workflow-dsl.yaml:5`: Continues with an event or after the wait.
    fn both_any_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let data = workflow_dsl::with_result(data, &rt::object([("any", payload)]));
        either(data, turn)
    }

    /// `Both`, `flow.workflow-dsl.yaml:5`: Retries or catches a fault.
    fn both_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Both", fault.output()));
        }
        Err(fault)
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`.
    fn either(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Either", &data);
        turn.receive(&[2, 3]);
        rt::wait(State::Either(data))
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Continues with an event or after the wait.
    fn either_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        if workflow_dsl::is_event(&event, &["2"], turn) {
            let data = workflow_dsl::with_result(data, &payload);
            either_heard(data, event, turn)
        } else {
            let data = workflow_dsl::with_result(data, &rt::object([("filtered", payload)]));
            either_heard(data, event, turn)
        }
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Continues within the state.
    fn either_heard(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if workflow_dsl::is_event(&event, &["2"], turn) {
            let payload = rt::object([("at", either_message_data(&data, jq::time(turn)))]);
            turn.send(const { &rt::EventInfo::new("One").subject("One") }, payload.clone());
            rt::wait(State::Either2(data, payload))
        } else {
            turn.send(const { &rt::EventInfo::new("Two").subject("Two") }, data.clone());
            rt::wait(State::Either4(data))
        }
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Continues after the event was published.
    fn either_one_sent(data: Value, payload: Value, turn: &mut Turn) -> TurnResult {
        turn.send(const { &rt::EventInfo::new("Two").subject("Two") }, payload);
        rt::wait(State::Either3(data))
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Continues after the event was published.
    fn either_two_sent(data: Value, turn: &mut Turn) -> TurnResult {
        nothing(data, turn)
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Retries or catches a fault.
    fn either_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Either", fault.output()));
        }
        Err(fault)
    }

    /// `Either`, `flow.workflow-dsl.yaml:10`: Continues after the event was published.
    fn either_two_sent2(data: Value, turn: &mut Turn) -> TurnResult {
        nothing(data, turn)
    }

    /// `Nothing`, `flow.workflow-dsl.yaml:16`.
    fn nothing(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nothing", &data);
        let activity_data = data.clone();
        let output = match rt::attempt(|| Ok(nothing_output_filter(&activity_data)?)) {
            Ok(value) => value,
            Err(fault) => {
                let fault = turn.locate(fault);
                if fault.is_catchable() {
                    return Err(workflow_dsl::failed("Nothing", fault.output()));
                }
                return Err(fault);
            }
        };
        let data = workflow_dsl::merge(data, output);
        no_member(data, turn)
    }

    /// `No member`, `flow.workflow-dsl.yaml:17`.
    fn no_member(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("No member", &data);
        let activity_data = data.clone();
        let output = match workflow_dsl::merged(&activity_data, &["receipt"]) {
            Ok(value) => value,
            Err(fault) => {
                let fault = turn.locate(fault);
                if fault.is_catchable() {
                    return Err(workflow_dsl::failed("No member", fault.output()));
                }
                return Err(fault);
            }
        };
        let data = workflow_dsl::merge(data, output);
        call(data, turn)
    }

    /// `Call`, `flow.workflow-dsl.yaml:19`.
    fn call(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Call", &data);
        let close_of_try = deadline::in_seconds(1.0, turn);
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("DELETE")),
                (
                    "url",
                    workflow_dsl::address(&[&rt::string("https://example.com/orders/"), &call_address(&data)?], "tv")?,
                ),
                ("query", rt::object([("why", call_query_parameter(&data)?)])),
                ("headers", rt::object([])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return call_failed(fault, turn),
        };
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&CALL, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Call(close_of_try, data))
    }

    /// `Call`, `flow.workflow-dsl.yaml:19`: Continues with the result of the task.
    fn call_done(data: Value, close_of_try: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let data = workflow_dsl::with_result(data, workflow_dsl::member(&response, "body"));
        let time = deadline::earlier(deadline::in_seconds(0.5, turn), &close_of_try);
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::Call2(close_of_try, data))
    }

    /// `Call`, `flow.workflow-dsl.yaml:19`: Continues after the wait.
    fn call_over(data: Value, close_of_try: Value, turn: &mut Turn) -> TurnResult {
        let close_of_try = match deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 1 s", turn)
        {
            Ok(value) => value,
            Err(fault) => return call_failed(fault, turn),
        };
        turn.send(const { &rt::EventInfo::new("One").subject("One") }, data.clone());
        rt::wait(State::Call3(close_of_try, data))
    }

    /// `Call`, `flow.workflow-dsl.yaml:19`: Continues after the event was published.
    fn call_sent(data: Value, close_of_try: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 1 s", turn) {
            return call_failed(fault, turn);
        }
        rt::done(data)
    }

    /// `Call`, `flow.workflow-dsl.yaml:19`: Retries or catches a fault.
    fn call_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Call", fault.output()));
        }
        Err(fault)
    }

    /// `now`
    fn either_message_data(_: &Value, now: f64) -> Value {
        Value::Float(now)
    }

    /// `.receipt`
    fn nothing_output_filter(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "receipt")?.clone())
    }

    /// `.order`
    fn call_address(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "order")?.clone())
    }

    /// `.why`
    fn call_query_parameter(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "why")?.clone())
    }

    static OPERATION_1: rt::Operation =
        rt::Operation::Http(operation::Http::new("DELETE", "https://example.com/orders/").goes_on());

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Both\" as s0\n    s0 : waits for Ours\n",
        "    s0 : waits for Any\n    state \"Either\" as s1\n    s1 : sends One\n",
        "    s1 : sends Two\n    s1 : sends Two\n    s1 : waits for Plain or Filtered\n",
        "    state \"Nothing\" as s2\n    state \"No member\" as s3\n    state \"Call\" as s4\n",
        "    [*] --> s0 : on event Ours or Any\n    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n",
        "    s3 --> s4\n    s4 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s4 task\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0,s1 event\n"
    );
}
