// Generated from `flow.composer.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `collatz` of `flow.composer.yaml`.
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
    unused_assignments,
    unused_variables,
    clippy::eq_op,
    clippy::let_and_return,
    clippy::needless_return,
    clippy::never_loop,
    clippy::self_assignment,
    clippy::while_immutable_condition,
    reason = "functions have the structure of their source"
)]
pub mod collatz {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `collatz`.
    pub struct Collatz;

    impl Collatz {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Collatz, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `collatz`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `collatz`",
        label = "the trait `collatz::Tasks` is not implemented for this type",
        note = "flow.composer.yaml:2:1: the workflow is defined here",
        note = "write `impl collatz::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `isNotOne`, invoked by `is_not_one` (`flow.composer.yaml:7`).
        fn is_not_one(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.is_not_one(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Collatz {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "collatz",
        dialect: "composer",
        source: "flow.composer.yaml",
        hash: 10925405207840764406,
        states: &[
            rt::StateInfo::new("let_0", "Let", 5, &["push_0"]),
            rt::StateInfo::new("push_0", "Push", 6, &["is_not_one"]),
            rt::StateInfo::new("is_not_one", "Task", 7, &["choice_0"]),
            rt::StateInfo::new("choice_0", "Choice", 8, &["push_1", "count"]),
            rt::StateInfo::new("push_1", "Push", 9, &["is_even"]),
            rt::StateInfo::new("is_even", "Task", 10, &["choice_1"]),
            rt::StateInfo::new("choice_1", "Choice", 11, &["halve", "triple"]),
            rt::StateInfo::new("halve", "Task", 12, &["push_0"]),
            rt::StateInfo::new("triple", "Task", 13, &["push_0"]),
            rt::StateInfo::new("count", "Task", 21, &["end_0"]),
            rt::StateInfo::new("end_0", "End", 22, &["push_2"]),
            rt::StateInfo::new("push_2", "Push", 23, &["constant"]),
            rt::StateInfo::new("constant", "Task", 24, &["result"]),
            rt::StateInfo::new("result", "Pop", 25, &[]),
        ],
        tasks: &[&IS_NOT_ONE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static IS_NOT_ONE: rt::Task = rt::Task::new(0, "isNotOne", "isNotOne", "is_not_one", 7);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        IsNotOne(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (IsNotOne(saved, steps), "is_not_one", "is_not_one", 4771396242232263077),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::IsNotOne(saved, steps), Ok(result)) => is_not_one_done(steps, saved, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::parameters(d);
        let_0(d, turn)
    }

    /// `let_0`, `flow.composer.yaml:5`.
    fn let_0(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("let_0", &d);
        let steps = Value::Int(0);
        push_0(d, steps, turn)
    }

    /// `push_0`, `flow.composer.yaml:6`.
    fn push_0(d: Value, steps: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("push_0", &d);
        let saved = d.clone();
        is_not_one(d, steps, saved, turn)
    }

    /// `is_not_one`, `flow.composer.yaml:7`.
    fn is_not_one(d: Value, steps: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("is_not_one", &d);
        turn.invoke(&IS_NOT_ONE, d);
        rt::wait(State::IsNotOne(saved, steps))
    }

    /// `is_not_one`, `flow.composer.yaml:7`: Continues with the result of the task.
    fn is_not_one_done(steps: Value, saved: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { choice_0(d, steps, saved, turn) }
    }

    /// `choice_0`, `flow.composer.yaml:8`.
    fn choice_0(d: Value, steps: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("choice_0", &d);
        if composer::is_true(d.get("value")) { push_1(saved, steps, turn) } else { count(saved, steps, turn) }
    }

    /// `push_1`, `flow.composer.yaml:9`.
    fn push_1(d: Value, steps: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("push_1", &d);
        let saved = d.clone();
        is_even(d, steps, saved, turn)
    }

    /// `is_even`, `flow.composer.yaml:10`.
    fn is_even(mut d: Value, steps: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("is_even", &d);
        js::run(&mut d, [], is_even_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { choice_1(d, steps, saved, turn) }
    }

    /// `choice_1`, `flow.composer.yaml:11`.
    fn choice_1(d: Value, steps: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("choice_1", &d);
        if composer::is_true(d.get("value")) { halve(saved, steps, turn) } else { triple(saved, steps, turn) }
    }

    /// `halve`, `flow.composer.yaml:12`.
    fn halve(mut d: Value, mut steps: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("halve", &d);
        js::run(&mut d, [&mut steps], halve_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { push_0(d, steps, turn) }
    }

    /// `triple`, `flow.composer.yaml:13`.
    fn triple(mut d: Value, mut steps: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("triple", &d);
        js::run(&mut d, [&mut steps], triple_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { push_0(d, steps, turn) }
    }

    /// `count`, `flow.composer.yaml:21`.
    fn count(mut d: Value, mut steps: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("count", &d);
        js::run(&mut d, [&mut steps], count_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { end_0(d, turn) }
    }

    /// `end_0`, `flow.composer.yaml:22`.
    fn end_0(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_0", &d);
        push_2(d, turn)
    }

    /// `push_2`, `flow.composer.yaml:23`.
    fn push_2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("push_2", &d);
        let saved = d.clone();
        constant(d, saved, turn)
    }

    /// `constant`, `flow.composer.yaml:24`.
    fn constant(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("constant", &d);
        let d = LITERAL_1.clone();
        result(d, saved, turn)
    }

    /// `result`, `flow.composer.yaml:25`.
    fn result(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("result", &d);
        let d = rt::object([("result", d), ("params", saved)]);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `is_even`, `flow.composer.yaml:10`.
    fn is_even_script(_: &js::Run, params: Js, []: [js::Var; 0]) -> js::Result {
        let n = js::get(&params, "n")?;
        Ok(Js::from(js::number(&n)? % 2.0 == 0.0))
    }

    /// The function of `halve`, `flow.composer.yaml:12`.
    fn halve_script(_: &js::Run, params: Js, [steps]: [js::Var; 1]) -> js::Result {
        let n = js::get(&params, "n")?;
        steps.set(js::add(&steps.get(), &Js::Number(1.0))?);
        Ok(js::object([("n", Js::from(js::number(&n)? / 2.0))]))
    }

    /// The function of `triple`, `flow.composer.yaml:16`.
    fn triple_script(_: &js::Run, params: Js, [steps]: [js::Var; 1]) -> js::Result {
        let n = js::get(&params, "n")?;
        steps.set(Js::from(js::number(&steps.get())? + 1.0));
        Ok(js::object([("n", Js::from(3.0 * js::number(&n)? + 1.0))]))
    }

    /// The function of `count`, `flow.composer.yaml:21`.
    fn count_script(_: &js::Run, _: Js, [steps]: [js::Var; 1]) -> js::Result {
        Ok(js::object([("steps", steps.get())]))
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{\"value\":[1,{\"two\":null}]}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"let_0\" as s0\n    state \"push_0\" as s1\n",
        "    state \"is_not_one\" as s2\n    state \"choice_0\" as s3\n",
        "    state \"push_1\" as s4\n    state \"is_even\" as s5\n    state \"choice_1\" as s6\n",
        "    state \"halve\" as s7\n    state \"triple\" as s8\n    state \"count\" as s9\n",
        "    state \"end_0\" as s10\n    state \"push_2\" as s11\n    state \"constant\" as s12\n",
        "    state \"result\" as s13\n    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n",
        "    s2 --> s3\n    s3 --> s4 : $.value is true\n    s3 --> s9 : otherwise\n",
        "    s4 --> s5\n    s5 --> s6\n    s6 --> s7 : $.value is true\n",
        "    s6 --> s8 : otherwise\n    s7 --> s1\n    s8 --> s1\n    s9 --> s10\n",
        "    s10 --> s11\n    s11 --> s12\n    s12 --> s13\n    s13 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s2,s5,s7,s8,s9 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s3,s6 choice\n"
    );
}
