// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `fan_out` of `flow.asl.json`.
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
#[allow(
    clippy::eq_op,
    clippy::nonminimal_bool,
    clippy::overly_complex_bool_expr,
    reason = "conditions are those of their source"
)]
pub mod fan_out {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, asl, jsonata};

    /// The workflow `fan_out`: Sends an offer to each customer, and files the answers in
    /// batches.
    pub struct FanOut;

    impl FanOut {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<FanOut, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `fan_out`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `fan_out`",
        label = "the trait `fan_out::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl fan_out::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `send-offer`, invoked by `SendOffer` (`flow.asl.json:27`).
        fn send_offer(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.send_offer(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for FanOut {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "fan_out",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 14520838704399390606,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("PickOffer", "Pass", 5, &["EachCustomer"]),
            rt::StateInfo::new("EachCustomer", "Map", 10, &["FileAnswers", "GiveUp"]),
            rt::StateInfo::new("FileAnswers", "Map", 34, &[]),
            rt::StateInfo::new("GiveUp", "Fail", 61, &[]),
            rt::StateInfo::new("SendOffer", "Task", 27, &[]),
            rt::StateInfo::new("Count", "Pass", 50, &[]),
        ],
        tasks: &[&SEND_OFFER],
        maps: &[
            rt::DistributedMap::new("EachCustomer", "Offers", 0).selector(1),
            rt::DistributedMap::new("FileAnswers", "FileAnswers", 2).selector(3),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static SEND_OFFER: rt::Task = rt::Task::new(0, "send-offer", "send-offer", "SendOffer", 27);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        EachCustomerEntrySendOffer(Value),
        EachCustomerEntryItemSelector(Value),
        FileAnswersEntryCount(Value),
        FileAnswersEntryItemSelector(Value),
        EachCustomer(Value, Option<Value>),
        FileAnswers,
        SendOffer,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (EachCustomerEntrySendOffer(input), "EachCustomer entry SendOffer", "", 3736688280224215270),
            (EachCustomerEntryItemSelector(element), "EachCustomer entry ItemSelector", "", 17140121287228190346),
            (FileAnswersEntryCount(input), "FileAnswers entry Count", "", 3736688280224215270),
            (FileAnswersEntryItemSelector(element), "FileAnswers entry ItemSelector", "", 17140121287228190346),
            (EachCustomer(d, offer), "EachCustomer", "EachCustomer", 4470463469363021752),
            (FileAnswers, "FileAnswers", "FileAnswers", 14695981039346656037),
            (SendOffer, "SendOffer", "SendOffer", 5614284382611870167),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn entry(number: u32, item: &Value) -> Option<State> {
            match number {
                0 => Some(State::EachCustomerEntrySendOffer(item.clone())),
                1 => Some(State::EachCustomerEntryItemSelector(item.clone())),
                2 => Some(State::FileAnswersEntryCount(item.clone())),
                3 => Some(State::FileAnswersEntryItemSelector(item.clone())),
                _ => None,
            }
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::EachCustomerEntrySendOffer(input) => each_customer_entry_send_offer(input, turn),
                State::EachCustomerEntryItemSelector(element) => each_customer_entry_item_selector(element),
                State::FileAnswersEntryCount(input) => file_answers_entry_count(input, turn),
                State::FileAnswersEntryItemSelector(element) => file_answers_entry_item_selector(element, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::EachCustomer(d, offer), Ok(result)) => each_customer_joined(d, offer, result, turn),
                (State::EachCustomer(_, _), Err(fault)) => each_customer_failed(fault, turn),
                (State::FileAnswers, Ok(result)) => file_answers_joined(result),
                (State::SendOffer, Ok(result)) => send_offer_done(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        pick_offer(d, turn)
    }

    /// `PickOffer`, `flow.asl.json:5`.
    fn pick_offer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("PickOffer", &d);
        let offer = Some(asl::field(&d, &["offer"], "offer.$")?.clone());
        each_customer(d, offer, turn)
    }

    /// `EachCustomer`, `flow.asl.json:10`.
    fn each_customer(d: Value, offer: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("EachCustomer", &d);
        let items = asl::map_items(asl::at(&d, &["customers"]))?.clone();
        let settings = rt::object([
            ("items", items),
            ("concurrency", asl::max_concurrency_path(asl::at(&d, &["at_once"]))?),
            ("tolerated_percentage", Value::Int(50)),
            ("scope", rt::array([asl::captured(offer.as_ref()), d.clone()])),
        ]);
        turn.call_map(0, settings);
        rt::wait(State::EachCustomer(d, offer))
    }

    /// `EachCustomer`, `flow.asl.json:10`: Continues with the result of the executions.
    fn each_customer_joined(mut d: Value, offer: Option<Value>, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["answers"], result) {
            return each_customer_failed(fault, turn);
        }
        file_answers(d, offer, turn)
    }

    /// `EachCustomer`, `flow.asl.json:10`: Retries or catches a fault.
    fn each_customer_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ExceedToleratedFailureThreshold"]) {
            let d = fault.output();
            return give_up(d, turn);
        }
        Err(fault)
    }

    /// `FileAnswers`, `flow.asl.json:34`.
    fn file_answers(d: Value, offer: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("FileAnswers", &d);
        let items = file_answers_items(Some(&d), turn)?;
        let settings = rt::object([
            ("items", items),
            (
                "batcher",
                rt::object([
                    (
                        "BatchInput",
                        rt::object([("offer", file_answers_item_batcher_batch_input_offer(offer.as_ref(), turn)?)]),
                    ),
                    ("MaxItemsPerBatch", Value::Int(2)),
                ]),
            ),
            ("writer", rt::object([("WriterConfig", LITERAL_1.clone())])),
            ("scope", rt::array([rt::object([]), d])),
        ]);
        turn.call_map(1, settings);
        rt::wait(State::FileAnswers)
    }

    /// `FileAnswers`, `flow.asl.json:34`: Continues with the result of the executions.
    fn file_answers_joined(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `GiveUp`, `flow.asl.json:61`.
    fn give_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("GiveUp", &d);
        Err(Fault::from_parts(
            Some(rt::string("Unwanted")),
            Some(asl::fault_string(asl::at(&d, &["Error"]), &d, "CausePath")?.clone()),
        ))
    }

    /// The start of the item processor of `EachCustomer`.
    fn each_customer_entry_send_offer(input: Value, turn: &mut Turn) -> TurnResult {
        send_offer(input, turn)
    }

    /// `SendOffer`, `flow.asl.json:27`.
    fn send_offer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("SendOffer", &d);
        turn.invoke(&SEND_OFFER, d).timeout_seconds(60.0);
        rt::wait(State::SendOffer)
    }

    /// `SendOffer`, `flow.asl.json:27`: Continues with the result of the task.
    fn send_offer_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// The start of the item selector of `EachCustomer`.
    fn each_customer_entry_item_selector(element: Value) -> TurnResult {
        let input = asl::value_in_scope(&element, 1).clone();
        rt::done(rt::object([
            ("customer", asl::element_member(&element, "value").clone()),
            ("number", asl::element_member(&element, "index").clone()),
            ("from", asl::require_field(element.get("source"), &input, "$$.Map.Item.Source", "from.$")?.clone()),
            ("region", asl::field(&input, &["region"], "region.$")?.clone()),
            ("offer", asl::variable(asl::variable_in_scope(&element, 0), "offer")?.clone()),
        ]))
    }

    /// The start of the item processor of `FileAnswers`.
    fn file_answers_entry_count(input: Value, turn: &mut Turn) -> TurnResult {
        count(input, turn)
    }

    /// `Count`, `flow.asl.json:50`.
    fn count(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Count", &d);
        rt::done(rt::object([
            ("offer", count_output_offer(Some(&d), turn)?),
            ("answers", count_output_answers(Some(&d), turn)?),
        ]))
    }

    /// The start of the item selector of `FileAnswers`.
    fn file_answers_entry_item_selector(element: Value, turn: &mut Turn) -> TurnResult {
        let context = asl::item_context(&element, 0);
        let input = asl::value_in_scope(&element, 1).clone();
        rt::done(rt::object([
            ("answer", file_answers_item_selector_answer(Some(&context), turn)?),
            ("region", file_answers_item_selector_region(Some(&input), turn)?),
        ]))
    }

    /// `$states.input.answers`
    fn file_answers_items(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.answers", "Items", 2);
        jsonata::array_or_object(&EXPRESSION, turn, |run| jsonata::find(input, &["answers"], run))
    }

    /// `$offer`
    fn file_answers_item_batcher_batch_input_offer(offer: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$offer", "ItemBatcher/BatchInput/offer", 1);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(offer)))
    }

    /// `$states.input.BatchInput.offer`
    fn count_output_offer(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.BatchInput.offer", "Output/offer", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["BatchInput", "offer"], run))
    }

    /// `$states.input.Items[]`
    fn count_output_answers(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.Items[]", "Output/answers", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find_all(input, &["Items"], run))
    }

    /// `$states.context.Map.Item.Value`
    fn file_answers_item_selector_answer(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.Map.Item.Value", "ItemSelector/answer", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["Map", "Item", "Value"], run))
    }

    /// `$states.input.region`
    fn file_answers_item_selector_region(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.region", "ItemSelector/region", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["region"], run))
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{\"OutputType\":\"JSON\",\"Transformation\":\"COMPACT\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"PickOffer\" as s0\n    state \"EachCustomer\" as s1 {\n",
        "        state \"an execution for each item, $.at_once at a time\" as s2 {\n",
        "            state \"SendOffer\" as s3\n            [*] --> s3\n            s3 --> [*]\n",
        "        }\n    }\n    state \"FileAnswers\" as s4 {\n",
        "        state \"an execution for each batch\" as s5 {\n",
        "            state \"Count\" as s6\n            [*] --> s6\n            s6 --> [*]\n",
        "        }\n    }\n    state \"GiveUp\" as s7\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s4\n    s1 --> s7 : catch States.ExceedToleratedFailureThreshold\n",
        "    s4 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s3 task\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s7 fail\n"
    );
}
