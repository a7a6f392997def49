//! Printing of graphs as SVG, with a small layered layout that needs no other program.
//!
//! Regions are laid out from the inside out. A state with regions is a box around them.

mod draw;
mod layers;
mod order;
mod place;
mod route;
#[cfg(test)]
pub(super) mod tests;
mod text;

use super::{Edge, Graph, Node, Region, Shape, Target, graph, one_line};
use crate::hir::Workflow;
use layers::{Link, Size};
use std::fmt;
use text::{NAME, SMALL};

/// The error for a graph with too many transitions for a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the graph has too many states and transitions for a picture")
    }
}

impl std::error::Error for TooLarge {}

/// Returns the workflow as an SVG picture.
pub fn svg(workflow: &Workflow) -> Result<String, TooLarge> {
    print(&graph(workflow))
}

pub(super) fn print(graph: &Graph) -> Result<String, TooLarge> {
    Ok(draw::document(&graph.name, &picture(&graph.region)?))
}

/// The layout of a region.
pub(super) struct Picture {
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

/// The drawing of a state.
struct StateBox {
    shape: Shape,
    /// The whole name and details, shown on hover.
    title: String,
    name: Vec<String>,
    details: Vec<String>,
    panels: Vec<Panel>,
}

/// A region inside a state.
struct Panel {
    /// Its offset inside the state.
    x: f64,
    y: f64,
    label: String,
    picture: Picture,
}

/// A transition.
struct Line {
    path: String,
    arrives: bool,
    error: bool,
    label: Vec<String>,
    /// The centre of the label.
    label_at: (f64, f64),
    /// The whole label, shown on hover.
    title: String,
}

const PADDING: f64 = 12.0;
const PANEL_HEAD: f64 = 20.0;
/// The maximum width of a row of panels. A wider panel has a row of its own.
const ROW: f64 = 1400.0;

pub(super) fn picture(region: &Region) -> Result<Picture, TooLarge> {
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
    let start = region.start.filter(|start| *start < states);
    let starts_on = lines_of([region.starts_on.as_str()].into_iter().filter(|on| !on.is_empty()));
    let start = start.map(|start| Link { from: 0, to: start + 1, error: false, label: room(&starts_on) });
    let mut links: Vec<Link> = start.into_iter().collect();
    let mut labels: Vec<(Vec<String>, String)> =
        links.iter().map(|_| (starts_on.clone(), region.starts_on.clone())).collect();
    for edge in &region.edges {
        let to = match edge.to {
            Target::State(to) => Some(to + 1),
            Target::End => ends[0],
            Target::Termination => ends[1],
            Target::Failure => ends[2],
        };
        let Some(to) = to else { continue };
        let (label, room) = label(edge);
        links.push(Link { from: edge.from + 1, to, error: edge.error, label: room });
        labels.push((label, edge.alternatives().join("\n")));
    }
    let mut layers = layers::layers(&sizes, &links)?;
    order::order(&mut layers);
    let places = place::place(&layers);
    let routes = route::routes(&layers, &places);

    let middle = |vertex: usize| {
        let (top, bottom) = places.bands[layers.vertices[vertex].layer];
        (places.x[vertex], (top + bottom) / 2.0)
    };
    let figure = |(at, (looks, size)): (usize, (Looks, Size))| {
        let (x, y) = middle(at);
        Figure { x: x - size.width / 2.0, y: y - size.height / 2.0, size, looks }
    };
    let figures = looks.into_iter().zip(sizes).enumerate().map(figure).collect();
    let line = |(at, (route, (label, title))): (usize, (route::Route, (Vec<String>, String)))| {
        let room = |vertex: &&usize| layers.vertices[**vertex].size.width > 0.0 && layers.vertices[**vertex].on_link;
        let label_at = layers.paths[at].iter().find(room).map_or((0.0, 0.0), |vertex| middle(*vertex));
        Line { path: route.path, arrives: route.arrives, error: links[at].error, label, label_at, title }
    };
    let lines = routes.into_iter().zip(labels).enumerate().map(line).collect();
    Ok(Picture { size: Size { width: places.width, height: places.height }, figures, lines })
}

/// Returns the lines of a label, and their size.
fn label(edge: &Edge) -> (Vec<String>, Size) {
    let alternatives = edge.alternatives();
    let mut lines = lines_of(alternatives.iter().map(String::as_str));
    if lines.len() > 6 {
        lines.truncate(5);
        lines.push(format!("… ({} in all)", edge.labels.len()));
    }
    let room = room(&lines);
    (lines, room)
}

fn lines_of<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    labels.flat_map(|label| text::wrap(&one_line(label, 120), 30, 3)).collect()
}

fn room(lines: &[String]) -> Size {
    match lines.is_empty() {
        true => Size::default(),
        false => Size { width: text::widest(lines, SMALL) + 10.0, height: lines.len() as f64 * SMALL.line + 4.0 },
    }
}

fn state_box(node: &Node) -> Result<(StateBox, Size), TooLarge> {
    let name = text::wrap(&one_line(&node.name, 120), 30, 3);
    let mut details: Vec<String> = [node.kind].into_iter().filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
    details.extend(node.details.iter().take(4).flat_map(|detail| text::wrap(&one_line(detail, 120), 38, 2)));
    let text_width = text::widest(&name, NAME).max(text::widest(&details, SMALL));
    let text_height = name.len() as f64 * NAME.line + details.len() as f64 * SMALL.line;
    // A choice has slanted sides.
    let sides = if node.shape == Shape::Choice { 2.0 * PADDING } else { 0.0 };
    let mut size = Size { width: (text_width + 2.0 * PADDING + sides).max(84.0), height: text_height + 12.0 };
    let panels = panels(node, &mut size)?;
    let mut title = vec![node.name.clone(), node.kind.to_owned()];
    title.extend(node.details.iter().cloned());
    Ok((StateBox { shape: node.shape, title: title.join("\n"), name, details, panels }, size))
}

/// Arranges the regions of a state in rows, and enlarges the state to contain them.
fn panels(node: &Node, size: &mut Size) -> Result<Vec<Panel>, TooLarge> {
    let mut panels = Vec::with_capacity(node.regions.len());
    let (mut x, mut y, mut row_height) = (PADDING, size.height, 0f64);
    for region in &node.regions {
        let picture = picture(region)?;
        let label = text::cut(&one_line(&region.label, 120), 60);
        let width = picture.size.width.max(text::width(&label, SMALL)) + 2.0 * PADDING;
        if x + width > ROW && x > PADDING {
            (x, y, row_height) = (PADDING, y + row_height + PADDING, 0.0);
        }
        let height = picture.size.height + PANEL_HEAD + PADDING;
        panels.push(Panel { x, y, label, picture });
        x += width + PADDING;
        row_height = row_height.max(height);
        size.width = size.width.max(x);
        size.height = size.height.max(y + row_height + PADDING);
    }
    Ok(panels)
}
