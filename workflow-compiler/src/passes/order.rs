//! Postorder of graphs, and work lists that follow an order. With a suitable order, a dataflow
//! analysis settles after about as many rounds as cycles are nested.

use std::collections::BTreeSet;

/// Returns the nodes, each after its successors, except along edges that close a cycle.
pub fn postorder(next: &[Vec<usize>], roots: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
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
pub struct WorkList {
    order: Vec<usize>,
    /// The position of each node in the order.
    places: Vec<usize>,
    open: BTreeSet<usize>,
}

impl WorkList {
    /// Creates a work list for `nodes` nodes. The nodes of the order are pending.
    pub fn new(order: Vec<usize>, nodes: usize) -> WorkList {
        let mut places = vec![0; nodes];
        order.iter().enumerate().for_each(|(place, node)| places[*node] = place);
        WorkList { open: (0..order.len()).collect(), order, places }
    }

    /// Makes a node of the order pending again.
    pub fn open(&mut self, node: usize) {
        self.open.insert(self.places[node]);
    }

    /// Removes and returns the first pending node.
    pub fn next(&mut self) -> Option<usize> {
        self.open.pop_first().map(|place| self.order[place])
    }
}
