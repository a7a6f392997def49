//! Orders of the nodes of a graph, and a list of open work that keeps to one: in the right order, what flows along the edges
//! settles in about as many rounds as cycles are nested.

use std::collections::BTreeSet;

/// The nodes, each after those its edges lead to, but for the edges that close a cycle.
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

/// Nodes that are still to be looked at, in a given order, each once.
pub struct WorkList {
    order: Vec<usize>,
    /// The place of each node in the order.
    places: Vec<usize>,
    open: BTreeSet<usize>,
}

impl WorkList {
    /// Of `nodes` nodes; those in the order are open.
    pub fn new(order: Vec<usize>, nodes: usize) -> WorkList {
        let mut places = vec![0; nodes];
        order.iter().enumerate().for_each(|(place, node)| places[*node] = place);
        WorkList { open: (0..order.len()).collect(), order, places }
    }

    /// Opens a node of the order again.
    pub fn open(&mut self, node: usize) {
        self.open.insert(self.places[node]);
    }

    /// The first one that is open.
    pub fn next(&mut self) -> Option<usize> {
        self.open.pop_first().map(|place| self.order[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_after_those_they_lead_to() {
        let next = [vec![1, 2], vec![3], vec![3], vec![0], vec![0]];
        assert_eq!(postorder(&next, [0]), [3, 1, 2, 0]);
        assert_eq!(postorder(&next, 0..5), [3, 1, 2, 0, 4]);
    }

    #[test]
    fn what_is_opened_again_comes_in_its_order() {
        let mut list = WorkList::new(vec![2, 0, 1], 3);
        assert_eq!((list.next(), list.next()), (Some(2), Some(0)));
        list.open(2);
        assert_eq!((list.next(), list.next(), list.next()), (Some(2), Some(1), None));
    }
}
