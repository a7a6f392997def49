//! Construction of the graph of a workflow: its transitions.

use super::nodes::node;
use super::{Edge, Graph, Region, Target, labels};
use crate::hir::{ASK, Body, Catcher, Label, Next, Scope, State, Step, StepKind, Workflow};
use crate::model::{ErrorMatch, EventId, Publish, Retrier};
use std::collections::BTreeMap;

/// The maximum number of labels of a transition.
const MOST_LABELS: usize = 24;

/// The maximum number of conditions of a path. Conditions can be lost where paths meet, which
/// re-visits all later bodies.
const MOST_CONDITIONS: usize = 8;

/// Returns the graph of a checked workflow.
pub fn graph(workflow: &Workflow) -> Graph {
    let mut region = match workflow.scopes.first() {
        Some(scope) => region(workflow, scope, String::new()),
        None => Region::default(),
    };
    if let Some(starts) = &workflow.starts_on {
        let between = if starts.all_of { " and " } else { " or " };
        region.starts_on = format!("on event {}", labels::names(starts.events.iter().copied(), workflow).join(between));
    }
    Graph { name: workflow.name.clone(), region }
}

pub fn region(workflow: &Workflow, scope: &Scope, label: String) -> Region {
    let index = scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let mut edges = Edges { workflow, index, list: Vec::new() };
    let mut nodes = Vec::with_capacity(scope.states.len());
    for (at, state) in scope.states.iter().enumerate() {
        let exits = edges.leave(at, state);
        nodes.push(node(workflow, state, &exits));
    }
    let start = edges.index.get(&*scope.start.value).copied();
    Region { label, start, starts_on: String::new(), nodes, edges: edges.list }
}

/// The transitions of a region, while they are collected.
struct Edges<'a> {
    workflow: &'a Workflow,
    index: BTreeMap<&'a str, usize>,
    list: Vec<Edge>,
}

/// The circumstances under which a body is reached.
#[derive(Debug, Clone, PartialEq, Default)]
struct Reached {
    /// The errors that lead to it. `None` on the regular path.
    errors: Option<Vec<ErrorMatch>>,
    /// The conditions that hold.
    conditions: Vec<String>,
}

impl Reached {
    fn under(&self, condition: String) -> Reached {
        if self.conditions.len() >= MOST_CONDITIONS {
            return self.clone();
        }
        let conditions = self.conditions.iter().cloned().chain([condition]).collect();
        Reached { errors: self.errors.clone(), conditions }
    }

    /// Reduces to what two paths to the same body have in common.
    fn meet(&mut self, other: &Reached) {
        let common = self.conditions.iter().zip(&other.conditions).take_while(|(mine, other)| mine == other).count();
        self.conditions.truncate(common);
        if self.errors != other.errors {
            self.errors = self.errors.take().map(|_| Vec::new());
        }
    }
}

/// The exits of the bodies of a state.
#[derive(Default)]
pub struct Exits<'a> {
    /// Transitions.
    out: Vec<(Target, Reached)>,
    /// The regular path and the path after an error to each label, as far as they are known.
    left: BTreeMap<Label, [Option<Reached>; 2]>,
    /// The retriers of repeated bodies.
    pub retries: Vec<&'a Retrier>,
    /// Events that are published on transitions, and shown there.
    pub sent: Vec<&'a Publish>,
}

impl<'a> Edges<'a> {
    /// Adds the transitions of a state, and returns the exits of its bodies. Where paths inside
    /// the state meet, the conditions that distinguish them no longer matter.
    fn leave(&mut self, from: usize, state: &'a State) -> Exits<'a> {
        let mut first = Exits::default();
        let awaited = awaited(state);
        self.follow(&state.body, Reached::default(), &awaited, &mut first);
        // Error paths are drawn after the regular path.
        for error in [false, true] {
            for (to, path) in first.out.iter().filter(|(_, path)| path.errors.is_some() == error) {
                self.add(from, *to, path.errors.as_deref(), &path.conditions);
            }
        }
        self.drop_idle_conditions(from);
        first
    }

    /// Removes the conditions of a state whose every way leads to one target.
    fn drop_idle_conditions(&mut self, from: usize) {
        let mut regular = self.list.iter_mut().filter(|edge| edge.from == from && !edge.error);
        if let (Some(only), None) = (regular.next(), regular.next())
            && only.labels.iter().any(|label| label == labels::OTHERWISE)
        {
            only.labels.clear();
        }
    }

    /// Collects the exits of a body that is reached in this way.
    fn follow(&self, body: &'a Body, mut path: Reached, awaited: &[EventId], exits: &mut Exits<'a>) {
        for step in &body.steps {
            match self.pass(step, path, awaited, exits) {
                Some(after) => path = after,
                // No path continues after the step.
                None => return,
            }
        }
        let path = &path;
        let mut out = path.clone();
        if let Some(StepKind::Publish(publish)) = body.steps.last().map(|step| &step.kind)
            && matches!(body.next, Next::Goto(_) | Next::End(_) | Next::Terminate(_))
        {
            exits.sent.push(publish);
            out.conditions.push(format!("sends {}", labels::published(publish, self.workflow)));
        }
        match &body.next {
            Next::Goto(target) => {
                if let Some(to) = self.index.get(&*target.value) {
                    exits.out.push((Target::State(*to), out));
                }
            }
            Next::End(_) => exits.out.push((Target::End, out)),
            Next::Terminate(_) => exits.out.push((Target::Termination, out)),
            // A state that always fails is drawn as such. An uncovered condition is not shown.
            Next::Fail { .. }
                if path.errors.is_none() && path.conditions.last().is_none_or(|last| last == labels::OTHERWISE) => {}
            Next::Fail { .. } => exits.out.push((Target::Failure, out)),
            // An unhandled fault is not shown, and neither is a repetition.
            Next::FailWith(_) | Next::Raise(_) | Next::Repeat(_) | Next::Never => {}
            Next::Leave(label) => {
                let left = &mut exits.left.entry(*label).or_default()[usize::from(path.errors.is_some())];
                match left {
                    Some(known) => known.meet(path),
                    None => *left = Some(path.clone()),
                }
            }
            Next::Retry(retry) => {
                exits.retries.push(&retry.retrier);
                self.follow(&retry.otherwise, path.clone(), awaited, exits);
            }
            Next::Choose { arms, otherwise } => {
                for arm in arms.iter().filter(|arm| !arm.on_error) {
                    let under = match labels::is_branch_condition(&arm.condition) {
                        true => path.under(labels::label(&arm.condition, self.workflow)),
                        false => path.clone(),
                    };
                    self.follow(&arm.body, under, awaited, exits);
                }
                // If the arms only distinguish errors, the rest is the regular path.
                let left = match labels::otherwise_label(arms, awaited, self.workflow) {
                    Some(contrary) => path.under(contrary),
                    None => path.clone(),
                };
                self.follow(otherwise, left.clone(), awaited, exits);
                for arm in arms.iter().filter(|arm| arm.on_error) {
                    // A body that is no longer retried continues like other errors.
                    let mut caught = match matches!(arm.body.next, Next::Retry(_))
                        || !labels::distinguishes_errors(&arm.condition)
                    {
                        true => left.clone(),
                        false => left.under(labels::label(&arm.condition, self.workflow)),
                    };
                    caught.errors = Some(Vec::new());
                    self.follow(&arm.body, caught, awaited, exits);
                }
            }
        }
    }

    /// Collects the exits of the bodies inside a step. Returns how the next step is reached, or
    /// `None` if it is not.
    fn pass(&self, step: &'a Step, path: Reached, awaited: &[EventId], exits: &mut Exits<'a>) -> Option<Reached> {
        let (label, after) = match &step.kind {
            StepKind::Block(block) => {
                self.follow(&block.body, path, awaited, exits);
                for exit in &block.exits {
                    if let Some(path) = arrived(exits, exit.label) {
                        self.follow(&exit.body, path, awaited, exits);
                    }
                }
                (block.label, block.after)
            }
            StepKind::Try(attempt) => {
                self.follow(&attempt.body, path.clone(), awaited, exits);
                attempt.catchers.iter().for_each(|catcher| self.catch(catcher, &path, awaited, exits));
                (attempt.label, attempt.after)
            }
            StepKind::Deadline(deadline) => {
                self.follow(&deadline.body, path, awaited, exits);
                (deadline.label, "")
            }
            // A step that always fails leads nowhere.
            kind => return (!labels::always_fails(kind)).then_some(path),
        };
        let mut path = arrived(exits, label)?;
        if after == ASK && path.conditions.last().is_some_and(|last| last == labels::OTHERWISE) {
            path.conditions.pop();
        }
        Some(path)
    }

    fn catch(&self, catcher: &'a Catcher, path: &Reached, awaited: &[EventId], exits: &mut Exits<'a>) {
        let caught = Reached { errors: Some(catcher.errors.clone()), conditions: path.conditions.clone() };
        self.follow(&catcher.body, caught, awaited, exits);
    }

    fn add(&mut self, from: usize, to: Target, errors: Option<&[ErrorMatch]>, conditions: &[String]) {
        let label = [self.workflow.error_names.list(errors.unwrap_or_default()), conditions.join(", ")];
        let label = label.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
        let error = errors.is_some();
        // The edges of this state are the last ones.
        let mine = self.list.iter().rposition(|edge| edge.from != from).map_or(0, |before| before + 1);
        let known = self.list[mine..].iter_mut().find(|edge| edge.to == to && edge.error == error);
        match known {
            // A transition that is always taken needs no label.
            Some(edge) if edge.labels.is_empty() || edge.labels.contains(&label) => {}
            Some(edge) if label.is_empty() => edge.labels.clear(),
            Some(edge) if edge.labels.len() == MOST_LABELS => edge.labels.push("…".to_owned()),
            Some(edge) if edge.labels.len() > MOST_LABELS => {}
            Some(edge) => edge.labels.push(label),
            None => {
                let labels = if label.is_empty() { Vec::new() } else { vec![label] };
                self.list.push(Edge { from, to, error, labels });
            }
        }
    }
}

/// Returns how the continuation of a label is reached. An error after which the state continues
/// regularly is not a path of its own.
fn arrived(exits: &mut Exits<'_>, label: Label) -> Option<Reached> {
    let [regular, caught] = exits.left.remove(&label)?;
    regular.or(caught)
}

/// Returns the events that a state awaits.
fn awaited(state: &State) -> Vec<EventId> {
    let mut events = Vec::new();
    state.body.walk_steps(&mut |step| {
        if let StepKind::Receive(receive) = &step.kind {
            events.extend(&receive.events);
        }
    });
    events
}
