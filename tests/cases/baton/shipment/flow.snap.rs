// Generated from `flow.baton.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `shipment` of `flow.baton.yaml`.
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
pub mod shipment {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, deadline, jq};

    /// The workflow `shipment`: Sends a parcel
    pub struct Shipment;

    impl Shipment {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Shipment, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `shipment`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `shipment`",
        label = "the trait `shipment::Tasks` is not implemented for this type",
        note = "flow.baton.yaml:2:1: the workflow is defined here",
        note = "write `impl shipment::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `weigh`, invoked by `Weigh` (`flow.baton.yaml:6`).
        fn weigh(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `remind`, invoked by `Remind` (`flow.baton.yaml:30`).
        fn remind(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ask near`, invoked by `Ask near` (`flow.baton.yaml:39`).
        fn ask_near(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ask far`, invoked by `Ask far` (`flow.baton.yaml:44`).
        fn ask_far(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `drive`, invoked by `Drive` (`flow.baton.yaml:59`).
        fn drive(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `print`, invoked by `Print` (`flow.baton.yaml:74`).
        fn print(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.weigh(input, cx)),
                1 => rt::task_future(tasks.remind(input, cx)),
                2 => rt::task_future(tasks.ask_near(input, cx)),
                3 => rt::task_future(tasks.ask_far(input, cx)),
                4 => rt::task_future(tasks.drive(input, cx)),
                5 => rt::task_future(tasks.print(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Shipment {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "shipment",
        dialect: "baton",
        source: "flow.baton.yaml",
        hash: 16754222153126808003,
        check_input: Some(rt::is_object_input),
        events: &[rt::EventInfo::new("payment.made").kind("payment.made")],
        states: &[
            rt::StateInfo::new("Weigh", "task", 5, &["Size", "Refuse"]),
            rt::StateInfo::new("Size", "choose", 17, &["Refuse", "Rest", "Paid"]),
            rt::StateInfo::new("Rest", "wait", 22, &["Paid"]),
            rt::StateInfo::new("Paid", "event", 23, &["Offers", "Remind"]),
            rt::StateInfo::new("Remind", "task", 29, &["Reminded"]),
            rt::StateInfo::new("Reminded", "event", 32, &["Offers"]),
            rt::StateInfo::new("Offers", "join", 33, &["Fastest"]),
            rt::StateInfo::new("Fastest", "join", 53, &["Papers"]),
            rt::StateInfo::new("Papers", "join", 68, &["Sent", "Refuse"]),
            rt::StateInfo::new("Sent", "end", 87, &[]),
            rt::StateInfo::new("Refuse", "fail", 88, &[]),
            rt::StateInfo::new("Ask near", "task", 39, &["Near"]),
            rt::StateInfo::new("Near", "end", 40, &[]),
            rt::StateInfo::new("Ask far", "task", 44, &["Far"]),
            rt::StateInfo::new("Far", "end", 45, &[]),
            rt::StateInfo::new("Patience", "wait", 49, &["Never"]),
            rt::StateInfo::new("Never", "end", 50, &[]),
            rt::StateInfo::new("Drive", "task", 59, &["By road"]),
            rt::StateInfo::new("By road", "end", 60, &[]),
            rt::StateInfo::new("Train", "wait", 64, &["By rail"]),
            rt::StateInfo::new("By rail", "end", 65, &[]),
            rt::StateInfo::new("Print", "task", 74, &["Printed"]),
            rt::StateInfo::new("Printed", "end", 75, &[]),
            rt::StateInfo::new("Check", "choose", 79, &["Stop", "Pass"]),
            rt::StateInfo::new("Stop", "fail", 82, &[]),
            rt::StateInfo::new("Pass", "end", 83, &[]),
        ],
        tasks: &[&WEIGH, &REMIND, &ASK_NEAR, &ASK_FAR, &DRIVE, &PRINT],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static WEIGH: rt::Task = rt::Task::new(0, "weigh", "weigh", "Weigh", 6);
    static REMIND: rt::Task = rt::Task::new(1, "remind", "remind", "Remind", 30);
    static ASK_NEAR: rt::Task = rt::Task::new(2, "ask near", "ask near", "Ask near", 39);
    static ASK_FAR: rt::Task = rt::Task::new(3, "ask far", "ask far", "Ask far", 44);
    static DRIVE: rt::Task = rt::Task::new(4, "drive", "drive", "Drive", 59);
    static PRINT: rt::Task = rt::Task::new(5, "print", "print", "Print", 74);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        OffersEntryAskNear(Value),
        OffersEntryAskFar(Value),
        OffersEntryPatience(Value),
        FastestEntryDrive(Value),
        FastestEntryTrain(Value),
        PapersEntryPrint(Value),
        PapersEntryCheck(Value),
        WeighRetry(Value, Retries),
        Weigh(Value, Retries),
        Rest(Value),
        Paid(Value),
        Remind(Value),
        Reminded(Value),
        Offers(Value),
        Fastest(Value),
        Papers(Value),
        AskNear(Value),
        AskFar(Value),
        Patience(Value),
        Drive(Value),
        Train(Value),
        Print(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (OffersEntryAskNear(data), "Offers entry Ask near", "", 11163295431466945752),
            (OffersEntryAskFar(data), "Offers entry Ask far", "", 11163295431466945752),
            (OffersEntryPatience(data), "Offers entry Patience", "", 11163295431466945752),
            (FastestEntryDrive(data), "Fastest entry Drive", "", 11163295431466945752),
            (FastestEntryTrain(data), "Fastest entry Train", "", 11163295431466945752),
            (PapersEntryPrint(data), "Papers entry Print", "", 11163295431466945752),
            (PapersEntryCheck(data), "Papers entry Check", "", 11163295431466945752),
            (WeighRetry(data, retries), "Weigh retry", "Weigh", 1405159338832253146),
            (Weigh(data, retries), "Weigh", "Weigh", 3169331650135921608),
            (Rest(data), "Rest", "Rest", 6443120302792414794),
            (Paid(data), "Paid", "Paid", 11163295431466945752),
            (Remind(data), "Remind", "Remind", 11163295431466945752),
            (Reminded(data), "Reminded", "Reminded", 11163295431466945752),
            (Offers(data), "Offers", "Offers", 5246125627435243945),
            (Fastest(data), "Fastest", "Fastest", 5246125627435243945),
            (Papers(data), "Papers", "Papers", 5246125627435243945),
            (AskNear(data), "Ask near", "Ask near", 1359560470483619976),
            (AskFar(data), "Ask far", "Ask far", 1359560470483619976),
            (Patience(data), "Patience", "Patience", 9302845363522412266),
            (Drive(data), "Drive", "Drive", 12147231934530988595),
            (Train(data), "Train", "Train", 14291191407209631977),
            (Print(data), "Print", "Print", 13727704604504250060),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => weigh(data, turn),
                State::OffersEntryAskNear(data) => offers_entry_ask_near(data, turn),
                State::OffersEntryAskFar(data) => offers_entry_ask_far(data, turn),
                State::OffersEntryPatience(data) => offers_entry_patience(data, turn),
                State::FastestEntryDrive(data) => fastest_entry_drive(data, turn),
                State::FastestEntryTrain(data) => fastest_entry_train(data, turn),
                State::PapersEntryPrint(data) => papers_entry_print(data, turn),
                State::PapersEntryCheck(data) => papers_entry_check(data, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::WeighRetry(data, retries), _) => weigh_try(data, retries, turn),
                (State::Weigh(data, retries), Ok(result)) => weigh_done(data, retries, result, turn),
                (State::Weigh(data, retries), Err(fault)) => weigh_failed(data, retries, fault, turn),
                (State::Rest(data), _) => paid(data, turn),
                (State::Paid(data), Ok(result)) => paid_received(data, result, turn),
                (State::Remind(data), Ok(_)) => remind_done(data, turn),
                (State::Reminded(data), Ok(_)) => reminded_received(data, turn),
                (State::Offers(data), Ok(result)) => offers_joined(data, result, turn),
                (State::Fastest(data), Ok(result)) => fastest_joined(data, result, turn),
                (State::Papers(data), Ok(result)) => papers_joined(data, result, turn),
                (State::Papers(data), Err(fault)) => papers_failed(data, fault, turn),
                (State::AskNear(data), Ok(result)) => ask_near_done(data, result, turn),
                (State::AskFar(data), Ok(_)) => ask_far_done(data, turn),
                (State::Patience(data), _) => never(data, turn),
                (State::Drive(data), Ok(_)) => drive_done(data, turn),
                (State::Train(data), _) => by_rail(data, turn),
                (State::Print(data), Ok(_)) => print_done(data, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Offers(data), 0) => Some(State::OffersEntryAskNear(data.clone())),
                (State::Offers(data), 1) => Some(State::OffersEntryAskFar(data.clone())),
                (State::Offers(data), 2) => Some(State::OffersEntryPatience(data.clone())),
                (State::Fastest(data), 0) => Some(State::FastestEntryDrive(data.clone())),
                (State::Fastest(data), 1) => Some(State::FastestEntryTrain(data.clone())),
                (State::Papers(data), 0) => Some(State::PapersEntryPrint(data.clone())),
                (State::Papers(data), 1) => Some(State::PapersEntryCheck(data.clone())),
                _ => None,
            }
        }
    }

    /// `Weigh`, `flow.baton.yaml:5`.
    fn weigh(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Weigh", &data);
        weigh_try(data, Retries::new(), turn)
    }

    /// `Weigh`, `flow.baton.yaml:5`: One attempt.
    fn weigh_try(data: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = match rt::attempt(|| Ok(weigh_input(&data)?)) {
            Ok(value) => value,
            Err(fault) => return weigh_failed(data, retries, fault, turn),
        };
        turn.invoke(&WEIGH, request).timeout_seconds(30.0);
        rt::wait(State::Weigh(data, retries))
    }

    /// `Weigh`, `flow.baton.yaml:5`: Continues with the result of the task.
    fn weigh_done(data: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        let data = match rt::attempt(|| Ok(weigh_data(data.clone(), &result)?)) {
            Ok(value) => value,
            Err(fault) => return weigh_failed(data, retries, fault, turn),
        };
        size(data, turn)
    }

    /// `Weigh`, `flow.baton.yaml:5`: Retries or catches a fault.
    fn weigh_failed(data: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(WEIGH_RETRY, &mut retries, &fault) {
            return rt::wait(State::WeighRetry(data, retries));
        }
        if fault.is_timeout() {
            let error = fault.output();
            let data = weigh_data2(data, &error)?;
            return refuse(data, turn);
        }
        if fault.is_catchable() {
            let error2 = fault.output();
            let data = weigh_data3(data, &error2)?;
            return refuse(data, turn);
        }
        Err(fault)
    }

    /// `Size`, `flow.baton.yaml:17`.
    fn size(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Size", &data);
        if size_condition(&data)? {
            refuse(data, turn)
        } else if size_condition2(&data)? {
            rest(data, turn)
        } else {
            paid(data, turn)
        }
    }

    /// `Rest`, `flow.baton.yaml:22`.
    fn rest(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rest", &data);
        turn.sleep_seconds(3600.0);
        rt::wait(State::Rest(data))
    }

    /// `Paid`, `flow.baton.yaml:23`.
    fn paid(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Paid", &data);
        let until = deadline::in_seconds(86400.0, turn);
        turn.receive(&[0]).until(rt::timestamp(&until)?);
        rt::wait(State::Paid(data))
    }

    /// `Paid`, `flow.baton.yaml:23`: Continues with an event or after the wait.
    fn paid_received(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if paid_deadline(&result) {
            remind(data, turn)
        } else {
            let data = paid_data(data, &result)?;
            offers(data, turn)
        }
    }

    /// `Remind`, `flow.baton.yaml:29`.
    fn remind(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Remind", &data);
        turn.invoke(&REMIND, data.clone());
        rt::wait(State::Remind(data))
    }

    /// `Remind`, `flow.baton.yaml:29`: Continues with the result of the task.
    fn remind_done(data: Value, turn: &mut Turn) -> TurnResult {
        reminded(data, turn)
    }

    /// `Reminded`, `flow.baton.yaml:32`.
    fn reminded(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Reminded", &data);
        turn.receive(&[0]);
        rt::wait(State::Reminded(data))
    }

    /// `Reminded`, `flow.baton.yaml:32`: Continues with an event or after the wait.
    fn reminded_received(data: Value, turn: &mut Turn) -> TurnResult {
        offers(data, turn)
    }

    /// `Offers`, `flow.baton.yaml:33`.
    fn offers(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Offers", &data);
        turn.race(3, 2);
        rt::wait(State::Offers(data))
    }

    /// `Offers`, `flow.baton.yaml:33`: Continues with the first outputs.
    fn offers_joined(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let result = jq::apply(turn, || offers_outputs(&result, &LITERAL_1))?;
        let data = offers_data(data, &result)?;
        fastest(data, turn)
    }

    /// `Fastest`, `flow.baton.yaml:53`.
    fn fastest(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Fastest", &data);
        turn.race(2, 1);
        rt::wait(State::Fastest(data))
    }

    /// `Fastest`, `flow.baton.yaml:53`: Continues with the first outputs.
    fn fastest_joined(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let result = jq::apply(turn, || offers_outputs(&result, &LITERAL_2))?;
        let data = jq::apply(turn, || fastest_data(data, &result))?;
        papers(data, turn)
    }

    /// `Papers`, `flow.baton.yaml:68`.
    fn papers(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Papers", &data);
        turn.fork(2);
        rt::wait(State::Papers(data))
    }

    /// `Papers`, `flow.baton.yaml:68`: Continues with the outputs of the branches.
    fn papers_joined(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let result = match rt::attempt(|| Ok(jq::apply(turn, || papers_outputs(&result, &LITERAL_3))?)) {
            Ok(value) => value,
            Err(fault) => return papers_failed(data, fault, turn),
        };
        let data = match rt::attempt(|| Ok(papers_data(data.clone(), &result)?)) {
            Ok(value) => value,
            Err(fault) => return papers_failed(data, fault, turn),
        };
        sent(data, turn)
    }

    /// `Papers`, `flow.baton.yaml:68`: Retries or catches a fault.
    fn papers_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Forbidden"]) {
            return refuse(data, turn);
        }
        Err(fault)
    }

    /// `Sent`, `flow.baton.yaml:87`.
    fn sent(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sent", &data);
        rt::done(sent_output(&data)?)
    }

    /// `Refuse`, `flow.baton.yaml:88`.
    fn refuse(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Refuse", &data);
        Err(Fault::from_parts(Some(rt::string("Refused")), None))
    }

    /// The start of `near` of `Offers`.
    fn offers_entry_ask_near(data: Value, turn: &mut Turn) -> TurnResult {
        ask_near(data, turn)
    }

    /// `Ask near`, `flow.baton.yaml:39`.
    fn ask_near(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask near", &data);
        turn.invoke(&ASK_NEAR, data.clone());
        rt::wait(State::AskNear(data))
    }

    /// `Ask near`, `flow.baton.yaml:39`: Continues with the result of the task.
    fn ask_near_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = ask_near_data(&data, &result);
        near(data, turn)
    }

    /// `Near`, `flow.baton.yaml:40`.
    fn near(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Near", &data);
        rt::done(near_output(&data)?)
    }

    /// The start of `far` of `Offers`.
    fn offers_entry_ask_far(data: Value, turn: &mut Turn) -> TurnResult {
        ask_far(data, turn)
    }

    /// `Ask far`, `flow.baton.yaml:44`.
    fn ask_far(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask far", &data);
        turn.invoke(&ASK_FAR, data.clone());
        rt::wait(State::AskFar(data))
    }

    /// `Ask far`, `flow.baton.yaml:44`: Continues with the result of the task.
    fn ask_far_done(data: Value, turn: &mut Turn) -> TurnResult {
        far(data, turn)
    }

    /// `Far`, `flow.baton.yaml:45`.
    fn far(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Far", &data);
        rt::done(far_output(&data)?)
    }

    /// The start of `none` of `Offers`.
    fn offers_entry_patience(data: Value, turn: &mut Turn) -> TurnResult {
        patience(data, turn)
    }

    /// `Patience`, `flow.baton.yaml:49`.
    fn patience(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Patience", &data);
        turn.sleep_seconds(600.0);
        rt::wait(State::Patience(data))
    }

    /// `Never`, `flow.baton.yaml:50`.
    fn never(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &data);
        rt::done(never_output(&data))
    }

    /// The start of `road` of `Fastest`.
    fn fastest_entry_drive(data: Value, turn: &mut Turn) -> TurnResult {
        drive(data, turn)
    }

    /// `Drive`, `flow.baton.yaml:59`.
    fn drive(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Drive", &data);
        turn.invoke(&DRIVE, data.clone());
        rt::wait(State::Drive(data))
    }

    /// `Drive`, `flow.baton.yaml:59`: Continues with the result of the task.
    fn drive_done(data: Value, turn: &mut Turn) -> TurnResult {
        by_road(data, turn)
    }

    /// `By road`, `flow.baton.yaml:60`.
    fn by_road(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("By road", &data);
        rt::done(by_road_output(&data))
    }

    /// The start of `rail` of `Fastest`.
    fn fastest_entry_train(data: Value, turn: &mut Turn) -> TurnResult {
        train(data, turn)
    }

    /// `Train`, `flow.baton.yaml:64`.
    fn train(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Train", &data);
        turn.sleep_seconds(5400.0);
        rt::wait(State::Train(data))
    }

    /// `By rail`, `flow.baton.yaml:65`.
    fn by_rail(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("By rail", &data);
        rt::done(by_rail_output(&data))
    }

    /// The start of `label` of `Papers`.
    fn papers_entry_print(data: Value, turn: &mut Turn) -> TurnResult {
        print(data, turn)
    }

    /// `Print`, `flow.baton.yaml:74`.
    fn print(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Print", &data);
        turn.invoke(&PRINT, data.clone());
        rt::wait(State::Print(data))
    }

    /// `Print`, `flow.baton.yaml:74`: Continues with the result of the task.
    fn print_done(data: Value, turn: &mut Turn) -> TurnResult {
        printed(data, turn)
    }

    /// `Printed`, `flow.baton.yaml:75`.
    fn printed(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Printed", &data);
        rt::done(printed_output(&data)?)
    }

    /// The start of `customs` of `Papers`.
    fn papers_entry_check(data: Value, turn: &mut Turn) -> TurnResult {
        check(data, turn)
    }

    /// `Check`, `flow.baton.yaml:79`.
    fn check(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Check", &data);
        if check_condition(&data)? { stop(data, turn) } else { pass(data, turn) }
    }

    /// `Stop`, `flow.baton.yaml:82`.
    fn stop(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Stop", &data);
        Err(Fault::new("Forbidden", "it is sharp"))
    }

    /// `Pass`, `flow.baton.yaml:83`.
    fn pass(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Pass", &data);
        rt::done(pass_output(&data)?)
    }

    /// `{ item }`
    fn weigh_input(input: &Value) -> jq::Result<Value> {
        Ok(rt::object([("item", jq::get(input, "item")?.clone())]))
    }

    /// `.weight = $result`
    fn weigh_data(mut input: Value, result: &Value) -> jq::Result<Value> {
        let weight = jq::get_mut(&mut input, "weight")?;
        *weight = result.clone();
        Ok(input)
    }

    /// `.error = $error.Error`
    fn weigh_data2(mut input: Value, error_of: &Value) -> jq::Result<Value> {
        let error_of2 = jq::get(error_of, "Error")?;
        let error_of3 = jq::get_mut(&mut input, "error")?;
        *error_of3 = error_of2.clone();
        Ok(input)
    }

    /// `.error = $error.Cause`
    fn weigh_data3(mut input: Value, error_of: &Value) -> jq::Result<Value> {
        let cause = jq::get(error_of, "Cause")?;
        let error_of2 = jq::get_mut(&mut input, "error")?;
        *error_of2 = cause.clone();
        Ok(input)
    }

    /// `.weight > 30`
    fn size_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::gt(jq::get(input, "weight")?, &Value::Int(30)))
    }

    /// `.weight > 10`
    fn size_condition2(input: &Value) -> jq::Result<bool> {
        Ok(jq::gt(jq::get(input, "weight")?, &Value::Int(10)))
    }

    /// `. == null`
    fn paid_deadline(input: &Value) -> bool {
        jq::eq(input, &rt::NULL)
    }

    /// `.paid += $result.data.sum`
    fn paid_data(mut input: Value, result: &Value) -> jq::Result<Value> {
        let sum = jq::get(jq::get(result, "data")?, "sum")?;
        let paid = jq::get_mut(&mut input, "paid")?;
        *paid = jq::add(paid.take(), sum)?;
        Ok(jq::finished(input))
    }

    /// `[.[] | {($names[.[0]]): .[1]}] | add`
    fn offers_outputs(input: &Value, names: &Value) -> jq::Result<Value> {
        let mut objects = jq::Values::new();
        for item in jq::iter(input)? {
            jq::tick()?;
            let name = jq::index(names, jq::at(item, 0)?)?;
            let item2 = jq::at(item, 1)?;
            let mut object = rt::Object::new();
            object.insert(jq::key(&name)?, item2.clone());
            objects.push(Value::from(object));
        }
        Ok(jq::add_(&Value::from(objects))?)
    }

    /// `.offers = $result`
    fn offers_data(mut input: Value, result: &Value) -> jq::Result<Value> {
        let offers = jq::get_mut(&mut input, "offers")?;
        *offers = result.clone();
        Ok(input)
    }

    /// `.by = ($result | keys[0])`
    fn fastest_data(mut input: Value, result: &Value) -> jq::Result<Value> {
        let keys = jq::keys(result)?;
        let key = jq::at(&keys, 0)?;
        let by = jq::get_mut(&mut input, "by")?;
        *by = key.clone();
        Ok(input)
    }

    /// `[to_entries[] | {($names[.key]): .value}] | add`
    fn papers_outputs(input: &Value, names: &Value) -> jq::Result<Value> {
        let mut objects = jq::Values::new();
        let entries = jq::to_entries(input)?;
        for entry in jq::iter(&entries)? {
            jq::tick()?;
            let name = jq::index(names, jq::get(entry, "key")?)?;
            let value_of = jq::get(entry, "value")?;
            let mut object = rt::Object::new();
            object.insert(jq::key(&name)?, value_of.clone());
            objects.push(Value::from(object));
        }
        Ok(jq::add_(&Value::from(objects))?)
    }

    /// `.papers = $result`
    fn papers_data(mut input: Value, result: &Value) -> jq::Result<Value> {
        let papers = jq::get_mut(&mut input, "papers")?;
        *papers = result.clone();
        Ok(input)
    }

    /// `{ weight, paid, offers, by, papers }`
    fn sent_output(input: &Value) -> jq::Result<Value> {
        Ok(rt::object([
            ("weight", jq::get(input, "weight")?.clone()),
            ("paid", jq::get(input, "paid")?.clone()),
            ("offers", jq::get(input, "offers")?.clone()),
            ("by", jq::get(input, "by")?.clone()),
            ("papers", jq::get(input, "papers")?.clone()),
        ]))
    }

    /// `{ price: $result }`
    fn ask_near_data(_: &Value, result: &Value) -> Value {
        rt::object([("price", result.clone())])
    }

    /// `.price`
    fn near_output(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "price")?.clone())
    }

    /// `.weight`
    fn far_output(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "weight")?.clone())
    }

    /// `null`
    fn never_output(_: &Value) -> Value {
        Value::Null
    }

    /// `"road"`
    fn by_road_output(_: &Value) -> Value {
        rt::string("road")
    }

    /// `"rail"`
    fn by_rail_output(_: &Value) -> Value {
        rt::string("rail")
    }

    /// `.item`
    fn printed_output(input: &Value) -> jq::Result<Value> {
        Ok(jq::get(input, "item")?.clone())
    }

    /// `.item == "knife"`
    fn check_condition(input: &Value) -> jq::Result<bool> {
        Ok(jq::eq(jq::get(input, "item")?, &rt::string("knife")))
    }

    /// `.weight > 5`
    fn pass_output(input: &Value) -> jq::Result<Value> {
        Ok(Value::Bool(jq::gt(jq::get(input, "weight")?, &Value::Int(5))))
    }

    static WEIGH_RETRY: &[rt::Retrier] = &[
        rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 2.0, 2, 3.0),
        rt::Retrier::new(&[rt::ErrorMatch::Timeout], 1.0, 1, 1.0),
    ];
    static LITERAL_1: rt::Literal = rt::Literal::new("[\"near\",\"far\",\"none\"]");
    static LITERAL_2: rt::Literal = rt::Literal::new("[\"road\",\"rail\"]");
    static LITERAL_3: rt::Literal = rt::Literal::new("[\"label\",\"customs\"]");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Weigh\" as s0\n    state \"Size\" as s1\n",
        "    state \"Rest\" as s2\n    state \"Paid\" as s3\n",
        "    s3 : waits for payment.made (at most 1 d)\n    state \"Remind\" as s4\n",
        "    state \"Reminded\" as s5\n    s5 : waits for payment.made\n",
        "    state \"Offers\" as s6 {\n        state \"branch 1\" as s7 {\n",
        "            state \"Ask near\" as s8\n            state \"Near\" as s9\n",
        "            [*] --> s8\n            s8 --> s9\n            s9 --> [*]\n        }\n",
        "        state \"branch 2\" as s10 {\n            state \"Ask far\" as s11\n",
        "            state \"Far\" as s12\n            [*] --> s11\n            s11 --> s12\n",
        "            s12 --> [*]\n        }\n        state \"branch 3\" as s13 {\n",
        "            state \"Patience\" as s14\n            state \"Never\" as s15\n",
        "            [*] --> s14\n            s14 --> s15\n            s15 --> [*]\n        }\n",
        "    }\n    state \"Fastest\" as s16 {\n        state \"branch 1\" as s17 {\n",
        "            state \"Drive\" as s18\n            state \"By road\" as s19\n",
        "            [*] --> s18\n            s18 --> s19\n            s19 --> [*]\n        }\n",
        "        state \"branch 2\" as s20 {\n            state \"Train\" as s21\n",
        "            state \"By rail\" as s22\n            [*] --> s21\n            s21 --> s22\n",
        "            s22 --> [*]\n        }\n    }\n    state \"Papers\" as s23 {\n",
        "        state \"branch 1\" as s24 {\n            state \"Print\" as s25\n",
        "            state \"Printed\" as s26\n            [*] --> s25\n            s25 --> s26\n",
        "            s26 --> [*]\n        }\n        state \"branch 2\" as s27 {\n",
        "            state \"Check\" as s28\n            state \"Stop\" as s29\n",
        "            state \"Pass\" as s30\n            [*] --> s28\n",
        "            s28 --> s29 : .item == #34;knife#34;\n            s28 --> s30 : otherwise\n",
        "            s30 --> [*]\n        }\n    }\n    state \"Sent\" as s31\n",
        "    state \"Refuse\" as s32\n    [*] --> s0\n    s0 --> s1\n",
        "    s0 --> s32 : catch timeout<br/>any\n    s1 --> s32 : .weight #62; 30\n",
        "    s1 --> s2 : .weight #62; 10\n    s1 --> s3 : otherwise\n    s2 --> s3\n",
        "    s3 --> s4 : . == null\n    s3 --> s6 : otherwise\n    s4 --> s5\n    s5 --> s6\n",
        "    s6 --> s16\n    s16 --> s23\n    s23 --> s31\n    s23 --> s32 : catch Forbidden\n",
        "    s31 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s4,s8,s11,s18,s25 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1,s28 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s2,s14,s21 wait\n",
        "    classDef event fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3\n",
        "    class s3,s5 event\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s29,s32 fail\n"
    );
}
