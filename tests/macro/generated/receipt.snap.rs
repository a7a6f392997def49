// Generated from `receipt.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `receipt` of `macro/flows/receipt.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(
    nonstandard_style,
    clippy::enum_variant_names,
    clippy::upper_case_acronyms,
    reason = "names are authored"
)]
#[allow(
    clippy::just_underscores_and_digits,
    clippy::module_inception,
    reason = "names are authored"
)]
#[allow(
    clippy::if_same_then_else,
    clippy::too_many_arguments,
    reason = "as the definition demands"
)]
#[allow(
    clippy::approx_constant,
    clippy::needless_question_mark,
    reason = "as the definition demands"
)]
#[allow(
    private_bounds,
    private_interfaces,
    reason = "types of the program can be private"
)]
pub mod receipt {
    #[allow(unused_imports, reason = "the types of the program")]
    use super::*;
    #[allow(unused_imports, reason = "the program may have types of these names")]
    use ::core::{
        clone::Clone, convert::Into, iter::Iterator, marker::Send, marker::Sync,
        option::Option::{self, None, Some},
        result::Result::{self, Err, Ok},
    };
    use ::workflow_runtime::__private as rt;
    use self::rt::{At, Fault, Future, Outcome, TaskContext, Value, asl};

    /// The workflow `receipt`.
    pub struct Receipt;

    impl Receipt {
        /// Runs an execution in memory to its end.
        pub async fn run<T: type_bounds::Tasks>(
            tasks: &T,
            input: impl rt::IntoInput<Value>,
        ) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: type_bounds::Tasks>(tasks: &T) -> rt::Builder<Receipt, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: type_bounds::Tasks> + Send + Sync>(
            tasks: T,
        ) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `receipt`, with a method for each task key.
    pub trait Tasks: Send + Sync {
        /// `ChargeCard`, invoked by `Charge` (`macro/flows/receipt.asl.json:4`).
        fn charge_card(
            &self,
            input: Value,
            cx: TaskContext,
        ) -> impl Future<Output = Result<super::Receipt<Item>, Fault>> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(
            &self,
            task: &'static rt::Task,
            input: Value,
            cx: TaskContext,
        ) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => {
                    rt::typed_task(
                        task,
                        input,
                        cx,
                        Ok,
                        |input, cx| Tasks::charge_card(tasks, input, cx),
                        <super::Receipt<Item> as type_bounds::ChargeCardOutput>::WRITE,
                    )
                }
                _ => rt::unknown_task(task),
            }
        }
    }

    /// The bounds of the program's types.
    mod type_bounds {
        use ::workflow_runtime::__private as rt;

        #[diagnostic::on_unimplemented(
            message = "`{Self}` does not implement the tasks of the workflow `receipt`",
            label = "the trait `receipt::Tasks` is not implemented for this type",
            note = "macro/flows/receipt.asl.json:1:1: the workflow is defined here",
            note = "write `impl receipt::Tasks for {Self}`, with a method for each task key"
        )]
        pub trait Tasks: super::Tasks {}

        #[diagnostic::do_not_recommend]
        impl<T: super::Tasks + ?Sized> Tasks for T {}

        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be the output of the task `ChargeCard`",
            label = "it does not implement `serde::Serialize`",
            note = "macro/flows/receipt.asl.json:4:45: the state `Charge` invokes the task",
            note = "add `#[derive(serde::Serialize)]` to the type and to the types in it, or enable the feature `serde` of the crate that defines the type",
        )]
        pub trait ChargeCardOutput: Sized {
            const WRITE: rt::Write<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<T: rt::Serialize> ChargeCardOutput for T {
            const WRITE: rt::Write<T> = rt::write;
        }
    }

    #[allow(unused_imports, reason = "all types may have shapes")]
    use self::rt::UnknownShape as _;

    #[allow(long_running_const_eval, reason = "a definition may have many paths")]
    const _: () = rt::check_paths(
        rt::ShapeOf::<super::Receipt<Item>>::SHAPE,
        &rt::PathUse {
            file: "macro/flows/receipt.asl.json",
            source: "the output of `ChargeCard`",
            name: "Receipt<Item>",
            rule: rt::PathRule::Fault,
            code: "WF1901",
            paths: &[1, 0, 1, 1, 0, 1, 2, 0, 1, 3, 0, 1],
            steps: &[0, 1, 2, 3, 4, 5, 6],
            names: &[
                (628021283683842752, ".id"),
                (1089200471880427516, ".ammount"),
                (1673076945917317811, ".address"),
                (18003902094994090146, ".city"),
                (4501493784760101999, ".items"),
                (0, "[]"),
                (3393610910270210282, ".price"),
            ],
            places: &[8, 28, 0, 9, 30, 0, 10, 30, 0, 11, 31, 0],
            bases: &["$.receipt"],
        },
    );

    impl rt::Workflow for Receipt {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "receipt",
        dialect: "asl",
        source: "macro/flows/receipt.asl.json",
        hash: 947405873752866128,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Charge", "Task", 4, &["Book"]),
            rt::StateInfo::new("Book", "Pass", 5, &[]),
        ],
        tasks: &[&CHARGE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static CHARGE: rt::Task = rt::Task::new(0, "ChargeCard", "ChargeCard", "Charge", 4);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Charge(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        self::rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234), (Charge(d), "Charge", "Charge",
            16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => charge(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Charge(d), Ok(result)) => charge_done(d, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Charge`, `macro/flows/receipt.asl.json:4`.
    fn charge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Charge", &d);
        turn.invoke(&CHARGE, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Charge(d))
    }

    /// `Charge`, `macro/flows/receipt.asl.json:4`: Continues with the result of the task.
    fn charge_done(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        asl::put(&mut d, &["receipt"], result)?;
        book(d, turn)
    }

    /// `Book`, `macro/flows/receipt.asl.json:5`.
    fn book(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Book", &d);
        rt::done(
            rt::object([
                ("id", asl::field(&d, &["receipt", "id"], "id.$")?.clone()),
                ("paid", asl::field(&d, &["receipt", "ammount"], "paid.$")?.clone()),
                ("city", asl::field(&d, &["receipt", "address", "city"], "city.$")?.clone()),
                (
                    "first",
                    asl::field_at(
                            &d,
                            &[
                                At::Key("receipt"),
                                At::Key("items"),
                                At::Index(0),
                                At::Key("price"),
                            ],
                            "first.$",
                        )?
                        .clone(),
                ),
            ]),
        )
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Charge\" as s0\n    state \"Book\" as s1\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0 task\n"
    );
}
