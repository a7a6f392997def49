//! Pass that names the locals of each function and resume point.
//!
//! A local has its authored name, with a number only if the function has two locals of one name.
//! After this pass, [`Block::names`](crate::machine::Block::names) and
//! [`ResumePoint::names`](crate::machine::ResumePoint::names) are final.

use super::names::{Names, snake_case};
use crate::expr::LocalId;
use crate::hir::LocalKind;
use crate::machine::{Block, Local, LocalNames, Machine, Terminator};
use std::collections::BTreeMap;

/// Names the locals. Reserves the names in the module, so that no function has them.
pub fn name_locals(machine: &mut Machine, names: &mut Names) {
    let mut naming = Naming { locals: &machine.locals, names, reserved: BTreeMap::new() };
    for point in &mut machine.points {
        point.names = naming.name(point.payload.iter().copied());
    }
    let payloads: Vec<&[LocalId]> = machine.points.iter().map(|point| &*point.payload).collect();
    for block in &mut machine.blocks {
        let mut locals = block.params.clone();
        mentioned(block, &payloads, &mut locals);
        block.names = naming.name(locals);
    }
}

struct Naming<'a> {
    locals: &'a [Local],
    names: &'a mut Names,
    /// The identifiers reserved for each name: the first for the first local of that name in a
    /// function, the second for the second.
    reserved: BTreeMap<String, Vec<String>>,
}

impl Naming<'_> {
    /// Names the locals of one function, in this order. Repetitions have no effect.
    fn name(&mut self, locals: impl IntoIterator<Item = LocalId>) -> LocalNames {
        let mut given = LocalNames::new();
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for id in locals {
            let local = &self.locals[id.0 as usize];
            if given.contains_key(&id) {
                continue;
            }
            // Only one fault is live at a time, so all faults can be called `fault`.
            if local.kind == LocalKind::Fault {
                given.insert(id, "fault".to_owned());
                continue;
            }
            let wanted = snake_case(&local.authored);
            let at = count.entry(wanted.clone()).or_default();
            let reserved = self.reserved.entry(wanted).or_default();
            if reserved.len() == *at {
                reserved.push(self.names.local(&local.authored));
            }
            given.insert(id, reserved[*at].clone());
            *at += 1;
        }
        given
    }
}

/// Collects the locals that a block mentions, in order.
fn mentioned(block: &Block, payloads: &[&[LocalId]], found: &mut Vec<LocalId>) {
    block.body.walk(&mut |body| {
        for op in &body.ops {
            found.extend(op.kind.reads());
            found.extend(op.kind.sets());
        }
        match &body.terminator {
            Terminator::Wait { command, point, .. } => {
                found.extend(command.locals());
                found.extend(payloads[point.0 as usize]);
            }
            Terminator::Goto { bounce, .. } => found.extend(bounce.iter().flat_map(|point| payloads[point.0 as usize])),
            Terminator::Handle { fault, retry, .. } => {
                found.push(*fault);
                if let Some((_, counters, point)) = retry {
                    found.push(*counters);
                    found.extend(payloads[point.0 as usize]);
                }
            }
            Terminator::Raise { fault, .. } => found.push(*fault),
            Terminator::Choose { arms, .. } => found.extend(arms.iter().flat_map(|(condition, _)| condition.locals())),
            Terminator::Done(value) | Terminator::Terminate(value) | Terminator::FailWith(value) => {
                found.extend(value.locals());
            }
            Terminator::Fail { error, cause } => found.extend(error.iter().chain(cause).flat_map(|part| part.locals())),
        }
    });
}
