// Generated from `flow.composer.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `two_shapes` of `flow.composer.json`.
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
pub mod two_shapes {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `two_shapes`.
    pub struct TwoShapes;

    impl TwoShapes {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<TwoShapes, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `two_shapes`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `two_shapes`",
        label = "the trait `two_shapes::Tasks` is not implemented for this type",
        note = "flow.composer.json:1:1: the workflow is defined here",
        note = "write `impl two_shapes::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `pay`, invoked by `pay` (`flow.composer.json:9`).
        fn pay(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.pay(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for TwoShapes {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "two_shapes",
        dialect: "composer",
        source: "flow.composer.json",
        hash: 11989624802547984285,
        states: &[
            rt::StateInfo::new("counter", "Let", 5, &["guard"]),
            rt::StateInfo::new("guard", "Try", 6, &["save"]),
            rt::StateInfo::new("again", "Pass", 7, &["save"]),
            rt::StateInfo::new("save", "Push", 8, &["pay"]),
            rt::StateInfo::new("pay", "Task", 9, &["again", "merge"]),
            rt::StateInfo::new("merge", "Pop", 10, &["count"]),
            rt::StateInfo::new("count", "Task", 11, &["again", "open"]),
            rt::StateInfo::new("open", "Catch", 12, &["close"]),
            rt::StateInfo::new("close", "End", 13, &["done"]),
            rt::StateInfo::new("done", "Pass", 14, &[]),
        ],
        tasks: &[&PAY],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PAY: rt::Task = rt::Task::new(0, "pay", "pay", "pay", 9);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Pay(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Pay(stack), "pay", "pay", 5051563811647694458),
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
                (State::Pay(stack), Ok(result)) => pay_done(stack, result, turn),
                (State::Pay(stack), Err(fault)) => pay_failed(stack, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::parameters(d);
        let stack = LITERAL_1.clone();
        counter(d, stack, turn)
    }

    /// `counter`, `flow.composer.json:5`.
    fn counter(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("counter", &d);
        composer::push_variable(&mut stack, "n", Value::Int(0));
        guard(d, stack, turn)
    }

    /// `guard`, `flow.composer.json:6`.
    fn guard(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("guard", &d);
        composer::push_handler(&mut stack, "again");
        save(d, stack, turn)
    }

    /// `again`, `flow.composer.json:7`.
    fn again(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("again", &d);
        save(d, stack, turn)
    }

    /// `save`, `flow.composer.json:8`.
    fn save(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("save", &d);
        composer::push_params(&mut stack, d.clone());
        pay(d, stack, turn)
    }

    /// `pay`, `flow.composer.json:9`.
    fn pay(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("pay", &d);
        turn.invoke(&PAY, d);
        rt::wait(State::Pay(stack))
    }

    /// `pay`, `flow.composer.json:9`: Continues with the result of the task.
    fn pay_done(mut stack: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) {
            composer::unwind(&mut stack);
            if composer::is_handler(&stack, "again") {
                composer::pop(&mut stack);
                again(d, stack, turn)
            } else {
                Err(composer::failure(d))
            }
        } else {
            merge(d, stack, turn)
        }
    }

    /// `pay`, `flow.composer.json:9`: Retries or catches a fault.
    fn pay_failed(mut stack: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = composer::error_object(fault.output());
            composer::unwind(&mut stack);
            return if composer::is_handler(&stack, "again") {
                composer::pop(&mut stack);
                again(d, stack, turn)
            } else {
                Err(composer::failure(d))
            };
        }
        Err(fault)
    }

    /// `merge`, `flow.composer.json:10`.
    fn merge(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("merge", &d);
        let taken = composer::params(&stack, "merge")?;
        composer::pop(&mut stack);
        let d = rt::object([("result", d), ("params", taken)]);
        count(d, stack, turn)
    }

    /// `count`, `flow.composer.json:11`.
    fn count(mut d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("count", &d);
        let mut n = composer::read(&stack, "n");
        js::run(&mut d, [&mut n], count_script, turn);
        composer::write(&mut stack, "n", n);
        if composer::is_error(&d) {
            composer::unwind(&mut stack);
            if composer::is_handler(&stack, "again") {
                composer::pop(&mut stack);
                again(d, stack, turn)
            } else {
                Err(composer::failure(d))
            }
        } else {
            open(d, stack, turn)
        }
    }

    /// `open`, `flow.composer.json:12`.
    fn open(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("open", &d);
        let _ = composer::handler(&stack, "open")?;
        composer::pop(&mut stack);
        close(d, stack, turn)
    }

    /// `close`, `flow.composer.json:13`.
    fn close(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("close", &d);
        let _ = composer::variable(&stack, "close")?;
        done(d, turn)
    }

    /// `done`, `flow.composer.json:14`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("done", &d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `count`, `flow.composer.json:11`.
    fn count_script(_: &js::Run, p: Js, [n]: [js::Var; 1]) -> js::Result {
        n.set(js::add(&n.get(), &Js::Number(1.0))?);
        js::set(&p, "n", n.get())?;
        if js::number(&js::get(&js::get(&p, "params")?, "id")?)? < 0.0 {
            return Err(js::Throw::Value(n.get()));
        }
        Ok(p)
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("[]");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"counter\" as s0\n    state \"guard\" as s1\n",
        "    state \"again\" as s2\n    state \"save\" as s3\n    state \"pay\" as s4\n",
        "    state \"merge\" as s5\n    state \"count\" as s6\n    state \"open\" as s7\n",
        "    state \"close\" as s8\n    state \"done\" as s9\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s3\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s4 --> s2 : catch\n",
        "    s5 --> s6\n    s6 --> s7\n    s6 --> s2 : catch\n    s7 --> s8\n    s8 --> s9\n",
        "    s9 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s4,s6 task\n"
    );
}
