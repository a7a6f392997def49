// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `budget` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod budget {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Get as _, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `budget`: Spends a budget item by item: variables, set before, inside and
    /// after, and read from inner scopes.
    pub struct Budget;

    impl Budget {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Budget, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `budget`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `budget`",
        label = "the trait `budget::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl budget::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `buy`, invoked by `Buy` (`flow.asl.json:40`).
        fn buy(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.buy(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Budget {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "budget",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 3124996308929490216,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Start", "Pass", 5, &["Swap"]),
            rt::StateInfo::new("Swap", "Pass", 11, &["More"]),
            rt::StateInfo::new("More", "Choice", 17, &["Close", "Buy"]),
            rt::StateInfo::new("Buy", "Task", 38, &["More"]),
            rt::StateInfo::new("Close", "Map", 59, &["Report"]),
            rt::StateInfo::new("Report", "Pass", 77, &[]),
            rt::StateInfo::new("Label", "Pass", 65, &["Show Label"]),
            rt::StateInfo::new("Show Label", "Pass", 70, &[]),
        ],
        tasks: &[&BUY],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static BUY: rt::Task = rt::Task::new(0, "buy", "arn:aws:lambda:eu-west-1:123456789012:function:buy", "Buy", 40);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        CloseEntryLabel(Value, Option<Value>, Option<Value>),
        Buy(Value, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>),
        Close(Value, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (CloseEntryLabel(item2, left, owner), "Close entry Label", "", 3361050851423174277),
            (Buy(d, first, index2, left, limit, owner, spent), "Buy", "Buy", 15047923084893914213),
            (Close(d, first, left, limit, owner, spent, why), "Close", "Close", 699262267001184194),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::CloseEntryLabel(item2, left, owner) => close_entry_label(left, owner, item2, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Buy(d, first, index2, left, limit, owner, spent), Ok(result)) => {
                    buy_done(d, first, index2, left, limit, owner, spent, result, turn)
                }
                (State::Buy(d, first, index2, left, limit, owner, spent), Err(fault)) => {
                    buy_failed(d, first, index2, left, limit, owner, spent, fault, turn)
                }
                (State::Close(d, first, left, limit, _, spent, why), Ok(result)) => {
                    close_joined(d, first, left, limit, spent, why, result, turn)
                }
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, item: &Value) -> Option<State> {
            match (self, index) {
                (State::Close(_, _, left, _, owner, _, _), _) => {
                    Some(State::CloseEntryLabel(item.clone(), left.clone(), owner.clone()))
                }
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        start(d, turn)
    }

    /// `Start`, `flow.asl.json:5`.
    fn start(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Start", &d);
        let (left, spent, limit, owner) = (
            Some(asl::field(&d, &["budget"], "left.$")?.clone()),
            Some(LITERAL_1.clone()),
            Some(LITERAL_2.clone()),
            Some(asl::field(&d, &["owner"], "owner.$")?.clone()),
        );
        swap(d, left, limit, owner, spent, turn)
    }

    /// `Swap`, `flow.asl.json:11`: Right-hand sides see the values on entry.
    fn swap(
        d: Value,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Swap", &d);
        let (first, index2) =
            (Some(asl::field_at(&d, &[At::Key("wishes"), At::Index(0)], "first.$")?.clone()), Some(Value::Int(0)));
        more(d, first, index2, left, limit, owner, spent, turn)
    }

    /// `More`, `flow.asl.json:17`.
    fn more(
        d: Value,
        first: Option<Value>,
        index2: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("More", &d);
        if asl::numeric_less_than(asl::variable(left.as_ref(), "left")?, 1) {
            let why = Some(rt::string("nothing is left"));
            close(d, first, left, limit, owner, spent, why, turn)
        } else if asl::is_present(d.get("wishes").get(0))
            && asl::numeric_less_than_path(asl::variable(index2.as_ref(), "index")?, asl::subject(&d, &["count"])?)
        {
            let wish = Some(asl::array_get_item(
                asl::argument(&d, &["wishes"], "States.ArrayGetItem($.wishes, $index)")?,
                asl::variable(index2.as_ref(), "index")?,
                "States.ArrayGetItem($.wishes, $index)",
            )?);
            buy(d, first, index2, left, limit, owner, spent, wish, turn)
        } else {
            let why = Some(asl::format(&["all ", " wishes"], &[asl::variable(index2.as_ref(), "index")?]));
            close(d, first, left, limit, owner, spent, why, turn)
        }
    }

    /// `Buy`, `flow.asl.json:38`.
    fn buy(
        d: Value,
        first: Option<Value>,
        index2: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        wish: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Buy", &d);
        let request = rt::object([
            ("wish", asl::variable(wish.as_ref(), "wish")?.clone()),
            (
                "most",
                asl::require_field((asl::variable(limit.as_ref(), "limit")?).get("each"), &d, "$limit.each", "most.$")?
                    .clone(),
            ),
            ("for", asl::variable(owner.as_ref(), "owner")?.clone()),
        ]);
        turn.invoke(&BUY, request).timeout_seconds(60.0);
        rt::wait(State::Buy(d, first, index2, left, limit, owner, spent))
    }

    /// `Buy`, `flow.asl.json:38`: Continues with the result of the task.
    fn buy_done(
        d: Value,
        first: Option<Value>,
        index2: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        let _ = rt::object([("price", asl::field(&result, &["price"], "price.$")?.clone())]);
        let (left, index2, spent) = (
            Some(asl::math_add(
                asl::variable(left.as_ref(), "left")?,
                asl::argument(&result, &["minus"], "States.MathAdd($left, $.minus)")?,
                "States.MathAdd($left, $.minus)",
            )?),
            Some(asl::math_add(asl::variable(index2.as_ref(), "index")?, &Value::Int(1), "States.MathAdd($index, 1)")?),
            Some(rt::array([
                jsonpath::select(asl::variable(spent.as_ref(), "spent")?).wildcard().collect(),
                asl::argument(&result, &["price"], "States.Array($spent[*], $.price)")?.clone(),
            ])),
        );
        more(d, first, index2, left, limit, owner, spent, turn)
    }

    /// `Buy`, `flow.asl.json:38`: Retries or catches a fault.
    fn buy_failed(
        d: Value,
        first: Option<Value>,
        index2: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["SoldOut"]) {
            let result = fault.output();
            let (index2, _) = (
                Some(asl::math_add(
                    asl::variable(index2.as_ref(), "index")?,
                    &Value::Int(1),
                    "States.MathAdd($index, 1)",
                )?),
                Some(asl::field(&result, &["Cause"], "missed.$")?.clone()),
            );
            return more(d, first, index2, left, limit, owner, spent, turn);
        }
        Err(fault)
    }

    /// `Close`, `flow.asl.json:59`.
    fn close(
        d: Value,
        first: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        owner: Option<Value>,
        spent: Option<Value>,
        why: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Close", &d);
        let items = asl::items_array(asl::at(&d, &["wishes"]))?.clone();
        turn.for_each(&items, rt::Limits::default());
        rt::wait(State::Close(d, first, left, limit, owner, spent, why))
    }

    /// `Close`, `flow.asl.json:59`: Continues with the outputs of the iterations.
    fn close_joined(
        mut d: Value,
        first: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        spent: Option<Value>,
        why: Option<Value>,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        asl::put(&mut d, &["labels"], result.clone())?;
        let labels = Some(jsonpath::select(&result).wildcard().name("label").collect());
        report(d, first, labels, left, limit, spent, why, turn)
    }

    /// `Report`, `flow.asl.json:77`.
    fn report(
        d: Value,
        first: Option<Value>,
        labels: Option<Value>,
        left: Option<Value>,
        limit: Option<Value>,
        spent: Option<Value>,
        why: Option<Value>,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("Report", &d);
        rt::done(rt::object([
            ("left", asl::variable(left.as_ref(), "left")?.clone()),
            ("spent", asl::variable(spent.as_ref(), "spent")?.clone()),
            ("why", asl::variable(why.as_ref(), "why")?.clone()),
            ("first", asl::variable(first.as_ref(), "first")?.clone()),
            (
                "note",
                asl::require_field((asl::variable(limit.as_ref(), "limit")?).get("note"), &d, "$limit.note", "note.$")?
                    .clone(),
            ),
            ("labels", asl::variable(labels.as_ref(), "labels")?.clone()),
            (
                "last",
                asl::require_field(
                    jsonpath::select(&d).name("labels").slice(Some(-1), None, 1).found().as_ref(),
                    &d,
                    "$.labels[-1:]",
                    "last.$",
                )?
                .clone(),
            ),
        ]))
    }

    /// The start of the item processor of `Close`.
    fn close_entry_label(left: Option<Value>, owner: Option<Value>, item2: Value, turn: &mut Turn) -> TurnResult {
        label2(item2, left, owner, turn)
    }

    /// `Label`, `flow.asl.json:65`.
    fn label2(d: Value, left: Option<Value>, owner: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Label", &d);
        let label = Some(asl::format(&["", " of ", ""], &[&d, asl::variable(owner.as_ref(), "owner")?]));
        show_label(d, left, label, turn)
    }

    /// `Show Label`, `flow.asl.json:70`.
    fn show_label(d: Value, left: Option<Value>, label: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Show Label", &d);
        rt::done(rt::object([
            ("label", asl::variable(label.as_ref(), "label")?.clone()),
            ("left", asl::variable(left.as_ref(), "left")?.clone()),
        ]))
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("[]");
    static LITERAL_2: rt::Literal = rt::Literal::new("{\"each\":40,\"note\":\"$.not.a.path\"}");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Start\" as s0\n    state \"Swap\" as s1\n",
        "    state \"More\" as s2\n    state \"Buy\" as s3\n    state \"Close\" as s4 {\n",
        "        state \"for each item\" as s5 {\n            state \"Label\" as s6\n",
        "            state \"Show Label\" as s7\n            [*] --> s6\n            s6 --> s7\n",
        "            s7 --> [*]\n        }\n    }\n    state \"Report\" as s8\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s2 --> s4 : $left #60; 1<br/>or otherwise\n",
        "    s2 --> s3 : $.wishes[0] is present and $index #60; $.count\n    s3 --> s2\n",
        "    s3 --> s2 : catch SoldOut\n    s4 --> s8\n    s8 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s3 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s2 choice\n"
    );
}
