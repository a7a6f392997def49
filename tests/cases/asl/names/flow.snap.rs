// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `names` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod names {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Outcome, Retries, TaskContext, Value};

    /// The workflow `names`: Names that are keywords, that map to one identifier, that clash
    /// with what generated code declares, or that are no identifiers at all.
    pub struct Names;

    impl Names {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Names, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `names`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `names`",
        label = "the trait `names::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl names::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `task`, invoked by `if` (`flow.asl.json:5`), `a-b` (`flow.asl.json:6`), `a
        /// b` (`flow.asl.json:7`), `状态` (`flow.asl.json:8`), `1` (`flow.asl.json:9`),
        /// `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb` (`flow.asl.json:10`),
        /// `Start` (`flow.asl.json:11`), `Definition` (`flow.asl.json:14`),
        /// `Graph` (`flow.asl.json:15`), `Literal 1` (`flow.asl.json:16`), `Retry
        /// Me` (`flow.asl.json:17`), `Retry Me Retry` (`flow.asl.json:18`),
        /// `State` (`flow.asl.json:19`), `Self` (`flow.asl.json:20`), `rt` (`flow.asl.json:21`),
        /// `Ünïcödé 🎉` (`flow.asl.json:23`), `x"y\z` (`flow.asl.json:24`),
        /// `SS` (`flow.asl.json:28`), `i̇` (`flow.asl.json:31`), `á` (`flow.asl.json:34`),
        /// `가` (`flow.asl.json:37`), `Ⅷ` (`flow.asl.json:40`), `***` (`flow.asl.json:43`),
        /// `​` (`flow.asl.json:46`), ``tick`` (`flow.asl.json:49`), `$` (`flow.asl.json:52`).
        fn task(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0..=25 => rt::task_future(tasks.task(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Names {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "names",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 17652268717184362607,
        longest_task_seconds: Some(60.0),
        states: &[
            rt::StateInfo::new("if", "Task", 5, &["a-b"]),
            rt::StateInfo::new("a-b", "Task", 6, &["a b"]),
            rt::StateInfo::new("a b", "Task", 7, &["状态"]),
            rt::StateInfo::new("状态", "Task", 8, &["1"]),
            rt::StateInfo::new(
                "1",
                "Task",
                9,
                &["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"],
            ),
            rt::StateInfo::new(
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                "Task",
                10,
                &["Start"],
            ),
            rt::StateInfo::new("Start", "Task", 11, &["turn"]),
            rt::StateInfo::new("turn", "Pass", 12, &["outcome"]),
            rt::StateInfo::new("outcome", "Pass", 13, &["Definition"]),
            rt::StateInfo::new("Definition", "Task", 14, &["Graph"]),
            rt::StateInfo::new("Graph", "Task", 15, &["Literal 1"]),
            rt::StateInfo::new("Literal 1", "Task", 16, &["Retry Me"]),
            rt::StateInfo::new("Retry Me", "Task", 17, &["Retry Me Retry"]),
            rt::StateInfo::new("Retry Me Retry", "Task", 18, &["State"]),
            rt::StateInfo::new("State", "Task", 19, &["Self"]),
            rt::StateInfo::new("Self", "Task", 20, &["rt"]),
            rt::StateInfo::new("rt", "Task", 21, &["d"]),
            rt::StateInfo::new("d", "Pass", 22, &["Ünïcödé 🎉"]),
            rt::StateInfo::new("Ünïcödé 🎉", "Task", 23, &["x\"y\\z"]),
            rt::StateInfo::new("x\"y\\z", "Task", 24, &["entry"]),
            rt::StateInfo::new("entry", "Pass", 25, &["done"]),
            rt::StateInfo::new("done", "Pass", 26, &["ß"]),
            rt::StateInfo::new("ß", "Pass", 27, &["SS"]),
            rt::StateInfo::new("SS", "Task", 28, &["ŉ"]),
            rt::StateInfo::new("ŉ", "Wait", 29, &["İ"]),
            rt::StateInfo::new("İ", "Pass", 30, &["i\u{307}"]),
            rt::StateInfo::new("i\u{307}", "Task", 31, &["Å"]),
            rt::StateInfo::new("Å", "Wait", 32, &["Å"]),
            rt::StateInfo::new("Å", "Pass", 33, &["á"]),
            rt::StateInfo::new("á", "Task", 34, &["a\u{301}"]),
            rt::StateInfo::new("a\u{301}", "Wait", 35, &["가"]),
            rt::StateInfo::new("가", "Pass", 36, &["가"]),
            rt::StateInfo::new("가", "Task", 37, &["١"]),
            rt::StateInfo::new("١", "Wait", 38, &["²"]),
            rt::StateInfo::new("²", "Pass", 39, &["Ⅷ"]),
            rt::StateInfo::new("Ⅷ", "Task", 40, &["_"]),
            rt::StateInfo::new("_", "Wait", 41, &["__"]),
            rt::StateInfo::new("__", "Pass", 42, &["***"]),
            rt::StateInfo::new("***", "Task", 43, &["r#fn"]),
            rt::StateInfo::new("r#fn", "Wait", 44, &["async"]),
            rt::StateInfo::new("async", "Pass", 45, &["\u{200b}"]),
            rt::StateInfo::new("\u{200b}", "Task", 46, &["\u{202e}abc"]),
            rt::StateInfo::new("\u{202e}abc", "Wait", 47, &["a\nb"]),
            rt::StateInfo::new("a\nb", "Pass", 48, &["`tick`"]),
            rt::StateInfo::new("`tick`", "Task", 49, &["${x"]),
            rt::StateInfo::new("${x", "Wait", 50, &["*/"]),
            rt::StateInfo::new("*/", "Pass", 51, &["$"]),
            rt::StateInfo::new("$", "Task", 52, &[]),
        ],
        tasks: &[
            &IF,
            &A_B,
            &A_B2,
            &状态,
            &_1,
            &AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB,
            &START,
            &DEFINITION2,
            &GRAPH2,
            &_LITERAL_1,
            &RETRY_ME,
            &RETRY_ME_RETRY,
            &STATE,
            &SELF,
            &RT,
            &ÜNÏCÖDÉ,
            &X_Y_Z,
            &SS,
            &İ,
            &Á,
            &가,
            &UNNAMED,
            &UNNAMED2,
            &UNNAMED3,
            &TICK,
            &UNNAMED4,
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static IF: rt::Task = rt::Task::new(0, "task", "task", "if", 5);
    static A_B: rt::Task = rt::Task::new(1, "task", "task", "a-b", 6);
    static A_B2: rt::Task = rt::Task::new(2, "task", "task", "a b", 7);
    static 状态: rt::Task = rt::Task::new(3, "task", "task", "状态", 8);
    static _1: rt::Task = rt::Task::new(4, "task", "task", "1", 9);
    static AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB: rt::Task = rt::Task::new(
        5,
        "task",
        "task",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        10,
    );
    static START: rt::Task = rt::Task::new(6, "task", "task", "Start", 11);
    static DEFINITION2: rt::Task = rt::Task::new(7, "task", "task", "Definition", 14);
    static GRAPH2: rt::Task = rt::Task::new(8, "task", "task", "Graph", 15);
    static _LITERAL_1: rt::Task = rt::Task::new(9, "task", "task", "Literal 1", 16);
    static RETRY_ME: rt::Task = rt::Task::new(10, "task", "task", "Retry Me", 17);
    static RETRY_ME_RETRY: rt::Task = rt::Task::new(11, "task", "task", "Retry Me Retry", 18);
    static STATE: rt::Task = rt::Task::new(12, "task", "task", "State", 19);
    static SELF: rt::Task = rt::Task::new(13, "task", "task", "Self", 20);
    static RT: rt::Task = rt::Task::new(14, "task", "task", "rt", 21);
    static ÜNÏCÖDÉ: rt::Task = rt::Task::new(15, "task", "task", "Ünïcödé 🎉", 23);
    static X_Y_Z: rt::Task = rt::Task::new(16, "task", "task", "x\"y\\z", 24);
    static SS: rt::Task = rt::Task::new(17, "task", "task", "SS", 28);
    static İ: rt::Task = rt::Task::new(18, "task", "task", "i\u{307}", 31);
    static Á: rt::Task = rt::Task::new(19, "task", "task", "á", 34);
    static 가: rt::Task = rt::Task::new(20, "task", "task", "가", 37);
    static UNNAMED: rt::Task = rt::Task::new(21, "task", "task", "Ⅷ", 40);
    static UNNAMED2: rt::Task = rt::Task::new(22, "task", "task", "***", 43);
    static UNNAMED3: rt::Task = rt::Task::new(23, "task", "task", "\u{200b}", 46);
    static TICK: rt::Task = rt::Task::new(24, "task", "task", "`tick`", 49);
    static UNNAMED4: rt::Task = rt::Task::new(25, "task", "task", "$", 52);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        If,
        AB,
        AB2,
        状态,
        _1,
        Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
        Start,
        Definition,
        Graph,
        Literal1(Value),
        RetryMeRetry(Value, Retries),
        RetryMe(Value, Retries),
        RetryMeRetry2,
        State,
        Self_,
        Rt,
        Ünïcödé,
        XYZ,
        SS,
        unnamed(Value),
        İ,
        Å(Value),
        Á,
        Á2(Value),
        가,
        _١(Value),
        unnamed2,
        unnamed3(Value),
        unnamed4,
        RFn(Value),
        unnamed5,
        Abc(Value),
        Tick,
        X(Value),
        unnamed6,
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (If, "if", "if", 14695981039346656037),
            (AB, "a-b", "a-b", 14695981039346656037),
            (AB2, "a b", "a b", 14695981039346656037),
            (状态, "状态", "状态", 14695981039346656037),
            (_1, "1", "1", 14695981039346656037),
            (
                Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                14695981039346656037
            ),
            (Start, "Start", "Start", 14695981039346656037),
            (Definition, "Definition", "Definition", 14695981039346656037),
            (Graph, "Graph", "Graph", 14695981039346656037),
            (Literal1(d), "Literal 1", "Literal 1", 16290513905774444234),
            (RetryMeRetry(d, retries), "Retry Me retry", "Retry Me", 15960456506256740724),
            (RetryMe(d, retries), "Retry Me", "Retry Me", 15047625320176663010),
            (RetryMeRetry2, "Retry Me Retry", "Retry Me Retry", 14695981039346656037),
            (State, "State", "State", 14695981039346656037),
            (Self_, "Self", "Self", 14695981039346656037),
            (Rt, "rt", "rt", 14695981039346656037),
            (Ünïcödé, "Ünïcödé 🎉", "Ünïcödé 🎉", 14695981039346656037),
            (XYZ, "x\"y\\z", "x\"y\\z", 14695981039346656037),
            (SS, "SS", "SS", 14695981039346656037),
            (unnamed(d), "ŉ", "ŉ", 2127385451422886396),
            (İ, "i\u{307}", "i\u{307}", 14695981039346656037),
            (Å(d), "Å", "Å", 2127385451422886396),
            (Á, "á", "á", 14695981039346656037),
            (Á2(d), "a\u{301}", "a\u{301}", 2127385451422886396),
            (가, "가", "가", 14695981039346656037),
            (_١(d), "١", "١", 2127385451422886396),
            (unnamed2, "Ⅷ", "Ⅷ", 14695981039346656037),
            (unnamed3(d), "_", "_", 2127385451422886396),
            (unnamed4, "***", "***", 14695981039346656037),
            (RFn(d), "r#fn", "r#fn", 2127385451422886396),
            (unnamed5, "\u{200b}", "\u{200b}", 14695981039346656037),
            (Abc(d), "\u{202e}abc", "\u{202e}abc", 2127385451422886396),
            (Tick, "`tick`", "`tick`", 14695981039346656037),
            (X(d), "${x", "${x", 2127385451422886396),
            (unnamed6, "$", "$", 14695981039346656037),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => if_(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::If, Ok(result)) => if_done(result, turn),
                (State::AB, Ok(result)) => a_b_done(result, turn),
                (State::AB2, Ok(result)) => a_b_done2(result, turn),
                (State::状态, Ok(result)) => 状态_done(result, turn),
                (State::_1, Ok(result)) => _1_done(result, turn),
                (
                    State::Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
                    Ok(result),
                ) => {
                    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_done(result, turn)
                }
                (State::Start, Ok(result)) => start_done(result, turn),
                (State::Definition, Ok(result)) => definition_done(result, turn),
                (State::Graph, Ok(result)) => graph_done(result, turn),
                (State::Literal1(d), Ok(_)) => literal_1_done(d, turn),
                (State::RetryMeRetry(d, retries), _) => retry_me_try(d, retries, turn),
                (State::RetryMe(_, _), Ok(result)) => retry_me_done(result, turn),
                (State::RetryMe(d, retries), Err(fault)) => retry_me_failed(d, retries, fault, turn),
                (State::RetryMeRetry2, Ok(result)) => retry_me_retry_done(result, turn),
                (State::State, Ok(result)) => state_done(result, turn),
                (State::Self_, Ok(result)) => self_done(result, turn),
                (State::Rt, Ok(result)) => rt_done(result, turn),
                (State::Ünïcödé, Ok(result)) => ünïcödé_done(result, turn),
                (State::XYZ, Ok(result)) => x_y_z_done(result, turn),
                (State::SS, Ok(result)) => ss_done(result, turn),
                (State::unnamed(d), _) => i̇(d, turn),
                (State::İ, Ok(result)) => i̇_done(result, turn),
                (State::Å(d), _) => å2(d, turn),
                (State::Á, Ok(result)) => á_done(result, turn),
                (State::Á2(d), _) => 가2(d, turn),
                (State::가, Ok(result)) => 가_done(result, turn),
                (State::_١(d), _) => unnamed2(d, turn),
                (State::unnamed2, Ok(result)) => done2(result, turn),
                (State::unnamed3(d), _) => unnamed5(d, turn),
                (State::unnamed4, Ok(result)) => done3(result, turn),
                (State::RFn(d), _) => async_(d, turn),
                (State::unnamed5, Ok(result)) => done4(result, turn),
                (State::Abc(d), _) => a_b3(d, turn),
                (State::Tick, Ok(result)) => tick_done(result, turn),
                (State::X(d), _) => unnamed8(d, turn),
                (State::unnamed6, Ok(result)) => done5(result),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `if`, `flow.asl.json:5`.
    fn if_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("if", &d);
        turn.invoke(&IF, d).timeout_seconds(60.0);
        rt::wait(State::If)
    }

    /// `if`, `flow.asl.json:5`: Continues with the result of the task.
    fn if_done(d: Value, turn: &mut Turn) -> TurnResult {
        a_b(d, turn)
    }

    /// `a-b`, `flow.asl.json:6`.
    fn a_b(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a-b", &d);
        turn.invoke(&A_B, d).timeout_seconds(60.0);
        rt::wait(State::AB)
    }

    /// `a-b`, `flow.asl.json:6`: Continues with the result of the task.
    fn a_b_done(d: Value, turn: &mut Turn) -> TurnResult {
        a_b2(d, turn)
    }

    /// `a b`, `flow.asl.json:7`.
    fn a_b2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a b", &d);
        turn.invoke(&A_B2, d).timeout_seconds(60.0);
        rt::wait(State::AB2)
    }

    /// `a b`, `flow.asl.json:7`: Continues with the result of the task.
    fn a_b_done2(d: Value, turn: &mut Turn) -> TurnResult {
        状态2(d, turn)
    }

    /// `状态`, `flow.asl.json:8`.
    fn 状态2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("状态", &d);
        turn.invoke(&状态, d).timeout_seconds(60.0);
        rt::wait(State::状态)
    }

    /// `状态`, `flow.asl.json:8`: Continues with the result of the task.
    fn 状态_done(d: Value, turn: &mut Turn) -> TurnResult {
        _1_2(d, turn)
    }

    /// `1`, `flow.asl.json:9`.
    fn _1_2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("1", &d);
        turn.invoke(&_1, d).timeout_seconds(60.0);
        rt::wait(State::_1)
    }

    /// `1`, `flow.asl.json:9`: Continues with the result of the task.
    fn _1_done(d: Value, turn: &mut Turn) -> TurnResult {
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(d, turn)
    }

    /// `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`,
    /// `flow.asl.json:10`.
    fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(
        d: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", &d);
        turn.invoke(&AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB, d)
            .timeout_seconds(60.0);
        rt::wait(State::Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)
    }

    /// `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`,
    /// `flow.asl.json:10`: Continues with the result of the task.
    fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_done(
        d: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        start(d, turn)
    }

    /// `Start`, `flow.asl.json:11`.
    fn start(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Start", &d);
        turn.invoke(&START, d).timeout_seconds(60.0);
        rt::wait(State::Start)
    }

    /// `Start`, `flow.asl.json:11`: Continues with the result of the task.
    fn start_done(d: Value, turn: &mut Turn) -> TurnResult {
        turn2(d, turn)
    }

    /// `turn`, `flow.asl.json:12`.
    fn turn2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("turn", &d);
        outcome2(d, turn)
    }

    /// `outcome`, `flow.asl.json:13`.
    fn outcome2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("outcome", &d);
        definition(d, turn)
    }

    /// `Definition`, `flow.asl.json:14`.
    fn definition(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Definition", &d);
        turn.invoke(&DEFINITION2, d).timeout_seconds(60.0);
        rt::wait(State::Definition)
    }

    /// `Definition`, `flow.asl.json:14`: Continues with the result of the task.
    fn definition_done(d: Value, turn: &mut Turn) -> TurnResult {
        graph(d, turn)
    }

    /// `Graph`, `flow.asl.json:15`.
    fn graph(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Graph", &d);
        turn.invoke(&GRAPH2, d).timeout_seconds(60.0);
        rt::wait(State::Graph)
    }

    /// `Graph`, `flow.asl.json:15`: Continues with the result of the task.
    fn graph_done(d: Value, turn: &mut Turn) -> TurnResult {
        literal_1(d, turn)
    }

    /// `Literal 1`, `flow.asl.json:16`.
    fn literal_1(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Literal 1", &d);
        turn.invoke(&_LITERAL_1, LITERAL_1.clone()).timeout_seconds(60.0);
        rt::wait(State::Literal1(d))
    }

    /// `Literal 1`, `flow.asl.json:16`: Continues with the result of the task.
    fn literal_1_done(d: Value, turn: &mut Turn) -> TurnResult {
        retry_me(d, turn)
    }

    /// `Retry Me`, `flow.asl.json:17`.
    fn retry_me(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Retry Me", &d);
        retry_me_try(d, Retries::new(), turn)
    }

    /// `Retry Me`, `flow.asl.json:17`: One attempt.
    fn retry_me_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(&RETRY_ME, d.clone()).timeout_seconds(60.0);
        rt::wait(State::RetryMe(d, retries))
    }

    /// `Retry Me`, `flow.asl.json:17`: Continues with the result of the task.
    fn retry_me_done(d: Value, turn: &mut Turn) -> TurnResult {
        retry_me_retry(d, turn)
    }

    /// `Retry Me`, `flow.asl.json:17`: Retries or catches a fault.
    fn retry_me_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
        let fault = turn.locate(fault);
        if turn.retry(RETRY_ME_RETRY2, &mut retries, &fault) {
            return rt::wait(State::RetryMeRetry(d, retries));
        }
        Err(fault)
    }

    /// `Retry Me Retry`, `flow.asl.json:18`.
    fn retry_me_retry(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Retry Me Retry", &d);
        turn.invoke(&RETRY_ME_RETRY, d).timeout_seconds(60.0);
        rt::wait(State::RetryMeRetry2)
    }

    /// `Retry Me Retry`, `flow.asl.json:18`: Continues with the result of the task.
    fn retry_me_retry_done(d: Value, turn: &mut Turn) -> TurnResult {
        state(d, turn)
    }

    /// `State`, `flow.asl.json:19`.
    fn state(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("State", &d);
        turn.invoke(&STATE, d).timeout_seconds(60.0);
        rt::wait(State::State)
    }

    /// `State`, `flow.asl.json:19`: Continues with the result of the task.
    fn state_done(d: Value, turn: &mut Turn) -> TurnResult {
        self_(d, turn)
    }

    /// `Self`, `flow.asl.json:20`.
    fn self_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Self", &d);
        turn.invoke(&SELF, d).timeout_seconds(60.0);
        rt::wait(State::Self_)
    }

    /// `Self`, `flow.asl.json:20`: Continues with the result of the task.
    fn self_done(d: Value, turn: &mut Turn) -> TurnResult {
        rt(d, turn)
    }

    /// `rt`, `flow.asl.json:21`.
    fn rt(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("rt", &d);
        turn.invoke(&RT, d).timeout_seconds(60.0);
        rt::wait(State::Rt)
    }

    /// `rt`, `flow.asl.json:21`: Continues with the result of the task.
    fn rt_done(d: Value, turn: &mut Turn) -> TurnResult {
        d2(d, turn)
    }

    /// `d`, `flow.asl.json:22`.
    fn d2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("d", &d);
        ünïcödé(d, turn)
    }

    /// `Ünïcödé 🎉`, `flow.asl.json:23`.
    fn ünïcödé(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ünïcödé 🎉", &d);
        turn.invoke(&ÜNÏCÖDÉ, d).timeout_seconds(60.0);
        rt::wait(State::Ünïcödé)
    }

    /// `Ünïcödé 🎉`, `flow.asl.json:23`: Continues with the result of the task.
    fn ünïcödé_done(d: Value, turn: &mut Turn) -> TurnResult {
        x_y_z(d, turn)
    }

    /// `x"y\z`, `flow.asl.json:24`.
    fn x_y_z(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("x\"y\\z", &d);
        turn.invoke(&X_Y_Z, d).timeout_seconds(60.0);
        rt::wait(State::XYZ)
    }

    /// `x"y\z`, `flow.asl.json:24`: Continues with the result of the task.
    fn x_y_z_done(d: Value, turn: &mut Turn) -> TurnResult {
        entry(d, turn)
    }

    /// `entry`, `flow.asl.json:25`.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("entry", &d);
        done(d, turn)
    }

    /// `done`, `flow.asl.json:26`.
    fn done(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("done", &d);
        ß(d, turn)
    }

    /// `ß`, `flow.asl.json:27`.
    fn ß(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("ß", &d);
        ss(d, turn)
    }

    /// `SS`, `flow.asl.json:28`.
    fn ss(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("SS", &d);
        turn.invoke(&SS, d).timeout_seconds(60.0);
        rt::wait(State::SS)
    }

    /// `SS`, `flow.asl.json:28`: Continues with the result of the task.
    fn ss_done(d: Value, turn: &mut Turn) -> TurnResult {
        unnamed(d, turn)
    }

    /// `ŉ`, `flow.asl.json:29`.
    fn unnamed(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("ŉ", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::unnamed(d))
    }

    /// `İ`, `flow.asl.json:30`.
    fn i̇(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("İ", &d);
        i̇2(d, turn)
    }

    /// `i̇`, `flow.asl.json:31`.
    fn i̇2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("i\u{307}", &d);
        turn.invoke(&İ, d).timeout_seconds(60.0);
        rt::wait(State::İ)
    }

    /// `i̇`, `flow.asl.json:31`: Continues with the result of the task.
    fn i̇_done(d: Value, turn: &mut Turn) -> TurnResult {
        å(d, turn)
    }

    /// `Å`, `flow.asl.json:32`.
    fn å(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Å", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::Å(d))
    }

    /// `Å`, `flow.asl.json:33`.
    fn å2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Å", &d);
        á(d, turn)
    }

    /// `á`, `flow.asl.json:34`.
    fn á(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("á", &d);
        turn.invoke(&Á, d).timeout_seconds(60.0);
        rt::wait(State::Á)
    }

    /// `á`, `flow.asl.json:34`: Continues with the result of the task.
    fn á_done(d: Value, turn: &mut Turn) -> TurnResult {
        á2(d, turn)
    }

    /// `á`, `flow.asl.json:35`.
    fn á2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a\u{301}", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::Á2(d))
    }

    /// `가`, `flow.asl.json:36`.
    fn 가2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("가", &d);
        가3(d, turn)
    }

    /// `가`, `flow.asl.json:37`.
    fn 가3(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("가", &d);
        turn.invoke(&가, d).timeout_seconds(60.0);
        rt::wait(State::가)
    }

    /// `가`, `flow.asl.json:37`: Continues with the result of the task.
    fn 가_done(d: Value, turn: &mut Turn) -> TurnResult {
        _١(d, turn)
    }

    /// `١`, `flow.asl.json:38`.
    fn _١(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("١", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::_١(d))
    }

    /// `²`, `flow.asl.json:39`.
    fn unnamed2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("²", &d);
        unnamed3(d, turn)
    }

    /// `Ⅷ`, `flow.asl.json:40`.
    fn unnamed3(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Ⅷ", &d);
        turn.invoke(&UNNAMED, d).timeout_seconds(60.0);
        rt::wait(State::unnamed2)
    }

    /// `Ⅷ`, `flow.asl.json:40`: Continues with the result of the task.
    fn done2(d: Value, turn: &mut Turn) -> TurnResult {
        unnamed4(d, turn)
    }

    /// `_`, `flow.asl.json:41`.
    fn unnamed4(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("_", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::unnamed3(d))
    }

    /// `__`, `flow.asl.json:42`.
    fn unnamed5(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("__", &d);
        unnamed6(d, turn)
    }

    /// `***`, `flow.asl.json:43`.
    fn unnamed6(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("***", &d);
        turn.invoke(&UNNAMED2, d).timeout_seconds(60.0);
        rt::wait(State::unnamed4)
    }

    /// `***`, `flow.asl.json:43`: Continues with the result of the task.
    fn done3(d: Value, turn: &mut Turn) -> TurnResult {
        r_fn(d, turn)
    }

    /// `r#fn`, `flow.asl.json:44`.
    fn r_fn(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("r#fn", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::RFn(d))
    }

    /// `async`, `flow.asl.json:45`.
    fn async_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("async", &d);
        unnamed7(d, turn)
    }

    /// `​`, `flow.asl.json:46`.
    fn unnamed7(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("\u{200b}", &d);
        turn.invoke(&UNNAMED3, d).timeout_seconds(60.0);
        rt::wait(State::unnamed5)
    }

    /// `​`, `flow.asl.json:46`: Continues with the result of the task.
    fn done4(d: Value, turn: &mut Turn) -> TurnResult {
        abc(d, turn)
    }

    /// ` abc`, `flow.asl.json:47`.
    fn abc(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("\u{202e}abc", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::Abc(d))
    }

    /// `a b`, `flow.asl.json:48`.
    fn a_b3(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a\nb", &d);
        tick(d, turn)
    }

    /// ``tick``, `flow.asl.json:49`: */ ` " \ # {} /* and a comment that tries to get out of
    /// its place */
    fn tick(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("`tick`", &d);
        turn.invoke(&TICK, d).timeout_seconds(60.0);
        rt::wait(State::Tick)
    }

    /// ``tick``, `flow.asl.json:49`: Continues with the result of the task.
    fn tick_done(d: Value, turn: &mut Turn) -> TurnResult {
        x(d, turn)
    }

    /// `${x`, `flow.asl.json:50`.
    fn x(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("${x", &d);
        turn.sleep_seconds(0.0);
        rt::wait(State::X(d))
    }

    /// `*/`, `flow.asl.json:51`.
    fn unnamed8(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("*/", &d);
        unnamed9(d, turn)
    }

    /// `$`, `flow.asl.json:52`.
    fn unnamed9(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("$", &d);
        turn.invoke(&UNNAMED4, d).timeout_seconds(60.0);
        rt::wait(State::unnamed6)
    }

    /// `$`, `flow.asl.json:52`: Continues with the result of the task.
    fn done5(d: Value) -> TurnResult {
        rt::done(d)
    }

    static RETRY_ME_RETRY2: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("E")], 1.0, 1, 2.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new(::core::concat!(
        "{\"a constant list\":[1,2,3],\"with\":{\"many\":{\"levels\":[\"and\",\"a\",\"lot\",\"of",
        "\",\"text\"]}}}"
    ));

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"if\" as s0\n    state \"a-b\" as s1\n",
        "    state \"a b\" as s2\n    state \"状态\" as s3\n    state \"1\" as s4\n",
        "    state \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        "bbbb\" as s5\n    state \"Start\" as s6\n    state \"turn\" as s7\n",
        "    state \"outcome\" as s8\n    state \"Definition\" as s9\n",
        "    state \"Graph\" as s10\n    state \"Literal 1\" as s11\n",
        "    state \"Retry Me\" as s12\n    state \"Retry Me Retry\" as s13\n",
        "    state \"State\" as s14\n    state \"Self\" as s15\n    state \"rt\" as s16\n",
        "    state \"d\" as s17\n    state \"Ünïcödé 🎉\" as s18\n",
        "    state \"x#34;y#92;z\" as s19\n    state \"entry\" as s20\n",
        "    state \"done\" as s21\n    state \"ß\" as s22\n    state \"SS\" as s23\n",
        "    state \"ŉ\" as s24\n    state \"İ\" as s25\n    state \"i\u{307}\" as s26\n",
        "    state \"Å\" as s27\n    state \"Å\" as s28\n    state \"á\" as s29\n",
        "    state \"a\u{301}\" as s30\n    state \"가\" as s31\n    state \"가\" as s32\n",
        "    state \"١\" as s33\n    state \"²\" as s34\n    state \"Ⅷ\" as s35\n",
        "    state \"#95;\" as s36\n    state \"#95;#95;\" as s37\n",
        "    state \"#42;#42;#42;\" as s38\n    state \"r#35;fn\" as s39\n",
        "    state \"async\" as s40\n    state \"\u{200b}\" as s41\n    state \" abc\" as s42\n",
        "    state \"a b\" as s43\n    state \"#96;tick#96;\" as s44\n    state \"${x\" as s45\n",
        "    state \"#42;/\" as s46\n    state \"$\" as s47\n    [*] --> s0\n    s0 --> s1\n",
        "    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n",
        "    s6 --> s7\n    s7 --> s8\n    s8 --> s9\n    s9 --> s10\n    s10 --> s11\n",
        "    s11 --> s12\n    s12 --> s13\n    s13 --> s14\n    s14 --> s15\n    s15 --> s16\n",
        "    s16 --> s17\n    s17 --> s18\n    s18 --> s19\n    s19 --> s20\n    s20 --> s21\n",
        "    s21 --> s22\n    s22 --> s23\n    s23 --> s24\n    s24 --> s25\n    s25 --> s26\n",
        "    s26 --> s27\n    s27 --> s28\n    s28 --> s29\n    s29 --> s30\n    s30 --> s31\n",
        "    s31 --> s32\n    s32 --> s33\n    s33 --> s34\n    s34 --> s35\n    s35 --> s36\n",
        "    s36 --> s37\n    s37 --> s38\n    s38 --> s39\n    s39 --> s40\n    s40 --> s41\n",
        "    s41 --> s42\n    s42 --> s43\n    s43 --> s44\n    s44 --> s45\n    s45 --> s46\n",
        "    s46 --> s47\n    s47 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s0,s1,s2,s3,s4,s5,s6,s9,s10,s11,s12,s13,s14,s15,s16,s18,s19,s23,s26,s29,s32,s3",
        "5,s38,s41,s44,s47 task\n",
        "    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n",
        "    class s24,s27,s30,s33,s36,s39,s42,s45 wait\n"
    );
}
