// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `thumbnails` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod thumbnails {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `thumbnails`: Scales the photos of an album, two at a time; one or two may
    /// be broken.
    pub struct Thumbnails;

    impl Thumbnails {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Thumbnails, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `thumbnails`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `thumbnails`",
        label = "the trait `thumbnails::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl thumbnails::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `lambda:invoke`, invoked by `Scale` (`flow.asl.json:24`).
        fn lambda_invoke(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `print`, invoked by `Print` (`flow.asl.json:52`).
        fn print(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.lambda_invoke(input, cx)),
                1 => rt::task_future(tasks.print(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Thumbnails {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "thumbnails",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 11550338928547258071,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Scale All", "Map", 5, &["Order Prints", "Apologise"]),
            rt::StateInfo::new("Order Prints", "Map", 41, &[]),
            rt::StateInfo::new("Apologise", "Fail", 61, &[]),
            rt::StateInfo::new("Scale", "Task", 22, &[]),
            rt::StateInfo::new("Print", "Task", 50, &[]),
        ],
        tasks: &[&SCALE, &PRINT],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static SCALE: rt::Task = rt::Task::new(0, "lambda:invoke", "arn:aws:states:::aws-sdk:lambda:invoke", "Scale", 24);
    static PRINT: rt::Task =
        rt::Task::new(1, "print", "arn:aws:lambda:eu-west-1:123456789012:function:print", "Print", 52);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        ScaleAllEntryScale(Value),
        OrderPrintsEntryPrint(Value),
        ScaleAll(Value),
        OrderPrints,
        Scale(Value),
        PrintRetry(Value, Retries),
        Print(Value, Retries),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (ScaleAllEntryScale(d), "Scale All entry Scale", "", 16290513905774444234),
            (OrderPrintsEntryPrint(item2), "Order Prints entry Print", "", 959335838573033941),
            (ScaleAll(d), "Scale All", "Scale All", 11263612639614581427),
            (OrderPrints, "Order Prints", "Order Prints", 14478670567112492214),
            (Scale(d), "Scale", "Scale", 18164104537525174864),
            (PrintRetry(d, retries), "Print retry", "Print", 1912627768445071429),
            (Print(d, retries), "Print", "Print", 2154497028210557407),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => scale_all(d, turn),
                State::ScaleAllEntryScale(d) => scale_all_entry_scale(d, turn),
                State::OrderPrintsEntryPrint(item2) => order_prints_entry_print(item2, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::ScaleAll(d), Ok(result)) => scale_all_joined(d, result, turn),
                (State::ScaleAll(d), Err(fault)) => scale_all_failed(d, fault, turn),
                (State::OrderPrints, Ok(result)) => order_prints_joined(result),
                (State::Scale(d), Ok(result)) => scale_done(d, result),
                (State::PrintRetry(d, retries), _) => print_try(d, retries, turn),
                (State::Print(_, _), Ok(result)) => print_done(result),
                (State::Print(d, retries), Err(fault)) => print_failed(d, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::ScaleAll(d), _) => Some(State::ScaleAllEntryScale(d.clone())),
                (State::OrderPrints, _) => Some(State::OrderPrintsEntryPrint(item.clone())),
                _ => None,
            }
        }
    }

    /// `Scale All`, `flow.asl.json:5`.
    fn scale_all(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Scale All", &d);
        let items = asl::items_array(asl::at(&d, &["photos"]))?.clone();
        let limits = rt::Limits {
            concurrency: 2,
            tolerated_count: Some(rt::count(&asl::tolerated_count_path(asl::at(&d, &["tolerated"]))?)?),
            ..rt::Limits::default()
        };
        turn.for_each(&items, limits);
        rt::wait(State::ScaleAll(d))
    }

    /// `Scale All`, `flow.asl.json:5`: Continues with the outputs of the iterations.
    fn scale_all_joined(mut d: Value, result: Value, turn: &mut Turn) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["thumbnails"], result) {
            return scale_all_failed(d, fault, turn);
        }
        order_prints(d, turn)
    }

    /// `Scale All`, `flow.asl.json:5`: Retries or catches a fault.
    fn scale_all_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.ExceedToleratedFailureThreshold"]) {
            asl::put(&mut d, &["problem"], fault.output())?;
            return apologise(d, turn);
        }
        Err(fault)
    }

    /// `Order Prints`, `flow.asl.json:41`: As many at a time as the input says; the whole
    /// input to each.
    fn order_prints(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Order Prints", &d);
        let items = asl::items_array(asl::at(&d, &["thumbnails"]))?.clone();
        let limits = rt::Limits {
            concurrency: rt::count(&asl::max_concurrency_path(asl::at(&d, &["printers"]))?)?,
            tolerated_percentage: Some(50.0),
            ..rt::Limits::default()
        };
        turn.for_each(&items, limits);
        rt::wait(State::OrderPrints)
    }

    /// `Order Prints`, `flow.asl.json:41`: Continues with the outputs of the iterations.
    fn order_prints_joined(result: Value) -> TurnResult {
        rt::done(rt::object([("prints", jsonpath::select(&result).wildcard().collect())]))
    }

    /// `Apologise`, `flow.asl.json:61`.
    fn apologise(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Apologise", &d);
        Err(Fault::from_parts(
            Some(rt::string("BrokenPhotos")),
            Some(asl::fault_string(asl::at(&d, &["problem", "Error"]), &d, "CausePath")?.clone()),
        ))
    }

    /// The start of the item processor of `Scale All`.
    fn scale_all_entry_scale(d: Value, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            (
                "number",
                asl::math_add(
                    asl::require_argument(
                        turn.context().get("Map").get("Item").get("Index"),
                        &d,
                        "$$.Map.Item.Index",
                        "States.MathAdd($$.Map.Item.Index, 1)",
                    )?,
                    &Value::Int(1),
                    "States.MathAdd($$.Map.Item.Index, 1)",
                )?,
            ),
            (
                "of",
                asl::array_length(
                    asl::argument(&d, &["photos"], "States.ArrayLength($.photos)")?,
                    "States.ArrayLength($.photos)",
                )?,
            ),
            ("photo", asl::context_field(&["Map", "Item", "Value", "file"], &d, "photo.$", turn)?),
            ("album", asl::field(&d, &["album"], "album.$")?.clone()),
            ("asked", asl::context_field(&["Execution", "Input", "album"], &d, "asked.$", turn)?),
            ("width", Value::Int(160)),
        ]);
        scale(d, turn)
    }

    /// `Scale`, `flow.asl.json:22`.
    fn scale(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Scale", &d);
        turn.invoke(&SCALE, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Scale(d))
    }

    /// `Scale`, `flow.asl.json:22`: Continues with the result of the task.
    fn scale_done(mut d: Value, result: Value) -> TurnResult {
        asl::put(&mut d, &["thumbnail"], result)?;
        rt::done(
            asl::require_path(
                jsonpath::members(Some(&d), &["number", "thumbnail"]).as_ref(),
                &d,
                "$['number', 'thumbnail']",
                &[],
            )?
            .clone(),
        )
    }

    /// The start of the item processor of `Order Prints`.
    fn order_prints_entry_print(item2: Value, turn: &mut Turn) -> TurnResult {
        print(item2, turn)
    }

    /// `Print`, `flow.asl.json:50`.
    fn print(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Print", &d);
        print_try(d, Retries::new(), turn)
    }

    /// `Print`, `flow.asl.json:50`: One attempt.
    fn print_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&PRINT, d.clone()).timeout_seconds(60.0);
        rt::wait(State::Print(d, retries))
    }

    /// `Print`, `flow.asl.json:50`: Continues with the result of the task.
    fn print_done(d: Value) -> TurnResult {
        rt::done(d)
    }

    /// `Print`, `flow.asl.json:50`: Retries or catches a fault.
    fn print_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(PRINT_RETRY, &mut retries, &fault) {
            return rt::wait(State::PrintRetry(d, retries));
        }
        Err(fault)
    }

    static PRINT_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("NoPaper")], 1.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Scale All\" as s0 {\n",
        "        state \"for each item, 2 at a time\" as s1 {\n",
        "            state \"Scale\" as s2\n            [*] --> s2\n            s2 --> [*]\n",
        "        }\n    }\n    state \"Order Prints\" as s3 {\n",
        "        state \"for each item, $.printers at a time\" as s4 {\n",
        "            state \"Print\" as s5\n            [*] --> s5\n            s5 --> [*]\n",
        "        }\n    }\n    state \"Apologise\" as s6\n    [*] --> s0\n    s0 --> s3\n",
        "    s0 --> s6 : catch States.ExceedToleratedFailureThreshold\n    s3 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s5 task\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s6 fail\n"
    );
}
