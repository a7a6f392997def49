//! Printing of graphs in the DOT language, for Graphviz.

use std::fmt::Write;
use workflow_compiler::graph::{Edge, Graph, GraphNode, Region, Shape, Target, graph, one_line};
use workflow_compiler::hir::Workflow;

/// Returns the workflow in the DOT language.
///
/// ```
/// use workflow_compiler::{Options, Source, compile};
/// use workflow_tools::pictures::dot;
///
/// let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
/// let output = compile(Source::new("done.asl.json", text), &Options::default());
/// let workflow = output.workflow.expect("it is accepted");
/// assert!(dot(&workflow).starts_with("digraph \"done\" {"));
/// ```
pub fn dot(workflow: &Workflow) -> String {
    print(&graph(workflow))
}

fn print(graph: &Graph) -> String {
    let mut out = Printer { text: String::new(), ids: 0 };
    out.line(0, &format!("digraph {} {{", quote(&graph.name)));
    out.line(1, "compound=true; newrank=true; fontname=\"Helvetica\"; nodesep=0.35; ranksep=0.45;");
    out.line(
        1,
        "node [shape=box, style=\"rounded,filled\", fillcolor=\"#f9fafb\", color=\"#6b7280\", fontname=\"Helvetica\"];",
    );
    out.line(1, "edge [color=\"#4b5563\", fontname=\"Helvetica\", fontsize=10];");
    out.region(&graph.region, 1);
    out.line(0, "}");
    out.text
}

struct Printer {
    text: String,
    /// The number of states, starts and ends with an id.
    ids: usize,
}

/// The anchor of edges: a node, and, for a state with regions, the cluster at which the line is
/// cut.
#[derive(Clone, Copy)]
struct Anchor {
    /// The node at which lines arrive.
    first: usize,
    /// The node at which lines leave.
    last: usize,
    cluster: Option<usize>,
}

impl Printer {
    /// Prints a region. Returns its first and last node.
    fn region(&mut self, region: &Region, depth: usize) -> (usize, usize) {
        let start = self.id();
        self.line(
            depth,
            &format!("n{start} [shape=circle, style=filled, fillcolor=\"#111827\", label=\"\", width=0.16];"),
        );
        let mut anchors = Vec::with_capacity(region.nodes.len());
        for node in &region.nodes {
            anchors.push(self.node(node, depth));
        }
        if let Some(first) = region.start.map(|start| anchors[start]) {
            let mut attributes: Vec<String> = Vec::new();
            if !region.starts_on.is_empty() {
                attributes.push(format!("label={}", quote(&one_line(&region.starts_on, 120))));
            }
            attributes.extend(first.cluster.map(|cluster| format!("lhead=cluster{cluster}")));
            let head = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
            self.line(depth, &format!("n{start} -> n{}{head};", first.first));
        }
        let end = self.terminal(region, Target::End, "doublecircle", "#111827", depth);
        let termination = self.terminal(region, Target::Termination, "circle", "#111827", depth);
        let failure = self.terminal(region, Target::Failure, "doublecircle", "#dc2626", depth);
        for edge in &region.edges {
            let to = match edge.to {
                Target::State(to) => Some(anchors[to]),
                Target::End => end,
                Target::Termination => termination,
                Target::Failure => failure,
            };
            if let Some(to) = to {
                self.edge(edge, anchors[edge.from], to, depth);
            }
        }
        (start, end.or(termination).or(failure).map_or(start, |last| last.first))
    }

    /// Prints the mark of an end that a transition leads to.
    fn terminal(&mut self, region: &Region, target: Target, shape: &str, colour: &str, depth: usize) -> Option<Anchor> {
        region.edges.iter().any(|edge| edge.to == target).then(|| {
            let id = self.id();
            let looks = format!("shape={shape}, style=filled, color=\"{colour}\", fillcolor=\"{colour}\"");
            self.line(depth, &format!("n{id} [{looks}, label=\"\", width=0.12];"));
            Anchor { first: id, last: id, cluster: None }
        })
    }

    fn node(&mut self, node: &GraphNode, depth: usize) -> Anchor {
        let caption: Vec<String> = std::iter::once(node.kind)
            .chain(node.details.iter().map(String::as_str))
            .filter(|text| !text.is_empty())
            .map(|text| one_line(text, 60))
            .collect();
        let label = format!("{}\n{}", one_line(&node.name, 60), caption.join(" · "));
        if node.regions.is_empty() {
            let id = self.id();
            self.line(depth, &format!("n{id} [label={}{}];", quote(&label), looks(node.shape)));
            return Anchor { first: id, last: id, cluster: None };
        }
        let cluster = self.id();
        self.line(depth, &format!("subgraph cluster{cluster} {{"));
        self.line(depth + 1, &format!("label={}; style=\"rounded\"; color=\"#6b7280\";", quote(&label)));
        let mut ends = None;
        for region in &node.regions {
            let inner = self.id();
            self.line(depth + 1, &format!("subgraph cluster{inner} {{"));
            self.line(
                depth + 2,
                &format!("label={}; style=\"dashed,rounded\"; color=\"#9ca3af\";", quote(&one_line(&region.label, 60))),
            );
            let (first, last) = self.region(region, depth + 2);
            self.line(depth + 1, "}");
            ends.get_or_insert((first, last));
        }
        self.line(depth, "}");
        let (first, last) = ends.unwrap_or((cluster, cluster));
        Anchor { first, last, cluster: Some(cluster) }
    }

    fn edge(&mut self, edge: &Edge, from: Anchor, to: Anchor, depth: usize) {
        let mut attributes = Vec::new();
        if !edge.labels.is_empty() {
            let labels: Vec<String> = edge.alternatives().iter().map(|label| one_line(label, 60)).collect();
            attributes.push(format!("label={}", quote(&labels.join("\n"))));
        }
        if edge.error {
            attributes.push("style=dashed, color=\"#dc2626\", fontcolor=\"#dc2626\"".to_owned());
        }
        // A line from a box to itself cannot be cut at the box.
        if from.cluster != to.cluster {
            attributes.extend(from.cluster.map(|cluster| format!("ltail=cluster{cluster}")));
            attributes.extend(to.cluster.map(|cluster| format!("lhead=cluster{cluster}")));
        }
        let attributes = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        self.line(depth, &format!("n{} -> n{}{attributes};", from.last, to.first));
    }

    fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids - 1
    }

    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 2);
    }
}

/// Returns the attributes of a shape. No two shapes differ in their colours alone.
fn looks(shape: Shape) -> &'static str {
    match shape {
        Shape::Plain | Shape::Group => "",
        Shape::Task => ", style=\"rounded,filled,bold\", fillcolor=\"#dbeafe\", color=\"#3b82f6\"",
        Shape::Answer => ", peripheries=2, fillcolor=\"#dbeafe\", color=\"#3b82f6\"",
        Shape::Choice => ", shape=hexagon, style=filled, fillcolor=\"#fef3c7\", color=\"#d97706\"",
        Shape::Wait => ", shape=ellipse, style=filled, fillcolor=\"#f3e8ff\", color=\"#9333ea\"",
        Shape::Event => ", shape=note, style=filled, fillcolor=\"#ccfbf1\", color=\"#0d9488\"",
        Shape::Call => ", shape=component, style=filled, fillcolor=\"#e0e7ff\", color=\"#4f46e5\"",
        Shape::Succeed => ", shape=box, style=filled, fillcolor=\"#dcfce7\", color=\"#16a34a\"",
        Shape::Fail => ", shape=octagon, style=filled, fillcolor=\"#fee2e2\", color=\"#dc2626\"",
    }
}

/// Quotes a DOT string. Graphviz reads its own escapes and HTML entities in it. Line breaks centre
/// lines.
fn quote(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;").replace('\n', "\\n");
    format!("\"{text}\"")
}
