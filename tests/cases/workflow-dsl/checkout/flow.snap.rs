// Generated from `flow.workflow-dsl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `checkout` of `flow.workflow-dsl.json`.
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
pub mod checkout {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, deadline, jq, operation, workflow_dsl};

    /// The workflow `checkout`.
    pub struct Checkout;

    impl Checkout {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Checkout, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `checkout`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `checkout`",
        label = "the trait `checkout::Tasks` is not implemented for this type",
        note = "flow.workflow-dsl.json:1:1: the workflow is defined here",
        note = "write `impl checkout::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `look up`, invoked by `Process checkout` (`flow.workflow-dsl.json:33`).
        fn look_up(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `check out`, invoked by `Process checkout` (`flow.workflow-dsl.json:39`).
        fn check_out(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.look_up(input, cx)),
                1 => rt::task_future(tasks.check_out(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Checkout {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "checkout",
        dialect: "workflow-dsl",
        source: "flow.workflow-dsl.json",
        hash: 12870279176177505864,
        workflow_id: Some(rt::WorkflowId { id: "checkout", version: Some("1.0"), is_child: false }),
        longest_task_seconds: Some(10.0),
        events: &[
            rt::EventInfo::new("OrderPlaced").kind("shop.order.placed"),
            rt::EventInfo::new("Paid").kind("shop.paid").source("/bank"),
            rt::EventInfo::new("Cancelled").subject("Cancelled").any_case(),
        ],
        starts_on: Some(rt::StartsOn::new("Order placed", &[0])),
        states: &[
            rt::StateInfo::new("Sorry", "inject", 13, &[]),
            rt::StateInfo::new("Order placed", "message", 19, &["Process checkout"]),
            rt::StateInfo::new("Process checkout", "operation", 24, &["Paid or cancelled"]),
            rt::StateInfo::new("Paid or cancelled", "message", 48, &["Who is it"]),
            rt::StateInfo::new("Who is it", "switch", 63, &["Accepted", "Visa", "Sorry"]),
            rt::StateInfo::new("Visa", "subFlow", 73, &[]),
            rt::StateInfo::new("Accepted", "inject", 81, &[]),
        ],
        tasks: &[&PROCESS_CHECKOUT, &PROCESS_CHECKOUT2],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PROCESS_CHECKOUT: rt::Task =
        rt::Task::new(0, "look up", "GET https://shop.example.com/carts/${ .order.cart }", "Process checkout", 33)
            .operation(&OPERATION_1);
    static PROCESS_CHECKOUT2: rt::Task =
        rt::Task::new(1, "check out", "POST https://shop.example.com/checkout", "Process checkout", 39)
            .operation(&OPERATION_2);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        OrderPlaced(Value),
        ProcessCheckout(Value),
        ProcessCheckoutRetry(Value, rt::BlockRetries),
        ProcessCheckout2(Value, Value, Value, rt::BlockRetries),
        ProcessCheckout3(Value, Value, rt::BlockRetries),
        ProcessCheckout4(Value),
        PaidOrCancelled(Value),
        PaidOrCancelled2(Value),
        PaidOrCancelled3(Value),
        PaidOrCancelled4(Value),
        Visa(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (OrderPlaced(data), "Order placed", "Order placed", 11163295431466945752),
            (ProcessCheckout(data), "Process checkout", "Process checkout", 6650550608432573874),
            (ProcessCheckoutRetry(data, tries), "Process checkout retry", "Process checkout", 8617454252091147290),
            (
                ProcessCheckout2(activity_data, close_of_try, data, tries),
                "Process checkout #2",
                "Process checkout",
                4895906193162621957
            ),
            (
                ProcessCheckout3(activity_data, data, tries),
                "Process checkout #3",
                "Process checkout",
                10612065427278966977
            ),
            (ProcessCheckout4(data), "Process checkout #4", "Process checkout", 1991520861669964229),
            (PaidOrCancelled(data), "Paid or cancelled", "Paid or cancelled", 7664434109669550832),
            (PaidOrCancelled2(data), "Paid or cancelled #2", "Paid or cancelled", 12896361782519990293),
            (PaidOrCancelled3(data), "Paid or cancelled #3", "Paid or cancelled", 14041328441246253974),
            (PaidOrCancelled4(data), "Paid or cancelled #4", "Paid or cancelled", 7187011411486192051),
            (Visa(activity_data, data), "Visa", "Visa", 5241076381216963091),
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
                (State::OrderPlaced(data), Ok(result)) => order_placed_received(data, result, turn),
                (State::OrderPlaced(_), Err(fault)) => order_placed_failed(fault, turn),
                (State::ProcessCheckout(data), _) => process_checkout_over(data, turn),
                (State::ProcessCheckoutRetry(data, tries), _) => process_checkout_try(data, tries, turn),
                (State::ProcessCheckout2(activity_data, close_of_try, data, tries), Ok(result)) => {
                    process_checkout_look_up_done(data, activity_data, close_of_try, tries, result, turn)
                }
                (State::ProcessCheckout2(_, _, data, tries), Err(fault)) => {
                    process_checkout_failed(data, tries, fault, turn)
                }
                (State::ProcessCheckout3(activity_data, data, tries), Ok(result)) => {
                    process_checkout_check_out_done(data, activity_data, tries, result, turn)
                }
                (State::ProcessCheckout3(_, data, tries), Err(fault)) => {
                    process_checkout_failed(data, tries, fault, turn)
                }
                (State::ProcessCheckout4(data), _) => paid_or_cancelled(data, turn),
                (State::PaidOrCancelled(data), Ok(result)) => paid_or_cancelled_received(data, result, turn),
                (State::PaidOrCancelled(_), Err(fault)) => paid_or_cancelled_failed(fault, turn),
                (State::PaidOrCancelled2(data), Ok(_)) => paid_or_cancelled_shop_thanks_sent(data, turn),
                (State::PaidOrCancelled2(_), Err(fault)) => paid_or_cancelled_failed(fault, turn),
                (State::PaidOrCancelled3(data), Ok(_)) => paid_or_cancelled_shop_refused_sent(data, turn),
                (State::PaidOrCancelled3(_), Err(fault)) => paid_or_cancelled_failed(fault, turn),
                (State::PaidOrCancelled4(data), Ok(_)) => paid_or_cancelled_logged_sent(data, turn),
                (State::PaidOrCancelled4(_), Err(fault)) => paid_or_cancelled_failed(fault, turn),
                (State::Visa(activity_data, data), Ok(result)) => visa_done(data, activity_data, result),
                (State::Visa(_, _), Err(fault)) => visa_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = workflow_dsl::input(data);
        order_placed(data, turn)
    }

    /// `Sorry`, `flow.workflow-dsl.json:13`.
    fn sorry(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sorry", &data);
        let data = workflow_dsl::merge(data, LITERAL_1.clone());
        rt::done(rt::object([
            ("order", workflow_dsl::member(&data, "order").clone()),
            ("verdict", workflow_dsl::member(&data, "verdict").clone()),
            ("receipt", workflow_dsl::member(&data, "receipt").clone()),
        ]))
    }

    /// `Order placed`, `flow.workflow-dsl.json:19`.
    fn order_placed(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Order placed", &data);
        turn.receive(&[0]);
        rt::wait(State::OrderPlaced(data))
    }

    /// `Order placed`, `flow.workflow-dsl.json:19`: Continues with an event or after the wait.
    fn order_placed_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        let data = workflow_dsl::with_result(data, &rt::object([("order", payload)]));
        process_checkout(data, turn)
    }

    /// `Order placed`, `flow.workflow-dsl.json:19`: Retries or catches a fault.
    fn order_placed_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Order placed", fault.output()));
        }
        Err(fault)
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`.
    fn process_checkout(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Process checkout", &data);
        turn.sleep_seconds(15.0);
        rt::wait(State::ProcessCheckout(data))
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: Continues after the wait.
    fn process_checkout_over(data: Value, turn: &mut Turn) -> TurnResult {
        let tries = turn.begin_retry_block();
        process_checkout_try(data, tries, turn)
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: One attempt.
    fn process_checkout_try(data: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let close_of_try = deadline::in_seconds(10.0, turn);
        let activity_data = data.clone();
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("GET")),
                (
                    "url",
                    workflow_dsl::address(
                        &[&rt::string("https://shop.example.com/carts/"), &process_checkout_address(&activity_data)?],
                        "tv",
                    )?,
                ),
                ("query", rt::object([("currency", rt::string("EUR")), ("full", Value::Bool(true))])),
                ("headers", rt::object([])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return process_checkout_failed(data, tries, fault, turn),
        };
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&PROCESS_CHECKOUT, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::ProcessCheckout2(activity_data, close_of_try, data, tries))
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: Continues with the result of the task.
    fn process_checkout_look_up_done(
        data: Value,
        activity_data: Value,
        close_of_try: Value,
        tries: rt::BlockRetries,
        answer: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("POST")),
                ("url", rt::string("https://shop.example.com/checkout")),
                ("query", rt::object([])),
                ("headers", rt::object([("X-Lang", process_checkout_header(&activity_data)?)])),
                (
                    "body",
                    rt::object([
                        ("id", process_checkout_argument(&activity_data)?),
                        ("items", process_checkout_argument2(&activity_data)?),
                        (
                            "note",
                            workflow_dsl::text(&[
                                &rt::string("for "),
                                &process_checkout_argument3(&activity_data)?,
                                &rt::string(", aged "),
                                &process_checkout_argument4(&activity_data)?,
                            ])?,
                        ),
                    ]),
                ),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return process_checkout_failed(data, tries, fault, turn),
        };
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&PROCESS_CHECKOUT2, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::ProcessCheckout3(activity_data, data, tries))
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: Continues with the result of the task.
    fn process_checkout_check_out_done(
        data: Value,
        activity_data: Value,
        tries: rt::BlockRetries,
        answer: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        let output = match rt::attempt(|| Ok(process_checkout_output_filter(&activity_data, &response)?)) {
            Ok(value) => value,
            Err(fault) => return process_checkout_failed(data, tries, fault, turn),
        };
        let data = workflow_dsl::merge(data, output);
        turn.sleep_seconds(1.0);
        rt::wait(State::ProcessCheckout4(data))
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: Retries or catches a fault.
    fn process_checkout_failed(data: Value, mut tries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            if turn.retry_block(PROCESS_CHECKOUT_RETRY, &mut tries, &fault) {
                return rt::wait(State::ProcessCheckoutRetry(data, tries));
            }
            return process_checkout_failed2(fault, turn);
        }
        process_checkout_failed2(fault, turn)
    }

    /// `Process checkout`, `flow.workflow-dsl.json:24`: Retries or catches a fault.
    fn process_checkout_failed2(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Process checkout", fault.output()));
        }
        Err(fault)
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`.
    fn paid_or_cancelled(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Paid or cancelled", &data);
        turn.receive(&[1, 2]);
        rt::wait(State::PaidOrCancelled(data))
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Continues with an event or after the
    /// wait.
    fn paid_or_cancelled_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let payload = workflow_dsl::payload(&event);
        if workflow_dsl::is_event(&event, &["1"], turn) {
            let data = workflow_dsl::with_result(data, &rt::object([("payment", payload)]));
            paid_or_cancelled_heard(data, event, turn)
        } else {
            let data = workflow_dsl::with_result(data, &payload);
            paid_or_cancelled_heard(data, event, turn)
        }
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Continues within the state.
    fn paid_or_cancelled_heard(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if workflow_dsl::is_event(&event, &["1"], turn) {
            let payload = match rt::attempt(|| Ok(paid_or_cancelled_message_data(&data)?)) {
                Ok(value) => value,
                Err(fault) => return paid_or_cancelled_failed(fault, turn),
            };
            turn.send(const { &rt::EventInfo::new("shop.thanks").source("/shop").subject("Thanks") }, payload);
            rt::wait(State::PaidOrCancelled2(data))
        } else {
            let value = rt::object([("order", workflow_dsl::member(&data, "order").clone())]);
            turn.send(const { &rt::EventInfo::new("shop.refused").subject("Refused") }, value);
            rt::wait(State::PaidOrCancelled3(data))
        }
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Continues after the event was
    /// published.
    fn paid_or_cancelled_shop_thanks_sent(data: Value, turn: &mut Turn) -> TurnResult {
        who_is_it(data, turn)
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Retries or catches a fault.
    fn paid_or_cancelled_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Paid or cancelled", fault.output()));
        }
        Err(fault)
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Continues after the event was
    /// published.
    fn paid_or_cancelled_shop_refused_sent(data: Value, turn: &mut Turn) -> TurnResult {
        let value = match rt::attempt(|| Ok(process_checkout_argument(&data)?)) {
            Ok(value) => value,
            Err(fault) => return paid_or_cancelled_failed(fault, turn),
        };
        turn.send(const { &rt::EventInfo::new("Logged").subject("Logged") }, value);
        rt::wait(State::PaidOrCancelled4(data))
    }

    /// `Paid or cancelled`, `flow.workflow-dsl.json:48`: Continues after the event was
    /// published.
    fn paid_or_cancelled_logged_sent(data: Value, turn: &mut Turn) -> TurnResult {
        who_is_it(data, turn)
    }

    /// `Who is it`, `flow.workflow-dsl.json:63`.
    fn who_is_it(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Who is it", &data);
        match rt::attempt(|| Ok(who_is_it_condition(&data)?)) {
            Ok(true) => {
                return rt::done(rt::object([
                    ("order", workflow_dsl::member(&data, "order").clone()),
                    ("verdict", workflow_dsl::member(&data, "verdict").clone()),
                    ("receipt", workflow_dsl::member(&data, "receipt").clone()),
                ]));
            }
            Ok(false) => {}
            Err(fault) => return who_is_it_failed(fault, turn),
        }
        match rt::attempt(|| Ok(who_is_it_condition2(&data)?)) {
            Ok(true) => return accepted(data, turn),
            Ok(false) => {}
            Err(fault) => return who_is_it_failed(fault, turn),
        }
        match rt::attempt(|| Ok(who_is_it_condition3(&data)?)) {
            Ok(true) => return visa(data, turn),
            Ok(false) => {}
            Err(fault) => return who_is_it_failed(fault, turn),
        }
        sorry(data, turn)
    }

    /// `Who is it`, `flow.workflow-dsl.json:63`: Retries or catches a fault.
    fn who_is_it_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Who is it", fault.output()));
        }
        Err(fault)
    }

    /// `Visa`, `flow.workflow-dsl.json:73`.
    fn visa(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Visa", &data);
        let activity_data = rt::object([("applicant", workflow_dsl::member(&data, "order").clone())]);
        turn.call("approved-visa@2.0", activity_data.clone());
        rt::wait(State::Visa(activity_data, data))
    }

    /// `Visa`, `flow.workflow-dsl.json:73`: Continues with the output of the execution.
    fn visa_done(data: Value, activity_data: Value, result: Value) -> TurnResult {
        let activity_data = workflow_dsl::with_result(activity_data, &result);
        let output = rt::object([("verdict", workflow_dsl::member(&activity_data, "verdict").clone())]);
        let data = workflow_dsl::merge(data, output);
        rt::done(rt::object([
            ("order", workflow_dsl::member(&data, "order").clone()),
            ("verdict", workflow_dsl::member(&data, "verdict").clone()),
            ("receipt", workflow_dsl::member(&data, "receipt").clone()),
        ]))
    }

    /// `Visa`, `flow.workflow-dsl.json:73`: Retries or catches a fault.
    fn visa_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Visa", fault.output()));
        }
        Err(fault)
    }

    /// `Accepted`, `flow.workflow-dsl.json:81`.
    fn accepted(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Accepted", &data);
        let data = workflow_dsl::merge(data, LITERAL_2.clone());
        rt::done(rt::object([
            ("order", workflow_dsl::member(&data, "order").clone()),
            ("verdict", workflow_dsl::member(&data, "verdict").clone()),
            ("receipt", workflow_dsl::member(&data, "receipt").clone()),
        ]))
    }

    /// `.order.cart`
    fn process_checkout_address(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(jq::get(input, "order")?, "cart")?.clone())
    }

    /// `.lang`
    fn process_checkout_header(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "lang")?.clone())
    }

    /// `.order.id`
    fn process_checkout_argument(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(jq::get(input, "order")?, "id")?.clone())
    }

    /// `.items`
    fn process_checkout_argument2(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "items")?.clone())
    }

    /// `.order.name`
    fn process_checkout_argument3(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(jq::get(input, "order")?, "name")?.clone())
    }

    /// `.order.age`
    fn process_checkout_argument4(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(jq::get(input, "order")?, "age")?.clone())
    }

    /// `. | {receipt: .number, status: $response.status}`
    fn process_checkout_output_filter(input: &Value, response: &Value) -> jq::Result<Value> {
        Ok(rt::object([
            ("receipt", jq::get(input, "number")?.clone()),
            ("status", jq::get(response, "status")?.clone()),
        ]))
    }

    /// `{to: .order.name, sum: .payment.sum}`
    fn paid_or_cancelled_message_data(input: &Value) -> jq::Result<Value> {
        Ok(rt::object([
            ("to", jq::get(jq::get(input, "order")?, "name")?.clone()),
            ("sum", jq::get(jq::get(input, "payment")?, "sum")?.clone()),
        ]))
    }

    /// `.cancelled`
    fn who_is_it_condition(input: &Value) -> jq::Result<bool> {
        Ok(rt::is_true(jq::get(input, "cancelled")?))
    }

    /// `.order | .age >= 18`
    fn who_is_it_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::ge(jq::get(jq::get(input, "order")?, "age")?, &Value::Int(18)))
    }

    /// `.order.visa == "approved"`
    fn who_is_it_condition3(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(jq::get(input, "order")?, "visa")?, &rt::string("approved")))
    }

    static PROCESS_CHECKOUT_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 2.0, 2, 1.2).max_delay_seconds(60.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"verdict\":{\"accepted\":false,\"reason\":\"no visa\"}}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"verdict\":{\"accepted\":true}}");
    static OPERATION_1: rt::Operation =
        rt::Operation::Http(operation::Http::new("GET", "https://shop.example.com/carts/").goes_on());
    static OPERATION_2: rt::Operation = rt::Operation::Http(
        operation::Http::new("POST", "https://shop.example.com/checkout").secrets(&[operation::SecretHeader::new(
            "authorization",
            "Bearer ",
            "token",
        )]),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Sorry\" as s0\n    state \"Order placed\" as s1\n",
        "    s1 : waits for OrderPlaced\n    state \"Process checkout\" as s2\n",
        "    state \"Paid or cancelled\" as s3\n    s3 : sends Thanks\n    s3 : sends Refused\n",
        "    s3 : sends Logged\n    s3 : waits for Paid or Cancelled\n",
        "    state \"Who is it\" as s4\n    state \"Visa\" as s5\n    s5 : approved-visa@2.0\n",
        "    state \"Accepted\" as s6\n    [*] --> s1 : on event OrderPlaced\n    s0 --> [*]\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> [*] : .cancelled\n",
        "    s4 --> s6 : .order | .age #62;= 18\n",
        "    s4 --> s5 : .order.visa == #34;approved#34;\n    s4 --> s0 : otherwise\n",
        "    s5 --> [*]\n    s6 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s4 choice\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s1,s3 event\n",
        "    classDef call fill:#e0e7ff,stroke:#4f46e5,color:#111827,stroke-dasharray:8 3 2 3\n",
        "    class s5 call\n"
    );
}
