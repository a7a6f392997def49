//! Coverage: the states and transitions that the runs of a case file have visited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use workflow_runtime::machine::Definition;
use workflow_runtime::observe::{Event, EventKind, Observer, PathStep};

/// The states and transitions that were visited so far. Clones share the data.
#[derive(Debug, Clone)]
pub struct Coverage {
    definition: &'static Definition,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    states: BTreeSet<&'static str>,
    transitions: BTreeSet<(&'static str, &'static str)>,
}

impl Coverage {
    /// Creates an empty coverage.
    pub fn new(definition: &'static Definition) -> Coverage {
        Coverage { definition, seen: Arc::default() }
    }

    /// Returns an observer that adds the states and transitions of one execution. It ignores
    /// executions of other workflows.
    pub fn observer(&self) -> impl Observer + use<> {
        Visitor { coverage: self.clone(), last: BTreeMap::new() }
    }

    /// Returns the number of states that were entered, and the names of the others.
    pub fn states(&self) -> (usize, Vec<&'static str>) {
        let seen = self.lock();
        let missed = self.definition.states.iter().map(|state| state.name).filter(|name| !seen.states.contains(name));
        (seen.states.len(), missed.collect())
    }

    /// Returns the number of transitions that were taken, and the others as pairs of states.
    pub fn transitions(&self) -> (usize, Vec<(&'static str, &'static str)>) {
        let seen = self.lock();
        let all = self.definition.states.iter().flat_map(|state| state.next.iter().map(|next| (state.name, *next)));
        let (taken, missed): (Vec<_>, Vec<_>) = all.partition(|transition| seen.transitions.contains(transition));
        (taken.len(), missed)
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The observer of one execution.
struct Visitor {
    coverage: Coverage,
    /// The last state of each branch and iteration, by its path.
    last: BTreeMap<Vec<(&'static str, u32)>, &'static str>,
}

impl Observer for Visitor {
    fn observe(&mut self, event: &Event<'_>) {
        let EventKind::StateEntered { .. } = event.kind else { return };
        if event.workflow != self.coverage.definition.name {
            return;
        }
        let step = |step: &PathStep| (step.state, step.index);
        let path: Vec<(&'static str, u32)> = event.path.iter().map(step).collect();
        // A state that is entered again has ended its former branches and iterations.
        self.last.retain(|inner, _| {
            inner.len() <= path.len() || !inner.starts_with(&path) || inner[path.len()].0 != event.state
        });
        let before = self.last.insert(path, event.state);
        let mut seen = self.coverage.lock();
        seen.states.insert(event.state);
        seen.transitions.extend(before.map(|before| (before, event.state)));
    }
}
