// Generated from `flow.sm4c.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `guards` of `flow.sm4c.json`.
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
pub mod guards {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, jq, operation, sm4c};

    /// The workflow `guards`.
    pub struct Guards;

    impl Guards {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Guards, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `guards`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `guards`",
        label = "the trait `guards::Tasks` is not implemented for this type",
        note = "flow.sm4c.json:1:1: the workflow is defined here",
        note = "write `impl guards::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `fetch`, invoked by `In order` (`flow.sm4c.json:5`), `Beside` (`flow.sm4c.json:5`).
        fn fetch(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `check`, invoked by `In order` (`flow.sm4c.json:6`), `Beside` (`flow.sm4c.json:6`).
        fn check(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `pack`, invoked by `Each` (`flow.sm4c.json:7`).
        fn pack(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 | 2 => rt::task_future(tasks.fetch(input, cx)),
                1 | 3 => rt::task_future(tasks.check(input, cx)),
                4 => rt::task_future(tasks.pack(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Guards {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "guards",
        dialect: "sm4c",
        source: "flow.sm4c.json",
        hash: 2429109504898778437,
        states: &[
            rt::StateInfo::new("In order", "State", 15, &["Beside"]),
            rt::StateInfo::new("Beside", "State", 41, &["Each"]),
            rt::StateInfo::new("Each", "State", 80, &[]),
        ],
        tasks: &[&IN_ORDER, &IN_ORDER2, &BESIDE, &BESIDE2, &EACH],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static IN_ORDER: rt::Task = rt::Task::new(0, "fetch", "store.json#fetch", "In order", 5).operation(&OPERATION_1);
    static IN_ORDER2: rt::Task = rt::Task::new(1, "check", "store.json#check", "In order", 6).operation(&OPERATION_2);
    static BESIDE: rt::Task = rt::Task::new(2, "fetch", "store.json#fetch", "Beside", 5).operation(&OPERATION_1);
    static BESIDE2: rt::Task = rt::Task::new(3, "check", "store.json#check", "Beside", 6).operation(&OPERATION_2);
    static EACH: rt::Task = rt::Task::new(4, "pack", "store.json#pack", "Each", 7).operation(&OPERATION_3);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        BesideEntryBeside1,
        BesideEntryBeside2,
        BesideEntryBeside3,
        EachEntryEach4(Value),
        EachEntryEach5(Value),
        EachEntryEach6(Value),
        EachEntryEach7(Value),
        InOrderRetry(Value, rt::BlockRetries),
        InOrderRetry2(Value, rt::BlockRetries, rt::BlockRetries),
        InOrder(Value, rt::BlockRetries, rt::BlockRetries),
        InOrder2(Value, Value, rt::BlockRetries),
        Beside(Value),
        Each(Value),
        Each2(Value),
        Beside1(Value),
        Beside1_2(Value, Value),
        Beside1_3(Value, Value, Value),
        Beside2(Value),
        Beside3(Value),
        Each4(Value),
        Each5(Value),
        Each5_2(Value, Value),
        Each6(Value),
        Each7(Value),
        BesideEnter(Value, Value, Value, Value),
        EachEnter(Value, Value, Value, Value),
        EachEnter2(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (BesideEntryBeside1, "Beside entry Beside 1", "", 14695981039346656037),
            (BesideEntryBeside2, "Beside entry Beside 2", "", 14695981039346656037),
            (BesideEntryBeside3, "Beside entry Beside 3", "", 14695981039346656037),
            (EachEntryEach4(d), "Each entry Each 4", "", 16290513905774444234),
            (EachEntryEach5(element), "Each entry Each 5", "", 17140121287228190346),
            (EachEntryEach6(d), "Each entry Each 6", "", 16290513905774444234),
            (EachEntryEach7(element), "Each entry Each 7", "", 17140121287228190346),
            (InOrderRetry(d, retries), "In order retry", "In order", 5161319964798928781),
            (InOrderRetry2(d, retries, retries2), "In order retry #2", "In order", 14482027523675576431),
            (InOrder(d, retries, retries2), "In order", "In order", 6505192764840326876),
            (InOrder2(d, result, retries), "In order #2", "In order", 12428093681506398468),
            (Beside(d), "Beside", "Beside", 351662007070794327),
            (Each(d), "Each", "Each", 16882592905918205213),
            (Each2(d), "Each #2", "Each", 11548415129262802956),
            (Beside1(handled), "Beside 1", "Beside 1", 7573871564791381926),
            (Beside1_2(handled, result), "Beside 1 #2", "Beside 1", 10722055446145644901),
            (Beside1_3(handled, result, result2), "Beside 1 #3", "Beside 1", 17514840545438856546),
            (Beside2(handled), "Beside 2", "Beside 2", 9769054371458515511),
            (Beside3(handled), "Beside 3", "Beside 3", 4205856199684921021),
            (Each4(handled), "Each 4", "Each 4", 17350637748617388947),
            (Each5(handled), "Each 5", "Each 5", 16547052430433054342),
            (Each5_2(handled, result), "Each 5 #2", "Each 5", 14931922728164890185),
            (Each6(handled), "Each 6", "Each 6", 17350637748617388947),
            (Each7(handled), "Each 7", "Each 7", 12498088566936128284),
            (BesideEnter(d, failed, handled, joined), "Beside enter", "Beside", 2873725373290300593),
            (EachEnter(d, failed, handled, joined), "Each enter", "Each", 2873725373290300593),
            (EachEnter2(d, handled), "Each enter #2", "Each", 12962423615541453295),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::BesideEntryBeside1 => beside_1(turn),
                State::BesideEntryBeside2 => beside_2(turn),
                State::BesideEntryBeside3 => beside_3(turn),
                State::EachEntryEach4(d) => each_4(d, turn),
                State::EachEntryEach5(element) => each_5(element, turn),
                State::EachEntryEach6(d) => each_6(d, turn),
                State::EachEntryEach7(element) => each_7(element, turn),
                State::BesideEnter(d, failed, handled, joined) => beside_handle(d, joined, handled, failed, turn),
                State::EachEnter(d, failed, handled, joined) => each_handle(d, joined, handled, failed, turn),
                State::EachEnter2(d, handled) => each_handle2(d, handled),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::InOrderRetry(d, retries), _) => in_order_try(d, retries, turn),
                (State::InOrderRetry2(d, retries, retries2), _) => in_order_try2(d, retries, retries2, turn),
                (State::InOrder(d, retries, _), Ok(result)) => in_order_fetch_done(d, retries, result, turn),
                (State::InOrder(d, retries, retries2), Err(fault)) => {
                    in_order_failed2(d, retries, retries2, fault, turn)
                }
                (State::InOrder2(d, result, _), Ok(result2)) => in_order_check_done(d, result, result2, turn),
                (State::InOrder2(d, _, retries), Err(fault)) => in_order_failed(d, retries, fault, turn),
                (State::Beside(d), Ok(result)) => beside_joined(d, result, turn),
                (State::Beside(d), Err(fault)) => beside_failed(d, fault, turn),
                (State::Each(d), Ok(result)) => each_joined(d, result, turn),
                (State::Each(d), Err(fault)) => each_failed(d, fault, turn),
                (State::Each2(d), Ok(result)) => each_joined2(d, result),
                (State::Beside1(handled), _) => beside_1_over(handled, turn),
                (State::Beside1_2(handled, result), Ok(result2)) => beside_1_fetch_done(handled, result, result2, turn),
                (State::Beside1_2(handled, result), Err(fault)) => beside_1_failed3(handled, result, fault, turn),
                (State::Beside1_3(handled, result, result2), Ok(result3)) => {
                    beside_1_check_done(handled, result, result2, result3)
                }
                (State::Beside1_3(handled, _, _), Err(fault)) => beside_1_failed(handled, fault, turn),
                (State::Beside2(handled), Ok(result)) => beside_2_done(handled, result),
                (State::Beside2(handled), Err(fault)) => beside_2_failed(handled, fault, turn),
                (State::Beside3(handled), _) => beside_3_over(handled),
                (State::Each4(handled), Ok(result)) => each_4_joined(handled, result, turn),
                (State::Each4(handled), Err(fault)) => each_4_failed(handled, fault, turn),
                (State::Each5(handled), Ok(result)) => each_5_done(handled, result, turn),
                (State::Each5(handled), Err(fault)) => each_5_failed(handled, fault, turn),
                (State::Each5_2(handled, result), _) => each_5_over(handled, result),
                (State::Each6(handled), Ok(result)) => each_6_joined(handled, result),
                (State::Each6(handled), Err(fault)) => each_6_failed(handled, fault, turn),
                (State::Each7(handled), Ok(result)) => each_7_done(handled, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Beside(_), 0) => Some(State::BesideEntryBeside1),
                (State::Beside(_), 1) => Some(State::BesideEntryBeside2),
                (State::Beside(_), 2) => Some(State::BesideEntryBeside3),
                (State::Each(d), 0) => Some(State::EachEntryEach4(d.clone())),
                (State::Each2(d), 0) => Some(State::EachEntryEach6(d.clone())),
                (State::Each4(_), _) => Some(State::EachEntryEach5(item.clone())),
                (State::Each6(_), _) => Some(State::EachEntryEach7(item.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = sm4c::input(d);
        in_order(d, turn)
    }

    /// `In order`, `flow.sm4c.json:15`.
    fn in_order(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("In order", &d);
        let retries = turn.begin_retry_block();
        in_order_try(d, retries, turn)
    }

    /// `In order`, `flow.sm4c.json:15`: One attempt.
    fn in_order_try(d: Value, retries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let retries2 = turn.begin_nested_retry_block();
        in_order_try2(d, retries, retries2, turn)
    }

    /// `In order`, `flow.sm4c.json:15`: One attempt.
    fn in_order_try2(d: Value, retries: rt::BlockRetries, retries2: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([]);
        turn.invoke(&IN_ORDER, request);
        rt::wait(State::InOrder(d, retries, retries2))
    }

    /// `In order`, `flow.sm4c.json:15`: Continues with the result of the task.
    fn in_order_fetch_done(d: Value, retries: rt::BlockRetries, result: Value, turn: &mut Turn) -> TurnResult {
        let request = match rt::attempt(|| Ok(rt::object([("log", in_order_argument(&d)?)]))) {
            Ok(value) => value,
            Err(fault) => return in_order_failed(d, retries, fault, turn),
        };
        turn.invoke(&IN_ORDER2, request);
        rt::wait(State::InOrder2(d, result, retries))
    }

    /// `In order`, `flow.sm4c.json:15`: Continues with the result of the task.
    fn in_order_check_done(d: Value, result: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        let result3 = rt::object([("fetched", result), ("checked", result2)]);
        let d = in_order_enter_result_handler(d, &result3)?;
        beside(d, turn)
    }

    /// `In order`, `flow.sm4c.json:15`: Retries or catches a fault.
    fn in_order_failed(d: Value, mut retries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = in_order_error_result_handler(d, &error)?;
            if turn.retry_block(IN_ORDER_RETRY, &mut retries, &fault) {
                return rt::wait(State::InOrderRetry(d, retries));
            }
            return Err(fault);
        }
        Err(fault)
    }

    /// `In order`, `flow.sm4c.json:15`: Retries or catches a fault.
    fn in_order_failed2(
        d: Value,
        retries: rt::BlockRetries,
        mut retries2: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = match rt::attempt(|| Ok(in_order_error_result_handler2(d.clone(), &error)?)) {
                Ok(value) => value,
                Err(fault) => return in_order_failed(d, retries, fault, turn),
            };
            if turn.retry_block(IN_ORDER_RETRY2, &mut retries2, &fault) {
                return rt::wait(State::InOrderRetry2(d, retries, retries2));
            }
            return in_order_failed(d, retries, fault, turn);
        }
        in_order_failed(d, retries, fault, turn)
    }

    /// `Beside`, `flow.sm4c.json:41`.
    fn beside(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Beside", &d);
        turn.race(3, 3);
        rt::wait(State::Beside(d))
    }

    /// `Beside`, `flow.sm4c.json:41`: Continues with the first outputs.
    fn beside_joined(d: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&rt::array([]), &joined);
        let failed = Value::Null;
        beside_handle(d, joined, handled, failed, turn)
    }

    /// `Beside`, `flow.sm4c.json:41`: Continues within the state.
    fn beside_handle(d: Value, joined: Value, handled: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled)) {
            beside_handled(d, joined, failed, turn)
        } else if sm4c::is_first(&handled, 0) {
            let d = match rt::attempt(|| Ok(beside_error_result_handler(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => return beside_failed2(d, joined, handled, failed, fault, turn),
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::BesideEnter(d, failed, handled, joined))
        } else if sm4c::is_first(&handled, 1) {
            let d = match rt::attempt(|| Ok(beside_error_result_handler2(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => return beside_failed2(d, joined, handled, failed, fault, turn),
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::BesideEnter(d, failed, handled, joined))
        } else {
            beside_handled(d, joined, failed, turn)
        }
    }

    /// `Beside`, `flow.sm4c.json:41`: Continues within the state.
    fn beside_handled(d: Value, joined: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = sm4c::unless_fault(failed) {
            return beside_failed(d, fault, turn);
        }
        let joined = match sm4c::unless_failed(joined) {
            Ok(value) => value,
            Err(fault) => return beside_failed(d, fault, turn),
        };
        let result = sm4c::ended(&joined, &["0", "1", "2"]);
        beside_go_on(d, result, turn)
    }

    /// `Beside`, `flow.sm4c.json:41`: Continues within the state.
    fn beside_go_on(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let d = beside_enter_result_handler(d, &result)?;
        each(d, turn)
    }

    /// `Beside`, `flow.sm4c.json:41`: Retries or catches a fault.
    fn beside_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = beside_error_result_handler3(d, &error)?;
            let result = Value::Null;
            return beside_go_on(d, result, turn);
        }
        Err(fault)
    }

    /// `Beside`, `flow.sm4c.json:41`: Retries or catches a fault.
    fn beside_failed2(
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
            return rt::next(State::BesideEnter(d, failed, handled, joined));
        }
        beside_failed(d, fault, turn)
    }

    /// `Each`, `flow.sm4c.json:80`.
    fn each(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Each", &d);
        turn.race(1, 1);
        rt::wait(State::Each(d))
    }

    /// `Each`, `flow.sm4c.json:80`: Continues with the first outputs.
    fn each_joined(d: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&rt::array([]), &joined);
        let failed = Value::Null;
        each_handle(d, joined, handled, failed, turn)
    }

    /// `Each`, `flow.sm4c.json:80`: Continues within the state.
    fn each_handle(d: Value, joined: Value, handled: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled)) {
            each_handled(d, joined, failed, turn)
        } else if sm4c::is_first(&handled, 2) {
            let d = match rt::attempt(|| Ok(each_error_result_handler(d.clone(), &sm4c::first(&handled))?)) {
                Ok(value) => value,
                Err(fault) => {
                    let fault = turn.locate(fault);
                    if fault.is_catchable() {
                        let failed = sm4c::first_fault(failed, fault.output());
                        let handled = sm4c::rest(&handled);
                        return rt::next(State::EachEnter(d, failed, handled, joined));
                    }
                    return each_failed(d, fault, turn);
                }
            };
            let handled = sm4c::rest(&handled);
            rt::next(State::EachEnter(d, failed, handled, joined))
        } else {
            each_handled(d, joined, failed, turn)
        }
    }

    /// `Each`, `flow.sm4c.json:80`: Continues within the state.
    fn each_handled(d: Value, joined: Value, failed: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = sm4c::unless_fault(failed) {
            return each_failed(d, fault, turn);
        }
        let joined = match sm4c::unless_failed(joined) {
            Ok(value) => value,
            Err(fault) => return each_failed(d, fault, turn),
        };
        let result = sm4c::ended(&joined, &["0"]);
        each_go_on(d, result, turn)
    }

    /// `Each`, `flow.sm4c.json:80`: Continues within the state.
    fn each_go_on(d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let d = each_enter_result_handler(d, &result)?;
        turn.race(1, 1);
        rt::wait(State::Each2(d))
    }

    /// `Each`, `flow.sm4c.json:80`: Continues with the first outputs.
    fn each_joined2(d: Value, joined: Value) -> TurnResult {
        let handled = sm4c::handled(&rt::array([]), &joined);
        each_handle2(d, handled)
    }

    /// `Each`, `flow.sm4c.json:80`: Continues within the state.
    fn each_handle2(d: Value, handled: Value) -> TurnResult {
        if sm4c::is_null(&sm4c::first(&handled)) {
            each_handled2(d)
        } else if sm4c::is_first(&handled, 3) {
            let d = each_error_result_handler2(d, &sm4c::first(&handled))?;
            let handled = sm4c::rest(&handled);
            rt::next(State::EachEnter2(d, handled))
        } else {
            each_handled2(d)
        }
    }

    /// `Each`, `flow.sm4c.json:80`: Continues within the state.
    fn each_handled2(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Each`, `flow.sm4c.json:80`: Retries or catches a fault.
    fn each_failed(d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let d = each_error_result_handler3(d, &error)?;
            let result = Value::Null;
            return each_go_on(d, result, turn);
        }
        Err(fault)
    }

    /// `Beside 1`, `flow.sm4c.json:46`.
    fn beside_1(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        turn.sleep_seconds(2.0);
        rt::wait(State::Beside1(handled))
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Continues after the wait.
    fn beside_1_over(handled: Value, turn: &mut Turn) -> TurnResult {
        let result = Value::Null;
        let request = rt::object([("of", rt::string("the first"))]);
        turn.invoke(&BESIDE, request);
        rt::wait(State::Beside1_2(handled, result))
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Continues with the result of the task.
    fn beside_1_fetch_done(handled: Value, result: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        beside_1_go_on(handled, result, result2, turn)
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Continues within the state.
    fn beside_1_go_on(handled: Value, result: Value, result2: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([("of", rt::string("the first"))]);
        turn.invoke(&BESIDE2, request);
        rt::wait(State::Beside1_3(handled, result, result2))
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Continues with the result of the task.
    fn beside_1_check_done(handled: Value, result: Value, result2: Value, result3: Value) -> TurnResult {
        let result4 = rt::object([("0", result), ("1", result2), ("2", result3)]);
        beside_1_go_on2(handled, result4)
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Continues within the state.
    fn beside_1_go_on2(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Retries or catches a fault.
    fn beside_1_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            match rt::attempt(|| Ok(beside_error_condition(&error)?)) {
                Ok(true) => {
                    let result = Value::Null;
                    return beside_1_go_on2(handled, result);
                }
                Ok(false) => {}
                Err(fault) => return beside_1_failed2(handled, fault, turn),
            }
            return beside_1_failed2(handled, fault, turn);
        }
        beside_1_failed2(handled, fault, turn)
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Retries or catches a fault.
    fn beside_1_failed2(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Beside 1`, `flow.sm4c.json:46`: Retries or catches a fault.
    fn beside_1_failed3(handled: Value, result: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 0, &error);
            let result2 = Value::Null;
            return beside_1_go_on(handled, result, result2, turn);
        }
        beside_1_failed(handled, fault, turn)
    }

    /// `Beside 2`, `flow.sm4c.json:66`.
    fn beside_2(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("of", rt::string("the second"))]);
        turn.invoke(&BESIDE, request);
        rt::wait(State::Beside2(handled))
    }

    /// `Beside 2`, `flow.sm4c.json:66`: Continues with the result of the task.
    fn beside_2_done(handled: Value, result: Value) -> TurnResult {
        beside_2_go_on(handled, result)
    }

    /// `Beside 2`, `flow.sm4c.json:66`: Continues within the state.
    fn beside_2_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Beside 2`, `flow.sm4c.json:66`: Retries or catches a fault.
    fn beside_2_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 1, &error);
            let result = Value::Null;
            return beside_2_go_on(handled, result);
        }
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Beside 3`, `flow.sm4c.json:73`.
    fn beside_3(turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        turn.sleep_seconds(3600.0);
        rt::wait(State::Beside3(handled))
    }

    /// `Beside 3`, `flow.sm4c.json:73`: Continues after the wait.
    fn beside_3_over(handled: Value) -> TurnResult {
        let result = Value::Null;
        rt::done(rt::array([result, handled]))
    }

    /// `Each 4`, `flow.sm4c.json:85`.
    fn each_4(d: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let items = match rt::attempt(|| Ok(sm4c::elements(each_elements(&d)?)?)) {
            Ok(value) => value,
            Err(fault) => return each_4_failed(handled, fault, turn),
        };
        let limits = rt::Limits { concurrency: 1, in_batches: true, completion_order: true, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::Each4(handled))
    }

    /// `Each 4`, `flow.sm4c.json:85`: Continues with the outputs of the iterations.
    fn each_4_joined(handled: Value, joined: Value, turn: &mut Turn) -> TurnResult {
        let handled = sm4c::handled(&handled, &joined);
        let joined = match sm4c::unless_failed(joined) {
            Ok(value) => value,
            Err(fault) => return each_4_failed(handled, fault, turn),
        };
        let result = sm4c::in_order(&joined);
        rt::done(rt::array([result, handled]))
    }

    /// `Each 4`, `flow.sm4c.json:85`: Retries or catches a fault.
    fn each_4_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Each 5`, `flow.sm4c.json:88`.
    fn each_5(element: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("item", each_argument(&element))]);
        turn.invoke(&EACH, request);
        rt::wait(State::Each5(handled))
    }

    /// `Each 5`, `flow.sm4c.json:88`: Continues with the result of the task.
    fn each_5_done(handled: Value, result: Value, turn: &mut Turn) -> TurnResult {
        each_5_go_on(handled, result, turn)
    }

    /// `Each 5`, `flow.sm4c.json:88`: Continues within the state.
    fn each_5_go_on(handled: Value, result: Value, turn: &mut Turn) -> TurnResult {
        turn.sleep_seconds(1.0);
        rt::wait(State::Each5_2(handled, result))
    }

    /// `Each 5`, `flow.sm4c.json:88`: Continues after the wait.
    fn each_5_over(handled: Value, result: Value) -> TurnResult {
        let result2 = Value::Null;
        let result3 = rt::object([("0", result), ("1", result2)]);
        rt::done(rt::array([result3, handled]))
    }

    /// `Each 5`, `flow.sm4c.json:88`: Retries or catches a fault.
    fn each_5_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            match rt::attempt(|| Ok(each_error_condition(&error)?)) {
                Ok(true) => {
                    let handled = sm4c::handle(&handled, 2, &error);
                    let result = Value::Null;
                    return each_5_go_on(handled, result, turn);
                }
                Ok(false) => {}
                Err(fault) => return each_5_failed2(handled, fault, turn),
            }
            return each_5_failed2(handled, fault, turn);
        }
        each_5_failed2(handled, fault, turn)
    }

    /// `Each 5`, `flow.sm4c.json:88`: Retries or catches a fault.
    fn each_5_failed2(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return rt::done(sm4c::failed(handled, fault.output(), turn));
        }
        Err(fault)
    }

    /// `Each 6`, `flow.sm4c.json:113`.
    fn each_6(d: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let items = match rt::attempt(|| Ok(sm4c::elements(each_elements(&d)?)?)) {
            Ok(value) => value,
            Err(fault) => return each_6_failed(handled, fault, turn),
        };
        let limits = rt::Limits { concurrency: 3, in_batches: true, completion_order: true, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::Each6(handled))
    }

    /// `Each 6`, `flow.sm4c.json:113`: Continues with the outputs of the iterations.
    fn each_6_joined(handled: Value, joined: Value) -> TurnResult {
        let result = sm4c::in_order(&joined);
        each_6_go_on(handled, result)
    }

    /// `Each 6`, `flow.sm4c.json:113`: Continues within the state.
    fn each_6_go_on(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `Each 6`, `flow.sm4c.json:113`: Retries or catches a fault.
    fn each_6_failed(handled: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = sm4c::error(fault.output());
            let handled = sm4c::handle(&handled, 3, &error);
            let result = Value::Null;
            return each_6_go_on(handled, result);
        }
        Err(fault)
    }

    /// `Each 7`, `flow.sm4c.json:118`.
    fn each_7(element: Value, turn: &mut Turn) -> TurnResult {
        let handled = rt::array([]);
        let request = rt::object([("again", each_argument(&element))]);
        turn.invoke(&EACH, request);
        rt::wait(State::Each7(handled))
    }

    /// `Each 7`, `flow.sm4c.json:118`: Continues with the result of the task.
    fn each_7_done(handled: Value, result: Value) -> TurnResult {
        rt::done(rt::array([result, handled]))
    }

    /// `.log`
    fn in_order_argument(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "log")?.clone())
    }

    /// `.ordered = $value`
    fn in_order_enter_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let ordered = jq::get_mut(&mut input, "ordered")?;
        *ordered = value_of.clone();
        Ok(input)
    }

    /// `.log += ["all: " + $value.Message]`
    fn in_order_error_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("all: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["one: " + $value.Message]`
    fn in_order_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("one: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["first: " + $value.Message]`
    fn beside_error_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("first: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["second: " + $value.Message]`
    fn beside_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("second: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.beside = $value`
    fn beside_enter_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let beside = jq::get_mut(&mut input, "beside")?;
        *beside = value_of.clone();
        Ok(input)
    }

    /// `.log += ["beside: " + $value.Message]`
    fn beside_error_result_handler3(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("beside: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["item: " + $value.Message]`
    fn each_error_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("item: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.each = $value`
    fn each_enter_result_handler(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let each = jq::get_mut(&mut input, "each")?;
        *each = value_of.clone();
        Ok(input)
    }

    /// `.log += ["exit: " + $value.Message]`
    fn each_error_result_handler2(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("exit: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.log += ["each: " + $value.Message]`
    fn each_error_result_handler3(mut input: Value, value_of: &Value) -> jq::Result<Value> {
        let array = rt::array([jq::add(rt::string("each: "), jq::get(value_of, "Message")?)?]);
        let log = jq::get_mut(&mut input, "log")?;
        *log = jq::add(log.take(), &array)?;
        Ok(jq::finished(input))
    }

    /// `.Message == "nothing"`
    fn beside_error_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "Message")?, &rt::string("nothing")))
    }

    /// `.items`
    fn each_elements(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "items")?.clone())
    }

    /// `.`
    fn each_argument(input: &Value) -> Value {
        input.clone()
    }

    /// `.Message == "soft"`
    fn each_error_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "Message")?, &rt::string("soft")))
    }

    static IN_ORDER_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 10.0, 1, 1.0)];
    static IN_ORDER_RETRY2: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 1.0)];
    static OPERATION_1: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "fetch", "POST", &[operation::Piece::Text("/fetch")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );
    static OPERATION_2: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "check", "POST", &[operation::Piece::Text("/check")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );
    static OPERATION_3: rt::Operation = rt::Operation::Rest(
        operation::Rest::new("store", "store.json", "pack", "POST", &[operation::Piece::Text("/pack")])
            .body(operation::Body::new(operation::Media::Json, "application/json").whole(&["body"]).members())
            .server("https://store.example.com"),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"In order\" as s0\n    state \"Beside\" as s1 {\n",
        "        state \"branch 1\" as s2 {\n            state \"Beside 1\" as s3\n",
        "            [*] --> s3\n            s3 --> [*]\n",
        "            s3 --> [*] : catch any error\n        }\n",
        "        state \"branch 2\" as s4 {\n            state \"Beside 2\" as s5\n",
        "            [*] --> s5\n            s5 --> [*]\n",
        "            s5 --> [*] : catch any error\n        }\n",
        "        state \"branch 3\" as s6 {\n            state \"Beside 3\" as s7\n",
        "            [*] --> s7\n            s7 --> [*]\n",
        "            s7 --> [*] : catch any error\n        }\n    }\n    state \"Each\" as s8 {\n",
        "        state \"branch 1\" as s9 {\n            state \"Each 4\" as s10 {\n",
        "                state \"for each item, 1 at a time\" as s11 {\n",
        "                    state \"Each 5\" as s12\n                    [*] --> s12\n",
        "                    s12 --> [*]\n                    s12 --> [*] : catch any error\n",
        "                }\n            }\n            [*] --> s10\n            s10 --> [*]\n",
        "            s10 --> [*] : catch any error\n        }\n",
        "        state \"branch 2\" as s13 {\n            state \"Each 6\" as s14 {\n",
        "                state \"for each item, 3 at a time\" as s15 {\n",
        "                    state \"Each 7\" as s16\n                    [*] --> s16\n",
        "                    s16 --> [*]\n                }\n            }\n",
        "            [*] --> s14\n            s14 --> [*]\n        }\n    }\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s8\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s3,s5,s12,s16 task\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s7 wait\n"
    );
}
