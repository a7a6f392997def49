//! The gaps between layers, in which lines move sideways.
//!
//! Every sideways piece of a line has a lane of the gap. Pieces in one lane do not touch each
//! other, and a line above or below its lane is nowhere near the line of another net. Therefore no
//! two nets run together: they only cross.

use super::lanes::{self, Wire};
use super::layers::Layers;
use super::place::Places;
use std::collections::BTreeMap;

/// The distance of neighbouring lanes.
pub const LANE: f64 = 8.0;
/// The largest radius of a corner.
pub const RADIUS: f64 = 9.0;
/// The length of the straight piece at the end of a line.
const APPROACH: f64 = 13.0;

/// An end of a piece of a line in a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    pub x: f64,
    /// `true` at the top of the gap.
    pub top: bool,
}

/// The pieces of lines that come together at one pin in a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    pub gap: usize,
    pub sources: Vec<Pin>,
    pub to: Pin,
    /// The lane at the sources. `None` for a straight line.
    pub lane: Option<usize>,
    /// The position and the lane of a second step.
    pub via: Option<(f64, usize)>,
}

/// The gaps of a picture.
#[derive(Debug, Clone, Default)]
pub struct Gaps {
    pub nets: Vec<Net>,
    /// The number of the net of each step of each link.
    pub steps: Vec<Vec<usize>>,
    /// The top and bottom of each layer.
    pub bands: Vec<(f64, f64)>,
    /// The position of the first lane of each gap.
    pub first_lane: Vec<f64>,
    pub width: f64,
    pub height: f64,
}

/// Assigns the steps of all links to lanes, and computes the vertical coordinates.
pub fn gaps(graph: &Layers, places: &Places) -> Gaps {
    let mut gaps = Gaps { width: places.width, ..Gaps::default() };
    let mut known = BTreeMap::new();
    for link in 0..graph.paths.len() {
        let steps = (0..graph.paths[link].len() - 1).map(|step| gaps.net(graph, places, (link, step), &mut known));
        let steps = steps.collect();
        gaps.steps.push(steps);
    }
    let mut by_gap: Vec<Vec<usize>> = vec![Vec::new(); graph.layers.len() + 1];
    gaps.nets.iter().enumerate().for_each(|(at, net)| by_gap[net.gap].push(at));
    let lanes: Vec<usize> = by_gap.iter().map(|nets| gaps.assign(nets)).collect();
    gaps.stack(graph, &lanes);
    gaps
}

/// The end of a net: a bend or label, or the port of a state for one meaning.
type End = (usize, Option<(usize, bool)>, usize);

impl Gaps {
    /// Returns the net of a step of a link, with the source of the step.
    fn net(
        &mut self,
        graph: &Layers,
        places: &Places,
        (link, step): (usize, usize),
        known: &mut BTreeMap<End, usize>,
    ) -> usize {
        let path = &graph.paths[link];
        let (from, to) = (path[step], path[step + 1]);
        let (above, below) = (graph.vertices[from].layer, graph.vertices[to].layer);
        // A line turns below its source and above its target.
        let is_last = step + 2 == path.len();
        let (gap, from_top, to_top) = match above.cmp(&below) {
            std::cmp::Ordering::Less => (below, true, false),
            std::cmp::Ordering::Greater => (above, false, true),
            std::cmp::Ordering::Equal if is_last => (above, false, false),
            std::cmp::Ordering::Equal => (above + 1, true, true),
        };
        let x = |vertex: usize, port: f64| if graph.vertices[vertex].on_link { places.x[vertex] } else { port };
        let source = Pin { x: x(from, places.ports.bottom[link]), top: from_top };
        let end = Pin { x: x(to, places.ports.top[link]), top: to_top };
        let port = (!graph.vertices[to].on_link).then_some((graph.meaning[link], graph.back[link]));
        let net = *known.entry((to, port, gap)).or_insert(self.nets.len());
        if net == self.nets.len() {
            self.nets.push(Net { gap, sources: Vec::new(), to: end, lane: None, via: None });
        }
        if !self.nets[net].sources.contains(&source) {
            self.nets[net].sources.push(source);
        }
        net
    }

    /// Assigns the nets of a gap to lanes. Returns the number of lanes.
    fn assign(&mut self, nets: &[usize]) -> usize {
        let mut wires = Vec::new();
        let mut straight = Vec::new();
        for net in nets {
            let net = &self.nets[*net];
            let xs = |top: bool| {
                let pins = net.sources.iter().chain([&net.to]).filter(move |pin| pin.top == top);
                pins.map(|pin| pin.x).collect::<Vec<f64>>()
            };
            match net.is_straight() {
                true => straight.extend(net.sources.iter().map(|pin| pin.x)),
                false => wires.push(Wire::new(xs(true), xs(false))),
            }
        }
        let plan = lanes::plan(wires, &straight);
        let crooked = nets.iter().filter(|net| !self.nets[**net].is_straight()).copied().collect::<Vec<usize>>();
        for (net, wire) in crooked.into_iter().zip(&plan.wires) {
            let net = &mut self.nets[net];
            let from_top = net.sources.iter().all(|pin| pin.top);
            let (first, via) = match wire.via {
                Some((x, lower)) if from_top => (wire.lane, Some((x, lower))),
                Some((x, lower)) => (lower, Some((x, wire.lane))),
                None => (wire.lane, None),
            };
            (net.lane, net.via) = (Some(first), via);
            if let Some((x, _)) = via {
                self.width = self.width.max(x + LANE);
            }
        }
        plan.lanes
    }

    /// Computes the tops and bottoms of the layers from the numbers of lanes.
    fn stack(&mut self, graph: &Layers, lanes: &[usize]) {
        let mut top = 0.0;
        for (gap, lanes) in lanes.iter().enumerate() {
            let is_outer = gap == 0 || gap == graph.layers.len();
            let has_state = |vertex: &usize| !graph.vertices[*vertex].on_link;
            let arrives = graph.layers.get(gap).is_some_and(|layer| layer.iter().any(has_state));
            let approach = if arrives { APPROACH } else { 0.0 };
            let height = match lanes {
                0 if is_outer => 0.0,
                0 if arrives => APPROACH + 6.0,
                0 => 9.0,
                lanes => 2.0 * RADIUS + (lanes - 1) as f64 * LANE + approach,
            };
            self.first_lane.push(top + RADIUS);
            top += height;
            if let Some(layer) = graph.layers.get(gap) {
                let height = layer.iter().map(|vertex| graph.vertices[*vertex].size.height).fold(0.0, f64::max);
                self.bands.push((top, top + height));
                top += height;
            }
        }
        self.height = top;
    }

    /// Returns the vertical position of a lane.
    pub fn lane(&self, gap: usize, lane: usize) -> f64 {
        self.first_lane[gap] + lane as f64 * LANE
    }

    /// Returns the vertical position of a pin.
    pub fn pin(&self, gap: usize, pin: Pin) -> f64 {
        let above = gap.checked_sub(1).map_or(0.0, |layer| self.bands[layer].1);
        if pin.top { above } else { self.bands.get(gap).map_or(self.height, |band| band.0) }
    }
}

impl Net {
    /// Returns `true` if the net needs no lane.
    fn is_straight(&self) -> bool {
        self.sources.iter().all(|pin| pin.top != self.to.top && (pin.x - self.to.x).abs() < 0.5)
    }
}
