// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `nested_forks` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod nested_forks {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `nested_forks`: Inspects sites: branches over a Map over branches over a
    /// Map.
    pub struct NestedForks;

    impl NestedForks {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<NestedForks, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `nested_forks`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `nested_forks`",
        label = "the trait `nested_forks::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl nested_forks::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `look`, invoked by `Look At Room` (`flow.asl.json:33`).
        fn look(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `clean`, invoked by `Clean Up` (`flow.asl.json:45`).
        fn clean(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `meter`, invoked by `Meter` (`flow.asl.json:59`).
        fn meter(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.look(input, cx)),
                1 => rt::task_future(tasks.clean(input, cx)),
                2 => rt::task_future(tasks.meter(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for NestedForks {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "nested_forks",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 12885911476650348813,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Inspect", "Parallel", 5, &["Alarm"]),
            rt::StateInfo::new("Alarm", "Pass", 104, &[]),
            rt::StateInfo::new("Each Site", "Map", 11, &[]),
            rt::StateInfo::new("Look At Site", "Parallel", 19, &["Sum Up", "Evacuate"]),
            rt::StateInfo::new("Sum Up", "Pass", 73, &[]),
            rt::StateInfo::new("Evacuate", "Pass", 82, &[]),
            rt::StateInfo::new("Each Room", "Map", 25, &[]),
            rt::StateInfo::new("Look At Room", "Task", 31, &["Is It Clean"]),
            rt::StateInfo::new("Is It Clean", "Choice", 37, &["Clean", "Clean Up"]),
            rt::StateInfo::new("Clean", "Succeed", 42, &[]),
            rt::StateInfo::new("Clean Up", "Task", 43, &[]),
            rt::StateInfo::new("Meter", "Task", 57, &[]),
            rt::StateInfo::new("Call Ahead", "Wait", 96, &["Called"]),
            rt::StateInfo::new("Called", "Pass", 97, &[]),
        ],
        tasks: &[&LOOK_AT_ROOM, &CLEAN_UP, &METER],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static LOOK_AT_ROOM: rt::Task =
        rt::Task::new(0, "look", "arn:aws:lambda:eu-west-1:123456789012:function:look", "Look At Room", 33);
    static CLEAN_UP: rt::Task =
        rt::Task::new(1, "clean", "arn:aws:lambda:eu-west-1:123456789012:function:clean", "Clean Up", 45);
    static METER: rt::Task =
        rt::Task::new(2, "meter", "arn:aws:lambda:eu-west-1:123456789012:function:meter", "Meter", 59);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        InspectEntryEachSite(Value),
        EachSiteEntryLookAtSite(Value),
        LookAtSiteEntryEachRoom(Value),
        EachRoomEntryLookAtRoom(Value),
        LookAtSiteEntryMeter(Value),
        InspectEntryCallAhead(Value),
        Inspect(Value),
        EachSite(Value),
        LookAtSite(Value),
        EachRoom,
        LookAtRoomRetry(Value, Retries),
        LookAtRoom(Value, Retries),
        CleanUp,
        Meter,
        CallAhead(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (InspectEntryEachSite(d), "Inspect entry Each Site", "", 16290513905774444234),
            (EachSiteEntryLookAtSite(d), "Each Site entry Look At Site", "", 16290513905774444234),
            (LookAtSiteEntryEachRoom(d), "Look At Site entry Each Room", "", 16290513905774444234),
            (EachRoomEntryLookAtRoom(item2), "Each Room entry Look At Room", "", 959335838573033941),
            (LookAtSiteEntryMeter(d), "Look At Site entry Meter", "", 16290513905774444234),
            (InspectEntryCallAhead(d), "Inspect entry Call Ahead", "", 16290513905774444234),
            (Inspect(d), "Inspect", "Inspect", 351662007070794327),
            (EachSite(d), "Each Site", "Each Site", 1789970954340999024),
            (LookAtSite(d), "Look At Site", "Look At Site", 13357232064378419185),
            (EachRoom, "Each Room", "Each Room", 4251924142818203668),
            (LookAtRoomRetry(d, retries), "Look At Room retry", "Look At Room", 803014218777365643),
            (LookAtRoom(d, retries), "Look At Room", "Look At Room", 9203376620430068129),
            (CleanUp, "Clean Up", "Clean Up", 2163369076485855284),
            (Meter, "Meter", "Meter", 14522307898848135635),
            (CallAhead(d), "Call Ahead", "Call Ahead", 17956242412341085045),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => inspect(d, turn),
                State::InspectEntryEachSite(d) => each_site(d, turn),
                State::EachSiteEntryLookAtSite(d) => each_site_entry_look_at_site(d, turn),
                State::LookAtSiteEntryEachRoom(d) => each_room(d, turn),
                State::EachRoomEntryLookAtRoom(item2) => each_room_entry_look_at_room(item2, turn),
                State::LookAtSiteEntryMeter(d) => meter(d, turn),
                State::InspectEntryCallAhead(d) => call_ahead(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Inspect(_), Ok(result)) => inspect_joined(result),
                (State::Inspect(_), Err(fault)) => inspect_failed(fault, turn),
                (State::EachSite(_), Ok(result)) => each_site_joined(result),
                (State::LookAtSite(d), Ok(result)) => look_at_site_joined(d, result, turn),
                (State::LookAtSite(d), Err(fault)) => look_at_site_failed(d, fault, turn),
                (State::EachRoom, Ok(result)) => each_room_joined(result),
                (State::LookAtRoomRetry(d, retries), _) => look_at_room_try(d, retries, turn),
                (State::LookAtRoom(_, _), Ok(result)) => look_at_room_done(result, turn),
                (State::LookAtRoom(d, retries), Err(fault)) => look_at_room_failed(d, retries, fault, turn),
                (State::CleanUp, Ok(result)) => clean_up_done(result),
                (State::Meter, Ok(result)) => meter_done(result),
                (State::CallAhead(d), _) => called(d, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Inspect(d), 0) => Some(State::InspectEntryEachSite(d.clone())),
                (State::Inspect(d), 1) => Some(State::InspectEntryCallAhead(d.clone())),
                (State::EachSite(d), _) => Some(State::EachSiteEntryLookAtSite(d.clone())),
                (State::LookAtSite(d), 0) => Some(State::LookAtSiteEntryEachRoom(d.clone())),
                (State::LookAtSite(d), 1) => Some(State::LookAtSiteEntryMeter(d.clone())),
                (State::EachRoom, _) => Some(State::EachRoomEntryLookAtRoom(item.clone())),
                _ => None,
            }
        }
    }

    /// `Inspect`, `flow.asl.json:5`.
    fn inspect(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Inspect", &d);
        turn.fork(2);
        rt::wait(State::Inspect(d))
    }

    /// `Inspect`, `flow.asl.json:5`: Continues with the outputs of the branches.
    fn inspect_joined(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Inspect`, `flow.asl.json:5`: Retries or catches a fault.
    fn inspect_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Fire"]) {
            let d = fault.output();
            return alarm(d, turn);
        }
        Err(fault)
    }

    /// `Alarm`, `flow.asl.json:104`.
    fn alarm(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Alarm", &d);
        rt::done(rt::object([("alarm", asl::field(&d, &["Cause"], "alarm.$")?.clone())]))
    }

    /// `Each Site`, `flow.asl.json:11`.
    fn each_site(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Each Site", &d);
        let items = asl::items_array(asl::at(&d, &["sites"]))?.clone();
        let limits = rt::Limits { concurrency: 2, ..rt::Limits::default() };
        turn.for_each(&items, limits);
        rt::wait(State::EachSite(d))
    }

    /// `Each Site`, `flow.asl.json:11`: Continues with the outputs of the iterations.
    fn each_site_joined(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// The start of the item processor of `Each Site`.
    fn each_site_entry_look_at_site(d: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("site", asl::context_field(&["Map", "Item", "Value"], &d, "site.$", turn)?),
            ("inspector", asl::field(&d, &["inspector"], "inspector.$")?.clone()),
        ]);
        look_at_site(d, turn)
    }

    /// `Look At Site`, `flow.asl.json:19`.
    fn look_at_site(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Look At Site", &d);
        turn.fork(2);
        rt::wait(State::LookAtSite(d))
    }

    /// `Look At Site`, `flow.asl.json:19`: Continues with the outputs of the branches.
    fn look_at_site_joined(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        let result = rt::object([
            ("rooms", asl::field_at(&result, &[At::Index(0)], "rooms.$")?.clone()),
            ("meter", asl::field_at(&result, &[At::Index(1)], "meter.$")?.clone()),
        ]);
        if let Err(fault) = asl::put(&mut d, &["report"], result) {
            return look_at_site_failed(d, fault, turn);
        }
        sum_up(d, turn)
    }

    /// `Look At Site`, `flow.asl.json:19`: Retries or catches a fault.
    fn look_at_site_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Flooded"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return evacuate(d, turn);
        }
        Err(fault)
    }

    /// `Sum Up`, `flow.asl.json:73`.
    fn sum_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum Up", &d);
        rt::done(rt::object([
            ("site", asl::field(&d, &["site", "name"], "site.$")?.clone()),
            ("by", asl::field(&d, &["inspector"], "by.$")?.clone()),
            ("report", asl::field(&d, &["report"], "report.$")?.clone()),
        ]))
    }

    /// `Evacuate`, `flow.asl.json:82`.
    fn evacuate(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Evacuate", &d);
        rt::done(rt::object([
            ("site", asl::field(&d, &["site", "name"], "site.$")?.clone()),
            ("evacuated", asl::field(&d, &["problem", "Cause"], "evacuated.$")?.clone()),
        ]))
    }

    /// `Each Room`, `flow.asl.json:25`.
    fn each_room(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Each Room", &d);
        let items = asl::items_array(asl::at(&d, &["site", "rooms"]))?.clone();
        turn.for_each(&items, rt::Limits::default());
        rt::wait(State::EachRoom)
    }

    /// `Each Room`, `flow.asl.json:25`: Continues with the outputs of the iterations.
    fn each_room_joined(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// The start of the item processor of `Each Room`.
    fn each_room_entry_look_at_room(item2: Value, turn: &mut Turn) -> TurnResult {
        look_at_room(item2, turn)
    }

    /// `Look At Room`, `flow.asl.json:31`.
    fn look_at_room(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Look At Room", &d);
        look_at_room_try(d, Retries::new(), turn)
    }

    /// `Look At Room`, `flow.asl.json:31`: One attempt.
    fn look_at_room_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&LOOK_AT_ROOM, d.clone()).timeout_seconds(60.0);
        rt::wait(State::LookAtRoom(d, retries))
    }

    /// `Look At Room`, `flow.asl.json:31`: Continues with the result of the task.
    fn look_at_room_done(d: Value, turn: &mut Turn) -> TurnResult {
        is_it_clean(d, turn)
    }

    /// `Look At Room`, `flow.asl.json:31`: Retries or catches a fault.
    fn look_at_room_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(LOOK_AT_ROOM_RETRY, &mut retries, &fault) {
            return rt::wait(State::LookAtRoomRetry(d, retries));
        }
        Err(fault)
    }

    /// `Is It Clean`, `flow.asl.json:37`.
    fn is_it_clean(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Clean", &d);
        if asl::boolean_equals(asl::subject(&d, &["clean"])?, true) { clean(d, turn) } else { clean_up(d, turn) }
    }

    /// `Clean`, `flow.asl.json:42`.
    fn clean(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Clean", &d);
        rt::done(asl::path(&d, &["room"])?.clone())
    }

    /// `Clean Up`, `flow.asl.json:43`.
    fn clean_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Clean Up", &d);
        turn.invoke(&CLEAN_UP, d).timeout_seconds(60.0);
        rt::wait(State::CleanUp)
    }

    /// `Clean Up`, `flow.asl.json:43`: Continues with the result of the task.
    fn clean_up_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Meter`, `flow.asl.json:57`.
    fn meter(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Meter", &d);
        let input = asl::path(&d, &["site", "name"])?.clone();
        turn.invoke(&METER, input).timeout_seconds(60.0);
        rt::wait(State::Meter)
    }

    /// `Meter`, `flow.asl.json:57`: Continues with the result of the task.
    fn meter_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Call Ahead`, `flow.asl.json:96`.
    fn call_ahead(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Call Ahead", &d);
        turn.sleep_seconds(5.0);
        rt::wait(State::CallAhead(d))
    }

    /// `Called`, `flow.asl.json:97`.
    fn called(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Called", &d);
        rt::done(rt::string("called"))
    }

    static LOOK_AT_ROOM_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Locked")], 30.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Inspect\" as s0 {\n        state \"branch 1\" as s1 {\n",
        "            state \"Each Site\" as s2 {\n",
        "                state \"for each item, 2 at a time\" as s3 {\n",
        "                    state \"Look At Site\" as s4 {\n",
        "                        state \"branch 1\" as s5 {\n",
        "                            state \"Each Room\" as s6 {\n",
        "                                state \"for each item\" as s7 {\n",
        "                                    state \"Look At Room\" as s8\n",
        "                                    state \"Is It Clean\" as s9\n",
        "                                    state \"Clean\" as s10\n",
        "                                    state \"Clean Up\" as s11\n",
        "                                    [*] --> s8\n",
        "                                    s8 --> s9\n",
        "                                    s9 --> s10 : $.clean = true\n",
        "                                    s9 --> s11 : otherwise\n",
        "                                    s10 --> [*]\n",
        "                                    s11 --> [*]\n                                }\n",
        "                            }\n                            [*] --> s6\n",
        "                            s6 --> [*]\n                        }\n",
        "                        state \"branch 2\" as s12 {\n",
        "                            state \"Meter\" as s13\n",
        "                            [*] --> s13\n                            s13 --> [*]\n",
        "                        }\n                    }\n",
        "                    state \"Sum Up\" as s14\n",
        "                    state \"Evacuate\" as s15\n                    [*] --> s4\n",
        "                    s4 --> s14\n                    s4 --> s15 : catch Flooded\n",
        "                    s14 --> [*]\n                    s15 --> [*]\n                }\n",
        "            }\n            [*] --> s2\n            s2 --> [*]\n        }\n",
        "        state \"branch 2\" as s16 {\n            state \"Call Ahead\" as s17\n",
        "            state \"Called\" as s18\n            [*] --> s17\n            s17 --> s18\n",
        "            s18 --> [*]\n        }\n    }\n    state \"Alarm\" as s19\n    [*] --> s0\n",
        "    s0 --> [*]\n    s0 --> s19 : catch Fire\n    s19 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s8,s11,s13 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s9 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s17 wait\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s10 succeed\n"
    );
}
