//! The uses of locals that decide whether a result can be shared.

use crate::expr::core::visit::{Mentions, OperandUse, PartMut};
use crate::expr::core::{Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreLocalId, CoreStatement};
use crate::index::IndexVec;
use std::collections::BTreeMap;

/// The uses of locals.
pub(super) struct Uses {
    /// The locals that begin as copies and are changed, each with its source. The copy takes the
    /// value of its source, unless a reference into the source is read later. So the copy counts
    /// as a change of the source.
    pub(super) sources: BTreeMap<CoreLocalId, CoreLocalId>,
    /// `true` for a local of which a use takes the value.
    pub(super) is_consumed: IndexVec<CoreLocalId, bool>,
}

impl Uses {
    /// Finds the uses of the locals of a function.
    pub(super) fn of(function: &mut CoreFunction, mentions: &IndexVec<CoreLocalId, Mentions>) -> Uses {
        let is_consumed = IndexVec::filled_like(&function.locals, false);
        let mut uses = Uses { sources: BTreeMap::new(), is_consumed };
        uses.block(&mut function.body, mentions);
        uses
    }

    fn block(&mut self, block: &mut CoreBlock, mentions: &IndexVec<CoreLocalId, Mentions>) {
        for statement in &mut block.statements {
            match statement {
                CoreStatement::Let(local, Computation::Atom(Atom::Local(from))) if mentions[*local].changes => {
                    self.sources.insert(*local, *from);
                }
                _ => {}
            }
            if let Some(computation) = statement.computation_mut() {
                self.computation(computation, mentions);
            }
            self.consumed(statement.operand_mut());
            if let Some(body) = statement.body_mut() {
                self.block(body, mentions);
            }
        }
        self.consumed(block.value.as_mut());
    }

    fn computation(&mut self, computation: &mut Computation, mentions: &IndexVec<CoreLocalId, Mentions>) {
        if let Computation::Call(call) = computation {
            for arg in &call.args {
                if let CoreArgument::Closure(closure) = arg {
                    closure.captures.iter().for_each(|(_, outer)| self.is_consumed[*outer] = true);
                }
            }
        }
        for part in computation.parts_mut() {
            match part {
                PartMut::Operand(atom, OperandUse::Consumed) => self.consumed(Some(atom)),
                PartMut::Operand(_, OperandUse::Read) | PartMut::Changed(_) => {}
                PartMut::Inner(inner) => self.computation(inner, mentions),
                PartMut::Block(block) | PartMut::Closure(block) => self.block(block, mentions),
            }
        }
    }

    fn consumed(&mut self, atom: Option<&mut Atom>) {
        if let Some(local) = atom.and_then(|atom| atom.local()) {
            self.is_consumed[local] = true;
        }
    }
}
