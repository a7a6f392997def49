// Generated from `flow.composer.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `chains` of `flow.composer.json`.
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
pub mod chains {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Js, Outcome, TaskContext, Value, composer, js};

    /// The workflow `chains`.
    pub struct Chains;

    impl Chains {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Chains, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `chains`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `chains`",
        label = "the trait `chains::Tasks` is not implemented for this type",
        note = "flow.composer.json:1:1: the workflow is defined here",
        note = "write `impl chains::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Chains {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "chains",
        dialect: "composer",
        source: "flow.composer.json",
        hash: 9422640659367821,
        longest_task_seconds: Some(0.0),
        states: &[rt::StateInfo::new("chains", "Task", 5, &[])],
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
        chains(d, turn)
    }

    /// `chains`, `flow.composer.json:5`.
    fn chains(mut d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("chains", &d);
        js::run(&mut d, [], chains_script, turn);
        if composer::is_error(&d) { Err(composer::failure(d)) } else { rt::done(d) }
    }

    /// The function of `chains`, `flow.composer.json:7`.
    fn chains_script(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
        let name = 'either: {
            let name_ = js::get(&p, "name")?;
            if js::truthy(&name_) {
                break 'either name_;
            }
            let user_ = js::get(&p, "user")?;
            let it_ = if user_.is_nullish() { Js::Undefined } else { js::get(&user_, "name")? };
            if js::truthy(&it_) {
                break 'either it_;
            }
            Js::text("nobody")
        };
        let at = 'either2: {
            let at_ = js::get(&p, "at")?;
            if !at_.is_nullish() {
                break 'either2 at_;
            }
            let user_ = js::get(&p, "user")?;
            let it_ = if user_.is_nullish() { Js::Undefined } else { js::get(&user_, "at")? };
            if !it_.is_nullish() {
                break 'either2 it_;
            }
            let start_ = js::get(&p, "start")?;
            if !start_.is_nullish() {
                break 'either2 start_;
            }
            Js::Number(0.0)
        };
        let deep = 'either3: {
            if !js::truthy(&p) {
                break 'either3 p.clone();
            }
            let user_ = js::get(&p, "user")?;
            if !js::truthy(&user_) {
                break 'either3 user_;
            }
            js::get(&js::get(&p, "user")?, "name")?
        };
        let mut n = Js::Number(1.0);
        n = 'either5: {
            let either_ = 'either4: {
                let a_ = js::get(&p, "a")?;
                if js::truthy(&a_) {
                    break 'either4 a_;
                }
                let b_ = js::get(&p, "b")?;
                if js::truthy(&b_) {
                    break 'either4 b_;
                }
                n
            };
            if !js::truthy(&either_) {
                break 'either5 either_;
            }
            if !js::truthy(&Js::Number(2.0)) {
                break 'either5 Js::Number(2.0);
            }
            let either_2_ = 'either6: {
                let c_ = js::get(&p, "c")?;
                if !c_.is_nullish() {
                    break 'either6 c_;
                }
                let d_ = js::get(&p, "d")?;
                if !d_.is_nullish() {
                    break 'either6 d_;
                }
                let either_2_ = 'either7: {
                    let e_ = js::get(&p, "e")?;
                    if js::truthy(&e_) {
                        break 'either7 e_;
                    }
                    let f_ = js::get(&p, "f")?;
                    if js::truthy(&f_) {
                        break 'either7 f_;
                    }
                    js::get(&p, "g")?
                };
                Js::from(js::concat(&[&js::string(&either_2_)?])?)
            };
            either_2_
        };
        let either_ = 'either9: {
            let either_ = 'either8: {
                if !js::truthy(&name) {
                    break 'either8 name.clone();
                }
                if !js::truthy(&at) {
                    break 'either8 at.clone();
                }
                deep.clone()
            };
            if js::truthy(&either_) {
                break 'either9 either_;
            }
            if js::truthy(&Js::text("none")) {
                break 'either9 Js::text("none");
            }
            deep.clone()
        };
        let length_ = js::get(&either_, "length")?;
        let either_2_ = 'either10: {
            let x_ = js::get(&p, "x")?;
            if js::truthy(&x_) {
                break 'either10 x_;
            }
            let y_ = js::get(&p, "y")?;
            if js::truthy(&y_) {
                break 'either10 y_;
            }
            Js::Number(3.0)
        };
        js::set(&p, "all", js::array([length_, Js::from(-js::number(&either_2_)?)]))?;
        let either_3_ = 'either11: {
            let skip_ = js::get(&p, "skip")?;
            if js::truthy(&skip_) {
                break 'either11 skip_;
            }
            let skipped_ = js::get(&p, "skipped")?;
            if js::truthy(&skipped_) {
                break 'either11 skipped_;
            }
            let object_ = js::object([]);
            js::spread_object(&object_, &p)?;
            js::set(&object_, "name", name)?;
            js::set(&object_, "at", at)?;
            js::set(&object_, "deep", deep)?;
            js::set(&object_, "n", n)?;
            object_
        };
        Ok(either_3_)
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"chains\" as s0\n    [*] --> s0\n    s0 --> [*]\n",
        "    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827\n    class s0 task\n"
    );
}
