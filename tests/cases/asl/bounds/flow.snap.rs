// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `bounds` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
#[allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::collapsible_if,
    reason = "expressions have the structure of their source"
)]
#[allow(
    clippy::eq_op,
    clippy::nonminimal_bool,
    clippy::overly_complex_bool_expr,
    reason = "conditions are those of their source"
)]
pub mod bounds {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, jsonata};

    /// The workflow `bounds`: Expressions of at most thirty levels, and arrays of at most a
    /// hundred elements.
    pub struct Bounds;

    impl Bounds {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Bounds, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `bounds`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `bounds`",
        label = "the trait `bounds::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl bounds::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Bounds {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "bounds",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 15903416490280707403,
        jsonata_limits: Some(rt::JsonataLimits { depth: 30, bytes: 800 }),
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("List", "Pass", 6, &["Count"]),
            rt::StateInfo::new("Count", "Parallel", 7, &["Done"]),
            rt::StateInfo::new("Done", "Succeed", 26, &[]),
            rt::StateInfo::new("Sum", "Pass", 13, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        CountEntrySum(Value, Option<Value>),
        Count(Value, Option<Value>),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (CountEntrySum(d, list), "Count entry Sum", "", 3260908945955039804),
            (Count(d, list), "Count", "Count", 9703259230332767661),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                State::CountEntrySum(d, list) => sum(d, list, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::Count(_, _), Ok(result)) => count_joined(result, turn),
                (State::Count(_, _), Err(fault)) => count_failed(fault, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }

        fn child(&self, index: usize, _: &Value) -> Option<State> {
            match (self, index) {
                (State::Count(d, list), 0) => Some(State::CountEntrySum(d.clone(), list.clone())),
                _ => None,
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        list2(d, turn)
    }

    /// `List`, `flow.asl.json:6`.
    fn list2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("List", &d);
        let list = Some(list_assign_list(Some(&d), turn)?);
        count(d, list, turn)
    }

    /// `Count`, `flow.asl.json:7`.
    fn count(d: Value, list: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Count", &d);
        turn.fork(1);
        rt::wait(State::Count(d, list))
    }

    /// `Count`, `flow.asl.json:7`: Continues with the outputs of the branches.
    fn count_joined(result: Value, turn: &mut Turn) -> TurnResult {
        let d = match rt::attempt(|| Ok(jsonata::evaluate(&COUNT_OUTPUT, &[Some(&result)], turn)?)) {
            Ok(value) => value,
            Err(fault) => return count_failed(fault, turn),
        };
        done(d, turn)
    }

    /// `Count`, `flow.asl.json:7`: Retries or catches a fault.
    fn count_failed(fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if fault.is(&["States.QueryEvaluationError"]) {
            let d = rt::string("too deep");
            return done(d, turn);
        }
        Err(fault)
    }

    /// `Done`, `flow.asl.json:26`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Done", &d);
        rt::done(d)
    }

    /// `Sum`, `flow.asl.json:13`.
    fn sum(d: Value, list: Option<Value>, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum", &d);
        rt::done(sum_output(list.as_ref(), turn)?)
    }

    /// `[1..$states.input.count]`
    fn list_assign_list(input: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression =
            jsonata::JsonataExpression::new("[1..$states.input.count]", "Assign/list", 4);
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::elements([jsonata::range(&jsonata::int(1), &jsonata::find(input, &["count"], run)?, run)?], run)
        })
    }

    /// `$states.result#$at[$at = 0]`
    static COUNT_OUTPUT: jsonata::JsonataField =
        jsonata::JsonataField::new("$states.result#$at[$at = 0]", "Output", &["states.result"]);

    /// `($sum := function($n) { $n > 0 ? $n + $sum($n - 1) : 0 }; $sum($count($list)))`
    fn sum_output(list: Option<&Value>, turn: &mut Turn) -> Result<Value, Fault> {
        static EXPRESSION: jsonata::JsonataExpression = jsonata::JsonataExpression::new(
            "($sum := function($n) { $n > 0 ? $n + $sum($n - 1) : 0 }; $sum($count($list)))",
            "Output",
            4,
        );
        jsonata::value(&EXPRESSION, turn, |run| {
            jsonata::recursive(
                2,
                [jsonata::functions::count(&[jsonata::of(list)], run)?],
                |sum, args, run| {
                    let n = jsonata::argument(&args, 0);
                    run.reach(3)?;
                    Ok(if jsonata::is_greater(&n, &jsonata::int(0), run)? {
                        run.reach(5)?;
                        jsonata::add(&n, &sum.call(3, [jsonata::subtract(&n, &jsonata::int(1))?], run)?)?
                    } else {
                        jsonata::int(0)
                    })
                },
                run,
            )
        })
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"List\" as s0\n    state \"Count\" as s1 {\n",
        "        state \"branch 1\" as s2 {\n            state \"Sum\" as s3\n",
        "            [*] --> s3\n            s3 --> [*]\n        }\n    }\n",
        "    state \"Done\" as s4\n    [*] --> s0\n    s0 --> s1\n    s1 --> s4\n",
        "    s1 --> s4 : catch States.QueryEvaluationError\n    s4 --> [*]\n",
        "    classDef succeed fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px\n",
        "    class s4 succeed\n"
    );
}
