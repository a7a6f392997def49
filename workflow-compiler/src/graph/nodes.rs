//! Construction of the graph of a workflow: its states.

use super::build::{Exits, region};
use super::{GraphNode, Shape, details};
use crate::hir::{CallTarget, Next, State, StepKind, Workflow};
use crate::model::{Join, Retrier, ScopeId};

/// Returns a state with its shape, details and regions.
pub fn node(workflow: &Workflow, state: &State, exits: &Exits<'_>) -> GraphNode {
    let mut found = StateSummary::default();
    let mut retriers: Vec<&Retrier> = Vec::new();
    state.body.walk_steps_within(&mut Vec::new(), &mut |step, deadlines| match &step.kind {
        StepKind::Invoke(invoke) => {
            let key = &workflow.tasks[invoke.task].key;
            if **key != *state.name.value && !found.tasks.contains(key) {
                found.tasks.push(key.clone());
            }
            found.invokes = true;
            if invoke.callback {
                found.waits.push(details::answer(workflow, invoke));
                found.awaits_answer = true;
            }
        }
        StepKind::Run(_) => found.invokes = true,
        StepKind::Wait(wait) => found.times.push(details::time(workflow, wait)),
        StepKind::Receive(receive) => {
            let most = deadlines.iter().map(|deadline| deadline.seconds).reduce(f64::min);
            found.waits.push(details::events(workflow, receive, most));
            found.receives = true;
        }
        // An event that is published on a transition is shown there.
        StepKind::Publish(publish) if exits.sent.iter().any(|sent| std::ptr::eq(*sent, &**publish)) => {}
        StepKind::Publish(publish) => {
            found.tasks.push(format!("sends {}", publish.subject.as_ref().unwrap_or(&publish.kind)));
            found.invokes = true;
        }
        StepKind::Call(call) => {
            match &call.target {
                CallTarget::Workflow(name) => {
                    found.tasks.push(name.clone());
                    found.calls = true;
                }
                CallTarget::Scope { scope, .. } => found.scopes.push((*scope, "child execution".to_owned())),
            }
            found.invokes = true;
        }
        StepKind::Fork { branches, join, .. } => {
            if let Join::NOf(count) = join {
                found.waits.push(format!("continues after {count} of {}", branches.len()));
            }
            found.branches(workflow, state, branches);
        }
        StepKind::ForEach(each) => found.scopes.push((each.body, details::iterations(workflow, each))),
        StepKind::DistributedMap(map) => found.scopes.push((map.body, details::executions(workflow, map))),
        StepKind::Try(inner) => retriers.extend(&inner.retriers),
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::Block(_)
        | StepKind::Deadline(_) => {}
    });
    retriers.extend(&exits.retries);
    let shape = match &state.body.next {
        _ if !found.scopes.is_empty() => Shape::Group,
        _ if state.kind == "switch" => Shape::Choice,
        _ if found.receives => Shape::Event,
        _ if found.calls => Shape::Call,
        _ if found.awaits_answer => Shape::Answer,
        _ if found.invokes => Shape::Task,
        _ if !found.times.is_empty() => Shape::Wait,
        Next::Choose { arms, .. } if arms.iter().any(|arm| !arm.on_error) => Shape::Choice,
        Next::Fail { .. } => Shape::Fail,
        Next::End(_) if matches!(state.kind, "Succeed" | "End") => Shape::Succeed,
        _ => Shape::Plain,
    };
    // A wait is the purpose of a state, or one of its details.
    let before = if shape == Shape::Wait { "" } else { "waits " };
    let times = found.times.iter().map(|time| format!("{before}{time}")).collect();
    let region = |(scope, label): (ScopeId, String)| region(workflow, workflow.scope(scope), label);
    GraphNode {
        name: state.name.value.to_string(),
        kind: state.kind,
        details: [found.tasks, times, found.waits, details::retries(&retriers, &workflow.error_names)].concat(),
        shape,
        regions: found.scopes.into_iter().map(region).collect(),
    }
}

/// Summary of the steps of a state.
#[derive(Default)]
struct StateSummary {
    invokes: bool,
    /// `true` if it awaits events.
    receives: bool,
    /// `true` if it waits for an answer with a token.
    awaits_answer: bool,
    /// `true` if it runs another workflow.
    calls: bool,
    tasks: Vec<String>,
    /// Waits for a time.
    times: Vec<String>,
    /// Waits for events, answers and branches.
    waits: Vec<String>,
    scopes: Vec<(ScopeId, String)>,
}

impl StateSummary {
    /// Adds branches, with their names if they have any.
    fn branches(&mut self, workflow: &Workflow, state: &State, branches: &[ScopeId]) {
        let of = format!(" of `{}`", state.name.value);
        for branch in branches {
            let label = &workflow.scope(*branch).label;
            let named = label.strip_suffix(&of).and_then(|label| label.strip_prefix("the branch `")?.strip_suffix('`'));
            let label = match named {
                Some(name) => format!("branch {name}"),
                None => format!("branch {}", self.scopes.len() + 1),
            };
            self.scopes.push((*branch, label));
        }
    }
}
