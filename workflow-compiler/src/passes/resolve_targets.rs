//! Pass that checks that every transition leads to a state of its own scope, and that state names
//! are unique.
//!
//! After this pass lookups of state names in their scope succeed.

use crate::diagnostics::codes::graph::{WF0201, WF0202, WF0203, WF0254};
use crate::diagnostics::suggest::{did_you_mean, listed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::Outline;
use crate::model::ScopeId;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Reports unknown targets and duplicate names. Returns `true` if all targets are known.
pub fn resolve_targets(workflow: &Outline, diagnostics: &mut Diagnostics) -> bool {
    let owners = check_duplicates(workflow, diagnostics);
    let mut all_known = true;
    for (id, scope) in workflow.scopes.entries() {
        let own: BTreeSet<&str> = scope.states.iter().map(|state| &*state.name.value).collect();
        let unknown = |target: &&Spanned<Arc<str>>| !own.contains(&*target.value);
        if let Some(start) = scope.start.as_ref().filter(unknown) {
            all_known = false;
            report_target(workflow, id, start, true, &owners, diagnostics);
        }
        for state in &scope.states {
            for target in state.targets.iter().filter(unknown) {
                all_known = false;
                if diagnostics.is_exhausted(target.span) {
                    return false;
                }
                report_target(workflow, id, target, false, &owners, diagnostics);
            }
        }
    }
    all_known
}

type Owners<'a> = BTreeMap<&'a str, (ScopeId, Span)>;

/// Reports duplicate names. Observers, histories and snapshots identify states by name. A name
/// that occurs in a scope and in a scope around it is refused. Equal names in sibling branches are
/// distinguished by the branch.
fn check_duplicates<'a>(workflow: &'a Outline, diagnostics: &mut Diagnostics) -> Owners<'a> {
    let mut owners = Owners::new();
    for (scope, state) in workflow.states().filter(|(_, state)| !state.is_synthetic) {
        let name = &state.name;
        let Some((owner, first)) = owners.get(&*name.value) else {
            owners.insert(&name.value, (scope, name.span));
            continue;
        };
        if diagnostics.is_exhausted(name.span) {
            break;
        }
        let nested = encloses(workflow, *owner, scope) || encloses(workflow, scope, *owner);
        let code = if nested { &WF0202 } else { &WF0254 };
        diagnostics.push(
            Diagnostic::new(code, name.span, format!("duplicate state `{}`", name.value))
                .label("duplicate name")
                .related(*first, "first defined here")
                .help("rename one: state names are unique in the whole workflow, including branches and iterators"),
        );
    }
    owners
}

/// Returns `true` if a scope is, or encloses, another.
fn encloses(workflow: &Outline, outer: ScopeId, mut inner: ScopeId) -> bool {
    loop {
        if inner == outer {
            return true;
        }
        match &workflow.scope(inner).parent {
            Some(parent) => inner = *parent,
            None => return false,
        }
    }
}

fn report_target(
    workflow: &Outline,
    id: ScopeId,
    target: &Spanned<Arc<str>>,
    starts: bool,
    owners: &Owners<'_>,
    diagnostics: &mut Diagnostics,
) {
    let scope = workflow.scope(id);
    let name = &target.value;
    if let Some((owner, place)) = owners.get(&**name) {
        let owner = &workflow.scope(*owner).label;
        let message = format!("state `{name}` is not in this scope");
        diagnostics.push(
            Diagnostic::new(&WF0203, target.span, message)
                .label(format!("this scope is {}", workflow.scope(id).label))
                .related(*place, format!("defined in {owner}"))
                .help("end the branch or iterator, and continue after it: a transition cannot leave its scope"),
        );
        return;
    }
    let known = scope.states.iter().map(|state| &*state.name.value);
    let mut diagnostic = Diagnostic::new(&WF0201, target.span, format!("state `{name}` does not exist"))
        .label(if starts { "no state of this scope has this name" } else { "not found in this scope" });
    diagnostic = diagnostic.help(
        did_you_mean(name, known.clone()).unwrap_or_else(|| format!("the states of this scope are {}", listed(known))),
    );
    diagnostics.push(diagnostic);
}
