//! Merging of a local that is changed in place with the local whose value it takes.

use super::ownership::{Holds, Ownership};
use super::visit::PartMut;
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement};
use crate::index::IndexVec;

impl CoreFunction {
    /// Gives `let mut result = input;` the name of the input, where this is the last read of it.
    pub fn coalesce(&mut self, ownership: &mut Ownership) {
        let mut names: IndexVec<CoreLocalId, CoreLocalId> = self.locals.ids().collect();
        self.body.rename(&mut names, ownership);
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
    fn rename(&mut self, names: &mut IndexVec<CoreLocalId, CoreLocalId>, ownership: &Ownership) {
        self.statements.retain_mut(|statement| {
            if let Some(computation) = statement.computation_mut() {
                computation.rename(names, ownership);
            }
            if let Some(atom) = statement.operand_mut() {
                atom.rename(names);
            }
            match statement {
                CoreStatement::Let(local, Computation::Atom(Atom::Last(from)))
                    if ownership.mentions[*local].changes && ownership.holds[*from] == Holds::Owned =>
                {
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
                body.rename(names, ownership);
            }
            true
        });
        if let Some(value) = &mut self.value {
            value.rename(names);
        }
    }
}

impl Computation {
    fn rename(&mut self, names: &mut IndexVec<CoreLocalId, CoreLocalId>, ownership: &Ownership) {
        for part in self.parts_mut() {
            match part {
                PartMut::Operand(atom, _) => atom.rename(names),
                PartMut::Changed(local) => *local = names[*local],
                PartMut::Inner(inner) => inner.rename(names, ownership),
                PartMut::Block(block) | PartMut::Closure(block) => block.rename(names, ownership),
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
