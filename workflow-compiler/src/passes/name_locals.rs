//! Pass that names the locals of each function and resume point.
//!
//! A local has its authored name, with a number only if the function has two locals of one name. A
//! local that nothing reads is `_`. An alias has the identifier of the local that it stands for.
//! After this pass, [`Block::names`](crate::machine::Block::names) and
//! [`ResumePoint::names`](crate::machine::ResumePoint::names) are final.

use crate::expr::{Expr, LocalId};
use crate::index::IndexVec;
use crate::machine::{Block, BlockId, Local, LocalIdents, Machine, OpKind, ResumePointId, Terminator};
use crate::model::LocalKind;
use crate::names::{Names, snake_case};
use std::collections::{BTreeMap, BTreeSet};

/// Names the locals. Reserves the names in the module, so that no function has them.
pub fn name_locals(machine: &mut Machine, names: &mut Names) {
    let mut naming = Naming::new(&machine.locals, names);
    for point in &mut machine.points {
        point.names = naming.name(point.payload.iter().copied());
    }
    let payloads = machine.points.iter().map(|point| &*point.payload).collect();
    let params: IndexVec<BlockId, Vec<LocalId>> = machine.blocks.iter().map(|block| block.params.clone()).collect();
    let lists = Lists { payloads, params: &params };
    for block in &mut machine.blocks {
        let mut mentions = lists.mentions(block);
        let aliases = aliases(block);
        mentions.retain(|(local, _)| !aliases.contains(local));
        let read: BTreeSet<LocalId> = mentions.iter().filter(|(_, reads)| *reads).map(|(local, _)| *local).collect();
        let locals = block.params.iter().chain(mentions.iter().map(|(local, _)| local));
        let (read, unread): (Vec<LocalId>, Vec<LocalId>) = locals.partition(|local| read.contains(local));
        block.names = naming.name(read);
        for local in unread {
            let is_fault = machine.locals[local].kind == LocalKind::Fault;
            block.names.insert(local, if is_fault { "fault" } else { "_" }.to_owned());
        }
    }
}

struct Naming<'a> {
    locals: &'a IndexVec<LocalId, Local>,
    names: &'a mut Names,
    /// The locals of one name are namesakes. Each local has the number of its namesakes.
    namesakes: IndexVec<LocalId, usize>,
    /// The identifiers reserved for namesakes. The n-th is for the n-th of them in a function.
    reserved: Vec<Vec<String>>,
}

impl<'a> Naming<'a> {
    fn new(locals: &'a IndexVec<LocalId, Local>, names: &'a mut Names) -> Self {
        let mut numbers = BTreeMap::new();
        let number = |local: &Local| {
            let count = numbers.len();
            *numbers.entry(snake_case(&local.authored)).or_insert(count)
        };
        let namesakes = locals.iter().map(number).collect();
        let reserved = vec![Vec::new(); numbers.len()];
        Naming { locals, names, namesakes, reserved }
    }

    /// Names the locals of one function, in this order. Repetitions have no effect.
    fn name(&mut self, locals: impl IntoIterator<Item = LocalId>) -> LocalIdents {
        let mut named = LocalIdents::new();
        let mut count: BTreeMap<usize, usize> = BTreeMap::new();
        for id in locals {
            let local = &self.locals[id];
            if named.contains_key(&id) {
                continue;
            }
            // Only one fault is live at a time, so all faults can be called `fault`.
            if local.kind == LocalKind::Fault {
                named.insert(id, "fault".to_owned());
                continue;
            }
            let at = count.entry(self.namesakes[id]).or_default();
            let reserved = &mut self.reserved[self.namesakes[id]];
            if reserved.len() == *at {
                reserved.push(self.names.local(&local.authored));
            }
            named.insert(id, reserved[*at].clone());
            *at += 1;
        }
        named
    }
}

/// Returns the locals that only stand for others in a block.
fn aliases(block: &Block) -> BTreeSet<LocalId> {
    let (mut aliases, mut bound) = (BTreeSet::new(), BTreeSet::from_iter(block.params.iter().copied()));
    block.body.walk(&mut |body| {
        for op in &body.ops {
            match &op.kind {
                OpKind::Alias { to, .. } => _ = aliases.insert(*to),
                kind => bound.extend(kind.sets()),
            }
        }
    });
    aliases.retain(|local| !bound.contains(local));
    aliases
}

/// The locals that resume points save and blocks take.
struct Lists<'a> {
    payloads: IndexVec<ResumePointId, &'a [LocalId]>,
    params: &'a IndexVec<BlockId, Vec<LocalId>>,
}

impl Lists<'_> {
    /// Returns the locals that the body of a block mentions, in order, with repetitions, and
    /// whether each mention reads the local.
    fn mentions(&self, block: &Block) -> Vec<(LocalId, bool)> {
        let mut found = Vec::new();
        let payload = |point: &ResumePointId| self.payloads[*point].iter().copied();
        block.body.walk(&mut |body| {
            for op in &body.ops {
                found.extend(op.kind.reads().into_iter().map(|local| (local, true)));
                // An edit in place mentions the local that it sets.
                let edits = matches!(&op.kind, OpKind::Let { value, .. } if value.edited().is_some());
                found.extend(op.kind.sets().into_iter().map(|local| (local, edits)));
            }
            let read: Vec<LocalId> = match &body.terminator {
                Terminator::Wait { command, point, .. } => command.locals().into_iter().chain(payload(point)).collect(),
                Terminator::Goto { bounce, .. } => bounce.iter().flat_map(payload).collect(),
                Terminator::Handle { fault, retry, .. } => {
                    let retry = retry.iter().flat_map(|(_, counters, point)| payload(point).chain([*counters]));
                    retry.chain([*fault]).collect()
                }
                Terminator::Raise { fault, .. } => vec![*fault],
                Terminator::Choose { arms, .. } => arms.iter().flat_map(|(condition, _)| condition.locals()).collect(),
                Terminator::Done(value) | Terminator::Terminate(value) | Terminator::FailWith(value) => value.locals(),
                Terminator::Fail { error, cause } => error.iter().chain(cause).flat_map(Expr::locals).collect(),
            };
            found.extend(read.into_iter().map(|local| (local, true)));
        });
        let passed = block.body.calls().into_iter().flat_map(|block| &self.params[block]);
        found.extend(passed.map(|local| (*local, true)));
        found
    }
}
