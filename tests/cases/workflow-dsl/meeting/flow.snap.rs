// Generated from `flow.workflow-dsl.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `meeting` of `flow.workflow-dsl.yaml`.
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
pub mod meeting {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, jq, operation, workflow_dsl};

    /// The workflow `meeting`.
    pub struct Meeting;

    impl Meeting {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Meeting, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `meeting`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `meeting`",
        label = "the trait `meeting::Tasks` is not implemented for this type",
        note = "flow.workflow-dsl.yaml:1:1: the workflow is defined here",
        note = "write `impl meeting::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `greet both`, invoked by `All here` (`flow.workflow-dsl.yaml:10`).
        fn greet_both(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `greet Carl`, invoked by `All here` (`flow.workflow-dsl.yaml:13`).
        fn greet_carl(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.greet_both(input, cx)),
                1 => rt::task_future(tasks.greet_carl(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Meeting {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "meeting",
        dialect: "workflow-dsl",
        source: "flow.workflow-dsl.yaml",
        hash: 16037659959755305772,
        workflow_id: Some(rt::WorkflowId { id: "meeting", version: None, is_child: false }),
        events: &[
            rt::EventInfo::new("Ann").subject("Ann").any_case(),
            rt::EventInfo::new("Bob").subject("Bob").any_case(),
            rt::EventInfo::new("Carl").subject("Carl").any_case(),
            rt::EventInfo::new("Over").kind("meeting.over").source("/clock"),
            rt::EventInfo::new("Note").subject("Note").any_case(),
        ],
        states: &[
            rt::StateInfo::new("All here", "message", 4, &["Agenda"]),
            rt::StateInfo::new("Agenda", "inject", 15, &["Activity 3"]),
            rt::StateInfo::new("Activity 3", "operation", 19, &["Over"]),
            rt::StateInfo::new("Over", "message", 21, &["Nothing"]),
            rt::StateInfo::new("Nothing", "message", 26, &["Note"]),
            rt::StateInfo::new("Note", "message", 27, &[]),
        ],
        tasks: &[&ALL_HERE, &ALL_HERE2],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ALL_HERE: rt::Task =
        rt::Task::new(0, "greet both", "POST ${ .host }/greet", "All here", 10).operation(&OPERATION_1);
    static ALL_HERE2: rt::Task =
        rt::Task::new(1, "greet Carl", "GET ${ .host }/greet/${ .carl }?loud=true", "All here", 13)
            .operation(&OPERATION_2);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AllHere(Value, Value),
        AllHere2(Value, Value),
        AllHere3(Value, Value),
        AllHere4(Value, Value),
        AllHere5(Value, Value),
        Activity3(Value),
        Over(Value, Value),
        Nothing(Value),
        Note(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (AllHere(data, input), "All here", "All here", 5931055684227329362),
            (AllHere2(data, input), "All here #2", "All here", 7879668375632836851),
            (AllHere3(data, input), "All here #3", "All here", 11939977208696019840),
            (AllHere4(activity_data, data), "All here #4", "All here", 11635114821864521289),
            (AllHere5(activity_data, data), "All here #5", "All here", 1559186685650642414),
            (Activity3(data), "Activity 3", "Activity 3", 11163295431466945752),
            (Over(data, input), "Over", "Over", 13901650254755452379),
            (Nothing(data), "Nothing", "Nothing", 11163295431466945752),
            (Note(data), "Note", "Note", 11163295431466945752),
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
                (State::AllHere(data, input), Ok(result)) => all_here_ann_received(data, input, result, turn),
                (State::AllHere(_, _), Err(fault)) => all_here_failed(fault, turn),
                (State::AllHere2(data, input), Ok(result)) => all_here_bob_received(data, input, result, turn),
                (State::AllHere2(_, _), Err(fault)) => all_here_failed(fault, turn),
                (State::AllHere3(data, input), Ok(result)) => all_here_carl_received(data, input, result, turn),
                (State::AllHere3(_, _), Err(fault)) => all_here_failed(fault, turn),
                (State::AllHere4(activity_data, data), Ok(result)) => {
                    all_here_greet_both_done(data, activity_data, result, turn)
                }
                (State::AllHere4(_, _), Err(fault)) => all_here_failed(fault, turn),
                (State::AllHere5(activity_data, data), Ok(result)) => {
                    all_here_greet_carl_done(data, activity_data, result, turn)
                }
                (State::AllHere5(_, _), Err(fault)) => all_here_failed(fault, turn),
                (State::Activity3(data), Ok(_)) => activity_3_sent(data, turn),
                (State::Activity3(_), Err(fault)) => activity_3_failed(fault, turn),
                (State::Over(data, input), Ok(result)) => over_received(data, input, result, turn),
                (State::Over(_, _), Err(fault)) => over_failed(fault, turn),
                (State::Nothing(data), Ok(result)) => nothing_received(data, result, turn),
                (State::Nothing(_), Err(fault)) => nothing_failed(fault, turn),
                (State::Note(data), Ok(result)) => note_received(data, result),
                (State::Note(_), Err(fault)) => note_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = workflow_dsl::input(data);
        all_here(data, turn)
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`.
    fn all_here(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("All here", &data);
        let input = rt::object([
            ("host", workflow_dsl::member(&data, "host").clone()),
            ("wishes", workflow_dsl::member(&data, "wishes").clone()),
        ]);
        turn.receive(&[0]);
        rt::wait(State::AllHere(data, input))
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Continues with an event or after the wait.
    fn all_here_ann_received(data: Value, input: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let input = workflow_dsl::with_result(input, &rt::object([("ann", payload)]));
        turn.receive(&[1]);
        rt::wait(State::AllHere2(data, input))
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Continues with an event or after the wait.
    fn all_here_bob_received(data: Value, input: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let input = workflow_dsl::with_result(input, &rt::object([("bob", payload)]));
        turn.receive(&[2]);
        rt::wait(State::AllHere3(data, input))
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Continues with an event or after the wait.
    fn all_here_carl_received(data: Value, input: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let activity_data = workflow_dsl::with_result(input, &rt::object([("carl", payload)]));
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("POST")),
                ("url", workflow_dsl::address(&[&all_here_address(&activity_data)?, &rt::string("/greet")], "st")?),
                ("query", rt::object([])),
                ("headers", rt::object([])),
                ("body", all_here_argument(&activity_data)?),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return all_here_failed(fault, turn),
        };
        turn.invoke(&ALL_HERE, request);
        rt::wait(State::AllHere4(activity_data, data))
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Continues with the result of the task.
    fn all_here_greet_both_done(data: Value, activity_data: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("GET")),
                (
                    "url",
                    workflow_dsl::address(
                        &[
                            &all_here_address(&activity_data)?,
                            &rt::string("/greet/"),
                            &all_here_address2(&activity_data)?,
                            &rt::string("?loud=true"),
                        ],
                        "stvt",
                    )?,
                ),
                ("query", rt::object([])),
                ("headers", rt::object([])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return all_here_failed(fault, turn),
        };
        turn.invoke(&ALL_HERE2, request);
        rt::wait(State::AllHere5(activity_data, data))
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Continues with the result of the task.
    fn all_here_greet_carl_done(data: Value, activity_data: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        let output = rt::object([("greeted", workflow_dsl::member(&activity_data, "both").clone())]);
        let data = workflow_dsl::merge(data, output);
        agenda(data, turn)
    }

    /// `All here`, `flow.workflow-dsl.yaml:4`: Retries or catches a fault.
    fn all_here_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("All here", fault.output()));
        }
        Err(fault)
    }

    /// `Agenda`, `flow.workflow-dsl.yaml:15`.
    fn agenda(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Agenda", &data);
        let activity_data = data.clone();
        let activity_data = workflow_dsl::merge(activity_data, LITERAL_1.clone());
        let output = rt::object([("all", activity_data)]);
        let data = workflow_dsl::merge(data, output);
        activity_3(data, turn)
    }

    /// `Activity 3`, `flow.workflow-dsl.yaml:19`.
    fn activity_3(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Activity 3", &data);
        let payload = match rt::attempt(|| {
            Ok(rt::object([
                ("at", activity_3_message_data(&data)?),
                ("with", rt::array([activity_3_message_data2(&data)?, Value::Int(2)])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return activity_3_failed(fault, turn),
        };
        turn.send(const { &rt::EventInfo::new("Begun").subject("Begun") }, payload);
        rt::wait(State::Activity3(data))
    }

    /// `Activity 3`, `flow.workflow-dsl.yaml:19`: Continues after the event was published.
    fn activity_3_sent(data: Value, turn: &mut Turn) -> TurnResult {
        over(data, turn)
    }

    /// `Activity 3`, `flow.workflow-dsl.yaml:19`: Retries or catches a fault.
    fn activity_3_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Activity 3", fault.output()));
        }
        Err(fault)
    }

    /// `Over`, `flow.workflow-dsl.yaml:21`.
    fn over(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Over", &data);
        let input = data.clone();
        turn.receive(&[3]);
        rt::wait(State::Over(data, input))
    }

    /// `Over`, `flow.workflow-dsl.yaml:21`: Continues with an event or after the wait.
    fn over_received(data: Value, input: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let activity_data =
            match rt::attempt(|| Ok(workflow_dsl::with_result(input, &over_message_input_filter(&payload)?))) {
                Ok(value) => value,
                Err(fault) => return over_failed(fault, turn),
            };
        let output = rt::object([("over", workflow_dsl::member(&activity_data, "over").clone())]);
        let data = workflow_dsl::merge(data, output);
        nothing(data, turn)
    }

    /// `Over`, `flow.workflow-dsl.yaml:21`: Retries or catches a fault.
    fn over_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Over", fault.output()));
        }
        Err(fault)
    }

    /// `Nothing`, `flow.workflow-dsl.yaml:26`.
    fn nothing(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nothing", &data);
        turn.receive(&[4]);
        rt::wait(State::Nothing(data))
    }

    /// `Nothing`, `flow.workflow-dsl.yaml:26`: Continues with an event or after the wait.
    fn nothing_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let data = workflow_dsl::with_result(data, &payload);
        note(data, turn)
    }

    /// `Nothing`, `flow.workflow-dsl.yaml:26`: Retries or catches a fault.
    fn nothing_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Nothing", fault.output()));
        }
        Err(fault)
    }

    /// `Note`, `flow.workflow-dsl.yaml:27`.
    fn note(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Note", &data);
        turn.receive(&[4]);
        rt::wait(State::Note(data))
    }

    /// `Note`, `flow.workflow-dsl.yaml:27`: Continues with an event or after the wait.
    fn note_received(data: Value, event: Value) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        rt::done(workflow_dsl::with_result(data, &payload))
    }

    /// `Note`, `flow.workflow-dsl.yaml:27`: Retries or catches a fault.
    fn note_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Note", fault.output()));
        }
        Err(fault)
    }

    /// `.host`
    fn all_here_address(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "host")?.clone())
    }

    /// `[.ann, .bob]`
    fn all_here_argument(input: &Value) -> jq::Result<Value> {
        Ok(rt::array([jq::get(input, "ann")?.clone(), jq::get(input, "bob")?.clone()]))
    }

    /// `.carl`
    fn all_here_address2(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "carl")?.clone())
    }

    /// `.all.agenda.first`
    fn activity_3_message_data(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(jq::get(jq::get(input, "all")?, "agenda")?, "first")?.clone())
    }

    /// `.greeted`
    fn activity_3_message_data2(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "greeted")?.clone())
    }

    /// `. | {over: .why}`
    fn over_message_input_filter(input: &Value) -> jq::Result<Value> {
        Ok(rt::object([("over", jq::get(input, "why")?.clone())]))
    }

    static LITERAL_1: rt::Literal =
        rt::Literal::new("{\"agenda\":{\"first\":\"minutes\",\"second\":[\"budget\"]},\"both\":1}");
    static OPERATION_1: rt::Operation = rt::Operation::Http(operation::Http::new("POST", "").goes_on());
    static OPERATION_2: rt::Operation = rt::Operation::Http(operation::Http::new("GET", "").goes_on());

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"All here\" as s0\n    s0 : greet both\n",
        "    s0 : greet Carl\n    s0 : waits for Ann\n    s0 : waits for Bob\n",
        "    s0 : waits for Carl\n    state \"Agenda\" as s1\n    state \"Activity 3\" as s2\n",
        "    state \"Over\" as s3\n    s3 : waits for Over\n    state \"Nothing\" as s4\n",
        "    s4 : waits for Note\n    state \"Note\" as s5\n    s5 : waits for Note\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n    s2 --> s3 : sends Begun\n",
        "    s3 --> s4\n    s4 --> s5\n    s5 --> [*]\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0,s3,s4,s5 event\n"
    );
}
