//! Scopes of variables, filled in the order of evaluation.

use super::lambda::{ends_in_call, may_yield_sequence};
use super::natives::NativeRow;
use super::{Lowering, Res, callees, untranslated};
use crate::expr::core::{Atom, CoreLocalId};
use std::rc::Rc;
use std::sync::Arc;
use workflow_jsonata::{Lambda, Transform};

/// The place of a part: its context item, and its scope.
#[derive(Clone)]
pub(super) struct JsonataEnv {
    pub context: ContextItem,
    /// The innermost scope.
    pub frame: usize,
}

impl JsonataEnv {
    /// Returns the place with another context item.
    pub fn on(&self, item: &Atom) -> JsonataEnv {
        JsonataEnv { context: ContextItem::Item(item.clone()), frame: self.frame }
    }
}

/// The context item.
#[derive(Clone)]
pub(super) enum ContextItem {
    /// There is none.
    Nothing,
    /// An item.
    Item(Atom),
    /// The input document of a test. An array is one input, in a sequence of its own.
    Document {
        /// The document.
        root: Atom,
        /// The document as the input of a path.
        input: Atom,
    },
}

impl ContextItem {
    /// Returns the value of `$`.
    pub fn item(&self) -> Option<&Atom> {
        match self {
            ContextItem::Nothing => None,
            ContextItem::Item(item) => Some(item),
            ContextItem::Document { root, .. } => Some(root),
        }
    }

    /// Returns the input of the first step of a path.
    pub fn input(&self) -> Option<&Atom> {
        match self {
            ContextItem::Document { input, .. } => Some(input),
            _ => self.item(),
        }
    }
}

/// A scope.
#[derive(Default)]
pub(super) struct Frame<'n> {
    parent: Option<usize>,
    /// The level of the parts that bind variables of the scope.
    level: usize,
    bindings: Vec<(Arc<str>, Bound<'n>)>,
}

/// The value of a variable.
#[derive(Clone)]
pub(super) enum Bound<'n> {
    /// A value.
    Value(Atom),
    /// A function.
    Function(Callable<'n>),
}

/// A function with a known body, or of the language.
#[derive(Clone)]
pub(super) enum Callable<'n> {
    /// A function of the language.
    Native(&'static NativeRow),
    /// A function of the expression, with the place where it stands.
    Lambda(&'n Lambda, JsonataEnv),
    /// A transformation, with the place where it stands.
    Transform(&'n Transform, JsonataEnv),
    /// A function some of whose arguments are bound.
    Partial(Rc<Partial<'n>>),
    /// The composition of two functions.
    Composed(Rc<ComposedPair<'n>>),
}

/// A function some of whose arguments are bound.
pub(super) struct Partial<'n> {
    /// The function, which is not partial itself.
    pub function: Callable<'n>,
    /// The arguments. Those that are not bound are those of the new function.
    pub args: Vec<Option<Bound<'n>>>,
    /// The number of functions inside of each other.
    pub nesting: usize,
}

/// The composition of two functions.
pub(super) struct ComposedPair<'n> {
    /// The function that is applied first.
    pub first: Callable<'n>,
    /// The function that is applied to its result.
    pub second: Callable<'n>,
    /// The number of functions inside of each other.
    pub nesting: usize,
}

impl Callable<'_> {
    /// Returns the number of parameters.
    pub fn arity(&self) -> usize {
        match self {
            Callable::Native(native) => native.arity,
            Callable::Lambda(lambda, _) => lambda.params.len(),
            Callable::Partial(partial) => partial.args.iter().filter(|arg| arg.is_none()).count(),
            Callable::Composed(_) | Callable::Transform(..) => 1,
        }
    }

    /// Returns `true` if the function can end with a call of another one.
    pub fn ends_in_call(&self) -> bool {
        match self {
            Callable::Native(_) | Callable::Transform(..) => false,
            Callable::Lambda(lambda, _) => ends_in_call(&lambda.body),
            Callable::Partial(partial) => partial.function.ends_in_call(),
            Callable::Composed(pair) => pair.second.ends_in_call(),
        }
    }

    /// Returns `true` if the function can return a sequence to a function that calls it back.
    pub fn may_yield_sequence(&self) -> bool {
        match self {
            Callable::Native(native) => native.sequence.is_some(),
            Callable::Lambda(lambda, _) => may_yield_sequence(lambda),
            Callable::Transform(..) => false,
            Callable::Partial(partial) => partial.function.may_yield_sequence(),
            Callable::Composed(pair) => pair.second.may_yield_sequence(),
        }
    }
}

/// The meaning of a name.
pub(super) enum Meaning<'n> {
    /// A variable of the expression.
    Bound(Bound<'n>),
    /// A variable of the workflow.
    Variable(CoreLocalId),
    /// `$states`
    States,
    /// A function of the language.
    Native(&'static NativeRow),
    /// Nothing.
    Unknown,
}

impl<'n> Lowering<'n> {
    /// Opens a scope inside another one.
    pub(super) fn scope(&mut self, parent: usize, bindings: Vec<(Arc<str>, Bound<'n>)>) -> usize {
        self.frames.push(Frame { parent: Some(parent), level: self.level, bindings });
        self.frames.len() - 1
    }

    /// Binds a variable in a scope.
    pub(super) fn define(&mut self, frame: usize, name: &Arc<str>, value: Bound<'n>) -> Res<()> {
        let level = self.level;
        let frame = &mut self.frames[frame];
        if frame.level != level {
            return untranslated(format!("the binding of `${name}` in a part that is not evaluated exactly once"));
        }
        frame.bindings.retain(|(bound, _)| bound != name);
        frame.bindings.push((name.clone(), value));
        Ok(())
    }

    /// Returns what a name means in a scope.
    pub(super) fn meaning(&self, name: &str, frame: usize) -> Meaning<'n> {
        let mut next = Some(frame);
        while let Some(frame) = next.map(|frame| &self.frames[frame]) {
            if let Some((_, value)) = frame.bindings.iter().find(|(bound, _)| **bound == *name) {
                return Meaning::Bound(value.clone());
            }
            next = frame.parent;
        }
        if let Some((_, local)) = self.variables.iter().find(|(known, _)| known == name) {
            return Meaning::Variable(*local);
        }
        if name == "states" {
            return Meaning::States;
        }
        match super::natives::find(name) {
            Some(native) => Meaning::Native(native),
            None => Meaning::Unknown,
        }
    }

    /// Binds the input document.
    pub(super) fn document(&mut self, document: CoreLocalId) -> ContextItem {
        let root = self.call_of("root", callees::OF, &[&Atom::Local(document)]);
        let input = self.call_of("input", callees::WRAPPED, &[&root]);
        self.document = Some(root.clone());
        ContextItem::Document { root, input }
    }
}
