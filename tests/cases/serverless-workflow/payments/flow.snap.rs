// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `payments` of `flow.serverless-workflow.json`.
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
pub mod payments {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, deadline, jq, jsonpath, serverless_workflow, spel};

    /// The workflow `payments`: An order is charged, waited for and packed.
    pub struct Payments;

    impl Payments {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Payments, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `payments`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `payments`",
        label = "the trait `payments::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl payments::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `askClerk`, invoked by `Clerk` (`flow.serverless-workflow.json:15`).
        fn ask_clerk(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `charge`, invoked by `Charge` (`flow.serverless-workflow.json:16`).
        fn charge(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `pack`, invoked by `Ship` (`flow.serverless-workflow.json:17`).
        fn pack(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.ask_clerk(input, cx)),
                1 => rt::task_future(tasks.charge(input, cx)),
                2 => rt::task_future(tasks.pack(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Payments {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "payments",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 6248592585039615289,
        workflow_id: Some(rt::WorkflowId { id: "payments", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        events: &[
            rt::EventInfo::new("OrderPlaced").kind("shop.order").source("/shop").correlation("orderid"),
            rt::EventInfo::new("ClerkDecided").kind("clerk.decision").source("/clerk").correlation("orderid"),
            rt::EventInfo::new("MoneyCame").kind("bank.money").source("/bank").correlation("orderid"),
            rt::EventInfo::new("Cancelled").kind("shop.cancelled").source("/shop").correlation("orderid"),
        ],
        correlation: Some(rt::Correlation { attributes: &["orderid"], read: None }),
        starts_on: Some(rt::StartsOn::new("Order", &[0])),
        states: &[
            rt::StateInfo::new("Order", "event", 21, &["Sum"]),
            rt::StateInfo::new("Sum", "switch", 28, &["Clerk", "Charge", "Refused"]),
            rt::StateInfo::new("Clerk", "callback", 37, &["Decided"]),
            rt::StateInfo::new("Decided", "switch", 46, &["Charge", "Refused"]),
            rt::StateInfo::new("Charge", "operation", 54, &["Money", "Refused"]),
            rt::StateInfo::new("Money", "switch", 77, &["Refused", "Ship"]),
            rt::StateInfo::new("Ship", "operation", 87, &["Done"]),
            rt::StateInfo::new("Done", "inject", 98, &[]),
            rt::StateInfo::new("Refused", "inject", 104, &[]),
        ],
        tasks: &[&CLERK, &CHARGE, &SHIP],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CLERK: rt::Task = rt::Task::new(0, "askClerk", "clerks", "Clerk", 15);
    static CHARGE: rt::Task = rt::Task::new(1, "charge", "cards", "Charge", 16);
    static SHIP: rt::Task = rt::Task::new(2, "pack", "store", "Ship", 17);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Order(Value),
        Clerk(Value),
        Clerk2(Value),
        ChargeRetry(Value, rt::BlockRetries),
        Charge(Value, Value, rt::BlockRetries),
        Money(Value),
        Ship(Value),
        Ship2(Value),
        Done(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (Order(data), "Order", "Order", 11163295431466945752),
            (Clerk(data), "Clerk", "Clerk", 7662745259808997186),
            (Clerk2(data), "Clerk #2", "Clerk", 12902554232008939295),
            (ChargeRetry(kept, tries), "Charge retry", "Charge", 9356966988073314386),
            (Charge(data, kept, tries), "Charge", "Charge", 1980496721727182483),
            (Money(data), "Money", "Money", 11163295431466945752),
            (Ship(data), "Ship", "Ship", 7662745259808997186),
            (Ship2(data), "Ship #2", "Ship", 12902554232008939295),
            (Done(data), "Done", "Done", 11163295431466945752),
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
                (State::Order(data), Ok(result)) => order_received(data, result, turn),
                (State::Clerk(data), Ok(result)) => clerk_done(data, result, turn),
                (State::Clerk2(data), Ok(result)) => clerk_received(data, result, turn),
                (State::ChargeRetry(kept, tries), _) => charge_try(kept, tries, turn),
                (State::Charge(data, kept, tries), Ok(result)) => charge_done(data, kept, tries, result, turn),
                (State::Charge(data, kept, tries), Err(fault)) => charge_failed(data, kept, tries, fault, turn),
                (State::Money(data), Ok(result)) => money_received(data, result, turn),
                (State::Ship(data), Ok(result)) => ship_done(data, result, turn),
                (State::Ship2(data), Ok(_)) => ship_sent(data, turn),
                (State::Done(data), Ok(_)) => done_sent(data),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        order(data, turn)
    }

    /// `Order`, `flow.serverless-workflow.json:21`.
    fn order(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Order", &data);
        turn.receive(&[0]);
        rt::wait(State::Order(data))
    }

    /// `Order`, `flow.serverless-workflow.json:21`: Continues with an event or after the wait.
    fn order_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let event_data = serverless_workflow::event_data(&event);
        let data = serverless_workflow::with(data, event_data, "OrderPlaced");
        sum(data, turn)
    }

    /// `Sum`, `flow.serverless-workflow.json:28`.
    fn sum(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum", &data);
        if serverless_workflow::compares(
            data.get(jsonpath::Through("order")).get(jsonpath::Through("total")),
            "greaterthan",
            "1000",
        ) {
            clerk(data, turn)
        } else if jsonpath::jayway_matches(
            data.get(jsonpath::Through("order")).get(jsonpath::Through("country")),
            "[A-Z]{2}",
        ) {
            charge(data, turn)
        } else {
            refused(data, turn)
        }
    }

    /// `Clerk`, `flow.serverless-workflow.json:37`.
    fn clerk(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Clerk", &data);
        let request = rt::object([
            (
                "sum",
                serverless_workflow::or_null(data.get(jsonpath::Through("order")).get(jsonpath::Through("total")))
                    .clone(),
            ),
            ("note", rt::string("$5.00 each")),
        ]);
        turn.invoke(&CLERK, request);
        rt::wait(State::Clerk(data))
    }

    /// `Clerk`, `flow.serverless-workflow.json:37`: Continues with the result of the task.
    fn clerk_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "askClerk");
        let until = deadline::in_seconds(7200.0, turn);
        turn.receive(&[1]).until(rt::timestamp(&until)?);
        rt::wait(State::Clerk2(data))
    }

    /// `Clerk`, `flow.serverless-workflow.json:37`: Continues with an event or after the wait.
    fn clerk_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if serverless_workflow::is_null(&event) {
            decided(data, turn)
        } else {
            let event_data = serverless_workflow::event_data(&event);
            let event_view = serverless_workflow::event_view(&event);
            let data = serverless_workflow::with_selected(
                data,
                event_view.get(jsonpath::Through("decision")),
                &event_data,
                "decision",
                &["decision"],
            );
            decided(data, turn)
        }
    }

    /// `Decided`, `flow.serverless-workflow.json:46`.
    fn decided(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Decided", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("approved")), "equals", "true") {
            charge(data, turn)
        } else {
            refused(data, turn)
        }
    }

    /// `Charge`, `flow.serverless-workflow.json:54`.
    fn charge(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Charge", &data);
        let tries = turn.begin_retry_block();
        charge_try(data, tries, turn)
    }

    /// `Charge`, `flow.serverless-workflow.json:54`: One attempt.
    fn charge_try(kept: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let data = kept.clone();
        let request = rt::object([
            (
                "sum",
                serverless_workflow::or_null(data.get(jsonpath::Through("order")).get(jsonpath::Through("total")))
                    .clone(),
            ),
            (
                "cards",
                rt::array([
                    serverless_workflow::or_null(data.get(jsonpath::Through("order")).get(jsonpath::Through("card")))
                        .clone(),
                    serverless_workflow::or_null(data.get(jsonpath::Through("order")).get(jsonpath::Through("other")))
                        .clone(),
                ]),
            ),
        ]);
        turn.invoke(&CHARGE, request);
        rt::wait(State::Charge(data, kept, tries))
    }

    /// `Charge`, `flow.serverless-workflow.json:54`: Continues with the result of the task.
    fn charge_done(data: Value, kept: Value, tries: rt::BlockRetries, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("receipt")),
            &result,
            "receipt",
            &["receipt"],
        );
        if serverless_workflow::has_new_error(&kept, &data)
            && spel::equals(
                data.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                Some(&rt::string("Busy")),
            )
        {
            if let Err(fault) = serverless_workflow::refuse_results(&data, "Charge") {
                return charge_failed(data, kept, tries, fault, turn);
            }
            money(data, turn)
        } else {
            money(data, turn)
        }
    }

    /// `Charge`, `flow.serverless-workflow.json:54`: Retries or catches a fault.
    fn charge_failed(
        data: Value,
        kept: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&tries, 1);
            let error = serverless_workflow::error(fault.output(), "Charge", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if !serverless_workflow::is_null(&error)
                && spel::equals(
                    seen.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                    Some(&rt::string("Busy")),
                ) {
                if turn.retry_block(CHARGE_RETRY, &mut tries, &fault) {
                    return rt::wait(State::ChargeRetry(kept, tries));
                }
                charge_handle(data, fault, error, seen, turn)
            } else {
                charge_handle(data, fault, error, seen, turn)
            };
        }
        Err(fault)
    }

    /// `Charge`, `flow.serverless-workflow.json:54`: Continues within the state.
    fn charge_handle(data: Value, fault: Fault, error: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        if spel::equals(Some(serverless_workflow::or_null(error.get("name"))), Some(&rt::string("Declined")))
            || spel::matches(seen.get(jsonpath::Through("exception")).get(jsonpath::Through("name")), "Card[A-Z].*")?
        {
            let error_data = serverless_workflow::error_data(&error);
            let data = serverless_workflow::with_selected(
                data,
                error_data.get(jsonpath::Through("error")).get(jsonpath::Through("message")),
                &error,
                "message",
                &["error", "message"],
            );
            refused(data, turn)
        } else {
            Err(fault)
        }
    }

    /// `Money`, `flow.serverless-workflow.json:77`.
    fn money(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Money", &data);
        let until = deadline::in_seconds(86400.0, turn);
        turn.receive(&[2, 3]).until(rt::timestamp(&until)?);
        rt::wait(State::Money(data))
    }

    /// `Money`, `flow.serverless-workflow.json:77`: Continues with an event or after the wait.
    fn money_received(data: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if serverless_workflow::is_null(&event) {
            refused(data, turn)
        } else {
            if serverless_workflow::is_event(&event, &["2"], turn) {
                let event_data = serverless_workflow::event_data(&event);
                let data = serverless_workflow::with(data, event_data, "MoneyCame");
                ship(data, turn)
            } else {
                let event_data2 = serverless_workflow::event_data(&event);
                let event_view = serverless_workflow::event_view(&event);
                let data = serverless_workflow::with_selected(
                    data,
                    event_view.get(jsonpath::Through("why")),
                    &event_data2,
                    "why",
                    &["why"],
                );
                refused(data, turn)
            }
        }
    }

    /// `Ship`, `flow.serverless-workflow.json:87`.
    fn ship(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ship", &data);
        let action_data = serverless_workflow::filtered(data.get(jsonpath::Through("order")), &data).clone();
        turn.invoke(&SHIP, action_data);
        rt::wait(State::Ship(data))
    }

    /// `Ship`, `flow.serverless-workflow.json:87`: Continues with the result of the task.
    fn ship_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "pack");
        if ship_expression(&data)? {
            let value = rt::object([
                (
                    "id",
                    serverless_workflow::or_null(data.get(jsonpath::Through("order")).get(jsonpath::Through("id")))
                        .clone(),
                ),
                ("by", rt::string("mail")),
            ]);
            turn.send(const { &rt::EventInfo::new("store.shipped").source("/store") }, value);
            rt::wait(State::Ship2(data))
        } else {
            Err(serverless_workflow::guard("Ship", ".packed == true and .order.id > 0", &data))
        }
    }

    /// `Ship`, `flow.serverless-workflow.json:87`: Continues after the event was published.
    fn ship_sent(data: Value, turn: &mut Turn) -> TurnResult {
        done(data, turn)
    }

    /// `Done`, `flow.serverless-workflow.json:98`.
    fn done(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &data);
        let data = serverless_workflow::injected(data, LITERAL_1.clone());
        let data = serverless_workflow::filtered(data.get(jsonpath::Through("order")), &data).clone();
        let value = serverless_workflow::filtered(data.get(jsonpath::Through("id")), &data).clone();
        turn.send(const { &rt::EventInfo::new("shop.receipt").source("/shop") }, value);
        rt::wait(State::Done(data))
    }

    /// `Done`, `flow.serverless-workflow.json:98`: Continues after the event was published.
    fn done_sent(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Refused`, `flow.serverless-workflow.json:104`.
    fn refused(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Refused", &data);
        rt::done(serverless_workflow::injected(data, LITERAL_2.clone()))
    }

    /// `.packed == true and .order.id > 0`
    fn ship_expression(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "packed")?, &Value::Bool(true))
            && jq::gt(jq::get(jq::get(input, "order")?, "id")?, &Value::Int(0)))
    }

    static CHARGE_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 60.0, 3, 1.0).increment_seconds(120.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"done\":true}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"refused\":true}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Order\" as s0\n    s0 : waits for OrderPlaced\n",
        "    state \"Sum\" as s1\n    state \"Clerk\" as s2\n    s2 : askClerk\n",
        "    s2 : waits for ClerkDecided (at most 2 h)\n    state \"Decided\" as s3\n",
        "    state \"Charge\" as s4\n    state \"Money\" as s5\n",
        "    s5 : waits for MoneyCame or Cancelled (at most 1 d)\n    state \"Ship\" as s6\n",
        "    state \"Done\" as s7\n    state \"Refused\" as s8\n",
        "    [*] --> s0 : on event OrderPlaced\n    s0 --> s1\n",
        "    s1 --> s2 : $.order.total #62; 1000\n",
        "    s1 --> s4 : $.order.country =#126; /[A-Z]{2}/\n    s1 --> s8 : otherwise\n",
        "    s2 --> s3\n    s3 --> s4 : $.approved = #34;true#34;\n    s3 --> s8 : otherwise\n",
        "    s4 --> s5\n",
        "    s4 --> s8 : catch $.error.name = #34;Declined#34; or $.exception.name matches #34;Ca",
        "rd[A-Z].#42;#34;\n    s5 --> s8 : time-out<br/>or event Cancelled\n",
        "    s5 --> s6 : event MoneyCame\n",
        "    s6 --> s7 : .packed == true and .order.id #62; 0, sends store.shipped\n",
        "    s7 --> [*] : sends shop.receipt\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s4,s6 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1,s3,s5 choice\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s0,s2 event\n"
    );
}
