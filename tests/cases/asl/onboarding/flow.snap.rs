// Generated from `flow.asl.yaml` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `onboarding` of `flow.asl.yaml`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod onboarding {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, Retries, TaskContext, Value, asl, jsonpath};

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
        note = "write `impl onboarding::Tasks for {Self}`, with a method for each task key"
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

    impl rt::Workflow for Onboarding {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "onboarding",
        dialect: "asl",
        source: "flow.asl.yaml",
        hash: 5058614608838901522,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Check", "Choice", 7, &["Nobody", "Too Late", "Accounts"]),
            rt::StateInfo::new("Accounts", "Task", 20, &["Desk"]),
            rt::StateInfo::new("Desk", "Task", 34, &["Welcome"]),
            rt::StateInfo::new("Welcome", "Pass", 40, &[]),
            rt::StateInfo::new("Too Late", "Fail", 63, &[]),
            rt::StateInfo::new("Nobody", "Fail", 64, &[]),
        ],
        tasks: &[&ACCOUNTS, &DESK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static ACCOUNTS: rt::Task =
        rt::Task::new(0, "accounts", "arn:aws:lambda:eu-west-1:123456789012:function:accounts", "Accounts", 22);
    static DESK: rt::Task = rt::Task::new(1, "desk", "arn:aws:lambda:eu-west-1:123456789012:function:desk", "Desk", 36);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        AccountsRetry(Value, Retries),
        Accounts(Value, Retries),
        DeskRetry(Value, Retries),
        Desk(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (AccountsRetry(d, retries), "Accounts retry", "Accounts", 15960456506256740724),
            (Accounts(d, retries), "Accounts", "Accounts", 15047625320176663010),
            (DeskRetry(d, retries), "Desk retry", "Desk", 15960456506256740724),
            (Desk(d, retries), "Desk", "Desk", 15047625320176663010),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => check(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::AccountsRetry(d, retries), _) => accounts_try(d, retries, turn),
                (State::Accounts(d, retries), Ok(result)) => accounts_done(d, retries, result, turn),
                (State::Accounts(d, retries), Err(fault)) => accounts_failed(d, retries, fault, turn),
                (State::DeskRetry(d, retries), _) => desk_try(d, retries, turn),
                (State::Desk(d, retries), Ok(result)) => desk_done(d, retries, result, turn),
                (State::Desk(d, retries), Err(fault)) => desk_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
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
        turn.invoke(&ACCOUNTS, d.clone()).timeout_seconds(60.0);
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
        turn.invoke(&DESK, d.clone()).timeout_seconds(60.0);
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
            (
                "text",
                asl::format(
                    &["Welcome, ", "!"],
                    &[asl::argument(&d, &["person", "name"], "States.Format('Welcome, {}!', $.person.name)")?],
                ),
            ),
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

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Check\" as s0\n    state \"Accounts\" as s1\n",
        "    state \"Desk\" as s2\n    state \"Welcome\" as s3\n    state \"Too Late\" as s4\n",
        "    state \"Nobody\" as s5\n    [*] --> s0\n",
        "    s0 --> s5 : $.person.name is not present\n",
        "    s0 --> s4 : $.person.start is a timestamp and $.person.start #60; #34;2020-01-01T00#",
        "58;00#58;00Z#34;\n    s0 --> s1 : otherwise\n    s1 --> s2\n    s2 --> s3\n",
        "    s3 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s1,s2 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0 choice\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s4,s5 fail\n"
    );
}
