//! Variables that each scope of a workflow declares.

use crate::expr::LocalId;
use crate::hir::{StepKind, Workflow};
use crate::model::{LocalKind, ScopeId};
use std::collections::BTreeMap;

/// Returns the variables that each scope declares: those that it assigns and no scope around it
/// assigns.
pub(super) fn of(workflow: &Workflow) -> BTreeMap<ScopeId, Vec<LocalId>> {
    let mut owners: BTreeMap<LocalId, ScopeId> = BTreeMap::new();
    for (id, scope) in workflow.scopes.entries() {
        for state in &scope.states {
            state.body.walk_steps(&mut |step| {
                let assigned: Vec<LocalId> = match &step.kind {
                    StepKind::Let { local, .. } => vec![*local],
                    StepKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
                    _ => Vec::new(),
                };
                for local in assigned {
                    if workflow.local(local).kind == LocalKind::Variable {
                        owners.entry(local).or_insert(id);
                    }
                }
            });
        }
    }
    let mut variables: BTreeMap<ScopeId, Vec<LocalId>> = BTreeMap::new();
    for (local, scope) in owners {
        variables.entry(scope).or_default().push(local);
    }
    variables
}
