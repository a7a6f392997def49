// Generated from `flow.composer.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `clerk` of `flow.composer.json`.
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
pub mod clerk {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `clerk`.
    pub struct Clerk;

    impl Clerk {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Clerk, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `clerk`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `clerk`",
        label = "the trait `clerk::Tasks` is not implemented for this type",
        note = "flow.composer.json:1:1: the workflow is defined here",
        note = "write `impl clerk::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Clerk {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "clerk",
        dialect: "composer",
        source: "flow.composer.json",
        hash: 16761111956822969221,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("let_total", "Let", 5, &["let_seen"]),
            rt::StateInfo::new("let_seen", "Let", 6, &["sum"]),
            rt::StateInfo::new("sum", "Task", 7, &["kind"]),
            rt::StateInfo::new("kind", "Task", 12, &["finish_total"]),
            rt::StateInfo::new("finish_total", "Task", 17, &["end_seen"]),
            rt::StateInfo::new("end_seen", "End", 22, &["end_total"]),
            rt::StateInfo::new("end_total", "End", 23, &["finish"]),
            rt::StateInfo::new("finish", "Task", 24, &[]),
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
                State::Entry(d) => entry(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// The start of the top level.
    fn entry(d: Value, turn: &mut Turn) -> TurnResult {
        let d = composer::parameters(d);
        let_total(d, turn)
    }

    /// `let_total`, `flow.composer.json:5`.
    fn let_total(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("let_total", &d);
        let total = Value::Int(0);
        let_seen(d, total, turn)
    }

    /// `let_seen`, `flow.composer.json:6`.
    fn let_seen(d: Value, total: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("let_seen", &d);
        let seen = LITERAL_1.clone();
        sum(d, total, seen, turn)
    }

    /// `sum`, `flow.composer.json:7`.
    fn sum(mut d: Value, mut total: Value, mut seen: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("sum", &d);
        js::run(&mut d, [&mut total, &mut seen], sum_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { kind(d, total, seen, turn) }
    }

    /// `kind`, `flow.composer.json:12`.
    fn kind(mut d: Value, total: Value, seen: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("kind", &d);
        js::run(&mut d, [], kind_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { finish_total(d, total, seen, turn) }
    }

    /// `finish_total`, `flow.composer.json:17`.
    fn finish_total(mut d: Value, mut total: Value, mut seen: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("finish_total", &d);
        js::run(&mut d, [&mut seen, &mut total], finish_total_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { end_seen(d, turn) }
    }

    /// `end_seen`, `flow.composer.json:22`.
    fn end_seen(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_seen", &d);
        end_total(d, turn)
    }

    /// `end_total`, `flow.composer.json:23`.
    fn end_total(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("end_total", &d);
        finish(d, turn)
    }

    /// `finish`, `flow.composer.json:24`.
    fn finish(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("finish", &d);
        js::run(&mut d, [], finish_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `sum`, `flow.composer.json:9`.
    fn sum_script(run: &js::Run, params: Js, [total, seen]: [js::Var; 2]) -> js::Result {
        let items = match js::get(&params, "items")? {
            Js::Undefined => js::array([]),
            it_ => it_,
        };
        let whole_ = match js::get(&params, "discount")? {
            Js::Undefined => js::object([]),
            it_ => it_,
        };
        let percent = match js::get(&whole_, "percent")? {
            Js::Undefined => Js::Number(0.0),
            it_ => it_,
        };
        for item_ in js::each(&items)? {
            run.tick()?;
            let price = js::get(&item_, "price")?;
            let count = match js::get(&item_, "count")? {
                Js::Undefined => Js::Number(1.0),
                it_ => it_,
            };
            if js::type_of(&price) != "number" {
                return Err(js::Throw::Value(js::construct(
                    run,
                    "TypeError",
                    &[Js::from(js::concat(&[
                        "no price: ",
                        &js::string(&js::builtin::json_stringify(run, &[price])?)?,
                    ])?)],
                )?));
            }
            total.set(js::add(&total.get(), &Js::from(js::number(&price)? * js::number(&count)?))?);
            js::call_method(run, &seen.get(), "push", "seen.push", &[price])?;
        }
        let off = js::number(&total.get())? * js::number(&percent)? / 100.0;
        Ok(js::object([
            ("off", Js::from(off)),
            (
                "lines",
                js::call_method(
                    run,
                    &items,
                    "map",
                    "items.map",
                    &[js::function("", 2, move |run, _, arguments| {
                        let item = js::argument(arguments, 0);
                        let at = js::argument(arguments, 1);
                        let text_ = js::string(&js::add(&at, &Js::Number(1.0))?)?;
                        let name_ = js::get(&item, "name")?;
                        let either_ = if js::truthy(&name_) { name_ } else { Js::text("thing") };
                        Ok(Js::from(js::concat(&[
                            &text_,
                            ". ",
                            &js::string(&js::call_method(
                                run,
                                &either_,
                                "toUpperCase",
                                "(item.name || 'thing').toUpperCase",
                                &[],
                            )?)?,
                        ])?))
                    })],
                )?,
            ),
        ]))
    }

    /// The function of `kind`, `flow.composer.json:14`.
    fn kind_script(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
        let length_ = js::get(&js::get(&p, "lines")?, "length")?;
        if js::strict_equals(&length_, &Js::Number(0.0)) {
            js::set(&p, "kind", Js::text("none"))?;
        } else if js::strict_equals(&length_, &Js::Number(1.0)) {
            js::set(&p, "kind", Js::text("one"))?;
        } else {
            js::set(&p, "kind", Js::text("many"))?;
        }
        Ok(p)
    }

    /// The function of `finish_total`, `flow.composer.json:19`.
    fn finish_total_script(_: &js::Run, p: Js, [seen, total]: [js::Var; 2]) -> js::Result {
        match js::attempt(|| {
            if js::strict_equals(&js::get_at(&seen.get(), &Js::Number(0.0))?, &Js::Number(13.0)) {
                return Err(js::Throw::Value(js::object([("code", Js::Number(13.0))])));
            }
            let object_ = js::object([]);
            js::spread_object(&object_, &p)?;
            let value_ = total.get();
            let off_ = js::get(&p, "off")?;
            js::set(&object_, "total", Js::from(js::number(&value_)? - js::number(&off_)?))?;
            js::set(&object_, "seen", seen.get())?;
            return Ok(Some(object_));
        })? {
            Ok(Some(value_)) => {
                return Ok(value_);
            }
            Ok(None) => {}
            Err(thrown_) => {
                let code = js::get(&thrown_, "code")?;
                return Ok(js::object([("unlucky", code)]));
            }
        }
        Ok(Js::Undefined)
    }

    /// The function of `finish`, `flow.composer.json:24`.
    fn finish_script(_: &js::Run, params: Js, []: [js::Var; 0]) -> js::Result {
        js::get(&params, "off")?;
        let rest = js::rest_of(&params, &["off"])?;
        Ok(rest)
    }

    static LITERAL_1: rt::Literal = rt::Literal::new("[]");

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"let_total\" as s0\n    state \"let_seen\" as s1\n",
        "    state \"sum\" as s2\n    state \"kind\" as s3\n    state \"finish_total\" as s4\n",
        "    state \"end_seen\" as s5\n    state \"end_total\" as s6\n",
        "    state \"finish\" as s7\n    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n",
        "    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n    s6 --> s7\n",
        "    s7 --> [*]\n    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n",
        "    class s2,s3,s4,s7 task\n"
    );
}
