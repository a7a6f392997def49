// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `paths` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod paths {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Get as _, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `paths`: Paths of all kinds: names in brackets, positions, slices,
    /// wildcards, descendants, filters.
    pub struct Paths;

    impl Paths {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Paths, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `paths`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `paths`",
        label = "the trait `paths::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl paths::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Paths {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "paths",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 1991939332399938989,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("Read", "Pass", 5, &["Is The Last Cheap"]),
            rt::StateInfo::new("Is The Last Cheap", "Choice", 30, &["Yes", "Write"]),
            rt::StateInfo::new("Yes", "Succeed", 38, &[]),
            rt::StateInfo::new("Write", "Pass", 39, &["Shop Only"]),
            rt::StateInfo::new("Shop Only", "Pass", 46, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Entry(d), "entry", "", 16290513905774444234),);
        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => read(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Read`, `flow.asl.json:5`.
    fn read(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Read", &d);
        let result = rt::object([
            (
                "dotted",
                asl::field_at(&d, &[At::Key("shop"), At::Key("books"), At::Index(0), At::Key("title")], "dotted.$")?
                    .clone(),
            ),
            (
                "quoted",
                asl::require_field(
                    d.get("shop").get("odd name").get("it's"),
                    &d,
                    "$['shop']['odd name']['it\\'s']",
                    "quoted.$",
                )?
                .clone(),
            ),
            (
                "unicode",
                asl::require_field(d.get("shop").get("états").get("状态"), &d, "$.shop.états['状态']", "unicode.$")?
                    .clone(),
            ),
            (
                "backslash",
                asl::require_field(d.get("shop").get("a\\b"), &d, "$.shop['a\\\\b']", "backslash.$")?.clone(),
            ),
            (
                "backslash in a call",
                asl::format(
                    &["", "-", ""],
                    &[
                        asl::require_argument(
                            d.get("shop").get("a\\b"),
                            &d,
                            "$.shop['a\\\\b']",
                            "States.Format('{}-{}', $.shop['a\\\\b'], $['shop']['odd name']['it\\'s'])",
                        )?,
                        asl::require_argument(
                            d.get("shop").get("odd name").get("it's"),
                            &d,
                            "$['shop']['odd name']['it\\'s']",
                            "States.Format('{}-{}', $.shop['a\\\\b'], $['shop']['odd name']['it\\'s'])",
                        )?,
                    ],
                ),
            ),
            (
                "last",
                asl::field_at(&d, &[At::Key("shop"), At::Key("books"), At::Index(-1), At::Key("title")], "last.$")?
                    .clone(),
            ),
            (
                "computed",
                asl::require_field(
                    d.get("shop").get("books").get(-1).get("title"),
                    &d,
                    "$.shop.books[(@.length-1)].title",
                    "computed.$",
                )?
                .clone(),
            ),
            (
                "slice",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .slice(Some(1), Some(3), 1)
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[1:3].title",
                    "slice.$",
                )?
                .clone(),
            ),
            (
                "step",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .slice(Some(0), Some(4), 2)
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[0:4:2].title",
                    "step.$",
                )?
                .clone(),
            ),
            (
                "every",
                asl::require_field(
                    jsonpath::select(&d).name("shop").name("books").wildcard().name("price").found().as_ref(),
                    &d,
                    "$.shop.books[*].price",
                    "every.$",
                )?
                .clone(),
            ),
            ("titles", jsonpath::select(&d).descend().name("title").collect()),
            (
                "cheap",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .matching(|current| {
                            jsonpath::less(current.get("price"), Some(&Value::Int(10)))
                                && !jsonpath::jayway_equal(current.get("title"), Some(&rt::string("C")))
                        })
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[?(@.price < 10 && @.title != 'C')].title",
                    "cheap.$",
                )?
                .clone(),
            ),
            (
                "limited",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .matching(|current| jsonpath::less(d.get("shop").get("limit"), current.get("price")))
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[?(@.price > $.shop.limit)].title",
                    "limited.$",
                )?
                .clone(),
            ),
            (
                "with",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .matching(|current| jsonpath::exists(current.get("tags")))
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[?(@.tags)].title",
                    "with.$",
                )?
                .clone(),
            ),
            (
                "matching",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .matching(|current| jsonpath::jayway_matches(current.get("title"), "[AB]"))
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[?(@.title =~ /[AB]/)].title",
                    "matching.$",
                )?
                .clone(),
            ),
            (
                "union",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .union(|node| ::std::vec![node.index(0), node.index(2)])
                        .name("title")
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[0,2].title",
                    "union.$",
                )?
                .clone(),
            ),
            (
                "nothing",
                asl::require_field(
                    jsonpath::select(&d)
                        .name("shop")
                        .name("books")
                        .matching(|current| jsonpath::less(Some(&Value::Int(1000)), current.get("price")))
                        .found()
                        .as_ref(),
                    &d,
                    "$.shop.books[?(@.price > 1000)]",
                    "nothing.$",
                )?
                .clone(),
            ),
            (
                "count",
                asl::require_field(
                    jsonpath::jayway_length(d.get("shop").get("books")).as_ref(),
                    &d,
                    "$.shop.books.length()",
                    "count.$",
                )?
                .clone(),
            ),
        ]);
        asl::put(&mut d, &["read"], result)?;
        is_the_last_cheap(d, turn)
    }

    /// `Is The Last Cheap`, `flow.asl.json:30`.
    fn is_the_last_cheap(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Is The Last Cheap", &d);
        if asl::numeric_less_than(
            asl::choice_variable(d.get("shop").get("books").get(3).get("price"), "$.shop.books[3].price")?,
            10,
        ) {
            yes(d, turn)
        } else if asl::numeric_greater_than(
            asl::choice_variable(d.get("shop").get("books").get(0).get("price"), "$['shop'].books[0]['price']")?,
            1000,
        ) {
            yes(d, turn)
        } else {
            write(d, turn)
        }
    }

    /// `Yes`, `flow.asl.json:38`.
    fn yes(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Yes", &d);
        rt::done(asl::path_at(&d, &[At::Key("shop"), At::Key("books"), At::Index(3)])?.clone())
    }

    /// `Write`, `flow.asl.json:39`.
    fn write(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Write", &d);
        asl::put(&mut d, &["shop", "odd name", "new", "deeper"], rt::string("written"))?;
        let d =
            asl::require_path(jsonpath::members(Some(&d), &["read", "shop"]).as_ref(), &d, "$['read', 'shop']", &[])?
                .clone();
        shop_only(d, turn)
    }

    /// `Shop Only`, `flow.asl.json:46`.
    fn shop_only(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Shop Only", &d);
        rt::done(rt::object([
            ("read", asl::field(&d, &["read"], "read.$")?.clone()),
            (
                "written",
                asl::require_field(d.get("shop").get("odd name"), &d, "$.shop['odd name']", "written.$")?.clone(),
            ),
        ]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Read\" as s0\n    state \"Is The Last Cheap\" as s1\n",
        "    state \"Yes\" as s2\n    state \"Write\" as s3\n    state \"Shop Only\" as s4\n",
        "    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2 : $.shop.books[3].price #60; 10<br/>or $['shop'].books[0]['price'] #62; 10",
        "00\n    s1 --> s3 : otherwise\n    s2 --> [*]\n    s3 --> s4\n    s4 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s1 choice\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s2 succeed\n"
    );
}
