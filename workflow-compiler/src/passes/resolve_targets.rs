//! Pass that checks that every transition leads to a state of its own scope, and that state names
//! are unique.
//!
//! After this pass lookups of state names in their scope succeed.

use crate::diagnostics::codes::graph::{E0201, E0202, E0203, W0204};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::{Outline, ScopeId};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Reports unknown targets and duplicate names. Returns `true` if all targets are known.
pub fn resolve_targets(workflow: &Outline, diagnostics: &mut Diagnostics) -> bool {
    let owners = check_duplicates(workflow, diagnostics);
    let mut all_known = true;
    for (at, scope) in workflow.scopes.iter().enumerate() {
        let id = ScopeId(at as u32);
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
    for (scope, state) in workflow.states() {
        let name = &state.name;
        let Some((owner, first)) = owners.get(&*name.value) else {
            owners.insert(&name.value, (scope, name.span));
            continue;
        };
        if diagnostics.is_exhausted(name.span) {
            break;
        }
        let nested = encloses(workflow, *owner, scope) || encloses(workflow, scope, *owner);
        let code = if nested { &E0202 } else { &W0204 };
        diagnostics.push(
            Diagnostic::new(code, name.span, format!("there are two states named `{}`", name.value))
                .label("the name is taken")
                .related(*first, "the first one")
                .help("state names are unique in the whole workflow, branches and iterators included: rename one"),
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
            Diagnostic::new(&E0203, target.span, message)
                .label(format!("this is {}", workflow.scope(id).label))
                .related(*place, format!("it is in {owner}"))
                .help("transitions stay inside the branch or iterator they are in: end it, and go on after it"),
        );
        return;
    }
    let known = scope.states.iter().map(|state| &*state.name.value);
    let nearest = nearest(name, known);
    let mut diagnostic = Diagnostic::new(&E0201, target.span, format!("state `{name}` does not exist"))
        .label(if starts { "the first state is not among the states" } else { "no such state in this scope" });
    diagnostic = match nearest {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => {
            let names: Vec<String> =
                scope.states.iter().take(8).map(|state| format!("`{}`", state.name.value)).collect();
            diagnostic.help(format!("the states of this scope are {}", names.join(", ")))
        }
    };
    diagnostics.push(diagnostic);
}
