// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `faults` of `flow.sm4c.json`.
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
pub mod faults {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, jq, operation, sm4c};

    /// The workflow `faults`.
    pub struct Faults;

    impl Faults {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Faults, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `faults`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `faults`",
        label = "the trait `faults::Tasks` is not implemented for this type",
        note = "flow.sm4c.json:1:1: the workflow is defined here",
        note = "write `impl faults::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `fetch`, invoked by `Handlers` (`flow.sm4c.json:5`), `Branches` (`flow.sm4c.json:5`).
        fn fetch(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `pack`, invoked by `Handlers` (`flow.sm4c.json:7`).
        fn pack(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `check`, invoked by `Conditions` (`flow.sm4c.json:6`), `Branches` (`flow.sm4c.json:6`).
        fn check(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 | 4 => rt::task_future(tasks.fetch(input, cx)),
                1 => rt::task_future(tasks.pack(input, cx)),
                2 | 3 => rt::task_future(tasks.check(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Faults {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "faults",
        dialect: "sm4c",
        source: "flow.sm4c.json",
        hash: 14091589478752486133,
        states: &[
            rt::StateInfo::new("Handlers", "State", 12, &["Conditions"]),
            rt::StateInfo::new("Conditions", "State", 55, &["Branches"]),
            rt::StateInfo::new("Branches", "State", 78, &[]),
        ],
        tasks: &[&HANDLERS, &HANDLERS2, &CONDITIONS, &BRANCHES, &BRANCHES2],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static HANDLERS: rt::Task = rt::Task::new(0, "fetch", "store.json#fetch", "Handlers", 5).operation(&OPERATION_1);
    static HANDLERS2: rt::Task = rt::Task::new(1, "pack", "store.json#pack", "Handlers", 7).operation(&OPERATION_2);
    static CONDITIONS: rt::Task =
        rt::Task::new(2, "check", "store.json#check", "Conditions", 6).operation(&OPERATION_3);
    static BRANCHES: rt::Task = rt::Task::new(3, "check", "store.json#check", "Branches", 6).operation(&OPERATION_3);
    static BRANCHES2: rt::Task = rt::Task::new(4, "fetch", "store.json#fetch", "Branches", 5).operation(&OPERATION_1);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        HandlersEntryHandlers1,
        HandlersEntryHandlers2,
        HandlersEntryHandlers3,
        HandlersEntryHandlers4(Value),
        HandlersEntryHandlers5(Value),
        BranchesEntryBranches6,
        BranchesEntryBranches7,
        Handlers(Value),
        ConditionsRetry(Value, rt::BlockRetries),
        Conditions(Value, rt::BlockRetries),
        Branches(Value),
        Branches2(Value),
        Handlers1(Value),
        Handlers2(Value),
        Handlers3(Value),
        Handlers4(Value),
        Handlers5(Value),
        Branches6(Value),
        Branches7(Value),
        HandlersEnter(Value, Value, Value, Value),
        BranchesEnter(Value, Value, Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (HandlersEntryHandlers1, "Handlers entry Handlers 1", "", 14695981039346656037),
            (HandlersEntryHandlers2, "Handlers entry Handlers 2", "", 14695981039346656037),
            (HandlersEntryHandlers3, "Handlers entry Handlers 3", "", 14695981039346656037),
            (HandlersEntryHandlers4(d), "Handlers entry Handlers 4", "", 16290513905774444234),
            (HandlersEntryHandlers5(element), "Handlers entry Handlers 5", "", 17140121287228190346),
            (BranchesEntryBranches6, "Branches entry Branches 6", "", 14695981039346656037),
            (BranchesEntryBranches7, "Branches entry Branches 7", "", 14695981039346656037),
            (Handlers(d), "Handlers", "Handlers", 351662007070794327),
            (ConditionsRetry(d, retries), "Conditions retry", "Conditions", 4886697238090824359),
            (Conditions(d, retries), "Conditions", "Conditions", 18236129607119812587),
            (Branches(d), "Branches", "Branches", 16882592905918205213),
            (Branches2(d), "Branches #2", "Branches", 17242637566105333137),
            (Handlers1(handled), "Handlers 1", "Handlers 1", 2551451076913612166),
            (Handlers2(handled), "Handlers 2", "Handlers 2", 2551451076913612166),
            (Handlers3(handled), "Handlers 3", "Handlers 3", 2551451076913612166),
            (Handlers4(handled), "Handlers 4", "Handlers 4", 4390580038449393275),
            (Handlers5(handled), "Handlers 5", "Handlers 5", 18372401638902123788),
            (Branches6(handled), "Branches 6", "Branches 6", 11911673404748815441),
            (Branches7(handled), "Branches 7", "Branches 7", 11911673404748815441),
            (HandlersEnter(d, failed, handled, joined), "Handlers enter", "Handlers", 2873725373290300593),
            (BranchesEnter(d, failed, handled, joined), "Branches enter", "Branches", 2873725373290300593),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::HandlersEntryHandlers1 => handlers_1(turn),
                State::HandlersEntryHandlers2 => handlers_2(turn),
                State::HandlersEntryHandlers3 => handlers_3(turn),
                State::HandlersEntryHandlers4(d) => handlers_4(d, turn),
                State::HandlersEntryHandlers5(element) => handlers_5(element, turn),
                State::BranchesEntryBranches6 => branches_6(turn),
                State::BranchesEntryBranches7 => branches_7(turn),
                State::HandlersEnter(d, failed, handled, joined) => handlers_handle(d, joined, handled, failed, turn),
                State::BranchesEnter(d, failed, handled, joined) => branches_handle(d, joined, handled, failed, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Handlers(d), Ok(result)) => handlers_joined(d, result, turn),
                (State::Handlers(d), Err(fault)) => handlers_failed(d, fault, turn),
                (State::ConditionsRetry(d, retries), _) => conditions_try(d, retries, turn),
                (State::Conditions(d, _), Ok(_)) => conditions_done(d, turn),
                (State::Conditions(d, retries), Err(fault)) => conditions_failed(d, retries, fault, turn),
                (State::Branches(d), Ok(result)) => branches_joined(d, result, turn),
                (State::Branches(d), Err(fault)) => branches_failed2(d, fault, turn),
                (State::Branches2(d), Ok(_)) => branches_done(d),
                (State::Branches2(d), Err(fault)) => branches_failed(d, fault, turn),
                (State::Handlers1(handled), Ok(result)) => handlers_1_done(handled, result),
                (State::Handlers1(handled), Err(fault)) => handlers_1_failed(handled, fault, turn),
                (State::Handlers2(handled), Ok(result)) => handlers_2_done(handled, result),
                (State::Handlers2(handled), Err(fault)) => handlers_2_failed(handled, fault, turn),
                (State::Handlers3(handled), Ok(result)) => handlers_3_done(handled, result),
                (State::Handlers3(handled), Err(fault)) => handlers_3_failed(handled, fault, turn),
                (State::Handlers4(handled), Ok(result)) => handlers_4_joined(handled, result, turn),
                (State::Handlers4(handled), Err(fault)) => handlers_4_failed(handled, fault, turn),
                (State::Handlers5(handled), Ok(result)) => handlers_5_done(handled, result),
                (State::Handlers5(handled), Err(fault)) => handlers_5_failed(handled, fault, turn),
                (State::Branches6(handled), Ok(result)) => branches_6_done(handled, result),
                (State::Branches6(handled), Err(fault)) => branches_6_failed(handled, fault, turn),
                (State::Branches7(handled), Ok(result)) => branches_7_done(handled, result),
                (State::Branches7(handled), Err(fault)) => branches_7_failed(handled, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Handlers(_), 0) => Some(State::HandlersEntryHandlers1),
                (State::Handlers(_), 1) => Some(State::HandlersEntryHandlers2),
                (State::Handlers(_), 2) => Some(State::HandlersEntryHandlers3),
                (State::Handlers(d), 3) => Some(State::HandlersEntryHandlers4(d.clone())),
                (State::Branches(_), 0) => Some(State::BranchesEntryBranches6),
                (State::Branches(_), 1) => Some(State::BranchesEntryBranches7),
                (State::Handlers4(_), _) => Some(State::HandlersEntryHandlers5(item.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        handlers(d, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`.
    fn handlers(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Handlers", &d);
        turn.race(4, 4);
        rt::wait(State::Handlers(d))
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues with the first outputs.
    fn handlers_joined(d: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&rt::array([]), &joined);
        let failed = Value::Null;
        handlers_handle(d, joined, handled, failed, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues within the state.
    fn handlers_handle(d: Value, joined: Value, handled: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled)) {
            handlers_handled(d, joined, failed, turn)
        } else if sm4c::is_first(&handled, 0) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler(d.clone())?)) {
                Ok(value) => value,
                Err(fault) => {
                    return handlers_failed2(d, joined, handled, failed, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::HandlersEnter(d, failed, handled, joined))
        } else if sm4c::is_first(&handled, 1) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler2(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => {
                    return handlers_failed2(d, joined, handled, failed, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::HandlersEnter(d, failed, handled, joined))
        } else if sm4c::is_first(&handled, 2) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler3(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => {
                    return handlers_failed2(d, joined, handled, failed, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::HandlersEnter(d, failed, handled, joined))
        } else if sm4c::is_first(&handled, 3) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler4(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => {
                    return handlers_failed2(d, joined, handled, failed, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::HandlersEnter(d, failed, handled, joined))
        } else {
            handlers_handled(d, joined, failed, turn)
        }
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues within the state.
    fn handlers_handled(d: Value, joined: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = sm4c::unless_fault(failed) {
            return handlers_failed(d, fault, turn);
        }
        if let Err(fault) = sm4c::unless_failed(joined) {
            return handlers_failed(d, fault, turn);
        }
        conditions(d, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Retries or catches a fault.
    fn handlers_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = handlers_error_result_handler5(d, &error)?;
            return conditions(d, turn);
        }
        Err(fault)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Retries or catches a fault.
    fn handlers_failed2(
        d: Value,
        joined: Value,
        handled: Value,
        failed: Value,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let failed = sm4c::first_fault(failed, fault.output());
            let handled = sm4c::rest(&handled);
            return rt::next(State::HandlersEnter(d, failed, handled, joined));
        }
        handlers_failed(d, fault, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`.
    fn conditions(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Conditions", &d);
        let retries = turn.begin_retry_block();
        conditions_try(d, retries, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: One attempt.
    fn conditions_try(d: Value, retries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(&CONDITIONS, request);
        rt::wait(State::Conditions(d, retries))
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues with the result of the task.
    fn conditions_done(d: Value, turn: &mut Turn) -> TurnResult {
        conditions_go_on(d, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues within the state.
    fn conditions_go_on(d: Value, turn: &mut Turn) -> TurnResult {
        branches(d, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Retries or catches a fault.
    fn conditions_failed(d: Value, retries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&retries, 1);
            let error = sm4c::error(fault.output());
            match rt::attempt(|| Ok(conditions_error_condition(&error)?)) {
                Ok(true) => {
                    let d = match rt::attempt(|| Ok(conditions_error_result_handler(d.clone())?)) {
                        Ok(value) => value,
                        Err(fault) => return conditions_failed2(d, retries, fault, turn),
                    };
                    return conditions_go_on(d, turn);
                }
                Ok(false) => {}
                Err(fault) => return conditions_failed2(d, retries, fault, turn),
            }
            match rt::attempt(|| Ok(jq::apply(turn, || conditions_error_condition2(&error))?)) {
                Ok(true) => {
                    let d = match rt::attempt(|| Ok(conditions_error_result_handler2(d.clone(), &error)?)) {
                        Ok(value) => value,
                        Err(fault) => return conditions_failed2(d, retries, fault, turn),
                    };
                    return conditions_go_on(d, turn);
                }
                Ok(false) => {}
                Err(fault) => return conditions_failed2(d, retries, fault, turn),
            }
            let d = match rt::attempt(|| Ok(conditions_error_result_handler3(d.clone(), &error)?)) {
                Ok(value) => value,
                Err(fault) => return conditions_failed2(d, retries, fault, turn),
            };
            return conditions_go_on(d, turn);
        }
        conditions_failed2(d, retries, fault, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Retries or catches a fault.
    fn conditions_failed2(d: Value, mut retries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = conditions_error_result_handler4(d, &error)?;
            if turn.retry_block(CONDITIONS_RETRY, &mut retries, &fault) {
                return rt::wait(State::ConditionsRetry(d, retries));
            }
            return Err(fault);
        }
        Err(fault)
    }

    /// `Branches`, `flow.sm4c.json:78`.
    fn branches(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Branches", &d);
        turn.race(2, 2);
        rt::wait(State::Branches(d))
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues with the first outputs.
    fn branches_joined(d: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&rt::array([]), &joined);
        let failed = Value::Null;
        branches_handle(d, joined, handled, failed, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_handle(d: Value, joined: Value, handled: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled)) {
            branches_handled(d, joined, failed, turn)
        } else if sm4c::is_first(&handled, 4) {
            let d = match rt::attempt(|| Ok(branches_error_result_handler(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => {
                    let fault = turn.locate(fault);
                    if fault.is_catchable() {
                        let failed = sm4c::first_fault(failed, fault.output());
                        let handled = sm4c::rest(&handled);
                        return rt::next(State::BranchesEnter(d, failed, handled, joined));
                    }
                    return branches_failed2(d, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::BranchesEnter(d, failed, handled, joined))
        } else {
            branches_handled(d, joined, failed, turn)
        }
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_handled(d: Value, joined: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = sm4c::unless_fault(failed) {
            return branches_failed2(d, fault, turn);
        }
        if let Err(fault) = sm4c::unless_failed(joined) {
            return branches_failed2(d, fault, turn);
        }
        branches_go_on(d, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_go_on(d: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(&BRANCHES, request);
        rt::wait(State::Branches2(d))
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues with the result of the task.
    fn branches_done(d: Value) -> TurnResult {
        branches_go_on2(d)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_go_on2(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Branches`, `flow.sm4c.json:78`: Retries or catches a fault.
    fn branches_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            return if jq::apply(turn, || conditions_error_condition2(&error))? {
                branches_go_on2(d)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Branches`, `flow.sm4c.json:78`: Retries or catches a fault.
    fn branches_failed2(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = branches_error_result_handler2(d, &error)?;
            return branches_go_on(d, turn);
        }
        Err(fault)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`.
    fn handlers_1(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("of", rt::string("the first"))]);
        turn.invoke(&HANDLERS, request);
        rt::wait(State::Handlers1(handled))
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues with the result of the task.
    fn handlers_1_done(handled: Value, result: Value) -> TurnResult {
        handlers_1_go_on(handled, result)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues within the state.
    fn handlers_1_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Retries or catches a fault.
    fn handlers_1_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 0, &error);
            let result = Value::Null;
            return handlers_1_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`.
    fn handlers_2(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("of", rt::string("the second"))]);
        turn.invoke(&HANDLERS, request);
        rt::wait(State::Handlers2(handled))
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues with the result of the task.
    fn handlers_2_done(handled: Value, result: Value) -> TurnResult {
        handlers_2_go_on(handled, result)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues within the state.
    fn handlers_2_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Retries or catches a fault.
    fn handlers_2_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 1, &error);
            let result = Value::Null;
            return handlers_2_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`.
    fn handlers_3(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("of", rt::string("the third"))]);
        turn.invoke(&HANDLERS, request);
        rt::wait(State::Handlers3(handled))
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues with the result of the task.
    fn handlers_3_done(handled: Value, result: Value) -> TurnResult {
        handlers_3_go_on(handled, result)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues within the state.
    fn handlers_3_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Retries or catches a fault.
    fn handlers_3_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 2, &error);
            let result = Value::Null;
            return handlers_3_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 4`, `flow.sm4c.json:39`.
    fn handlers_4(d: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let items = match rt::attempt(|| Ok(sm4c::elements(handlers_elements(&d)?)?)) {
            Ok(value) => value,
            Err(fault) => return handlers_4_failed(handled, fault, turn),
        };
        let limits = rt::Limits { concurrency: 1, in_batches: true, completion_order: true, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::Handlers4(handled))
    }

    /// `Handlers 4`, `flow.sm4c.json:39`: Continues with the outputs of the iterations.
    fn handlers_4_joined(handled: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&handled, &joined);
        let joined = match sm4c::unless_failed(joined) {
            Ok(value) => value,
            Err(fault) => return handlers_4_failed(handled, fault, turn),
        };
        let result = sm4c::in_order(&joined);
        rt::done(rt::array([result, handled]))
    }

    /// `Handlers 4`, `flow.sm4c.json:39`: Retries or catches a fault.
    fn handlers_4_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 5`, `flow.sm4c.json:42`.
    fn handlers_5(element: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("item", handlers_argument(&element))]);
        turn.invoke(&HANDLERS2, request);
        rt::wait(State::Handlers5(handled))
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues with the result of the task.
    fn handlers_5_done(handled: Value, result: Value) -> TurnResult {
        handlers_5_go_on(handled, result)
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues within the state.
    fn handlers_5_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Retries or catches a fault.
    fn handlers_5_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 3, &error);
            let result = Value::Null;
            return handlers_5_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Branches 6`, `flow.sm4c.json:83`.
    fn branches_6(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([]);
        turn.invoke(&BRANCHES, request);
        rt::wait(State::Branches6(handled))
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues with the result of the task.
    fn branches_6_done(handled: Value, result: Value) -> TurnResult {
        branches_6_go_on(handled, result)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues within the state.
    fn branches_6_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Retries or catches a fault.
    fn branches_6_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            match rt::attempt(|| Ok(jq::apply(turn, || conditions_error_condition2(&error))?)) {
                Ok(true) => {
                    let result = Value::Null;
                    return branches_6_go_on(handled, result);
                }
                Ok(false) => {}
                Err(fault) => return branches_6_failed2(handled, fault, turn),
            }
            return branches_6_failed2(handled, fault, turn);
        }
        branches_6_failed2(handled, fault, turn)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Retries or catches a fault.
    fn branches_6_failed2(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Branches 7`, `flow.sm4c.json:89`.
    fn branches_7(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([]);
        turn.invoke(&BRANCHES2, request);
        rt::wait(State::Branches7(handled))
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues with the result of the task.
    fn branches_7_done(handled: Value, result: Value) -> TurnResult {
        branches_7_go_on(handled, result)
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues within the state.
    fn branches_7_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Retries or catches a fault.
    fn branches_7_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 4, &error);
            let result = Value::Null;
            return branches_7_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `.count += 1`
    fn handlers_error_result_handler(mut input: Value) -> jq::Result<Value> {
        let count = jq::get_mut(&mut input, "count")?;
        *count = jq::add(count.take(), &Value::Int(1))?;
        Ok(jq::finished(input))
    }

    /// `.log += ["second: " + $value.Message]`
    fn handlers_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("second: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.sum += .count * $value.data.price`
    fn handlers_error_result_handler3(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let price = jq::get(jq::get(value_of, "data")?, "price")?;
        let item = jq::mul(jq::get(&input, "count")?.clone(), price)?;
        let sum = jq::get_mut(&mut input, "sum")?;
        *sum = jq::add(sum.take(), &item)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["item: " + $value.Message]`
    fn handlers_error_result_handler4(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("item: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["beside: " + $value.Message]`
    fn handlers_error_result_handler5(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("beside: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.code == "Lost"`
    fn conditions_error_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "code")?, &rt::string("Lost")))
    }

    /// `.log += ["lost"]`
    fn conditions_error_result_handler(mut input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("[\"lost\"]");
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), VALUE_1.value())?;
        Ok(jq::finished(input))
    }

    /// `(.Message | tonumber) > 3`
    fn conditions_error_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::gt(&jq::tonumber(jq::get(input, "Message")?)?, &Value::Int(3)))
    }

    /// `.log += ["many: " + $value.Message]`
    fn conditions_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("many: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["few: " + $value.Message]`
    fn conditions_error_result_handler3(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("few: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["outer: " + $value.Message]`
    fn conditions_error_result_handler4(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("outer: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["beside it: " + $value.Message + (.aside // "")]`
    fn branches_error_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let aside = jq::get(&input, "aside")?;
        let aside2 = if jq::truthy(aside) { aside.clone() } else { rt::string("") };
        let array = rt::array([jq::add(jq::add(rt::string("beside it: "), jq::get(value_of, "Message")?)?, &aside2)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["branch: " + $value.Message]`
    fn branches_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("branch: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.items`
    fn handlers_elements(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "items")?.clone())
    }

    /// `.`
    fn handlers_argument(input: &Value) -> Value {
        input.clone()
    }

    static CONDITIONS_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 10.0, 1, 1.0)];
    static OPERATION_1: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "fetch", "POST", &[operation::Piece::Text("/fetch")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );
    static OPERATION_2: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "pack", "POST", &[operation::Piece::Text("/pack")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );
    static OPERATION_3: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "check", "POST", &[operation::Piece::Text("/check")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Handlers\" as s0 {\n        state \"branch 1\" as s1 {\n",
        "            state \"Handlers 1\" as s2\n            [*] --> s2\n            s2 --> [*]\n",
        "            s2 --> [*] : catch any error\n        }\n",
        "        state \"branch 2\" as s3 {\n            state \"Handlers 2\" as s4\n",
        "            [*] --> s4\n            s4 --> [*]\n",
        "            s4 --> [*] : catch any error\n        }\n",
        "        state \"branch 3\" as s5 {\n            state \"Handlers 3\" as s6\n",
        "            [*] --> s6\n            s6 --> [*]\n",
        "            s6 --> [*] : catch any error\n        }\n",
        "        state \"branch 4\" as s7 {\n            state \"Handlers 4\" as s8 {\n",
        "                state \"for each item, 1 at a time\" as s9 {\n",
        "                    state \"Handlers 5\" as s10\n                    [*] --> s10\n",
        "                    s10 --> [*]\n                    s10 --> [*] : catch any error\n",
        "                }\n            }\n            [*] --> s8\n            s8 --> [*]\n",
        "            s8 --> [*] : catch any error\n        }\n    }\n",
        "    state \"Conditions\" as s11\n    state \"Branches\" as s12 {\n",
        "        state \"branch 1\" as s13 {\n            state \"Branches 6\" as s14\n",
        "            [*] --> s14\n            s14 --> [*]\n",
        "            s14 --> [*] : catch any error\n        }\n",
        "        state \"branch 2\" as s15 {\n            state \"Branches 7\" as s16\n",
        "            [*] --> s16\n            s16 --> [*]\n",
        "            s16 --> [*] : catch any error\n        }\n    }\n    [*] --> s0\n",
        "    s0 --> s11\n    s11 --> s12\n    s12 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s2,s4,s6,s10,s11,s14,s16 task\n"
    );
}
