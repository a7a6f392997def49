// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `saga` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod saga {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `saga`: Books a trip; what was booked is undone in reverse order when
    /// something later fails.
    pub struct Saga;

    impl Saga {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Saga, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `saga`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `saga`",
        label = "the trait `saga::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl saga::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `book-hotel`, invoked by `Book Hotel` (`flow.asl.json:7`).
        fn book_hotel(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `book-flight`, invoked by `Book Flight` (`flow.asl.json:14`).
        fn book_flight(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `book-car`, invoked by `Book Car` (`flow.asl.json:21`).
        fn book_car(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `cancel-flight`, invoked by `Cancel Flight` (`flow.asl.json:30`).
        fn cancel_flight(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `cancel-hotel`, invoked by `Cancel Hotel` (`flow.asl.json:38`).
        fn cancel_hotel(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.book_hotel(input, cx)),
                1 => rt::task_future(tasks.book_flight(input, cx)),
                2 => rt::task_future(tasks.book_car(input, cx)),
                3 => rt::task_future(tasks.cancel_flight(input, cx)),
                4 => rt::task_future(tasks.cancel_hotel(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Saga {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "saga",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 100129965694109405,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Book Hotel", "Task", 5, &["Book Flight", "Sorry"]),
            rt::StateInfo::new("Book Flight", "Task", 12, &["Book Car", "Cancel Hotel"]),
            rt::StateInfo::new("Book Car", "Task", 19, &["Booked", "Cancel Flight"]),
            rt::StateInfo::new("Booked", "Succeed", 27, &[]),
            rt::StateInfo::new("Cancel Flight", "Task", 28, &["Cancel Hotel"]),
            rt::StateInfo::new("Cancel Hotel", "Task", 36, &["Sorry"]),
            rt::StateInfo::new("Sorry", "Fail", 44, &[]),
        ],
        tasks: &[&BOOK_HOTEL, &BOOK_FLIGHT, &BOOK_CAR, &CANCEL_FLIGHT, &CANCEL_HOTEL],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static BOOK_HOTEL: rt::Task =
        rt::Task::new(0, "book-hotel", "arn:aws:lambda:eu-west-1:123456789012:function:book-hotel", "Book Hotel", 7);
    static BOOK_FLIGHT: rt::Task = rt::Task::new(
        1,
        "book-flight",
        "arn:aws:lambda:eu-west-1:123456789012:function:book-flight",
        "Book Flight",
        14,
    );
    static BOOK_CAR: rt::Task =
        rt::Task::new(2, "book-car", "arn:aws:lambda:eu-west-1:123456789012:function:book-car", "Book Car", 21);
    static CANCEL_FLIGHT: rt::Task = rt::Task::new(
        3,
        "cancel-flight",
        "arn:aws:lambda:eu-west-1:123456789012:function:cancel-flight",
        "Cancel Flight",
        30,
    );
    static CANCEL_HOTEL: rt::Task = rt::Task::new(
        4,
        "cancel-hotel",
        "arn:aws:lambda:eu-west-1:123456789012:function:cancel-hotel",
        "Cancel Hotel",
        38,
    );

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        BookHotel(Value),
        BookFlight(Value),
        BookCarRetry(Value, Retries),
        BookCar(Value, Retries),
        CancelFlightRetry(Value, Retries),
        CancelFlight(Value, Retries),
        CancelHotelRetry(Value, Retries),
        CancelHotel(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (BookHotel(d), "Book Hotel", "Book Hotel", 16290513905774444234),
            (BookFlight(d), "Book Flight", "Book Flight", 16290513905774444234),
            (BookCarRetry(d, retries), "Book Car retry", "Book Car", 15960456506256740724),
            (BookCar(d, retries), "Book Car", "Book Car", 15047625320176663010),
            (CancelFlightRetry(d, retries), "Cancel Flight retry", "Cancel Flight", 15960456506256740724),
            (CancelFlight(d, retries), "Cancel Flight", "Cancel Flight", 15047625320176663010),
            (CancelHotelRetry(d, retries), "Cancel Hotel retry", "Cancel Hotel", 15960456506256740724),
            (CancelHotel(d, retries), "Cancel Hotel", "Cancel Hotel", 15047625320176663010),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => book_hotel(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::BookHotel(d), Ok(result)) => book_hotel_done(d, result, turn),
                (State::BookHotel(d), Err(fault)) => book_hotel_failed(d, fault, turn),
                (State::BookFlight(d), Ok(result)) => book_flight_done(d, result, turn),
                (State::BookFlight(d), Err(fault)) => book_flight_failed(d, fault, turn),
                (State::BookCarRetry(d, retries), _) => book_car_try(d, retries, turn),
                (State::BookCar(d, retries), Ok(result)) => book_car_done(d, retries, result, turn),
                (State::BookCar(d, retries), Err(fault)) => book_car_failed(d, retries, fault, turn),
                (State::CancelFlightRetry(d, retries), _) => cancel_flight_try(d, retries, turn),
                (State::CancelFlight(d, _), Ok(_)) => cancel_flight_done(d, turn),
                (State::CancelFlight(d, retries), Err(fault)) => cancel_flight_failed(d, retries, fault, turn),
                (State::CancelHotelRetry(d, retries), _) => cancel_hotel_try(d, retries, turn),
                (State::CancelHotel(d, _), Ok(_)) => cancel_hotel_done(d, turn),
                (State::CancelHotel(d, retries), Err(fault)) => cancel_hotel_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Book Hotel`, `flow.asl.json:5`.
    fn book_hotel(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Book Hotel", &d);
        turn.invoke(&BOOK_HOTEL, d.clone()).timeout_seconds(60.0);
        rt::wait(State::BookHotel(d))
    }

    /// `Book Hotel`, `flow.asl.json:5`: Continues with the result of the task.
    fn book_hotel_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["hotel"], result) {
            return book_hotel_failed(d, fault, turn);
        }
        book_flight(d, turn)
    }

    /// `Book Hotel`, `flow.asl.json:5`: Retries or catches a fault.
    fn book_hotel_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_task_failure() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return sorry(d, turn);
        }
        Err(fault)
    }

    /// `Book Flight`, `flow.asl.json:12`.
    fn book_flight(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Book Flight", &d);
        turn.invoke(&BOOK_FLIGHT, d.clone()).timeout_seconds(60.0);
        rt::wait(State::BookFlight(d))
    }

    /// `Book Flight`, `flow.asl.json:12`: Continues with the result of the task.
    fn book_flight_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["flight"], result) {
            return book_flight_failed(d, fault, turn);
        }
        book_car(d, turn)
    }

    /// `Book Flight`, `flow.asl.json:12`: Retries or catches a fault.
    fn book_flight_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return cancel_hotel(d, turn);
        }
        Err(fault)
    }

    /// `Book Car`, `flow.asl.json:19`.
    fn book_car(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Book Car", &d);
        book_car_try(d, Retries::new(), turn)
    }

    /// `Book Car`, `flow.asl.json:19`: One attempt.
    fn book_car_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&BOOK_CAR, d.clone()).timeout_seconds(60.0);
        rt::wait(State::BookCar(d, retries))
    }

    /// `Book Car`, `flow.asl.json:19`: Continues with the result of the task.
    fn book_car_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["car"], result) {
            return book_car_failed(d, retries, fault, turn);
        }
        booked(d, turn)
    }

    /// `Book Car`, `flow.asl.json:19`: Retries or catches a fault.
    fn book_car_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(BOOK_CAR_RETRY, &mut retries, &fault) {
            return rt::wait(State::BookCarRetry(d, retries));
        }
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return cancel_flight(d, turn);
        }
        Err(fault)
    }

    /// `Booked`, `flow.asl.json:27`.
    fn booked(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Booked", &d);
        rt::done(d)
    }

    /// `Cancel Flight`, `flow.asl.json:28`.
    fn cancel_flight(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Cancel Flight", &d);
        cancel_flight_try(d, Retries::new(), turn)
    }

    /// `Cancel Flight`, `flow.asl.json:28`: One attempt.
    fn cancel_flight_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let input = asl::path(&d, &["flight"])?.clone();
        turn.invoke(&CANCEL_FLIGHT, input).timeout_seconds(60.0);
        rt::wait(State::CancelFlight(d, retries))
    }

    /// `Cancel Flight`, `flow.asl.json:28`: Continues with the result of the task.
    fn cancel_flight_done(d: Value, turn: &mut Turn) -> TurnResult {
        cancel_hotel(d, turn)
    }

    /// `Cancel Flight`, `flow.asl.json:28`: Retries or catches a fault.
    fn cancel_flight_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CANCEL_FLIGHT_RETRY, &mut retries, &fault) {
            return rt::wait(State::CancelFlightRetry(d, retries));
        }
        Err(fault)
    }

    /// `Cancel Hotel`, `flow.asl.json:36`.
    fn cancel_hotel(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Cancel Hotel", &d);
        cancel_hotel_try(d, Retries::new(), turn)
    }

    /// `Cancel Hotel`, `flow.asl.json:36`: One attempt.
    fn cancel_hotel_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let input = asl::path(&d, &["hotel"])?.clone();
        turn.invoke(&CANCEL_HOTEL, input).timeout_seconds(60.0);
        rt::wait(State::CancelHotel(d, retries))
    }

    /// `Cancel Hotel`, `flow.asl.json:36`: Continues with the result of the task.
    fn cancel_hotel_done(d: Value, turn: &mut Turn) -> TurnResult {
        sorry(d, turn)
    }

    /// `Cancel Hotel`, `flow.asl.json:36`: Retries or catches a fault.
    fn cancel_hotel_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CANCEL_HOTEL_RETRY, &mut retries, &fault) {
            return rt::wait(State::CancelHotelRetry(d, retries));
        }
        Err(fault)
    }

    /// `Sorry`, `flow.asl.json:44`.
    fn sorry(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sorry", &d);
        Err(Fault::from_parts(
            Some(
                asl::fault_string(
                    asl::computed(
                        &asl::format(
                            &["Trip.", ""],
                            &[asl::argument(&d, &["problem", "Error"], "States.Format('Trip.{}', $.problem.Error)")?],
                        ),
                        "States.Format('Trip.{}', $.problem.Error)",
                    ),
                    &d,
                    "ErrorPath",
                )?
                .clone(),
            ),
            Some(asl::fault_string(asl::at(&d, &["problem", "Cause"]), &d, "CausePath")?.clone()),
        ))
    }

    static BOOK_CAR_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("NoCar")], 3600.0, 1, 2.0)];
    static CANCEL_FLIGHT_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 10, 2.0).max_delay_seconds(60.0)];
    static CANCEL_HOTEL_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 10, 2.0).max_delay_seconds(60.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Book Hotel\" as s0\n    state \"Book Flight\" as s1\n",
        "    state \"Book Car\" as s2\n    state \"Booked\" as s3\n",
        "    state \"Cancel Flight\" as s4\n    state \"Cancel Hotel\" as s5\n",
        "    state \"Sorry\" as s6\n    [*] --> s0\n    s0 --> s1\n",
        "    s0 --> s6 : catch States.TaskFailed\n    s1 --> s2\n",
        "    s1 --> s5 : catch States.ALL\n    s2 --> s3\n    s2 --> s4 : catch States.ALL\n",
        "    s3 --> [*]\n    s4 --> s5\n    s5 --> s6\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2,s4,s5 task\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s3 succeed\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s6 fail\n"
    );
}
