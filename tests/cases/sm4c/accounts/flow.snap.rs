// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `accounts` of `flow.sm4c.json`.
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
pub mod accounts {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, jq, sm4c};

    /// The workflow `accounts`: What is added to a value that is changed beside it, and
    /// numbers without end
    pub struct Accounts;

    impl Accounts {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Accounts, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `accounts`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `accounts`",
        label = "the trait `accounts::Tasks` is not implemented for this type",
        note = "flow.sm4c.json:1:1: the workflow is defined here",
        note = "write `impl accounts::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Accounts {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "accounts",
        dialect: "sm4c",
        source: "flow.sm4c.json",
        hash: 16382841949102311681,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Mark", "State", 7, &["Vip"]),
            rt::StateInfo::new("Vip", "State", 17, &["Prices"]),
            rt::StateInfo::new("Prices", "State", 26, &["Either"]),
            rt::StateInfo::new("Either", "State", 35, &["Count"]),
            rt::StateInfo::new("Count", "State", 44, &["Caught"]),
            rt::StateInfo::new("Caught", "State", 53, &["First"]),
            rt::StateInfo::new("First", "State", 62, &["Until"]),
            rt::StateInfo::new("Until", "State", 71, &["Whole"]),
            rt::StateInfo::new("Whole", "State", 80, &["Same"]),
            rt::StateInfo::new("Same", "State", 89, &["Equal"]),
            rt::StateInfo::new("Equal", "State", 98, &["Deep"]),
            rt::StateInfo::new("Deep", "State", 107, &["Huge"]),
            rt::StateInfo::new("Huge", "State", 116, &["Endless"]),
            rt::StateInfo::new("Endless", "State", 125, &["Is it"]),
            rt::StateInfo::new("Is it", "State", 134, &["Finite"]),
            rt::StateInfo::new("Finite", "State", 143, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Entry(d), "entry", "", 16290513905774444234),);
        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        mark(d, turn)
    }

    /// `Mark`, `flow.sm4c.json:7`.
    fn mark(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Mark", &d);
        let d = jq::apply(turn, || mark_enter_result_handler(d))?;
        vip(d, turn)
    }

    /// `Vip`, `flow.sm4c.json:17`.
    fn vip(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Vip", &d);
        let d = jq::apply(turn, || vip_enter_result_handler(d))?;
        prices(d, turn)
    }

    /// `Prices`, `flow.sm4c.json:26`.
    fn prices(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Prices", &d);
        let d = jq::apply(turn, || prices_enter_result_handler(d))?;
        either(d, turn)
    }

    /// `Either`, `flow.sm4c.json:35`.
    fn either(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Either", &d);
        let d = either_enter_result_handler(d)?;
        count(d, turn)
    }

    /// `Count`, `flow.sm4c.json:44`.
    fn count(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Count", &d);
        let d = count_enter_result_handler(d)?;
        caught(d, turn)
    }

    /// `Caught`, `flow.sm4c.json:53`.
    fn caught(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Caught", &d);
        let d = caught_enter_result_handler(d)?;
        first(d, turn)
    }

    /// `First`, `flow.sm4c.json:62`.
    fn first(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("First", &d);
        let d = first_enter_result_handler(d)?;
        until(d, turn)
    }

    /// `Until`, `flow.sm4c.json:71`.
    fn until(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Until", &d);
        let d = jq::apply(turn, || until_enter_result_handler(d))?;
        whole(d, turn)
    }

    /// `Whole`, `flow.sm4c.json:80`.
    fn whole(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Whole", &d);
        let d = whole_enter_result_handler(d)?;
        same(d, turn)
    }

    /// `Same`, `flow.sm4c.json:89`.
    fn same(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Same", &d);
        let d = jq::apply(turn, || same_enter_result_handler(d))?;
        equal(d, turn)
    }

    /// `Equal`, `flow.sm4c.json:98`.
    fn equal(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Equal", &d);
        let d = equal_enter_result_handler(d)?;
        deep(d, turn)
    }

    /// `Deep`, `flow.sm4c.json:107`.
    fn deep(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Deep", &d);
        let d = jq::apply(turn, || deep_enter_result_handler(&d))?;
        huge(d, turn)
    }

    /// `Huge`, `flow.sm4c.json:116`.
    fn huge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Huge", &d);
        let d = huge_enter_result_handler(d)?;
        endless(d, turn)
    }

    /// `Endless`, `flow.sm4c.json:125`.
    fn endless(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Endless", &d);
        let d = endless_enter_result_handler(d)?;
        is_it(d, turn)
    }

    /// `Is it`, `flow.sm4c.json:134`.
    fn is_it(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is it", &d);
        let d = jq::apply(turn, || is_it_enter_result_handler(d))?;
        finite(d, turn)
    }

    /// `Finite`, `flow.sm4c.json:143`.
    fn finite(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Finite", &d);
        rt::done(jq::apply(turn, || finite_enter_result_handler(d))?)
    }

    /// `.orders[] |= (.done = true) + .extra`
    fn mark_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        for order in jq::iter_mut(jq::get_mut(&mut input, "orders")?)? {
            jq::tick()?;
            let mut old_order = order.take();
            let extra = jq::get(&old_order, "extra")?.clone();
            let done = jq::get_mut(&mut old_order, "done")?;
            *done = Value::Bool(true);
            *order = jq::add(old_order, &extra)?;
        }
        Ok(input)
    }

    /// `.vip = reduce .orders[] as $o (0; (if $o.vip then 5 else . end) + .)`
    fn vip_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let mut result = Value::Int(0);
        for o in jq::iter(jq::get(&input, "orders")?)? {
            jq::tick()?;
            let chosen = if jq::truthy(jq::get(o, "vip")?) { Value::Int(5) } else { result.clone() };
            result = jq::add(chosen, &result)?;
        }
        let vip = jq::get_mut(&mut input, "vip")?;
        *vip = result;
        Ok(input)
    }

    /// `.prices = reduce (.orders[] | [.price, {price: 1}][])
    /// as {price: $p} ?// $p (0; . + $p)`
    fn prices_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("{\"price\":1}");
        let mut result = Value::Int(0);
        for order in jq::iter(jq::get(&input, "orders")?)? {
            jq::tick()?;
            let array = rt::array([jq::get(order, "price")?.clone(), VALUE_1.value().clone()]);
            for item in jq::iter(&array)? {
                jq::tick()?;
                let failed: Option<jq::Error> = 'attempt: {
                    result = match jq::add(
                        result.clone(),
                        match jq::get(item, "price") {
                            Ok(value) => value,
                            Err(error) => break 'attempt Some(error),
                        },
                    ) {
                        Ok(value) => value,
                        Err(error) => break 'attempt Some(error),
                    };
                    None
                };
                if let Some(error_of) = failed {
                    let _ = error_of.caught()?;
                    result = jq::add(result, item)?;
                }
            }
        }
        let prices = jq::get_mut(&mut input, "prices")?;
        *prices = result;
        Ok(input)
    }

    /// `.either = (reduce ((1, [2]) as [$x] ?// $x | $x) as $y (0; . + $y))`
    fn either_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("[2]");
        let mut result = Value::Int(0);
        let failed: Option<jq::Error> = 'attempt: {
            result = match jq::add(
                result.clone(),
                match jq::at(&Value::Int(1), 0) {
                    Ok(value) => value,
                    Err(error) => break 'attempt Some(error),
                },
            ) {
                Ok(value) => value,
                Err(error) => break 'attempt Some(error),
            };
            None
        };
        if let Some(error_of) = failed {
            let _ = error_of.caught()?;
            result = jq::add(result, &Value::Int(1))?;
        }
        let y = VALUE_1.value();
        let failed2: Option<jq::Error> = 'attempt2: {
            result = match jq::add(
                result.clone(),
                match jq::at(y, 0) {
                    Ok(value) => value,
                    Err(error) => break 'attempt2 Some(error),
                },
            ) {
                Ok(value) => value,
                Err(error) => break 'attempt2 Some(error),
            };
            None
        };
        if let Some(error_of2) = failed2 {
            let _ = error_of2.caught()?;
            result = jq::add(result, y)?;
        }
        let either = jq::get_mut(&mut input, "either")?;
        *either = result;
        Ok(jq::finished(input))
    }

    /// `.counted = ([foreach (1, [2]) as [$a] ?// $a ({n: 0}; .n += $a) | .n])`
    fn count_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_2: rt::Literal = rt::Literal::new("[2]");
        static VALUE_1: rt::Literal = rt::Literal::new("{\"n\":0}");
        let mut ns = jq::Values::new();
        let mut state = VALUE_1.value().clone();
        let failed: Option<jq::Error> = 'attempt: {
            let a = (match jq::at(&Value::Int(1), 0) {
                Ok(value) => value,
                Err(error) => break 'attempt Some(error),
            })
            .clone();
            let mut result = state.clone();
            let n = match jq::get_mut(&mut result, "n") {
                Ok(value) => value,
                Err(error) => break 'attempt Some(error),
            };
            *n = match jq::add(n.take(), &a) {
                Ok(value) => value,
                Err(error) => break 'attempt Some(error),
            };
            state = result;
            ns.push(
                (match jq::get(&state, "n") {
                    Ok(value) => value,
                    Err(error) => break 'attempt Some(error),
                })
                .clone(),
            );
            None
        };
        if let Some(error_of) = failed {
            let _ = error_of.caught()?;
            let n2 = jq::get_mut(&mut state, "n")?;
            *n2 = jq::add(n2.take(), &Value::Int(1))?;
            ns.push(jq::get(&state, "n")?.clone());
        }
        let item = VALUE_2.value();
        let failed2: Option<jq::Error> = 'attempt2: {
            let a2 = match jq::at(item, 0) {
                Ok(value) => value,
                Err(error) => break 'attempt2 Some(error),
            };
            let mut result2 = state.clone();
            let n3 = match jq::get_mut(&mut result2, "n") {
                Ok(value) => value,
                Err(error) => break 'attempt2 Some(error),
            };
            *n3 = match jq::add(n3.take(), a2) {
                Ok(value) => value,
                Err(error) => break 'attempt2 Some(error),
            };
            state = result2;
            ns.push(
                (match jq::get(&state, "n") {
                    Ok(value) => value,
                    Err(error) => break 'attempt2 Some(error),
                })
                .clone(),
            );
            None
        };
        if let Some(error_of2) = failed2 {
            let _ = error_of2.caught()?;
            let n4 = jq::get_mut(&mut state, "n")?;
            *n4 = jq::add(n4.take(), item)?;
            ns.push(jq::get(&state, "n")?.clone());
        }
        let array = Value::from(ns);
        let counted = jq::get_mut(&mut input, "counted")?;
        *counted = array;
        Ok(jq::finished(input))
    }

    /// `.caught = (try error({code: 1, extra: {why: "late"}}) catch ((.handled =
    /// true) + .extra))`
    fn caught_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("{\"code\":1,\"extra\":{\"why\":\"late\"}}");
        let tried = match jq::attempt(|| Ok(jq::raise(VALUE_1.value().clone())?)) {
            Ok(value) => value,
            Err(error_of) => {
                let mut raised = error_of.caught()?;
                let extra = jq::get(&raised, "extra")?.clone();
                let handled = jq::get_mut(&mut raised, "handled")?;
                *handled = Value::Bool(true);
                jq::add(raised, &extra)?
            }
        };
        let caught = jq::get_mut(&mut input, "caught")?;
        *caught = tried;
        Ok(jq::finished(input))
    }

    /// `.first = (.orders | first | (.seen = 1) + .extra)`
    fn first_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let item = jq::at(jq::get(&input, "orders")?, 0)?;
        let extra = jq::get(item, "extra")?;
        let mut result = item.clone();
        let seen = jq::get_mut(&mut result, "seen")?;
        *seen = Value::Int(1);
        let sum = jq::add(result, extra)?;
        let first = jq::get_mut(&mut input, "first")?;
        *first = sum;
        Ok(jq::finished(input))
    }

    /// `.until = ({n: 1, t: {u: 2}} | until(.n > 3; (.n += 1) + .t))`
    fn until_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("{\"n\":1,\"t\":{\"u\":2}}");
        let mut result = VALUE_1.value().clone();
        loop {
            jq::tick()?;
            if jq::gt(jq::get(&result, "n")?, &Value::Int(3)) {
                break;
            }
            let t = jq::get(&result, "t")?.clone();
            let n = jq::get_mut(&mut result, "n")?;
            *n = jq::add(n.take(), &Value::Int(1))?;
            result = jq::add(result, &t)?;
        }
        let until = jq::get_mut(&mut input, "until")?;
        *until = result;
        Ok(input)
    }

    /// `.whole = ({a: 1} + {b: 2} | (if .a then . else {} end) * .)`
    fn whole_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("{\"a\":1}");
        static VALUE_2: rt::Literal = rt::Literal::new("{\"b\":2}");
        static VALUE_3: rt::Literal = rt::Literal::new("{}");
        let sum = jq::add(VALUE_1.value().clone(), VALUE_2.value())?;
        let chosen = if jq::truthy(jq::get(&sum, "a")?) { &sum } else { VALUE_3.value() };
        let item = jq::mul(chosen.clone(), &sum)?;
        let whole = jq::get_mut(&mut input, "whole")?;
        *whole = item;
        Ok(jq::finished(input))
    }

    /// `.same = ([{x: 1, t: true}] | map((.x = 1) == .t))`
    fn same_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("[{\"x\":1,\"t\":true}]");
        let items = VALUE_1.value();
        let mut items2 = jq::Values::new();
        for item in jq::iter(items)? {
            jq::tick()?;
            let t = jq::get(item, "t")?;
            let mut result = item.clone();
            let x = jq::get_mut(&mut result, "x")?;
            *x = Value::Int(1);
            items2.push(Value::Bool(jq::eq(&result, t)));
        }
        let array = Value::from(items2);
        let same = jq::get_mut(&mut input, "same")?;
        *same = array;
        Ok(input)
    }

    /// `.equal = ([4, 9] | .[0] |= ((. * 2 > 10) == (. < 0)) | .[1] |= ((. + 1 == 10) == (. > 8)))`
    fn equal_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("[4,9]");
        let mut result = VALUE_1.value().clone();
        let item = jq::at_mut(&mut result, 0)?;
        let old_item = item.take();
        let holds = jq::lt(&old_item, &Value::Int(0));
        *item = Value::Bool(jq::eq(
            &Value::Bool(jq::gt(&jq::mul(old_item, &Value::Int(2))?, &Value::Int(10))),
            &Value::Bool(holds),
        ));
        let item2 = jq::at_mut(&mut result, 1)?;
        let old_item2 = item2.take();
        let holds2 = jq::gt(&old_item2, &Value::Int(8));
        *item2 = Value::Bool(jq::eq(
            &Value::Bool(jq::eq(&jq::add(old_item2, &Value::Int(1))?, &Value::Int(10))),
            &Value::Bool(holds2),
        ));
        let equal = jq::get_mut(&mut input, "equal")?;
        *equal = result;
        Ok(jq::finished(input))
    }

    /// `reduce .orders[] as $o (.; (.total += $o.price) + {last: .total})`
    fn deep_enter_result_handler(input: &Value) -> jq::Result<Value> {
        let mut result = input.clone();
        for o in jq::iter(jq::get(input, "orders")?)? {
            jq::tick()?;
            let object = rt::object([("last", jq::get(&result, "total")?.clone())]);
            let price = jq::get(o, "price")?;
            let total = jq::get_mut(&mut result, "total")?;
            *total = jq::add(total.take(), price)?;
            result = jq::add(result, &object)?;
        }
        Ok(result)
    }

    /// `.huge = .big * .big`
    fn huge_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let big = jq::get(&input, "big")?;
        let item = jq::mul(big.clone(), big)?;
        let huge = jq::get_mut(&mut input, "huge")?;
        *huge = item;
        Ok(jq::finished(input))
    }

    /// `.endless = infinite | .none = nan`
    fn endless_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let number = jq::infinite();
        let endless = jq::get_mut(&mut input, "endless")?;
        *endless = number;
        let number2 = jq::nan();
        let none = jq::get_mut(&mut input, "none")?;
        *none = number2;
        Ok(jq::finished(input))
    }

    /// `.is_endless = (.endless | isinfinite)`
    fn is_it_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let isinfinite = jq::isinfinite(jq::get(&input, "endless")?);
        let is_endless = jq::get_mut(&mut input, "is_endless")?;
        *is_endless = Value::Bool(isinfinite);
        Ok(input)
    }

    /// `.finite = [.mixed[] | finites]`
    fn finite_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let mut finites = jq::Values::new();
        for item in jq::iter(jq::get(&input, "mixed")?)? {
            jq::tick()?;
            if jq::eq(&jq::type_(item), &rt::string("number")) {
                if !(jq::isinfinite(item) || jq::isnan(item)) {
                    finites.push(item.clone());
                }
            }
        }
        let array = Value::from(finites);
        let finite = jq::get_mut(&mut input, "finite")?;
        *finite = array;
        Ok(input)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Mark\" as s0\n    state \"Vip\" as s1\n",
        "    state \"Prices\" as s2\n    state \"Either\" as s3\n    state \"Count\" as s4\n",
        "    state \"Caught\" as s5\n    state \"First\" as s6\n    state \"Until\" as s7\n",
        "    state \"Whole\" as s8\n    state \"Same\" as s9\n    state \"Equal\" as s10\n",
        "    state \"Deep\" as s11\n    state \"Huge\" as s12\n    state \"Endless\" as s13\n",
        "    state \"Is it\" as s14\n    state \"Finite\" as s15\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n",
        "    s6 --> s7\n    s7 --> s8\n    s8 --> s9\n    s9 --> s10\n    s10 --> s11\n",
        "    s11 --> s12\n    s12 --> s13\n    s13 --> s14\n    s14 --> s15\n    s15 --> [*]\n"
    );
}
