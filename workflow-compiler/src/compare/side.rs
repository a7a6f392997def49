//! One of two definitions that are compared, and which states of the one are which of the other.

use super::Version;
use super::shape::{Shape, shape};
use crate::compile::Output;
use crate::hir::{EventId, ScopeId, State, Workflow};
use crate::machine::{Callee, Command, End, Machine, PointKind};
use crate::passes;
use crate::source::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A definition.
pub struct Side<'a> {
    pub workflow: &'a Workflow,
    pub machine: Machine,
    pub sources: &'a Sources,
    pub data_limit: Option<usize>,
    hash: u64,
    /// The tasks and other things that points wait for, and the points of back-offs.
    tasks: BTreeMap<usize, usize>,
    others: BTreeMap<usize, Other>,
    attempts: BTreeSet<usize>,
    tags: BTreeMap<String, usize>,
    /// The points of each state at which an execution can wait.
    points: BTreeMap<(ScopeId, String), Vec<usize>>,
    /// The scopes inside of each state.
    children: BTreeMap<Key, Vec<ScopeId>>,
    states: BTreeMap<Key, &'a State>,
}

/// What tells a state from the others.
pub type Key = (ScopeId, Arc<str>);

/// A state and the scope it is in.
#[derive(Clone, Copy)]
pub struct StateAt<'a> {
    pub scope: ScopeId,
    pub state: &'a State,
}

/// What is waited for at a point, if it is no task.
enum Other {
    Events(Vec<EventId>),
    Sent(String),
    Execution(Callee, bool),
}

/// What is waited for at a point.
pub enum Awaits<'a> {
    /// A task, by its key.
    Task(&'a str),
    /// One of these events, by their names.
    Events(Vec<&'a str>),
    /// That an event of this type is published.
    Sent(&'a str),
    /// The end of another execution.
    Execution(Option<&'a str>),
    /// The start of another execution.
    Started(Option<&'a str>),
    /// A time.
    Time,
    /// The time before another attempt.
    Attempt,
    Branches,
    Iterations,
}

impl<'a> StateAt<'a> {
    pub fn key(&self) -> Key {
        (self.scope, self.state.name.value.clone())
    }
}

impl<'a> Side<'a> {
    /// None where the definition is refused.
    pub fn of(output: &'a Output) -> Option<Side<'a>> {
        let workflow = output.workflow.as_ref()?;
        let machine = passes::lower(workflow, &mut |_, _| {});
        let (mut tasks, mut others, mut attempts) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        for block in &machine.blocks {
            block.tail.walk(&mut |tail| match &tail.end {
                End::Wait { command: Command::Invoke(invoke), point, .. } => {
                    tasks.insert(point.0 as usize, invoke.task.0 as usize);
                }
                End::Wait { command, point, .. } => {
                    let other = match command {
                        Command::Receive(receive) => Other::Events(receive.events.clone()),
                        Command::Publish(publish) => Other::Sent(publish.kind.clone()),
                        Command::Call { target, detached, .. } => Other::Execution(target.clone(), *detached),
                        _ => return,
                    };
                    others.insert(point.0 as usize, other);
                }
                End::Handle { retry: Some((.., point)), .. } => _ = attempts.insert(point.0 as usize),
                _ => {}
            });
        }
        let mut points: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, point) in machine.points.iter().enumerate() {
            if let (Some(origin), false) = (&point.origin, matches!(point.kind, PointKind::Enter(_))) {
                points.entry((origin.scope, origin.state.clone())).or_default().push(at);
            }
        }
        let mut children: BTreeMap<_, Vec<ScopeId>> = BTreeMap::new();
        for (at, scope) in workflow.scopes.iter().enumerate() {
            if let Some((outer, state)) = &scope.parent {
                children.entry((*outer, state.clone())).or_default().push(ScopeId(at as u32));
            }
        }
        let tags = machine.points.iter().enumerate().map(|(at, point)| (point.tag.clone(), at)).collect();
        let (sources, data_limit, hash) = (&output.sources, output.data_limit, output.hash);
        let states = workflow.states().map(|(scope, state)| ((scope, state.name.value.clone()), state)).collect();
        Some(Side {
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
        })
    }

    pub fn version(&self) -> Version {
        let file = self.sources.get(self.workflow.span.file).name.clone();
        Version { file, workflow: self.workflow.name.clone(), hash: self.hash }
    }

    /// The states at which an execution can wait, in source order, with their points.
    pub fn waiting(&self) -> impl Iterator<Item = (StateAt<'a>, Vec<usize>)> {
        let mut states: Vec<(StateAt<'a>, Vec<usize>)> =
            self.states().map(|at| (at, self.points_of(at))).filter(|(_, points)| !points.is_empty()).collect();
        states.sort_by_key(|(at, _)| at.state.name.span.start);
        states.into_iter()
    }

    pub fn states(&self) -> impl Iterator<Item = StateAt<'a>> {
        self.workflow.states().map(|(scope, state)| StateAt { scope, state })
    }

    pub fn point(&self, tag: &str) -> Option<usize> {
        self.tags.get(tag).copied()
    }

    pub fn points_of(&self, at: StateAt<'_>) -> Vec<usize> {
        self.points.get(&(at.scope, at.state.name.value.to_string())).cloned().unwrap_or_default()
    }

    pub fn awaits(&self, point: usize) -> Awaits<'_> {
        match &self.machine.points[point].kind {
            PointKind::Fork(..) => Awaits::Branches,
            PointKind::ForEach { .. } => Awaits::Iterations,
            PointKind::Elapsed(_) | PointKind::Enter(_) | PointKind::Resume(_) => match self.tasks.get(&point) {
                Some(task) => Awaits::Task(&self.workflow.tasks[*task].key),
                None if self.attempts.contains(&point) => Awaits::Attempt,
                None => self.others.get(&point).map_or(Awaits::Time, |other| self.awaits_other(other)),
            },
        }
    }

    fn awaits_other<'s>(&'s self, other: &'s Other) -> Awaits<'s> {
        let name = |callee: &'s Callee| match callee {
            Callee::Workflow(name) => Some(name.as_str()),
            Callee::Entry(_) => None,
        };
        match other {
            Other::Events(events) => {
                Awaits::Events(events.iter().map(|event| &*self.workflow.events[event.0 as usize].name).collect())
            }
            Other::Sent(kind) => Awaits::Sent(kind),
            Other::Execution(callee, true) => Awaits::Started(name(callee)),
            Other::Execution(callee, false) => Awaits::Execution(name(callee)),
        }
    }

    /// The states around a scope, the outermost first.
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

    /// The state around a scope.
    pub fn outer(&self, scope: ScopeId) -> Option<StateAt<'a>> {
        let (outer, state) = self.workflow.scope(scope).parent.as_ref()?;
        self.state(*outer, state)
    }

    pub fn state(&self, scope: ScopeId, name: &Arc<str>) -> Option<StateAt<'a>> {
        let state = self.states.get(&(scope, name.clone()))?;
        Some(StateAt { scope, state })
    }

    /// The branches of a state, or the body of its iterations.
    pub fn children(&self, at: StateAt<'_>) -> &[ScopeId] {
        self.children.get(&at.key()).map_or(&[], Vec::as_slice)
    }

    /// The states that can come next: those inside of it, those it leads to, and that around it.
    pub fn successors(&self, at: StateAt<'_>) -> Vec<StateAt<'a>> {
        let inside = self.children(at).iter().filter_map(|scope| {
            let start = &self.workflow.scope(*scope).start.value;
            self.state(*scope, start)
        });
        let next = at.state.body.targets().into_iter().filter_map(|target| self.state(at.scope, &target.value));
        inside.chain(next).chain(self.outer(at.scope)).collect()
    }

    pub fn shape(&self, at: StateAt<'_>) -> Shape {
        shape(self, at)
    }
}

impl Awaits<'_> {
    /// `for its task`.
    pub fn words(&self) -> String {
        match self {
            Awaits::Task(_) => "for its task".to_owned(),
            Awaits::Events(names) => match &names[..] {
                [name] => format!("for the event `{name}`"),
                names => format!("for one of the events `{}`", names.join("`, `")),
            },
            Awaits::Sent(kind) => format!("until an event `{kind}` is published"),
            Awaits::Execution(Some(name)) => format!("for an execution of `{name}`"),
            Awaits::Execution(None) => "for an execution of a part of it".to_owned(),
            Awaits::Started(Some(name)) => format!("until an execution of `{name}` is started"),
            Awaits::Started(None) => "until an execution of a part of it is started".to_owned(),
            Awaits::Time => "for a time".to_owned(),
            Awaits::Attempt => "before another attempt".to_owned(),
            Awaits::Branches => "for its branches".to_owned(),
            Awaits::Iterations => "for its iterations".to_owned(),
        }
    }

    /// Whether it is the same kind of thing, or what the same code goes on after.
    pub fn is_alike(&self, other: &Awaits<'_>) -> bool {
        self.is_of_others() && other.is_of_others() || std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether it is something that others than tasks bring about: it is kept with the execution, whatever the state does now.
    pub fn is_of_others(&self) -> bool {
        matches!(self, Awaits::Events(_) | Awaits::Sent(_) | Awaits::Execution(_) | Awaits::Started(_))
    }
}

/// Which states and scopes of the new definition are those of the old one: those of the same name in the same place.
pub struct Pairs<'a> {
    states: BTreeMap<Key, StateAt<'a>>,
    /// The states of the new definition among them.
    known: BTreeSet<Key>,
    scopes: BTreeMap<ScopeId, ScopeId>,
}

impl<'a> Pairs<'a> {
    pub fn of(old: &Side<'_>, new: &Side<'a>) -> Pairs<'a> {
        let mut pairs = Pairs { states: BTreeMap::new(), known: BTreeSet::new(), scopes: BTreeMap::new() };
        let mut open = vec![(ScopeId(0), ScopeId(0))];
        while let Some((scope, other)) = open.pop() {
            pairs.scopes.insert(scope, other);
            for state in &old.workflow.scope(scope).states {
                let at = StateAt { scope, state };
                let Some(pair) = new.state(other, &state.name.value) else { continue };
                pairs.states.insert(at.key(), pair);
                pairs.known.insert(pair.key());
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

    /// Whether a state of the new definition is one of the old.
    pub fn is_known(&self, at: StateAt<'_>) -> bool {
        self.known.contains(&at.key())
    }
}

/// Branches that begin with a state of the same name belong together, the others in their order.
fn pair_scopes(scopes: &[ScopeId], old: &Side<'_>, others: &[ScopeId], new: &Side<'_>) -> Vec<(ScopeId, ScopeId)> {
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
