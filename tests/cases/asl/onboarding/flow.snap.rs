// Generated from `flow.asl.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `onboarding` of `flow.asl.yaml`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod onboarding {
    use ::workflow_runtime::__private as rt;
    use rt::{Get as _, Fault, Future, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `onboarding`: Accounts, a desk, and a word of welcome.
    pub struct Onboarding;

    impl Onboarding {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Onboarding, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `onboarding`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `onboarding`",
        label = "the trait `onboarding::Tasks` is not implemented for this type",
        note = "flow.asl.yaml:2:1: the workflow is defined here",
        note = "write `impl onboarding::Tasks for {Self}`, with a method for each task key",
    )]
    pub trait Tasks: Send + Sync {
        /// `accounts`, invoked by `Accounts` (`flow.asl.yaml:22`).
        fn accounts(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `desk`, invoked by `Desk` (`flow.asl.yaml:36`).
        fn desk(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.accounts(input, cx)),
                1 => rt::task_future(tasks.desk(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    rt::definition! {
        VERSION_0_1_0 Onboarding "onboarding", "asl", "flow.asl.yaml", 5058614608838901522, None, None, false, Some(60.0);
        graph "stateDiagram-v2\n    state \"Check\" as s0\n    state \"Accounts\" as s1\n    state \"Desk\" as s2\n    state \"Welcome\" as s3\n    state \"Too Late\" as s4\n    state \"Nobody\" as s5\n    [*] --> s0\n    s0 --> s5 : $.person.name is not present\n    s0 --> s4 : $.person.start is a timestamp and $.person.start #60; #34;2020-01-01T00#58;00#58;00Z#34;\n    s0 --> s1 : otherwise\n    s1 --> s2\n    s2 --> s3\n    s3 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s1,s2 task\n    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n    class s0 choice\n    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dasharray:4 2\n    class s4,s5 fail\n";
        settings;
        states;
        "Check" "Choice" 7 => "Nobody" "Too Late" "Accounts";
        "Accounts" "Task" 20 => "Desk";
        "Desk" "Task" 34 => "Welcome";
        "Welcome" "Pass" 40 =>;
        "Too Late" "Fail" 63 =>;
        "Nobody" "Fail" 64 =>;
        tasks;
        ACCOUNTS 0 "accounts" "Accounts" 22 "arn:aws:lambda:eu-west-1:123456789012:function:accounts";
        DESK 1 "desk" "Desk" 36 "arn:aws:lambda:eu-west-1:123456789012:function:desk";
    }

    rt::machine! {
        /// The resume points: where an execution can wait, be saved, and continue.
        #[doc(hidden)]
        pub enum State(item) from Entry(item);
        Entry(d: Value) = "entry", "", 16290513905774444234 => enter check(d);
        AccountsRetry(d: Value, retries: Retries) = "Accounts retry", "Accounts", 15960456506256740724 => elapsed accounts_try(d, retries);
        Accounts(d: Value, retries: Retries) = "Accounts", "Accounts", 15047625320176663010 => resume accounts_done(d, retries) { else accounts_failed(d, retries) };
        DeskRetry(d: Value, retries: Retries) = "Desk retry", "Desk", 15960456506256740724 => elapsed desk_try(d, retries);
        Desk(d: Value, retries: Retries) = "Desk", "Desk", 15047625320176663010 => resume desk_done(d, retries) { else desk_failed(d, retries) };
    }

    /// `Check`, `flow.asl.yaml:7`.
    fn check(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Check", &d);
        if !asl::is_present(d.get("person").get("name")) {
            nobody(d, turn)
        } else if asl::is_timestamp(asl::subject(&d, &["person", "start"])?)
            && asl::timestamp_less_than(asl::subject(&d, &["person", "start"])?, "2020-01-01T00:00:00Z")
        {
            too_late(d, turn)
        } else {
            accounts(d, turn)
        }
    }

    /// `Accounts`, `flow.asl.yaml:20`.
    fn accounts(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Accounts", &d);
        accounts_try(d, Retries::new(), turn)
    }

    /// `Accounts`, `flow.asl.yaml:20`: One attempt.
    fn accounts_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(ACCOUNTS, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Accounts(d, retries))
    }

    /// `Accounts`, `flow.asl.yaml:20`: Continues with the result of the task.
    fn accounts_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["accounts"], result) {
            return accounts_failed(d, retries, fault, turn);
        }
        desk(d, turn)
    }

    /// `Accounts`, `flow.asl.yaml:20`: Retries or catches a fault.
    fn accounts_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ACCOUNTS_RETRY, &mut retries, &fault) {
            return rt::wait(State::AccountsRetry(d, retries));
        }
        Err(fault)
    }

    /// `Desk`, `flow.asl.yaml:34`.
    fn desk(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Desk", &d);
        desk_try(d, Retries::new(), turn)
    }

    /// `Desk`, `flow.asl.yaml:34`: One attempt.
    fn desk_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(DESK, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Desk(d, retries))
    }

    /// `Desk`, `flow.asl.yaml:34`: Continues with the result of the task.
    fn desk_done(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["desk"], result) {
            return desk_failed(d, retries, fault, turn);
        }
        welcome(d, turn)
    }

    /// `Desk`, `flow.asl.yaml:34`: Retries or catches a fault.
    fn desk_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(DESK_RETRY, &mut retries, &fault) {
            return rt::wait(State::DeskRetry(d, retries));
        }
        Err(fault)
    }

    /// `Welcome`, `flow.asl.yaml:40`.
    fn welcome(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Welcome", &d);
        rt::done(rt::object([
            ("text", asl::format(&["Welcome, ", "!"], &[
                asl::argument(&d, &["person", "name"], "States.Format('Welcome, {}!', $.person.name)")?,
            ])),
            ("desk", asl::field(&d, &["desk"], "desk.$")?.clone()),
            (
                "accounts",
                asl::require_field(
                    jsonpath::select(&d).name("accounts").wildcard().found().as_ref(),
                    &d,
                    "$.accounts[*]",
                    "accounts.$",
                )?
                .clone(),
            ),
            ("yes", rt::string("yes")),
            ("on", rt::string("on")),
            ("nothing", Value::Null),
            ("number", Value::Int(15)),
            ("date", rt::string("2026-01-01")),
            ("lines", rt::string("first\n  second\n")),
            ("folded", rt::string("one two\nthree\n")),
        ]))
    }

    /// `Too Late`, `flow.asl.yaml:63`.
    fn too_late(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Too Late", &d);
        Err(Fault::new("TooLate", "it's\tpast — ✓"))
    }

    /// `Nobody`, `flow.asl.yaml:64`.
    fn nobody(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nobody", &d);
        Err(Fault::new("Nobody", "nobody's name"))
    }

    static ACCOUNTS_RETRY: &[rt::Retrier] = &[
        rt::Retrier::new(&[rt::ErrorMatch::Named("Busy"), rt::ErrorMatch::Timeout], 1.0, 2, 1.5),
        rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 2.0),
    ];

    static DESK_RETRY: &[rt::Retrier] = &[
        rt::Retrier::new(&[rt::ErrorMatch::Named("Busy"), rt::ErrorMatch::Timeout], 1.0, 2, 1.5),
        rt::Retrier::new(&[rt::ErrorMatch::Any], 1.0, 1, 2.0),
    ];
}
