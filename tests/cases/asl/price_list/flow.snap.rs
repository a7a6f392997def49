// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `price_list` of `flow.asl.json`.
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
pub mod price_list {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, asl, jsonata};

    /// The workflow `price_list`: Publishes the prices of a list, in batches, and lists what
    /// was published.
    pub struct PriceList;

    impl PriceList {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<PriceList, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `price_list`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `price_list`",
        label = "the trait `price_list::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl price_list::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `publish-prices`, invoked by `Publish` (`flow.asl.json:34`).
        fn publish_prices(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `announce`, invoked by `Announce` (`flow.asl.json:50`).
        fn announce(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.publish_prices(input, cx)),
                1 => rt::task_future(tasks.announce(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for PriceList {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "price_list",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 529556146760356480,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("PickCurrency", "Pass", 6, &["EachPrice"]),
            rt::StateInfo::new("EachPrice", "Map", 11, &["Announce", "Apologize"]),
            rt::StateInfo::new("Announce", "Task", 50, &[]),
            rt::StateInfo::new("Apologize", "Fail", 51, &[]),
            rt::StateInfo::new("Publish", "Task", 32, &[]),
        ],
        tasks: &[&PUBLISH, &ANNOUNCE],
        maps: &[rt::DistributedMap::new("EachPrice", "Prices", 0)
            .selector(1)
            .reader(rt::ReaderKind::GetObject)
            .writer()],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PUBLISH: rt::Task = rt::Task::new(0, "publish-prices", "publish-prices", "Publish", 34);
    static ANNOUNCE: rt::Task = rt::Task::new(1, "announce", "announce", "Announce", 50);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        EachPriceEntryPublish(Value),
        EachPriceEntryItemSelector(Value),
        EachPrice(Option<Value>),
        Announce,
        Publish,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (EachPriceEntryPublish(input), "EachPrice entry Publish", "", 3736688280224215270),
            (EachPriceEntryItemSelector(element), "EachPrice entry ItemSelector", "", 17140121287228190346),
            (EachPrice(currency), "EachPrice", "EachPrice", 1349244972492239918),
            (Announce, "Announce", "Announce", 14695981039346656037),
            (Publish, "Publish", "Publish", 4872807029698924484),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn entry(number: u32, item: &Value) -> Option<State> {
            match number {
                0 => Some(State::EachPriceEntryPublish(item.clone())),
                1 => Some(State::EachPriceEntryItemSelector(item.clone())),
                _ => None,
            }
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::EachPriceEntryPublish(input) => each_price_entry_publish(input, turn),
                State::EachPriceEntryItemSelector(element) => each_price_entry_item_selector(element, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::EachPrice(currency), Ok(result)) => each_price_joined(currency, result, turn),
                (State::EachPrice(_), Err(fault)) => each_price_failed(fault, turn),
                (State::Announce, Ok(result)) => announce_done(result),
                (State::Publish, Ok(result)) => publish_done(result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        pick_currency(d, turn)
    }

    /// `PickCurrency`, `flow.asl.json:6`.
    fn pick_currency(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("PickCurrency", &d);
        let (currency, at_once) =
            (Some(pick_currency_assign_currency(Some(&d), turn)?), Some(pick_currency_assign_at_once(Some(&d), turn)?));
        each_price(d, at_once, currency, turn)
    }

    /// `EachPrice`, `flow.asl.json:11`.
    fn each_price(d: Value, at_once: Option<Value>, currency: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("EachPrice", &d);
        let settings = match rt::attempt(|| {
            Ok(rt::object([
                (
                    "reader",
                    rt::object([
                        ("Bucket", each_price_item_reader_arguments_bucket(Some(&d), turn)?),
                        ("Key", rt::string("prices.json")),
                    ]),
                ),
                ("config", rt::object([("InputType", rt::string("JSON")), ("ItemsPointer", rt::string("/prices"))])),
                (
                    "batcher",
                    rt::object([(
                        "MaxItemsPerBatch",
                        jsonata::batch_limit(
                            &each_price_item_batcher_max_items_per_batch(at_once.as_ref(), turn)?,
                            "ItemBatcher/MaxItemsPerBatch",
                        )?,
                    )]),
                ),
                (
                    "writer",
                    rt::object([
                        (
                            "Parameters",
                            rt::object([
                                ("Bucket", each_price_result_writer_arguments_bucket(Some(&d), turn)?),
                                ("Prefix", rt::string("published")),
                            ]),
                        ),
                        ("WriterConfig", LITERAL_1.clone()),
                    ]),
                ),
                (
                    "tolerated_percentage",
                    jsonata::tolerated_percentage(
                        &each_price_tolerated_failure_percentage(Some(&d), turn)?,
                        "ToleratedFailurePercentage",
                    )?
                    .clone(),
                ),
                (
                    "scope",
                    rt::array([
                        rt::object([("State", asl::element_member(&turn.context(), "State").clone())]),
                        asl::captured(currency.as_ref()),
                    ]),
                ),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return each_price_failed(fault, turn),
        };
        turn.call_map(0, settings);
        rt::wait(State::EachPrice(currency))
    }

    /// `EachPrice`, `flow.asl.json:11`: Continues with the result of the executions.
    fn each_price_joined(currency: Option<Value>, result: Value, turn: &mut Turn) -> TurnResult {
        let d = match rt::attempt(|| Ok(each_price_output(Some(&result), turn)?)) {
            Ok(value) => value,
            Err(fault) => return each_price_failed(fault, turn),
        };
        announce(d, currency, turn)
    }

    /// `EachPrice`, `flow.asl.json:11`: Retries or catches a fault.
    fn each_price_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ExceedToleratedFailureThreshold"]) {
            let result = fault.output();
            let d = each_price_catch_0_output(Some(&result), turn)?;
            return apologize(d, turn);
        }
        Err(fault)
    }

    /// `Announce`, `flow.asl.json:50`.
    fn announce(d: Value, currency: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Announce", &d);
        let request = rt::object([
            ("where", announce_arguments_where(Some(&d), turn)?),
            ("currency", announce_arguments_currency(currency.as_ref(), turn)?),
        ]);
        turn.invoke(&ANNOUNCE, request).timeout_seconds(60.0);
        rt::wait(State::Announce)
    }

    /// `Announce`, `flow.asl.json:50`: Continues with the result of the task.
    fn announce_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Apologize`, `flow.asl.json:51`.
    fn apologize(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Apologize", &d);
        Err(Fault::from_parts(Some(rt::string("NoPrices")), Some(apologize_cause(Some(&d), turn)?)))
    }

    /// The start of the item processor of `EachPrice`.
    fn each_price_entry_publish(input: Value, turn: &mut Turn) -> TurnResult {
        publish(input, turn)
    }

    /// `Publish`, `flow.asl.json:32`.
    fn publish(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Publish", &d);
        let request = publish_arguments(Some(&d), turn)?;
        turn.invoke(&PUBLISH, request).timeout_seconds(60.0);
        rt::wait(State::Publish)
    }

    /// `Publish`, `flow.asl.json:32`: Continues with the result of the task.
    fn publish_done(result: Value, turn: &mut Turn) -> TurnResult {
        rt::done(publish_output(Some(&result), turn)?)
    }

    /// The start of the item selector of `EachPrice`.
    fn each_price_entry_item_selector(element: Value, turn: &mut Turn) -> TurnResult {
        let context = asl::item_context(&element, 0);
        rt::done(rt::object([
            ("name", each_price_item_selector_name(Some(&context), turn)?),
            ("price", each_price_item_selector_price(Some(&context), asl::variable_in_scope(&element, 1), turn)?),
            ("number", each_price_item_selector_number(Some(&context), turn)?),
            ("from", each_price_item_selector_from(Some(&context), turn)?),
            ("state", each_price_item_selector_state(Some(&context), turn)?),
        ]))
    }

    /// `$states.input.currency`
    fn pick_currency_assign_currency(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.currency", "Assign/currency", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["currency"], run))
    }

    /// `$states.input.at_once`
    fn pick_currency_assign_at_once(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.at_once", "Assign/at_once", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["at_once"], run))
    }

    /// `$states.input.bucket`
    fn each_price_item_reader_arguments_bucket(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.bucket", "ItemReader/Arguments/Bucket", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["bucket"], run))
    }

    /// `$at_once`
    fn each_price_item_batcher_max_items_per_batch(at_once: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$at_once", "ItemBatcher/MaxItemsPerBatch", 1);
        jsonata::number(&EXPRESSION, turn, |_| Ok(jsonata::of(at_once)))
    }

    /// `$states.input.bucket`
    fn each_price_result_writer_arguments_bucket(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.bucket", "ResultWriter/Arguments/Bucket", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["bucket"], run))
    }

    /// `$states.input.tolerated`
    fn each_price_tolerated_failure_percentage(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.tolerated", "ToleratedFailurePercentage", 2);
        jsonata::number(&EXPRESSION, turn, |run| jsonata::find(input, &["tolerated"], run))
    }

    /// `$states.result.ResultWriterDetails.Bucket`
    fn each_price_output(result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.result.ResultWriterDetails.Bucket", "Output", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(result, &["ResultWriterDetails", "Bucket"], run))
    }

    /// `$states.errorOutput.Error`
    fn each_price_catch_0_output(error_output: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.errorOutput.Error", "Catch[0]/Output", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(error_output, &["Error"], run))
    }

    /// `$states.input`
    fn announce_arguments_where(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input", "Arguments/where", 2);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(input)))
    }

    /// `$currency`
    fn announce_arguments_currency(currency: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$currency", "Arguments/currency", 1);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(currency)))
    }

    /// `$states.input`
    fn apologize_cause(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new("$states.input", "Cause", 2);
        jsonata::string(&EXPRESSION, turn, |_| Ok(jsonata::of(input)))
    }

    /// `$states.input.Items.(name & ': ' & price)`
    fn publish_arguments(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.Items.(name & ': ' & price)", "Arguments", 6);
        jsonata::value(&EXPRESSION, turn, |run| {
            let mut results = jsonata::Results::new();
            for item in jsonata::items_of(jsonata::find_steps(input, &["Items"], run)?) {
                run.step()?;
                results.push(jsonata::concatenate(
                    &jsonata::concatenate(&jsonata::walk(&item, &["name"], run)?, &jsonata::text(": "), run)?,
                    &jsonata::walk(&item, &["price"], run)?,
                    run,
                )?);
            }
            results.last_step(run)
        })
    }

    /// `{ 'published': $states.result }`
    fn publish_output(result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("{ 'published': $states.result }", "Output", 3);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::object([("published", jsonata::of(result))], run))
    }

    /// `$states.context.Map.Item.Key`
    fn each_price_item_selector_name(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.Map.Item.Key", "ItemSelector/name", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["Map", "Item", "Key"], run))
    }

    /// `$string($states.context.Map.Item.Value) & ' ' & $currency`
    fn each_price_item_selector_price(
        context: Option<&Value>,
        currency: Option<&Value>,
        turn: &mut Turn,
    ) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new(
            "$string($states.context.Map.Item.Value) & ' ' & $currency",
            "ItemSelector/price",
            5,
        );
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::concatenate(
                &jsonata::concatenate(
                    &jsonata::functions::string(&[jsonata::find(context, &["Map", "Item", "Value"], run)?], run)?,
                    &jsonata::text(" "),
                    run,
                )?,
                &jsonata::of(currency),
                run,
            )
        })
    }

    /// `$states.context.Map.Item.Index + 1`
    fn each_price_item_selector_number(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.Map.Item.Index + 1", "ItemSelector/number", 3);
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::add(&jsonata::find(context, &["Map", "Item", "Index"], run)?, &jsonata::int(1))
        })
    }

    /// `$states.context.Map.Item.Source`
    fn each_price_item_selector_from(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.Map.Item.Source", "ItemSelector/from", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["Map", "Item", "Source"], run))
    }

    /// `$states.context.State.Name`
    fn each_price_item_selector_state(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.State.Name", "ItemSelector/state", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["State", "Name"], run))
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{\"OutputType\":\"JSONL\",\"Transformation\":\"COMPACT\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"PickCurrency\" as s0\n    state \"EachPrice\" as s1 {\n",
        "        state \"an execution for each batch\" as s2 {\n",
        "            state \"Publish\" as s3\n            [*] --> s3\n            s3 --> [*]\n",
        "        }\n    }\n    state \"Announce\" as s4\n    state \"Apologize\" as s5\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s4\n",
        "    s1 --> s5 : catch States.ExceedToleratedFailureThreshold\n    s4 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s3,s4 task\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s5 fail\n"
    );
}
