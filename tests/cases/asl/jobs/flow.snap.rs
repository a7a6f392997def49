// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `jobs` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod jobs {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `jobs`: What a task can be: each kind of resource has its key and its
    /// default time-out.
    pub struct Jobs;

    impl Jobs {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Jobs, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `jobs`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `jobs`",
        label = "the trait `jobs::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl jobs::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `convert`, invoked by `Function` (`flow.asl.json:7`), `Invoke` (`flow.asl.json:13`).
        fn convert(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `ecs:runTask`, invoked by `Cluster Job` (`flow.asl.json:21`).
        fn ecs_run_task(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `states:startExecution`, invoked by `Child` (`flow.asl.json:31`).
        fn states_start_execution(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `s3:getObject`, invoked by `Read Object` (`flow.asl.json:39`).
        fn s3_get_object(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `http:invoke`, invoked by `Call` (`flow.asl.json:46`).
        fn http_invoke(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `check`, invoked by `Activity` (`flow.asl.json:55`).
        fn check(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `archive`, invoked by `Own Scheme` (`flow.asl.json:63`).
        fn archive(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 | 1 => rt::task_future(tasks.convert(input, cx)),
                2 => rt::task_future(tasks.ecs_run_task(input, cx)),
                3 => rt::task_future(tasks.states_start_execution(input, cx)),
                4 => rt::task_future(tasks.s3_get_object(input, cx)),
                5 => rt::task_future(tasks.http_invoke(input, cx)),
                6 => rt::task_future(tasks.check(input, cx)),
                7 => rt::task_future(tasks.archive(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Jobs {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "jobs",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 16090980838342262964,
        context: true,
        states: &[
            rt::StateInfo::new("Function", "Task", 5, &["Invoke"]),
            rt::StateInfo::new("Invoke", "Task", 11, &["Cluster Job"]),
            rt::StateInfo::new("Cluster Job", "Task", 19, &["Child"]),
            rt::StateInfo::new("Child", "Task", 29, &["Read Object"]),
            rt::StateInfo::new("Read Object", "Task", 37, &["Call"]),
            rt::StateInfo::new("Call", "Task", 44, &["Activity"]),
            rt::StateInfo::new("Activity", "Task", 53, &["Own Scheme"]),
            rt::StateInfo::new("Own Scheme", "Task", 61, &[]),
        ],
        tasks: &[&FUNCTION, &INVOKE, &CLUSTER_JOB, &CHILD, &READ_OBJECT, &CALL, &ACTIVITY, &OWN_SCHEME],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static FUNCTION: rt::Task =
        rt::Task::new(0, "convert", "arn:aws:lambda:eu-west-1:123456789012:function:convert:$LATEST", "Function", 7);
    static INVOKE: rt::Task = rt::Task::new(1, "convert", "arn:aws:states:::lambda:invoke", "Invoke", 13);
    static CLUSTER_JOB: rt::Task =
        rt::Task::new(2, "ecs:runTask", "arn:aws:states:::ecs:runTask.sync", "Cluster Job", 21);
    static CHILD: rt::Task =
        rt::Task::new(3, "states:startExecution", "arn:aws:states:::states:startExecution.sync:2", "Child", 31);
    static READ_OBJECT: rt::Task =
        rt::Task::new(4, "s3:getObject", "arn:aws:states:::aws-sdk:s3:getObject", "Read Object", 39);
    static CALL: rt::Task = rt::Task::new(5, "http:invoke", "arn:aws:states:::http:invoke", "Call", 46);
    static ACTIVITY: rt::Task =
        rt::Task::new(6, "check", "arn:aws:states:eu-west-1:123456789012:activity:check", "Activity", 55);
    static OWN_SCHEME: rt::Task =
        rt::Task::new(7, "archive", "https://tasks.example.org/archive?v=2", "Own Scheme", 63);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Function(Value),
        Invoke(Value),
        ClusterJob(Value),
        Child(Value),
        ReadObject(Value),
        CallRetry(Value, Retries),
        Call(Value, Retries),
        Activity(Value),
        OwnScheme(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Function(d), "Function", "Function", 16290513905774444234),
            (Invoke(d), "Invoke", "Invoke", 16290513905774444234),
            (ClusterJob(d), "Cluster Job", "Cluster Job", 16290513905774444234),
            (Child(d), "Child", "Child", 16290513905774444234),
            (ReadObject(d), "Read Object", "Read Object", 16290513905774444234),
            (CallRetry(d, retries), "Call retry", "Call", 15960456506256740724),
            (Call(d, retries), "Call", "Call", 15047625320176663010),
            (Activity(d), "Activity", "Activity", 16290513905774444234),
            (OwnScheme(d), "Own Scheme", "Own Scheme", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => function(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Function(d), Ok(result)) => function_done(d, result, turn),
                (State::Invoke(d), Ok(result)) => invoke_done(d, result, turn),
                (State::ClusterJob(d), Ok(result)) => cluster_job_done(d, result, turn),
                (State::Child(d), Ok(result)) => child_done(d, result, turn),
                (State::ReadObject(d), Ok(result)) => read_object_done(d, result, turn),
                (State::CallRetry(d, retries), _) => call_try(d, retries, turn),
                (State::Call(d, retries), Ok(result)) => call_done(d, retries, result, turn),
                (State::Call(d, retries), Err(fault)) => call_failed(d, retries, fault, turn),
                (State::Activity(d), Ok(result)) => activity_done(d, result, turn),
                (State::OwnScheme(d), Ok(result)) => own_scheme_done(d, result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Function`, `flow.asl.json:5`.
    fn function(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Function", &d);
        turn.invoke(&FUNCTION, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Function(d))
    }

    /// `Function`, `flow.asl.json:5`: Continues with the result of the task.
    fn function_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["function"], result)?;
        invoke(d, turn)
    }

    /// `Invoke`, `flow.asl.json:11`.
    fn invoke(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Invoke", &d);
        let request = rt::object([
            ("FunctionName", rt::string("convert")),
            ("Payload", asl::field(&d, &["function"], "Payload.$")?.clone()),
        ]);
        turn.invoke(&INVOKE, request).timeout_seconds(60.0);
        rt::wait(State::Invoke(d))
    }

    /// `Invoke`, `flow.asl.json:11`: Continues with the result of the task.
    fn invoke_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(
            &mut d,
            &["invoke"],
            rt::object([("payload", asl::field(&result, &["Payload"], "payload.$")?.clone())]),
        )?;
        cluster_job(d, turn)
    }

    /// `Cluster Job`, `flow.asl.json:19`.
    fn cluster_job(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Cluster Job", &d);
        let request = rt::object([
            ("Cluster", rt::string("main")),
            ("Overrides", rt::object([("Token", asl::context_field(&["Task", "Token"], &d, "Token.$", turn)?)])),
        ]);
        let credentials = rt::object([(
            "RoleArn",
            asl::format(
                &["arn:aws:iam::", ":role/jobs"],
                &[asl::argument(&d, &["account"], "States.Format('arn:aws:iam::{}:role/jobs', $.account)")?],
            ),
        )]);
        turn.invoke(&CLUSTER_JOB, request).timeout_seconds(7200.0).credentials(credentials);
        rt::wait(State::ClusterJob(d))
    }

    /// `Cluster Job`, `flow.asl.json:19`: Continues with the result of the task.
    fn cluster_job_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(
            &mut d,
            &["job"],
            rt::object([("status", asl::field(&result, &["LastStatus"], "status.$")?.clone())]),
        )?;
        child(d, turn)
    }

    /// `Child`, `flow.asl.json:29`.
    fn child(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Child", &d);
        turn.invoke(&CHILD, LITERAL_1.clone());
        rt::wait(State::Child(d))
    }

    /// `Child`, `flow.asl.json:29`: Continues with the result of the task.
    fn child_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["child"], rt::object([("output", asl::field(&result, &["Output"], "output.$")?.clone())]))?;
        read_object(d, turn)
    }

    /// `Read Object`, `flow.asl.json:37`.
    fn read_object(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Read Object", &d);
        let request = rt::object([
            ("Bucket", rt::string("b")),
            ("Key", asl::field(&d, &["child", "output", "key"], "Key.$")?.clone()),
        ]);
        turn.invoke(&READ_OBJECT, request).timeout_seconds(60.0);
        rt::wait(State::ReadObject(d))
    }

    /// `Read Object`, `flow.asl.json:37`: Continues with the result of the task.
    fn read_object_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["object"], result)?;
        call(d, turn)
    }

    /// `Call`, `flow.asl.json:44`.
    fn call(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Call", &d);
        call_try(d, Retries::new(), turn)
    }

    /// `Call`, `flow.asl.json:44`: One attempt.
    fn call_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            ("ApiEndpoint", rt::string("https://example.org/convert")),
            ("Method", rt::string("POST")),
            ("RequestBody", asl::field(&d, &["object"], "RequestBody.$")?.clone()),
        ]);
        turn.invoke(&CALL, request).timeout_seconds(60.0);
        rt::wait(State::Call(d, retries))
    }

    /// `Call`, `flow.asl.json:44`: Continues with the result of the task.
    fn call_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        let result = rt::object([("code", asl::field(&result, &["StatusCode"], "code.$")?.clone())]);
        if let Err(fault) = asl::put(&mut d, &["call"], result) {
            return call_failed(d, retries, fault, turn);
        }
        activity(d, turn)
    }

    /// `Call`, `flow.asl.json:44`: Retries or catches a fault.
    fn call_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(CALL_RETRY, &mut retries, &fault) {
            return rt::wait(State::CallRetry(d, retries));
        }
        Err(fault)
    }

    /// `Activity`, `flow.asl.json:53`.
    fn activity(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Activity", &d);
        let input = asl::path(&d, &["call"])?.clone();
        turn.invoke(&ACTIVITY, input).heartbeat_seconds(30.0);
        rt::wait(State::Activity(d))
    }

    /// `Activity`, `flow.asl.json:53`: Continues with the result of the task.
    fn activity_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["activity"], result)?;
        own_scheme(d, turn)
    }

    /// `Own Scheme`, `flow.asl.json:61`.
    fn own_scheme(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Own Scheme", &d);
        let request = d.clone();
        let credentials = LITERAL_2.clone();
        turn.invoke(&OWN_SCHEME, request).timeout_seconds(60.0).credentials(credentials);
        rt::wait(State::OwnScheme(d))
    }

    /// `Own Scheme`, `flow.asl.json:61`: Continues with the result of the task.
    fn own_scheme_done(mut d: Value, result: Value) -> TurnResult {
        asl::put(&mut d, &["archive"], result)?;
        rt::done(
            asl::require_path(
                jsonpath::members(Some(&d), &["invoke", "job", "child", "object", "call", "activity", "archive"])
                    .as_ref(),
                &d,
                "$['invoke', 'job', 'child', 'object', 'call', 'activity', 'archive']",
                &[],
            )?
            .clone(),
        )
    }

    static CALL_RETRY: &[rt::Retrier] = &[rt::Retrier::new(
        &[rt::ErrorMatch::Named("States.Http.StatusCode.503"), rt::ErrorMatch::Named("States.Http.Socket")],
        5.0,
        1,
        2.0,
    )];
    static LITERAL_1: rt::Literal = rt::Literal::new(::core::concat!(
        "{\"StateMachineArn\":\"arn:aws:states:eu-west-1:123456789012:stateMachine:child\",\"Inpu",
        "t\":{}}"
    ));
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"RoleArn\":\"arn:aws:iam::123456789012:role/archive\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Function\" as s0\n    state \"Invoke\" as s1\n",
        "    state \"Cluster Job\" as s2\n    state \"Child\" as s3\n",
        "    state \"Read Object\" as s4\n    state \"Call\" as s5\n",
        "    state \"Activity\" as s6\n    state \"Own Scheme\" as s7\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n",
        "    s5 --> s6\n    s6 --> s7\n    s7 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2,s3,s4,s5,s6,s7 task\n"
    );
}
