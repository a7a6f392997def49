//! What a picture shows of a workflow.

use super::{Edge, Graph, Node, Region, Shape, Target, words};
use crate::hir::{Body, CallTarget, ForEach, Next, Retrier, Scope, ScopeId, State, StepKind, Wait, Workflow};
use std::collections::BTreeMap;

/// The most reasons that are given for one transition.
const MOST_LABELS: usize = 24;

/// The graph of a checked workflow.
pub fn graph(workflow: &Workflow) -> Graph {
    let region = match workflow.scopes.first() {
        Some(scope) => region(workflow, scope, String::new()),
        None => Region::default(),
    };
    Graph { name: workflow.name.clone(), region }
}

fn region(workflow: &Workflow, scope: &Scope, label: String) -> Region {
    let index = scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let mut edges = Edges { workflow, index, list: Vec::new() };
    let mut nodes = Vec::with_capacity(scope.states.len());
    for (at, state) in scope.states.iter().enumerate() {
        edges.follow(at, &state.body, None, &[]);
        nodes.push(node(workflow, state));
    }
    Region { label, start: edges.index.get(&*scope.start.value).copied(), nodes, edges: edges.list }
}

/// The transitions of a region while they are collected.
struct Edges<'a> {
    workflow: &'a Workflow,
    index: BTreeMap<&'a str, usize>,
    list: Vec<Edge>,
}

impl<'a> Edges<'a> {
    /// Adds the transitions of a body. `errors` are those after which it runs, `conditions` what holds then.
    fn follow(&mut self, from: usize, body: &'a Body, errors: Option<&[String]>, conditions: &[String]) {
        match &body.next {
            Next::Goto(target) => {
                if let Some(to) = self.index.get(&*target.value) {
                    self.add(from, Target::State(*to), errors, conditions);
                }
            }
            Next::End(_) | Next::Terminate(_) => self.add(from, Target::End, errors, conditions),
            // A state that always fails is drawn as one; what no condition covers goes without saying.
            Next::Fail { .. } if errors.is_none() && conditions.last().is_none_or(|last| last == words::OTHERWISE) => {}
            Next::Fail { .. } => self.add(from, Target::Failure, errors, conditions),
            // What is not handled goes without saying.
            Next::FailWith(_) | Next::Raise(_) => {}
            Next::Parts(parts) => {
                parts.list.iter().for_each(|part| self.follow(from, &part.body, errors, conditions));
                for catcher in parts.guards.iter().flat_map(|guard| &guard.catchers) {
                    self.follow(from, &catcher.body, Some(&catcher.errors), conditions);
                }
            }
            Next::Part(_) => {}
            Next::Retry(retry) => self.follow(from, &retry.otherwise, errors, conditions),
            Next::Choose { arms, otherwise } => {
                let under = |condition: String| conditions.iter().cloned().chain([condition]).collect::<Vec<_>>();
                for arm in arms.iter().filter(|arm| !arm.on_error) {
                    self.follow(from, &arm.body, errors, &under(words::words(&arm.condition, self.workflow)));
                }
                // What is left when only errors are told apart is the way that is meant to be taken.
                let conditions = match arms.iter().all(|arm| arm.on_error) {
                    true => conditions.to_vec(),
                    false => under(words::OTHERWISE.to_owned()),
                };
                self.follow(from, otherwise, errors, &conditions);
                for arm in arms.iter().filter(|arm| arm.on_error) {
                    self.follow(from, &arm.body, Some(&[]), &conditions);
                }
            }
        }
        // What happens after an error is drawn after the way that is meant to be taken.
        for step in &body.steps {
            step.walk(&mut |step| {
                let StepKind::Try(inner) = &step.kind else { return };
                for catcher in &inner.catchers {
                    self.follow(from, &catcher.body, Some(&catcher.errors), conditions);
                }
            });
        }
    }

    fn add(&mut self, from: usize, to: Target, errors: Option<&[String]>, conditions: &[String]) {
        let label = [errors.unwrap_or_default().join(", "), conditions.join(", ")];
        let label = label.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
        let error = errors.is_some();
        // Only the edges of this state are looked at: they are the last ones.
        let mine = self.list.iter().rposition(|edge| edge.from != from).map_or(0, |before| before + 1);
        let known = self.list[mine..].iter_mut().find(|edge| edge.to == to && edge.error == error);
        match known {
            // A transition that is always taken needs no further reason.
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

fn node(workflow: &Workflow, state: &State) -> Node {
    let mut found = Found::default();
    state.body.walk_steps(&mut |step| match &step.kind {
        StepKind::Invoke(invoke) => {
            let key = &workflow.tasks[invoke.task.0 as usize].key;
            if **key != *state.name.value && !found.tasks.contains(key) {
                found.tasks.push(key.clone());
            }
            found.invokes = true;
        }
        StepKind::Run(_) => found.invokes = true,
        StepKind::Wait(wait) => found.waits.push(waits_for(workflow, wait)),
        StepKind::Receive(receive) => {
            let names = receive.events.iter().map(|event| workflow.events[event.0 as usize].name.as_str());
            found.waits.push(format!("event {}", names.collect::<Vec<_>>().join(", ")));
        }
        StepKind::Publish(publish) => {
            found.tasks.push(format!("sends {}", publish.subject.as_ref().unwrap_or(&publish.kind)));
            found.invokes = true;
        }
        StepKind::Call(call) => {
            match &call.target {
                CallTarget::Workflow(name) => found.tasks.push(name.clone()),
                CallTarget::Scope { scope, .. } => found.scopes.push((*scope, "beside".to_owned())),
            }
            found.invokes = true;
        }
        StepKind::Fork { branches, .. } | StepKind::Race { branches, .. } => {
            for branch in branches {
                found.scopes.push((*branch, format!("branch {}", found.scopes.len() + 1)));
            }
        }
        StepKind::ForEach(each) => found.scopes.push((each.body, iterations(workflow, each))),
        StepKind::Try(inner) => found.retries.extend(inner.retriers.iter().filter_map(retries)),
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::BeginTries { .. }
        | StepKind::CountCalls { .. } => {}
    });
    let shape = match &state.body.next {
        _ if !found.scopes.is_empty() => Shape::Group,
        _ if found.invokes => Shape::Task,
        _ if !found.waits.is_empty() => Shape::Wait,
        Next::Choose { arms, .. } if arms.iter().any(|arm| !arm.on_error) => Shape::Choice,
        Next::Fail { .. } => Shape::Fail,
        Next::End(_) if matches!(state.kind, "Succeed" | "End") => Shape::Succeed,
        _ => Shape::Plain,
    };
    let region = |(scope, label): (ScopeId, String)| region(workflow, workflow.scope(scope), label);
    Node {
        name: state.name.value.to_string(),
        kind: state.kind,
        details: [found.tasks, found.waits, found.retries].concat(),
        shape,
        regions: found.scopes.into_iter().map(region).collect(),
    }
}

/// What the steps of a state do.
#[derive(Default)]
struct Found {
    invokes: bool,
    tasks: Vec<String>,
    waits: Vec<String>,
    retries: Vec<String>,
    scopes: Vec<(ScopeId, String)>,
}

fn waits_for(workflow: &Workflow, wait: &Wait) -> String {
    match wait {
        Wait::For(seconds) => words::seconds(seconds, workflow),
        Wait::Until(time) => format!("until {}", words::words(time, workflow)),
    }
}

fn iterations(workflow: &Workflow, each: &ForEach) -> String {
    let limit = each.limit.as_ref().map(|limit| format!(", {} at a time", words::words(limit, workflow)));
    let delay = each.delay.as_ref().map(|delay| format!(", one every {}", words::seconds(delay, workflow)));
    format!("for each item{}{}", limit.unwrap_or_default(), delay.unwrap_or_default())
}

fn retries(retrier: &Retrier) -> Option<String> {
    (retrier.max_attempts > 0).then(|| format!("retries {}× {}", retrier.max_attempts, first_of(&retrier.errors)))
}

/// The first of a list, and how many more there are.
fn first_of(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
    }
}
