//! This pass finds the transitions that must not be plain calls: those that close a cycle, and one in every long chain.
//!
//! Such a transition goes through a point of its own: the frame returns to the runtime, which runs on from there. After
//! this point every chain of calls between two points is shorter than [`LONGEST_CHAIN`].

use super::names::Names;
use crate::machine::{BlockId, Machine, Point, PointId, PointKind};
use std::collections::{BTreeMap, BTreeSet};

/// The most blocks that call one another before the native stack is left.
const LONGEST_CHAIN: u32 = 64;

/// Marks the transitions and adds the points.
pub fn limit_chains(machine: &mut Machine, names: &mut Names) {
    let calls: Vec<Vec<BlockId>> = machine.blocks.iter().map(|block| block.tail.calls()).collect();
    let (order, mut through) = back_edges(&calls);
    let mut depth = vec![0; calls.len()];
    for block in order {
        for callee in &calls[block.0 as usize] {
            if through.contains(&(block, *callee)) {
                continue;
            }
            let next = depth[block.0 as usize] + 1;
            if next >= LONGEST_CHAIN {
                through.insert((block, *callee));
            } else {
                depth[callee.0 as usize] = next.max(depth[callee.0 as usize]);
            }
        }
    }
    let mut heads: BTreeMap<BlockId, PointId> = BTreeMap::new();
    for (_, head) in &through {
        heads.entry(*head).or_insert_with(|| add_head(machine, names, *head));
    }
    for (at, block) in machine.blocks.iter_mut().enumerate() {
        block.tail.gotos_mut(&mut |callee, bounce| {
            if through.contains(&(BlockId(at as u32), callee)) {
                *bounce = heads.get(&callee).copied();
            }
        });
    }
}

fn add_head(machine: &mut Machine, names: &mut Names, head: BlockId) -> PointId {
    let block = machine.block(head);
    let authored = block.origin.as_ref().map_or("entry", |origin| &origin.state);
    let (name, tag) = names.point(&format!("{authored} enter"));
    let doc = "Runs on from here without having waited.".to_owned();
    let origin = block.origin.clone();
    machine.points.push(Point { name, tag, origin, doc, payload: Vec::new(), kind: PointKind::Enter(head) });
    PointId(machine.points.len() as u32 - 1)
}

/// The edges that close a cycle, and an order in which every block comes before those it calls by other edges.
fn back_edges(calls: &[Vec<BlockId>]) -> (Vec<BlockId>, BTreeSet<(BlockId, BlockId)>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; calls.len()];
    let mut back = BTreeSet::new();
    let mut finished = Vec::new();
    for root in 0..calls.len() {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut open = vec![(root, 0)];
        while let Some((block, next)) = open.last_mut() {
            let block = *block;
            match calls[block].get(*next) {
                Some(callee) => {
                    *next += 1;
                    let callee = callee.0 as usize;
                    match marks[callee] {
                        Mark::New => {
                            marks[callee] = Mark::Open;
                            open.push((callee, 0));
                        }
                        Mark::Open => {
                            back.insert((BlockId(block as u32), BlockId(callee as u32)));
                        }
                        Mark::Done => {}
                    }
                }
                None => {
                    marks[block] = Mark::Done;
                    finished.push(BlockId(block as u32));
                    open.pop();
                }
            }
        }
    }
    finished.reverse();
    (finished, back)
}
