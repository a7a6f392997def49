// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `names` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod names {
    use ::workflow_runtime::__private as rt;

    use rt::{
        Fault, Future, Outcome, Retries, TaskContext, Value,
    };

    /// The workflow `names`: Names that are keywords, that map to one identifier, that clash with what generated code declares, or that are no identifiers at all.
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
        note = "write `impl names::Tasks for {Self}`, with a method for each task key",
    )]
    pub trait Tasks: Send + Sync {
        /// `task`, invoked by `if` (`flow.asl.json:5`), `a-b` (`flow.asl.json:6`), `a b` (`flow.asl.json:7`), `状态` (`flow.asl.json:8`), `1` (`flow.asl.json:9`), `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb` (`flow.asl.json:10`), `Start` (`flow.asl.json:11`), `Definition` (`flow.asl.json:14`), `Graph` (`flow.asl.json:15`), `Literal 1` (`flow.asl.json:16`), `Retry Me` (`flow.asl.json:17`), `Retry Me Retry` (`flow.asl.json:18`), `State` (`flow.asl.json:19`), `Self` (`flow.asl.json:20`), `rt` (`flow.asl.json:21`), `Ünïcödé 🎉` (`flow.asl.json:23`), `x"y\z` (`flow.asl.json:24`), `SS` (`flow.asl.json:28`), `i̇` (`flow.asl.json:31`), `á` (`flow.asl.json:34`), `가` (`flow.asl.json:37`), `Ⅷ` (`flow.asl.json:40`), `***` (`flow.asl.json:43`), `​` (`flow.asl.json:46`), ``tick`` (`flow.asl.json:49`), `$` (`flow.asl.json:52`).
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

    rt::definition! {
        VERSION_0_1_0 Names "names", "asl", "flow.asl.json", 17652268717184362607, None, None, false, Some(60.0);
        graph "stateDiagram-v2\n    state \"if\" as s0\n    state \"a-b\" as s1\n    state \"a b\" as s2\n    state \"状态\" as s3\n    state \"1\" as s4\n    state \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\" as s5\n    state \"Start\" as s6\n    state \"turn\" as s7\n    state \"outcome\" as s8\n    state \"Definition\" as s9\n    state \"Graph\" as s10\n    state \"Literal 1\" as s11\n    state \"Retry Me\" as s12\n    state \"Retry Me Retry\" as s13\n    state \"State\" as s14\n    state \"Self\" as s15\n    state \"rt\" as s16\n    state \"d\" as s17\n    state \"Ünïcödé 🎉\" as s18\n    state \"x#34;y#92;z\" as s19\n    state \"entry\" as s20\n    state \"done\" as s21\n    state \"ß\" as s22\n    state \"SS\" as s23\n    state \"ŉ\" as s24\n    state \"İ\" as s25\n    state \"i\u{307}\" as s26\n    state \"Å\" as s27\n    state \"Å\" as s28\n    state \"á\" as s29\n    state \"a\u{301}\" as s30\n    state \"가\" as s31\n    state \"가\" as s32\n    state \"١\" as s33\n    state \"²\" as s34\n    state \"Ⅷ\" as s35\n    state \"#95;\" as s36\n    state \"#95;#95;\" as s37\n    state \"#42;#42;#42;\" as s38\n    state \"r#35;fn\" as s39\n    state \"async\" as s40\n    state \"\u{200b}\" as s41\n    state \" abc\" as s42\n    state \"a b\" as s43\n    state \"#96;tick#96;\" as s44\n    state \"${x\" as s45\n    state \"#42;/\" as s46\n    state \"$\" as s47\n    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n    s6 --> s7\n    s7 --> s8\n    s8 --> s9\n    s9 --> s10\n    s10 --> s11\n    s11 --> s12\n    s12 --> s13\n    s13 --> s14\n    s14 --> s15\n    s15 --> s16\n    s16 --> s17\n    s17 --> s18\n    s18 --> s19\n    s19 --> s20\n    s20 --> s21\n    s21 --> s22\n    s22 --> s23\n    s23 --> s24\n    s24 --> s25\n    s25 --> s26\n    s26 --> s27\n    s27 --> s28\n    s28 --> s29\n    s29 --> s30\n    s30 --> s31\n    s31 --> s32\n    s32 --> s33\n    s33 --> s34\n    s34 --> s35\n    s35 --> s36\n    s36 --> s37\n    s37 --> s38\n    s38 --> s39\n    s39 --> s40\n    s40 --> s41\n    s41 --> s42\n    s42 --> s43\n    s43 --> s44\n    s44 --> s45\n    s45 --> s46\n    s46 --> s47\n    s47 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0,s1,s2,s3,s4,s5,s6,s9,s10,s11,s12,s13,s14,s15,s16,s18,s19,s23,s26,s29,s32,s35,s38,s41,s44,s47 task\n    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3\n    class s24,s27,s30,s33,s36,s39,s42,s45 wait\n";
        settings;
        states;
        "if" "Task" 5 => "a-b";
        "a-b" "Task" 6 => "a b";
        "a b" "Task" 7 => "状态";
        "状态" "Task" 8 => "1";
        "1" "Task" 9 => "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" "Task" 10 => "Start";
        "Start" "Task" 11 => "turn";
        "turn" "Pass" 12 => "outcome";
        "outcome" "Pass" 13 => "Definition";
        "Definition" "Task" 14 => "Graph";
        "Graph" "Task" 15 => "Literal 1";
        "Literal 1" "Task" 16 => "Retry Me";
        "Retry Me" "Task" 17 => "Retry Me Retry";
        "Retry Me Retry" "Task" 18 => "State";
        "State" "Task" 19 => "Self";
        "Self" "Task" 20 => "rt";
        "rt" "Task" 21 => "d";
        "d" "Pass" 22 => "Ünïcödé 🎉";
        "Ünïcödé 🎉" "Task" 23 => "x\"y\\z";
        "x\"y\\z" "Task" 24 => "entry";
        "entry" "Pass" 25 => "done";
        "done" "Pass" 26 => "ß";
        "ß" "Pass" 27 => "SS";
        "SS" "Task" 28 => "ŉ";
        "ŉ" "Wait" 29 => "İ";
        "İ" "Pass" 30 => "i\u{307}";
        "i\u{307}" "Task" 31 => "Å";
        "Å" "Wait" 32 => "Å";
        "Å" "Pass" 33 => "á";
        "á" "Task" 34 => "a\u{301}";
        "a\u{301}" "Wait" 35 => "가";
        "가" "Pass" 36 => "가";
        "가" "Task" 37 => "١";
        "١" "Wait" 38 => "²";
        "²" "Pass" 39 => "Ⅷ";
        "Ⅷ" "Task" 40 => "_";
        "_" "Wait" 41 => "__";
        "__" "Pass" 42 => "***";
        "***" "Task" 43 => "r#fn";
        "r#fn" "Wait" 44 => "async";
        "async" "Pass" 45 => "\u{200b}";
        "\u{200b}" "Task" 46 => "\u{202e}abc";
        "\u{202e}abc" "Wait" 47 => "a\nb";
        "a\nb" "Pass" 48 => "`tick`";
        "`tick`" "Task" 49 => "${x";
        "${x" "Wait" 50 => "*/";
        "*/" "Pass" 51 => "$";
        "$" "Task" 52 =>;
        tasks;
        IF 0 "task" "if" 5 "task";
        A_B 1 "task" "a-b" 6 "task";
        A_B2 2 "task" "a b" 7 "task";
        状态 3 "task" "状态" 8 "task";
        _1 4 "task" "1" 9 "task";
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB 5 "task" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" 10 "task";
        START 6 "task" "Start" 11 "task";
        DEFINITION2 7 "task" "Definition" 14 "task";
        GRAPH2 8 "task" "Graph" 15 "task";
        _LITERAL_1 9 "task" "Literal 1" 16 "task";
        RETRY_ME 10 "task" "Retry Me" 17 "task";
        RETRY_ME_RETRY 11 "task" "Retry Me Retry" 18 "task";
        STATE 12 "task" "State" 19 "task";
        SELF 13 "task" "Self" 20 "task";
        RT 14 "task" "rt" 21 "task";
        ÜNÏCÖDÉ 15 "task" "Ünïcödé 🎉" 23 "task";
        X_Y_Z 16 "task" "x\"y\\z" 24 "task";
        SS 17 "task" "SS" 28 "task";
        İ 18 "task" "i\u{307}" 31 "task";
        Á 19 "task" "á" 34 "task";
        가 20 "task" "가" 37 "task";
        UNNAMED 21 "task" "Ⅷ" 40 "task";
        UNNAMED2 22 "task" "***" 43 "task";
        UNNAMED3 23 "task" "\u{200b}" 46 "task";
        TICK 24 "task" "`tick`" 49 "task";
        UNNAMED4 25 "task" "$" 52 "task";
    }

    rt::machine! {
        /// The resume points: where an execution can wait, be saved, and continue.
        #[doc(hidden)]
        pub enum State(item) from Entry(item);
        Entry(d: Value) = "entry", "", 16290513905774444234 => enter if_(d);
        If() = "if", "if", 14695981039346656037 => resume if_done();
        AB() = "a-b", "a-b", 14695981039346656037 => resume a_b_done();
        AB2() = "a b", "a b", 14695981039346656037 => resume a_b_done2();
        状态() = "状态", "状态", 14695981039346656037 => resume 状态_done();
        _1() = "1", "1", 14695981039346656037 => resume _1_done();
        Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb() = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 14695981039346656037 => resume aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_done();
        Start() = "Start", "Start", 14695981039346656037 => resume start_done();
        Definition() = "Definition", "Definition", 14695981039346656037 => resume definition_done();
        Graph() = "Graph", "Graph", 14695981039346656037 => resume graph_done();
        Literal1(d: Value) = "Literal 1", "Literal 1", 16290513905774444234 => resume literal_1_done(d);
        RetryMeRetry(d: Value, retries: Retries) = "Retry Me retry", "Retry Me", 15960456506256740724 => elapsed retry_me_try(d, retries);
        RetryMe(d: Value, retries: Retries) = "Retry Me", "Retry Me", 15047625320176663010 => resume retry_me_done() { else retry_me_failed(d, retries) };
        RetryMeRetry2() = "Retry Me Retry", "Retry Me Retry", 14695981039346656037 => resume retry_me_retry_done();
        State() = "State", "State", 14695981039346656037 => resume state_done();
        Self_() = "Self", "Self", 14695981039346656037 => resume self_done();
        Rt() = "rt", "rt", 14695981039346656037 => resume rt_done();
        Ünïcödé() = "Ünïcödé 🎉", "Ünïcödé 🎉", 14695981039346656037 => resume ünïcödé_done();
        XYZ() = "x\"y\\z", "x\"y\\z", 14695981039346656037 => resume x_y_z_done();
        SS() = "SS", "SS", 14695981039346656037 => resume ss_done();
        unnamed(d: Value) = "ŉ", "ŉ", 2127385451422886396 => elapsed i̇(d);
        İ() = "i\u{307}", "i\u{307}", 14695981039346656037 => resume i̇_done();
        Å(d: Value) = "Å", "Å", 2127385451422886396 => elapsed å2(d);
        Á() = "á", "á", 14695981039346656037 => resume á_done();
        Á2(d: Value) = "a\u{301}", "a\u{301}", 2127385451422886396 => elapsed 가2(d);
        가() = "가", "가", 14695981039346656037 => resume 가_done();
        _١(d: Value) = "١", "١", 2127385451422886396 => elapsed unnamed2(d);
        unnamed2() = "Ⅷ", "Ⅷ", 14695981039346656037 => resume done2();
        unnamed3(d: Value) = "_", "_", 2127385451422886396 => elapsed unnamed5(d);
        unnamed4() = "***", "***", 14695981039346656037 => resume done3();
        RFn(d: Value) = "r#fn", "r#fn", 2127385451422886396 => elapsed async_(d);
        unnamed5() = "\u{200b}", "\u{200b}", 14695981039346656037 => resume done4();
        Abc(d: Value) = "\u{202e}abc", "\u{202e}abc", 2127385451422886396 => elapsed a_b3(d);
        Tick() = "`tick`", "`tick`", 14695981039346656037 => resume tick_done();
        X(d: Value) = "${x", "${x", 2127385451422886396 => elapsed unnamed8(d);
        unnamed6() = "$", "$", 14695981039346656037 => resume done5();
    }

    /// `if`, `flow.asl.json:5`.
    fn if_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("if", &d);
        turn.invoke(IF, d).timeout_seconds(60.0);
        rt::wait(State::If())
    }

    /// `if`, `flow.asl.json:5`: Continues with the result of the task.
    fn if_done(d: Value, turn: &mut Turn) -> TurnResult {
        a_b(d, turn)
    }

    /// `a-b`, `flow.asl.json:6`.
    fn a_b(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a-b", &d);
        turn.invoke(A_B, d).timeout_seconds(60.0);
        rt::wait(State::AB())
    }

    /// `a-b`, `flow.asl.json:6`: Continues with the result of the task.
    fn a_b_done(d: Value, turn: &mut Turn) -> TurnResult {
        a_b2(d, turn)
    }

    /// `a b`, `flow.asl.json:7`.
    fn a_b2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("a b", &d);
        turn.invoke(A_B2, d).timeout_seconds(60.0);
        rt::wait(State::AB2())
    }

    /// `a b`, `flow.asl.json:7`: Continues with the result of the task.
    fn a_b_done2(d: Value, turn: &mut Turn) -> TurnResult {
        状态2(d, turn)
    }

    /// `状态`, `flow.asl.json:8`.
    fn 状态2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("状态", &d);
        turn.invoke(状态, d).timeout_seconds(60.0);
        rt::wait(State::状态())
    }

    /// `状态`, `flow.asl.json:8`: Continues with the result of the task.
    fn 状态_done(d: Value, turn: &mut Turn) -> TurnResult {
        _1_2(d, turn)
    }

    /// `1`, `flow.asl.json:9`.
    fn _1_2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("1", &d);
        turn.invoke(_1, d).timeout_seconds(60.0);
        rt::wait(State::_1())
    }

    /// `1`, `flow.asl.json:9`: Continues with the result of the task.
    fn _1_done(d: Value, turn: &mut Turn) -> TurnResult {
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(d, turn)
    }

    /// `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, `flow.asl.json:10`.
    fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(
        d: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        turn.enter("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", &d);
        turn.invoke(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB, d)
            .timeout_seconds(60.0);
        rt::wait(State::Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb())
    }

    /// `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`, `flow.asl.json:10`: Continues with the result of the task.
    fn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb_done(
        d: Value,
        turn: &mut Turn,
    ) -> TurnResult {
        start(d, turn)
    }

    /// `Start`, `flow.asl.json:11`.
    fn start(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Start", &d);
        turn.invoke(START, d).timeout_seconds(60.0);
        rt::wait(State::Start())
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
        turn.invoke(DEFINITION2, d).timeout_seconds(60.0);
        rt::wait(State::Definition())
    }

    /// `Definition`, `flow.asl.json:14`: Continues with the result of the task.
    fn definition_done(d: Value, turn: &mut Turn) -> TurnResult {
        graph(d, turn)
    }

    /// `Graph`, `flow.asl.json:15`.
    fn graph(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Graph", &d);
        turn.invoke(GRAPH2, d).timeout_seconds(60.0);
        rt::wait(State::Graph())
    }

    /// `Graph`, `flow.asl.json:15`: Continues with the result of the task.
    fn graph_done(d: Value, turn: &mut Turn) -> TurnResult {
        literal_1(d, turn)
    }

    /// `Literal 1`, `flow.asl.json:16`.
    fn literal_1(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Literal 1", &d);
        turn.invoke(_LITERAL_1, LITERAL_1.clone()).timeout_seconds(60.0);
        rt::wait(State::Literal1(d))
    }

    /// `Literal 1`, `flow.asl.json:16`: Continues with the result of the task.
    fn literal_1_done(d: Value, _: Value, turn: &mut Turn) -> TurnResult {
        retry_me(d, turn)
    }

    /// `Retry Me`, `flow.asl.json:17`.
    fn retry_me(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Retry Me", &d);
        retry_me_try(d, Retries::new(), turn)
    }

    /// `Retry Me`, `flow.asl.json:17`: One attempt.
    fn retry_me_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
        turn.invoke(RETRY_ME, d.clone()).timeout_seconds(60.0);
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
        turn.invoke(RETRY_ME_RETRY, d).timeout_seconds(60.0);
        rt::wait(State::RetryMeRetry2())
    }

    /// `Retry Me Retry`, `flow.asl.json:18`: Continues with the result of the task.
    fn retry_me_retry_done(d: Value, turn: &mut Turn) -> TurnResult {
        state(d, turn)
    }

    /// `State`, `flow.asl.json:19`.
    fn state(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("State", &d);
        turn.invoke(STATE, d).timeout_seconds(60.0);
        rt::wait(State::State())
    }

    /// `State`, `flow.asl.json:19`: Continues with the result of the task.
    fn state_done(d: Value, turn: &mut Turn) -> TurnResult {
        self_(d, turn)
    }

    /// `Self`, `flow.asl.json:20`.
    fn self_(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Self", &d);
        turn.invoke(SELF, d).timeout_seconds(60.0);
        rt::wait(State::Self_())
    }

    /// `Self`, `flow.asl.json:20`: Continues with the result of the task.
    fn self_done(d: Value, turn: &mut Turn) -> TurnResult {
        rt(d, turn)
    }

    /// `rt`, `flow.asl.json:21`.
    fn rt(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("rt", &d);
        turn.invoke(RT, d).timeout_seconds(60.0);
        rt::wait(State::Rt())
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
        turn.invoke(ÜNÏCÖDÉ, d).timeout_seconds(60.0);
        rt::wait(State::Ünïcödé())
    }

    /// `Ünïcödé 🎉`, `flow.asl.json:23`: Continues with the result of the task.
    fn ünïcödé_done(d: Value, turn: &mut Turn) -> TurnResult {
        x_y_z(d, turn)
    }

    /// `x"y\z`, `flow.asl.json:24`.
    fn x_y_z(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("x\"y\\z", &d);
        turn.invoke(X_Y_Z, d).timeout_seconds(60.0);
        rt::wait(State::XYZ())
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
        turn.invoke(SS, d).timeout_seconds(60.0);
        rt::wait(State::SS())
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
        turn.invoke(İ, d).timeout_seconds(60.0);
        rt::wait(State::İ())
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
        turn.invoke(Á, d).timeout_seconds(60.0);
        rt::wait(State::Á())
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
        turn.invoke(가, d).timeout_seconds(60.0);
        rt::wait(State::가())
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
        turn.invoke(UNNAMED, d).timeout_seconds(60.0);
        rt::wait(State::unnamed2())
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
        turn.invoke(UNNAMED2, d).timeout_seconds(60.0);
        rt::wait(State::unnamed4())
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
        turn.invoke(UNNAMED3, d).timeout_seconds(60.0);
        rt::wait(State::unnamed5())
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

    /// ``tick``, `flow.asl.json:49`: */ ``` " \   # {} /* and a comment that tries to get out of its place */
    fn tick(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("`tick`", &d);
        turn.invoke(TICK, d).timeout_seconds(60.0);
        rt::wait(State::Tick())
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
        turn.invoke(UNNAMED4, d).timeout_seconds(60.0);
        rt::wait(State::unnamed6())
    }

    /// `$`, `flow.asl.json:52`: Continues with the result of the task.
    fn done5(d: Value, _: &mut Turn) -> TurnResult {
        rt::done(d)
    }

    static RETRY_ME_RETRY2: &[rt::Retrier] = &[rt::Retrier::new(&[rt::ErrorMatch::Named("E")], 1.0, 1, 2.0)];
    static LITERAL_1: rt::Literal = rt::Literal::new("{\"a constant list\":[1,2,3],\"with\":{\"many\":{\"levels\":[\"and\",\"a\",\"lot\",\"of\",\"text\"]}}}");
}
