//! Scopes of lowered code.

use super::call::JqFunction;
use crate::expr::core::{Atom, ErrorExit, LabelId};
use crate::expr::jq::ast::{FunctionDef, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// The names in scope, innermost first.
#[derive(Clone, Default)]
pub(super) struct JqScope<'p>(Option<Rc<Node<'p>>>);

struct Node<'p> {
    entry: Entry<'p>,
    outer: JqScope<'p>,
    functions: FunctionsId,
}

enum Entry<'p> {
    Variable(&'p str, Atom),
    Label(&'p str, ScopeTarget),
    Function(&'p FunctionDef),
    /// A filter parameter: the argument and its scope.
    Argument(&'p str, &'p Term, JqScope<'p>),
}

/// The identity of the functions in scope. Scopes with the same functions have the same one, even
/// if their variables and labels differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct FunctionsId(usize);

/// A function in scope: its address, and for an argument its name and the functions in its scope.
type Added<'p> = (usize, Option<(&'p str, FunctionsId)>);

/// The functions of all scopes of a program.
#[derive(Default)]
pub(super) struct FunctionSets<'p>(HashMap<(FunctionsId, Added<'p>), FunctionsId>);

impl<'p> FunctionSets<'p> {
    /// Returns the identity of these functions and another one.
    fn with(&mut self, outer: FunctionsId, added: Added<'p>) -> FunctionsId {
        let next = FunctionsId(self.0.len() + 1);
        *self.0.entry((outer, added)).or_insert(next)
    }
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
    fn with(&self, entry: Entry<'p>, functions: FunctionsId) -> JqScope<'p> {
        JqScope(Some(Rc::new(Node { entry, outer: self.clone(), functions })))
    }

    pub fn variable(&self, name: &'p str, value: Atom) -> JqScope<'p> {
        self.with(Entry::Variable(name, value), self.functions())
    }

    pub fn label(&self, name: &'p str, target: ScopeTarget) -> JqScope<'p> {
        self.with(Entry::Label(name, target), self.functions())
    }

    pub fn function(&self, definition: &'p FunctionDef, sets: &mut FunctionSets<'p>) -> JqScope<'p> {
        let functions = sets.with(self.functions(), (std::ptr::from_ref(definition) as usize, None));
        self.with(Entry::Function(definition), functions)
    }

    pub fn argument(
        &self,
        name: &'p str,
        term: &'p Term,
        scope: JqScope<'p>,
        sets: &mut FunctionSets<'p>,
    ) -> JqScope<'p> {
        let of_argument = (name, scope.functions());
        let functions = sets.with(self.functions(), (std::ptr::from_ref(term) as usize, Some(of_argument)));
        self.with(Entry::Argument(name, term, scope), functions)
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

    /// Returns the identity of the functions in scope.
    pub fn functions(&self) -> FunctionsId {
        self.0.as_ref().map_or_else(FunctionsId::default, |node| node.functions)
    }
}
