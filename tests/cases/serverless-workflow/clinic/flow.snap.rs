// Generated from `flow.serverless-workflow.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `clinic` of `flow.serverless-workflow.yaml`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod clinic {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, jsonpath, serverless_workflow, spel};

    /// The workflow `clinic`.
    pub struct Clinic;

    impl Clinic {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Clinic, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `clinic`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `clinic`",
        label = "the trait `clinic::Tasks` is not implemented for this type",
        note = "flow.serverless-workflow.yaml:1:1: the workflow is defined here",
        note = "write `impl clinic::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `register`, invoked by `Admit` (`flow.serverless-workflow.yaml:6`).
        fn register(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `findRoom`, invoked by `Admit` (`flow.serverless-workflow.yaml:7`).
        fn find_room(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `draw`, invoked by `Draw` (`flow.serverless-workflow.yaml:8`).
        fn draw(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `xray`, invoked by `X-ray` (`flow.serverless-workflow.yaml:9`).
        fn xray(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ask`, invoked by `Ask here` (`flow.serverless-workflow.yaml:10`), `Ask
        /// there` (`flow.serverless-workflow.yaml:10`).
        fn ask(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `vote`, invoked by `Vote 1` (`flow.serverless-workflow.yaml:11`),
        /// `Vote 2` (`flow.serverless-workflow.yaml:11`),
        /// `Vote 3` (`flow.serverless-workflow.yaml:11`).
        fn vote(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `analyse`, invoked by `Analyse` (`flow.serverless-workflow.yaml:12`).
        fn analyse(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.register(input, cx)),
                1 => rt::task_future(tasks.find_room(input, cx)),
                2 => rt::task_future(tasks.draw(input, cx)),
                3 => rt::task_future(tasks.xray(input, cx)),
                4 | 5 => rt::task_future(tasks.ask(input, cx)),
                6..=8 => rt::task_future(tasks.vote(input, cx)),
                9 => rt::task_future(tasks.analyse(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Clinic {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "clinic",
        dialect: "serverless-workflow",
        source: "flow.serverless-workflow.yaml",
        hash: 4853092136305881031,
        workflow_id: Some(rt::WorkflowId { id: "clinic", version: None, is_child: true }),
        check_input: Some(rt::is_object_input),
        schedule: Some(rt::Schedule::after_deployment("P30D", 2592000000000)),
        states: &[
            rt::StateInfo::new("Admit", "operation", 14, &["Examine"]),
            rt::StateInfo::new("Examine", "parallel", 28, &["Second opinion"]),
            rt::StateInfo::new("Second opinion", "parallel", 59, &["Panel"]),
            rt::StateInfo::new("Panel", "parallel", 83, &["Tests"]),
            rt::StateInfo::new("Tests", "foreach", 114, &["Bill"]),
            rt::StateInfo::new("Bill", "subflow", 138, &["Archive", "Rest"]),
            rt::StateInfo::new("Archive", "subflow", 147, &["Rest"]),
            rt::StateInfo::new("Rest", "delay", 153, &[]),
            rt::StateInfo::new("Draw", "operation", 34, &["Is it an emergency"]),
            rt::StateInfo::new("Is it an emergency", "switch", 41, &["Operate", "Labelled"]),
            rt::StateInfo::new("Operate", "inject", 46, &[]),
            rt::StateInfo::new("Labelled", "inject", 47, &[]),
            rt::StateInfo::new("Undress", "delay", 50, &["X-ray"]),
            rt::StateInfo::new("X-ray", "operation", 51, &[]),
            rt::StateInfo::new("Ask here", "operation", 65, &[]),
            rt::StateInfo::new("Drive", "delay", 74, &["Ask there"]),
            rt::StateInfo::new("Ask there", "operation", 75, &[]),
            rt::StateInfo::new("Vote 1", "operation", 90, &[]),
            rt::StateInfo::new("Sleep", "delay", 98, &["Vote 2"]),
            rt::StateInfo::new("Vote 2", "operation", 99, &[]),
            rt::StateInfo::new("Think", "delay", 106, &["Vote 3"]),
            rt::StateInfo::new("Vote 3", "operation", 107, &[]),
            rt::StateInfo::new("Analyse", "operation", 122, &["Is it serious"]),
            rt::StateInfo::new("Is it serious", "switch", 129, &["Alarm", "Noted"]),
            rt::StateInfo::new("Alarm", "inject", 134, &[]),
            rt::StateInfo::new("Noted", "inject", 135, &[]),
        ],
        tasks: &[&ADMIT, &ADMIT2, &DRAW, &X_RAY, &ASK_HERE, &ASK_THERE, &VOTE_1, &VOTE_2, &VOTE_3, &ANALYSE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ADMIT: rt::Task = rt::Task::new(0, "register", "desk", "Admit", 6);
    static ADMIT2: rt::Task = rt::Task::new(1, "findRoom", "beds", "Admit", 7);
    static DRAW: rt::Task = rt::Task::new(2, "draw", "lab/blood", "Draw", 8);
    static X_RAY: rt::Task = rt::Task::new(3, "xray", "lab/xray", "X-ray", 9);
    static ASK_HERE: rt::Task = rt::Task::new(4, "ask", "doctors", "Ask here", 10);
    static ASK_THERE: rt::Task = rt::Task::new(5, "ask", "doctors", "Ask there", 10);
    static VOTE_1: rt::Task = rt::Task::new(6, "vote", "doctors/panel", "Vote 1", 11);
    static VOTE_2: rt::Task = rt::Task::new(7, "vote", "doctors/panel", "Vote 2", 11);
    static VOTE_3: rt::Task = rt::Task::new(8, "vote", "doctors/panel", "Vote 3", 11);
    static ANALYSE: rt::Task = rt::Task::new(9, "analyse", "lab/tests", "Analyse", 12);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AdmitEntryAdmit1(Value),
        AdmitEntryAdmit2(Value),
        ExamineEntryDraw(Value),
        ExamineEntryUndress(Value),
        SecondOpinionEntryAskHere(Value),
        SecondOpinionEntryDrive(Value),
        PanelEntryVote1(Value),
        PanelEntrySleep(Value),
        PanelEntryThink(Value),
        TestsEntryAnalyse(Value, Value),
        Admit(Value),
        Examine(Value),
        SecondOpinion(Value),
        Panel(Value),
        Tests(Value),
        Bill(Value),
        Archive(Value),
        Rest(Value),
        Admit1,
        Admit2,
        Draw(Value),
        Undress(Value),
        XRay(Value),
        AskHere(Value),
        Drive(Value),
        AskThere(Value),
        Vote1(Value),
        Sleep(Value),
        Vote2(Value),
        Think(Value),
        Vote3(Value),
        Analyse(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(data), "entry", "", 11163295431466945752),
            (AdmitEntryAdmit1(data), "Admit entry Admit 1", "", 11163295431466945752),
            (AdmitEntryAdmit2(data), "Admit entry Admit 2", "", 11163295431466945752),
            (ExamineEntryDraw(data), "Examine entry Draw", "", 11163295431466945752),
            (ExamineEntryUndress(data), "Examine entry Undress", "", 11163295431466945752),
            (SecondOpinionEntryAskHere(data), "Second opinion entry Ask here", "", 11163295431466945752),
            (SecondOpinionEntryDrive(data), "Second opinion entry Drive", "", 11163295431466945752),
            (PanelEntryVote1(data), "Panel entry Vote 1", "", 11163295431466945752),
            (PanelEntrySleep(data), "Panel entry Sleep", "", 11163295431466945752),
            (PanelEntryThink(data), "Panel entry Think", "", 11163295431466945752),
            (TestsEntryAnalyse(data, item2), "Tests entry Analyse", "", 4097764055405030962),
            (Admit(data), "Admit", "Admit", 5246125627435243945),
            (Examine(data), "Examine", "Examine", 5246125627435243945),
            (SecondOpinion(data), "Second opinion", "Second opinion", 5246125627435243945),
            (Panel(data), "Panel", "Panel", 5246125627435243945),
            (Tests(data), "Tests", "Tests", 16981849020870347145),
            (Bill(data), "Bill", "Bill", 11163295431466945752),
            (Archive(data), "Archive", "Archive", 11163295431466945752),
            (Rest(data), "Rest", "Rest", 6443120302792414794),
            (Admit1, "Admit 1", "Admit 1", 4540923709528862369),
            (Admit2, "Admit 2", "Admit 2", 4540923709528862369),
            (Draw(data), "Draw", "Draw", 6161126372882371464),
            (Undress(data), "Undress", "Undress", 9055012390966686902),
            (XRay(data), "X-ray", "X-ray", 6161126372882371464),
            (AskHere(data), "Ask here", "Ask here", 7623490263482849059),
            (Drive(data), "Drive", "Drive", 8689465773982725953),
            (AskThere(data), "Ask there", "Ask there", 7623490263482849059),
            (Vote1(data), "Vote 1", "Vote 1", 16477671203876466699),
            (Sleep(data), "Sleep", "Sleep", 11977058479460556761),
            (Vote2(data), "Vote 2", "Vote 2", 16477671203876466699),
            (Think(data), "Think", "Think", 11977058479460556761),
            (Vote3(data), "Vote 3", "Vote 3", 16477671203876466699),
            (Analyse(data), "Analyse", "Analyse", 731924996114269190),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(data) => entry(data, turn),
                State::AdmitEntryAdmit1(data) => admit_1(data, turn),
                State::AdmitEntryAdmit2(data) => admit_2(data, turn),
                State::ExamineEntryDraw(data) => examine_entry_draw(data, turn),
                State::ExamineEntryUndress(data) => examine_entry_undress(data, turn),
                State::SecondOpinionEntryAskHere(data) => second_opinion_entry_ask_here(data, turn),
                State::SecondOpinionEntryDrive(data) => second_opinion_entry_drive(data, turn),
                State::PanelEntryVote1(data) => panel_entry_vote_1(data, turn),
                State::PanelEntrySleep(data) => panel_entry_sleep(data, turn),
                State::PanelEntryThink(data) => panel_entry_think(data, turn),
                State::TestsEntryAnalyse(data, item2) => tests_entry_analyse(data, item2, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Admit(data), Ok(result)) => admit_joined(data, result, turn),
                (State::Examine(data), Ok(result)) => examine_joined(data, result, turn),
                (State::SecondOpinion(data), Ok(result)) => second_opinion_joined(data, result, turn),
                (State::Panel(data), Ok(result)) => panel_joined(data, result, turn),
                (State::Tests(data), Ok(result)) => tests_joined(data, result, turn),
                (State::Bill(data), Ok(result)) => bill_done(data, result, turn),
                (State::Bill(data), Err(fault)) => bill_failed(data, fault, turn),
                (State::Archive(data), Ok(_)) => archive_done(data, turn),
                (State::Rest(data), _) => rest_over(data),
                (State::Admit1, Ok(result)) => admit_1_done(result),
                (State::Admit2, Ok(result)) => admit_2_done(result),
                (State::Draw(data), Ok(result)) => draw_done(data, result, turn),
                (State::Undress(data), _) => x_ray(data, turn),
                (State::XRay(data), Ok(result)) => x_ray_done(data, result),
                (State::AskHere(data), Ok(result)) => ask_here_done(data, result),
                (State::Drive(data), _) => ask_there(data, turn),
                (State::AskThere(data), Ok(result)) => ask_there_done(data, result),
                (State::Vote1(data), Ok(result)) => vote_1_done(data, result),
                (State::Sleep(data), _) => vote_2(data, turn),
                (State::Vote2(data), Ok(result)) => vote_2_done(data, result),
                (State::Think(data), _) => vote_3(data, turn),
                (State::Vote3(data), Ok(result)) => vote_3_done(data, result),
                (State::Analyse(data), Ok(result)) => analyse_done(data, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Admit(data), 0) => Some(State::AdmitEntryAdmit1(data.clone())),
                (State::Admit(data), 1) => Some(State::AdmitEntryAdmit2(data.clone())),
                (State::Examine(data), 0) => Some(State::ExamineEntryDraw(data.clone())),
                (State::Examine(data), 1) => Some(State::ExamineEntryUndress(data.clone())),
                (State::SecondOpinion(data), 0) => Some(State::SecondOpinionEntryAskHere(data.clone())),
                (State::SecondOpinion(data), 1) => Some(State::SecondOpinionEntryDrive(data.clone())),
                (State::Panel(data), 0) => Some(State::PanelEntryVote1(data.clone())),
                (State::Panel(data), 1) => Some(State::PanelEntrySleep(data.clone())),
                (State::Panel(data), 2) => Some(State::PanelEntryThink(data.clone())),
                (State::Tests(data), _) => Some(State::TestsEntryAnalyse(data.clone(), item.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(data: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::input(data)?;
        admit(data, turn)
    }

    /// `Admit`, `flow.serverless-workflow.yaml:14`.
    fn admit(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Admit", &data);
        turn.fork(2);
        rt::wait(State::Admit(data))
    }

    /// `Admit`, `flow.serverless-workflow.yaml:14`: Continues with the outputs of the
    /// branches.
    fn admit_joined(data: Value, results: Value, turn: &mut Turn) -> TurnResult {
        let result = serverless_workflow::or_null(results.get(0)).clone();
        let data = serverless_workflow::with(data, result, "register");
        let result2 = serverless_workflow::or_null(results.get(1)).clone();
        let data = serverless_workflow::with(data, result2, "findRoom");
        examine(data, turn)
    }

    /// `Examine`, `flow.serverless-workflow.yaml:28`.
    fn examine(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Examine", &data);
        turn.fork(2);
        rt::wait(State::Examine(data))
    }

    /// `Examine`, `flow.serverless-workflow.yaml:28`: Continues with the outputs of the
    /// branches.
    fn examine_joined(data: Value, outputs: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with_branches(data, &outputs, &["blood", "bones"]);
        second_opinion(data, turn)
    }

    /// `Second opinion`, `flow.serverless-workflow.yaml:59`.
    fn second_opinion(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Second opinion", &data);
        turn.race(2, 1);
        rt::wait(State::SecondOpinion(data))
    }

    /// `Second opinion`, `flow.serverless-workflow.yaml:59`: Continues with the first outputs.
    fn second_opinion_joined(data: Value, outputs: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with_first(data, &outputs, &["near", "far"]);
        panel(data, turn)
    }

    /// `Panel`, `flow.serverless-workflow.yaml:83`.
    fn panel(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Panel", &data);
        turn.race(3, 2);
        rt::wait(State::Panel(data))
    }

    /// `Panel`, `flow.serverless-workflow.yaml:83`: Continues with the first outputs.
    fn panel_joined(data: Value, outputs: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with_first(data, &outputs, &["first", "second", "third"]);
        if jsonpath::holds(data.get(jsonpath::Through("votes")).get(jsonpath::Through("first"))) {
            tests(data, turn)
        } else {
            Err(serverless_workflow::guard("Panel", "$.votes.first", &data))
        }
    }

    /// `Tests`, `flow.serverless-workflow.yaml:114`.
    fn tests(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Tests", &data);
        let items = serverless_workflow::elements(
            Some(
                &jsonpath::select(&data)
                    .through("tests")
                    .matching(|current| jsonpath::holds(current.get(jsonpath::Through("urgent"))))
                    .collect(),
            ),
            "$.tests[?(@.urgent)]",
        )?
        .clone();
        let limits = rt::Limits { concurrency: 2, delay_seconds: 60.0, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::Tests(data))
    }

    /// `Tests`, `flow.serverless-workflow.yaml:114`: Continues with the outputs of the
    /// iterations.
    fn tests_joined(data: Value, outputs: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::set(data, &["results"], outputs);
        bill(data, turn)
    }

    /// `Bill`, `flow.serverless-workflow.yaml:138`.
    fn bill(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Bill", &data);
        turn.call("billing", data.clone());
        rt::wait(State::Bill(data))
    }

    /// `Bill`, `flow.serverless-workflow.yaml:138`: Continues with the output of the
    /// execution.
    fn bill_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "billing");
        archive(data, turn)
    }

    /// `Bill`, `flow.serverless-workflow.yaml:138`: Retries or catches a fault.
    fn bill_failed(data: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            let error = serverless_workflow::error(fault.output(), "Bill", turn);
            return if spel::equals(
                Some(serverless_workflow::or_null(error.get("name"))),
                Some(&rt::string("NoInsurance")),
            ) {
                let data = serverless_workflow::with_error(data, &error);
                rest(data, turn)
            } else {
                Err(fault)
            };
        }
        Err(fault)
    }

    /// `Archive`, `flow.serverless-workflow.yaml:147`.
    fn archive(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Archive", &data);
        turn.call("archive", data.clone()).detach();
        rt::wait(State::Archive(data))
    }

    /// `Archive`, `flow.serverless-workflow.yaml:147`: Continues with the output of the
    /// execution.
    fn archive_done(data: Value, turn: &mut Turn) -> TurnResult {
        rest(data, turn)
    }

    /// `Rest`, `flow.serverless-workflow.yaml:153`.
    fn rest(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Rest", &data);
        turn.sleep_seconds(28800.0);
        rt::wait(State::Rest(data))
    }

    /// `Rest`, `flow.serverless-workflow.yaml:153`: Continues after the wait.
    fn rest_over(data: Value) -> TurnResult {
        rt::done(
            serverless_workflow::filtered(
                jsonpath::members(Some(&data), &["results", "bill", "error"]).as_ref(),
                &data,
            )
            .clone(),
        )
    }

    /// `Admit 1`, `flow.serverless-workflow.yaml:21`.
    fn admit_1(data: Value, turn: &mut Turn) -> TurnResult {
        let action_data = serverless_workflow::filtered(data.get(jsonpath::Through("patient")), &data).clone();
        turn.invoke(&ADMIT, action_data);
        rt::wait(State::Admit1)
    }

    /// `Admit 1`, `flow.serverless-workflow.yaml:21`: Continues with the result of the task.
    fn admit_1_done(result: Value) -> TurnResult {
        rt::done(result)
    }

    /// `Admit 2`, `flow.serverless-workflow.yaml:23`.
    fn admit_2(data: Value, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            (
                "age",
                serverless_workflow::or_null(data.get(jsonpath::Through("patient")).get(jsonpath::Through("age")))
                    .clone(),
            ),
            ("quiet", Value::Bool(true)),
        ]);
        turn.invoke(&ADMIT2, request);
        rt::wait(State::Admit2)
    }

    /// `Admit 2`, `flow.serverless-workflow.yaml:23`: Continues with the result of the task.
    fn admit_2_done(result: Value) -> TurnResult {
        rt::done(result)
    }

    /// The start of the branch `blood` of `Examine`.
    fn examine_entry_draw(data: Value, turn: &mut Turn) -> TurnResult {
        draw(data, turn)
    }

    /// `Draw`, `flow.serverless-workflow.yaml:34`.
    fn draw(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Draw", &data);
        turn.invoke(&DRAW, LITERAL_1.clone());
        rt::wait(State::Draw(data))
    }

    /// `Draw`, `flow.serverless-workflow.yaml:34`: Continues with the result of the task.
    fn draw_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "draw");
        is_it_an_emergency(data, turn)
    }

    /// `Is it an emergency`, `flow.serverless-workflow.yaml:41`.
    fn is_it_an_emergency(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is it an emergency", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("emergency")), "equals", "true") {
            operate(data, turn)
        } else {
            labelled(data, turn)
        }
    }

    /// `Operate`, `flow.serverless-workflow.yaml:46`.
    fn operate(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Operate", &data);
        rt::terminate(serverless_workflow::injected(data, LITERAL_2.clone()))
    }

    /// `Labelled`, `flow.serverless-workflow.yaml:47`.
    fn labelled(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Labelled", &data);
        rt::done(serverless_workflow::injected(data, LITERAL_3.clone()))
    }

    /// The start of the branch `bones` of `Examine`.
    fn examine_entry_undress(data: Value, turn: &mut Turn) -> TurnResult {
        undress(data, turn)
    }

    /// `Undress`, `flow.serverless-workflow.yaml:50`.
    fn undress(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Undress", &data);
        turn.sleep_seconds(600.0);
        rt::wait(State::Undress(data))
    }

    /// `X-ray`, `flow.serverless-workflow.yaml:51`.
    fn x_ray(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("X-ray", &data);
        let request = rt::object([(
            "who",
            serverless_workflow::or_null(data.get(jsonpath::Through("patient")).get(jsonpath::Through("name"))).clone(),
        )]);
        turn.invoke(&X_RAY, request);
        rt::wait(State::XRay(data))
    }

    /// `X-ray`, `flow.serverless-workflow.yaml:51`: Continues with the result of the task.
    fn x_ray_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with(data, result, "xray"))
    }

    /// The start of the branch `near` of `Second opinion`.
    fn second_opinion_entry_ask_here(data: Value, turn: &mut Turn) -> TurnResult {
        ask_here(data, turn)
    }

    /// `Ask here`, `flow.serverless-workflow.yaml:65`.
    fn ask_here(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask here", &data);
        turn.invoke(&ASK_HERE, LITERAL_4.clone());
        rt::wait(State::AskHere(data))
    }

    /// `Ask here`, `flow.serverless-workflow.yaml:65`: Continues with the result of the task.
    fn ask_here_done(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with(data, result, "ask");
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("ask")), &data).clone())
    }

    /// The start of the branch `far` of `Second opinion`.
    fn second_opinion_entry_drive(data: Value, turn: &mut Turn) -> TurnResult {
        drive(data, turn)
    }

    /// `Drive`, `flow.serverless-workflow.yaml:74`.
    fn drive(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Drive", &data);
        turn.sleep_seconds(7200.0);
        rt::wait(State::Drive(data))
    }

    /// `Ask there`, `flow.serverless-workflow.yaml:75`.
    fn ask_there(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask there", &data);
        turn.invoke(&ASK_THERE, LITERAL_5.clone());
        rt::wait(State::AskThere(data))
    }

    /// `Ask there`, `flow.serverless-workflow.yaml:75`: Continues with the result of the task.
    fn ask_there_done(data: Value, result: Value) -> TurnResult {
        let data = serverless_workflow::with(data, result, "ask");
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("ask")), &data).clone())
    }

    /// The start of the branch `first` of `Panel`.
    fn panel_entry_vote_1(data: Value, turn: &mut Turn) -> TurnResult {
        vote_1(data, turn)
    }

    /// `Vote 1`, `flow.serverless-workflow.yaml:90`.
    fn vote_1(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Vote 1", &data);
        let action_data =
            serverless_workflow::filtered(data.get(jsonpath::Through("patient")).get(jsonpath::Through("name")), &data)
                .clone();
        turn.invoke(&VOTE_1, action_data);
        rt::wait(State::Vote1(data))
    }

    /// `Vote 1`, `flow.serverless-workflow.yaml:90`: Continues with the result of the task.
    fn vote_1_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("votes")).get(jsonpath::Through("first")),
            &result,
            "first",
            &["votes", "first"],
        ))
    }

    /// The start of the branch `second` of `Panel`.
    fn panel_entry_sleep(data: Value, turn: &mut Turn) -> TurnResult {
        sleep(data, turn)
    }

    /// `Sleep`, `flow.serverless-workflow.yaml:98`.
    fn sleep(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sleep", &data);
        turn.sleep_seconds(172800.0);
        rt::wait(State::Sleep(data))
    }

    /// `Vote 2`, `flow.serverless-workflow.yaml:99`.
    fn vote_2(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Vote 2", &data);
        turn.invoke(&VOTE_2, data.clone());
        rt::wait(State::Vote2(data))
    }

    /// `Vote 2`, `flow.serverless-workflow.yaml:99`: Continues with the result of the task.
    fn vote_2_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("votes")).get(jsonpath::Through("second")),
            &result,
            "second",
            &["votes", "second"],
        ))
    }

    /// The start of the branch `third` of `Panel`.
    fn panel_entry_think(data: Value, turn: &mut Turn) -> TurnResult {
        think(data, turn)
    }

    /// `Think`, `flow.serverless-workflow.yaml:106`.
    fn think(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Think", &data);
        turn.sleep_seconds(3600.0);
        rt::wait(State::Think(data))
    }

    /// `Vote 3`, `flow.serverless-workflow.yaml:107`.
    fn vote_3(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Vote 3", &data);
        let action_data =
            serverless_workflow::filtered(data.get(jsonpath::Through("patient")).get(jsonpath::Through("name")), &data)
                .clone();
        turn.invoke(&VOTE_3, action_data);
        rt::wait(State::Vote3(data))
    }

    /// `Vote 3`, `flow.serverless-workflow.yaml:107`: Continues with the result of the task.
    fn vote_3_done(data: Value, result: Value) -> TurnResult {
        rt::done(serverless_workflow::with_selected(
            data,
            result.get(jsonpath::Through("votes")).get(jsonpath::Through("third")),
            &result,
            "third",
            &["votes", "third"],
        ))
    }

    /// The start of each element in `Tests`.
    fn tests_entry_analyse(data: Value, item2: Value, turn: &mut Turn) -> TurnResult {
        let data2 = serverless_workflow::set(data, &["test"], item2);
        analyse(data2, turn)
    }

    /// `Analyse`, `flow.serverless-workflow.yaml:122`.
    fn analyse(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Analyse", &data);
        let request = rt::object([(
            "test",
            serverless_workflow::or_null(data.get(jsonpath::Through("test")).get(jsonpath::Through("name"))).clone(),
        )]);
        turn.invoke(&ANALYSE, request);
        rt::wait(State::Analyse(data))
    }

    /// `Analyse`, `flow.serverless-workflow.yaml:122`: Continues with the result of the task.
    fn analyse_done(data: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let data = serverless_workflow::with(data, result, "analyse");
        is_it_serious(data, turn)
    }

    /// `Is it serious`, `flow.serverless-workflow.yaml:129`.
    fn is_it_serious(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is it serious", &data);
        if serverless_workflow::compares(data.get(jsonpath::Through("level")), "greaterthanorequals", "9") {
            alarm(data, turn)
        } else {
            noted(data, turn)
        }
    }

    /// `Alarm`, `flow.serverless-workflow.yaml:134`.
    fn alarm(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Alarm", &data);
        let data = serverless_workflow::injected(data, LITERAL_6.clone());
        rt::terminate(serverless_workflow::filtered(data.get(jsonpath::Through("test")), &data).clone())
    }

    /// `Noted`, `flow.serverless-workflow.yaml:135`.
    fn noted(data: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Noted", &data);
        let data = serverless_workflow::injected(data, LITERAL_7.clone());
        rt::done(serverless_workflow::filtered(data.get(jsonpath::Through("level")), &data).clone())
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{\"arm\":\"left\"}");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"operated\":true}");
    static LITERAL_3: rt::Literal = rt::Literal::new("{\"blood\":{\"label\":\"L-1\"}}");
    static LITERAL_4: rt::Literal = rt::Literal::new("{\"where\":\"here\"}");
    static LITERAL_5: rt::Literal = rt::Literal::new("{\"where\":\"there\"}");
    static LITERAL_6: rt::Literal = rt::Literal::new("{\"alarm\":true}");
    static LITERAL_7: rt::Literal = rt::Literal::new("{}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Admit\" as s0 {\n        state \"branch 1\" as s1 {\n",
        "            state \"Admit 1\" as s2\n            [*] --> s2\n            s2 --> [*]\n",
        "        }\n        state \"branch 2\" as s3 {\n            state \"Admit 2\" as s4\n",
        "            [*] --> s4\n            s4 --> [*]\n        }\n    }\n",
        "    state \"Examine\" as s5 {\n        state \"branch blood\" as s6 {\n",
        "            state \"Draw\" as s7\n            state \"Is it an emergency\" as s8\n",
        "            state \"Operate\" as s9\n            state \"Labelled\" as s10\n",
        "            [*] --> s7\n            s7 --> s8\n",
        "            s8 --> s9 : $.emergency = #34;true#34;\n            s8 --> s10 : otherwise\n",
        "            s9 --> [*] : (ends the execution)\n            s10 --> [*]\n        }\n",
        "        state \"branch bones\" as s11 {\n            state \"Undress\" as s12\n",
        "            state \"X-ray\" as s13\n            [*] --> s12\n            s12 --> s13\n",
        "            s13 --> [*]\n        }\n    }\n    state \"Second opinion\" as s14 {\n",
        "        state \"branch near\" as s15 {\n            state \"Ask here\" as s16\n",
        "            [*] --> s16\n            s16 --> [*]\n        }\n",
        "        state \"branch far\" as s17 {\n            state \"Drive\" as s18\n",
        "            state \"Ask there\" as s19\n            [*] --> s18\n",
        "            s18 --> s19\n            s19 --> [*]\n        }\n    }\n",
        "    state \"Panel\" as s20 {\n        state \"branch first\" as s21 {\n",
        "            state \"Vote 1\" as s22\n            [*] --> s22\n            s22 --> [*]\n",
        "        }\n        state \"branch second\" as s23 {\n",
        "            state \"Sleep\" as s24\n            state \"Vote 2\" as s25\n",
        "            [*] --> s24\n            s24 --> s25\n            s25 --> [*]\n        }\n",
        "        state \"branch third\" as s26 {\n            state \"Think\" as s27\n",
        "            state \"Vote 3\" as s28\n            [*] --> s27\n            s27 --> s28\n",
        "            s28 --> [*]\n        }\n    }\n    state \"Tests\" as s29 {\n",
        "        state \"for each item, 2 at a time, one every 1 min\" as s30 {\n",
        "            state \"Analyse\" as s31\n            state \"Is it serious\" as s32\n",
        "            state \"Alarm\" as s33\n            state \"Noted\" as s34\n",
        "            [*] --> s31\n            s31 --> s32\n",
        "            s32 --> s33 : $.level ≥ 9\n            s32 --> s34 : otherwise\n",
        "            s33 --> [*] : (ends the execution)\n            s34 --> [*]\n        }\n",
        "    }\n    state \"Bill\" as s35\n    s35 : billing\n    state \"Archive\" as s36\n",
        "    s36 : archive\n    state \"Rest\" as s37\n    [*] --> s0\n    s0 --> s5\n",
        "    s5 --> s14\n    s14 --> s20\n    s20 --> s29 : $.votes.first\n    s29 --> s35\n",
        "    s35 --> s36\n    s35 --> s37 : catch $.error.name = #34;NoInsurance#34;\n",
        "    s36 --> s37\n    s37 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s2,s4,s7,s13,s16,s19,s22,s25,s28,s31 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s8,s32 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s12,s18,s24,s27,s37 wait\n",
        "    classDef call fill:#e0e7ff,stroke:#4f46e5,color:#111827,stroke-dasharray:8 3 2 3\n",
        "    class s35,s36 call\n"
    );
}
