// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `charges` of `flow.asl.json`.
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
pub mod charges {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, jsonata};

    /// The workflow `charges`: Charges an order, in JSONata: fields at any depth, variables,
    /// conditions, a map and a catcher.
    pub struct Charges;

    impl Charges {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Charges, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `charges`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `charges`",
        label = "the trait `charges::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl charges::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `weigh`, invoked by `Weigh` (`flow.asl.json:26`).
        fn weigh(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `charge`, invoked by `Charge` (`flow.asl.json:59`).
        fn charge(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.weigh(input, cx)),
                1 => rt::task_future(tasks.charge(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Charges {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "charges",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 9062354188784170273,
        context: true,
        states: &[
            rt::StateInfo::new("Read", "Pass", 6, &["Rate"]),
            rt::StateInfo::new("Rate", "Map", 16, &["Check"]),
            rt::StateInfo::new("Check", "Choice", 38, &["Refuse", "Cool", "Charge"]),
            rt::StateInfo::new("Cool", "Wait", 51, &["Charge"]),
            rt::StateInfo::new("Charge", "Task", 57, &["Done", "Refuse"]),
            rt::StateInfo::new("Refuse", "Fail", 74, &[]),
            rt::StateInfo::new("Done", "Succeed", 79, &[]),
            rt::StateInfo::new("Weigh", "Task", 24, &[]),
        ],
        tasks: &[&WEIGH, &CHARGE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static WEIGH: rt::Task =
        rt::Task::new(0, "weigh", "arn:aws:lambda:eu-central-1:123456789012:function:weigh", "Weigh", 26);
    static CHARGE: rt::Task =
        rt::Task::new(1, "charge", "arn:aws:lambda:eu-central-1:123456789012:function:charge", "Charge", 59);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        RateEntryWeigh(Value),
        Rate(Value, Option<Value>, Option<Value>, Option<Value>),
        Cool(Value, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>),
        ChargeRetry(Value, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Retries),
        Charge(Value, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Retries),
        Weigh(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (RateEntryWeigh(d), "Rate entry Weigh", "", 16290513905774444234),
            (Rate(d, currency, reason, total), "Rate", "Rate", 11898723686665954580),
            (Cool(d, currency, discount, reason, total, weight), "Cool", "Cool", 14864714761231763502),
            (
                ChargeRetry(d, currency, discount, reason, total, weight, retries),
                "Charge retry",
                "Charge",
                9594509307463112126
            ),
            (Charge(d, currency, discount, reason, total, weight, retries), "Charge", "Charge", 869644206055156820),
            (Weigh(d), "Weigh", "Weigh", 976972354389302553),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::RateEntryWeigh(d) => rate_entry_weigh(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Rate(d, currency, reason, total), Ok(result)) => {
                    rate_joined(d, currency, reason, total, result, turn)
                }
                (State::Cool(d, currency, discount, reason, total, weight), _) => {
                    cool_over(d, currency, discount, reason, total, weight, turn)
                }
                (State::ChargeRetry(d, currency, discount, reason, total, weight, retries), _) => {
                    charge_try(d, currency, discount, reason, total, weight, retries, turn)
                }
                (State::Charge(d, currency, discount, reason, total, weight, retries), Ok(result)) => {
                    charge_done(d, currency, discount, reason, total, weight, retries, result, turn)
                }
                (State::Charge(d, currency, discount, reason, total, weight, retries), Err(fault)) => {
                    charge_failed(d, currency, discount, reason, total, weight, retries, fault, turn)
                }
                (State::Weigh(d), Ok(result)) => weigh_done(d, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Rate(d, _, _, _), _) => Some(State::RateEntryWeigh(d.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let reason: Option<Value> = None;
        read(d, reason, turn)
    }

    /// `Read`, `flow.asl.json:6`.
    fn read(d: Value, reason: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Read", &d);
        let output = rt::object([
            ("id", jsonata::evaluate(&READ_OUTPUT_ID, &[Some(&d)], turn)?),
            ("lines", jsonata::evaluate(&READ_OUTPUT_LINES, &[Some(&d)], turn)?),
            (
                "names",
                rt::array([jsonata::evaluate(&READ_OUTPUT_NAMES_0, &[Some(&d)], turn)?, rt::string("{$literal}")]),
            ),
        ]);
        let (total, currency) =
            (Some(jsonata::evaluate(&READ_ASSIGN_TOTAL, &[Some(&d)], turn)?), Some(rt::string("EUR")));
        rate(output, currency, reason, total, turn)
    }

    /// `Rate`, `flow.asl.json:16`.
    fn rate(
        d: Value,
        currency: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Rate", &d);
        let items = jsonata::evaluate_array(&RATE_ITEMS, &[Some(&d)], turn)?;
        let limits = rt::Limits {
            concurrency: rt::count(&jsonata::whole_number(
                &jsonata::evaluate_number(&RATE_MAX_CONCURRENCY, &[total.as_ref()], turn)?,
                "MaxConcurrency",
            )?)?,
            ..rt::Limits::default()
        };
        turn.for_each(&items, limits);
        rt::wait(State::Rate(d, currency, reason, total))
    }

    /// `Rate`, `flow.asl.json:16`: Continues with the outputs of the iterations.
    fn rate_joined(
        d: Value,
        currency: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let output = jsonata::evaluate(&RATE_OUTPUT, &[Some(&d), Some(&result)], turn)?;
        let weight = Some(jsonata::evaluate(&RATE_ASSIGN_WEIGHT, &[Some(&result)], turn)?);
        check(output, currency, reason, total, weight, turn)
    }

    /// `Check`, `flow.asl.json:38`.
    fn check(
        d: Value,
        currency: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Check", &d);
        if jsonata::evaluate_boolean(&CHECK_CHOICES_0_CONDITION, &[weight.as_ref()], turn)? {
            refuse(d, reason, turn)
        } else if jsonata::evaluate_boolean(&CHECK_CHOICES_1_CONDITION, &[Some(&d), total.as_ref()], turn)? {
            let discount = Some(jsonata::evaluate(&CHECK_CHOICES_1_ASSIGN_DISCOUNT, &[total.as_ref()], turn)?);
            cool(d, currency, discount, reason, total, weight, turn)
        } else {
            let discount = Some(Value::Int(0));
            charge(d, currency, discount, reason, total, weight, turn)
        }
    }

    /// `Cool`, `flow.asl.json:51`.
    fn cool(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Cool", &d);
        let seconds =
            jsonata::whole_number(&jsonata::evaluate_number(&COOL_SECONDS, &[total.as_ref()], turn)?, "Seconds")?;
        turn.sleep_seconds(rt::seconds(&seconds)?);
        rt::wait(State::Cool(d, currency, discount, reason, total, weight))
    }

    /// `Cool`, `flow.asl.json:51`: Continues after the wait.
    fn cool_over(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        let d = jsonata::evaluate(&COOL_OUTPUT, &[Some(&d)], turn)?;
        charge(d, currency, discount, reason, total, weight, turn)
    }

    /// `Charge`, `flow.asl.json:57`.
    fn charge(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Charge", &d);
        charge_try(d, currency, discount, reason, total, weight, Retries::new(), turn)
    }

    /// `Charge`, `flow.asl.json:57`: One attempt.
    fn charge_try(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        retries: Retries,
        turn: &mut Turn,
    ) -> TurnResult {
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("amount", jsonata::evaluate(&CHARGE_ARGUMENTS_AMOUNT, &[total.as_ref(), discount.as_ref()], turn)?),
                ("currency", jsonata::evaluate(&CHARGE_ARGUMENTS_CURRENCY, &[currency.as_ref()], turn)?),
                ("try", jsonata::evaluate(&CHARGE_ARGUMENTS_TRY, &[Some(&turn.context())], turn)?),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => {
                return charge_failed(d, currency, discount, reason, total, weight, retries, fault, turn);
            }
        };
        turn.invoke(&CHARGE, request).timeout_seconds(60.0);
        rt::wait(State::Charge(d, currency, discount, reason, total, weight, retries))
    }

    /// `Charge`, `flow.asl.json:57`: Continues with the result of the task.
    fn charge_done(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        retries: Retries,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let d = match rt::attempt(|| {
            Ok(rt::object([
                ("receipt", jsonata::evaluate(&CHARGE_OUTPUT_RECEIPT, &[Some(&result)], turn)?),
                ("weight", jsonata::evaluate(&CHARGE_OUTPUT_WEIGHT, &[weight.as_ref()], turn)?),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => {
                return charge_failed(d, currency, discount, reason, total, weight, retries, fault, turn);
            }
        };
        done(d, turn)
    }

    /// `Charge`, `flow.asl.json:57`: Retries or catches a fault.
    fn charge_failed(
        d: Value,
        currency: Option<Value>,
        discount: Option<Value>,
        reason: Option<Value>,
        total: Option<Value>,
        weight: Option<Value>,
        mut retries: Retries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CHARGE_RETRY, &mut retries, &fault) {
            return rt::wait(State::ChargeRetry(d, currency, discount, reason, total, weight, retries));
        }
        if fault.is(&["States.QueryEvaluationError"]) {
            let result = fault.output();
            let output = jsonata::evaluate(&CHARGE_CATCH_0_OUTPUT, &[Some(&d), Some(&result)], turn)?;
            let reason = Some(jsonata::evaluate(&CHARGE_CATCH_0_ASSIGN_REASON, &[Some(&result)], turn)?);
            return refuse(output, reason, turn);
        }
        if fault.is_catchable() {
            let d = fault.output();
            return refuse(d, reason, turn);
        }
        Err(fault)
    }

    /// `Refuse`, `flow.asl.json:74`.
    fn refuse(d: Value, reason: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Refuse", &d);
        Err(Fault::from_parts(
            Some(jsonata::evaluate_string(&REFUSE_ERROR, &[Some(&d)], turn)?),
            Some(jsonata::evaluate_string(&REFUSE_CAUSE, &[Some(&d), reason.as_ref()], turn)?),
        ))
    }

    /// `Done`, `flow.asl.json:79`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(rt::object([("done", jsonata::evaluate(&DONE_OUTPUT_DONE, &[Some(&d)], turn)?)]))
    }

    /// The start of the item processor of `Rate`.
    fn rate_entry_weigh(d: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("line", jsonata::evaluate(&RATE_ITEM_SELECTOR_LINE, &[Some(&turn.context())], turn)?),
            ("of", jsonata::evaluate(&RATE_ITEM_SELECTOR_OF, &[Some(&d)], turn)?),
        ]);
        weigh(d, turn)
    }

    /// `Weigh`, `flow.asl.json:24`.
    fn weigh(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Weigh", &d);
        let request = rt::object([
            ("name", jsonata::evaluate(&WEIGH_ARGUMENTS_NAME, &[Some(&d)], turn)?),
            ("of", jsonata::evaluate(&WEIGH_ARGUMENTS_OF, &[Some(&d)], turn)?),
        ]);
        let timeout =
            jsonata::task_seconds(&jsonata::evaluate_number(&WEIGH_TIMEOUT_SECONDS, &[], turn)?, "TimeoutSeconds")?;
        turn.invoke(&WEIGH, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Weigh(d))
    }

    /// `Weigh`, `flow.asl.json:24`: Continues with the result of the task.
    fn weigh_done(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        rt::done(jsonata::evaluate(&WEIGH_OUTPUT, &[Some(&d), Some(&result)], turn)?)
    }

    /// `$states.input.id`
    static READ_OUTPUT_ID: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.id", "Output/id", &["states.input"]);

    /// `$states.input.lines[count > 0]`
    static READ_OUTPUT_LINES: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.lines[count > 0]", "Output/lines", &["states.input"]);

    /// `$states.input.lines.name`
    static READ_OUTPUT_NAMES_0: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.lines.name", "Output/names[0]", &["states.input"]);

    /// `$sum($states.input.lines.(price * count))`
    static READ_ASSIGN_TOTAL: jsonata::JsonataField =
        jsonata::JsonataField::new("$sum($states.input.lines.(price * count))", "Assign/total", &["states.input"]);

    /// `[$states.input.lines]`
    static RATE_ITEMS: jsonata::JsonataField =
        jsonata::JsonataField::new("[$states.input.lines]", "Items", &["states.input"]);

    /// `$total > 100 ? 1 : 2`
    static RATE_MAX_CONCURRENCY: jsonata::JsonataField =
        jsonata::JsonataField::new("$total > 100 ? 1 : 2", "MaxConcurrency", &["total"]);

    /// `$merge([$states.input, {'weights': $states.result}])`
    static RATE_OUTPUT: jsonata::JsonataField = jsonata::JsonataField::new(
        "$merge([$states.input, {'weights': $states.result}])",
        "Output",
        &["states.input", "states.result"],
    );

    /// `$sum($states.result)`
    static RATE_ASSIGN_WEIGHT: jsonata::JsonataField =
        jsonata::JsonataField::new("$sum($states.result)", "Assign/weight", &["states.result"]);

    /// `$weight > 1000`
    static CHECK_CHOICES_0_CONDITION: jsonata::JsonataField =
        jsonata::JsonataField::new("$weight > 1000", "Choices[0]/Condition", &["weight"]);

    /// `$total > 100 and $exists($states.input.id)`
    static CHECK_CHOICES_1_CONDITION: jsonata::JsonataField = jsonata::JsonataField::new(
        "$total > 100 and $exists($states.input.id)",
        "Choices[1]/Condition",
        &["states.input", "total"],
    );

    /// `$total * 0.1`
    static CHECK_CHOICES_1_ASSIGN_DISCOUNT: jsonata::JsonataField =
        jsonata::JsonataField::new("$total * 0.1", "Choices[1]/Assign/discount", &["total"]);

    /// `$round($total / 100)`
    static COOL_SECONDS: jsonata::JsonataField =
        jsonata::JsonataField::new("$round($total / 100)", "Seconds", &["total"]);

    /// `$states.input`
    static COOL_OUTPUT: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input", "Output", &["states.input"]);

    /// `$total - $discount`
    static CHARGE_ARGUMENTS_AMOUNT: jsonata::JsonataField =
        jsonata::JsonataField::new("$total - $discount", "Arguments/amount", &["total", "discount"]);

    /// `$currency`
    static CHARGE_ARGUMENTS_CURRENCY: jsonata::JsonataField =
        jsonata::JsonataField::new("$currency", "Arguments/currency", &["currency"]);

    /// `$states.context.State.RetryCount`
    static CHARGE_ARGUMENTS_TRY: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.context.State.RetryCount", "Arguments/try", &["states.context"]);

    /// `$states.result.receipt`
    static CHARGE_OUTPUT_RECEIPT: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.result.receipt", "Output/receipt", &["states.result"]);

    /// `$weight`
    static CHARGE_OUTPUT_WEIGHT: jsonata::JsonataField =
        jsonata::JsonataField::new("$weight", "Output/weight", &["weight"]);

    /// `{'id': $states.input.id, 'problem': $states.errorOutput.Error}`
    static CHARGE_CATCH_0_OUTPUT: jsonata::JsonataField = jsonata::JsonataField::new(
        "{'id': $states.input.id, 'problem': $states.errorOutput.Error}",
        "Catch[0]/Output",
        &["states.input", "states.errorOutput"],
    );

    /// `$states.errorOutput.Cause`
    static CHARGE_CATCH_0_ASSIGN_REASON: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.errorOutput.Cause", "Catch[0]/Assign/reason", &["states.errorOutput"]);

    /// `$exists($states.input.problem) ? $states.input.problem : 'Refused'`
    static REFUSE_ERROR: jsonata::JsonataField = jsonata::JsonataField::new(
        "$exists($states.input.problem) ? $states.input.problem : 'Refused'",
        "Error",
        &["states.input"],
    );

    /// `$exists($reason) ? $substringAfter($reason, 'the field ') : $string($states.input)`
    static REFUSE_CAUSE: jsonata::JsonataField = jsonata::JsonataField::new(
        "$exists($reason) ? $substringAfter($reason, 'the field ') : $string($states.input)",
        "Cause",
        &["states.input", "reason"],
    );

    /// `$states.input`
    static DONE_OUTPUT_DONE: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input", "Output/done", &["states.input"]);

    /// `$states.context.Map.Item.Value`
    static RATE_ITEM_SELECTOR_LINE: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.context.Map.Item.Value", "ItemSelector/line", &["states.context"]);

    /// `$states.input.id`
    static RATE_ITEM_SELECTOR_OF: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.id", "ItemSelector/of", &["states.input"]);

    /// `$states.input.line.name`
    static WEIGH_ARGUMENTS_NAME: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.line.name", "Arguments/name", &["states.input"]);

    /// `$states.input.of`
    static WEIGH_ARGUMENTS_OF: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.input.of", "Arguments/of", &["states.input"]);

    /// `2 * 30`
    static WEIGH_TIMEOUT_SECONDS: jsonata::JsonataField = jsonata::JsonataField::new("2 * 30", "TimeoutSeconds", &[]);

    /// `$states.result.kilograms * $states.input.line.count`
    static WEIGH_OUTPUT: jsonata::JsonataField = jsonata::JsonataField::new(
        "$states.result.kilograms * $states.input.line.count",
        "Output",
        &["states.input", "states.result"],
    );

    static CHARGE_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 1.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Read\" as s0\n    state \"Rate\" as s1 {\n",
        "        state \"for each item, a value of $total #62; 100 ? 1 #58; 2 at a time\" as s2 {",
        "\n            state \"Weigh\" as s3\n            [*] --> s3\n            s3 --> [*]\n",
        "        }\n    }\n    state \"Check\" as s4\n    state \"Cool\" as s5\n",
        "    state \"Charge\" as s6\n    state \"Refuse\" as s7\n    state \"Done\" as s8\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s4\n    s4 --> s7 : $weight #62; 1000\n",
        "    s4 --> s5 : $total #62; 100 and $exists($states.input.id)\n",
        "    s4 --> s6 : otherwise\n    s5 --> s6\n    s6 --> s8\n",
        "    s6 --> s7 : catch States.QueryEvaluationError<br/>States.ALL\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s3,s6 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s4 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s5 wait\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s8 succeed\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s7 fail\n"
    );
}
