//! Tests of orders of nodes.

use crate::index::IndexVec;
use crate::passes::order::{WorkList, postorder};

#[test]
fn nodes_come_after_those_they_lead_to() {
    let next = IndexVec::from(vec![vec![1, 2], vec![3], vec![3], vec![0], vec![0]]);
    assert_eq!(postorder(&next, [0]), [3, 1, 2, 0]);
    assert_eq!(postorder(&next, 0..5), [3, 1, 2, 0, 4]);
}

#[test]
fn reopened_nodes_keep_their_order() {
    let mut list = WorkList::new(vec![2, 0, 1], &IndexVec::from(vec![(); 3]));
    assert_eq!((list.next(), list.next()), (Some(2), Some(0)));
    list.open(2);
    assert_eq!((list.next(), list.next(), list.next()), (Some(2), Some(1), None));
}
