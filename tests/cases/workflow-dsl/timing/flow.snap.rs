// Generated from `flow.workflow-dsl.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `timing` of `flow.workflow-dsl.yaml`.
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
pub mod timing {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, deadline, jq, operation, workflow_dsl};

    /// The workflow `timing`.
    pub struct Timing;

    impl Timing {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Timing, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `timing`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `timing`",
        label = "the trait `timing::Tasks` is not implemented for this type",
        note = "flow.workflow-dsl.yaml:2:1: the workflow is defined here",
        note = "write `impl timing::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `Intervals`, invoked by `Intervals` (`flow.workflow-dsl.yaml:19`).
        fn intervals(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `first`, invoked by `Tries` (`flow.workflow-dsl.yaml:29`).
        fn first(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `second`, invoked by `Tries` (`flow.workflow-dsl.yaml:30`).
        fn second(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Whole`, invoked by `Whole` (`flow.workflow-dsl.yaml:39`).
        fn whole(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `Start`, invoked by `Start` (`flow.workflow-dsl.yaml:50`).
        fn start(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.intervals(input, cx)),
                1 => rt::task_future(tasks.first(input, cx)),
                2 => rt::task_future(tasks.second(input, cx)),
                3 => rt::task_future(tasks.whole(input, cx)),
                4 => rt::task_future(tasks.start(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Timing {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "timing",
        dialect: "workflow-dsl",
        source: "flow.workflow-dsl.yaml",
        hash: 8364097239673120288,
        workflow_id: Some(rt::WorkflowId { id: "timing", version: Some("1.0"), is_child: false }),
        events: &[rt::EventInfo::new("Go").subject("Go").any_case()],
        states: &[
            rt::StateInfo::new("Which", "switch", 5, &["Intervals", "Tries", "Whole", "Start", "Naps"]),
            rt::StateInfo::new("Intervals", "operation", 15, &[]),
            rt::StateInfo::new("Tries", "operation", 23, &[]),
            rt::StateInfo::new("Whole", "operation", 34, &[]),
            rt::StateInfo::new("Start", "message", 43, &[]),
            rt::StateInfo::new("Naps", "operation", 54, &[]),
        ],
        tasks: &[&INTERVALS, &TRIES, &TRIES2, &WHOLE, &START],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static INTERVALS: rt::Task =
        rt::Task::new(0, "Intervals", "GET https://example.com/intervals", "Intervals", 19).operation(&OPERATION_1);
    static TRIES: rt::Task =
        rt::Task::new(1, "first", "GET https://example.com/first", "Tries", 29).operation(&OPERATION_2);
    static TRIES2: rt::Task =
        rt::Task::new(2, "second", "GET https://example.com/second", "Tries", 30).operation(&OPERATION_3);
    static WHOLE: rt::Task =
        rt::Task::new(3, "Whole", "GET https://example.com/whole", "Whole", 39).operation(&OPERATION_4);
    static START: rt::Task =
        rt::Task::new(4, "Start", "DELETE https://example.com/start", "Start", 50).operation(&OPERATION_5);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        IntervalsRetry(Value, rt::BlockRetries),
        Intervals(Value, Value, rt::BlockRetries),
        Tries(Value),
        TriesRetry(Value, rt::BlockRetries),
        Tries2(Value, Value, Value, rt::BlockRetries),
        Tries3(Value, Value, Value, rt::BlockRetries),
        Tries4(Value, Value, rt::BlockRetries),
        Tries5(Value),
        WholeRetry(Value, Value, Value, rt::BlockRetries),
        Whole(Value, Value, Value, Value, rt::BlockRetries),
        Start(Value, Value),
        StartRetry(Value, Value, Value, rt::BlockRetries),
        Start2(Value, Value, Value, Value, rt::BlockRetries),
        Naps(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (IntervalsRetry(data, tries), "Intervals retry", "Intervals", 8617454252091147290),
            (Intervals(activity_data, data, tries), "Intervals", "Intervals", 12169676596429743395),
            (Tries(data), "Tries", "Tries", 6649424708525475035),
            (TriesRetry(data, tries), "Tries retry", "Tries", 8617454252091147290),
            (Tries2(activity_data, close_of_try, data, tries), "Tries #2", "Tries", 4897032093069720796),
            (Tries3(activity_data, close_of_try, data, tries), "Tries #3", "Tries", 17486674577369305381),
            (Tries4(activity_data, data, tries), "Tries #4", "Tries", 2193329638935146681),
            (Tries5(data), "Tries #5", "Tries", 15058407197271317039),
            (WholeRetry(close, data, failures, tries), "Whole retry", "Whole", 13759284557629987229),
            (Whole(activity_data, close, data, failures, tries), "Whole", "Whole", 8056306052622451224),
            (Start(close, data), "Start", "Start", 728522615188036503),
            (StartRetry(close, data, failures, tries), "Start retry", "Start", 13759284557629987229),
            (Start2(activity_data, close, data, failures, tries), "Start #2", "Start", 12022251589623845087),
            (Naps(close_of_try, data), "Naps", "Naps", 16252093224127718757),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => entry(data, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::IntervalsRetry(data, tries), _) => intervals_try(data, tries, turn),
                (State::Intervals(activity_data, _, _), Ok(result)) => intervals_done(activity_data, result),
                (State::Intervals(_, data, tries), Err(fault)) => intervals_failed(data, tries, fault, turn),
                (State::Tries(data), _) => tries_over(data, turn),
                (State::TriesRetry(data, tries), _) => tries_try(data, tries, turn),
                (State::Tries2(activity_data, close_of_try, data, tries), Ok(result)) => {
                    tries_first_done(data, activity_data, close_of_try, tries, result, turn)
                }
                (State::Tries2(_, _, data, tries), Err(fault)) => tries_failed(data, tries, fault, turn),
                (State::Tries3(activity_data, close_of_try, data, tries), _) => {
                    tries_over2(data, activity_data, close_of_try, tries, turn)
                }
                (State::Tries4(activity_data, _, _), Ok(result)) => tries_second_done(activity_data, result, turn),
                (State::Tries4(_, data, tries), Err(fault)) => tries_failed(data, tries, fault, turn),
                (State::Tries5(data), _) => tries_over3(data),
                (State::WholeRetry(close, data, failures, tries), _) => whole_try(data, close, failures, tries, turn),
                (State::Whole(activity_data, _, _, _, _), Ok(result)) => whole_done(activity_data, result),
                (State::Whole(_, close, data, failures, tries), Err(fault)) => {
                    whole_failed(data, close, failures, tries, fault, turn)
                }
                (State::Start(close, data), Ok(result)) => start_received(data, close, result, turn),
                (State::Start(_, _), Err(fault)) => start_failed2(fault, turn),
                (State::StartRetry(close, data, failures, tries), _) => start_try(data, close, failures, tries, turn),
                (State::Start2(activity_data, _, _, _, _), Ok(result)) => start_done(activity_data, result),
                (State::Start2(_, close, data, failures, tries), Err(fault)) => {
                    start_failed(data, close, failures, tries, fault, turn)
                }
                (State::Naps(close_of_try, data), _) => naps_over(data, close_of_try, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = workflow_dsl::input(data);
        which(data, turn)
    }

    /// `Which`, `flow.workflow-dsl.yaml:5`.
    fn which(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Which", &data);
        match rt::attempt(|| Ok(which_condition(&data)?)) {
            Ok(true) => return intervals(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(fault, turn),
        }
        match rt::attempt(|| Ok(which_condition2(&data)?)) {
            Ok(true) => return tries2(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(fault, turn),
        }
        match rt::attempt(|| Ok(which_condition3(&data)?)) {
            Ok(true) => return whole(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(fault, turn),
        }
        match rt::attempt(|| Ok(which_condition4(&data)?)) {
            Ok(true) => return start2(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(fault, turn),
        }
        match rt::attempt(|| Ok(which_condition5(&data)?)) {
            Ok(true) => return naps(data, turn),
            Ok(false) => {}
            Err(fault) => return which_failed(fault, turn),
        }
        Err(workflow_dsl::no_condition("Which"))
    }

    /// `Which`, `flow.workflow-dsl.yaml:5`: Retries or catches a fault.
    fn which_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Which", fault.output()));
        }
        Err(fault)
    }

    /// `Intervals`, `flow.workflow-dsl.yaml:15`.
    fn intervals(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Intervals", &data);
        let tries = turn.begin_retry_block();
        intervals_try(data, tries, turn)
    }

    /// `Intervals`, `flow.workflow-dsl.yaml:15`: One attempt.
    fn intervals_try(data: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let activity_data = data.clone();
        let request = rt::object([
            ("method", rt::string("GET")),
            ("url", rt::string("https://example.com/intervals")),
            ("query", rt::object([])),
            ("headers", rt::object([])),
        ]);
        turn.invoke(&INTERVALS, request);
        rt::wait(State::Intervals(activity_data, data, tries))
    }

    /// `Intervals`, `flow.workflow-dsl.yaml:15`: Continues with the result of the task.
    fn intervals_done(activity_data: Value, answer: Value) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        rt::done(workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body")))
    }

    /// `Intervals`, `flow.workflow-dsl.yaml:15`: Retries or catches a fault.
    fn intervals_failed(data: Value, mut tries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            if turn.retry_block(INTERVALS_RETRY, &mut tries, &fault) {
                return rt::wait(State::IntervalsRetry(data, tries));
            }
            return intervals_failed2(fault, turn);
        }
        intervals_failed2(fault, turn)
    }

    /// `Intervals`, `flow.workflow-dsl.yaml:15`: Retries or catches a fault.
    fn intervals_failed2(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Intervals", fault.output()));
        }
        Err(fault)
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`.
    fn tries2(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Tries", &data);
        turn.sleep_seconds(60.0);
        rt::wait(State::Tries(data))
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Continues after the wait.
    fn tries_over(data: Value, turn: &mut Turn) -> TurnResult {
        let tries = turn.begin_retry_block();
        tries_try(data, tries, turn)
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: One attempt.
    fn tries_try(data: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let close_of_try = deadline::in_seconds(10.0, turn);
        let activity_data = data.clone();
        let request = rt::object([
            ("method", rt::string("GET")),
            ("url", rt::string("https://example.com/first")),
            ("query", rt::object([])),
            ("headers", rt::object([])),
        ]);
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&TRIES, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Tries2(activity_data, close_of_try, data, tries))
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Continues with the result of the task.
    fn tries_first_done(
        data: Value,
        activity_data: Value,
        close_of_try: Value,
        tries: rt::BlockRetries,
        answer: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        let time = deadline::earlier(deadline::in_seconds(1.0, turn), &close_of_try);
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::Tries3(activity_data, close_of_try, data, tries))
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Continues after the wait.
    fn tries_over2(
        data: Value,
        activity_data: Value,
        close_of_try: Value,
        tries: rt::BlockRetries,
        turn: &mut Turn,
    ) -> TurnResult {
        let close_of_try = match deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 10 s", turn)
        {
            Ok(value) => value,
            Err(fault) => return tries_failed(data, tries, fault, turn),
        };
        let request = rt::object([
            ("method", rt::string("GET")),
            ("url", rt::string("https://example.com/second")),
            ("query", rt::object([])),
            ("headers", rt::object([])),
        ]);
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&TRIES2, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Tries4(activity_data, data, tries))
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Continues with the result of the task.
    fn tries_second_done(activity_data: Value, answer: Value, turn: &mut Turn) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        let data = workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body"));
        turn.sleep_seconds(180.0);
        rt::wait(State::Tries5(data))
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Continues after the wait.
    fn tries_over3(data: Value) -> TurnResult {
        rt::done(data)
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Retries or catches a fault.
    fn tries_failed(data: Value, mut tries: rt::BlockRetries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            if turn.retry_block(TRIES_RETRY, &mut tries, &fault) {
                return rt::wait(State::TriesRetry(data, tries));
            }
            return tries_failed2(fault, turn);
        }
        tries_failed2(fault, turn)
    }

    /// `Tries`, `flow.workflow-dsl.yaml:23`: Retries or catches a fault.
    fn tries_failed2(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Tries", fault.output()));
        }
        Err(fault)
    }

    /// `Whole`, `flow.workflow-dsl.yaml:34`.
    fn whole(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Whole", &data);
        let close = deadline::in_seconds(10.0, turn);
        let failures = Value::Int(0);
        let tries = turn.begin_retry_block();
        whole_try(data, close, failures, tries, turn)
    }

    /// `Whole`, `flow.workflow-dsl.yaml:34`: One attempt.
    fn whole_try(data: Value, close: Value, failures: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let close_of_try = deadline::earlier(deadline::in_seconds(6.0, turn), &close);
        let activity_data = data.clone();
        let request = rt::object([
            ("method", rt::string("GET")),
            ("url", rt::string("https://example.com/whole")),
            ("query", rt::object([])),
            ("headers", rt::object([])),
        ]);
        let timeout = deadline::remaining(&close_of_try, turn);
        turn.invoke(&WHOLE, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Whole(activity_data, close, data, failures, tries))
    }

    /// `Whole`, `flow.workflow-dsl.yaml:34`: Continues with the result of the task.
    fn whole_done(activity_data: Value, answer: Value) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        rt::done(workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body")))
    }

    /// `Whole`, `flow.workflow-dsl.yaml:34`: Retries or catches a fault.
    fn whole_failed(
        data: Value,
        close: Value,
        failures: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let failures = workflow_dsl::one_more(failures);
            return if workflow_dsl::comes_first(&failures, &close, 3.0, 1.0, 300.0, turn) {
                whole_failed2(fault, turn)
            } else {
                if turn.retry_block(WHOLE_RETRY, &mut tries, &fault) {
                    return rt::wait(State::WholeRetry(close, data, failures, tries));
                }
                whole_failed2(fault, turn)
            };
        }
        whole_failed2(fault, turn)
    }

    /// `Whole`, `flow.workflow-dsl.yaml:34`: Retries or catches a fault.
    fn whole_failed2(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Whole", fault.output()));
        }
        Err(fault)
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`.
    fn start2(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Start", &data);
        let close = deadline::in_seconds(20.0, turn);
        let start = deadline::earlier(deadline::in_seconds(15.0, turn), &close);
        turn.receive(&[0]).until(rt::timestamp(&start)?);
        rt::wait(State::Start(close, data))
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`: Continues with an event or after the wait.
    fn start_received(data: Value, close: Value, event: Value, turn: &mut Turn) -> TurnResult {
        let event = match deadline::received(
            event,
            "the activity timed out: `scheduleToStart` is 15 s, `scheduleToClose` is 20 s",
        ) {
            Ok(value) => value,
            Err(fault) => return start_failed2(fault, turn),
        };
        let payload = workflow_dsl::payload(&event);
        let data = workflow_dsl::with_result(data, &payload);
        let failures = Value::Int(0);
        let tries = turn.begin_retry_block();
        start_try(data, close, failures, tries, turn)
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`: One attempt.
    fn start_try(data: Value, close: Value, failures: Value, tries: rt::BlockRetries, turn: &mut Turn) -> TurnResult {
        let activity_data = data.clone();
        let request = match rt::attempt(|| {
            Ok(rt::object([
                ("method", rt::string("DELETE")),
                ("url", rt::string("https://example.com/start")),
                ("query", rt::object([("id", start_query_parameter(&activity_data)?)])),
                ("headers", rt::object([])),
            ]))
        }) {
            Ok(value) => value,
            Err(fault) => return start_failed(data, close, failures, tries, fault, turn),
        };
        let timeout = deadline::remaining(&close, turn);
        turn.invoke(&START, request).timeout_seconds(rt::seconds(&timeout)?);
        rt::wait(State::Start2(activity_data, close, data, failures, tries))
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`: Continues with the result of the task.
    fn start_done(activity_data: Value, answer: Value) -> TurnResult {
        let response = workflow_dsl::answer(answer);
        rt::done(workflow_dsl::with_result(activity_data, workflow_dsl::member(&response, "body")))
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`: Retries or catches a fault.
    fn start_failed(
        data: Value,
        close: Value,
        failures: Value,
        mut tries: rt::BlockRetries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let failures = workflow_dsl::one_more(failures);
            return if workflow_dsl::comes_first(&failures, &close, 1.0, 2.0, 100.0, turn) {
                start_failed2(fault, turn)
            } else {
                if turn.retry_block(START_RETRY, &mut tries, &fault) {
                    return rt::wait(State::StartRetry(close, data, failures, tries));
                }
                start_failed2(fault, turn)
            };
        }
        start_failed2(fault, turn)
    }

    /// `Start`, `flow.workflow-dsl.yaml:43`: Retries or catches a fault.
    fn start_failed2(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            return Err(workflow_dsl::failed("Start", fault.output()));
        }
        Err(fault)
    }

    /// `Naps`, `flow.workflow-dsl.yaml:54`.
    fn naps(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Naps", &data);
        let close_of_try = deadline::in_seconds(5.0, turn);
        let time = deadline::earlier(deadline::in_seconds(8.0, turn), &close_of_try);
        turn.sleep_until(rt::timestamp(&time)?);
        rt::wait(State::Naps(close_of_try, data))
    }

    /// `Naps`, `flow.workflow-dsl.yaml:54`: Continues after the wait.
    fn naps_over(data: Value, close_of_try: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 5 s", turn) {
            let fault = turn.locate(fault);
            if fault.is_catchable() {
                return Err(workflow_dsl::failed("Naps", fault.output()));
            }
            return Err(fault);
        }
        rt::done(data)
    }

    /// `.go == "intervals"`
    fn which_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "go")?, &rt::string("intervals")))
    }

    /// `.go == "tries"`
    fn which_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "go")?, &rt::string("tries")))
    }

    /// `.go == "whole"`
    fn which_condition3(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "go")?, &rt::string("whole")))
    }

    /// `.go == "start"`
    fn which_condition4(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "go")?, &rt::string("start")))
    }

    /// `.go == "naps"`
    fn which_condition5(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "go")?, &rt::string("naps")))
    }

    /// `.id`
    fn start_query_parameter(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "id")?.clone())
    }

    static INTERVALS_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 2.0, 6, 1.2).max_delay_seconds(4.0)];
    static TRIES_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 2.0).max_delay_seconds(100.0)];
    static WHOLE_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 3.0, 9, 1.0).max_delay_seconds(300.0)];
    static START_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 5, 2.0).max_delay_seconds(100.0)];
    static OPERATION_1: rt::Operation =
        rt::Operation::Http(operation::Http::new("GET", "https://example.com/intervals"));
    static OPERATION_2: rt::Operation = rt::Operation::Http(operation::Http::new("GET", "https://example.com/first"));
    static OPERATION_3: rt::Operation = rt::Operation::Http(operation::Http::new("GET", "https://example.com/second"));
    static OPERATION_4: rt::Operation = rt::Operation::Http(operation::Http::new("GET", "https://example.com/whole"));
    static OPERATION_5: rt::Operation =
        rt::Operation::Http(operation::Http::new("DELETE", "https://example.com/start"));

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Which\" as s0\n    state \"Intervals\" as s1\n",
        "    state \"Tries\" as s2\n    state \"Whole\" as s3\n    state \"Start\" as s4\n",
        "    s4 : waits for Go (at most 15 s)\n    s4 : retries#58; 5×\n",
        "    state \"Naps\" as s5\n    [*] --> s0\n    s0 --> s1 : .go == #34;intervals#34;\n",
        "    s0 --> s2 : .go == #34;tries#34;\n    s0 --> s3 : .go == #34;whole#34;\n",
        "    s0 --> s4 : .go == #34;start#34;\n    s0 --> s5 : .go == #34;naps#34;\n",
        "    s1 --> [*]\n    s2 --> [*]\n    s3 --> [*]\n    s4 --> [*]\n    s5 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s1,s2,s3 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s5 wait\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s4 event\n"
    );
}
