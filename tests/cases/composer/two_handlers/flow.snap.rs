// Generated from `flow.composer.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `two_handlers` of `flow.composer.yaml`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod two_handlers {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, composer};

    /// The workflow `two_handlers`.
    pub struct TwoHandlers;

    impl TwoHandlers {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<TwoHandlers, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `two_handlers`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `two_handlers`",
        label = "the trait `two_handlers::Tasks` is not implemented for this type",
        note = "flow.composer.yaml:2:1: the workflow is defined here",
        note = "write `impl two_handlers::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `pay`, invoked by `pay` (`flow.composer.yaml:9`).
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

    impl rt::Workflow for TwoHandlers {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "two_handlers",
        dialect: "composer",
        source: "flow.composer.yaml",
        hash: 6332441891216184168,
        states: &[
            rt::StateInfo::new("save", "Push", 5, &["which"]),
            rt::StateInfo::new("which", "Choice", 6, &["first", "second"]),
            rt::StateInfo::new("first", "Try", 7, &["pay"]),
            rt::StateInfo::new("second", "Try", 8, &["pay"]),
            rt::StateInfo::new("pay", "Task", 9, &["by_first", "by_second", "paid"]),
            rt::StateInfo::new("paid", "Catch", 10, &["done"]),
            rt::StateInfo::new("by_first", "Pass", 11, &["done_first"]),
            rt::StateInfo::new("done_first", "Task", 12, &["done"]),
            rt::StateInfo::new("by_second", "Task", 13, &["keep"]),
            rt::StateInfo::new("keep", "Push", 14, &["again"]),
            rt::StateInfo::new("again", "Pop", 15, &["done"]),
            rt::StateInfo::new("done", "Pass", 16, &[]),
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
        save(d, stack, turn)
    }

    /// `save`, `flow.composer.yaml:5`.
    fn save(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("save", &d);
        composer::push_params(&mut stack, d.clone());
        which(d, stack, turn)
    }

    /// `which`, `flow.composer.yaml:6`.
    fn which(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("which", &d);
        let taken = composer::params(&stack, "which")?;
        composer::pop(&mut stack);
        if composer::is_true(d.get("value")) { first(taken, stack, turn) } else { second(taken, stack, turn) }
    }

    /// `first`, `flow.composer.yaml:7`.
    fn first(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("first", &d);
        composer::push_handler(&mut stack, "by_first");
        pay(d, stack, turn)
    }

    /// `second`, `flow.composer.yaml:8`.
    fn second(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("second", &d);
        composer::push_handler(&mut stack, "by_second");
        pay(d, stack, turn)
    }

    /// `pay`, `flow.composer.yaml:9`.
    fn pay(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("pay", &d);
        turn.invoke(&PAY, d);
        rt::wait(State::Pay(stack))
    }

    /// `pay`, `flow.composer.yaml:9`: Continues with the result of the task.
    fn pay_done(mut stack: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) {
            composer::unwind(&mut stack);
            if composer::is_handler(&stack, "by_first") {
                by_first(d, turn)
            } else if composer::is_handler(&stack, "by_second") {
                composer::pop(&mut stack);
                by_second(d, stack, turn)
            } else {
                Err(composer::failure(d))
            }
        } else {
            paid(d, stack, turn)
        }
    }

    /// `pay`, `flow.composer.yaml:9`: Retries or catches a fault.
    fn pay_failed(mut stack: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = composer::error_object(fault.output());
            composer::unwind(&mut stack);
            return if composer::is_handler(&stack, "by_first") {
                by_first(d, turn)
            } else if composer::is_handler(&stack, "by_second") {
                composer::pop(&mut stack);
                by_second(d, stack, turn)
            } else {
                Err(composer::failure(d))
            };
        }
        Err(fault)
    }

    /// `paid`, `flow.composer.yaml:10`.
    fn paid(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("paid", &d);
        let _ = composer::handler(&stack, "paid")?;
        done(d, turn)
    }

    /// `by_first`, `flow.composer.yaml:11`.
    fn by_first(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("by_first", &d);
        done_first(d, turn)
    }

    /// `done_first`, `flow.composer.yaml:12`.
    fn done_first(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("done_first", &d);
        let d = LITERAL_2.clone();
        done(d, turn)
    }

    /// `by_second`, `flow.composer.yaml:13`.
    fn by_second(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("by_second", &d);
        let d = LITERAL_3.clone();
        keep(d, stack, turn)
    }

    /// `keep`, `flow.composer.yaml:14`.
    fn keep(d: Value, mut stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("keep", &d);
        composer::push_params(&mut stack, d.clone());
        again(d, stack, turn)
    }

    /// `again`, `flow.composer.yaml:15`.
    fn again(d: Value, stack: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("again", &d);
        let taken = composer::params(&stack, "again")?;
        let d = rt::object([("result", d), ("params", taken)]);
        done(d, turn)
    }

    /// `done`, `flow.composer.yaml:16`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("done", &d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("[]");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"by\":\"first\"}");
    static LITERAL_3: rt::Literal = rt::Literal::new("{\"by\":\"second\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"save\" as s0\n    state \"which\" as s1\n",
        "    state \"first\" as s2\n    state \"second\" as s3\n    state \"pay\" as s4\n",
        "    state \"paid\" as s5\n    state \"by_first\" as s6\n    state \"done_first\" as s7\n",
        "    state \"by_second\" as s8\n    state \"keep\" as s9\n    state \"again\" as s10\n",
        "    state \"done\" as s11\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2 : $.value is true\n    s1 --> s3 : otherwise\n    s2 --> s4\n",
        "    s3 --> s4\n    s4 --> s5\n    s4 --> s6 : catch\n    s4 --> s8 : catch\n",
        "    s5 --> s11\n    s6 --> s7\n    s7 --> s11\n    s8 --> s9\n    s9 --> s10\n",
        "    s10 --> s11\n    s11 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s4 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n"
    );
}
