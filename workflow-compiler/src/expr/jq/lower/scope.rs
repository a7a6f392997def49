//! Scopes of lowered code.

use super::call::JqFunction;
use crate::expr::core::{Atom, ErrorExit, LabelId};
use crate::expr::jq::ast::{FunctionDef, Term};
use std::rc::Rc;

/// The names in scope, innermost first.
#[derive(Clone, Default)]
pub(super) struct JqScope<'p>(Option<Rc<Node<'p>>>);

struct Node<'p> {
    entry: Entry<'p>,
    outer: JqScope<'p>,
}

enum Entry<'p> {
    Variable(&'p str, Atom),
    Label(&'p str, ScopeTarget),
    Function(&'p FunctionDef),
    /// A filter parameter: the argument and its scope.
    Argument(&'p str, &'p Term, JqScope<'p>),
}

/// The environment of a filter.
#[derive(Clone, Copy)]
pub(super) struct JqEnv<'a, 'p> {
    /// The names in scope.
    pub scope: &'a JqScope<'p>,
    /// The value of `.`.
    pub input: &'a Atom,
}

impl<'a, 'p> JqEnv<'a, 'p> {
    /// Returns the environment with another input.
    pub fn on(self, input: &'a Atom) -> Self {
        JqEnv { input, ..self }
    }

    /// Returns the environment with another scope.
    pub fn within(self, scope: &'a JqScope<'p>) -> Self {
        JqEnv { scope, ..self }
    }
}

/// The target of a `break`.
#[derive(Debug, Clone)]
pub(super) struct ScopeTarget {
    pub label: LabelId,
    /// The number of closures around the label.
    pub closures: usize,
    /// The destination of errors around the label.
    pub on_error: ErrorExit,
}

impl<'p> JqScope<'p> {
    fn with(&self, entry: Entry<'p>) -> JqScope<'p> {
        JqScope(Some(Rc::new(Node { entry, outer: self.clone() })))
    }

    pub fn variable(&self, name: &'p str, value: Atom) -> JqScope<'p> {
        self.with(Entry::Variable(name, value))
    }

    pub fn label(&self, name: &'p str, target: ScopeTarget) -> JqScope<'p> {
        self.with(Entry::Label(name, target))
    }

    pub fn function(&self, definition: &'p FunctionDef) -> JqScope<'p> {
        self.with(Entry::Function(definition))
    }

    pub fn argument(&self, name: &'p str, term: &'p Term, scope: JqScope<'p>) -> JqScope<'p> {
        self.with(Entry::Argument(name, term, scope))
    }

    fn entries(&self) -> impl Iterator<Item = &Node<'p>> {
        std::iter::successors(self.0.as_deref(), |node| node.outer.0.as_deref())
    }

    pub fn find_variable(&self, wanted: &str) -> Option<Atom> {
        self.entries().find_map(|node| match &node.entry {
            Entry::Variable(name, value) if *name == wanted => Some(value.clone()),
            _ => None,
        })
    }

    pub fn find_label(&self, wanted: &str) -> Option<ScopeTarget> {
        self.entries().find_map(|node| match &node.entry {
            Entry::Label(name, target) if *name == wanted => Some(target.clone()),
            _ => None,
        })
    }

    pub fn find_function(&self, name: &str, arity: usize) -> Option<JqFunction<'p>> {
        self.entries().find_map(|node| match &node.entry {
            Entry::Function(definition) if definition.name == name && definition.params.len() == arity => {
                Some(JqFunction::Defined(definition, node.outer.clone()))
            }
            Entry::Argument(known, term, scope) if arity == 0 && *known == name => {
                Some(JqFunction::Argument(term, scope.clone()))
            }
            _ => None,
        })
    }

    /// Returns a value that distinguishes this scope from others that exist at the same time.
    pub fn identity(&self) -> usize {
        self.0.as_ref().map_or(0, |node| Rc::as_ptr(node) as *const () as usize)
    }
}
