//! Expressions of the HIR, to which every dialect lowers its own and which the emitter prints.
//!
//! An expression yields exactly one value, with three exceptions: [`Expr::Find`] and a strict
//! [`Expr::Select`] yield one or none, and the segments of a [`Path`] select any number. A
//! language feature beyond paths, constructors and logic is a call of a runtime [`Function`], so
//! the emitter knows calls but no expression language.

#[cfg(feature = "cel")]
pub mod cel;
mod checked;
#[cfg(any(feature = "asl", feature = "composer", feature = "jq"))]
#[cfg_attr(
    not(all(feature = "asl", feature = "composer", feature = "jq")),
    allow(dead_code, unused_imports, reason = "each language uses a part of the core")
)]
mod core;
mod cursor;
mod error;
#[cfg(feature = "asl")]
pub mod intrinsics;
#[cfg(feature = "composer")]
pub mod javascript;
#[cfg(feature = "jq")]
pub mod jq;
#[cfg(feature = "asl")]
pub mod jsonata;
pub mod jsonpath;
pub mod mentions;
pub(crate) mod pattern;
mod print;
mod program;
mod script;
#[cfg(feature = "serverless-workflow")]
pub mod spel;
#[cfg(test)]
pub(crate) mod tests;

// Every compiler explains every code: without its feature, a language keeps its table of codes.
#[cfg(not(feature = "cel"))]
pub mod cel {
    pub mod codes;
}
#[cfg(not(feature = "asl"))]
pub mod intrinsics {
    pub mod codes;
}
#[cfg(not(feature = "composer"))]
pub mod javascript {
    pub mod codes;
}
#[cfg(not(feature = "jq"))]
pub mod jq {
    pub mod codes;
}
#[cfg(not(feature = "asl"))]
pub mod jsonata {
    pub mod codes;
}
#[cfg(not(feature = "serverless-workflow"))]
pub mod spel {
    pub mod codes;
}

pub use program::{Apply, EngineProgram, Program, ProgramText, Signature};
pub use script::Script;

use crate::index::ids;
pub use crate::literal::{Literal, PathStep};
use crate::schema::Schema;
use std::sync::Arc;

ids! {
    /// A storage location while a workflow runs: the document, a variable, a result.
    LocalId;
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A constant.
    Literal(Literal),
    /// The value of a local.
    Local(LocalId),
    /// The value under test by the innermost filter of a path (`@`).
    Current,
    /// The context object (`$$`): the execution, the state, the task token, the item of a Map.
    Context,
    /// The value that a definite path leads to, if any.
    Find(Path),
    /// All values that a path selects, as an array. A [strict](Path::strict) path may yield no
    /// value at all.
    Select(Path),
    /// An object with these members, in this order.
    Object(Vec<(String, Expr)>),
    /// An array of these elements.
    Array(Vec<Expr>),
    /// A call of a runtime function.
    Call(Call),
    /// The application of a program in another language, such as jq.
    Apply(Apply),
    /// The conjunction. Operands are tested in order, up to the first that does not hold.
    And(Vec<Expr>),
    /// The disjunction. Operands are tested in order, up to the first that holds.
    Or(Vec<Expr>),
    /// The negation.
    Not(Box<Expr>),
    /// A choice between two expressions. Only the chosen one is evaluated.
    If(Box<If>),
}

/// A choice between two expressions.
#[derive(Debug, Clone, PartialEq)]
pub struct If {
    /// The condition.
    pub test: Expr,
    /// The expression to evaluate if the condition holds.
    pub then: Expr,
    /// The expression to evaluate if the condition does not hold.
    pub otherwise: Expr,
}

/// A path through a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The value where the path starts.
    pub base: Box<Expr>,
    /// The steps of the path.
    pub segments: Vec<Segment>,
    /// `true` if the path yields nothing, not even an empty array, when its definite prefix meets
    /// a value that the next step does not apply to: a name on a string, a slice on an object.
    pub strict: bool,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// `true` if the step applies to the value and to all its descendants (`..`), in document
    /// order.
    pub descend: bool,
    /// The selectors, applied in this order to each value that the path has reached.
    pub selectors: Vec<Selector>,
}

/// A selector of a segment, applied to one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Selector {
    /// The member of this name.
    Name(String),
    /// The member of this name. On an array of one element, the member of that element.
    NameThroughSingleton(String),
    /// The element at this index; a negative one counts from the end.
    Index(i64),
    /// The elements `start..end` by `step`, as RFC 9535 §2.3.4 defines it.
    Slice {
        /// The first index.
        start: Option<i64>,
        /// The index to stop before.
        end: Option<i64>,
        /// The distance between two indexes. A distance of 0 selects nothing.
        step: i64,
    },
    /// Every member or element.
    Wildcard,
    /// The members or elements for which the condition holds. In the condition, [`Expr::Current`]
    /// is the value under test.
    Filter(Box<Expr>),
    /// The filter of Jayway's JsonPath: the elements of an array for which the condition holds, or
    /// an object itself if the condition holds for the object.
    JaywayFilter(Box<Expr>),
}

impl Path {
    /// Returns `true` if the path leads to at most one value.
    pub fn is_definite(&self) -> bool {
        self.segments.iter().all(Segment::is_definite)
    }
}

impl Segment {
    fn is_definite(&self) -> bool {
        !self.descend
            && matches!(
                &self.selectors[..],
                [Selector::Name(_) | Selector::NameThroughSingleton(_) | Selector::Index(_)]
            )
    }

    /// Returns `true` if the segment does not apply to some values, such as a name to a string.
    /// Wildcards, RFC 9535 filters and descendants apply to every value, and select nothing from a
    /// scalar.
    pub fn is_partial(&self) -> bool {
        let is_total = |selector: &Selector| matches!(selector, Selector::Wildcard | Selector::Filter(_));
        !self.descend && !self.selectors.iter().all(is_total)
    }
}

/// The Rust type of an expression's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `Value`: a new, owned value.
    Value,
    /// `&Value`: a borrowed value.
    Ref,
    /// `Option<&Value>`.
    Maybe,
    /// `Option<Value>`: an owned value, if any.
    MaybeValue,
    /// `bool`.
    Bool,
    /// `Fault`: the failure of a scope.
    Fault,
    /// `asl::Selection`: what a path has found, for a function that checks it.
    Selection,
}

/// Fallibility: whether a function fails, and whether handlers catch its fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fallibility {
    /// Evaluation cannot fail.
    Infallible,
    /// Evaluation can fail with a fault that no retrier or catcher handles, such as
    /// `States.Runtime`.
    Fatal,
    /// Evaluation can fail with a fault that a retrier or catcher can handle.
    Catchable,
}

/// A function of the runtime that expressions can call.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// The path below `workflow_runtime::__private`, such as `asl::math_add`.
    pub path: &'static str,
    /// The type of the result. A fallible function returns it inside a `Result`.
    pub returns: Type,
    /// The fallibility. A fallible function returns `Result<_, Fault>`.
    pub fallibility: Fallibility,
    /// `true` if the last parameter is the turn, which provides clocks, ids and randomness.
    pub turn: bool,
    /// `true` if the function reads the context object.
    pub context: bool,
}

impl Function {
    /// Creates a function that cannot fail.
    pub const fn new(path: &'static str, returns: Type) -> Function {
        Function { path, returns, fallibility: Fallibility::Infallible, turn: false, context: false }
    }

    /// Makes it a function whose faults no handler catches.
    pub const fn fatal(self) -> Function {
        Function { fallibility: Fallibility::Fatal, ..self }
    }

    /// Makes it a function whose faults handlers can catch.
    pub const fn catchable(self) -> Function {
        Function { fallibility: Fallibility::Catchable, ..self }
    }

    /// Makes it a function that takes the turn.
    pub const fn with_turn(self) -> Function {
        Function { turn: true, ..self }
    }
}

/// A call of a function of the runtime.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// The arguments before the turn.
    pub args: Vec<Arg>,
}

/// An argument, classified by the Rust type of the parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// `&Value`.
    Value(Expr),
    /// `Value`.
    Owned(Expr),
    /// `Option<&Value>`: a path that may yield nothing, or any value.
    Maybe(Expr),
    /// `bool`.
    Bool(Expr),
    /// `&[&Value]`.
    List(Vec<Expr>),
    /// `&'static str`. The text is shared because many arguments repeat the text of their
    /// expression for fault messages.
    Str(Arc<str>),
    /// `i64`.
    Int(i64),
    /// `f64`.
    Float(f64),
    /// `bool`, a constant.
    Flag(bool),
    /// `&'static [&'static str]`.
    Strs(Vec<String>),
    /// `&'static [At]`: the steps of a reference path.
    Steps(Vec<PathStep>),
    /// `&'static Schema`.
    Schema(Arc<Schema>),
    /// `&mut Value`: the function edits the local in place. If the function fails, the local is
    /// unchanged. The expression yields the edited value. Valid only as the first argument of an
    /// expression that is the whole value of a step.
    Edit(LocalId),
}

impl Expr {
    /// Returns the local that the expression edits in place, if it is such a call.
    pub fn edited(&self) -> Option<LocalId> {
        match self {
            Expr::Call(call) => match call.args.first() {
                Some(Arg::Edit(local)) => Some(*local),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constant `null`.
    pub const NULL: Expr = Expr::Literal(Literal::Null);

    /// Returns a call of `function`.
    pub fn call(function: &'static Function, args: Vec<Arg>) -> Expr {
        Expr::Call(Call { function, args })
    }

    /// Returns the Rust type of the result.
    pub fn ty(&self) -> Type {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Current => Type::Ref,
            Expr::Find(_) => Type::Maybe,
            Expr::Select(path) if path.strict => Type::MaybeValue,
            Expr::Context | Expr::Select(_) | Expr::Object(_) | Expr::Array(_) => Type::Value,
            Expr::Call(call) => call.function.returns,
            Expr::Apply(apply) => apply.program.signature().returns,
            Expr::And(_) | Expr::Or(_) | Expr::Not(_) => Type::Bool,
            Expr::If(choice) if choice.then.ty() == Type::Bool && choice.otherwise.ty() == Type::Bool => Type::Bool,
            Expr::If(_) => Type::Value,
        }
    }

    /// Calls `visit` with this expression and then with every expression inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Current | Expr::Context => {}
            Expr::Find(path) | Expr::Select(path) => {
                path.base.walk(visit);
                for selector in path.segments.iter().flat_map(|segment| &segment.selectors) {
                    if let Selector::Filter(inner) | Selector::JaywayFilter(inner) = selector {
                        inner.walk(visit);
                    }
                }
            }
            Expr::Object(members) => members.iter().for_each(|(_, member)| member.walk(visit)),
            Expr::Array(items) | Expr::And(items) | Expr::Or(items) => items.iter().for_each(|item| item.walk(visit)),
            Expr::Not(inner) => inner.walk(visit),
            Expr::If(choice) => {
                [&choice.test, &choice.then, &choice.otherwise].into_iter().for_each(|part| part.walk(visit))
            }
            Expr::Call(call) => call.args.iter().for_each(|arg| arg.walk(visit)),
            Expr::Apply(apply) => {
                apply.input.walk(visit);
                apply.variables.iter().for_each(|value| value.walk(visit));
            }
        }
    }

    /// Calls `visit` with every expression inside this one, and then with this one. `visit` may
    /// replace each.
    pub fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Current | Expr::Context => {}
            Expr::Find(path) | Expr::Select(path) => {
                path.base.walk_mut(visit);
                for selector in path.segments.iter_mut().flat_map(|segment| &mut segment.selectors) {
                    if let Selector::Filter(inner) | Selector::JaywayFilter(inner) = selector {
                        inner.walk_mut(visit);
                    }
                }
            }
            Expr::Object(members) => members.iter_mut().for_each(|(_, member)| member.walk_mut(visit)),
            Expr::Array(items) | Expr::And(items) | Expr::Or(items) => {
                items.iter_mut().for_each(|item| item.walk_mut(visit));
            }
            Expr::Not(inner) => inner.walk_mut(visit),
            Expr::If(choice) => {
                let If { test, then, otherwise } = &mut **choice;
                [test, then, otherwise].into_iter().for_each(|part| part.walk_mut(visit));
            }
            Expr::Call(call) => call.args.iter_mut().for_each(|arg| arg.walk_mut(visit)),
            Expr::Apply(apply) => {
                apply.input.walk_mut(visit);
                apply.variables.iter_mut().for_each(|value| value.walk_mut(visit));
            }
        }
        visit(self);
    }

    /// Returns the local if the expression is a plain local.
    pub fn as_local(&self) -> Option<LocalId> {
        match self {
            Expr::Local(local) => Some(*local),
            _ => None,
        }
    }

    /// Returns the locals that the expression reads, in evaluation order and with repetitions.
    pub fn locals(&self) -> Vec<LocalId> {
        let mut locals = Vec::new();
        self.walk(&mut |inner| {
            if let Expr::Local(id) = inner {
                locals.push(*id);
            }
        });
        locals
    }

    /// Returns the worst fallibility among all calls and programs inside the expression.
    pub fn fallibility(&self) -> Fallibility {
        let mut worst = Fallibility::Infallible;
        self.walk(&mut |inner| match inner {
            Expr::Call(call) => worst = worst.max(call.function.fallibility),
            Expr::Apply(apply) => worst = worst.max(apply.fallibility()),
            _ => {}
        });
        worst
    }

    /// Returns `true` if evaluation can end in a fault.
    pub fn can_fail(&self) -> bool {
        self.fallibility() > Fallibility::Infallible
    }

    /// Returns `true` if evaluation reads the context object.
    pub fn reads_context(&self) -> bool {
        let mut reads = false;
        self.walk(&mut |inner| {
            reads |= matches!(inner, Expr::Context) || matches!(inner, Expr::Call(call) if call.function.context)
        });
        reads
    }
}

impl Call {
    /// Returns the tested expression if the call is a test of presence. A test of presence is an
    /// infallible boolean function whose only argument may be absent.
    pub fn presence_of(&self) -> Option<&Expr> {
        match (&self.args[..], self.function.returns, self.function.fallibility) {
            ([Arg::Maybe(sought)], Type::Bool, Fallibility::Infallible) => Some(sought),
            _ => None,
        }
    }
}

impl Arg {
    /// Returns the local if the argument is a plain local.
    pub fn as_local(&self) -> Option<LocalId> {
        match self {
            Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner) => inner.as_local(),
            _ => None,
        }
    }

    fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner) | Arg::Bool(inner) => inner.walk(visit),
            Arg::List(items) => items.iter().for_each(|item| item.walk(visit)),
            Arg::Edit(local) => visit(&Expr::Local(*local)),
            Arg::Str(_)
            | Arg::Int(_)
            | Arg::Float(_)
            | Arg::Flag(_)
            | Arg::Strs(_)
            | Arg::Steps(_)
            | Arg::Schema(_) => {}
        }
    }

    fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner) | Arg::Bool(inner) => inner.walk_mut(visit),
            Arg::List(items) => items.iter_mut().for_each(|item| item.walk_mut(visit)),
            Arg::Edit(_)
            | Arg::Str(_)
            | Arg::Int(_)
            | Arg::Float(_)
            | Arg::Flag(_)
            | Arg::Strs(_)
            | Arg::Steps(_)
            | Arg::Schema(_) => {}
        }
    }
}
