//! Routes of lines: straight through each layer, and with round corners along the lanes between
//! the layers.

use super::gaps::{Gaps, Net, Pin, RADIUS};
use super::layers::Layers;
use super::place::Places;
use std::fmt::Write;

/// A line as an SVG path.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    pub path: String,
    /// The place where the line joins another line to its target. `None` if it arrives there.
    pub joins: Option<(f64, f64)>,
}

/// Returns the route of every link.
pub fn routes(graph: &Layers, places: &Places, gaps: &Gaps) -> Vec<Route> {
    let mut drawn: Vec<Vec<Pin>> = vec![Vec::new(); gaps.nets.len()];
    (0..graph.paths.len()).map(|link| route(graph, places, gaps, link, &mut drawn)).collect()
}

fn route(graph: &Layers, places: &Places, gaps: &Gaps, link: usize, drawn: &mut [Vec<Pin>]) -> Route {
    let path = &graph.paths[link];
    let mut line = Line::default();
    let (_, bottom) = edges_of(graph, gaps, path[0]);
    let mut x = places.ports.bottom[link];
    line.start(x, bottom);
    for (step, number) in gaps.steps[link].iter().enumerate() {
        let net = &gaps.nets[*number];
        let Some(source) = net.sources.iter().find(|pin| pin.x == x) else { continue };
        line.vertical(gaps.pin(net.gap, *source));
        let corners = corners(gaps, net, *source);
        let known = std::mem::take(&mut drawn[*number]);
        let joins = !known.is_empty();
        match joins {
            true => line.join(&corners, &known, net),
            false => line.round(&corners),
        }
        drawn[*number] = known;
        drawn[*number].push(*source);
        if joins {
            return Route { joins: Some(line.at), path: line.text };
        }
        x = net.to.x;
        let to = path[step + 1];
        if graph.vertices[to].size.width > 0.0 && graph.vertices[to].on_link {
            // The line is interrupted at its label.
            let (top, bottom) = edges_of(graph, gaps, to);
            let (here, there) = if line.at.1 <= top { (top, bottom) } else { (bottom, top) };
            line.vertical(here);
            line.start(x, there);
        }
    }
    line.vertical(edges_of(graph, gaps, path[path.len() - 1]).0);
    Route { path: line.text, joins: None }
}

/// Returns the top and bottom of a vertex in the middle of its layer.
fn edges_of(graph: &Layers, gaps: &Gaps, vertex: usize) -> (f64, f64) {
    let (top, bottom) = gaps.bands[graph.vertices[vertex].layer];
    let height = graph.vertices[vertex].size.height;
    ((top + bottom - height) / 2.0, (top + bottom + height) / 2.0)
}

type Point = (f64, f64);

/// Returns the corners of a line through a gap, with its ends.
fn corners(gaps: &Gaps, net: &Net, source: Pin) -> Vec<Point> {
    let to = (net.to.x, gaps.pin(net.gap, net.to));
    let mut corners = vec![(source.x, gaps.pin(net.gap, source))];
    if let Some(lane) = net.lane {
        let mut y = gaps.lane(net.gap, lane);
        corners.push((source.x, y));
        if let Some((via, lane)) = net.via {
            corners.push((via, y));
            y = gaps.lane(net.gap, lane);
            corners.push((via, y));
        }
        corners.push((to.0, y));
    }
    corners.push(to);
    corners
}

#[derive(Default)]
struct Line {
    text: String,
    /// The end of the line so far.
    at: Point,
}

impl Line {
    fn start(&mut self, x: f64, y: f64) {
        self.at = (x, y);
        self.add(format_args!("M{x:.1} {y:.1}"));
    }

    fn vertical(&mut self, y: f64) {
        if (y - self.at.1).abs() > 0.05 {
            self.add(format_args!("V{y:.1}"));
        }
        self.at.1 = y;
    }

    fn horizontal(&mut self, x: f64) {
        if (x - self.at.0).abs() > 0.05 {
            self.add(format_args!("H{x:.1}"));
        }
        self.at.0 = x;
    }

    /// Draws a line with round corners, which starts and ends vertically.
    fn round(&mut self, corners: &[Point]) {
        turns(corners).into_iter().for_each(|turn| self.turn(turn));
        if let Some(end) = corners.last() {
            self.vertical(end.1);
        }
    }

    fn turn(&mut self, Turn { before, at: (x, y), after, radius }: Turn) {
        let towards = |from: f64, to: f64| from + (to - from).signum() * radius;
        let end = match before.0 == x {
            true => {
                self.vertical(towards(y, before.1));
                (towards(x, after.0), y)
            }
            false => {
                self.horizontal(towards(x, before.0));
                (x, towards(y, after.1))
            }
        };
        self.add(format_args!("Q{x:.1} {y:.1} {:.1} {:.1}", end.0, end.1));
        self.at = end;
    }

    /// Draws a line up to the place where it joins the lines from other sources of its net.
    fn join(&mut self, corners: &[Point], known: &[Pin], net: &Net) {
        let source = corners[0];
        let turns = turns(corners);
        let towards = net.via.map_or(net.to.x, |via| via.0);
        // The other lines on the same side, of which the furthest one starts the shared piece.
        let side = |x: f64| if (x - towards).abs() < 0.5 { 0.0 } else { (x - towards).signum() };
        let mine = side(source.0);
        let same = known.iter().filter(|pin| side(pin.x) == mine);
        let furthest = same.map(|pin| pin.x).max_by(|a, b| (a - towards).abs().total_cmp(&(b - towards).abs()));
        match (furthest, turns.first()) {
            // The line goes straight on where the others turn.
            _ if mine == 0.0 => {
                let (lane, end) = (corners[1].1, corners[corners.len() - 1].1);
                self.vertical(lane + (end - lane).signum() * RADIUS);
            }
            // The line comes from the other side.
            (None, _) => turns.iter().take(2).for_each(|turn| self.turn(*turn)),
            (Some(_), None) => {}
            (Some(other), Some(first)) => {
                self.turn(*first);
                if (other - towards).abs() < (source.0 - towards).abs() {
                    let shared = RADIUS.min((other - towards).abs() / 2.0);
                    self.horizontal(other - mine * shared);
                }
            }
        }
    }

    fn add(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(part);
    }
}

/// A corner at which a line turns.
#[derive(Clone, Copy)]
struct Turn {
    before: Point,
    at: Point,
    after: Point,
    radius: f64,
}

/// Returns the corners at which a line turns. A piece between two corners has room for half of
/// each.
fn turns(corners: &[Point]) -> Vec<Turn> {
    let mut turns = Vec::new();
    for (index, part) in corners.windows(3).enumerate() {
        let &[before, at, after] = part else { continue };
        if (before.0 == at.0) == (at.0 == after.0) {
            continue;
        }
        let length = |one: Point, other: Point| (one.0 - other.0).abs() + (one.1 - other.1).abs();
        let share = |is_end: bool| if is_end { 1.0 } else { 0.5 };
        let available = length(before, at) * share(index == 0);
        let available = available.min(length(at, after) * share(index + 3 == corners.len()));
        turns.push(Turn { before, at, after, radius: RADIUS.min(available) });
    }
    turns
}
