//! Sorts the vertices of a region into layers from top to bottom, and leads every link from layer to layer.
//!
//! States stand on even layers; the odd ones hold labels, which are vertices too, so that nothing is ever drawn across
//! them. A link that passes a layer has a bend there. Links of one style to the same target share their bends: many error
//! paths to one handler become one line with branches. A link back up leaves its source at the bottom, goes up beside it,
//! and reaches its target from above.

use super::TooLarge;
use std::collections::BTreeMap;

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
    /// The room for the label; zero without one.
    pub label: Size,
}

/// What takes part in the layout: a state, a label, a bend.
#[derive(Debug, Clone, PartialEq)]
pub struct Vertex {
    pub layer: usize,
    pub size: Size,
    /// Whether it is a bend or label on the way of a link.
    pub on_way: bool,
    /// Whether that link is an error path.
    pub error: bool,
    /// The state that a link back up passes here, or ends at.
    pub beside: Option<usize>,
}

/// The layers, before anything has a place in them.
#[derive(Debug, Clone)]
pub struct Layers {
    pub vertices: Vec<Vertex>,
    /// The vertices of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// The neighbours in the layer above.
    pub above: Vec<Vec<usize>>,
    /// The neighbours in the layer below.
    pub below: Vec<Vec<usize>>,
    /// The way of each link, its ends included.
    pub ways: Vec<Vec<usize>>,
    /// Which links lead back up.
    pub back: Vec<bool>,
}

/// The most vertices that are laid out.
const MOST: usize = 40_000;

/// Sorts into layers. Vertex 0 is the start; there is at least one.
pub fn layers(sizes: &[Size], links: &[Link]) -> Result<Layers, TooLarge> {
    let back = back_links(sizes.len(), links);
    let rank = ranks(sizes.len(), links, &back);
    let vertex = |(size, layer): (&Size, &usize)| Vertex {
        layer: *layer,
        size: *size,
        on_way: false,
        error: false,
        beside: None,
    };
    let vertices: Vec<Vertex> = sizes.iter().zip(&rank).map(vertex).collect();
    let mut ways = Ways { vertices, trunks: BTreeMap::new() };
    let mut routes = Vec::with_capacity(links.len());
    for (link, back) in links.iter().zip(&back) {
        routes.push(if *back { ways.up(link) } else { ways.down(link) });
        if ways.vertices.len() > MOST {
            return Err(TooLarge);
        }
    }
    Ok(connect(ways.vertices, routes, back))
}

/// Marks the links that close a cycle when states are visited depth first, in source order.
fn back_links(count: usize, links: &[Link]) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, link) in links.iter().enumerate() {
        leaving[link.from].push(at);
    }
    let mut back = vec![false; links.len()];
    let mut seen = vec![false; count];
    let mut open = vec![false; count];
    for root in 0..count {
        // What is left of the links of each vertex on the current path.
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

/// The layer of each vertex: below every vertex that leads to it, two layers at least.
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

struct Ways {
    vertices: Vec<Vertex>,
    /// The bends that lead to a target, by target, style, and layer.
    trunks: BTreeMap<(usize, bool, bool, usize), usize>,
}

impl Ways {
    fn down(&mut self, link: &Link) -> Vec<usize> {
        let (top, bottom) = (self.vertices[link.from].layer, self.vertices[link.to].layer);
        let mut way = vec![link.from];
        for layer in top + 1..bottom {
            way.push(match layer == top + 1 && link.label.width > 0.0 {
                true => self.add(link, layer, link.label, None),
                false => self.trunk(link, false, layer, None),
            });
        }
        way.push(link.to);
        way
    }

    fn up(&mut self, link: &Link) -> Vec<usize> {
        let (bottom, top) = (self.vertices[link.from].layer, self.vertices[link.to].layer);
        let mut way = vec![link.from];
        if bottom == top {
            way.push(self.add(link, bottom, link.label, Some(link.from)));
        } else {
            way.push(self.add(link, bottom, Size::default(), Some(link.from)));
            for layer in (top..bottom).rev() {
                way.push(match layer + 1 == bottom && link.label.width > 0.0 {
                    true => self.add(link, layer, link.label, None),
                    false => self.trunk(link, true, layer, (layer == top).then_some(link.to)),
                });
            }
        }
        way.push(link.to);
        way
    }

    fn add(&mut self, link: &Link, layer: usize, size: Size, beside: Option<usize>) -> usize {
        self.vertices.push(Vertex { layer, size, on_way: true, error: link.error, beside });
        self.vertices.len() - 1
    }

    fn trunk(&mut self, link: &Link, back: bool, layer: usize, beside: Option<usize>) -> usize {
        let key = (link.to, link.error, back, layer);
        match self.trunks.get(&key) {
            Some(known) => *known,
            None => {
                let made = self.add(link, layer, Size::default(), beside);
                self.trunks.insert(key, made);
                made
            }
        }
    }
}

fn connect(vertices: Vec<Vertex>, ways: Vec<Vec<usize>>, back: Vec<bool>) -> Layers {
    let mut above = vec![Vec::new(); vertices.len()];
    let mut below = vec![Vec::new(); vertices.len()];
    for way in &ways {
        for pair in way.windows(2) {
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
    Layers { layers: vec![Vec::new(); depth], vertices, above, below, ways, back }
}
