// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `siblings` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod siblings {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, Retries, TaskContext, Value, asl, jsonpath};

    /// The workflow `siblings`: Three offers at once; if one fails the others are given up, and all are asked once more.
    pub struct Siblings;

    impl Siblings {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Siblings, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `siblings`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `siblings`",
        label = "the trait `siblings::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl siblings::Tasks for {Self}`, with a method for each task key",
    )]
    pub trait Tasks: Send + Sync {
        /// `near`, invoked by `Ask Near` (`flow.asl.json:14`).
        fn near(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;

        /// `far`, invoked by `Ask Far` (`flow.asl.json:24`).
        fn far(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.near(input, cx)),
                1 => rt::task_future(tasks.far(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    rt::definition! {
        VERSION_0_1_0 Siblings "siblings", "asl", "flow.asl.json", 11071173481634804797, None, None, true, Some(60.0);
        graph "stateDiagram-v2\n    state \"Ask All\" as s0 {\n        state \"branch 1\" as s1 {\n            state \"Ask Near\" as s2\n            state \"No Offer\" as s3\n            [*] --> s2\n            s2 --> [*]\n            s2 --> s3 : catch Closed\n            s3 --> [*]\n        }\n        state \"branch 2\" as s4 {\n            state \"Ask Far\" as s5\n            state \"Add Freight\" as s6\n            [*] --> s5\n            s5 --> s6\n            s6 --> [*]\n        }\n        state \"branch 3\" as s7 {\n            state \"Look It Up\" as s8\n            state \"Own Price\" as s9\n            [*] --> s8\n            s8 --> s9\n            s9 --> [*]\n        }\n    }\n    state \"Nothing\" as s10\n    [*] --> s0\n    s0 --> [*]\n    s0 --> s10 : catch States.ALL\n    s10 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s5 task\n    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n    class s8 wait\n    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n    class s9 succeed\n";
        settings;
        states;
        "Ask All" "Parallel" 5 => "Nothing";
        "Nothing" "Pass" 40 =>;
        "Ask Near" "Task" 12 => "No Offer";
        "No Offer" "Pass" 18 =>;
        "Ask Far" "Task" 24 => "Add Freight";
        "Add Freight" "Pass" 25 =>;
        "Look It Up" "Wait" 30 => "Own Price";
        "Own Price" "Succeed" 30 =>;
        tasks;
        ASK_NEAR 0 "near" "Ask Near" 14 "arn:aws:lambda:eu-west-1:123456789012:function:near";
        ASK_FAR 1 "far" "Ask Far" 24 "arn:aws:lambda:eu-west-1:123456789012:function:far";
    }

    rt::machine! {
        /// The resume points: where an execution can wait, be saved, and continue.
        #[doc(hidden)]
        pub enum State(item) from Entry(item);
        Entry(d: Value) = "entry", "", 16290513905774444234 => enter ask_all(d);
        AskAllEntryAskNear(input: Value) = "Ask All entry Ask Near", "", 3736688280224215270 => enter ask_all_entry_ask_near(input);
        AskAllEntryAskFar(input: Value) = "Ask All entry Ask Far", "", 3736688280224215270 => enter ask_all_entry_ask_far(input);
        AskAllEntryLookItUp(input: Value) = "Ask All entry Look It Up", "", 3736688280224215270 => enter ask_all_entry_look_it_up(input);
        AskAllRetry(d: Value, retries: Retries) = "Ask All retry", "Ask All", 15960456506256740724 => elapsed ask_all_try(d, retries);
        AskAll(d: Value, input: Value, retries: Retries) = "Ask All", "Ask All", 80862308828053546 => resume ask_all_joined(d, retries) { else ask_all_failed(d, retries) fork [AskAllEntryAskNear(input.clone()), AskAllEntryAskFar(input.clone()), AskAllEntryLookItUp(input.clone())] };
        AskNear() = "Ask Near", "Ask Near", 8115882890224929488 => resume ask_near_done() { else ask_near_failed() };
        AskFar() = "Ask Far", "Ask Far", 8115882890224929488 => resume ask_far_done();
        LookItUp(d: Value) = "Look It Up", "Look It Up", 10018666061677677287 => elapsed own_price(d);
    }

    /// `Ask All`, `flow.asl.json:5`.
    fn ask_all(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask All", &d);
        ask_all_try(d, Retries::new(), turn)
    }

    /// `Ask All`, `flow.asl.json:5`: One attempt.
    fn ask_all_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        let input = rt::object([
            ("item", asl::field(&d, &["item"], "item.$")?.clone()),
            ("try", asl::context_field(&["State", "RetryCount"], &d, "try.$", turn)?),
        ]);
        turn.fork(3);
        rt::wait(State::AskAll(d, input, retries))
    }

    /// `Ask All`, `flow.asl.json:5`: Continues with the outputs of the branches.
    fn ask_all_joined(mut d: Value, retries: Retries, result: Value, turn: &mut Turn) -> TurnResult {
        let result = rt::object([
            ("offers", result.clone()),
            (
                "cheapest",
                asl::require_field(
                    jsonpath::select(&result)
                        .matching(|current| jsonpath::less(current.get("price"), Some(&Value::Int(50))))
                        .name("price")
                        .found()
                        .as_ref(),
                    &result,
                    "$[?(@.price < 50)].price",
                    "cheapest.$",
                )?
                .clone(),
            ),
        ]);
        if let Err(fault) = asl::put(&mut d, &["answer"], result) {
            return ask_all_failed(d, retries, fault, turn);
        }
        rt::done(asl::require_path(d.get("answer"), &d, "$.answer", &[At::Key("answer")])?.clone())
    }

    /// `Ask All`, `flow.asl.json:5`: Retries or catches a fault.
    fn ask_all_failed(mut d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_ALL_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskAllRetry(d, retries));
        }
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return nothing(d, turn);
        }
        Err(fault)
    }

    /// `Nothing`, `flow.asl.json:40`.
    fn nothing(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Nothing", &d);
        rt::done(rt::object([("nothing", asl::field(&d, &["problem", "Error"], "nothing.$")?.clone())]))
    }

    /// The start of branch 1 of `Ask All`.
    fn ask_all_entry_ask_near(input: Value, turn: &mut Turn) -> TurnResult {
        let d = input;
        ask_near(d, turn)
    }

    /// `Ask Near`, `flow.asl.json:12`.
    fn ask_near(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask Near", &d);
        turn.invoke(ASK_NEAR, d).timeout_seconds(60.0);
        rt::wait(State::AskNear())
    }

    /// `Ask Near`, `flow.asl.json:12`: Continues with the result of the task.
    fn ask_near_done(d: Value, _: &mut Turn) -> TurnResult {
        rt::done(d)
    }

    /// `Ask Near`, `flow.asl.json:12`: Retries or catches a fault.
    fn ask_near_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Closed"]) {
            let d = fault.output();
            return no_offer(d, turn);
        }
        Err(fault)
    }

    /// `No Offer`, `flow.asl.json:18`.
    fn no_offer(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("No Offer", &d);
        rt::done(Value::Null)
    }

    /// The start of branch 2 of `Ask All`.
    fn ask_all_entry_ask_far(input: Value, turn: &mut Turn) -> TurnResult {
        let d = input;
        ask_far(d, turn)
    }

    /// `Ask Far`, `flow.asl.json:24`.
    fn ask_far(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask Far", &d);
        turn.invoke(ASK_FAR, d).timeout_seconds(60.0);
        rt::wait(State::AskFar())
    }

    /// `Ask Far`, `flow.asl.json:24`: Continues with the result of the task.
    fn ask_far_done(d: Value, turn: &mut Turn) -> TurnResult {
        add_freight(d, turn)
    }

    /// `Add Freight`, `flow.asl.json:25`.
    fn add_freight(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Add Freight", &d);
        rt::done(rt::object([("price", asl::math_add(
            asl::argument(&d, &["price"], "States.MathAdd($.price, 10)")?,
            &Value::Int(10),
            "States.MathAdd($.price, 10)",
        )?)]))
    }

    /// The start of branch 3 of `Ask All`.
    fn ask_all_entry_look_it_up(input: Value, turn: &mut Turn) -> TurnResult {
        let d = input;
        look_it_up(d, turn)
    }

    /// `Look It Up`, `flow.asl.json:30`.
    fn look_it_up(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Look It Up", &d);
        turn.sleep_seconds(2.0);
        rt::wait(State::LookItUp(d))
    }

    /// `Own Price`, `flow.asl.json:30`.
    fn own_price(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Own Price", &d);
        rt::done(asl::require_path(d.get("item"), &d, "$.item", &[At::Key("item")])?.clone())
    }

    static ASK_ALL_RETRY: &[rt::Retrier] =
        &[rt::Retrier::new(&[rt::ErrorMatch::Named("Strike"), rt::ErrorMatch::AnyTask], 60.0, 1, 2.0)];
}
