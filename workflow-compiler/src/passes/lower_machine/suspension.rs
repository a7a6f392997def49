//! Steps that wait: the command of each, and what follows it.

use super::Lowering;
use crate::expr::LocalId;
use crate::hir::{self, CallTarget, Step, StepKind};
use crate::machine::{Callee, Command, MapId, MapRow, ResumePointId};
use crate::model::{Join, ScopeId};

/// A step that waits.
pub(super) struct Suspension {
    pub command: Command,
    /// The role and the doc comment of the block after it.
    pub after: (&'static str, &'static str),
    /// The doc comment of the resume point.
    pub doc: String,
    /// The local that receives the result. `None` where only time passes.
    pub receive: Option<LocalId>,
    /// The frames that it starts.
    pub children: Children,
}

pub(super) enum Children {
    None,
    Branches(Vec<ResumePointId>),
    Each(ResumePointId, LocalId),
}

impl Lowering<'_> {
    /// Returns the suspension of a step, or `None` if the step does not wait.
    pub(super) fn suspension(&mut self, step: &Step) -> Option<Suspension> {
        let entry = |this: &Self, scope: ScopeId| this.entries[scope];
        match &step.kind {
            StepKind::Invoke(invoke) => Some(Suspension {
                doc: format!("Waits for the task `{}`.", self.workflow.tasks[invoke.task].key),
                receive: Some(invoke.result),
                command: Command::Invoke(invoke.clone()),
                after: ("done", "Continues with the result of the task."),
                children: Children::None,
            }),
            StepKind::Wait(wait) => Some(Suspension {
                doc: "Waits for a time.".to_owned(),
                receive: None,
                command: Command::Wait(wait.clone()),
                after: ("over", "Continues after the wait."),
                children: Children::None,
            }),
            StepKind::Fork { branches, join, result } => Some(Suspension {
                doc: match join {
                    Join::All => "Waits for its branches.",
                    Join::NOf(_) => "Waits for the first of its branches.",
                }
                .to_owned(),
                receive: Some(*result),
                command: Command::Fork { branches: branches.len(), join: *join },
                after: match join {
                    Join::All => ("joined", "Continues with the outputs of the branches."),
                    Join::NOf(_) => ("joined", "Continues with the first outputs."),
                },
                children: Children::Branches(branches.iter().map(|branch| entry(self, *branch)).collect()),
            }),
            StepKind::ForEach(each) => Some(Suspension {
                doc: "Waits for its iterations.".to_owned(),
                receive: Some(each.result),
                command: Command::ForEach {
                    items: each.items,
                    limit: each.limit.clone(),
                    delay: each.delay.clone(),
                    tolerated_count: each.tolerated_count.clone(),
                    tolerated_percentage: each.tolerated_percentage.clone(),
                    in_batches: each.in_batches,
                    completion_order: each.completion_order,
                },
                after: ("joined", "Continues with the outputs of the iterations."),
                children: Children::Each(entry(self, each.body), each.item),
            }),
            StepKind::DistributedMap(map) => Some(Suspension {
                doc: "Waits for its executions.".to_owned(),
                receive: Some(map.result),
                command: Command::Call {
                    target: Callee::Map(self.map(map)),
                    input: map.settings.clone(),
                    detached: false,
                    timeout: None,
                },
                after: ("joined", "Continues with the result of the executions."),
                children: Children::None,
            }),
            StepKind::Receive(receive) => Some(Suspension {
                doc: "Waits for an event.".to_owned(),
                receive: Some(receive.result),
                command: Command::Receive { receive: receive.clone(), until: None },
                after: ("received", "Continues with an event or after the wait."),
                children: Children::None,
            }),
            StepKind::Publish(publish) => Some(Suspension {
                doc: "Waits until an event is published.".to_owned(),
                receive: Some(publish.result),
                command: Command::Publish(publish.clone()),
                after: ("sent", "Continues after the event was published."),
                children: Children::None,
            }),
            StepKind::Call(call) => Some(Suspension {
                doc: if call.detached { "Starts an execution." } else { "Waits for an execution." }.to_owned(),
                receive: Some(call.result),
                command: Command::Call {
                    target: match &call.target {
                        CallTarget::Workflow(name) => Callee::Workflow(name.clone()),
                        CallTarget::Scope { scope, input } => Callee::Entry(self.entry_number(*scope, *input)),
                    },
                    input: call.input.clone(),
                    detached: call.detached,
                    timeout: call.timeout.clone(),
                },
                after: ("done", "Continues with the output of the execution."),
                children: Children::None,
            }),
            StepKind::Let { .. }
            | StepKind::Assign(_)
            | StepKind::Inspect { .. }
            | StepKind::Run(_)
            | StepKind::Block(_)
            | StepKind::Try(_)
            | StepKind::Deadline(_) => None,
        }
    }

    /// Adds a distributed Map, and returns its index.
    fn map(&mut self, map: &hir::DistributedMap) -> MapId {
        let parent = self.workflow.scope(map.body).parent.as_ref();
        let state = parent.map(|(_, state)| state.to_string()).unwrap_or_default();
        let entry = self.entry_number(map.body, map.input);
        let selector = map.selection.as_ref().map(|selection| self.entry_number(selection.scope, selection.input));
        let (label, reader, has_writer) = (map.label.clone(), map.reader, map.has_writer);
        self.maps.push(MapRow { state, label, entry, selector, reader, has_writer })
    }

    /// Returns the name of what a command awaits, or an empty text if it has none.
    pub(super) fn awaited(&self, command: &Command) -> String {
        match command {
            Command::Invoke(invoke) => self.workflow.tasks[invoke.task].method.clone(),
            Command::Receive { receive, .. } => match &receive.events[..] {
                [event] => self.workflow.events[*event].name.clone(),
                _ => String::new(),
            },
            Command::Publish(publish) => publish.kind.clone(),
            Command::Call { target: Callee::Workflow(name), .. } => name.clone(),
            Command::Call { target: Callee::Entry(_) | Callee::Map(_), .. }
            | Command::Wait(_)
            | Command::Fork { .. }
            | Command::ForEach { .. } => String::new(),
        }
    }
}
