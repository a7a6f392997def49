//! The states of a workflow, of a branch, or of the body of a foreach state, as a scope.

use super::super::ast::Flow;
use super::Cx;
use crate::hir::{Scope, ScopeId, Step};
use std::sync::Arc;

impl Cx<'_> {
    /// Adds the scope of a flow, and lowers its states.
    pub(super) fn flow(
        &mut self,
        flow: &Flow,
        label: String,
        parent: Option<(ScopeId, Arc<str>)>,
        entry: Vec<Step>,
    ) -> ScopeId {
        let id = ScopeId(self.workflow.scopes.len() as u32);
        self.workflow.scopes.push(Scope {
            label,
            parent,
            entry,
            start: flow.states[flow.start].name.clone(),
            states: Vec::new(),
            span: flow.span,
        });
        let scope = std::mem::replace(&mut self.scope, id);
        let names = flow.states.iter().map(|state| state.name.value.clone()).collect();
        let outer = std::mem::replace(&mut self.names, names);
        for (at, state) in flow.states.iter().enumerate() {
            let lowered = self.state(state, at == flow.start);
            self.workflow.scopes[id.0 as usize].states.push(lowered);
        }
        (self.scope, self.names) = (scope, outer);
        id
    }
}
