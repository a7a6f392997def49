// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `faults` of `flow.sm4c.json`.
#[allow(warnings, clippy::all)]
pub mod faults {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, Retries, TaskContext, Value, jq, operation, sm4c};

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
        note = "write `impl faults::Tasks for {Self}`, with a method for each task key",
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

    rt::definition! {
        VERSION_0_1_0 Faults "faults", "sm4c", "flow.sm4c.json", 14091589478752486133, None, None, false, None;
        graph "stateDiagram-v2\n    state \"Handlers\" as s0 {\n        state \"branch 1\" as s1 {\n            state \"Handlers 1\" as s2\n            [*] --> s2\n            s2 --> [*]\n            s2 --> [*] : catch States.ALL\n        }\n        state \"branch 2\" as s3 {\n            state \"Handlers 2\" as s4\n            [*] --> s4\n            s4 --> [*]\n            s4 --> [*] : catch States.ALL\n        }\n        state \"branch 3\" as s5 {\n            state \"Handlers 3\" as s6\n            [*] --> s6\n            s6 --> [*]\n            s6 --> [*] : catch States.ALL\n        }\n        state \"branch 4\" as s7 {\n            state \"Handlers 4\" as s8 {\n                state \"for each item, 1 at a time\" as s9 {\n                    state \"Handlers 5\" as s10\n                    [*] --> s10\n                    s10 --> [*]\n                    s10 --> [*] : catch States.ALL\n                }\n            }\n            [*] --> s8\n            s8 --> [*]\n            s8 --> [*] : catch States.ALL\n        }\n    }\n    state \"Conditions\" as s11\n    state \"Branches\" as s12 {\n        state \"branch 1\" as s13 {\n            state \"Branches 6\" as s14\n            [*] --> s14\n            s14 --> [*]\n            s14 --> [*] : catch States.ALL\n        }\n        state \"branch 2\" as s15 {\n            state \"Branches 7\" as s16\n            [*] --> s16\n            s16 --> [*]\n            s16 --> [*] : catch States.ALL\n        }\n    }\n    [*] --> s0\n    s0 --> s11\n    s11 --> s12\n    s12 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s4,s6,s10,s11,s14,s16 task\n";
        settings;
        states;
        "Handlers" "State" 12 => "Conditions";
        "Conditions" "State" 55 => "Branches";
        "Branches" "State" 78 =>;
        tasks;
        HANDLERS 0 "fetch" "Handlers" 5 "store.json#fetch" => OPERATION_1;
        HANDLERS2 1 "pack" "Handlers" 7 "store.json#pack" => OPERATION_2;
        CONDITIONS 2 "check" "Conditions" 6 "store.json#check" => OPERATION_3;
        BRANCHES 3 "check" "Branches" 6 "store.json#check" => OPERATION_3;
        BRANCHES2 4 "fetch" "Branches" 5 "store.json#fetch" => OPERATION_1;
    }

    rt::machine! {
        /// The resume points: where an execution can wait, be saved, and continue.
        pub enum State(item) from Entry(item);
        Entry(d: Value) = "entry", "", 16290513905774444234 => enter entry(d);
        HandlersEntryHandlers1() = "Handlers entry Handlers 1", "", 14695981039346656037 => enter handlers_1_begin();
        HandlersEntryHandlers2() = "Handlers entry Handlers 2", "", 14695981039346656037 => enter handlers_2_begin();
        HandlersEntryHandlers3() = "Handlers entry Handlers 3", "", 14695981039346656037 => enter handlers_3_begin();
        HandlersEntryHandlers4(d: Value) = "Handlers entry Handlers 4", "", 16290513905774444234 => enter handlers_4_begin(d);
        HandlersEntryHandlers5(element: Value) = "Handlers entry Handlers 5", "", 17140121287228190346 => enter handlers_5_begin(element);
        BranchesEntryBranches6() = "Branches entry Branches 6", "", 14695981039346656037 => enter branches_6_begin();
        BranchesEntryBranches7() = "Branches entry Branches 7", "", 14695981039346656037 => enter branches_7_begin();
        Handlers(d: Value) = "Handlers", "Handlers", 351662007070794327 => resume handlers_joined(d) { else handlers_failed(d) fork [HandlersEntryHandlers1(), HandlersEntryHandlers2(), HandlersEntryHandlers3(), HandlersEntryHandlers4(d.clone())] };
        ConditionsRetry(d: Value, retries6: rt::BlockRetries) = "Conditions retry", "Conditions", 4886697238090824359 => elapsed conditions_try2(d, retries6);
        Conditions(d: Value, retries6: rt::BlockRetries) = "Conditions", "Conditions", 18236129607119812587 => resume conditions_done(d) { else conditions_failed2(d, retries6) };
        Branches(d: Value) = "Branches", "Branches", 1800353178552071358 => resume branches_joined(d) { else branches_failed(d) fork [BranchesEntryBranches6(), BranchesEntryBranches7()] };
        Branches2(d: Value) = "Branches #2", "Branches", 1574567430249735692 => resume branches_done(d) { else branches_failed3(d) };
        Handlers1(handled: Value) = "Handlers 1", "Handlers 1", 2551451076913612166 => resume handlers_1_done(handled) { else handlers_1_failed2(handled) };
        Handlers2(handled2: Value) = "Handlers 2", "Handlers 2", 2551451076913612166 => resume handlers_2_done(handled2) { else handlers_2_failed2(handled2) };
        Handlers3(handled3: Value) = "Handlers 3", "Handlers 3", 2551451076913612166 => resume handlers_3_done(handled3) { else handlers_3_failed2(handled3) };
        Handlers4(handled4: Value) = "Handlers 4", "Handlers 4", 4390580038449393275 => resume handlers_4_joined(handled4) { else handlers_4_failed(handled4) each HandlersEntryHandlers5(item.clone()) };
        Handlers5(handled5: Value) = "Handlers 5", "Handlers 5", 18372401638902123788 => resume handlers_5_done(handled5) { else handlers_5_failed2(handled5) };
        Branches6(handled7: Value) = "Branches 6", "Branches 6", 11911673404748815441 => resume branches_6_done(handled7) { else branches_6_failed2(handled7) };
        Branches7(handled8: Value) = "Branches 7", "Branches 7", 11911673404748815441 => resume branches_7_done(handled8) { else branches_7_failed2(handled8) };
        HandlersEnter(d: Value, failed: Value, handled6: Value, joined2: Value) = "Handlers enter", "Handlers", 2873725373290300593 => enter handlers_handle(d, joined2, handled6, failed);
        BranchesEnter(d: Value, failed2: Value, handled9: Value, joined3: Value) = "Branches enter", "Branches", 2873725373290300593 => enter branches_handle(d, joined3, handled9, failed2);
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        handlers(d, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`.
    fn handlers(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Handlers", &d);
        handlers_try(d, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`.
    fn conditions(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Conditions", &d);
        conditions_begin(d, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`.
    fn branches(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Branches", &d);
        branches_try(d, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues within the state.
    fn handlers_try(d: Value, turn: &mut Turn) -> TurnResult {
        turn.race(4, 4);
        rt::wait(State::Handlers(d))
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues within the state.
    fn handlers_handle(
        d: Value,
        joined2: Value,
        handled6: Value,
        failed: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled6)) {
            handlers_handled(d, joined2, failed, turn)
        } else if sm4c::is_first(&handled6, 0) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler(d.clone())?)) {
                Ok(value) => value,
                Err(fault) => return handlers_failed2(d, joined2, handled6, failed, fault, turn),
            };
            let handled6 = sm4c::rest(&handled6);
            rt::next(State::HandlersEnter(d, failed, handled6, joined2))
        } else if sm4c::is_first(&handled6, 1) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler2(
                d.clone(),
                &sm4c::first(&handled6),
            )?)) {
                Ok(value) => value,
                Err(fault) => return handlers_failed2(d, joined2, handled6, failed, fault, turn),
            };
            let handled6 = sm4c::rest(&handled6);
            rt::next(State::HandlersEnter(d, failed, handled6, joined2))
        } else if sm4c::is_first(&handled6, 2) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler3(
                d.clone(),
                &sm4c::first(&handled6),
            )?)) {
                Ok(value) => value,
                Err(fault) => return handlers_failed2(d, joined2, handled6, failed, fault, turn),
            };
            let handled6 = sm4c::rest(&handled6);
            rt::next(State::HandlersEnter(d, failed, handled6, joined2))
        } else if sm4c::is_first(&handled6, 3) {
            let d = match rt::attempt(|| Ok(handlers_error_result_handler4(
                d.clone(),
                &sm4c::first(&handled6),
            )?)) {
                Ok(value) => value,
                Err(fault) => return handlers_failed2(d, joined2, handled6, failed, fault, turn),
            };
            let handled6 = sm4c::rest(&handled6);
            rt::next(State::HandlersEnter(d, failed, handled6, joined2))
        } else {
            handlers_handled(d, joined2, failed, turn)
        }
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues within the state.
    fn handlers_handled(d: Value, joined2: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        let failed = match sm4c::unless_fault(failed) {
            Ok(value) => value,
            Err(fault) => return handlers_failed(d, fault, turn),
        };
        let joined2 = match sm4c::unless_failed(joined2) {
            Ok(value) => value,
            Err(fault) => return handlers_failed(d, fault, turn),
        };
        conditions(d, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Retries or catches a fault.
    fn handlers_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error5 = sm4c::error(fault.output());
            let d = handlers_error_result_handler5(d, &error5)?;
            return conditions(d, turn);
        }
        Err(fault)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Retries or catches a fault.
    fn handlers_failed2(
        d: Value,
        joined2: Value,
        handled6: Value,
        failed: Value,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let failed = sm4c::first_fault(failed, fault.output());
            let handled6 = sm4c::rest(&handled6);
            return rt::next(State::HandlersEnter(d, failed, handled6, joined2));
        }
        let fault = fault;
        handlers_failed(d, fault, turn)
    }

    /// `Handlers`, `flow.sm4c.json:12`: Continues with the first outputs.
    fn handlers_joined(d: Value, joined2: Value, turn: &mut Turn) -> TurnResult {
        let handled6 = sm4c::handled(&rt::array([]), &joined2);
        let failed = Value::Null;
        handlers_handle(d, joined2, handled6, failed, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues within the state.
    fn conditions_begin(d: Value, turn: &mut Turn) -> TurnResult {
        let retries6 = turn.begin_retry_block();
        conditions_try2(d, retries6, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues within the state.
    fn conditions_try2(d: Value, retries6: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(CONDITIONS, request);
        rt::wait(State::Conditions(d, retries6))
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues within the state.
    fn conditions_go_on2(d: Value, turn: &mut Turn) -> TurnResult {
        branches(d, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Retries or catches a fault.
    fn conditions_failed(
        d: Value,
        mut retries6: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error7 = sm4c::error(fault.output());
            let d = conditions_error_result_handler(d, &error7)?;
            if turn.retry_block(CONDITIONS_RETRY, &mut retries6, &fault) {
                return rt::wait(State::ConditionsRetry(d, retries6));
            }
            return Err(fault);
        }
        Err(fault)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Retries or catches a fault.
    fn conditions_failed2(d: Value, retries6: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            turn.renumber_calls(&retries6, 1);
            let error6 = sm4c::error(fault.output());
            match rt::attempt(|| Ok(conditions_error_condition(&error6)?)) {
                Ok(true) => {
                    let d = match rt::attempt(|| Ok(conditions_error_result_handler2(d.clone())?)) {
                        Ok(value) => value,
                        Err(fault) => return conditions_failed(d, retries6, fault, turn),
                    };
                    return conditions_go_on2(d, turn);
                }
                Ok(false) => {}
                Err(fault) => return conditions_failed(d, retries6, fault, turn),
            }
            match rt::attempt(|| Ok(jq::apply(turn, || conditions_error_condition2(&error6))?)) {
                Ok(true) => {
                    let d = match rt::attempt(|| Ok(conditions_error_result_handler3(d.clone(), &error6)?)) {
                        Ok(value) => value,
                        Err(fault) => return conditions_failed(d, retries6, fault, turn),
                    };
                    return conditions_go_on2(d, turn);
                }
                Ok(false) => {}
                Err(fault) => return conditions_failed(d, retries6, fault, turn),
            }
            let d = match rt::attempt(|| Ok(conditions_error_result_handler4(d.clone(), &error6)?)) {
                Ok(value) => value,
                Err(fault) => return conditions_failed(d, retries6, fault, turn),
            };
            return conditions_go_on2(d, turn);
        }
        let fault = fault;
        conditions_failed(d, retries6, fault, turn)
    }

    /// `Conditions`, `flow.sm4c.json:55`: Continues with the result of the task.
    fn conditions_done(d: Value, result8: Value, turn: &mut Turn) -> TurnResult {
        conditions_go_on2(d, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_try(d: Value, turn: &mut Turn) -> TurnResult {
        turn.race(2, 2);
        rt::wait(State::Branches(d))
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_handle(
        d: Value,
        joined3: Value,
        handled9: Value,
        failed2: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled9)) {
            branches_handled(d, joined3, failed2, turn)
        } else if sm4c::is_first(&handled9, 4) {
            let d =
                match rt::attempt(|| Ok(branches_error_result_handler(d.clone(), &sm4c::first(&handled9))?)) {
                    Ok(value) => value,
                    Err(fault) => return branches_failed2(d, joined3, handled9, failed2, fault, turn),
                };
            let handled9 = sm4c::rest(&handled9);
            rt::next(State::BranchesEnter(d, failed2, handled9, joined3))
        } else {
            branches_handled(d, joined3, failed2, turn)
        }
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_handled(d: Value, joined3: Value, failed2: Value, turn: &mut Turn) -> TurnResult {
        let failed2 = match sm4c::unless_fault(failed2) {
            Ok(value) => value,
            Err(fault) => return branches_failed(d, fault, turn),
        };
        let joined3 = match sm4c::unless_failed(joined3) {
            Ok(value) => value,
            Err(fault) => return branches_failed(d, fault, turn),
        };
        branches_try2(d, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_try2(d: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(BRANCHES, request);
        rt::wait(State::Branches2(d))
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues within the state.
    fn branches_go_on2(d: Value, turn: &mut Turn) -> TurnResult {
        rt::done(d)
    }

    /// `Branches`, `flow.sm4c.json:78`: Retries or catches a fault.
    fn branches_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error10 = sm4c::error(fault.output());
            let d = branches_error_result_handler2(d, &error10)?;
            return branches_try2(d, turn);
        }
        Err(fault)
    }

    /// `Branches`, `flow.sm4c.json:78`: Retries or catches a fault.
    fn branches_failed2(
        d: Value,
        joined3: Value,
        handled9: Value,
        failed2: Value,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let failed2 = sm4c::first_fault(failed2, fault.output());
            let handled9 = sm4c::rest(&handled9);
            return rt::next(State::BranchesEnter(d, failed2, handled9, joined3));
        }
        let fault = fault;
        branches_failed(d, fault, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Retries or catches a fault.
    fn branches_failed3(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error11 = sm4c::error(fault.output());
            return if jq::apply(turn, || conditions_error_condition2(&error11))? {
                branches_go_on2(d, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues with the first outputs.
    fn branches_joined(d: Value, joined3: Value, turn: &mut Turn) -> TurnResult {
        let handled9 = sm4c::handled(&rt::array([]), &joined3);
        let failed2 = Value::Null;
        branches_handle(d, joined3, handled9, failed2, turn)
    }

    /// `Branches`, `flow.sm4c.json:78`: Continues with the result of the task.
    fn branches_done(d: Value, result12: Value, turn: &mut Turn) -> TurnResult {
        branches_go_on2(d, turn)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues within the state.
    fn handlers_1_begin(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        handlers_1_try(handled, turn)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues within the state.
    fn handlers_1_try(handled: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("of", rt::string("the first"))]);
        turn.invoke(HANDLERS, request);
        rt::wait(State::Handlers1(handled))
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues within the state.
    fn handlers_1_go_on(handled: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result2, handled]))
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Retries or catches a fault.
    fn handlers_1_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Retries or catches a fault.
    fn handlers_1_failed2(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 0, &error);
            let result2 = Value::Null;
            return handlers_1_go_on(handled, result2, turn);
        }
        let fault = fault;
        handlers_1_failed(handled, fault, turn)
    }

    /// `Handlers 1`, `flow.sm4c.json:18`: Continues with the result of the task.
    fn handlers_1_done(handled: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        handlers_1_go_on(handled, result2, turn)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues within the state.
    fn handlers_2_begin(turn: &mut Turn) -> TurnResult {
        let handled2 = rt::array([]);
        handlers_2_try(handled2, turn)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues within the state.
    fn handlers_2_try(handled2: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("of", rt::string("the second"))]);
        turn.invoke(HANDLERS, request);
        rt::wait(State::Handlers2(handled2))
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues within the state.
    fn handlers_2_go_on(handled2: Value, result3: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result3, handled2]))
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Retries or catches a fault.
    fn handlers_2_failed(handled2: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled2, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Retries or catches a fault.
    fn handlers_2_failed2(handled2: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error2 = sm4c::error(fault.output());
            let handled2 = sm4c::handle(&handled2, 1, &error2);
            let result3 = Value::Null;
            return handlers_2_go_on(handled2, result3, turn);
        }
        let fault = fault;
        handlers_2_failed(handled2, fault, turn)
    }

    /// `Handlers 2`, `flow.sm4c.json:25`: Continues with the result of the task.
    fn handlers_2_done(handled2: Value, result3: Value, turn: &mut Turn) -> TurnResult {
        handlers_2_go_on(handled2, result3, turn)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues within the state.
    fn handlers_3_begin(turn: &mut Turn) -> TurnResult {
        let handled3 = rt::array([]);
        handlers_3_try(handled3, turn)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues within the state.
    fn handlers_3_try(handled3: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("of", rt::string("the third"))]);
        turn.invoke(HANDLERS, request);
        rt::wait(State::Handlers3(handled3))
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues within the state.
    fn handlers_3_go_on(handled3: Value, result4: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result4, handled3]))
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Retries or catches a fault.
    fn handlers_3_failed(handled3: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled3, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Retries or catches a fault.
    fn handlers_3_failed2(handled3: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error3 = sm4c::error(fault.output());
            let handled3 = sm4c::handle(&handled3, 2, &error3);
            let result4 = Value::Null;
            return handlers_3_go_on(handled3, result4, turn);
        }
        let fault = fault;
        handlers_3_failed(handled3, fault, turn)
    }

    /// `Handlers 3`, `flow.sm4c.json:32`: Continues with the result of the task.
    fn handlers_3_done(handled3: Value, result4: Value, turn: &mut Turn) -> TurnResult {
        handlers_3_go_on(handled3, result4, turn)
    }

    /// `Handlers 4`, `flow.sm4c.json:39`: Continues within the state.
    fn handlers_4_begin(d: Value, turn: &mut Turn) -> TurnResult {
        let handled4 = rt::array([]);
        let items = match rt::attempt(|| Ok(sm4c::elements(handlers_elements(&d)?)?)) {
            Ok(value) => value,
            Err(fault) => return handlers_4_failed(handled4, fault, turn),
        };
        let limits =
            rt::Limits { concurrency: 1, in_batches: true, completion_order: true, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::Handlers4(handled4))
    }

    /// `Handlers 4`, `flow.sm4c.json:39`: Retries or catches a fault.
    fn handlers_4_failed(handled4: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled4, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 4`, `flow.sm4c.json:39`: Continues with the outputs of the iterations.
    fn handlers_4_joined(handled4: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled4 = sm4c::handled(&handled4, &joined);
        let joined = match sm4c::unless_failed(joined) {
            Ok(value) => value,
            Err(fault) => return handlers_4_failed(handled4, fault, turn),
        };
        let result5 = sm4c::in_order(&joined);
        rt::done(rt::array([result5, handled4]))
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues within the state.
    fn handlers_5_begin(element: Value, turn: &mut Turn) -> TurnResult {
        let handled5 = rt::array([]);
        handlers_5_try(element, handled5, turn)
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues within the state.
    fn handlers_5_try(element: Value, handled5: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("item", handlers_argument(&element))]);
        turn.invoke(HANDLERS2, request);
        rt::wait(State::Handlers5(handled5))
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues within the state.
    fn handlers_5_go_on(handled5: Value, result6: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result6, handled5]))
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Retries or catches a fault.
    fn handlers_5_failed(handled5: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled5, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Retries or catches a fault.
    fn handlers_5_failed2(handled5: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error4 = sm4c::error(fault.output());
            let handled5 = sm4c::handle(&handled5, 3, &error4);
            let result6 = Value::Null;
            return handlers_5_go_on(handled5, result6, turn);
        }
        let fault = fault;
        handlers_5_failed(handled5, fault, turn)
    }

    /// `Handlers 5`, `flow.sm4c.json:42`: Continues with the result of the task.
    fn handlers_5_done(handled5: Value, result6: Value, turn: &mut Turn) -> TurnResult {
        handlers_5_go_on(handled5, result6, turn)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues within the state.
    fn branches_6_begin(turn: &mut Turn) -> TurnResult {
        let handled7 = rt::array([]);
        branches_6_try(handled7, turn)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues within the state.
    fn branches_6_try(handled7: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(BRANCHES, request);
        rt::wait(State::Branches6(handled7))
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues within the state.
    fn branches_6_go_on(handled7: Value, result10: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result10, handled7]))
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Retries or catches a fault.
    fn branches_6_failed(handled7: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled7, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Retries or catches a fault.
    fn branches_6_failed2(handled7: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error8 = sm4c::error(fault.output());
            match rt::attempt(|| Ok(jq::apply(turn, || conditions_error_condition2(&error8))?)) {
                Ok(true) => {
                    let result10 = Value::Null;
                    return branches_6_go_on(handled7, result10, turn);
                }
                Ok(false) => {}
                Err(fault) => return branches_6_failed(handled7, fault, turn),
            }
            let fault = fault;
            return branches_6_failed(handled7, fault, turn);
        }
        let fault = fault;
        branches_6_failed(handled7, fault, turn)
    }

    /// `Branches 6`, `flow.sm4c.json:83`: Continues with the result of the task.
    fn branches_6_done(handled7: Value, result10: Value, turn: &mut Turn) -> TurnResult {
        branches_6_go_on(handled7, result10, turn)
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues within the state.
    fn branches_7_begin(turn: &mut Turn) -> TurnResult {
        let handled8 = rt::array([]);
        branches_7_try(handled8, turn)
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues within the state.
    fn branches_7_try(handled8: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(BRANCHES2, request);
        rt::wait(State::Branches7(handled8))
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues within the state.
    fn branches_7_go_on(handled8: Value, result11: Value, turn: &mut Turn) -> TurnResult {
        rt::done(rt::array([result11, handled8]))
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Retries or catches a fault.
    fn branches_7_failed(handled8: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            return rt::done(sm4c::failed(handled8, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Retries or catches a fault.
    fn branches_7_failed2(handled8: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ALL"]) {
            let error9 = sm4c::error(fault.output());
            let handled8 = sm4c::handle(&handled8, 4, &error9);
            let result11 = Value::Null;
            return branches_7_go_on(handled8, result11, turn);
        }
        let fault = fault;
        branches_7_failed(handled8, fault, turn)
    }

    /// `Branches 7`, `flow.sm4c.json:89`: Continues with the result of the task.
    fn branches_7_done(handled8: Value, result11: Value, turn: &mut Turn) -> TurnResult {
        branches_7_go_on(handled8, result11, turn)
    }

    /// `.count += 1`
    fn handlers_error_result_handler(input: Value) -> jq::Result<Value> {
        let mut result = input;
        let place = jq::get_mut(&mut result, "count")?;
        *place = jq::add(place.take(), &Value::Int(1))?;
        Ok(jq::finished(result))
    }

    /// `.log += ["second: " + $value.Message]`
    fn handlers_error_result_handler2(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("second: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.sum += .count * $value.data.price`
    fn handlers_error_result_handler3(input: Value, value_of: &Value) -> jq::Result<Value> {
        let price = jq::get(jq::get(value_of, "data")?, "price")?;
        let item = jq::mul(jq::get(&input, "count")?.clone(), price)?;
        let mut result = input;
        let place = jq::get_mut(&mut result, "sum")?;
        *place = jq::add(place.take(), &item)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["item: " + $value.Message]`
    fn handlers_error_result_handler4(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("item: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["beside: " + $value.Message]`
    fn handlers_error_result_handler5(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("beside: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["outer: " + $value.Message]`
    fn conditions_error_result_handler(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("outer: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.code == "Lost"`
    fn conditions_error_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "code")?, &rt::string("Lost")))
    }

    /// `.log += ["lost"]`
    fn conditions_error_result_handler2(input: Value) -> jq::Result<Value> {
        static VALUE_1: rt::Literal = rt::Literal::new("[\"lost\"]");
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), VALUE_1.value())?;
        Ok(jq::finished(result))
    }

    /// `(.Message | tonumber) > 3`
    fn conditions_error_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::gt(&jq::tonumber(jq::get(input, "Message")?)?, &Value::Int(3)))
    }

    /// `.log += ["many: " + $value.Message]`
    fn conditions_error_result_handler3(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("many: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["few: " + $value.Message]`
    fn conditions_error_result_handler4(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("few: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["beside it: " + $value.Message + (.aside // "")]`
    fn branches_error_result_handler(input: Value, value_of: &Value) -> jq::Result<Value> {
        let item = match jq::get(&input, "aside")? {
            value if jq::truthy(value) => value.clone(),
            _ => rt::string(""),
        };
        let items =
            rt::array([jq::add(jq::add(rt::string("beside it: "), jq::get(value_of, "Message")?)?, &item)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.log += ["branch: " + $value.Message]`
    fn branches_error_result_handler2(input: Value, value_of: &Value) -> jq::Result<Value> {
        let items = rt::array([jq::add(rt::string("branch: "), jq::get(value_of, "Message")?)?]);
        let mut result = input;
        let place = jq::get_mut(&mut result, "log")?;
        *place = jq::add(place.take(), &items)?;
        Ok(jq::finished(result))
    }

    /// `.items`
    fn handlers_elements(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "items")?.clone())
    }

    /// `.`
    fn handlers_argument(input: &Value) -> Value {
        input.clone()
    }

    static CONDITIONS_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&["States.ALL"], 10.0, 1, 1.0)];

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
}
