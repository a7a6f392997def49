// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `poller` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod poller {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, asl};

    /// The workflow `poller`: Starts an export, polls it with growing pauses, and reads its
    /// pages.
    pub struct Poller;

    impl Poller {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Poller, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `poller`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `poller`",
        label = "the trait `poller::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl poller::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `start`, invoked by `Start Export` (`flow.asl.json:7`).
        fn start(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `poll`, invoked by `Poll` (`flow.asl.json:14`).
        fn poll(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `read`, invoked by `Read Page` (`flow.asl.json:40`).
        fn read(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.start(input, cx)),
                1 => rt::task_future(tasks.poll(input, cx)),
                2 => rt::task_future(tasks.read(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Poller {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "poller",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 14205588035448797499,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Start Export", "Task", 5, &["Pause"]),
            rt::StateInfo::new("Pause", "Wait", 11, &["Poll"]),
            rt::StateInfo::new("Poll", "Task", 12, &["Is It Ready"]),
            rt::StateInfo::new("Is It Ready", "Choice", 19, &["Read Page", "Pause Longer", "Give Up"]),
            rt::StateInfo::new("Pause Longer", "Pass", 33, &["Pause"]),
            rt::StateInfo::new("Read Page", "Task", 38, &["Is It The Last"]),
            rt::StateInfo::new("Is It The Last", "Choice", 45, &["Next Page", "Done"]),
            rt::StateInfo::new("Next Page", "Pass", 50, &["Read Page"]),
            rt::StateInfo::new("Done", "Pass", 51, &[]),
            rt::StateInfo::new("Give Up", "Fail", 52, &[]),
        ],
        tasks: &[&START_EXPORT, &POLL, &READ_PAGE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static START_EXPORT: rt::Task =
        rt::Task::new(0, "start", "arn:aws:lambda:eu-west-1:123456789012:function:start", "Start Export", 7);
    static POLL: rt::Task = rt::Task::new(1, "poll", "arn:aws:lambda:eu-west-1:123456789012:function:poll", "Poll", 14);
    static READ_PAGE: rt::Task =
        rt::Task::new(2, "read", "arn:aws:lambda:eu-west-1:123456789012:function:read", "Read Page", 40);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        StartExport,
        Pause(Value),
        Poll(Value),
        ReadPage(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (StartExport, "Start Export", "Start Export", 14695981039346656037),
            (Pause(d), "Pause", "Pause", 2127385451422886396),
            (Poll(d), "Poll", "Poll", 16290513905774444234),
            (ReadPage(d), "Read Page", "Read Page", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => start_export(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::StartExport, Ok(result)) => start_export_done(result, turn),
                (State::Pause(d), _) => poll(d, turn),
                (State::Poll(d), Ok(result)) => poll_done(d, result, turn),
                (State::ReadPage(d), Ok(result)) => read_page_done(d, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Start Export`, `flow.asl.json:5`.
    fn start_export(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Start Export", &d);
        turn.invoke(&START_EXPORT, d).timeout_seconds(60.0);
        rt::wait(State::StartExport)
    }

    /// `Start Export`, `flow.asl.json:5`: Continues with the result of the task.
    fn start_export_done(result: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("id", asl::field(&result, &["id"], "id.$")?.clone()),
            ("pause", Value::Int(10)),
            ("rows", Value::Int(0)),
        ]);
        pause(d, turn)
    }

    /// `Pause`, `flow.asl.json:11`.
    fn pause(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Pause", &d);
        let seconds = asl::seconds_path(asl::at(&d, &["pause"]))?.clone();
        turn.sleep_seconds(rt::seconds(&seconds)?);
        rt::wait(State::Pause(d))
    }

    /// `Poll`, `flow.asl.json:12`.
    fn poll(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Poll", &d);
        let input = asl::path(&d, &["id"])?.clone();
        turn.invoke(&POLL, input).timeout_seconds(60.0);
        rt::wait(State::Poll(d))
    }

    /// `Poll`, `flow.asl.json:12`: Continues with the result of the task.
    fn poll_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["status"], result)?;
        is_it_ready(d, turn)
    }

    /// `Is It Ready`, `flow.asl.json:19`.
    fn is_it_ready(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Ready", &d);
        if asl::string_equals(asl::subject(&d, &["status"])?, "ready") {
            read_page(d, turn)
        } else if asl::string_equals(asl::subject(&d, &["status"])?, "running")
            && asl::numeric_less_than_equals(asl::subject(&d, &["pause"])?, 40)
        {
            pause_longer(d, turn)
        } else {
            give_up(d, turn)
        }
    }

    /// `Pause Longer`, `flow.asl.json:33`.
    fn pause_longer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Pause Longer", &d);
        let d = rt::object([
            ("id", asl::field(&d, &["id"], "id.$")?.clone()),
            (
                "pause",
                asl::math_add(
                    asl::argument(&d, &["pause"], "States.MathAdd($.pause, $.pause)")?,
                    asl::argument(&d, &["pause"], "States.MathAdd($.pause, $.pause)")?,
                    "States.MathAdd($.pause, $.pause)",
                )?,
            ),
            ("rows", Value::Int(0)),
        ]);
        pause(d, turn)
    }

    /// `Read Page`, `flow.asl.json:38`.
    fn read_page(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Read Page", &d);
        let request = rt::object([
            ("id", asl::field(&d, &["id"], "id.$")?.clone()),
            ("after", asl::field(&d, &["rows"], "after.$")?.clone()),
        ]);
        turn.invoke(&READ_PAGE, request).timeout_seconds(60.0);
        rt::wait(State::ReadPage(d))
    }

    /// `Read Page`, `flow.asl.json:38`: Continues with the result of the task.
    fn read_page_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["page"], result)?;
        is_it_the_last(d, turn)
    }

    /// `Is It The Last`, `flow.asl.json:45`.
    fn is_it_the_last(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It The Last", &d);
        if asl::is_present(d.get("page").get("next")) { next_page(d, turn) } else { done(d, turn) }
    }

    /// `Next Page`, `flow.asl.json:50`.
    fn next_page(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Next Page", &d);
        let result = asl::path(&d, &["page", "next"])?.clone();
        asl::put(&mut d, &["rows"], result)?;
        read_page(d, turn)
    }

    /// `Done`, `flow.asl.json:51`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(rt::object([("rows", asl::field(&d, &["page", "total"], "rows.$")?.clone())]))
    }

    /// `Give Up`, `flow.asl.json:52`.
    fn give_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Give Up", &d);
        Err(Fault::from_parts(
            Some(rt::string("NotReady")),
            Some(asl::fault_string(asl::at(&d, &["status"]), &d, "CausePath")?.clone()),
        ))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Start Export\" as s0\n    state \"Pause\" as s1\n",
        "    state \"Poll\" as s2\n    state \"Is It Ready\" as s3\n",
        "    state \"Pause Longer\" as s4\n    state \"Read Page\" as s5\n",
        "    state \"Is It The Last\" as s6\n    state \"Next Page\" as s7\n",
        "    state \"Done\" as s8\n    state \"Give Up\" as s9\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> s5 : $.status = #34;ready#34;\n",
        "    s3 --> s4 : $.status = #34;running#34; and $.pause ≤ 40\n    s3 --> s9 : otherwise\n",
        "    s4 --> s1\n    s5 --> s6\n    s6 --> s7 : $.page.next is present\n",
        "    s6 --> s8 : otherwise\n    s7 --> s5\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s2,s5 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s3,s6 choice\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s1 wait\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s9 fail\n"
    );
}
