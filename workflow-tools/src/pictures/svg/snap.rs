//! Removal of small steps of lines: runs of bends move in line with the port of a state, and
//! links back up are straight, with their labels.

use super::layers::Layers;
use super::place::{align, free_range};
use super::ports::Ports;

/// Coordinates nearer than this are equal.
const SAME: f64 = 0.5;

/// Moves the bends next to a state in line with its port, if their neighbours leave room.
pub fn snap(graph: &Layers, x: &mut [f64], ports: &Ports) {
    for (link, path) in graph.paths.iter().enumerate() {
        let inner = &path[1..path.len() - 1];
        let is_back = graph.back[link];
        let first = inner[0];
        let last = inner[inner.len() - 1];
        // A line that goes back up passes its states at their sides.
        if is_back || is_same(x[first], ports.bottom[link]) && is_same(x[last], ports.top[link]) {
            continue;
        }
        let alike = |one: &usize, other: &usize| is_same(x[*one], x[*other]);
        let head = 1 + inner.windows(2).take_while(|pair| alike(&pair[0], &pair[1])).count();
        let tail = 1 + inner.windows(2).rev().take_while(|pair| alike(&pair[0], &pair[1])).count();
        let from_top = (&inner[..head], ports.bottom[link]);
        let from_bottom = (&inner[inner.len() - tail..], ports.top[link]);
        let is_whole = head == inner.len();
        if is_whole && (is_same(x[first], ports.bottom[link]) || is_same(x[last], ports.top[link])) {
            continue;
        }
        let nearer = (x[first] - from_top.1).abs() <= (x[last] - from_bottom.1).abs();
        let runs = if nearer { [from_top, from_bottom] } else { [from_bottom, from_top] };
        for (run, port) in runs {
            let fits = |vertex: &usize| {
                let (left, right) = free_range(graph, x, *vertex);
                left <= port && port <= right
            };
            if run.iter().all(fits) {
                run.iter().for_each(|vertex| x[*vertex] = port);
                if is_whole {
                    break;
                }
            }
        }
    }
}

/// Aligns the bends and labels of links back up, where their neighbours leave room.
pub fn straighten_back(graph: &Layers, x: &mut [f64]) {
    for (path, _) in graph.paths.iter().zip(&graph.back).filter(|(_, back)| **back) {
        let mut run = Vec::new();
        let mut free = (f64::NEG_INFINITY, f64::INFINITY);
        for vertex in &path[1..path.len() - 1] {
            let range = free_range(graph, x, *vertex);
            let narrowed = (range.0.max(free.0), range.1.min(free.1));
            if narrowed.0 > narrowed.1 {
                align(x, &run, free);
                run.clear();
            }
            free = if run.is_empty() { range } else { narrowed };
            run.push(*vertex);
        }
        align(x, &run, free);
    }
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() < SAME
}
