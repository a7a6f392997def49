//! Draws a workflow: as a Mermaid state diagram, as DOT, and as an SVG picture.
//!
//! All three print the same [`Graph`]: the authored states, where they lead and why, and the branches and iterations
//! inside them. The same workflow always gives the same text.

mod build;
mod dot;
mod mermaid;
#[cfg(all(test, feature = "serverless-workflow"))]
mod serverless_tests;
mod svg;
#[cfg(test)]
mod tests;
mod words;

use crate::escape::is_disruptive;
pub use build::graph;
pub use dot::dot;
pub use mermaid::mermaid;
pub use svg::{TooLarge, svg};

/// A workflow as a picture shows it.
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
    /// What it is; empty for the top level.
    pub label: String,
    /// The first state.
    pub start: Option<usize>,
    /// What starts it: events; empty where nothing but a call does.
    pub starts_on: String,
    /// The states, in source order.
    pub nodes: Vec<Node>,
    /// The transitions, in source order; at most one of a style between two states.
    pub edges: Vec<Edge>,
}

/// A state.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What the dialect calls its kind.
    pub kind: &'static str,
    /// What more there is to say of it: its task, how long it waits, what it retries.
    pub details: Vec<String>,
    /// How it is drawn.
    pub shape: Shape,
    /// The branches it runs, or the body of its iterations.
    pub regions: Vec<Region>,
}

/// How a state is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// It computes.
    Plain,
    /// It invokes a task.
    Task,
    /// It decides.
    Choice,
    /// It waits for a time.
    Wait,
    /// It waits for events, and may act on them.
    Event,
    /// It runs another workflow.
    Call,
    /// It runs branches or iterations.
    Group,
    /// The workflow or branch ends well there, and it does nothing else.
    Succeed,
    /// The workflow or branch fails there.
    Fail,
}

/// A transition.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The state it leaves.
    pub from: usize,
    /// Where it leads.
    pub to: Target,
    /// Whether it is taken after an error.
    pub error: bool,
    /// When it is taken: conditions, or names of errors; empty where always. Any of them suffices.
    pub labels: Vec<String>,
}

impl Edge {
    /// The labels, each after the first as an alternative.
    fn alternatives(&self) -> Vec<String> {
        let alternative = |(at, label): (usize, &String)| match at > 0 && !self.error {
            true => format!("or {label}"),
            false => label.clone(),
        };
        self.labels.iter().enumerate().map(alternative).collect()
    }
}

/// Where a transition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// To a state of the same region.
    State(usize),
    /// To the end of the region.
    End,
    /// To the end of the whole execution, from however deep inside of it.
    Termination,
    /// To its failure.
    Failure,
}

/// A text on one line, its control characters and marks that turn the direction of writing made spaces, cut after `most`
/// characters.
fn one_line(text: &str, most: usize) -> String {
    let mut line: String = text.chars().take(most).map(|c| if is_plain(c) { c } else { ' ' }).collect();
    if text.chars().nth(most).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

/// Whether a character is no control character, no mark that turns the direction of writing, and none that XML lacks.
fn is_plain(c: char) -> bool {
    !is_disruptive(c) && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}
