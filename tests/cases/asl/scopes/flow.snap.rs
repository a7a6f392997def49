// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `scopes` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod scopes {
    use ::workflow_runtime::__private as rt;
    use rt::{At, Fault, Future, Outcome, Retries, TaskContext, Value, asl};

    /// The workflow `scopes`: Variables of branches and iterations: each has its own, all see
    /// those around them, none is seen outside.
    pub struct Scopes;

    impl Scopes {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Scopes, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `scopes`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `scopes`",
        label = "the trait `scopes::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl scopes::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `side`, invoked by `Left` (`flow.asl.json:14`), `Ask` (`flow.asl.json:56`).
        fn side(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 | 1 => rt::task_future(tasks.side(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Scopes {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "scopes",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 11776599222644703494,
        context: true,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("Set", "Pass", 5, &["Fan"]),
            rt::StateInfo::new("Fan", "Parallel", 6, &["Done", "Enough"]),
            rt::StateInfo::new("Enough", "Choice", 85, &["Fan", "Give Up"]),
            rt::StateInfo::new("Give Up", "Fail", 90, &[]),
            rt::StateInfo::new("Done", "Pass", 91, &[]),
            rt::StateInfo::new("Left", "Task", 12, &["Left Again"]),
            rt::StateInfo::new("Left Again", "Choice", 19, &["Left Again", "Left Done"]),
            rt::StateInfo::new("Left Done", "Pass", 31, &[]),
            rt::StateInfo::new("Right", "Pass", 37, &["Rows"]),
            rt::StateInfo::new("Rows", "Map", 42, &["Right Done"]),
            rt::StateInfo::new("Right Done", "Pass", 69, &[]),
            rt::StateInfo::new("Cell", "Pass", 49, &["Ask"]),
            rt::StateInfo::new("Ask", "Task", 54, &["Tell Cell"]),
            rt::StateInfo::new("Tell Cell", "Pass", 63, &[]),
        ],
        tasks: &[&LEFT, &ASK],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static LEFT: rt::Task = rt::Task::new(0, "side", "arn:aws:lambda:eu-west-1:123456789012:function:side", "Left", 14);
    static ASK: rt::Task = rt::Task::new(1, "side", "arn:aws:lambda:eu-west-1:123456789012:function:side", "Ask", 56);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        FanEntryLeft(Value, Option<Value>),
        FanEntryRight(Value, Option<Value>),
        RowsEntryCell(Value, Option<Value>, Option<Value>),
        Fan(Value, Option<Value>, Option<Value>),
        Left,
        Rows(Value, Option<Value>, Option<Value>),
        AskRetry(Option<Value>, Option<Value>, Retries),
        Ask(Option<Value>, Option<Value>, Retries),
        LeftAgainEnter(Value, Option<Value>, Option<Value>),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (FanEntryLeft(d, base), "Fan entry Left", "", 9340416719870540003),
            (FanEntryRight(d, base), "Fan entry Right", "", 9340416719870540003),
            (RowsEntryCell(d, base, own), "Rows entry Cell", "", 10842304807446247533),
            (Fan(d, base, tries), "Fan", "Fan", 1610484698356579323),
            (Left, "Left", "Left", 10006609094432458537),
            (Rows(d, base, own), "Rows", "Rows", 2800453036333389124),
            (AskRetry(cell, own, retries), "Ask retry", "Ask", 16509117964841750747),
            (Ask(cell, own, retries), "Ask", "Ask", 2728577486699556551),
            (LeftAgainEnter(d, count, own), "Left Again enter", "Left Again", 6171602978420664393),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::FanEntryLeft(d, base) => fan_entry_left(d, base, turn),
                State::FanEntryRight(d, base) => fan_entry_right(d, base, turn),
                State::RowsEntryCell(d, base, own) => rows_entry_cell(d, base, own, turn),
                State::LeftAgainEnter(d, count, own) => left_again(d, count, own, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Fan(d, base, tries), Ok(result)) => fan_joined(d, base, tries, result, turn),
                (State::Fan(d, _, tries), Err(fault)) => fan_failed(d, tries, fault, turn),
                (State::Left, Ok(result)) => left_done(result, turn),
                (State::Rows(_, _, own), Ok(result)) => rows_joined(own, result, turn),
                (State::AskRetry(cell, own, retries), _) => ask_try(own, cell, retries, turn),
                (State::Ask(_, _, _), Ok(result)) => ask_done(result, turn),
                (State::Ask(cell, own, retries), Err(fault)) => ask_failed(own, cell, retries, fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Fan(d, base, _), 0) => Some(State::FanEntryLeft(d.clone(), base.clone())),
                (State::Fan(d, base, _), 1) => Some(State::FanEntryRight(d.clone(), base.clone())),
                (State::Rows(d, base, own), _) => Some(State::RowsEntryCell(d.clone(), base.clone(), own.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        set(d, turn)
    }

    /// `Set`, `flow.asl.json:5`.
    fn set(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Set", &d);
        let (base, tries) = (Some(asl::field(&d, &["base"], "base.$")?.clone()), Some(Value::Int(0)));
        fan(d, base, tries, turn)
    }

    /// `Fan`, `flow.asl.json:6`.
    fn fan(d: Value, base: Option<Value>, tries: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Fan", &d);
        turn.fork(2);
        rt::wait(State::Fan(d, base, tries))
    }

    /// `Fan`, `flow.asl.json:6`: Continues with the outputs of the branches.
    fn fan_joined(
        mut d: Value,
        base: Option<Value>,
        tries: Option<Value>,
        result: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        if let Err(fault) = asl::put(&mut d, &["sides"], result.clone()) {
            return fan_failed(d, tries, fault, turn);
        }
        let left = Some(asl::field_at(&result, &[At::Index(0), At::Key("count")], "left.$")?.clone());
        done(d, base, left, tries, turn)
    }

    /// `Fan`, `flow.asl.json:6`: Retries or catches a fault.
    fn fan_failed(d: Value, tries: Option<Value>, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["Reset"]) {
            let (tries, base) = (
                Some(asl::math_add(
                    asl::variable(tries.as_ref(), "tries")?,
                    &Value::Int(1),
                    "States.MathAdd($tries, 1)",
                )?),
                Some(Value::Int(0)),
            );
            return enough(d, base, tries, turn);
        }
        Err(fault)
    }

    /// `Enough`, `flow.asl.json:85`.
    fn enough(d: Value, base: Option<Value>, tries: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Enough", &d);
        if asl::numeric_less_than(asl::variable(tries.as_ref(), "tries")?, 2) {
            fan(d, base, tries, turn)
        } else {
            give_up(d, base, tries, turn)
        }
    }

    /// `Give Up`, `flow.asl.json:90`.
    fn give_up(d: Value, base: Option<Value>, tries: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Give Up", &d);
        Err(Fault::from_parts(
            Some(rt::string("GaveUp")),
            Some(
                asl::fault_string(
                    asl::computed(
                        &asl::format(
                            &["", " tries from ", ""],
                            &[asl::variable(tries.as_ref(), "tries")?, asl::variable(base.as_ref(), "base")?],
                        ),
                        "States.Format('{} tries from {}', $tries, $base)",
                    ),
                    &d,
                    "CausePath",
                )?
                .clone(),
            ),
        ))
    }

    /// `Done`, `flow.asl.json:91`.
    fn done(d: Value, base: Option<Value>, left: Option<Value>, tries: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(rt::object([
            ("sides", asl::field(&d, &["sides"], "sides.$")?.clone()),
            ("left", asl::variable(left.as_ref(), "left")?.clone()),
            ("base", asl::variable(base.as_ref(), "base")?.clone()),
            ("tries", asl::variable(tries.as_ref(), "tries")?.clone()),
        ]))
    }

    /// The start of branch 1 of `Fan`.
    fn fan_entry_left(d: Value, base: Option<Value>, turn: &mut Turn) -> TurnResult {
        left2(d, base, turn)
    }

    /// `Left`, `flow.asl.json:12`.
    fn left2(d: Value, base: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Left", &d);
        let request =
            rt::object([("side", rt::string("left")), ("base", asl::variable(base.as_ref(), "base")?.clone())]);
        turn.invoke(&LEFT, request).timeout_seconds(60.0);
        rt::wait(State::Left)
    }

    /// `Left`, `flow.asl.json:12`: Continues with the result of the task.
    fn left_done(result: Value, turn: &mut Turn) -> TurnResult {
        let (own, count) = (Some(asl::field(&result, &["value"], "own.$")?.clone()), Some(Value::Int(1)));
        left_again(result, count, own, turn)
    }

    /// `Left Again`, `flow.asl.json:19`.
    fn left_again(d: Value, count: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Left Again", &d);
        if asl::numeric_less_than(asl::variable(count.as_ref(), "count")?, 3) {
            let count = Some(asl::math_add(
                asl::variable(count.as_ref(), "count")?,
                &Value::Int(1),
                "States.MathAdd($count, 1)",
            )?);
            rt::next(State::LeftAgainEnter(d, count, own))
        } else {
            left_done2(d, count, own, turn)
        }
    }

    /// `Left Done`, `flow.asl.json:31`.
    fn left_done2(d: Value, count: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Left Done", &d);
        rt::done(rt::object([
            ("own", asl::variable(own.as_ref(), "own")?.clone()),
            ("count", asl::variable(count.as_ref(), "count")?.clone()),
        ]))
    }

    /// The start of branch 2 of `Fan`.
    fn fan_entry_right(d: Value, base: Option<Value>, turn: &mut Turn) -> TurnResult {
        right(d, base, turn)
    }

    /// `Right`, `flow.asl.json:37`.
    fn right(d: Value, base: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Right", &d);
        let own = Some(rt::string("right"));
        rows(d, base, own, turn)
    }

    /// `Rows`, `flow.asl.json:42`.
    fn rows(d: Value, base: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Rows", &d);
        let items = asl::items_array(asl::at(&d, &["rows"]))?.clone();
        turn.for_each(&items, rt::Limits::default());
        rt::wait(State::Rows(d, base, own))
    }

    /// `Rows`, `flow.asl.json:42`: Continues with the outputs of the iterations.
    fn rows_joined(own: Option<Value>, result: Value, turn: &mut Turn) -> TurnResult {
        let cells = Some(result.clone());
        right_done(result, cells, own, turn)
    }

    /// `Right Done`, `flow.asl.json:69`.
    fn right_done(d: Value, cells: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Right Done", &d);
        rt::done(rt::object([
            ("own", asl::variable(own.as_ref(), "own")?.clone()),
            ("cells", asl::variable(cells.as_ref(), "cells")?.clone()),
        ]))
    }

    /// The start of the item processor of `Rows`.
    fn rows_entry_cell(d: Value, base: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        let d = rt::object([
            ("row", asl::context_field(&["Map", "Item", "Value"], &d, "row.$", turn)?),
            ("side", asl::variable(own.as_ref(), "own")?.clone()),
        ]);
        cell2(d, base, own, turn)
    }

    /// `Cell`, `flow.asl.json:49`.
    fn cell2(d: Value, base: Option<Value>, own: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Cell", &d);
        let cell = Some(asl::math_add(
            asl::argument(&d, &["row"], "States.MathAdd($.row, $base)")?,
            asl::variable(base.as_ref(), "base")?,
            "States.MathAdd($.row, $base)",
        )?);
        ask(d, own, cell, turn)
    }

    /// `Ask`, `flow.asl.json:54`.
    fn ask(d: Value, own: Option<Value>, cell: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Ask", &d);
        ask_try(own, cell, Retries::new(), turn)
    }

    /// `Ask`, `flow.asl.json:54`: One attempt.
    fn ask_try(own: Option<Value>, cell: Option<Value>, retries: Retries, turn: &mut Turn) -> TurnResult {
        let request = rt::object([
            ("side", asl::variable(own.as_ref(), "own")?.clone()),
            ("cell", asl::variable(cell.as_ref(), "cell")?.clone()),
        ]);
        turn.invoke(&ASK, request).timeout_seconds(60.0);
        rt::wait(State::Ask(cell, own, retries))
    }

    /// `Ask`, `flow.asl.json:54`: Continues with the result of the task.
    fn ask_done(result: Value, turn: &mut Turn) -> TurnResult {
        let cell = Some(asl::field(&result, &["value"], "cell.$")?.clone());
        tell_cell(result, cell, turn)
    }

    /// `Ask`, `flow.asl.json:54`: Retries or catches a fault.
    fn ask_failed(
        own: Option<Value>,
        cell: Option<Value>,
        mut retries: Retries,
        fault: Fault,
        turn: &mut Turn,
    ) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(ASK_RETRY, &mut retries, &fault) {
            return rt::wait(State::AskRetry(cell, own, retries));
        }
        if fault.is_catchable() {
            let d = fault.output();
            let cell = Some(Value::Int(-1));
            return tell_cell(d, cell, turn);
        }
        Err(fault)
    }

    /// `Tell Cell`, `flow.asl.json:63`.
    fn tell_cell(d: Value, cell: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Tell Cell", &d);
        let d = rt::object([("cell", asl::variable(cell.as_ref(), "cell")?.clone())]);
        rt::done(asl::path(&d, &["cell"])?.clone())
    }

    static ASK_RETRY: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("Busy")], 1.0, 1, 2.0)];

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Set\" as s0\n    state \"Fan\" as s1 {\n",
        "        state \"branch 1\" as s2 {\n            state \"Left\" as s3\n",
        "            state \"Left Again\" as s4\n            state \"Left Done\" as s5\n",
        "            [*] --> s3\n            s3 --> s4\n            s4 --> s4 : $count #60; 3\n",
        "            s4 --> s5 : otherwise\n            s5 --> [*]\n        }\n",
        "        state \"branch 2\" as s6 {\n            state \"Right\" as s7\n",
        "            state \"Rows\" as s8 {\n                state \"for each item\" as s9 {\n",
        "                    state \"Cell\" as s10\n                    state \"Ask\" as s11\n",
        "                    state \"Tell Cell\" as s12\n                    [*] --> s10\n",
        "                    s10 --> s11\n                    s11 --> s12\n",
        "                    s11 --> s12 : catch States.ALL\n                    s12 --> [*]\n",
        "                }\n            }\n            state \"Right Done\" as s13\n",
        "            [*] --> s7\n            s7 --> s8\n            s8 --> s13\n",
        "            s13 --> [*]\n        }\n    }\n    state \"Enough\" as s14\n",
        "    state \"Give Up\" as s15\n    state \"Done\" as s16\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s16\n    s1 --> s14 : catch Reset\n    s14 --> s1 : $tries #60; 2\n",
        "    s14 --> s15 : otherwise\n    s16 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s3,s11 task\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s4,s14 choice\n",
        "    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dash",
        "array:4 2\n    class s15 fail\n"
    );
}
