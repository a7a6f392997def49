//! The states of a workflow and their transitions, which are known before the rest of a definition
//! can be parsed.

use super::Workflow;
use crate::index::IndexVec;
use crate::model::ScopeId;
use crate::source::{Span, Spanned};
use std::sync::Arc;

/// The states of a workflow and their transitions. An empty outline states nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The scopes; the first is the top level. A scope comes before those nested in it.
    pub scopes: IndexVec<ScopeId, ScopeOutline>,
    /// Completeness: `true` if every state and every transition is listed.
    pub is_complete: bool,
    /// Copy of [`Workflow::refuses_dead_ends`].
    pub refuses_dead_ends: bool,
}

/// The states of a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeOutline {
    /// Description: `the top level`, or the branch and its state.
    pub label: String,
    /// The enclosing scope.
    pub parent: Option<ScopeId>,
    /// The first state, if the definition names one.
    pub start: Option<Spanned<Arc<str>>>,
    /// The states, in source order.
    pub states: Vec<StateOutline>,
}

/// A state and the targets of its transitions.
#[derive(Debug, Clone, PartialEq)]
pub struct StateOutline {
    /// The name and its span.
    pub name: Spanned<Arc<str>>,
    /// The span of the whole state.
    pub span: Span,
    /// The targets of its transitions.
    pub targets: Vec<Spanned<Arc<str>>>,
    /// `true` if the scope can end in this state, by success or failure.
    pub can_end: bool,
    /// `true` if the compiler made the state.
    pub is_synthetic: bool,
}

impl Outline {
    /// Returns the scope `id`.
    pub fn scope(&self, id: ScopeId) -> &ScopeOutline {
        &self.scopes[id]
    }

    /// Iterates over the states of all scopes.
    pub fn states(&self) -> impl Iterator<Item = (ScopeId, &StateOutline)> {
        let scopes = (0..).map(ScopeId).zip(&self.scopes);
        scopes.flat_map(|(id, scope)| scope.states.iter().map(move |state| (id, state)))
    }
}

impl From<&Workflow> for Outline {
    fn from(workflow: &Workflow) -> Outline {
        let state = |state: &super::State| StateOutline {
            name: state.name.clone(),
            span: state.span,
            targets: state.body.targets().into_iter().cloned().collect(),
            can_end: state.body.can_end(),
            is_synthetic: state.is_synthetic,
        };
        let scope = |scope: &super::Scope| ScopeOutline {
            label: scope.label.clone(),
            parent: scope.parent.as_ref().map(|(parent, _)| *parent),
            start: Some(scope.start.clone()),
            states: scope.states.iter().map(state).collect(),
        };
        Outline {
            scopes: workflow.scopes.iter().map(scope).collect(),
            is_complete: true,
            refuses_dead_ends: workflow.refuses_dead_ends,
        }
    }
}
