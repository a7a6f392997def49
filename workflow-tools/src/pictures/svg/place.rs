//! Horizontal coordinates of vertices: in each layer as near to their neighbours as the order and
//! the gaps allow.

use super::layers::{Layers, Vertex};
use super::ports::Ports;
use super::snap::{snap, straighten_back};

/// The horizontal coordinates of a layout.
#[derive(Debug, Clone)]
pub struct Places {
    /// The centre of each vertex, from left to right.
    pub x: Vec<f64>,
    /// The positions at which lines leave and reach states.
    pub ports: Ports,
    pub width: f64,
}

/// The number of rounds that pull vertices to the mean of their neighbours, which determine the
/// overall shape.
const MEAN_ROUNDS: usize = 40;
/// The number of rounds that pull vertices to the median, which make lines straight.
const MEDIAN_ROUNDS: usize = 12;
/// The number of rounds that move bends in line with the ports of states.
const SNAPS: usize = 3;

/// Computes the coordinates of ordered layers.
pub fn place(graph: &Layers) -> Places {
    let mut x = vec![0.0; graph.vertices.len()];
    for layer in &graph.layers {
        let mut at = 0.0;
        for (index, vertex) in layer.iter().enumerate() {
            at += if index > 0 { separation(graph, layer[index - 1], *vertex) } else { 0.0 };
            x[*vertex] = at;
        }
        let middle = layer.last().map_or(0.0, |last| x[*last]) / 2.0;
        layer.iter().for_each(|vertex| x[*vertex] -= middle);
    }
    for round in 0..MEAN_ROUNDS + MEDIAN_ROUNDS {
        let preferred = if round < MEAN_ROUNDS { mean } else { median };
        let depth = graph.layers.len();
        for step in 0..depth {
            let layer = if round % 2 == 0 { step } else { depth - 1 - step };
            place_layer(graph, &mut x, &graph.layers[layer], preferred);
        }
    }
    (0..3).for_each(|_| straighten(graph, &mut x));
    straighten_back(graph, &mut x);
    for _ in 0..SNAPS {
        let ports = Ports::new(graph, &x);
        snap(graph, &mut x, &ports);
    }
    let edge = |side: f64| move |(at, vertex): (&f64, &Vertex)| at + side * vertex.size.width / 2.0;
    let left = x.iter().zip(&graph.vertices).map(edge(-1.0)).fold(f64::INFINITY, f64::min);
    let right = x.iter().zip(&graph.vertices).map(edge(1.0)).fold(f64::NEG_INFINITY, f64::max);
    x.iter_mut().for_each(|at| *at -= left);
    let ports = Ports::new(graph, &x);
    Places { x, ports, width: right - left }
}

/// Aligns runs of bends where their neighbours leave room, so that lines are straight.
fn straighten(graph: &Layers, x: &mut [f64]) {
    let mut seen = vec![false; x.len()];
    for start in 0..x.len() {
        if !is_bend(graph, start) || seen[start] {
            continue;
        }
        // Go down from the top of the run. A run ends where there is no common room.
        let mut top = start;
        while let [above] = graph.above[top][..]
            && is_bend(graph, above)
            && graph.below[above].len() == 1
        {
            top = above;
        }
        let mut run = Vec::new();
        let mut free = (f64::NEG_INFINITY, f64::INFINITY);
        let mut next = Some(top);
        while let Some(vertex) = next {
            seen[vertex] = true;
            let range = free_range(graph, x, vertex);
            let narrowed = (range.0.max(free.0), range.1.min(free.1));
            if narrowed.0 > narrowed.1 {
                align(x, &run, free);
                run.clear();
            }
            free = if run.is_empty() { range } else { narrowed };
            run.push(vertex);
            next = match graph.below[vertex][..] {
                [below] if is_bend(graph, below) => Some(below),
                _ => None,
            };
            // Lines that join from above are straightened down to here separately.
            if next.is_some_and(|next| seen[next]) {
                next = None;
            }
        }
        align(x, &run, free);
    }
}

pub fn is_bend(graph: &Layers, vertex: usize) -> bool {
    graph.vertices[vertex].on_link && graph.vertices[vertex].size.width == 0.0
}

/// Returns the range of a vertex to the left and right.
pub fn free_range(graph: &Layers, x: &[f64], vertex: usize) -> (f64, f64) {
    let layer = &graph.layers[graph.vertices[vertex].layer];
    let Some(at) = layer.iter().position(|other| *other == vertex) else { return (x[vertex], x[vertex]) };
    let left = at.checked_sub(1).map(|left| x[layer[left]] + separation(graph, layer[left], vertex));
    let right = layer.get(at + 1).map(|right| x[*right] - separation(graph, vertex, *right));
    (left.unwrap_or(f64::NEG_INFINITY), right.unwrap_or(f64::INFINITY))
}

/// Moves a run to the middle one of its positions, within a range.
pub fn align(x: &mut [f64], run: &[usize], (left, right): (f64, f64)) {
    let mut places: Vec<f64> = run.iter().map(|vertex| x[*vertex]).collect();
    places.sort_by(f64::total_cmp);
    let Some(middle) = places.get(places.len() / 2) else { return };
    // Rounding may make the range slightly empty.
    let common = middle.min(right).max(left);
    run.iter().for_each(|vertex| x[*vertex] = common);
}

/// Returns the distance between the centres of neighbours.
fn separation(graph: &Layers, left: usize, right: usize) -> f64 {
    let (left, right) = (&graph.vertices[left], &graph.vertices[right]);
    let gap = if left.on_link && right.on_link { 12.0 } else { 22.0 };
    (left.size.width + right.size.width) / 2.0 + gap
}

/// A target coordinate and its weight.
type Pull = (f64, f64);

fn place_layer(graph: &Layers, x: &mut [f64], layer: &[usize], preferred: fn(&[Pull], f64) -> f64) {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut preferences = Vec::with_capacity(layer.len());
    let mut pulls = Vec::new();
    for (at, vertex) in layer.iter().enumerate() {
        let before = offsets.last().copied().unwrap_or(0.0);
        offsets.push(before + if at > 0 { separation(graph, layer[at - 1], *vertex) } else { 0.0 });
        collect_pulls(graph, x, *vertex, &mut pulls);
        let weight: f64 = pulls.iter().map(|pull| pull.1).sum();
        preferences.push(match pulls.is_empty() {
            true => (x[*vertex], 0.01),
            false => (preferred(&pulls, x[*vertex]), weight),
        });
    }
    for (vertex, at) in layer.iter().zip(spread(&preferences, &offsets)) {
        x[*vertex] = at;
    }
}

fn collect_pulls(graph: &Layers, x: &[f64], vertex: usize, pulls: &mut Vec<Pull>) {
    pulls.clear();
    let me = &graph.vertices[vertex];
    for near in graph.above[vertex].iter().chain(&graph.below[vertex]) {
        let other = &graph.vertices[*near];
        let straight = if me.on_link && other.on_link { 4.0 } else { 1.0 };
        let main = if me.error || other.error { 1.0 } else { 3.0 };
        pulls.push((x[*near], straight * main));
    }
    if let Some(state) = me.passed_state {
        let side = if x[vertex] < x[state] { -1.0 } else { 1.0 };
        let distance = (graph.vertices[state].size.width + me.size.width) / 2.0 + 18.0;
        pulls.push((x[state] + side * distance, 1.0));
    }
}

fn mean(pulls: &[Pull], _: f64) -> f64 {
    let weight: f64 = pulls.iter().map(|pull| pull.1).sum();
    pulls.iter().map(|(at, strength)| at * strength).sum::<f64>() / weight
}

/// Returns the weighted median. If a range is equally good, returns its point nearest to `now`.
fn median(pulls: &[Pull], now: f64) -> f64 {
    let mut sorted = pulls.to_vec();
    sorted.sort_by(|left, right| left.0.total_cmp(&right.0));
    let half = sorted.iter().map(|pull| pull.1).sum::<f64>() / 2.0;
    let mut passed = 0.0;
    for (index, (at, strength)) in sorted.iter().enumerate() {
        passed += strength;
        if passed > half + 1e-9 {
            return *at;
        }
        if passed >= half - 1e-9 {
            let next = sorted.get(index + 1).map_or(*at, |pull| pull.0);
            return now.clamp(*at, next);
        }
    }
    now
}

/// Returns coordinates as near to the wishes (by least squares) as the distances allow. `offsets`
/// are the cumulative minimum distances from the first. Neighbours in conflict move as a block
/// (pool adjacent violators).
pub fn spread(preferences: &[Pull], offsets: &[f64]) -> Vec<f64> {
    // Blocks: mean, weight, length.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(preferences.len());
    for ((preferred, weight), offset) in preferences.iter().zip(offsets) {
        let mut block = (preferred - offset, *weight, 1);
        while let Some(before) = blocks.last().copied().filter(|before| before.0 > block.0) {
            let weight = before.1 + block.1;
            block = ((before.0 * before.1 + block.0 * block.1) / weight, weight, before.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let starts = blocks.iter().flat_map(|(mean, _, length)| std::iter::repeat_n(*mean, *length));
    starts.zip(offsets).map(|(start, offset)| start + offset).collect()
}
