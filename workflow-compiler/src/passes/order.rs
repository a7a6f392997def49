//! Postorder of graphs, and work lists that follow an order. With a suitable order, a dataflow
//! analysis settles after about as many rounds as cycles are nested.

use crate::index::{Id, IndexVec};
use std::collections::BTreeSet;

/// Returns the nodes, each after its successors, except along edges that close a cycle.
pub fn postorder<I: Id>(next: &IndexVec<I, Vec<I>>, roots: impl IntoIterator<Item = I>) -> Vec<I> {
    let mut seen = IndexVec::filled_like(next, false);
    let mut order = Vec::with_capacity(next.len());
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, at)) = open.last_mut() {
            match next[*node].get(*at) {
                Some(target) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[*target], true) {
                        open.push((*target, 0));
                    }
                }
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

/// Nodes still to be processed, each at most once, in a given order.
pub struct WorkList<I> {
    order: Vec<I>,
    /// The position of each node in the order.
    places: IndexVec<I, usize>,
    open: BTreeSet<usize>,
}

impl<I: Id> WorkList<I> {
    /// Creates a work list of these nodes. The nodes of the order are pending.
    pub fn new<T>(order: Vec<I>, nodes: &IndexVec<I, T>) -> WorkList<I> {
        let mut places = IndexVec::filled_like(nodes, 0);
        order.iter().enumerate().for_each(|(place, node)| places[*node] = place);
        WorkList { open: (0..order.len()).collect(), order, places }
    }

    /// Makes a node of the order pending again.
    pub fn open(&mut self, node: I) {
        self.open.insert(self.places[node]);
    }

    /// Removes and returns the first pending node.
    pub fn next(&mut self) -> Option<I> {
        self.open.pop_first().map(|place| self.order[place])
    }
}
