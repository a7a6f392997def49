// Generated from `flow.serverless-workflow.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `setbacks` of `flow.serverless-workflow.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod setbacks {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, deadline, jsonpath, serverless_workflow, spel};

    /// The workflow `setbacks`.
    pub struct Setbacks;

    impl Setbacks {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Setbacks, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `setbacks`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `setbacks`",
        label = "the trait `setbacks::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.json:1:1: the workflow is defined here",
        note = "write `impl setbacks::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `isHeavy`, invoked by `Which` (`flow.serverless-workflow.json:24`).
        fn is_heavy(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `drive`, invoked by `Goes on` (`flow.serverless-workflow.json:9`),
        /// `Handled` (`flow.serverless-workflow.json:9`),
        /// `North` (`flow.serverless-workflow.json:9`),
        /// `Send` (`flow.serverless-workflow.json:9`),
        /// `Listen` (`flow.serverless-workflow.json:9`).
        fn drive(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `status`, invoked by `Goes on` (`flow.serverless-workflow.json:10`),
        /// `Results` (`flow.serverless-workflow.json:10`).
        fn status(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.is_heavy(input, cx)),
                1 | 3 | 5..=7 => rt::task_future(tasks.drive(input, cx)),
                2 | 4 => rt::task_future(tasks.status(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Setbacks {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "setbacks",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.json",
        hash: 10922864786280745831,
        workflow_id: Some(rt::WorkflowId { id: "setbacks", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        events: &[
            rt::EventInfo::new("Weighed").kind("weighed").source("/scales"),
            rt::EventInfo::new("Labelled").kind("labelled").source("/printer"),
        ],
        states: &[
            rt::StateInfo::new(
                "Which",
                "switch",
                14,
                &["Goes on", "Handled", "Results", "Branches", "Each", "Listen", "Guarded", "Lost"],
            ),
            rt::StateInfo::new("Goes on", "operation", 31, &[]),
            rt::StateInfo::new("Handled", "operation", 41, &["Lost"]),
            rt::StateInfo::new("Results", "operation", 51, &["Lost"]),
            rt::StateInfo::new("Branches", "parallel", 63, &["Lost"]),
            rt::StateInfo::new("Each", "foreach", 98, &[]),
            rt::StateInfo::new("Listen", "event", 116, &[]),
            rt::StateInfo::new("Guarded", "delay", 126, &["Lost"]),
            rt::StateInfo::new("Lost", "inject", 131, &[]),
            rt::StateInfo::new("North", "operation", 70, &[]),
            rt::StateInfo::new("South", "inject", 83, &[]),
            rt::StateInfo::new("Send", "operation", 104, &[]),
        ],
        tasks: &[&WHICH, &GOES_ON, &GOES_ON2, &HANDLED, &RESULTS, &NORTH, &SEND, &LISTEN],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static WHICH: rt::Task = rt::Task::new(0, "isHeavy", "isHeavy", "Which", 24);
    static GOES_ON: rt::Task = rt::Task::new(1, "drive", "vans", "Goes on", 9);
    static GOES_ON2: rt::Task = rt::Task::new(2, "status", "vans/status", "Goes on", 10);
    static HANDLED: rt::Task = rt::Task::new(3, "drive", "vans", "Handled", 9);
    static RESULTS: rt::Task = rt::Task::new(4, "status", "vans/status", "Results", 10);
    static NORTH: rt::Task = rt::Task::new(5, "drive", "vans", "North", 9);
    static SEND: rt::Task = rt::Task::new(6, "drive", "vans", "Send", 9);
    static LISTEN: rt::Task = rt::Task::new(7, "drive", "vans", "Listen", 9);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        BranchesEntryNorth(Value),
        BranchesEntrySouth(Value),
        EachEntrySend(Value, Value),
        Which(Value),
        GoesOn(Value),
        GoesOn2(Value),
        Handled(Value, Value),
        ResultsRetry(Value, rt::BlockRetries, rt::BlockRetries),
        ResultsRetry2(Value, rt::BlockRetries, rt::BlockRetries),
        Results(Value, Value, rt::BlockRetries, rt::BlockRetries),
        Branches(Value),
        Each(Value),
        Listen(Value, Value, Value),
        Listen2(Value),
        Guarded(Value),
        North(Value),
        Send(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (BranchesEntryNorth(data), "Branches entry North", "", 11163295431466945752),
            (BranchesEntrySouth(data), "Branches entry South", "", 11163295431466945752),
            (EachEntrySend(data, item2), "Each entry Send", "", 4097764055405030962),
            (Which(data), "Which", "Which", 11163295431466945752),
            (GoesOn(data), "Goes on", "Goes on", 7662745259808997186),
            (GoesOn2(data), "Goes on #2", "Goes on", 12902554232008939295),
            (Handled(data, state_input), "Handled", "Handled", 5688791992467363769),
            (ResultsRetry(kept, tries, tries2), "Results retry", "Results", 4079639459552929064),
            (ResultsRetry2(kept, tries, tries2), "Results retry #2", "Results", 2418982760296253017),
            (Results(data, kept, tries, tries2), "Results", "Results", 6917186503436173731),
            (Branches(data), "Branches", "Branches", 5246125627435243945),
            (Each(data), "Each", "Each", 16981849020870347145),
            (Listen(data, set, until), "Listen", "Listen", 16191613865192465230),
            (Listen2(data), "Listen #2", "Listen", 12902554232008939295),
            (Guarded(data), "Guarded", "Guarded", 6443120302792414794),
            (North(data), "North", "North", 5181892701276256009),
            (Send(data), "Send", "Send", 10366745185085221354),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => entry(data, turn),
                State::BranchesEntryNorth(data) => branches_entry_north(data, turn),
                State::BranchesEntrySouth(data) => branches_entry_south(data, turn),
                State::EachEntrySend(data, item2) => each_entry_send(data, item2, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Which(data), Ok(result)) => which_done(data, result, turn),
                (State::Which(data), Err(fault)) => which_failed(data, fault, turn),
                (State::GoesOn(data), Ok(result)) => goes_on_drive_done(data, result, turn),
                (State::GoesOn(data), Err(fault)) => goes_on_failed(data, fault, turn),
                (State::GoesOn2(data), Ok(result)) => goes_on_status_done(data, result),
                (State::GoesOn2(data), Err(fault)) => goes_on_failed(data, fault, turn),
                (State::Handled(data, _), Ok(result)) => handled_done(data, result),
                (State::Handled(data, state_input), Err(fault)) => handled_failed(data, state_input, fault, turn),
                (State::ResultsRetry(kept, tries, tries2), _) => results_try(kept, tries, tries2, turn),
                (State::ResultsRetry2(kept, tries, tries2), _) => results_try(kept, tries, tries2, turn),
                (State::Results(data, kept, tries, tries2), Ok(result)) => {
                    results_done(data, kept, tries, tries2, result, turn)
                }
                (State::Results(data, kept, tries, tries2), Err(fault)) => {
                    results_failed(data, kept, tries, tries2, fault, turn)
                }
                (State::Branches(data), Ok(result)) => branches_joined(data, result),
                (State::Branches(data), Err(fault)) => branches_failed(data, fault, turn),
                (State::Each(data), Ok(_)) => each_joined(data),
                (State::Listen(data, set, until), Ok(result)) => listen_received(data, set, until, result, turn),
                (State::Listen2(data), Ok(result)) => listen_drive_done(data, result),
                (State::Guarded(data), _) => guarded_over(data, turn),
                (State::North(data), Ok(result)) => north_done(data, result),
                (State::Send(data), Ok(result)) => send_done(data, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Branches(data), 0) => Some(State::BranchesEntryNorth(data.clone())),
                (State::Branches(data), 1) => Some(State::BranchesEntrySouth(data.clone())),
                (State::Each(data), _) => Some(State::EachEntrySend(data.clone(), item.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        which(data, turn)
    }

    /// `Which`, `flow.serverless-workflow.json:14`.
    fn which(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Which", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("go")), "equals", "on") {
            goes_on(data, turn)
        } else if serverless_workflow::compares(data.get(jsonpath::Through("go")), "equals", "handled") {
            handled(data, turn)
        } else if serverless_workflow::compares(data.get(jsonpath::Through("go")), "equals", "results") {
            results(data, turn)
        } else if serverless_workflow::compares(data.get(jsonpath::Through("go")), "equals", "branches") {
            branches(data, turn)
        } else if serverless_workflow::compares(data.get(jsonpath::Through("go")), "equals", "each") {
            each(data, turn)
        } else if jsonpath::jayway_matches(data.get(jsonpath::Through("go")), "list.*") {
            listen(data, turn)
        } else {
            let request = rt::object([
                ("selected", serverless_workflow::or_null(data.get(jsonpath::Through("parcel"))).clone()),
                ("value", rt::string("heavy")),
                ("data", data.clone()),
            ]);
            turn.invoke(&WHICH, request);
            rt::wait(State::Which(data))
        }
    }

    /// `Which`, `flow.serverless-workflow.json:14`: Continues with the result of the task.
    fn which_done(data: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        match rt::attempt(|| Ok(serverless_workflow::decides(&answer, "isHeavy")?)) {
            Ok(true) => return guarded(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(data, fault, turn),
        }
        let none = match serverless_workflow::no_condition("Which") {
            Ok(value) => value,
            Err(fault) => return which_failed(data, fault, turn),
        };
        rt::done(none)
    }

    /// `Which`, `flow.serverless-workflow.json:14`: Retries or catches a fault.
    fn which_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Which", turn);
            return if spel::equals(
                Some(serverless_workflow::or_null(error.get("name"))),
                Some(&rt::string("NoChoiceMatched")),
            ) {
                let data = serverless_workflow::with_error(data, &error);
                if spel::is_given(data.get(jsonpath::Through("parcel"))) {
                    lost(data, turn)
                } else {
                    Err(serverless_workflow::guard("Which", "$.parcel != null", &data))
                }
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Goes on`, `flow.serverless-workflow.json:31`.
    fn goes_on(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Goes on", &data);
        turn.invoke(&GOES_ON, data.clone()).timeout_seconds(10.0);
        rt::wait(State::GoesOn(data))
    }

    /// `Goes on`, `flow.serverless-workflow.json:31`: Continues with the result of the task.
    fn goes_on_drive_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "drive");
        turn.invoke(&GOES_ON2, data.clone());
        rt::wait(State::GoesOn2(data))
    }

    /// `Goes on`, `flow.serverless-workflow.json:31`: Continues with the result of the task.
    fn goes_on_status_done(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with(data, result, "status");
        goes_on_leave(data)
    }

    /// `Goes on`, `flow.serverless-workflow.json:31`: Continues within the state.
    fn goes_on_leave(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Goes on`, `flow.serverless-workflow.json:31`: Retries or catches a fault.
    fn goes_on_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_timeout() {
            return goes_on_leave(data);
        }
        Err(fault)
    }

    /// `Handled`, `flow.serverless-workflow.json:41`.
    fn handled(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Handled", &data);
        let state_input = data.clone();
        turn.invoke(&HANDLED, data.clone()).timeout_seconds(10.0);
        rt::wait(State::Handled(data, state_input))
    }

    /// `Handled`, `flow.serverless-workflow.json:41`: Continues with the result of the task.
    fn handled_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with(data, result, "drive"))
    }

    /// `Handled`, `flow.serverless-workflow.json:41`: Retries or catches a fault.
    fn handled_failed(data: Value, state_input: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Handled", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if spel::equals(
                seen.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                Some(&rt::string("Timeout")),
            ) && spel::equals(state_input.get(jsonpath::Through("late")), Some(&Value::Bool(true)))
            {
                let data = serverless_workflow::with_error(data, &error);
                lost(data, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Results`, `flow.serverless-workflow.json:51`.
    fn results(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Results", &data);
        let tries = turn.begin_retry_block();
        let tries2 = turn.begin_retry_block();
        results_try(data, tries, tries2, turn)
    }

    /// `Results`, `flow.serverless-workflow.json:51`: One attempt.
    fn results_try(kept: Value, tries: rt::BlockRetries, tries2: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let data = kept.clone();
        turn.invoke(&RESULTS, data.clone());
        rt::wait(State::Results(data, kept, tries, tries2))
    }

    /// `Results`, `flow.serverless-workflow.json:51`: Continues with the result of the task.
    fn results_done(
        data: Value,
        kept: Value,
        tries: rt::BlockRetries,
        tries2: rt::BlockRetries,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let data = serverless_workflow::with(data, result, "status");
        if spel::equals(data.get(jsonpath::Through("status")), Some(&rt::string("under way"))) {
            results_refuse(data, kept, tries, tries2, turn)
        } else if serverless_workflow::has_new_error(&kept, &data)
            && spel::equals(
                data.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                Some(&rt::string("Busy")),
            )
        {
            results_refuse(data, kept, tries, tries2, turn)
        } else {
            results_accepted(data)
        }
    }

    /// `Results`, `flow.serverless-workflow.json:51`: Continues within the state.
    fn results_refuse(
        data: Value,
        kept: Value,
        tries: rt::BlockRetries,
        tries2: rt::BlockRetries,
        turn: &mut Turn,
    ) -> TurnResult {
        if let Err(fault) = serverless_workflow::refuse_results(&data, "Results") {
            return results_failed(data, kept, tries, tries2, fault, turn);
        }
        results_accepted(data)
    }

    /// `Results`, `flow.serverless-workflow.json:51`: Continues within the state.
    fn results_accepted(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Results`, `flow.serverless-workflow.json:51`: Retries or catches a fault.
    fn results_failed(
        data: Value,
        kept: Value,
        mut tries: rt::BlockRetries,
        mut tries2: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            turn.renumber_calls(&tries2, 1);
            let error = serverless_workflow::error(fault.output(), "Results", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if spel::equals(seen.get(jsonpath::Through("status")), Some(&rt::string("under way"))) {
                if turn.retry_block(RESULTS_RETRY, &mut tries, &fault) {
                    return rt::wait(State::ResultsRetry(kept, tries, tries2));
                }
                results_handle(data, fault, error, seen, turn)
            } else if !serverless_workflow::is_null(&error)
                && spel::equals(
                    seen.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                    Some(&rt::string("Busy")),
                )
            {
                if turn.retry_block(RESULTS_RETRY2, &mut tries2, &fault) {
                    return rt::wait(State::ResultsRetry2(kept, tries, tries2));
                }
                results_handle(data, fault, error, seen, turn)
            } else {
                results_handle(data, fault, error, seen, turn)
            };
        }
        Err(fault)
    }

    /// `Results`, `flow.serverless-workflow.json:51`: Continues within the state.
    fn results_handle(data: Value, fault: Fault, error: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        if spel::equals(seen.get(jsonpath::Through("status")), Some(&rt::string("under way")))
            || spel::equals(Some(serverless_workflow::or_null(error.get("name"))), Some(&rt::string("Busy")))
        {
            let data = serverless_workflow::with_error(data, &error);
            lost(data, turn)
        } else {
            Err(fault)
        }
    }

    /// `Branches`, `flow.serverless-workflow.json:63`.
    fn branches(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Branches", &data);
        turn.fork(2);
        rt::wait(State::Branches(data))
    }

    /// `Branches`, `flow.serverless-workflow.json:63`: Continues with the outputs of the
    /// branches.
    fn branches_joined(data: Value, outputs: Value) -> TurnResult {
        rt::done(serverless_workflow::with_branches(data, &outputs, &["north", "south"]))
    }

    /// `Branches`, `flow.serverless-workflow.json:63`: Retries or catches a fault.
    fn branches_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Branches", turn);
            let seen = serverless_workflow::error_view(&data, &error);
            return if spel::equals(
                seen.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                Some(&rt::string("Timeout")),
            ) {
                let error_data = serverless_workflow::error_data(&error);
                let data = serverless_workflow::with_selected(
                    data,
                    error_data.get(jsonpath::Through("error")).get(jsonpath::Through("name")),
                    &error,
                    "name",
                    &["error", "name"],
                );
                lost(data, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Each`, `flow.serverless-workflow.json:98`.
    fn each(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Each", &data);
        let items = serverless_workflow::elements(data.get(jsonpath::Through("parcels")), "$.parcels")?.clone();
        turn.for_each(&items, rt::Limits::default());
        rt::wait(State::Each(data))
    }

    /// `Each`, `flow.serverless-workflow.json:98`: Continues with the outputs of the
    /// iterations.
    fn each_joined(data: Value) -> TurnResult {
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("parcels")), &data).clone())
    }

    /// `Listen`, `flow.serverless-workflow.json:116`.
    fn listen(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Listen", &data);
        let set = serverless_workflow::no_events(2);
        let until = deadline::in_seconds(60.0, turn);
        listen_collect(data, set, until, turn)
    }

    /// `Listen`, `flow.serverless-workflow.json:116`: Continues within the state.
    fn listen_collect(data: Value, set: Value, until: Value, turn: &mut Turn) -> TurnResult {
        turn.receive(&[0, 1]).except_collected(&set).until(rt::timestamp(&until)?);
        rt::wait(State::Listen(data, set, until))
    }

    /// `Listen`, `flow.serverless-workflow.json:116`: Continues with an event or after the
    /// wait.
    fn listen_received(data: Value, set: Value, until: Value, event: Value, turn: &mut Turn) -> TurnResult {
        if serverless_workflow::is_null(&event) {
            listen_collected(data, set, turn)
        } else {
            let set = serverless_workflow::note(set, &event, &["0", "1"], turn);
            if serverless_workflow::are_all(&set) {
                listen_collected(data, set, turn)
            } else {
                listen_collect(data, set, until, turn)
            }
        }
    }

    /// `Listen`, `flow.serverless-workflow.json:116`: Continues within the state.
    fn listen_collected(data: Value, set: Value, turn: &mut Turn) -> TurnResult {
        if serverless_workflow::are_all(&set) {
            let event = serverless_workflow::noted(&set, 0).clone();
            let event_data = serverless_workflow::event_data(&event);
            let data = serverless_workflow::with(data, event_data, "Weighed");
            let event2 = serverless_workflow::noted(&set, 1).clone();
            let event_data2 = serverless_workflow::event_data(&event2);
            let data = serverless_workflow::with(data, event_data2, "Labelled");
            let parameters = serverless_workflow::with_event(data.clone(), &event2);
            let request = rt::object([
                ("from", serverless_workflow::or_null(parameters.get(jsonpath::Through("source"))).clone()),
                ("kg", serverless_workflow::or_null(parameters.get(jsonpath::Through("kg"))).clone()),
            ]);
            turn.invoke(&LISTEN, request);
            rt::wait(State::Listen2(data))
        } else {
            listen_done(data)
        }
    }

    /// `Listen`, `flow.serverless-workflow.json:116`: Continues with the result of the task.
    fn listen_drive_done(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with(data, result, "drive");
        listen_done(data)
    }

    /// `Listen`, `flow.serverless-workflow.json:116`: Continues within the state.
    fn listen_done(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Guarded`, `flow.serverless-workflow.json:126`.
    fn guarded(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Guarded", &data);
        turn.sleep_seconds(1.0);
        rt::wait(State::Guarded(data))
    }

    /// `Guarded`, `flow.serverless-workflow.json:126`: Continues after the wait.
    fn guarded_over(data: Value, turn: &mut Turn) -> TurnResult {
        if jsonpath::holds(data.get(jsonpath::Through("parcel")).get(jsonpath::Through("lost"))) {
            lost(data, turn)
        } else {
            Err(serverless_workflow::guard("Guarded", "$.parcel.lost", &data))
        }
    }

    /// `Lost`, `flow.serverless-workflow.json:131`.
    fn lost(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Lost", &data);
        rt::done(serverless_workflow::injected(data, LITERAL_1.clone()))
    }

    /// The start of the branch `north` of `Branches`.
    fn branches_entry_north(data: Value, turn: &mut Turn) -> TurnResult {
        north(data, turn)
    }

    /// `North`, `flow.serverless-workflow.json:70`.
    fn north(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("North", &data);
        turn.invoke(&NORTH, LITERAL_2.clone()).timeout_seconds(10.0);
        rt::wait(State::North(data))
    }

    /// `North`, `flow.serverless-workflow.json:70`: Continues with the result of the task.
    fn north_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with(data, result, "drive"))
    }

    /// The start of the branch `south` of `Branches`.
    fn branches_entry_south(data: Value, turn: &mut Turn) -> TurnResult {
        south(data, turn)
    }

    /// `South`, `flow.serverless-workflow.json:83`.
    fn south(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("South", &data);
        rt::done(serverless_workflow::injected(data, LITERAL_3.clone()))
    }

    /// The start of each element in `Each`.
    fn each_entry_send(data: Value, item2: Value, turn: &mut Turn) -> TurnResult {
        let data2 = serverless_workflow::set(data, &["parcel", "inner"], item2);
        send(data2, turn)
    }

    /// `Send`, `flow.serverless-workflow.json:104`.
    fn send(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Send", &data);
        let request =
            rt::object([("what", serverless_workflow::or_null(data.get(jsonpath::Through("parcel"))).clone())]);
        turn.invoke(&SEND, request);
        rt::wait(State::Send(data))
    }

    /// `Send`, `flow.serverless-workflow.json:104`: Continues with the result of the task.
    fn send_done(data: Value, result: Value) -> TurnResult {
        let only = result.clone();
        let data = serverless_workflow::with(data, result, "drive");
        rt::done(serverless_workflow::only(data, &only))
    }

    static RESULTS_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 60.0, 3, 1.0)];
    static RESULTS_RETRY2: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 1.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"lost\":true}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"to\":\"north\"}");
    static LITERAL_3: rt::Literal = rt::Literal::new("{\"south\":true}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Which\" as s0\n    s0 : isHeavy\n",
        "    state \"Goes on\" as s1\n    state \"Handled\" as s2\n    state \"Results\" as s3\n",
        "    state \"Branches\" as s4 {\n        state \"branch north\" as s5 {\n",
        "            state \"North\" as s6\n            [*] --> s6\n            s6 --> [*]\n",
        "        }\n        state \"branch south\" as s7 {\n            state \"South\" as s8\n",
        "            [*] --> s8\n            s8 --> [*]\n        }\n    }\n",
        "    state \"Each\" as s9 {\n        state \"for each item\" as s10 {\n",
        "            state \"Send\" as s11\n            [*] --> s11\n            s11 --> [*]\n",
        "        }\n    }\n    state \"Listen\" as s12\n    s12 : drive\n",
        "    s12 : waits for all of#58; Weighed, Labelled (at most 1 min)\n",
        "    state \"Guarded\" as s13\n    state \"Lost\" as s14\n    [*] --> s0\n",
        "    s0 --> s1 : $.go = #34;on#34;\n    s0 --> s2 : $.go = #34;handled#34;\n",
        "    s0 --> s3 : $.go = #34;results#34;\n    s0 --> s4 : $.go = #34;branches#34;\n",
        "    s0 --> s9 : $.go = #34;each#34;\n    s0 --> s12 : $.go =#126; /list.#42;/\n",
        "    s0 --> s13 : isHeavy is true\n",
        "    s0 --> s14 : catch $.error.name = #34;NoChoiceMatched#34;, $.parcel is given\n",
        "    s1 --> [*]\n    s2 --> [*]\n",
        "    s2 --> s14 : catch $.error.name = #34;Timeout#34; and $.late = true\n",
        "    s3 --> [*]\n",
        "    s3 --> s14 : catch $.status = #34;under way#34; or $.error.name = #34;Busy#34;\n",
        "    s4 --> [*]\n    s4 --> s14 : catch $.error.name = #34;Timeout#34;\n    s9 --> [*]\n",
        "    s12 --> [*]\n    s13 --> s14 : $.parcel.lost\n    s14 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s1,s2,s3,s6,s11 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s13 wait\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s12 event\n"
    );
}
