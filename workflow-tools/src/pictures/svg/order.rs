//! Order of the vertices of each layer, with few crossings.

use super::layers::Layers;

/// The number of sweeps through the layers, alternately down and up.
const SWEEPS: usize = 24;
/// The maximum number of line pairs that are compared for a swap.
const MOST_COMPARED: usize = 10_000;

/// Fills the layers, each from left to right.
pub fn order(graph: &mut Layers) {
    first_order(graph);
    let mut position = positions(graph);
    let mut best = (crossings(graph, &position), graph.layers.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let down = sweep % 2 == 0;
        let depth = graph.layers.len();
        for step in 1..depth {
            let layer = if down { step } else { depth - 1 - step };
            sort_layer(graph, &mut position, layer, down);
        }
        swap_neighbours(graph, &mut position);
        let found = crossings(graph, &position);
        if found < best.0 {
            best = (found, graph.layers.clone());
        }
    }
    graph.layers = best.1;
}

/// Fills the layers in depth-first order from the top, so that related vertices start side by
/// side.
fn first_order(graph: &mut Layers) {
    let mut seen = vec![false; graph.vertices.len()];
    let mut roots: Vec<usize> = (0..graph.vertices.len()).collect();
    roots.sort_by_key(|vertex| graph.vertices[*vertex].layer);
    let mut labels_of: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices.len()];
    for (at, vertex) in graph.vertices.iter().enumerate() {
        if let Some(state) = vertex.passed_state {
            labels_of[state].push(at);
        }
    }
    for root in roots {
        let mut open = vec![root];
        while let Some(vertex) = open.pop() {
            if std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            graph.layers[graph.vertices[vertex].layer].push(vertex);
            open.extend(graph.below[vertex].iter().rev());
            open.extend(labels_of[vertex].iter().rev());
        }
    }
}

fn positions(graph: &Layers) -> Vec<usize> {
    let mut position = vec![0; graph.vertices.len()];
    for layer in &graph.layers {
        for (at, vertex) in layer.iter().enumerate() {
            position[*vertex] = at;
        }
    }
    position
}

/// Sorts a layer by the mean position of the neighbours in the previous layer.
fn sort_layer(graph: &mut Layers, position: &mut [usize], layer: usize, down: bool) {
    let towards = if down { &graph.above } else { &graph.below };
    let mean = |vertex: usize| {
        let near = &towards[vertex];
        let sum: usize = near.iter().map(|other| position[*other]).sum();
        (!near.is_empty()).then(|| sum as f64 / near.len() as f64)
    };
    let mut keyed: Vec<(f64, usize)> = Vec::with_capacity(graph.layers[layer].len());
    for (at, vertex) in graph.layers[layer].iter().enumerate() {
        // A vertex without neighbours follows the state that it passes.
        let passed = || graph.vertices[*vertex].passed_state.and_then(mean).map(|key| key + 0.25);
        keyed.push((mean(*vertex).or_else(passed).unwrap_or(at as f64), *vertex));
    }
    keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (at, (_, vertex)) in keyed.iter().enumerate() {
        graph.layers[layer][at] = *vertex;
        position[*vertex] = at;
    }
}

/// Swaps neighbours where this reduces crossings.
fn swap_neighbours(graph: &mut Layers, position: &mut [usize]) {
    let mut rounds = 0;
    let mut improved = true;
    while improved && rounds < 8 {
        (improved, rounds) = (false, rounds + 1);
        for layer in 0..graph.layers.len() {
            for at in 1..graph.layers[layer].len() {
                let (left, right) = (graph.layers[layer][at - 1], graph.layers[layer][at]);
                let lines = |vertex: usize| graph.above[vertex].len().max(graph.below[vertex].len());
                if lines(left) * lines(right) > MOST_COMPARED {
                    continue;
                }
                let (mut now, mut swapped) = (0, 0);
                for near in [&graph.above, &graph.below] {
                    let (mine, other) = pair_crossings(&near[left], &near[right], position);
                    now += mine;
                    swapped += other;
                }
                if swapped < now {
                    graph.layers[layer].swap(at - 1, at);
                    position.swap(left, right);
                    improved = true;
                }
            }
        }
    }
}

/// Returns the number of crossings of two neighbours' lines: as they are, and swapped.
fn pair_crossings(left: &[usize], right: &[usize], position: &[usize]) -> (usize, usize) {
    let (mut now, mut swapped) = (0, 0);
    for a in left {
        for b in right {
            match position[*a].cmp(&position[*b]) {
                std::cmp::Ordering::Greater => now += 1,
                std::cmp::Ordering::Less => swapped += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    (now, swapped)
}

/// Returns the number of crossings over all layers: inversions, counted with a Fenwick tree.
fn crossings(graph: &Layers, position: &[usize]) -> usize {
    let mut total = 0;
    for pair in graph.layers.windows(2) {
        let mut tree = vec![0usize; pair[1].len() + 1];
        let mut added = 0;
        for vertex in &pair[0] {
            let mut ends: Vec<usize> = graph.below[*vertex].iter().map(|lower| position[*lower]).collect();
            ends.sort_unstable();
            for end in &ends {
                // Earlier lines that end at or before this one do not cross it.
                let (mut at, mut before) = (end + 1, 0);
                while at > 0 {
                    before += tree[at];
                    at &= at - 1;
                }
                total += added - before;
            }
            for end in ends {
                let mut at = end + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                added += 1;
            }
        }
    }
    total
}
