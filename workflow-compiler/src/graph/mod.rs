//! Graphs of workflows, and their printing as Mermaid state diagrams, which document generated
//! modules.
//!
//! A [`Graph`] has the authored states, their transitions with labels, and the branches and
//! iterations inside of states. The crate `workflow-tools` prints it in other formats.

mod build;
mod calls;
mod details;
mod labels;
mod mermaid;
mod nodes;
#[cfg(all(test, feature = "serverless-workflow"))]
mod serverless_tests;
#[cfg(test)]
mod tests;

use crate::escape::is_disruptive;
pub use build::graph;
pub use calls::is_internal;
pub use mermaid::mermaid;

/// The graph of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// The name of the workflow.
    pub name: String,
    /// The top level.
    pub region: Region,
}

/// States among which transitions stay: the top level, a branch, the body of an iteration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// The label. Empty for the top level.
    pub label: String,
    /// The first state.
    pub start: Option<usize>,
    /// The start events. Empty if only calls start an execution.
    pub starts_on: String,
    /// The states, in source order.
    pub nodes: Vec<GraphNode>,
    /// The transitions, in source order. There is at most one of a style between two states.
    pub edges: Vec<Edge>,
}

/// A state.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphNode {
    /// Its name.
    pub name: String,
    /// The kind, as the dialect calls it.
    pub kind: &'static str,
    /// Further facts: its task, its time-outs, its retriers.
    pub details: Vec<String>,
    /// The shape.
    pub shape: Shape,
    /// The branches, or the body of the iterations.
    pub regions: Vec<Region>,
}

/// The shape of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Computes.
    Plain,
    /// Invokes a task.
    Task,
    /// Invokes a task, and waits for an answer with its token.
    Answer,
    /// Decides.
    Choice,
    /// Waits for a time.
    Wait,
    /// Awaits events, and may act on them.
    Event,
    /// Runs another workflow.
    Call,
    /// Runs branches or iterations.
    Group,
    /// Only ends the workflow or branch with success.
    Succeed,
    /// Fails the workflow or branch.
    Fail,
}

/// A transition.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The source state.
    pub from: usize,
    /// The target.
    pub to: Target,
    /// `true` if it is taken after an error.
    pub error: bool,
    /// Conditions or error names, any of which suffices. Empty if it is always taken.
    pub labels: Vec<String>,
}

impl Edge {
    /// Returns the labels. Each after the first begins as an alternative.
    pub fn alternatives(&self) -> Vec<String> {
        let alternative = |(at, label): (usize, &String)| match at > 0 && !self.error {
            true => format!("or {label}"),
            false => label.clone(),
        };
        self.labels.iter().enumerate().map(alternative).collect()
    }
}

/// The target of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A state of the same region.
    State(usize),
    /// The end of the region.
    End,
    /// The end of the whole execution, from any depth.
    Termination,
    /// The failure of the region.
    Failure,
}

/// Returns a text on one line of at most `most` characters. Control characters and bidirectional
/// marks become spaces.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line: String = text.chars().take(most).map(|c| if is_plain(c) { c } else { ' ' }).collect();
    if text.chars().nth(most).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

/// Returns `true` for a character that is legal in XML and neither a control character nor a
/// bidirectional mark.
pub fn is_plain(c: char) -> bool {
    !is_disruptive(c) && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}
