//! Assignment of the vertices of a region to layers from top to bottom, and paths of the links
//! through the layers.
//!
//! States are in even layers. Odd layers hold labels, which are vertices too, so that no line
//! crosses them. A link through a layer has a bend there. Links of one meaning share their bends:
//! many error paths to one handler become one line with branches. A link back up leaves its source
//! at the bottom, goes up beside it, and reaches its target from above.

use super::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// A width and a height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// A transition to be drawn between two vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub error: bool,
    /// The number of its meaning. Links with the same target, style and label have the same one.
    pub meaning: usize,
    /// The size of the label. Zero without a label.
    pub label: Size,
}

/// A vertex of the layout: a state, a label, or a bend.
#[derive(Debug, Clone, PartialEq)]
pub struct Vertex {
    pub layer: usize,
    pub size: Size,
    /// `true` for a bend or label of a link.
    pub on_link: bool,
    /// `true` if that link is an error path.
    pub error: bool,
    /// The state that a link back up passes or ends at here.
    pub passed_state: Option<usize>,
}

impl Vertex {
    /// Returns the distance of lines from the sides. The sides of marks are round.
    pub fn port_inset(&self) -> f64 {
        PORT_INSET.min(self.size.height / 2.0)
    }
}

/// The layers, before vertices have positions.
#[derive(Debug, Clone)]
pub struct Layers {
    pub vertices: Vec<Vertex>,
    /// The vertices of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// The neighbours in the layer above.
    pub above: Vec<Vec<usize>>,
    /// The neighbours in the layer below.
    pub below: Vec<Vec<usize>>,
    /// The path of each link, with its ends.
    pub paths: Vec<Vec<usize>>,
    /// `true` for links back up.
    pub back: Vec<bool>,
    /// The number of the meaning of each link.
    pub meaning: Vec<usize>,
}

/// The smallest distance of two lines at a state.
pub const PORT_GAP: f64 = 10.0;
/// The distance of lines from the sides of a state.
pub const PORT_INSET: f64 = 12.0;

/// The maximum number of vertices of a layout.
const MOST: usize = 40_000;

/// Assigns layers. Vertex 0 is the start, and there is at least one vertex.
pub fn layers(sizes: &[Size], links: &[Link]) -> Result<Layers, TooLarge> {
    let back = back_links(sizes.len(), links);
    let rank = ranks(sizes.len(), links, &back);
    let vertex = |(size, layer): (&Size, &usize)| Vertex {
        layer: *layer,
        size: *size,
        on_link: false,
        error: false,
        passed_state: None,
    };
    let vertices: Vec<Vertex> = sizes.iter().zip(&rank).map(vertex).collect();
    let mut builder = PathBuilder { vertices, trunks: BTreeMap::new() };
    builder.widen(links, &back);
    let mut routes = Vec::with_capacity(links.len());
    for (link, back) in links.iter().zip(&back) {
        routes.push(if *back { builder.up(link) } else { builder.down(link) });
        if builder.vertices.len() > MOST {
            return Err(TooLarge);
        }
    }
    Ok(connect(builder.vertices, routes, back, links))
}

/// Marks the links that close a cycle in a depth-first search in source order.
fn back_links(count: usize, links: &[Link]) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, link) in links.iter().enumerate() {
        leaving[link.from].push(at);
    }
    let mut back = vec![false; links.len()];
    let mut seen = vec![false; count];
    let mut open = vec![false; count];
    for root in 0..count {
        // The remaining links of each vertex on the current path.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !seen[root] {
            (seen[root], open[root]) = (true, true);
            path.push((root, 0));
        }
        while let Some((vertex, next)) = path.last_mut() {
            let Some(link) = leaving[*vertex].get(*next) else {
                open[*vertex] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let to = links[*link].to;
            back[*link] = open[to];
            if !seen[to] {
                (seen[to], open[to]) = (true, true);
                path.push((to, 0));
            }
        }
    }
    back
}

/// Returns the layer of each vertex: at least two layers below every predecessor.
fn ranks(count: usize, links: &[Link], back: &[bool]) -> Vec<usize> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    for (link, _) in links.iter().zip(back).filter(|(_, back)| !**back) {
        leaving[link.from].push(link.to);
        waiting[link.to] += 1;
    }
    let mut rank = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|vertex| waiting[*vertex] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for to in &leaving[vertex] {
            rank[*to] = rank[*to].max(rank[vertex] + 2);
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    rank
}

struct PathBuilder {
    vertices: Vec<Vertex>,
    /// The shared bends, by meaning, direction and layer.
    trunks: BTreeMap<(usize, bool, usize), usize>,
}

impl PathBuilder {
    /// Widens states and marks until all of their lines have room.
    fn widen(&mut self, links: &[Link], back: &[bool]) {
        let mut leaving = vec![0usize; self.vertices.len()];
        let mut arriving: Vec<BTreeSet<(usize, bool)>> = vec![BTreeSet::new(); self.vertices.len()];
        for (link, back) in links.iter().zip(back) {
            leaving[link.from] += 1;
            arriving[link.to].insert((link.meaning, *back));
        }
        for (at, vertex) in self.vertices.iter_mut().enumerate() {
            let lines = leaving[at].max(arriving[at].len());
            if lines > 1 {
                let least = (lines - 1) as f64 * PORT_GAP + 2.0 * vertex.port_inset();
                vertex.size.width = vertex.size.width.max(least);
            }
        }
    }

    fn down(&mut self, link: &Link) -> Vec<usize> {
        let (top, bottom) = (self.vertices[link.from].layer, self.vertices[link.to].layer);
        let mut path = vec![link.from];
        for layer in top + 1..bottom {
            path.push(match layer == top + 1 && link.label.width > 0.0 {
                true => self.add(link, layer, link.label, None),
                false => self.trunk(link, false, layer, None),
            });
        }
        path.push(link.to);
        path
    }

    fn up(&mut self, link: &Link) -> Vec<usize> {
        let (bottom, top) = (self.vertices[link.from].layer, self.vertices[link.to].layer);
        let mut path = vec![link.from];
        if bottom == top {
            path.push(self.add(link, bottom, link.label, Some(link.from)));
        } else {
            path.push(self.add(link, bottom, Size::default(), Some(link.from)));
            for layer in (top..bottom).rev() {
                path.push(match layer + 1 == bottom && link.label.width > 0.0 {
                    true => self.add(link, layer, link.label, None),
                    false => self.trunk(link, true, layer, (layer == top).then_some(link.to)),
                });
            }
        }
        path.push(link.to);
        path
    }

    fn add(&mut self, link: &Link, layer: usize, size: Size, passed_state: Option<usize>) -> usize {
        self.vertices.push(Vertex { layer, size, on_link: true, error: link.error, passed_state });
        self.vertices.len() - 1
    }

    fn trunk(&mut self, link: &Link, back: bool, layer: usize, passed_state: Option<usize>) -> usize {
        let key = (link.meaning, back, layer);
        match self.trunks.get(&key) {
            Some(known) => *known,
            None => {
                let made = self.add(link, layer, Size::default(), passed_state);
                self.trunks.insert(key, made);
                made
            }
        }
    }
}

fn connect(vertices: Vec<Vertex>, paths: Vec<Vec<usize>>, back: Vec<bool>, links: &[Link]) -> Layers {
    let mut above = vec![Vec::new(); vertices.len()];
    let mut below = vec![Vec::new(); vertices.len()];
    for path in &paths {
        for pair in path.windows(2) {
            let (upper, lower) = match vertices[pair[0]].layer.cmp(&vertices[pair[1]].layer) {
                std::cmp::Ordering::Less => (pair[0], pair[1]),
                std::cmp::Ordering::Greater => (pair[1], pair[0]),
                std::cmp::Ordering::Equal => continue,
            };
            if !below[upper].contains(&lower) {
                below[upper].push(lower);
                above[lower].push(upper);
            }
        }
    }
    let depth = vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0);
    let meaning = links.iter().map(|link| link.meaning).collect();
    Layers { layers: vec![Vec::new(); depth], vertices, above, below, paths, back, meaning }
}
