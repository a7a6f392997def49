//! The one expression language that every dialect's expressions are lowered to, and that the emitter prints.
//!
//! An expression yields exactly one value, except [`Expr::Find`] and a strict [`Expr::Select`], which yield one or none, and the
//! segments of a [`Path`], which may select any number. What a language can do beyond paths, constructors and logic is a
//! [`Function`] of the runtime: the emitter knows how to call one, and knows no language.

#[cfg(feature = "cel")]
pub mod cel;
mod cursor;
#[cfg(test)]
mod eval;
mod flaw;
#[cfg(feature = "asl")]
pub mod intrinsics;
#[cfg(feature = "composer")]
pub mod javascript;
#[cfg(feature = "jq")]
pub mod jq;
pub mod jsonpath;
mod literal;
pub(crate) mod pattern;
mod print;
mod program;
mod script;
#[cfg(feature = "serverless-workflow")]
pub mod spel;

pub use literal::Literal;
pub use program::{Apply, ForEngine, Program, Signature};
pub use script::Script;

use crate::schema::Schema;
use std::sync::Arc;

/// A place that holds a value while a workflow runs: the document, a variable, a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

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
    /// All values that a path selects, as an array. A [strict](Path::strict) path may yield nothing.
    Select(Path),
    /// An object with these members, in this order.
    Object(Vec<(String, Expr)>),
    /// An array of these elements.
    Array(Vec<Expr>),
    /// A function of the runtime.
    Call(Call),
    /// A program in a language of its own.
    Apply(Apply),
    /// Whether all hold; tested in order, and no further than needed.
    And(Vec<Expr>),
    /// Whether any holds; tested in order, and no further than needed.
    Or(Vec<Expr>),
    /// Whether it does not hold.
    Not(Box<Expr>),
    /// One of two, of which the other is not evaluated.
    If(Box<If>),
}

/// A choice between two expressions.
#[derive(Debug, Clone, PartialEq)]
pub struct If {
    /// What decides.
    pub test: Expr,
    /// What it is where the test holds.
    pub then: Expr,
    /// What it is where the test does not hold.
    pub otherwise: Expr,
}

/// A way through a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Where it starts.
    pub base: Box<Expr>,
    /// The way, step by step.
    pub segments: Vec<Segment>,
    /// Whether the path leads nowhere, not even to an empty array, where its definite beginning meets a value that the
    /// next step cannot be taken from: a name from a string, a slice from an object.
    pub strict: bool,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Whether the step is taken from every descendant too (`..`), in document order.
    pub descend: bool,
    /// What is selected, in this order, from each value the path has reached.
    pub selectors: Vec<Selector>,
}

/// What a segment selects from one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Selector {
    /// The member of this name.
    Name(String),
    /// The member of this name; of an array of one element, that element's.
    Through(String),
    /// The element at this index; a negative one counts from the end.
    Index(i64),
    /// Elements `start..end` by `step`, as RFC 9535 §2.3.4 defines it.
    Slice {
        /// The first index.
        start: Option<i64>,
        /// The index to stop before.
        end: Option<i64>,
        /// The distance, not 0 for anything to be selected.
        step: i64,
    },
    /// Every member or element.
    Wildcard,
    /// The members or elements for which the condition holds; in it [`Expr::Current`] is the one under test.
    Filter(Box<Expr>),
    /// Jayway's filter: the elements of an array for which the condition holds; an object itself, if it holds for it.
    Matching(Box<Expr>),
}

impl Path {
    /// Whether the path can lead to one value at most.
    pub fn is_definite(&self) -> bool {
        self.segments.iter().all(Segment::is_definite)
    }
}

impl Segment {
    fn is_definite(&self) -> bool {
        !self.descend && matches!(&self.selectors[..], [Selector::Name(_) | Selector::Through(_) | Selector::Index(_)])
    }

    /// Whether there are values that it cannot be taken from, rather than to select nothing of them.
    pub fn is_choosy(&self) -> bool {
        let takes_any = |selector: &Selector| matches!(selector, Selector::Wildcard | Selector::Filter(_));
        !self.descend && !self.selectors.iter().all(takes_any)
    }
}

/// What an expression yields, seen from Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `Value`: a new value.
    Value,
    /// `&Value`: a value that lives elsewhere.
    Ref,
    /// `Option<&Value>`.
    Maybe,
    /// `Option<Value>`: a new value, if there is one.
    MaybeValue,
    /// `bool`.
    Bool,
    /// `Fault`: what a scope fails with.
    Fault,
}

/// How a function can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fails {
    /// It cannot.
    Never,
    /// With a fault that no retrier and no catcher handles, such as `States.Runtime`.
    Fatally,
    /// With a fault that can be handled.
    Catchably,
}

/// A function of the runtime that expressions can call.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its path below `workflow_runtime::__private`, such as `asl::math_add`.
    pub path: &'static str,
    /// What it yields; in a `Result` where it fails.
    pub returns: Type,
    /// Whether it returns `Result<_, Fault>`.
    pub fails: Fails,
    /// Whether its last parameter is the turn, for clocks, ids and randomness.
    pub turn: bool,
    /// Whether it reads the context object.
    pub context: bool,
}

/// A call of a function of the runtime.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// Its arguments before the turn.
    pub args: Vec<Arg>,
}

/// An argument, by the Rust type of the parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// `&Value`.
    Value(Expr),
    /// `Value`.
    Owned(Expr),
    /// `Option<&Value>`: a path that may lead nowhere, or any value.
    Maybe(Expr),
    /// `bool`.
    Bool(Expr),
    /// `&[&Value]`.
    List(Vec<Expr>),
    /// `&'static str`; shared, since texts that faults show are those of many arguments.
    Str(Arc<str>),
    /// `i64`.
    Int(i64),
    /// `f64`.
    Float(f64),
    /// `bool`, known when compiled.
    Flag(bool),
    /// `&'static [&'static str]`.
    Strs(Vec<String>),
    /// `&'static [At]`: the steps of a reference path.
    Steps(Vec<Step>),
    /// `&'static Schema`.
    Schema(Arc<Schema>),
    /// `&mut Value`: the argument is edited in place, and is as it was where the function fails; the expression yields
    /// what has become of it. Only as the first argument of the whole value of a step.
    Edit(LocalId),
}

/// One step of a reference path, which names one place in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A member.
    Key(String),
    /// An element, counted from 0; a negative index counts from the end.
    Index(i64),
}

impl Expr {
    /// The constant `null`.
    pub const NULL: Expr = Expr::Literal(Literal::Null);

    /// A call.
    pub fn call(function: &'static Function, args: Vec<Arg>) -> Expr {
        Expr::Call(Call { function, args })
    }

    /// What it yields.
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

    /// Calls `visit` with this expression and every one inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Current | Expr::Context => {}
            Expr::Find(path) | Expr::Select(path) => {
                path.base.walk(visit);
                for selector in path.segments.iter().flat_map(|segment| &segment.selectors) {
                    if let Selector::Filter(inner) | Selector::Matching(inner) = selector {
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

    /// Calls `visit` with every expression inside this one, and then with this one; each may be replaced.
    pub fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Current | Expr::Context => {}
            Expr::Find(path) | Expr::Select(path) => {
                path.base.walk_mut(visit);
                for selector in path.segments.iter_mut().flat_map(|segment| &mut segment.selectors) {
                    if let Selector::Filter(inner) | Selector::Matching(inner) = selector {
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

    /// The local, where it is one and nothing else.
    pub fn as_local(&self) -> Option<LocalId> {
        match self {
            Expr::Local(local) => Some(*local),
            _ => None,
        }
    }

    /// The locals it reads, each as often as it is read, in order.
    pub fn locals(&self) -> Vec<LocalId> {
        let mut found = Vec::new();
        self.walk(&mut |inner| {
            if let Expr::Local(id) = inner {
                found.push(*id);
            }
        });
        found
    }

    /// Whether evaluating it can end in a fault, and in which.
    pub fn fails(&self) -> Fails {
        let mut fails = Fails::Never;
        self.walk(&mut |inner| match inner {
            Expr::Call(call) => fails = fails.max(call.function.fails),
            Expr::Apply(apply) => fails = fails.max(apply.fails()),
            _ => {}
        });
        fails
    }

    /// Whether evaluating it can end in a fault.
    pub fn can_fail(&self) -> bool {
        self.fails() > Fails::Never
    }

    /// Whether it reads the context object.
    pub fn reads_context(&self) -> bool {
        let mut reads = false;
        self.walk(&mut |inner| {
            reads |= matches!(inner, Expr::Context) || matches!(inner, Expr::Call(call) if call.function.context)
        });
        reads
    }
}

impl Call {
    /// What a test of presence looks for: a function that answers yes or no for a value that may be absent, and is given
    /// nothing else, has no other question to answer.
    pub fn presence_of(&self) -> Option<&Expr> {
        match (&self.args[..], self.function.returns, self.function.fails) {
            ([Arg::Maybe(sought)], Type::Bool, Fails::Never) => Some(sought),
            _ => None,
        }
    }
}

impl Arg {
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
}
