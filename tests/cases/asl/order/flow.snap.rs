// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `order` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod order {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `order`: Takes an order: checks it, charges the card, packs and invoices
    /// side by side, and tells the customer.
    pub struct Order;

    impl Order {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Order, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `order`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `order`",
        label = "the trait `order::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl order::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `CheckOrder`, invoked by `Check Order` (`flow.asl.json:8`).
        fn check_order(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ChargeCard`, invoked by `Charge` (`flow.asl.json:30`).
        fn charge_card(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Pack`, invoked by `Pack` (`flow.asl.json:52`).
        fn pack(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Ship`, invoked by `Ship` (`flow.asl.json:58`).
        fn ship(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Invoice`, invoked by `Invoice` (`flow.asl.json:68`).
        fn invoice(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `sns:publish`, invoked by `Notify` (`flow.asl.json:86`).
        fn sns_publish(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.check_order(input, cx)),
                1 => rt::task_future(tasks.charge_card(input, cx)),
                2 => rt::task_future(tasks.pack(input, cx)),
                3 => rt::task_future(tasks.ship(input, cx)),
                4 => rt::task_future(tasks.invoice(input, cx)),
                5 => rt::task_future(tasks.sns_publish(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Order {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "order",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 15686937444075381567,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Check Order", "Task", 5, &["Decide", "Notify"]),
            rt::StateInfo::new("Decide", "Choice", 13, &["Fulfil", "Cool Off", "Charge"]),
            rt::StateInfo::new("Cool Off", "Wait", 27, &["Charge"]),
            rt::StateInfo::new("Charge", "Task", 28, &["Fulfil", "Notify"]),
            rt::StateInfo::new("Fulfil", "Parallel", 44, &["Thank"]),
            rt::StateInfo::new("Thank", "Pass", 79, &[]),
            rt::StateInfo::new("Notify", "Task", 84, &["Refused"]),
            rt::StateInfo::new("Refused", "Fail", 91, &[]),
            rt::StateInfo::new("Pack", "Task", 50, &["Ship"]),
            rt::StateInfo::new("Ship", "Task", 56, &[]),
            rt::StateInfo::new("Invoice", "Task", 66, &[]),
        ],
        tasks: &[&CHECK_ORDER, &CHARGE, &PACK, &SHIP, &INVOICE, &NOTIFY],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CHECK_ORDER: rt::Task =
        rt::Task::new(0, "CheckOrder", "arn:aws:lambda:eu-west-1:123456789012:function:CheckOrder", "Check Order", 8);
    static CHARGE: rt::Task = rt::Task::new(1, "ChargeCard", "arn:aws:states:::lambda:invoke", "Charge", 30);
    static PACK: rt::Task = rt::Task::new(2, "Pack", "arn:aws:lambda:eu-west-1:123456789012:function:Pack", "Pack", 52);
    static SHIP: rt::Task = rt::Task::new(3, "Ship", "arn:aws:lambda:eu-west-1:123456789012:function:Ship", "Ship", 58);
    static INVOICE: rt::Task =
        rt::Task::new(4, "Invoice", "arn:aws:lambda:eu-west-1:123456789012:function:Invoice", "Invoice", 68);
    static NOTIFY: rt::Task = rt::Task::new(5, "sns:publish", "arn:aws:states:::sns:publish", "Notify", 86);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        FulfilEntryPack(Value),
        FulfilEntryInvoice(Value),
        CheckOrder(Value),
        CoolOff(Value),
        ChargeRetry(Value, Retries),
        Charge(Value, Retries),
        Fulfil(Value),
        Notify(Value),
        Pack,
        Ship,
        Invoice,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (FulfilEntryPack(d), "Fulfil entry Pack", "", 16290513905774444234),
            (FulfilEntryInvoice(d), "Fulfil entry Invoice", "", 16290513905774444234),
            (CheckOrder(d), "Check Order", "Check Order", 16290513905774444234),
            (CoolOff(d), "Cool Off", "Cool Off", 2127385451422886396),
            (ChargeRetry(d, retries), "Charge retry", "Charge", 15960456506256740724),
            (Charge(d, retries), "Charge", "Charge", 15047625320176663010),
            (Fulfil(d), "Fulfil", "Fulfil", 351662007070794327),
            (Notify(d), "Notify", "Notify", 16290513905774444234),
            (Pack, "Pack", "Pack", 8492167171193279886),
            (Ship, "Ship", "Ship", 8492167171193279886),
            (Invoice, "Invoice", "Invoice", 8492167171193279886),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => check_order(d, turn),
                State::FulfilEntryPack(d) => pack(d, turn),
                State::FulfilEntryInvoice(d) => invoice(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::CheckOrder(d), Ok(result)) => check_order_done(d, result, turn),
                (State::CheckOrder(d), Err(fault)) => check_order_failed(d, fault, turn),
                (State::CoolOff(d), _) => charge(d, turn),
                (State::ChargeRetry(d, retries), _) => charge_try(d, retries, turn),
                (State::Charge(d, retries), Ok(result)) => charge_done(d, retries, result, turn),
                (State::Charge(d, retries), Err(fault)) => charge_failed(d, retries, fault, turn),
                (State::Fulfil(d), Ok(result)) => fulfil_joined(d, result, turn),
                (State::Notify(d), Ok(_)) => notify_done(d, turn),
                (State::Pack, Ok(result)) => pack_done(result, turn),
                (State::Ship, Ok(result)) => ship_done(result),
                (State::Invoice, Ok(result)) => invoice_done(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Fulfil(d), 0) => Some(State::FulfilEntryPack(d.clone())),
                (State::Fulfil(d), 1) => Some(State::FulfilEntryInvoice(d.clone())),
                _ => None,
            }
        }
    }

    /// `Check Order`, `flow.asl.json:5`: Fails with OutOfStock where the shelves are empty.
    fn check_order(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Check Order", &d);
        turn.invoke(&CHECK_ORDER, d.clone()).timeout_seconds(60.0);
        rt::wait(State::CheckOrder(d))
    }

    /// `Check Order`, `flow.asl.json:5`: Continues with the result of the task.
    fn check_order_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["check"], result) {
            return check_order_failed(d, fault, turn);
        }
        decide(d, turn)
    }

    /// `Check Order`, `flow.asl.json:5`: Retries or catches a fault.
    fn check_order_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["OutOfStock"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return notify(d, turn);
        }
        Err(fault)
    }

    /// `Decide`, `flow.asl.json:13`.
    fn decide(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Decide", &d);
        if asl::numeric_equals(asl::subject(&d, &["check", "total"])?, 0) {
            fulfil(d, turn)
        } else if asl::numeric_greater_than(asl::subject(&d, &["check", "total"])?, 1000)
            && !asl::boolean_equals(asl::subject(&d, &["customer", "known"])?, true)
        {
            cool_off(d, turn)
        } else {
            charge(d, turn)
        }
    }

    /// `Cool Off`, `flow.asl.json:27`.
    fn cool_off(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Cool Off", &d);
        turn.sleep_seconds(3600.0);
        rt::wait(State::CoolOff(d))
    }

    /// `Charge`, `flow.asl.json:28`.
    fn charge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Charge", &d);
        charge_try(d, Retries::new(), turn)
    }

    /// `Charge`, `flow.asl.json:28`: One attempt.
    fn charge_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            ("FunctionName", rt::string("arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard:live")),
            (
                "Payload",
                rt::object([
                    ("card", asl::field(&d, &["customer", "card"], "card.$")?.clone()),
                    ("amount", asl::field(&d, &["check", "total"], "amount.$")?.clone()),
                    ("currency", rt::string("EUR")),
                ]),
            ),
        ]);
        turn.invoke(&CHARGE, request).timeout_seconds(10.0);
        rt::wait(State::Charge(d, retries))
    }

    /// `Charge`, `flow.asl.json:28`: Continues with the result of the task.
    fn charge_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        let result = rt::object([("receipt", asl::field(&result, &["Payload", "receipt"], "receipt.$")?.clone())]);
        if let Err(fault) = asl::put(&mut d, &["payment"], result) {
            return charge_failed(d, retries, fault, turn);
        }
        fulfil(d, turn)
    }

    /// `Charge`, `flow.asl.json:28`: Retries or catches a fault.
    fn charge_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CHARGE_RETRY, &mut retries, &fault) {
            return rt::wait(State::ChargeRetry(d, retries));
        }
        if fault.is(&["Declined"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return notify(d, turn);
        }
        Err(fault)
    }

    /// `Fulfil`, `flow.asl.json:44`.
    fn fulfil(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Fulfil", &d);
        turn.fork(2);
        rt::wait(State::Fulfil(d))
    }

    /// `Fulfil`, `flow.asl.json:44`: Continues with the outputs of the branches.
    fn fulfil_joined(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(
            &mut d,
            &["fulfilment"],
            rt::object([
                ("parcel", asl::field_at(&result, &[At::Index(0), At::Key("parcel")], "parcel.$")?.clone()),
                ("invoice", asl::field_at(&result, &[At::Index(1)], "invoice.$")?.clone()),
            ]),
        )?;
        thank(d, turn)
    }

    /// `Thank`, `flow.asl.json:79`.
    fn thank(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Thank", &d);
        rt::done(rt::object([
            ("order", asl::field(&d, &["id"], "order.$")?.clone()),
            ("parcel", asl::field(&d, &["fulfilment", "parcel"], "parcel.$")?.clone()),
            ("invoice", asl::field(&d, &["fulfilment", "invoice"], "invoice.$")?.clone()),
        ]))
    }

    /// `Notify`, `flow.asl.json:84`.
    fn notify(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Notify", &d);
        let request = rt::object([(
            "Message",
            asl::format(
                &["Order ", ": ", ""],
                &[
                    asl::argument(&d, &["id"], "States.Format('Order {}: {}', $.id, $.problem.Cause)")?,
                    asl::argument(&d, &["problem", "Cause"], "States.Format('Order {}: {}', $.id, $.problem.Cause)")?,
                ],
            ),
        )]);
        turn.invoke(&NOTIFY, request).timeout_seconds(60.0);
        rt::wait(State::Notify(d))
    }

    /// `Notify`, `flow.asl.json:84`: Continues with the result of the task.
    fn notify_done(d: Value, turn: &mut Turn) -> TurnResult {
        refused(d, turn)
    }

    /// `Refused`, `flow.asl.json:91`.
    fn refused(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Refused", &d);
        Err(Fault::from_parts(
            Some(asl::fault_string(asl::at(&d, &["problem", "Error"]), &d, "ErrorPath")?.clone()),
            Some(asl::fault_string(asl::at(&d, &["problem", "Cause"]), &d, "CausePath")?.clone()),
        ))
    }

    /// `Pack`, `flow.asl.json:50`.
    fn pack(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Pack", &d);
        let input = asl::path(&d, &["items"])?.clone();
        turn.invoke(&PACK, input).timeout_seconds(60.0);
        rt::wait(State::Pack)
    }

    /// `Pack`, `flow.asl.json:50`: Continues with the result of the task.
    fn pack_done(d: Value, turn: &mut Turn) -> TurnResult {
        ship(d, turn)
    }

    /// `Ship`, `flow.asl.json:56`.
    fn ship(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ship", &d);
        turn.invoke(&SHIP, d).timeout_seconds(60.0);
        rt::wait(State::Ship)
    }

    /// `Ship`, `flow.asl.json:56`: Continues with the result of the task.
    fn ship_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Invoice`, `flow.asl.json:66`.
    fn invoice(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Invoice", &d);
        turn.invoke(&INVOICE, d).timeout_seconds(60.0);
        rt::wait(State::Invoice)
    }

    /// `Invoice`, `flow.asl.json:66`: Continues with the result of the task.
    fn invoice_done(result: Value) -> TurnResult {
        rt::done(asl::path(&result, &["number"])?.clone())
    }

    static CHARGE_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Named("Flaky"), rt::ErrorMatch::Timeout], 2.0, 3, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Check Order\" as s0\n    state \"Decide\" as s1\n",
        "    state \"Cool Off\" as s2\n    state \"Charge\" as s3\n    state \"Fulfil\" as s4 {\n",
        "        state \"branch 1\" as s5 {\n            state \"Pack\" as s6\n",
        "            state \"Ship\" as s7\n            [*] --> s6\n            s6 --> s7\n",
        "            s7 --> [*]\n        }\n        state \"branch 2\" as s8 {\n",
        "            state \"Invoice\" as s9\n            [*] --> s9\n            s9 --> [*]\n",
        "        }\n    }\n    state \"Thank\" as s10\n    state \"Notify\" as s11\n",
        "    state \"Refused\" as s12\n    [*] --> s0\n    s0 --> s1\n",
        "    s0 --> s11 : catch OutOfStock\n    s1 --> s4 : $.check.total = 0\n",
        "    s1 --> s2 : $.check.total #62; 1000 and $.customer.known ≠ true\n",
        "    s1 --> s3 : otherwise\n    s2 --> s3\n    s3 --> s4\n",
        "    s3 --> s11 : catch Declined\n    s4 --> s10\n    s10 --> [*]\n    s11 --> s12\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s3,s6,s7,s9,s11 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s2 wait\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s12 fail\n"
    );
}
