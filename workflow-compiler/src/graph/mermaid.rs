//! Printing of graphs as Mermaid state diagrams. The language has no dashed lines, so transitions
//! after an error are labelled `catch`. Parallel regions have no names, so branches are states
//! inside of the state.

use super::{Edge, Graph, GraphNode, Region, Shape, Target, graph, one_line};
use crate::hir::Workflow;
use std::fmt::Write;

/// Returns the workflow as a Mermaid state diagram.
pub fn mermaid(workflow: &Workflow) -> String {
    print(&graph(workflow))
}

pub(super) fn print(graph: &Graph) -> String {
    let mut out = Printer { text: "stateDiagram-v2\n".to_owned(), ids: 0, classes: Default::default() };
    out.region(&graph.region, 1);
    out.class_lines();
    out.text
}

struct Printer {
    text: String,
    /// The number of states with an id.
    ids: usize,
    /// The ids of the states of each class.
    classes: [Vec<usize>; CLASSES.len()],
}

/// The classes, with their shapes, colours and borders. No two have the same border.
const CLASSES: [(Shape, &str, &str); 8] = [
    (Shape::Task, "task", "fill:#dbeafe,stroke:#3b82f6,color:#111827"),
    (Shape::Answer, "answer", "fill:#dbeafe,stroke:#3b82f6,color:#111827,stroke-width:3px"),
    (Shape::Choice, "choice", "fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2"),
    (Shape::Wait, "wait", "fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3"),
    (Shape::Event, "event", "fill:#ccfbf1,stroke:#0d9488,color:#111827,stroke-dasharray:4 3"),
    (Shape::Call, "call", "fill:#e0e7ff,stroke:#4f46e5,color:#111827,stroke-dasharray:8 3 2 3"),
    (Shape::Succeed, "succeed", "fill:#dcfce7,stroke:#16a34a,color:#111827,stroke-width:2px"),
    (Shape::Fail, "fail", "fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dasharray:4 2"),
];

impl Printer {
    fn region(&mut self, region: &Region, depth: usize) {
        // States are declared in order, so that all ids are known before the first transition.
        let mut ids = Vec::with_capacity(region.nodes.len());
        for node in &region.nodes {
            ids.push(self.ids);
            self.ids += 1;
            self.node(node, ids[ids.len() - 1], depth);
        }
        if let Some(start) = region.start {
            let label =
                if region.starts_on.is_empty() { String::new() } else { format!(" : {}", escape(&region.starts_on)) };
            self.line(depth, &format!("[*] --> s{}{label}", ids[start]));
        }
        for edge in &region.edges {
            self.edge(edge, &ids, depth);
        }
    }

    fn node(&mut self, node: &GraphNode, id: usize, depth: usize) {
        if let Some(class) = CLASSES.iter().position(|(shape, ..)| *shape == node.shape) {
            self.classes[class].push(id);
        }
        let name = escape(&node.name);
        if node.regions.is_empty() {
            self.line(depth, &format!("state \"{name}\" as s{id}"));
            // For these states the name alone does not identify the event, answer, workflow or
            // decision.
            if matches!(node.shape, Shape::Answer | Shape::Event | Shape::Call | Shape::Choice) {
                for detail in &node.details {
                    self.line(depth, &format!("s{id} : {}", escape(detail)));
                }
            }
            return;
        }
        self.line(depth, &format!("state \"{name}\" as s{id} {{"));
        for region in &node.regions {
            let inner = self.ids;
            self.ids += 1;
            self.line(depth + 1, &format!("state \"{}\" as s{inner} {{", escape(&region.label)));
            self.region(region, depth + 2);
            self.line(depth + 1, "}");
        }
        self.line(depth, "}");
    }

    fn edge(&mut self, edge: &Edge, ids: &[usize], depth: usize) {
        let to = match edge.to {
            Target::State(to) => format!("s{}", ids[to]),
            Target::End | Target::Termination | Target::Failure => "[*]".to_owned(),
        };
        let labels: Vec<String> = edge.alternatives().iter().map(|label| escape(label)).collect();
        let mut label = labels.join("<br/>");
        if edge.error {
            label.insert_str(0, "catch ");
        }
        if edge.to == Target::Failure {
            label.push_str(" (fails)");
        }
        if edge.to == Target::Termination {
            label.push_str(" (ends the execution)");
        }
        let label = if label.is_empty() { label } else { format!(" : {}", label.trim()) };
        self.line(depth, &format!("s{} --> {to}{label}", ids[edge.from]));
    }

    fn class_lines(&mut self) {
        for (at, (_, class, style)) in CLASSES.iter().enumerate() {
            if self.classes[at].is_empty() {
                continue;
            }
            let ids: Vec<String> = self.classes[at].iter().map(|id| format!("s{id}")).collect();
            self.line(1, &format!("classDef {class} {style}"));
            self.line(1, &format!("class {} {class}", ids.join(",")));
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }
}

/// Escapes characters with a meaning in Mermaid, or in the HTML or Markdown that it makes, as
/// numeric entities.
fn escape(text: &str) -> String {
    let line = one_line(text, 200);
    let mut out = String::with_capacity(line.len());
    let mut before = ' ';
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        let special = match c {
            '"' | '#' | ';' | ':' | '<' | '>' | '&' | '`' | '*' | '\\' => true,
            // Emphasis starts and ends at word boundaries.
            '_' | '~' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            // A comment, a formula, or the separator of two regions.
            '%' | '$' | '-' => before == c,
            _ => false,
        };
        match special {
            // Writing to a string does not fail.
            true => _ = write!(out, "#{};", u32::from(c)),
            false => out.push(c),
        }
        before = c;
    }
    out
}
