// Generated from `flow.composer.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `recovery` of `flow.composer.json`.
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
pub mod recovery {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `recovery`.
    pub struct Recovery;

    impl Recovery {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Recovery, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `recovery`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `recovery`",
        label = "the trait `recovery::Tasks` is not implemented for this type",
        note = "flow.composer.json:1:1: the workflow is defined here",
        note = "write `impl recovery::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `/acme/bank/pay`, invoked by `pay` (`flow.composer.json:9`).
        fn acme_bank_pay(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `/other/bank/pay`, invoked by `second_bank` (`flow.composer.json:12`).
        fn other_bank_pay(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.acme_bank_pay(input, cx)),
                1 => rt::task_future(tasks.other_bank_pay(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Recovery {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "recovery",
        dialect: "composer",
        source: "flow.composer.json",
        hash: 14789007195620121445,
        states: &[
            rt::StateInfo::new("outer", "Try", 5, &["save"]),
            rt::StateInfo::new("save", "Push", 6, &["inner"]),
            rt::StateInfo::new("inner", "Try", 7, &["variable"]),
            rt::StateInfo::new("variable", "Let", 8, &["pay"]),
            rt::StateInfo::new("pay", "Task", 9, &["second_bank", "paid"]),
            rt::StateInfo::new("paid", "End", 10, &["caught"]),
            rt::StateInfo::new("caught", "Catch", 11, &["merge"]),
            rt::StateInfo::new("second_bank", "Task", 12, &["gave_up", "merge"]),
            rt::StateInfo::new("merge", "Pop", 13, &["flatten"]),
            rt::StateInfo::new("flatten", "Task", 14, &["gave_up", "end_outer"]),
            rt::StateInfo::new("end_outer", "Catch", 15, &["done"]),
            rt::StateInfo::new("gave_up", "Task", 16, &["done"]),
            rt::StateInfo::new("done", "Pass", 17, &[]),
        ],
        tasks: &[&PAY, &SECOND_BANK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PAY: rt::Task = rt::Task::new(0, "/acme/bank/pay", "/acme/bank/pay", "pay", 9);
    static SECOND_BANK: rt::Task = rt::Task::new(1, "/other/bank/pay", "/other/bank/pay", "second_bank", 12);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Pay(Value),
        SecondBank(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Pay(saved), "pay", "pay", 5553322684465949471),
            (SecondBank(saved), "second_bank", "second_bank", 5553322684465949471),
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
                (State::Pay(saved), Ok(result)) => pay_done(saved, result, turn),
                (State::Pay(saved), Err(fault)) => pay_failed(saved, fault, turn),
                (State::SecondBank(saved), Ok(result)) => second_bank_done(saved, result, turn),
                (State::SecondBank(_), Err(fault)) => second_bank_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::parameters(d);
        outer(d, turn)
    }

    /// `outer`, `flow.composer.json:5`.
    fn outer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("outer", &d);
        save(d, turn)
    }

    /// `save`, `flow.composer.json:6`.
    fn save(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("save", &d);
        let saved = d.clone();
        inner(d, saved, turn)
    }

    /// `inner`, `flow.composer.json:7`.
    fn inner(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("inner", &d);
        variable(d, saved, turn)
    }

    /// `variable`, `flow.composer.json:8`.
    fn variable(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("variable", &d);
        pay(d, saved, turn)
    }

    /// `pay`, `flow.composer.json:9`.
    fn pay(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("pay", &d);
        turn.invoke(&PAY, d);
        rt::wait(State::Pay(saved))
    }

    /// `pay`, `flow.composer.json:9`: Continues with the result of the task.
    fn pay_done(saved: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) { second_bank(d, saved, turn) } else { paid(d, saved, turn) }
    }

    /// `pay`, `flow.composer.json:9`: Retries or catches a fault.
    fn pay_failed(saved: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = composer::error_object(fault.output());
            return second_bank(d, saved, turn);
        }
        Err(fault)
    }

    /// `paid`, `flow.composer.json:10`.
    fn paid(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("paid", &d);
        caught(d, saved, turn)
    }

    /// `caught`, `flow.composer.json:11`.
    fn caught(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("caught", &d);
        merge(d, saved, turn)
    }

    /// `second_bank`, `flow.composer.json:12`.
    fn second_bank(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("second_bank", &d);
        turn.invoke(&SECOND_BANK, d);
        rt::wait(State::SecondBank(saved))
    }

    /// `second_bank`, `flow.composer.json:12`: Continues with the result of the task.
    fn second_bank_done(saved: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) { gave_up(d, turn) } else { merge(d, saved, turn) }
    }

    /// `second_bank`, `flow.composer.json:12`: Retries or catches a fault.
    fn second_bank_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let d = composer::error_object(fault.output());
            return gave_up(d, turn);
        }
        Err(fault)
    }

    /// `merge`, `flow.composer.json:13`.
    fn merge(d: Value, saved: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("merge", &d);
        let d = rt::object([("result", d), ("params", saved)]);
        flatten(d, turn)
    }

    /// `flatten`, `flow.composer.json:14`.
    fn flatten(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("flatten", &d);
        js::run(&mut d, [], flatten_script, turn);
        if composer::is_error(&d) { gave_up(d, turn) } else { end_outer(d, turn) }
    }

    /// `end_outer`, `flow.composer.json:15`.
    fn end_outer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_outer", &d);
        done(d, turn)
    }

    /// `gave_up`, `flow.composer.json:16`.
    fn gave_up(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("gave_up", &d);
        js::run(&mut d, [], gave_up_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { done(d, turn) }
    }

    /// `done`, `flow.composer.json:17`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("done", &d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `flatten`, `flow.composer.json:14`.
    fn flatten_script(run: &js::Run, argument_: Js, []: [js::Var; 0]) -> js::Result {
        let params = js::get(&argument_, "params")?;
        let result = js::get(&argument_, "result")?;
        js::builtin::object_assign(run, &[js::object([]), params, result])
    }

    /// The function of `gave_up`, `flow.composer.json:16`.
    fn gave_up_script(_: &js::Run, params: Js, []: [js::Var; 0]) -> js::Result {
        let error = js::get(&params, "error")?;
        if js::strict_equals(&error, &Js::text("fatal")) {
            return Err(js::Throw::Value(error));
        }
        Ok(js::object([("refused", error)]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"outer\" as s0\n    state \"save\" as s1\n",
        "    state \"inner\" as s2\n    state \"variable\" as s3\n    state \"pay\" as s4\n",
        "    state \"paid\" as s5\n    state \"caught\" as s6\n    state \"second_bank\" as s7\n",
        "    state \"merge\" as s8\n    state \"flatten\" as s9\n    state \"end_outer\" as s10\n",
        "    state \"gave_up\" as s11\n    state \"done\" as s12\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s4 --> s7 : catch\n",
        "    s5 --> s6\n    s6 --> s8\n    s7 --> s8\n    s7 --> s11 : catch\n    s8 --> s9\n",
        "    s9 --> s10\n    s9 --> s11 : catch\n    s10 --> s12\n    s11 --> s12\n",
        "    s12 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s4,s7,s9,s11 task\n"
    );
}
