//! Ports: the positions at which lines leave the bottom of a state and reach its top.

use super::layers::{Layers, PORT_GAP};
use super::place::spread;
use std::collections::BTreeMap;

/// The preferred distance of ports.
const WIDE_GAP: f64 = 16.0;

/// The ports of all states.
#[derive(Debug, Clone)]
pub struct Ports {
    /// By link: the position at which it leaves.
    pub bottom: Vec<f64>,
    /// By link: the position at which it arrives. Links of one meaning have one port.
    pub top: Vec<f64>,
}

/// The lines at one side of a state.
#[derive(Default)]
struct Side {
    /// The mean position of the next vertices, and the links.
    lines: BTreeMap<(usize, bool), Vec<(f64, usize)>>,
}

impl Ports {
    /// Distributes the lines of each state.
    pub fn new(graph: &Layers, x: &[f64]) -> Ports {
        let mut bottoms: BTreeMap<usize, Side> = BTreeMap::new();
        let mut tops: BTreeMap<usize, Side> = BTreeMap::new();
        for (link, path) in graph.paths.iter().enumerate() {
            if let [from, second, .., last, to] | [from, second @ last, to] = path[..] {
                let key = (graph.meaning[link], graph.back[link]);
                bottoms.entry(from).or_default().lines.entry(key).or_default().push((x[second], link));
                tops.entry(to).or_default().lines.entry(key).or_default().push((x[last], link));
            }
        }
        let mut ports = Ports { bottom: vec![0.0; graph.paths.len()], top: vec![0.0; graph.paths.len()] };
        bottoms.iter().for_each(|(state, side)| side.distribute(graph, x, *state, &mut ports.bottom));
        tops.iter().for_each(|(state, side)| side.distribute(graph, x, *state, &mut ports.top));
        ports
    }
}

impl Side {
    /// Gives each line a port straight above or below its next vertex, if the state is wide
    /// enough.
    fn distribute(&self, graph: &Layers, x: &[f64], state: usize, ports: &mut [f64]) {
        let vertex = &graph.vertices[state];
        let reach = (vertex.size.width / 2.0 - vertex.port_inset()).max(0.0);
        let mean = |links: &Vec<(f64, usize)>| links.iter().map(|link| link.0).sum::<f64>() / links.len() as f64;
        let mut lines: Vec<(f64, &Vec<(f64, usize)>)> = self.lines.values().map(|links| (mean(links), links)).collect();
        lines.sort_by(|left, right| left.0.total_cmp(&right.0));
        let last = lines.len().saturating_sub(1) as f64;
        let gap = if lines.len() > 1 { (2.0 * reach / last).clamp(PORT_GAP, WIDE_GAP) } else { 0.0 };
        let offsets: Vec<f64> = (0..lines.len()).map(|at| at as f64 * gap).collect();
        let preference = |(at, _): &(f64, &Vec<(f64, usize)>)| {
            let aside = at - x[state];
            (if aside.abs() <= reach { aside } else { aside.signum() * reach * 0.7 }, 1.0)
        };
        let preferences: Vec<(f64, f64)> = lines.iter().map(preference).collect();
        for (at, ((_, links), aside)) in lines.iter().zip(spread(&preferences, &offsets)).enumerate() {
            let (least, most) = (-reach + at as f64 * gap, reach - (last - at as f64) * gap);
            let port = x[state] + aside.max(least).min(most);
            links.iter().for_each(|(_, link)| ports[*link] = port);
        }
    }
}
