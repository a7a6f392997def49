//! Routes of lines: straight through each layer at their bend, curved between layers.

use super::layers::Layers;
use super::place::{Places, spread};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The horizontal extent of the turn of a line back up.
const SWING: f64 = 15.0;

/// A line as an SVG path.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    pub path: String,
    /// `true` if the line reaches its target. `false` if it joins another line to that target.
    pub arrives: bool,
}

/// Returns the route of every link.
pub fn routes(graph: &Layers, places: &Places) -> Vec<Route> {
    let ports = Ports::new(graph, places);
    let mut drawn = BTreeSet::new();
    let link = |(path, back): (&Vec<usize>, &bool)| match back {
        false => down(graph, places, &ports, path, &mut drawn),
        true => up(graph, places, &ports, path, &mut drawn),
    };
    graph.paths.iter().zip(&graph.back).map(link).collect()
}

/// The positions at which lines leave and reach states.
struct Ports {
    /// By the state and the next vertex of the path.
    bottom: BTreeMap<(usize, usize), f64>,
    /// By the state and the last vertex of the path.
    top: BTreeMap<(usize, usize), f64>,
}

impl Ports {
    fn new(graph: &Layers, places: &Places) -> Ports {
        let mut bottom: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut top: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for path in &graph.paths {
            if let [from, second, .., last, to] | [from, second @ last, to] = path[..] {
                bottom.entry(from).or_default().insert(second);
                top.entry(to).or_default().insert(last);
            }
        }
        Ports { bottom: spread_ports(graph, places, &bottom), top: spread_ports(graph, places, &top) }
    }
}

/// Distributes the ports of a state. A line prefers the position straight above or below its next
/// vertex, if the state is wide enough, and otherwise the middle.
fn spread_ports(
    graph: &Layers,
    places: &Places,
    lines: &BTreeMap<usize, BTreeSet<usize>>,
) -> BTreeMap<(usize, usize), f64> {
    let mut ports = BTreeMap::new();
    for (state, others) in lines {
        let (middle, width) = (places.x[*state], graph.vertices[*state].size.width);
        let reach = (width / 2.0 - 12.0).max(0.0);
        let mut others: Vec<usize> = others.iter().copied().collect();
        others.sort_by(|left, right| places.x[*left].total_cmp(&places.x[*right]));
        let gap = 16f64.min(2.0 * reach / others.len().max(2) as f64);
        let offsets: Vec<f64> = (0..others.len()).map(|at| at as f64 * gap).collect();
        let wish = |other: &usize| {
            let aside = places.x[*other] - middle;
            let aside = if aside.abs() <= reach { aside } else { aside.signum() * reach * 0.7 };
            (aside, 1.0)
        };
        let wishes: Vec<(f64, f64)> = others.iter().map(wish).collect();
        for (other, aside) in others.iter().zip(spread(&wishes, &offsets)) {
            ports.insert((*state, *other), middle + aside.clamp(-width / 2.0, width / 2.0));
        }
    }
    ports
}

/// Returns the top and bottom of a state in the middle of its layer.
fn edges_of(graph: &Layers, places: &Places, state: usize) -> (f64, f64) {
    let (top, bottom) = places.bands[graph.vertices[state].layer];
    let height = graph.vertices[state].size.height;
    ((top + bottom - height) / 2.0, (top + bottom + height) / 2.0)
}

fn down(graph: &Layers, places: &Places, ports: &Ports, path: &[usize], drawn: &mut BTreeSet<usize>) -> Route {
    let mut line = Line::default();
    let (from, to) = (path[0], path[path.len() - 1]);
    let (mut x, mut y) = (ports.bottom[&(from, path[1])], edges_of(graph, places, from).1);
    line.start(x, y);
    y = places.bands[graph.vertices[from].layer].1;
    line.vertical(y);
    for vertex in &path[1..path.len() - 1] {
        let (top, bottom) = places.bands[graph.vertices[*vertex].layer];
        line.bend((x, y), (places.x[*vertex], top));
        (x, y) = (places.x[*vertex], bottom);
        if !drawn.insert(*vertex) {
            return line.finish(false);
        }
        line.vertical(y);
    }
    let arrival = ports.top[&(to, path[path.len() - 2])];
    line.bend((x, y), (arrival, places.bands[graph.vertices[to].layer].0));
    line.vertical(edges_of(graph, places, to).0);
    line.finish(true)
}

fn up(graph: &Layers, places: &Places, ports: &Ports, path: &[usize], drawn: &mut BTreeSet<usize>) -> Route {
    let mut line = Line::default();
    let (from, to) = (path[0], path[path.len() - 1]);
    let x = ports.bottom[&(from, path[1])];
    line.start(x, edges_of(graph, places, from).1);
    let bottom = places.bands[graph.vertices[from].layer].1;
    line.vertical(bottom);
    let (mut x, mut y) = (places.x[path[1]], {
        line.swing(x, places.x[path[1]], bottom, SWING);
        bottom
    });
    for (at, vertex) in path[1..path.len() - 1].iter().enumerate() {
        let (top, bottom) = places.bands[graph.vertices[*vertex].layer];
        if at > 0 {
            line.bend((x, y), (places.x[*vertex], bottom));
        }
        (x, y) = (places.x[*vertex], top);
        if !drawn.insert(*vertex) {
            return line.finish(false);
        }
        line.vertical(y);
    }
    let arrival = ports.top[&(to, path[path.len() - 2])];
    line.swing(x, arrival, y, -SWING);
    line.vertical(edges_of(graph, places, to).0);
    line.finish(true)
}

#[derive(Default)]
struct Line(String);

impl Line {
    fn start(&mut self, x: f64, y: f64) {
        self.add(format_args!("M{x:.1} {y:.1}"));
    }

    fn vertical(&mut self, y: f64) {
        self.add(format_args!("V{y:.1}"));
    }

    /// Draws a curve that is vertical at both ends.
    fn bend(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) {
        let middle = (y + to_y) / 2.0;
        match (x - to_x).abs() < 0.5 {
            true => self.vertical(to_y),
            false => self.add(format_args!("C{x:.1} {middle:.1} {to_x:.1} {middle:.1} {to_x:.1} {to_y:.1}")),
        }
    }

    /// Draws a turn that extends by `swing` and returns to the same height.
    fn swing(&mut self, x: f64, to_x: f64, y: f64, swing: f64) {
        let out = y + swing;
        self.add(format_args!("C{x:.1} {out:.1} {to_x:.1} {out:.1} {to_x:.1} {y:.1}"));
    }

    fn add(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(part);
    }

    fn finish(self, arrives: bool) -> Route {
        Route { path: self.0, arrives }
    }
}
