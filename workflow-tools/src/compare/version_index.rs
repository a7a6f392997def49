//! Index of one version of a definition, and the pairs of states of two versions.

use super::Version;
use super::shape::{StateShape, shape};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use workflow_compiler::Output;
use workflow_compiler::hir::{State, StepKind, Workflow};
use workflow_compiler::machine::{
    Callee, Command, EntryId, Machine, MapId, ResumePointId, ResumePointKind, Terminator,
};
use workflow_compiler::model::{EventId, ScopeId, TaskId};
use workflow_compiler::passes;
use workflow_compiler::source::Sources;

/// A version of a definition, indexed by states and resume points.
pub struct VersionIndex<'a> {
    pub workflow: &'a Workflow,
    pub machine: Machine,
    pub sources: &'a Sources,
    pub data_limit: Option<usize>,
    hash: u64,
    /// The tasks and other completions that resume points await, and the resume points of
    /// back-offs.
    tasks: BTreeMap<ResumePointId, TaskId>,
    others: BTreeMap<ResumePointId, ExternalWait>,
    attempts: BTreeSet<ResumePointId>,
    tags: BTreeMap<String, ResumePointId>,
    /// The resume points of each state at which an execution can wait.
    points: BTreeMap<(ScopeId, String), Vec<ResumePointId>>,
    /// The scopes inside of each state.
    children: BTreeMap<StateKey, Vec<ScopeId>>,
    states: BTreeMap<StateKey, &'a State>,
    /// The distributed Maps, by their states.
    maps: BTreeMap<StateKey, MapNumbers>,
    /// The scopes that select items. They belong to the meaning of their Map states.
    selections: BTreeSet<ScopeId>,
}

/// The numbers by which stored runs of a distributed Map and their executions refer to the Map and
/// to its processor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MapNumbers {
    map: MapId,
    processor: EntryId,
}

/// The identity of a state: its scope and its name.
pub type StateKey = (ScopeId, Arc<str>);

/// A state with its scope.
#[derive(Clone, Copy)]
pub struct StateAt<'a> {
    pub scope: ScopeId,
    pub state: &'a State,
}

/// A completion other than that of a task.
enum ExternalWait {
    Events(Vec<EventId>),
    Sent(String),
    Execution(Callee, bool),
}

/// The completion that a resume point awaits.
pub enum Awaits<'a> {
    /// A task, by its key.
    Task(&'a str),
    /// The executions of the items of a distributed Map.
    Executions,
    /// Any of these events, by name.
    Events(Vec<&'a str>),
    /// The publication of an event of this type.
    Sent(&'a str),
    /// The end of a child execution.
    Execution(Option<&'a str>),
    /// The start of a detached child execution.
    Started(Option<&'a str>),
    /// A time.
    Time,
    /// The time of another attempt.
    Attempt,
    Branches,
    Iterations,
}

impl<'a> StateAt<'a> {
    pub fn key(&self) -> StateKey {
        (self.scope, self.state.name.value.clone())
    }
}

impl<'a> VersionIndex<'a> {
    /// Indexes a version. Returns `None` if the definition is refused.
    pub fn of(output: &'a Output) -> Option<VersionIndex<'a>> {
        let workflow = output.workflow.as_ref()?;
        let machine = passes::lower(workflow, passes::Verified::EachPass, &mut |_, _| {});
        let (mut tasks, mut others, mut attempts) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        for block in &machine.blocks {
            block.body.walk(&mut |tail| match &tail.terminator {
                Terminator::Wait { command: Command::Invoke(invoke), point, .. } => {
                    tasks.insert(*point, invoke.task);
                }
                Terminator::Wait { command, point, .. } => {
                    let other = match command {
                        Command::Receive { receive, .. } => ExternalWait::Events(receive.events.clone()),
                        Command::Publish(publish) => ExternalWait::Sent(publish.kind.clone()),
                        Command::Call { target, detached, .. } => ExternalWait::Execution(target.clone(), *detached),
                        _ => return,
                    };
                    others.insert(*point, other);
                }
                Terminator::Handle { retry: Some((.., point)), .. } => _ = attempts.insert(*point),
                _ => {}
            });
        }
        let mut points: BTreeMap<_, Vec<ResumePointId>> = BTreeMap::new();
        for (at, point) in machine.points.entries() {
            if let (Some(origin), false) = (&point.origin, matches!(point.kind, ResumePointKind::Enter(_))) {
                points.entry((origin.scope, origin.state.clone())).or_default().push(at);
            }
        }
        let (mut maps, mut selections) = (BTreeMap::new(), BTreeSet::new());
        for (scope, state) in workflow.states() {
            state.body.walk_steps(&mut |step| {
                let StepKind::DistributedMap(map) = &step.kind else { return };
                selections.extend(map.selection.as_ref().map(|selection| selection.scope));
                if let Some((at, row)) = machine.maps.entries().find(|(_, row)| row.label == map.label) {
                    let numbers = MapNumbers { map: at, processor: row.entry };
                    maps.insert((scope, state.name.value.clone()), numbers);
                }
            });
        }
        let mut children: BTreeMap<_, Vec<ScopeId>> = BTreeMap::new();
        for (at, scope) in workflow.scopes.entries().filter(|(at, _)| !selections.contains(at)) {
            if let Some((outer, state)) = &scope.parent {
                children.entry((*outer, state.clone())).or_default().push(at);
            }
        }
        let tags = machine.points.entries().map(|(at, point)| (point.tag.clone(), at)).collect();
        let (sources, data_limit, hash) = (&output.sources, output.data_limit, output.hash);
        let states = workflow.states().map(|(scope, state)| ((scope, state.name.value.clone()), state)).collect();
        Some(VersionIndex {
            workflow,
            machine,
            sources,
            data_limit,
            hash,
            tasks,
            others,
            attempts,
            tags,
            points,
            children,
            states,
            maps,
            selections,
        })
    }

    pub fn version(&self) -> Version {
        let file = self.sources.get(self.workflow.span.file).name.clone();
        Version { file, workflow: self.workflow.name.clone(), hash: self.hash }
    }

    /// Iterates over the states in which an execution can wait, in source order, with their resume
    /// points.
    pub fn waiting(&self) -> impl Iterator<Item = (StateAt<'a>, Vec<ResumePointId>)> {
        let mut states: Vec<(StateAt<'a>, Vec<ResumePointId>)> =
            self.states().map(|at| (at, self.points_of(at))).filter(|(_, points)| !points.is_empty()).collect();
        states.sort_by_key(|(at, _)| at.state.name.span.start);
        states.into_iter()
    }

    /// Iterates over the states, without those that select items.
    pub fn states(&self) -> impl Iterator<Item = StateAt<'a>> {
        let states = self.workflow.states().filter(|(scope, _)| !self.selections.contains(scope));
        states.map(|(scope, state)| StateAt { scope, state })
    }

    /// Returns the numbers of the distributed Map that a state is.
    pub fn map_numbers(&self, at: StateAt<'_>) -> Option<MapNumbers> {
        self.maps.get(&at.key()).copied()
    }

    pub fn point(&self, tag: &str) -> Option<ResumePointId> {
        self.tags.get(tag).copied()
    }

    pub fn points_of(&self, at: StateAt<'_>) -> Vec<ResumePointId> {
        self.points.get(&(at.scope, at.state.name.value.to_string())).cloned().unwrap_or_default()
    }

    pub fn awaits(&self, point: ResumePointId) -> Awaits<'_> {
        match &self.machine.points[point].kind {
            ResumePointKind::Fork(..) => Awaits::Branches,
            ResumePointKind::ForEach { .. } => Awaits::Iterations,
            ResumePointKind::Elapsed(_) | ResumePointKind::Enter(_) | ResumePointKind::Resume(_) => {
                match self.tasks.get(&point) {
                    Some(task) => Awaits::Task(&self.workflow.tasks[*task].key),
                    None if self.attempts.contains(&point) => Awaits::Attempt,
                    None => self.others.get(&point).map_or(Awaits::Time, |other| self.awaits_other(other)),
                }
            }
        }
    }

    fn awaits_other<'s>(&'s self, other: &'s ExternalWait) -> Awaits<'s> {
        let name = |callee: &'s Callee| match callee {
            Callee::Workflow(name) => Some(name.as_str()),
            Callee::Entry(_) | Callee::Map(_) => None,
        };
        match other {
            ExternalWait::Events(events) => {
                Awaits::Events(events.iter().map(|event| &*self.workflow.events[*event].name).collect())
            }
            ExternalWait::Sent(kind) => Awaits::Sent(kind),
            ExternalWait::Execution(callee, true) => Awaits::Started(name(callee)),
            ExternalWait::Execution(Callee::Map(_), false) => Awaits::Executions,
            ExternalWait::Execution(callee, false) => Awaits::Execution(name(callee)),
        }
    }

    /// Returns the names of the states around a scope, the outermost first.
    pub fn within(&self, scope: ScopeId) -> Vec<&'a str> {
        let mut names = Vec::new();
        let mut scope = scope;
        while let Some((outer, state)) = &self.workflow.scope(scope).parent {
            names.push(&**state);
            scope = *outer;
        }
        names.reverse();
        names
    }

    /// Returns the state around a scope.
    pub fn outer(&self, scope: ScopeId) -> Option<StateAt<'a>> {
        let (outer, state) = self.workflow.scope(scope).parent.as_ref()?;
        self.state(*outer, state)
    }

    pub fn state(&self, scope: ScopeId, name: &Arc<str>) -> Option<StateAt<'a>> {
        let state = self.states.get(&(scope, name.clone()))?;
        Some(StateAt { scope, state })
    }

    /// Returns the branches of a state, or the body of its iterations.
    pub fn children(&self, at: StateAt<'_>) -> &[ScopeId] {
        self.children.get(&at.key()).map_or(&[], Vec::as_slice)
    }

    /// Returns the states that can come next: the states inside of it, its targets, and the state
    /// around it.
    pub fn successors(&self, at: StateAt<'_>) -> Vec<StateAt<'a>> {
        let inside = self.children(at).iter().filter_map(|scope| {
            let start = &self.workflow.scope(*scope).start.value;
            self.state(*scope, start)
        });
        let next = at.state.body.targets().into_iter().filter_map(|target| self.state(at.scope, &target.value));
        inside.chain(next).chain(self.outer(at.scope)).collect()
    }

    pub fn shape(&self, at: StateAt<'_>) -> StateShape {
        shape(self, at)
    }
}

impl Awaits<'_> {
    /// Returns a phrase such as `for its task`.
    pub fn phrase(&self) -> String {
        match self {
            Awaits::Task(_) => "for its task".to_owned(),
            Awaits::Events(names) => match &names[..] {
                [name] => format!("for the event `{name}`"),
                names => format!("for one of the events `{}`", names.join("`, `")),
            },
            Awaits::Sent(kind) => format!("until an event `{kind}` is published"),
            Awaits::Execution(Some(name)) => format!("for an execution of `{name}`"),
            Awaits::Execution(None) => "for a child execution of this workflow".to_owned(),
            Awaits::Executions => "for the executions of its items".to_owned(),
            Awaits::Started(Some(name)) => format!("until an execution of `{name}` is started"),
            Awaits::Started(None) => "until a child execution of this workflow is started".to_owned(),
            Awaits::Time => "for a timer".to_owned(),
            Awaits::Attempt => "for the next attempt".to_owned(),
            Awaits::Branches => "for its branches".to_owned(),
            Awaits::Iterations => "for its iterations".to_owned(),
        }
    }

    /// Returns `true` if both are of the same kind, or if the same code handles both.
    pub fn is_alike(&self, other: &Awaits<'_>) -> bool {
        self.is_external() && other.is_external() || std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Returns `true` for completions that other parties bring about: events, publications and
    /// child executions. The execution keeps such a wait, whatever the state of the new definition
    /// awaits.
    pub fn is_external(&self) -> bool {
        matches!(
            self,
            Awaits::Events(_) | Awaits::Sent(_) | Awaits::Execution(_) | Awaits::Executions | Awaits::Started(_)
        )
    }
}

/// The correspondence of states and scopes of two versions: states of the same name in
/// corresponding scopes.
pub struct Pairs<'a> {
    states: BTreeMap<StateKey, StateAt<'a>>,
    /// The states of the new version that have a counterpart.
    paired: BTreeSet<StateKey>,
    scopes: BTreeMap<ScopeId, ScopeId>,
}

impl<'a> Pairs<'a> {
    pub fn of(old: &VersionIndex<'_>, new: &VersionIndex<'a>) -> Pairs<'a> {
        let mut pairs = Pairs { states: BTreeMap::new(), paired: BTreeSet::new(), scopes: BTreeMap::new() };
        let mut open = vec![(ScopeId(0), ScopeId(0))];
        while let Some((scope, other)) = open.pop() {
            pairs.scopes.insert(scope, other);
            for state in &old.workflow.scope(scope).states {
                let at = StateAt { scope, state };
                let Some(pair) = new.state(other, &state.name.value) else { continue };
                pairs.states.insert(at.key(), pair);
                pairs.paired.insert(pair.key());
                open.extend(pair_scopes(old.children(at), old, new.children(pair), new));
            }
        }
        pairs
    }

    pub fn get(&self, at: StateAt<'_>) -> Option<StateAt<'a>> {
        self.states.get(&at.key()).copied()
    }

    pub fn scope(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes.get(&scope).copied()
    }

    /// Returns `true` if a state of the new version has a counterpart.
    pub fn is_paired(&self, at: StateAt<'_>) -> bool {
        self.paired.contains(&at.key())
    }
}

/// Pairs branches that begin with a state of the same name. Pairs the others in their order.
fn pair_scopes(
    scopes: &[ScopeId],
    old: &VersionIndex<'_>,
    others: &[ScopeId],
    new: &VersionIndex<'_>,
) -> Vec<(ScopeId, ScopeId)> {
    let mut left: Vec<ScopeId> = others.to_vec();
    let mut pairs = Vec::new();
    let mut rest = Vec::new();
    for scope in scopes {
        let start = &old.workflow.scope(*scope).start.value;
        match left.iter().position(|other| new.workflow.scope(*other).start.value == *start) {
            Some(at) => pairs.push((*scope, left.remove(at))),
            None => rest.push(*scope),
        }
    }
    pairs.extend(rest.into_iter().zip(left));
    pairs
}
