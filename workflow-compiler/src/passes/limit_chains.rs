//! Pass that finds the transitions that must not be calls: transitions that close a cycle, and one
//! in every long chain.
//!
//! Such a transition goes through a resume point of its own: the frame returns to the runtime,
//! which continues from there. The call of a handler cannot, because no resume point carries the
//! fault. The next transition does so instead. After this pass every chain of calls between two
//! resume points has a length of about [`LONGEST_CHAIN`] or less.

use crate::machine::{BlockBody, BlockId, LocalIdents, Machine, ResumePoint, ResumePointId, ResumePointKind};
use crate::names::Names;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a call chain before the native stack is unwound.
pub(super) const LONGEST_CHAIN: u32 = 64;

/// Marks the transitions and adds the resume points.
pub fn limit_chains(machine: &mut Machine, names: &mut Names) {
    let calls: Vec<Vec<BlockId>> = machine.blocks.iter().map(|block| block.body.calls()).collect();
    let (order, mut through) = back_edges(&calls);
    let transitions: Vec<BTreeSet<BlockId>> =
        machine.blocks.iter_mut().map(|block| transitions(&mut block.body)).collect();
    let mut depth = vec![0; calls.len()];
    for block in order {
        for callee in &calls[block.0 as usize] {
            if through.contains(&(block, *callee)) {
                continue;
            }
            let next = depth[block.0 as usize] + 1;
            if next >= LONGEST_CHAIN && transitions[block.0 as usize].contains(callee) {
                through.insert((block, *callee));
            } else {
                depth[callee.0 as usize] = next.max(depth[callee.0 as usize]);
            }
        }
    }
    let mut heads: BTreeMap<BlockId, ResumePointId> = BTreeMap::new();
    for (_, head) in &through {
        heads.entry(*head).or_insert_with(|| add_head(machine, names, *head));
    }
    for (at, block) in machine.blocks.iter_mut().enumerate() {
        block.body.gotos_mut(&mut |callee, bounce| {
            if through.contains(&(BlockId(at as u32), callee)) {
                *bounce = heads.get(&callee).copied();
            }
        });
    }
}

/// Returns the successors of a body, without fault handlers.
fn transitions(body: &mut BlockBody) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    body.gotos_mut(&mut |block, _| _ = found.insert(block));
    found
}

fn add_head(machine: &mut Machine, names: &mut Names, head: BlockId) -> ResumePointId {
    let block = machine.block(head);
    let authored = block.origin.as_ref().map_or("entry", |origin| &origin.state);
    let (name, tag) = names.point(&format!("{authored} enter"));
    let doc = "Continues here without waiting.".to_owned();
    let origin = block.origin.clone();
    machine.points.push(ResumePoint {
        name,
        tag,
        among: (1, 1),
        origin,
        doc,
        payload: Vec::new(),
        names: LocalIdents::new(),
        kind: ResumePointKind::Enter(head),
    });
    ResumePointId(machine.points.len() as u32 - 1)
}

/// Returns an order in which every block comes before its callees, and the edges against it, which
/// close cycles.
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
