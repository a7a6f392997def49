//! Functions as values.

use std::rc::Rc;
use std::sync::Arc;

use workflow_jsonata::{Lambda, Transform};

use super::error::Result;
use super::item::Item;
use super::regex::{CompiledRegex, NextMatch};
use super::release;
use super::run::Evaluation;
use super::scope::VariableScope;
use super::shape::Shape;

/// A function as a value.
pub(crate) enum JsonataFunction {
    /// A function of the language.
    Native(&'static Native),
    /// A function of the expression.
    Lambda(Closure),
    /// A function some of whose arguments are bound.
    Partial(Partial),
    /// The composition of two functions: `first ~> second`.
    Composed(Pair),
    /// A transformation of an object.
    Transform(Arc<Transform>, CreationSite),
    /// A regular expression: a function from a text to its first match.
    Regex(Rc<CompiledRegex>),
    /// The function `next` of a match: the match after it.
    NextMatch(NextMatch),
}

/// The code of a function. It gets a value, or nothing, for each argument.
pub(crate) type Code = fn(&mut Evaluation, &[Option<Item>]) -> Result<Option<Item>>;

/// A function of the language.
pub(crate) struct Native {
    /// The name, without `$`.
    pub name: &'static str,
    /// The signature, or an empty text for a function that checks its arguments itself.
    pub signature: &'static str,
    /// The arguments that the signature takes as they are.
    pub shape: Shape,
    /// The largest number of arguments that a function such as `$map` calls it with.
    pub arity: usize,
    /// The code. The arguments have passed the signature: a missing one is `None`.
    pub code: Code,
}

impl Native {
    /// Creates a function.
    pub(crate) const fn new(name: &'static str, signature: &'static str, arity: usize, code: Code) -> Native {
        Native { name, signature, shape: Shape::of(signature), arity, code }
    }
}

/// The place where a function is created.
pub(crate) struct CreationSite {
    /// The context item.
    pub context: Option<Item>,
    /// The variables.
    pub scope: Rc<VariableScope>,
}

/// A function of the expression.
pub(crate) struct Closure {
    /// The function.
    pub lambda: Arc<Lambda>,
    /// The place where it is created.
    pub site: CreationSite,
}

/// A function some of whose arguments are bound.
pub(crate) struct Partial {
    /// The function, which is not partial itself.
    pub function: Rc<JsonataFunction>,
    /// The arguments.
    pub args: Vec<Argument>,
}

/// An argument of a function that is partially applied.
#[derive(Clone)]
pub(crate) enum Argument {
    /// The value, or nothing.
    Bound(Option<Item>),
    /// The place of an argument of the new function.
    Open,
}

/// Two functions.
pub(crate) struct Pair {
    /// The function that is applied first.
    pub first: Option<Rc<JsonataFunction>>,
    /// The function that is applied to its result.
    pub second: Option<Rc<JsonataFunction>>,
}

impl Drop for Pair {
    fn drop(&mut self) {
        release::all([self.first.take(), self.second.take()].into_iter().flatten().map(Item::Function));
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let bound = std::mem::take(&mut self.args).into_iter().filter_map(|argument| match argument {
            Argument::Bound(value) => value,
            Argument::Open => None,
        });
        release::all(bound);
    }
}

impl Drop for CreationSite {
    fn drop(&mut self) {
        release::all(self.context.take().into_iter());
    }
}

impl JsonataFunction {
    /// Returns the number of arguments that the function takes. Functions that call back give
    /// only so many.
    pub fn arity(&self) -> usize {
        match self {
            JsonataFunction::Native(native) => native.arity,
            JsonataFunction::Lambda(closure) => closure.lambda.params.len(),
            JsonataFunction::Partial(partial) => {
                partial.args.iter().filter(|argument| matches!(argument, Argument::Open)).count()
            }
            JsonataFunction::Composed(_) | JsonataFunction::Transform(..) | JsonataFunction::Regex(_) => 1,
            JsonataFunction::NextMatch(_) => 0,
        }
    }
}
