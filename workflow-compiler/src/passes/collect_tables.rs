//! Pass that collects the tables of a generated module.

use crate::graph;
use crate::hir::{OnTimeout, Workflow};
use crate::machine::{StartRow, StateRow, Tables};
use std::collections::BTreeSet;

/// Returns the tables of a checked workflow.
pub fn collect_tables(workflow: &Workflow) -> Tables<'_> {
    Tables {
        name: &workflow.name,
        dialect: workflow.dialect,
        comment: workflow.comment.as_deref().unwrap_or("").trim(),
        span: workflow.span,
        id: workflow.id.as_ref(),
        timeout: workflow.timeout.as_ref().map(|seconds| seconds.value),
        null_on_timeout: workflow.on_timeout == OnTimeout::Null,
        longest_task: workflow.longest_task(),
        input_must_be_object: workflow.input_must_be_object,
        input_schema: workflow.input_schema.as_ref(),
        settings: workflow.settings.iter().map(|(_, name)| name.as_str()).collect(),
        events: &workflow.events,
        correlation: &workflow.correlation,
        starts_on: start(workflow),
        schedule: workflow.schedule.as_ref(),
        states: states(workflow),
        tasks: &workflow.tasks,
        scripts: &workflow.scripts,
        metadata: workflow.metadata.as_ref().map(ToString::to_string),
        graph: graph::mermaid(workflow),
    }
}

fn start(workflow: &Workflow) -> Option<StartRow<'_>> {
    let condition = workflow.starts_on.as_ref()?;
    let state = workflow.scopes.first().map_or("", |scope| &*scope.start.value);
    let later = condition.events.iter().copied().filter(|event| workflow.is_awaited_later(*event)).collect();
    Some(StartRow { condition, state, later })
}

fn states(workflow: &Workflow) -> Vec<StateRow<'_>> {
    let authored = workflow.states().map(|(_, state)| state).filter(|state| !state.is_synthetic);
    let rows = authored.map(|state| {
        let mut targets: Vec<&str> = state.body.targets().into_iter().map(|target| &*target.value).collect();
        let mut seen = BTreeSet::new();
        targets.retain(|target| seen.insert(*target));
        StateRow { name: &state.name.value, span: state.name.span, kind: state.kind, targets }
    });
    rows.collect()
}
