// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `stages` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod stages {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, TaskContext, Value, asl};

    /// The workflow `stages`: A template with placeholders: some are filled in when it is
    /// compiled, the others when it is started.
    pub struct Stages;

    impl Stages {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Stages, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `stages`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `stages`",
        label = "the trait `stages::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl stages::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `PublishFunction`, invoked by `Publish` (`flow.asl.json:7`).
        fn publish_function(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.publish_function(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Stages {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "stages",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 14135282008343471842,
        longest_task_seconds: Some(30.0),
        settings: &["Stage", "Limit"],
        states: &[
            rt::StateInfo::new("Publish", "Task", 5, &["Is It Production"]),
            rt::StateInfo::new("Is It Production", "Choice", 21, &["Same", "Area", "Other"]),
            rt::StateInfo::new("Same", "Pass", 29, &[]),
            rt::StateInfo::new("Area", "Pass", 30, &[]),
            rt::StateInfo::new("Other", "Fail", 31, &[]),
        ],
        tasks: &[&PUBLISH],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static PUBLISH: rt::Task = rt::Task::new(
        0,
        "PublishFunction",
        ::core::concat!(
            "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:${PublishFunction",
            "}"
        ),
        "Publish",
        7,
    );

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Publish(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Publish(d), "Publish", "Publish", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Publish(d), Ok(result)) => publish_done(d, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        publish(d, turn)
    }

    /// `Publish`, `flow.asl.json:5`.
    fn publish(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Publish", &d);
        let request = rt::object([
            ("stage", turn.setting("Stage")),
            ("url", asl::format(&["https://", ".example.org/north"], &[&turn.setting("Stage")])),
            ("both", asl::format(&["north-", ""], &[&turn.setting("Stage")])),
            ("limit", turn.setting("Limit")),
            ("northName", asl::field(&d, &["name"], "northName.$")?.clone()),
            (
                "text",
                asl::format(
                    &["", " in north"],
                    &[asl::argument(&d, &["name"], "States.Format('{} in north', $.name)")?],
                ),
            ),
        ]);
        let credentials = LITERAL_1.clone();
        turn.invoke(&PUBLISH, request).timeout_seconds(30.0).credentials(credentials);
        rt::wait(State::Publish(d))
    }

    /// `Publish`, `flow.asl.json:5`: Continues with the result of the task.
    fn publish_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["published"], result)?;
        is_it_production(d, turn)
    }

    /// `Is It Production`, `flow.asl.json:21`.
    fn is_it_production(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is It Production", &d);
        if asl::string_equals_path(asl::subject(&d, &["published", "stage"])?, &turn.setting("Stage")) {
            same(d, turn)
        } else if asl::string_matches(asl::subject(&d, &["published", "area"])?, "north-*") {
            area(d, turn)
        } else {
            other(d, turn)
        }
    }

    /// `Same`, `flow.asl.json:29`.
    fn same(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Same", &d);
        rt::done(asl::keyed_object(&[&rt::string("stage"), &turn.setting("Stage"), &turn.setting("Stage"), &LITERAL_2]))
    }

    /// `Area`, `flow.asl.json:30`.
    fn area(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Area", &d);
        rt::done(LITERAL_3.clone())
    }

    /// `Other`, `flow.asl.json:31`.
    fn other(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Other", &d);
        Err(Fault::from_parts(
            Some(asl::format(&["Other.", ""], &[&turn.setting("Stage")])),
            Some(rt::string("not north")),
        ))
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("{\"RoleArn\":\"PublisherRole\"}");
    static LITERAL_2: rt::Literal = rt::Literal::new("[\"north\"]");
    static LITERAL_3: rt::Literal = rt::Literal::new("{\"area\":\"north\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Publish\" as s0\n    state \"Is It Production\" as s1\n",
        "    state \"Same\" as s2\n    state \"Area\" as s3\n    state \"Other\" as s4\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s2 : $.published.stage = $\n",
        "    s1 --> s3 : $.published.area matches #34;north-#42;#34;\n    s1 --> s4 : otherwise\n",
        "    s2 --> [*]\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s4 fail\n"
    );
}
