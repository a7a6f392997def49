// Generated from `flow.composer.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `scoping` of `flow.composer.json`.
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
    unused_assignments,
    unused_variables,
    clippy::eq_op,
    clippy::let_and_return,
    clippy::needless_return,
    clippy::never_loop,
    clippy::self_assignment,
    clippy::while_immutable_condition,
    reason = "functions have the structure of their source"
)]
pub mod scoping {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Future, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `scoping`.
    pub struct Scoping;

    impl Scoping {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Scoping, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `scoping`, with a method for each task key.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `scoping`",
        label = "the trait `scoping::Tasks` is not implemented for this type",
        note = "flow.composer.json:1:1: the workflow is defined here",
        note = "write `impl scoping::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {
        /// `echo`, invoked by `1` (`flow.composer.json:7`).
        fn echo(&self, input: Value, cx: TaskContext) -> impl Future<Output = Outcome> + Send;
    }

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
            let tasks = &*self.0;
            match task.index {
                0 => rt::task_future(tasks.echo(input, cx)),
                _ => rt::unknown_task(task),
            }
        }
    }

    impl rt::Workflow for Scoping {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "scoping",
        dialect: "composer",
        source: "flow.composer.json",
        hash: 3480895958626640008,
        states: &[
            rt::StateInfo::new("let_dollar", "Let", 5, &["let_word"]),
            rt::StateInfo::new("let_word", "Let", 6, &["1"]),
            rt::StateInfo::new("1", "Task", 7, &["locals"]),
            rt::StateInfo::new("locals", "Task", 8, &["variables"]),
            rt::StateInfo::new("variables", "Task", 9, &["end_word"]),
            rt::StateInfo::new("end_word", "End", 10, &["end_dollar"]),
            rt::StateInfo::new("end_dollar", "End", 11, &[]),
        ],
        tasks: &[&_1],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    static _1: rt::Task = rt::Task::new(0, "echo", "echo", "1", 7);

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        _1(Value, Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (_1(unnamed, dollar), "1", "1", 10260144561623365239),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => entry(d, turn),
                waiting => rt::wait(waiting),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (State::_1(unnamed, dollar), Ok(result)) => _1_done(unnamed, dollar, result, turn),
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::parameters(d);
        let_dollar(d, turn)
    }

    /// `let_dollar`, `flow.composer.json:5`.
    fn let_dollar(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("let_dollar", &d);
        let unnamed = Value::Int(10);
        let_word(d, unnamed, turn)
    }

    /// `let_word`, `flow.composer.json:6`.
    fn let_word(d: Value, unnamed: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("let_word", &d);
        let dollar = Value::Int(20);
        _1_2(d, unnamed, dollar, turn)
    }

    /// `1`, `flow.composer.json:7`.
    fn _1_2(d: Value, unnamed: Value, dollar: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("1", &d);
        turn.invoke(&_1, d);
        rt::wait(State::_1(unnamed, dollar))
    }

    /// `1`, `flow.composer.json:7`: Continues with the result of the task.
    fn _1_done(unnamed: Value, dollar: Value, d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::outcome(d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { locals(d, unnamed, dollar, turn) }
    }

    /// `locals`, `flow.composer.json:8`.
    fn locals(mut d: Value, unnamed: Value, dollar: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("locals", &d);
        js::run(&mut d, [], locals_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { variables(d, unnamed, dollar, turn) }
    }

    /// `variables`, `flow.composer.json:9`.
    fn variables(mut d: Value, mut unnamed: Value, mut dollar: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("variables", &d);
        js::run(&mut d, [&mut unnamed, &mut dollar], variables_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { end_word(d, turn) }
    }

    /// `end_word`, `flow.composer.json:10`.
    fn end_word(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_word", &d);
        end_dollar(d, turn)
    }

    /// `end_dollar`, `flow.composer.json:11`.
    fn end_dollar(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_dollar", &d);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `locals`, `flow.composer.json:8`.
    fn locals_script(run: &js::Run, _: Js, []: [js::Var; 0]) -> js::Result {
        let r = js::object([]);
        let dollar = 1.0;
        let dollar_2 = 2.0;
        js::set(&r, "spelled", js::array([Js::from(dollar), Js::from(dollar_2)]))?;
        let f = js::function("f", 2, move |_, _, arguments| {
            let dollar = js::argument(arguments, 0);
            let dollar_2 = js::argument(arguments, 1);
            Ok(Js::from(js::number(&dollar)? - js::number(&dollar_2)?))
        });
        js::set(&r, "parameters", js::call(run, &f, "f", &[Js::Number(10.0), Js::Number(1.0)])?)?;
        let x = 1.0;
        let x_2 = 2.0;
        let x_2_2 = 3.0;
        js::set(&r, "hidden", js::array([Js::from(x_2), Js::from(x_2_2)]))?;
        js::set(&r, "outer", Js::from(x))?;
        let é = 1.0;
        let é_2 = 2.0;
        js::set(&r, "composed", js::array([Js::from(é), Js::from(é_2)]))?;
        let K_ = 1.0;
        let K_2 = 2.0;
        js::set(&r, "kelvin", js::array([Js::from(K_), Js::from(K_2)]))?;
        js::set(
            &r,
            "captured",
            js::call(
                run,
                &js::function("", 1, move |_, _, arguments| {
                    let dollar = js::argument(arguments, 0);
                    let dollar_2 = 5.0;
                    js::add(&dollar, &Js::from(dollar_2))
                }),
                "($) => { const dollar = 5; return $ + dollar }",
                &[Js::Number(1.0)],
            )?,
        )?;
        js::set(
            &r,
            "closure",
            js::call(
                run,
                &js::function("", 1, move |run, _, arguments| {
                    let x = js::argument(arguments, 0);
                    let g = js::function("g", 1, move |_, _, arguments| {
                        let x_2 = js::argument(arguments, 0);
                        let x_2_2 = 7.0;
                        Ok(Js::from(js::number(&x_2)? * 10.0 + x_2_2))
                    });
                    js::add(&js::call(run, &g, "g", &[Js::Number(2.0)])?, &x)
                }),
                "(x) => { const g = (x) => { let x_2 = 7; return x * 10 + x_2…",
                &[Js::Number(3.0)],
            )?,
        )?;
        let mut i = 0.0;
        let mut i_2 = 10.0;
        while i < 2.0 {
            run.tick()?;
            let i_3 = i_2;
            i_2 = i_3 + 1.0;
            let turns_ = js::get(&r, "turns")?;
            let either_ = if js::truthy(&turns_) { turns_ } else { Js::Number(0.0) };
            js::set(&r, "turns", js::add(&either_, &Js::from(i_3))?)?;
            i += 1.0;
        }
        if js::attempt::<()>(|| {
            return Err(js::Throw::Value(Js::Number(4.0)));
        })?
        .is_err()
        {
            let e_2 = 5.0;
            let e_3 = 6.0;
            js::set(&r, "caught", js::array([Js::from(e_3), Js::from(e_2)]))?;
        }
        let fn_ = 1.0;
        let match_ = 2.0;
        let value__ = 3.0;
        let Ok_ = 4.0;
        let run_ = 5.0;
        let js_ = 6.0;
        let _1_2 = 7.0;
        js::set(
            &r,
            "taken",
            js::array([
                Js::from(fn_),
                Js::from(match_),
                Js::from(value__),
                Js::from(Ok_),
                Js::from(run_),
                Js::from(js_),
                Js::from(_1_2),
            ]),
        )?;
        let f = js::Var::new(Js::Undefined);
        f.set({
            let f = f.clone();
            js::function("f", 1, move |run, _, arguments| {
                let n = js::argument(arguments, 0);
                let f_2 = n.clone();
                Ok(if js::truthy(&n) {
                    js::add(&f_2, &js::call(run, &f.get(), "f", &[Js::from(js::number(&n)? - 1.0)])?)?
                } else {
                    Js::Number(0.0)
                })
            })
        });
        js::set(
            &r,
            "itself",
            js::call(
                run,
                &f.get(),
                "function f(n) { const f_2 = n; return n ? f_2 + f(n - 1) : 0…",
                &[Js::Number(3.0)],
            )?,
        )?;
        Ok(r)
    }

    /// The function of `variables`, `flow.composer.json:9`.
    fn variables_script(_: &js::Run, r: Js, [dollar, dollar_2]: [js::Var; 2]) -> js::Result {
        dollar.set(js::add(&dollar.get(), &Js::Number(1.0))?);
        let dollar_3 = 5.0;
        dollar_2.set(js::add(&dollar_2.get(), &Js::from(dollar_3))?);
        js::set(&r, "variables", js::array([dollar.get(), dollar_2.get()]))?;
        Ok(r)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"let_dollar\" as s0\n    state \"let_word\" as s1\n",
        "    state \"1\" as s2\n    state \"locals\" as s3\n    state \"variables\" as s4\n",
        "    state \"end_word\" as s5\n    state \"end_dollar\" as s6\n    [*] --> s0\n",
        "    s0 --> s1\n    s1 --> s2\n    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n",
        "    s5 --> s6\n    s6 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s2,s3,s4 task\n"
    );
}
