//! Which states there are and where they lead: what can be said of a workflow before the rest of it can be read.

use super::{ScopeId, Workflow};
use crate::source::{Span, Spanned};
use std::sync::Arc;

/// The states of a workflow and their transitions. An empty one says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The scopes; the first is the top level. A scope comes before those nested in it.
    pub scopes: Vec<ScopeOutline>,
    /// Whether every state and every transition is here.
    pub is_complete: bool,
    /// As [`Workflow::refuses_dead_ends`].
    pub refuses_dead_ends: bool,
}

/// The states of a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeOutline {
    /// What it is: `the top level`, or which branch of which state.
    pub label: String,
    /// The scope it is in.
    pub parent: Option<ScopeId>,
    /// The first state, where it is known.
    pub start: Option<Spanned<Arc<str>>>,
    /// The states, in source order.
    pub states: Vec<StateOutline>,
}

/// Where a state leads.
#[derive(Debug, Clone, PartialEq)]
pub struct StateOutline {
    /// Its name and the place of the name.
    pub name: Spanned<Arc<str>>,
    /// The place of the whole state.
    pub span: Span,
    /// The targets of its transitions.
    pub targets: Vec<Spanned<Arc<str>>>,
    /// Whether the scope can end here, well or badly.
    pub can_end: bool,
}

impl Outline {
    /// The scope `id`.
    pub fn scope(&self, id: ScopeId) -> &ScopeOutline {
        &self.scopes[id.0 as usize]
    }

    /// Every state of every scope.
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
