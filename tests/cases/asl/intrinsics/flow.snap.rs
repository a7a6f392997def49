// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `intrinsics` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod intrinsics {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Get as _, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `intrinsics`: Every intrinsic function, alone and inside others.
    pub struct Intrinsics;

    impl Intrinsics {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Intrinsics, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `intrinsics`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `intrinsics`",
        label = "the trait `intrinsics::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl intrinsics::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `nested`, invoked by `Task` (`flow.asl.json:75`).
        fn nested(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.nested(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Intrinsics {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "intrinsics",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 18136170514118376547,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Text", "Pass", 5, &["Lists"]),
            rt::StateInfo::new("Lists", "Pass", 20, &["Numbers"]),
            rt::StateInfo::new("Numbers", "Pass", 34, &["Same"]),
            rt::StateInfo::new("Same", "Choice", 46, &["Never", "Ids"]),
            rt::StateInfo::new("Never", "Fail", 53, &[]),
            rt::StateInfo::new("Ids", "Pass", 54, &["Are They Ids"]),
            rt::StateInfo::new("Are They Ids", "Choice", 60, &["Never", "Task"]),
            rt::StateInfo::new("Task", "Task", 73, &["Never"]),
        ],
        tasks: &[&TASK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static TASK: rt::Task =
        rt::Task::new(0, "nested", "arn:aws:lambda:eu-west-1:123456789012:function:nested", "Task", 75);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        Task(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (Task(d), "Task", "Task", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => text(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Task(d), Ok(_)) => task_done(d),
                (State::Task(d), Err(fault)) => task_failed(d, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Text`, `flow.asl.json:5`.
    fn text(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Text", &d);
        let result = rt::object([
            (
                "format",
                asl::format(
                    &["", " said '", "' ", " times {}"],
                    &[
                        asl::argument(
                            &d,
                            &["name"],
                            "States.Format('{} said \\'{}\\' {} times \\{\\}', $.name, $.word, 3)",
                        )?,
                        asl::argument(
                            &d,
                            &["word"],
                            "States.Format('{} said \\'{}\\' {} times \\{\\}', $.name, $.word, 3)",
                        )?,
                        &Value::Int(3),
                    ],
                ),
            ),
            (
                "json",
                asl::string_to_json(
                    asl::argument(&d, &["json"], "States.StringToJson($.json)")?,
                    "States.StringToJson($.json)",
                )?,
            ),
            (
                "text",
                asl::json_to_string(
                    asl::argument(&d, &["object"], "States.JsonToString($.object)")?,
                    "States.JsonToString($.object)",
                )?,
            ),
            (
                "split",
                asl::string_split(&rt::string("a,b;,c"), &rt::string(",;"), "States.StringSplit('a,b;,c', ',;')")?,
            ),
            (
                "encoded",
                asl::base64_encode(
                    asl::argument(&d, &["word"], "States.Base64Encode($.word)")?,
                    "States.Base64Encode($.word)",
                )?,
            ),
            (
                "decoded",
                asl::base64_decode(
                    &asl::base64_encode(
                        &asl::format(&["", "!"], &[asl::argument(&d, &["word"], "States.Format('{}!', $.word)")?]),
                        "States.Base64Encode(States.Format('{}!', $.word))",
                    )?,
                    "States.Base64Decode(States.Base64Encode(States.Format('{}!', $.word)))",
                )?,
            ),
            (
                "hash",
                asl::hash(
                    asl::argument(&d, &["word"], "States.Hash($.word, 'SHA-256')")?,
                    &rt::string("SHA-256"),
                    "States.Hash($.word, 'SHA-256')",
                )?,
            ),
            (
                "md5",
                asl::hash(
                    asl::argument(&d, &["word"], "States.Hash($.word, 'MD5')")?,
                    &rt::string("MD5"),
                    "States.Hash($.word, 'MD5')",
                )?,
            ),
        ]);
        asl::put(&mut d, &["text"], result)?;
        lists(d, turn)
    }

    /// `Lists`, `flow.asl.json:20`.
    fn lists(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Lists", &d);
        let result = rt::object([
            (
                "array",
                rt::array([
                    rt::string("a"),
                    Value::Int(1),
                    Value::Bool(true),
                    Value::Null,
                    asl::argument(&d, &["object"], "States.Array('a', 1, true, null, $.object, States.Array())")?
                        .clone(),
                    LITERAL_1.clone(),
                ]),
            ),
            (
                "parts",
                asl::array_partition(
                    &asl::array_range(&Value::Int(1), &Value::Int(7), &Value::Int(2), "States.ArrayRange(1, 7, 2)")?,
                    &Value::Int(3),
                    "States.ArrayPartition(States.ArrayRange(1, 7, 2), 3)",
                )?,
            ),
            (
                "contains",
                asl::array_contains(
                    asl::argument(&d, &["list"], "States.ArrayContains($.list, $.object.n)")?,
                    asl::argument(&d, &["object", "n"], "States.ArrayContains($.list, $.object.n)")?,
                    "States.ArrayContains($.list, $.object.n)",
                )?,
            ),
            (
                "item",
                asl::array_get_item(
                    asl::argument(
                        &d,
                        &["list"],
                        "States.ArrayGetItem($.list, States.MathAdd(States.ArrayLength($.list), -1))",
                    )?,
                    &asl::math_add(
                        &asl::array_length(
                            asl::argument(&d, &["list"], "States.ArrayLength($.list)")?,
                            "States.ArrayLength($.list)",
                        )?,
                        &Value::Int(-1),
                        "States.MathAdd(States.ArrayLength($.list), -1)",
                    )?,
                    "States.ArrayGetItem($.list, States.MathAdd(States.ArrayLength($.list), -1))",
                )?,
            ),
            (
                "unique",
                asl::array_unique(
                    &rt::array([
                        Value::Int(1),
                        Value::Float(1.0),
                        rt::string("1"),
                        Value::Int(1),
                        asl::require_argument(
                            d.get("list").get(0),
                            &d,
                            "$.list[0]",
                            "States.Array(1, 1.0, '1', 1, $.list[0])",
                        )?
                        .clone(),
                    ]),
                    "States.ArrayUnique(States.Array(1, 1.0, '1', 1, $.list[0]))",
                )?,
            ),
            (
                "length",
                asl::array_length(
                    asl::require_argument(
                        jsonpath::select(&d)
                            .name("list")
                            .matching(|current| jsonpath::less(Some(&Value::Int(1)), Some(current)))
                            .found()
                            .as_ref(),
                        &d,
                        "$.list[?(@ > 1)]",
                        "States.ArrayLength($.list[?(@ > 1)])",
                    )?,
                    "States.ArrayLength($.list[?(@ > 1)])",
                )?,
            ),
            (
                "down",
                asl::array_range(&Value::Int(3), &Value::Int(-3), &Value::Int(-2), "States.ArrayRange(3, -3, -2)")?,
            ),
        ]);
        asl::put(&mut d, &["lists"], result)?;
        numbers(d, turn)
    }

    /// `Numbers`, `flow.asl.json:34`.
    fn numbers(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Numbers", &d);
        let result = rt::object([
            (
                "sum",
                asl::math_add(
                    asl::argument(&d, &["object", "n"], "States.MathAdd($.object.n, -5)")?,
                    &Value::Int(-5),
                    "States.MathAdd($.object.n, -5)",
                )?,
            ),
            ("rounded", asl::math_add(&Value::Float(1.5), &Value::Float(-1.5), "States.MathAdd(1.5, -1.5)")?),
            (
                "merged",
                asl::json_merge(
                    asl::argument(&d, &["object"], TEXT_1)?,
                    &asl::string_to_json(
                        &rt::string("{\"n\":{\"deep\":1},\"z\":2}"),
                        "States.StringToJson('{\"n\":{\"deep\":1},\"z\":2}')",
                    )?,
                    &Value::Bool(false),
                    TEXT_1,
                )?,
            ),
            (
                "random",
                asl::math_random_seeded(
                    &Value::Int(1),
                    &Value::Int(10),
                    &Value::Int(7),
                    "States.MathRandom(1, 10, 7)",
                )?,
            ),
            (
                "again",
                asl::math_random_seeded(
                    &Value::Int(1),
                    &Value::Int(10),
                    &Value::Int(7),
                    "States.MathRandom(1, 10, 7)",
                )?,
            ),
        ]);
        asl::put(&mut d, &["numbers"], result)?;
        same(d, turn)
    }

    /// `Same`, `flow.asl.json:46`.
    fn same(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Same", &d);
        if !asl::numeric_equals_path(
            asl::subject(&d, &["numbers", "random"])?,
            asl::subject(&d, &["numbers", "again"])?,
        ) {
            never(d, turn)
        } else {
            ids(d, turn)
        }
    }

    /// `Never`, `flow.asl.json:53`.
    fn never(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Never", &d);
        Err(Fault::from_parts(Some(rt::string("Never")), None))
    }

    /// `Ids`, `flow.asl.json:54`.
    fn ids(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ids", &d);
        asl::put(&mut d, &["ids"], rt::object([("id", asl::uuid(turn)), ("other", asl::uuid(turn))]))?;
        are_they_ids(d, turn)
    }

    /// `Are They Ids`, `flow.asl.json:60`.
    fn are_they_ids(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Are They Ids", &d);
        if !asl::string_matches(asl::subject(&d, &["ids", "id"])?, "*-*-4*-*-*")
            || asl::string_equals_path(asl::subject(&d, &["ids", "id"])?, asl::subject(&d, &["ids", "other"])?)
        {
            never(d, turn)
        } else {
            task(d, turn)
        }
    }

    /// `Task`, `flow.asl.json:73`.
    fn task(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Task", &d);
        let request = rt::object([(
            "deep",
            asl::array_get_item(
                &asl::array_partition(
                    &asl::string_split(
                        &asl::format(
                            &["", ",", ",", ""],
                            &[
                                asl::argument(&d, &["word"], TEXT_2)?,
                                asl::argument(&d, &["name"], TEXT_2)?,
                                &asl::json_to_string(&LITERAL_2, "States.JsonToString(States.Array(1, 2))")?,
                            ],
                        ),
                        &rt::string(","),
                        TEXT_3,
                    )?,
                    &Value::Int(2),
                    TEXT_4,
                )?,
                &Value::Int(1),
                TEXT_5,
            )?,
        )]);
        turn.invoke(&TASK, request).timeout_seconds(60.0);
        rt::wait(State::Task(d))
    }

    /// `Task`, `flow.asl.json:73`: Continues with the result of the task.
    fn task_done(d: Value) -> TurnResult {
        rt::done(
            asl::require_path(
                jsonpath::members(Some(&d), &["text", "lists", "numbers"]).as_ref(),
                &d,
                "$['text', 'lists', 'numbers']",
                &[],
            )?
            .clone(),
        )
    }

    /// `Task`, `flow.asl.json:73`: Retries or catches a fault.
    fn task_failed(mut d: Value, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is_catchable() {
            asl::put(&mut d, &["problem"], fault.output())?;
            return never(d, turn);
        }
        Err(fault)
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("[]");
    static LITERAL_2: rt::Literal = rt::Literal::new("[1,2]");
    static TEXT_1: &str = "States.JsonMerge($.object, States.StringToJson('{\"n\":{\"deep\":1},\"z\":2}'), false)";
    static TEXT_2: &str = "States.Format('{},{},{}', $.word, $.name, States.JsonToString(States.Array(1, 2)))";
    static TEXT_3: &str = ::core::concat!(
        "States.StringSplit(States.Format('{},{},{}', $.word, $.name, States.JsonToString(States.",
        "Array(1, 2))), ',')"
    );
    static TEXT_4: &str = ::core::concat!(
        "States.ArrayPartition(States.StringSplit(States.Format('{},{},{}', $.word, $.name, State",
        "s.JsonToString(States.Array(1, 2))), ','), 2)"
    );
    static TEXT_5: &str = ::core::concat!(
        "States.ArrayGetItem(States.ArrayPartition(States.StringSplit(States.Format('{},{},{}', $",
        ".word, $.name, States.JsonToString(States.Array(1, 2))), ','), 2), 1)"
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Text\" as s0\n    state \"Lists\" as s1\n",
        "    state \"Numbers\" as s2\n    state \"Same\" as s3\n    state \"Never\" as s4\n",
        "    state \"Ids\" as s5\n    state \"Are They Ids\" as s6\n    state \"Task\" as s7\n",
        "    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n",
        "    s3 --> s4 : $.numbers.random ≠ $.numbers.again\n    s3 --> s5 : otherwise\n",
        "    s5 --> s6\n",
        "    s6 --> s4 : $.ids.id does not match #34;#42;-#42;-4#42;-#42;-#42;#34; or $.ids.id = ",
        "$.ids.other\n    s6 --> s7 : otherwise\n    s7 --> [*]\n",
        "    s7 --> s4 : catch States.ALL\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s7 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s3,s6 choice\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s4 fail\n"
    );
}
