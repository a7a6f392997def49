//! Merging of a local that is changed in place with the local whose value it takes.

use super::ownership::{Holds, Ownership};
use super::visit::PartMut;
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement};
use crate::index::IndexVec;

/// The answer to whether a local takes the name of the local whose value it takes.
type Merges<'a> = dyn Fn(CoreLocalId, CoreLocalId) -> bool + 'a;

impl CoreFunction {
    /// Gives `let mut result = input;` the name of the input, where this is the last read of it.
    pub fn coalesce(&mut self, ownership: &mut Ownership) {
        let mut names: IndexVec<CoreLocalId, CoreLocalId> = self.locals.ids().collect();
        let locals = &self.locals;
        let merges = |local: CoreLocalId, from: CoreLocalId| {
            ownership.mentions[local].changes
                && !locals[local].is_declared
                && ownership.holds[from] == Holds::Owned
                && locals[local].ty == locals[from].ty
        };
        self.body.rename(&mut names, &merges);
        for (local, name) in names.entries() {
            if local != *name {
                let taken = ownership.mentions[local];
                ownership.mentions[*name].reads += taken.reads;
                ownership.mentions[*name].changes |= taken.changes;
            }
        }
    }
}

impl CoreBlock {
    fn rename(&mut self, names: &mut IndexVec<CoreLocalId, CoreLocalId>, merges: &Merges<'_>) {
        self.statements.retain_mut(|statement| {
            if let Some(computation) = statement.computation_mut() {
                computation.rename(names, merges);
            }
            if let Some(atom) = statement.operand_mut() {
                atom.rename(names);
            }
            match statement {
                CoreStatement::Let(local, Computation::Atom(Atom::Last(from))) if merges(*local, *from) => {
                    names[*local] = *from;
                    return false;
                }
                CoreStatement::Assign(local, Computation::Atom(from)) if from.local() == Some(names[*local]) => {
                    return false;
                }
                CoreStatement::Assign(local, _) | CoreStatement::Store(local, _) | CoreStatement::Decrement(local) => {
                    *local = names[*local];
                }
                _ => {}
            }
            if let Some(body) = statement.body_mut() {
                body.rename(names, merges);
            }
            true
        });
        if let Some(value) = &mut self.value {
            value.rename(names);
        }
    }
}

impl Computation {
    fn rename(&mut self, names: &mut IndexVec<CoreLocalId, CoreLocalId>, merges: &Merges<'_>) {
        for part in self.parts_mut() {
            match part {
                PartMut::Operand(atom, _) => atom.rename(names),
                PartMut::Changed(local) => *local = names[*local],
                PartMut::Inner(inner) => inner.rename(names, merges),
                PartMut::Block(block) | PartMut::Closure(block) => block.rename(names, merges),
            }
        }
    }
}

impl Atom {
    fn rename(&mut self, names: &IndexVec<CoreLocalId, CoreLocalId>) {
        if let Atom::Local(local) | Atom::Last(local) = self {
            *local = names[*local];
        }
    }
}
