// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `exits` of `flow.sm4c.json`.
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
pub mod exits {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, jq, sm4c};

    /// The workflow `exits`.
    pub struct Exits;

    impl Exits {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Exits, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `exits`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `exits`",
        label = "the trait `exits::Tasks` is not implemented for this type",
        note = "flow.sm4c.json:1:1: the workflow is defined here",
        note = "write `impl exits::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Exits {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "exits",
        dialect: "sm4c",
        source: "flow.sm4c.json",
        hash: 7430412308140541432,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Ask", "State", 6, &["Sum", "All"]),
            rt::StateInfo::new("Sum", "State", 133, &[]),
            rt::StateInfo::new("All", "State", 137, &["Ask"]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Ask(Value, Value, Value, Value, Value, Value, Value),
        Ask2(Value, Value, Value, Value),
        AskEnter(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Ask(d, next, result, result2, result3, result4, result5), "Ask", "Ask", 15327753702340916302),
            (Ask2(d, next, result, result2), "Ask #2", "Ask", 2815270565529923319),
            (AskEnter(d), "Ask enter", "Ask", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::AskEnter(d) => ask_choose(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Ask(d, next, result, result2, result3, result4, result5), _) => {
                    ask_over(d, next, result, result2, result3, result4, result5, turn)
                }
                (State::Ask2(d, next, result, result2), _) => ask_over2(d, next, result, result2, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        ask(d, turn)
    }

    /// `Ask`, `flow.sm4c.json:6`.
    fn ask(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask", &d);
        let d = ask_enter_result_handler(d)?;
        ask_choose(d, turn)
    }

    /// `Ask`, `flow.sm4c.json:6`: Continues within the state.
    fn ask_choose(d: Value, turn: &mut Turn) -> TurnResult {
        if ask_condition(&d)? {
            let next = rt::string("Sum");
            ask_leave(d, next, turn)
        } else if ask_condition2(&d)? {
            let _ = ask_data(&d)?;
            let d = ask_transition_result_handler(d)?;
            let next = rt::string("All");
            ask_leave(d, next, turn)
        } else if ask_condition3(&d)? {
            let next = rt::string("Sum");
            ask_leave(d, next, turn)
        } else if ask_condition4(&d)? {
            let result = ask_data2(&d);
            let d = ask_transition_result_handler2(d, &result)?;
            rt::next(State::AskEnter(d))
        } else {
            Err(sm4c::stuck("Ask"))
        }
    }

    /// `Ask`, `flow.sm4c.json:6`: Continues within the state.
    fn ask_leave(d: Value, next: Value, turn: &mut Turn) -> TurnResult {
        let result = ask_data3(&d);
        let result2 = ask_data4(&d);
        let result3 = ask_data5(&d);
        let result4 = ask_data6(&d);
        let result5 = ask_data7(&d);
        turn.sleep_seconds(1.0);
        rt::wait(State::Ask(d, next, result, result2, result3, result4, result5))
    }

    /// `Ask`, `flow.sm4c.json:6`: Continues after the wait.
    fn ask_over(
        d: Value,
        next: Value,
        result: Value,
        result2: Value,
        result3: Value,
        result4: Value,
        result5: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let result6 = Value::Null;
        let result7 = ask_data8(&d);
        let result8 = ask_data9(&d);
        let result9 = ask_data10(&d);
        let result10 = ask_data11(&d);
        let result11 = ask_data12(&d);
        let result12 = ask_data13(&d);
        let result13 = ask_data14(&d);
        let result14 = ask_data15(&d);
        let result15 = ask_data16(&d);
        let result16 = ask_data17(&d);
        let result17 = rt::object([
            ("s0", result),
            ("s1", result2),
            ("s2", result3),
            ("3", result4),
            ("s4", result5),
            ("s5", result6),
            ("s6", result7),
            ("s7", result8),
            ("s8", result9),
            ("s9", result10),
            ("s10", result11),
            ("s11", result12),
            ("s12", result13),
            ("s13", result14),
            ("s14", result15),
            ("s15", result16),
        ]);
        let result18 = ask_data18(&d);
        turn.sleep_seconds(1.0);
        rt::wait(State::Ask2(d, next, result17, result18))
    }

    /// `Ask`, `flow.sm4c.json:6`: Continues after the wait.
    fn ask_over2(d: Value, next: Value, result: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        let result3 = Value::Null;
        let result = sm4c::both(result, rt::object([("s16", result2), ("s17", result3)]));
        let d = ask_exit_result_handler(d, &result)?;
        if sm4c::is(&next, "Sum") { sum(d, turn) } else { all(d, turn) }
    }

    /// `Sum`, `flow.sm4c.json:133`.
    fn sum(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum", &d);
        rt::done(jq::apply(turn, || sum_exit_result_handler(d))?)
    }

    /// `All`, `flow.sm4c.json:137`.
    fn all(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("All", &d);
        if jq::apply(turn, || all_condition(&d))? {
            all_leave(d, turn)
        } else if all_condition2(&d)? {
            all_leave(d, turn)
        } else {
            Err(sm4c::stuck("All"))
        }
    }

    /// `All`, `flow.sm4c.json:137`: Continues within the state.
    fn all_leave(d: Value, turn: &mut Turn) -> TurnResult {
        let d = all_exit_result_handler(d)?;
        ask(d, turn)
    }

    /// `.rounds += 1`
    fn ask_enter_result_handler(mut input: Value) -> jq::Result<Value> {
        let rounds = jq::get_mut(&mut input, "rounds")?;
        *rounds = jq::add(rounds.take(), &Value::Int(1))?;
        Ok(jq::finished(input))
    }

    /// `.kind == "sum"`
    fn ask_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "kind")?, &rt::string("sum")))
    }

    /// `.kind == "all"`
    fn ask_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "kind")?, &rt::string("all")))
    }

    /// `.kind`
    fn ask_data(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "kind")?.clone())
    }

    /// `.kind = "sum"`
    fn ask_transition_result_handler(mut input: Value) -> jq::Result<Value> {
        let kind = jq::get_mut(&mut input, "kind")?;
        *kind = rt::string("sum");
        Ok(input)
    }

    /// `.kind == "both"`
    fn ask_condition3(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "kind")?, &rt::string("both")))
    }

    /// `.kind == null`
    fn ask_condition4(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "kind")?, &rt::NULL))
    }

    /// `"all"`
    fn ask_data2(_: &Value) -> Value {
        rt::string("all")
    }

    /// `.kind = $value`
    fn ask_transition_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let kind = jq::get_mut(&mut input, "kind")?;
        *kind = value_of.clone();
        Ok(input)
    }

    /// `0`
    fn ask_data3(_: &Value) -> Value {
        Value::Int(0)
    }

    /// `1`
    fn ask_data4(_: &Value) -> Value {
        Value::Int(1)
    }

    /// `2`
    fn ask_data5(_: &Value) -> Value {
        Value::Int(2)
    }

    /// `3`
    fn ask_data6(_: &Value) -> Value {
        Value::Int(3)
    }

    /// `4`
    fn ask_data7(_: &Value) -> Value {
        Value::Int(4)
    }

    /// `6`
    fn ask_data8(_: &Value) -> Value {
        Value::Int(6)
    }

    /// `7`
    fn ask_data9(_: &Value) -> Value {
        Value::Int(7)
    }

    /// `8`
    fn ask_data10(_: &Value) -> Value {
        Value::Int(8)
    }

    /// `9`
    fn ask_data11(_: &Value) -> Value {
        Value::Int(9)
    }

    /// `10`
    fn ask_data12(_: &Value) -> Value {
        Value::Int(10)
    }

    /// `11`
    fn ask_data13(_: &Value) -> Value {
        Value::Int(11)
    }

    /// `12`
    fn ask_data14(_: &Value) -> Value {
        Value::Int(12)
    }

    /// `13`
    fn ask_data15(_: &Value) -> Value {
        Value::Int(13)
    }

    /// `14`
    fn ask_data16(_: &Value) -> Value {
        Value::Int(14)
    }

    /// `15`
    fn ask_data17(_: &Value) -> Value {
        Value::Int(15)
    }

    /// `16`
    fn ask_data18(_: &Value) -> Value {
        Value::Int(16)
    }

    /// `.left += [$value]`
    fn ask_exit_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([value_of.clone()]);
        let left = jq::get_mut(&mut input, "left")?;
        *left = jq::add(left.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.left |= map(.s17, add(.s0, .["3"], .s16))`
    fn sum_exit_result_handler(mut input: Value) -> jq::Result<Value> {
        let left = jq::get_mut(&mut input, "left")?;
        let old_left = left.take();
        let mut items = jq::Values::new();
        for item in jq::iter(&old_left)? {
            jq::tick()?;
            items.push(jq::get(item, "s17")?.clone());
            let mut result = Value::Null;
            result = jq::add(result, jq::get(item, "s0")?)?;
            result = jq::add(result, jq::get(item, "3")?)?;
            result = jq::add(result, jq::get(item, "s16")?)?;
            items.push(result);
        }
        *left = Value::from(items);
        Ok(input)
    }

    /// `.left | length < 2`
    fn all_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::lt(&jq::length(jq::get(input, "left")?)?, &Value::Int(2)))
    }

    /// `.rounds > 1`
    fn all_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::gt(jq::get(input, "rounds")?, &Value::Int(1)))
    }

    /// `.kind = "both"`
    fn all_exit_result_handler(mut input: Value) -> jq::Result<Value> {
        let kind = jq::get_mut(&mut input, "kind")?;
        *kind = rt::string("both");
        Ok(input)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Ask\" as s0\n    state \"Sum\" as s1\n",
        "    state \"All\" as s2\n    [*] --> s0\n    s0 --> s1\n    s0 --> s2\n    s1 --> [*]\n",
        "    s2 --> s0\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s0 wait\n"
    );
}
