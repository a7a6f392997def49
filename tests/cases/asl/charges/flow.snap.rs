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
#[allow(
    clippy::eq_op,
    clippy::nonminimal_bool,
    clippy::overly_complex_bool_expr,
    reason = "conditions are those of their source"
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
            ("id", read_output_id(Some(&d), turn)?),
            ("lines", read_output_lines(Some(&d), turn)?),
            ("names", rt::array([read_output_names_0(Some(&d), turn)?, rt::string("{$literal}")])),
        ]);
        let (total, currency) = (Some(read_assign_total(Some(&d), turn)?), Some(rt::string("EUR")));
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
        let items = rate_items(Some(&d), turn)?;
        let limits = rt::Limits {
            concurrency: rt::count(&jsonata::whole_number(
                &rate_max_concurrency(total.as_ref(), turn)?,
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
        let output = rate_output(Some(&d), Some(&result), turn)?;
        let weight = Some(rate_assign_weight(Some(&result), turn)?);
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
        if check_choices_0_condition(weight.as_ref(), turn)? {
            refuse(d, reason, turn)
        } else if check_choices_1_condition(Some(&d), total.as_ref(), turn)? {
            let discount = Some(check_choices_1_assign_discount(total.as_ref(), turn)?);
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
        let seconds = jsonata::whole_number(&cool_seconds(total.as_ref(), turn)?, "Seconds")?;
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
        let d = cool_output(Some(&d), turn)?;
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
                ("amount", charge_arguments_amount(total.as_ref(), discount.as_ref(), turn)?),
                ("currency", charge_arguments_currency(currency.as_ref(), turn)?),
                ("try", charge_arguments_try(Some(&turn.context()), turn)?),
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
                ("receipt", charge_output_receipt(Some(&result), turn)?),
                ("weight", charge_output_weight(weight.as_ref(), turn)?),
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
            let output = charge_catch_0_output(Some(&d), Some(&result), turn)?;
            let reason = Some(charge_catch_0_assign_reason(Some(&result), turn)?);
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
            Some(refuse_error(Some(&d), turn)?),
            Some(refuse_cause(Some(&d), reason.as_ref(), turn)?),
        ))
    }

    /// `Done`, `flow.asl.json:79`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(rt::object([("done", done_output_done(Some(&d), turn)?)]))
    }

    /// The start of the item processor of `Rate`.
    fn rate_entry_weigh(d: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("line", rate_item_selector_line(Some(&turn.context()), turn)?),
            ("of", rate_item_selector_of(Some(&d), turn)?),
        ]);
        weigh(d, turn)
    }

    /// `Weigh`, `flow.asl.json:24`.
    fn weigh(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Weigh", &d);
        let request =
            rt::object([("name", weigh_arguments_name(Some(&d), turn)?), ("of", weigh_arguments_of(Some(&d), turn)?)]);
        let timeout = jsonata::task_seconds(&weigh_timeout_seconds(turn)?, "TimeoutSeconds")?;
        turn.invoke(&WEIGH, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Weigh(d))
    }

    /// `Weigh`, `flow.asl.json:24`: Continues with the result of the task.
    fn weigh_done(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        rt::done(weigh_output(Some(&d), Some(&result), turn)?)
    }

    /// `$states.input.id`
    fn read_output_id(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.id", "Output/id", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["id"], run))
    }

    /// `$states.input.lines[count > 0]`
    fn read_output_lines(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.lines[count > 0]", "Output/lines", 4);
        jsonata::value(&EXPRESSION, turn, |run| {
            let mut lines = jsonata::Results::new();
            for line in jsonata::find_candidates(input, &["lines"], run)? {
                run.step()?;
                if jsonata::is_greater(&jsonata::walk(&line, &["count"], run)?, &jsonata::int(0), run)? {
                    lines.keep(line, run)?;
                }
            }
            Ok(jsonata::collapsed(lines.sequence()))
        })
    }

    /// `$states.input.lines.name`
    fn read_output_names_0(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.lines.name", "Output/names[0]", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["lines", "name"], run))
    }

    /// `$sum($states.input.lines.(price * count))`
    fn read_assign_total(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$sum($states.input.lines.(price * count))", "Assign/total", 6);
        jsonata::value(&EXPRESSION, turn, |run| {
            let mut results = jsonata::Results::new();
            for line in jsonata::items_of(jsonata::find_steps(input, &["lines"], run)?) {
                run.step()?;
                results.push(jsonata::multiply(
                    &jsonata::walk(&line, &["price"], run)?,
                    &jsonata::walk(&line, &["count"], run)?,
                )?);
            }
            jsonata::functions::sum(&[results.last_step(run)?], run)
        })
    }

    /// `[$states.input.lines]`
    fn rate_items(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("[$states.input.lines]", "Items", 3);
        jsonata::array(&EXPRESSION, turn, |run| jsonata::elements([jsonata::find(input, &["lines"], run)?], run))
    }

    /// `$total > 100 ? 1 : 2`
    fn rate_max_concurrency(total: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$total > 100 ? 1 : 2", "MaxConcurrency", 3);
        jsonata::number(&EXPRESSION, turn, |run| {
            Ok(if jsonata::is_greater(&jsonata::of(total), &jsonata::int(100), run)? {
                jsonata::int(1)
            } else {
                jsonata::int(2)
            })
        })
    }

    /// `$merge([$states.input, {'weights': $states.result}])`
    fn rate_output(input: Option<&Value>, result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$merge([$states.input, {'weights': $states.result}])", "Output", 5);
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::functions::merge(
                &[jsonata::elements(
                    [jsonata::of(input), jsonata::object([("weights", jsonata::of(result))], run)?],
                    run,
                )?],
                run,
            )
        })
    }

    /// `$sum($states.result)`
    fn rate_assign_weight(result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$sum($states.result)", "Assign/weight", 3);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::functions::sum(&[jsonata::of(result)], run))
    }

    /// `$weight > 1000`
    fn check_choices_0_condition(weight: Option<&Value>, turn: &mut Turn) -> Result<bool, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$weight > 1000", "Choices[0]/Condition", 2);
        jsonata::boolean(&EXPRESSION, turn, |run| jsonata::greater(&jsonata::of(weight), &jsonata::int(1000), run))
    }

    /// `$total > 100 and $exists($states.input.id)`
    fn check_choices_1_condition(input: Option<&Value>, total: Option<&Value>, turn: &mut Turn) -> Result<bool, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$total > 100 and $exists($states.input.id)", "Choices[1]/Condition", 4);
        jsonata::test(&EXPRESSION, turn, |run| {
            Ok(jsonata::is_greater(&jsonata::of(total), &jsonata::int(100), run)?
                && jsonata::find(input, &["id"], run)?.is_some())
        })
    }

    /// `$total * 0.1`
    fn check_choices_1_assign_discount(total: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$total * 0.1", "Choices[1]/Assign/discount", 2);
        jsonata::value(&EXPRESSION, turn, |_| jsonata::multiply(&jsonata::of(total), &jsonata::float(0.1)))
    }

    /// `$round($total / 100)`
    fn cool_seconds(total: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$round($total / 100)", "Seconds", 3);
        jsonata::number(&EXPRESSION, turn, |run| {
            jsonata::functions::round(&[jsonata::divide(&jsonata::of(total), &jsonata::int(100))?], run)
        })
    }

    /// `$states.input`
    fn cool_output(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new("$states.input", "Output", 2);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(input)))
    }

    /// `$total - $discount`
    fn charge_arguments_amount(
        total: Option<&Value>,
        discount: Option<&Value>,
        turn: &mut Turn,
    ) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$total - $discount", "Arguments/amount", 2);
        jsonata::value(&EXPRESSION, turn, |_| jsonata::subtract(&jsonata::of(total), &jsonata::of(discount)))
    }

    /// `$currency`
    fn charge_arguments_currency(currency: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$currency", "Arguments/currency", 1);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(currency)))
    }

    /// `$states.context.State.RetryCount`
    fn charge_arguments_try(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.State.RetryCount", "Arguments/try", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["State", "RetryCount"], run))
    }

    /// `$states.result.receipt`
    fn charge_output_receipt(result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.result.receipt", "Output/receipt", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(result, &["receipt"], run))
    }

    /// `$weight`
    fn charge_output_weight(weight: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new("$weight", "Output/weight", 1);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(weight)))
    }

    /// `{'id': $states.input.id, 'problem': $states.errorOutput.Error}`
    fn charge_catch_0_output(
        input: Option<&Value>,
        error_output: Option<&Value>,
        turn: &mut Turn,
    ) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new(
            "{'id': $states.input.id, 'problem': $states.errorOutput.Error}",
            "Catch[0]/Output",
            3,
        );
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::object(
                [
                    ("id", jsonata::find(input, &["id"], run)?),
                    ("problem", jsonata::find(error_output, &["Error"], run)?),
                ],
                run,
            )
        })
    }

    /// `$states.errorOutput.Cause`
    fn charge_catch_0_assign_reason(error_output: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.errorOutput.Cause", "Catch[0]/Assign/reason", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(error_output, &["Cause"], run))
    }

    /// `$exists($states.input.problem) ? $states.input.problem : 'Refused'`
    fn refuse_error(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new(
            "$exists($states.input.problem) ? $states.input.problem : 'Refused'",
            "Error",
            4,
        );
        jsonata::string(&EXPRESSION, turn, |run| {
            Ok(if jsonata::find(input, &["problem"], run)?.is_some() {
                jsonata::find(input, &["problem"], run)?
            } else {
                jsonata::text("Refused")
            })
        })
    }

    /// `$exists($reason) ? $substringAfter($reason, 'the field ') : $string($states.input)`
    fn refuse_cause(input: Option<&Value>, reason: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new(
            "$exists($reason) ? $substringAfter($reason, 'the field ') : $string($states.input)",
            "Cause",
            4,
        );
        jsonata::string(&EXPRESSION, turn, |run| {
            Ok(if jsonata::of(reason).is_some() {
                jsonata::functions::substring_after(&[jsonata::of(reason), jsonata::text("the field ")], run)?
            } else {
                jsonata::functions::string(&[jsonata::of(input)], run)?
            })
        })
    }

    /// `$states.input`
    fn done_output_done(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input", "Output/done", 2);
        jsonata::value(&EXPRESSION, turn, |_| Ok(jsonata::of(input)))
    }

    /// `$states.context.Map.Item.Value`
    fn rate_item_selector_line(context: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.context.Map.Item.Value", "ItemSelector/line", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(context, &["Map", "Item", "Value"], run))
    }

    /// `$states.input.id`
    fn rate_item_selector_of(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.id", "ItemSelector/of", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["id"], run))
    }

    /// `$states.input.line.name`
    fn weigh_arguments_name(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.line.name", "Arguments/name", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["line", "name"], run))
    }

    /// `$states.input.of`
    fn weigh_arguments_of(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.input.of", "Arguments/of", 2);
        jsonata::value(&EXPRESSION, turn, |run| jsonata::find(input, &["of"], run))
    }

    /// `2 * 30`
    fn weigh_timeout_seconds(turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new("2 * 30", "TimeoutSeconds", 2);
        jsonata::number(&EXPRESSION, turn, |_| jsonata::multiply(&jsonata::int(2), &jsonata::int(30)))
    }

    /// `$states.result.kilograms * $states.input.line.count`
    fn weigh_output(input: Option<&Value>, result: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("$states.result.kilograms * $states.input.line.count", "Output", 3);
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::multiply(
                &jsonata::find(result, &["kilograms"], run)?,
                &jsonata::find(input, &["line", "count"], run)?,
            )
        })
    }

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
