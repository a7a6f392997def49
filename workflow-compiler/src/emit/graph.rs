//! Draws the states of a workflow.

use crate::hir::{Next, Workflow};

/// The graph in Mermaid's language.
pub fn mermaid(workflow: &Workflow) -> String {
    let mut graph = String::from("stateDiagram-v2\n");
    for (_, state) in workflow.states() {
        for body in state.body.bodies() {
            match &body.next {
                Next::Goto(target) => graph.push_str(&format!("    {} --> {}\n", state.name.value, target.value)),
                Next::End(_) => graph.push_str(&format!("    {} --> [*]\n", state.name.value)),
                Next::Fail { .. } | Next::Raise(_) | Next::Choose { .. } => {}
            }
        }
    }
    graph
}
