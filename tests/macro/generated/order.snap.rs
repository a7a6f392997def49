// Generated from `order.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `order` of `macro/flows/order.asl.json`.
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
pub mod order {
    #[allow(unused_imports, reason = "the types of the program")]
    use super::*;
    #[allow(unused_imports, reason = "the program may have types of these names")]
    use ::core::{
        clone::Clone, convert::Into, iter::Iterator, marker::Send, marker::Sync,
        option::Option::{self, None, Some},
        result::Result::{self, Err, Ok},
    };
    use ::workflow_runtime::__private as rt;
    use self::rt::{Fault, Future, Outcome, TaskContext, Value};

    /// The workflow `order`.
    pub struct Order;

    impl Order {
        /// Runs an execution in memory to its end.
        pub async fn run<T: type_bounds::Tasks>(
            tasks: &T,
            input: super::Order,
        ) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: type_bounds::Tasks>(
            tasks: &T,
        ) -> rt::Builder<Order, Bound<&T>, super::Order, Value> {
            rt::Builder::new()
                .tasks(Bound(tasks))
                .types(<super::Order as type_bounds::OrderInput>::WRITE, Ok)
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: type_bounds::Tasks> + Send + Sync>(
            tasks: T,
        ) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `order`, with a method for each task key.
    pub trait Tasks: Send + Sync {
        /// `ValidateOrder`, invoked by `Validate` (`macro/flows/order.asl.json:6`).
        fn validate(
            &self,
            input: super::Order,
            cx: TaskContext,
        ) -> impl Future<Output = Result<Validation, Fault>> + Send;

        /// `ChargeCard`, invoked by `Charge` (`macro/flows/order.asl.json:11`).
        fn charge_card(
            &self,
            input: Value,
            cx: TaskContext,
        ) -> impl Future<Output = Outcome> + Send;
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
                        <super::Order as type_bounds::ValidateInput>::READ,
                        |input, cx| Tasks::validate(tasks, input, cx),
                        <Validation as type_bounds::ValidateOutput>::WRITE,
                    )
                }
                1 => rt::task_future(Tasks::charge_card(tasks, input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    /// The bounds of the program's types.
    mod type_bounds {
        use ::workflow_runtime::__private as rt;

        #[diagnostic::on_unimplemented(
            message = "`{Self}` does not implement the tasks of the workflow `order`",
            label = "the trait `order::Tasks` is not implemented for this type",
            note = "macro/flows/order.asl.json:1:1: the workflow is defined here",
            note = "write `impl order::Tasks for {Self}`, with a method for each task key"
        )]
        pub trait Tasks: super::Tasks {}

        #[diagnostic::do_not_recommend]
        impl<T: super::Tasks + ?Sized> Tasks for T {}

        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be the input of the workflow `order`",
            label = "it does not implement `serde::Serialize`",
            note = "macro/flows/order.asl.json:1:1: the workflow is defined here",
            note = "add `#[derive(serde::Serialize)]` to the type and to the types in it, or enable the feature `serde` of the crate that defines the type",
        )]
        pub trait OrderInput: Sized {
            const WRITE: rt::Write<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<T: rt::Serialize> OrderInput for T {
            const WRITE: rt::Write<T> = rt::write;
        }

        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be the input of the task `ValidateOrder`",
            label = "it does not implement `serde::Deserialize`, or is not `Send`",
            note = "macro/flows/order.asl.json:6:19: the state `Validate` invokes the task",
            note = "add `#[derive(serde::Deserialize)]` to the type and to the types in it, or enable the feature `serde` of the crate that defines the type",
            note = "a task runs on any thread, so its input must be `Send` and cannot contain types such as `Rc`"
        )]
        pub trait ValidateInput: Sized {
            const READ: rt::Read<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<T: rt::DeserializeOwned + Send> ValidateInput for T {
            const READ: rt::Read<T> = rt::read;
        }

        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be the output of the task `ValidateOrder`",
            label = "it does not implement `serde::Serialize`",
            note = "macro/flows/order.asl.json:6:19: the state `Validate` invokes the task",
            note = "add `#[derive(serde::Serialize)]` to the type and to the types in it, or enable the feature `serde` of the crate that defines the type",
        )]
        pub trait ValidateOutput: Sized {
            const WRITE: rt::Write<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<T: rt::Serialize> ValidateOutput for T {
            const WRITE: rt::Write<T> = rt::write;
        }
    }

    impl rt::Workflow for Order {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "order",
        dialect: "asl",
        source: "macro/flows/order.asl.json",
        hash: 7808464189536646217,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Validate", "Task", 4, &["Charge"]),
            rt::StateInfo::new("Charge", "Task", 9, &[]),
        ],
        tasks: &[&VALIDATE, &CHARGE],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static VALIDATE: rt::Task = rt::Task::new(
        0,
        "ValidateOrder",
        "arn:aws:lambda:eu-west-1:123456789012:function:ValidateOrder",
        "Validate",
        6,
    );
    static CHARGE: rt::Task = rt::Task::new(
        1,
        "ChargeCard",
        "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard",
        "Charge",
        11,
    );

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Validate,
        Charge,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        self::rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234), (Validate, "Validate", "Validate",
            14695981039346656037), (Charge, "Charge", "Charge", 14695981039346656037),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => validate(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Validate, Ok(result)) => validate_done(result, turn),
                (State::Charge, Ok(result)) => charge_done(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Validate`, `macro/flows/order.asl.json:4`.
    fn validate(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Validate", &d);
        turn.invoke(&VALIDATE, d).timeout_seconds(60.0);
        rt::wait(State::Validate)
    }

    /// `Validate`, `macro/flows/order.asl.json:4`: Continues with the result of the task.
    fn validate_done(d: Value, turn: &mut Turn) -> TurnResult {
        charge(d, turn)
    }

    /// `Charge`, `macro/flows/order.asl.json:9`.
    fn charge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Charge", &d);
        turn.invoke(&CHARGE, d).timeout_seconds(60.0);
        rt::wait(State::Charge)
    }

    /// `Charge`, `macro/flows/order.asl.json:9`: Continues with the result of the task.
    fn charge_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Validate\" as s0\n    state \"Charge\" as s1\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s1 task\n"
    );
}
