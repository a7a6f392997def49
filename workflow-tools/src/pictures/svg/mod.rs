//! Printing of graphs as SVG, with a small layered layout that needs no other program.
//!
//! Regions are laid out from the inside out. A state with regions is a box around them.

mod boxes;
mod draw;
mod font;
mod gaps;
mod glyphs;
mod lanes;
mod layers;
mod legend;
pub mod measure;
mod order;
mod place;
mod ports;
mod route;
mod snap;
#[cfg(test)]
mod tests;
mod text;

use boxes::{StateBox, state_box};
use layers::{Link, Size};
use std::collections::BTreeMap;
use std::fmt;
use text::SMALL;
use workflow_compiler::graph::{Edge, Graph, Region, Target, graph, one_line};
use workflow_compiler::hir::Workflow;

/// The presence of a legend.
///
/// See the example of [`svg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legend {
    /// Explains the shapes and lines that occur, below the picture.
    Shown,
    /// Draws the workflow alone.
    Hidden,
}

/// The error for a graph with too many transitions for a picture.
///
/// See the example of [`svg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the graph has too many states and transitions for a picture")
    }
}

impl std::error::Error for TooLarge {}

/// Returns the workflow as an SVG picture.
///
/// ```
/// use workflow_compiler::{Options, Source, compile};
/// use workflow_tools::pictures::{Legend, TooLarge, svg};
///
/// let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
/// let output = compile(Source::new("done.asl.json", text), &Options::default());
/// let workflow = output.workflow.expect("it is accepted");
/// assert!(svg(&workflow, Legend::Hidden)?.starts_with("<svg "));
/// # Ok::<(), TooLarge>(())
/// ```
pub fn svg(workflow: &Workflow, legend: Legend) -> Result<String, TooLarge> {
    print(&graph(workflow), legend)
}

pub fn print(graph: &Graph, legend: Legend) -> Result<String, TooLarge> {
    Ok(draw::document(&graph.name, &picture(&graph.region)?, legend))
}

/// The layout of a region.
pub struct Picture {
    size: Size,
    figures: Vec<Figure>,
    lines: Vec<Line>,
}

/// A state, a start or an end, with its top left corner.
struct Figure {
    x: f64,
    y: f64,
    size: Size,
    looks: Looks,
}

enum Looks {
    Start,
    End,
    Termination,
    Failure,
    State(StateBox),
}

/// A transition.
struct Line {
    path: String,
    /// The place where it joins another line of the same meaning. `None` if it arrives.
    joins: Option<(f64, f64)>,
    error: bool,
    /// The number of its meaning: lines with the same target, style and label have the same one.
    meaning: usize,
    label: Vec<String>,
    /// The centre of the label.
    label_at: (f64, f64),
    /// The whole label, shown on hover.
    title: String,
}

const PADDING: f64 = 12.0;
const PANEL_HEAD: f64 = 20.0;
/// The characters of a text that are broken into lines at most.
const MOST_CHARACTERS: usize = 400;
/// The characters of a line of a label, and the maximum number of lines.
const LABEL_COLUMNS: usize = 30;
const LABEL_LINES: usize = 5;
/// The maximum number of lines of all alternatives of a label.
const ALL_LINES: usize = 9;

pub fn picture(region: &Region) -> Result<Picture, TooLarge> {
    let states = region.nodes.len();
    let mut looks = vec![Looks::Start];
    let mut sizes = vec![Size { width: 14.0, height: 14.0 }];
    for node in &region.nodes {
        let (state, size) = state_box(node)?;
        looks.push(Looks::State(state));
        sizes.push(size);
    }
    let mut ends = [None, None, None];
    let marks =
        [(Target::End, Looks::End), (Target::Termination, Looks::Termination), (Target::Failure, Looks::Failure)];
    for (at, (target, mark)) in marks.into_iter().enumerate() {
        if region.edges.iter().any(|edge| edge.to == target) {
            ends[at] = Some(sizes.len());
            looks.push(mark);
            sizes.push(Size { width: 18.0, height: 18.0 });
        }
    }
    let mut links: Vec<Link> = Vec::new();
    let mut labels: Vec<(Vec<String>, String)> = Vec::new();
    if let Some(start) = region.start.filter(|start| *start < states) {
        let on = [region.starts_on.as_str()].into_iter().filter(|on| !on.is_empty());
        let lines = lines_of(on);
        links.push(Link { from: 0, to: start + 1, error: false, meaning: 0, label: label_size(&lines) });
        labels.push((lines, region.starts_on.clone()));
    }
    for edge in &region.edges {
        let to = match edge.to {
            Target::State(to) => Some(to + 1),
            Target::End => ends[0],
            Target::Termination => ends[1],
            Target::Failure => ends[2],
        };
        let Some(to) = to else { continue };
        let (label, size) = label(edge);
        links.push(Link { from: edge.from + 1, to, error: edge.error, meaning: 0, label: size });
        labels.push((label, edge.alternatives().join("\n")));
    }
    let mut layers = layout(&sizes, &mut links, &labels)?;
    order::order(&mut layers);
    let places = place::place(&layers);
    let gaps = gaps::gaps(&layers, &places);
    let routes = route::routes(&layers, &places, &gaps);

    let middle = |vertex: usize| {
        let (top, bottom) = gaps.bands[layers.vertices[vertex].layer];
        (places.x[vertex], (top + bottom) / 2.0)
    };
    let figure = |(at, looks): (usize, Looks)| {
        let (x, y) = middle(at);
        let size = layers.vertices[at].size;
        Figure { x: x - size.width / 2.0, y: y - size.height / 2.0, size, looks }
    };
    let figures = looks.into_iter().enumerate().map(figure).collect();
    let line = |(at, (route, (label, title))): (usize, (route::Route, (Vec<String>, String)))| {
        let is_label =
            |vertex: &&usize| layers.vertices[**vertex].size.width > 0.0 && layers.vertices[**vertex].on_link;
        let label_at = layers.paths[at].iter().find(is_label).map_or((0.0, 0.0), |vertex| middle(*vertex));
        let Link { error, meaning, .. } = links[at];
        Line { path: route.path, joins: route.joins, error, meaning, label, label_at, title }
    };
    let lines = routes.into_iter().zip(labels).enumerate().map(line).collect();
    Ok(Picture { size: Size { width: gaps.width, height: gaps.height }, figures, lines })
}

/// Numbers the meanings of links, and assigns layers. If there are too many lines for a picture,
/// lines to one target with different labels come together, too.
fn layout(sizes: &[Size], links: &mut [Link], labels: &[(Vec<String>, String)]) -> Result<layers::Layers, TooLarge> {
    for by_label in [true, false] {
        let mut known = BTreeMap::new();
        for (link, (_, label)) in links.iter_mut().zip(labels) {
            let next = known.len();
            let label = if by_label { label.as_str() } else { "" };
            link.meaning = *known.entry((link.to, link.error, label)).or_insert(next);
        }
        match layers::layers(sizes, links) {
            Err(TooLarge) if by_label => {}
            result => return result,
        }
    }
    Err(TooLarge)
}

/// Returns the lines of a label, and their size.
fn label(edge: &Edge) -> (Vec<String>, Size) {
    let alternatives = edge.alternatives();
    let mut lines = lines_of(alternatives.iter().map(String::as_str));
    if lines.len() > ALL_LINES {
        lines.truncate(ALL_LINES - 1);
        lines.push(format!("… ({} in all)", edge.labels.len()));
    }
    let size = label_size(&lines);
    (lines, size)
}

fn lines_of<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    labels.flat_map(|label| text::wrap(&one_line(label, MOST_CHARACTERS), LABEL_COLUMNS, LABEL_LINES)).collect()
}

fn label_size(lines: &[String]) -> Size {
    match lines.is_empty() {
        true => Size::default(),
        false => Size { width: text::widest(lines, SMALL) + 10.0, height: lines.len() as f64 * SMALL.line + 4.0 },
    }
}
