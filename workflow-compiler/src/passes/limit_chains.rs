//! Pass that finds the transitions that must not be calls: transitions that close a cycle, and one
//! in every long chain.
//!
//! Such a transition goes through a resume point of its own: the frame returns to the runtime,
//! which continues from there. The call of a handler cannot, because no resume point carries the
//! fault. The next transition does so instead. After this pass every chain of calls between two
//! resume points has a length of about [`LONGEST_CHAIN`] or less.

use crate::index::IndexVec;
use crate::machine::{BlockBody, BlockId, LocalIdents, Machine, ResumePoint, ResumePointId, ResumePointKind};
use crate::names::Names;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a call chain before the native stack is unwound.
pub(super) const LONGEST_CHAIN: u32 = 64;

/// Marks the transitions and adds the resume points.
pub fn limit_chains(machine: &mut Machine, names: &mut Names) {
    let calls: IndexVec<BlockId, Vec<BlockId>> = machine.blocks.iter().map(|block| block.body.calls()).collect();
    let (order, mut through) = back_edges(&calls);
    let transitions: IndexVec<BlockId, BTreeSet<BlockId>> =
        machine.blocks.iter_mut().map(|block| transitions(&mut block.body)).collect();
    let mut depth = IndexVec::filled_like(&calls, 0);
    for block in order {
        for callee in &calls[block] {
            if through.contains(&(block, *callee)) {
                continue;
            }
            let next = depth[block] + 1;
            if next >= LONGEST_CHAIN && transitions[block].contains(callee) {
                through.insert((block, *callee));
            } else {
                depth[*callee] = next.max(depth[*callee]);
            }
        }
    }
    let mut heads: BTreeMap<BlockId, ResumePointId> = BTreeMap::new();
    for (_, head) in &through {
        heads.entry(*head).or_insert_with(|| add_head(machine, names, *head));
    }
    for (at, block) in machine.blocks.entries_mut() {
        block.body.gotos_mut(&mut |callee, bounce| {
            if through.contains(&(at, callee)) {
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
    })
}

/// Returns an order in which every block comes before its callees, and the edges against it, which
/// close cycles.
fn back_edges(calls: &IndexVec<BlockId, Vec<BlockId>>) -> (Vec<BlockId>, BTreeSet<(BlockId, BlockId)>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = IndexVec::filled_like(calls, Mark::New);
    let mut back = BTreeSet::new();
    let mut finished = Vec::new();
    for root in calls.ids() {
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
                    let callee = *callee;
                    match marks[callee] {
                        Mark::New => {
                            marks[callee] = Mark::Open;
                            open.push((callee, 0));
                        }
                        Mark::Open => {
                            back.insert((block, callee));
                        }
                        Mark::Done => {}
                    }
                }
                None => {
                    marks[block] = Mark::Done;
                    finished.push(block);
                    open.pop();
                }
            }
        }
    }
    finished.reverse();
    (finished, back)
}
