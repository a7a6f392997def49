//! Replacement of locals that only rename another local or a constant.

use super::visit::PartMut;
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement};
use crate::expr::Literal;
use crate::index::IndexVec;

/// The longest string constant that is repeated, in bytes.
const MAX_TEXT: usize = 64;

impl CoreFunction {
    /// Replaces each local that is bound to an atom by the atom, unless one of the two is changed.
    pub fn propagate_copies(&mut self) {
        let mentions = self.mentions();
        let mut known: IndexVec<CoreLocalId, Option<Atom>> = IndexVec::filled_like(&self.locals, None);
        let is_steady = |local: CoreLocalId| !mentions[local].changes;
        let locals = &self.locals;
        self.body.replace(
            &mut |statement| {
                let CoreStatement::Let(local, Computation::Atom(atom)) = statement else { return None };
                let is_copy = !locals[*local].is_declared
                    && is_steady(*local)
                    && atom.local().is_none_or(is_steady)
                    && is_small(atom);
                is_copy.then(|| (*local, atom.clone()))
            },
            &mut known,
        );
    }
}

/// Returns `true` if an atom can be repeated: it is no large constant.
fn is_small(atom: &Atom) -> bool {
    match atom {
        Atom::Literal(Literal::Array(items)) => items.is_empty(),
        Atom::Literal(Literal::Object(members)) => members.is_empty(),
        Atom::Literal(Literal::String(text)) => text.len() <= MAX_TEXT,
        _ => true,
    }
}

impl CoreBlock {
    fn replace(
        &mut self,
        copy: &mut dyn FnMut(&CoreStatement) -> Option<(CoreLocalId, Atom)>,
        known: &mut IndexVec<CoreLocalId, Option<Atom>>,
    ) {
        self.statements.retain_mut(|statement| {
            if let Some(computation) = statement.computation_mut() {
                computation.replace(copy, known);
            }
            if let Some(atom) = statement.operand_mut() {
                atom.replace(known);
            }
            if let Some(body) = statement.body_mut() {
                body.replace(copy, known);
            }
            match copy(statement) {
                Some((local, atom)) => {
                    known[local] = Some(atom);
                    false
                }
                None => true,
            }
        });
        if let Some(value) = &mut self.value {
            value.replace(known);
        }
    }
}

impl Computation {
    fn replace(
        &mut self,
        copy: &mut dyn FnMut(&CoreStatement) -> Option<(CoreLocalId, Atom)>,
        known: &mut IndexVec<CoreLocalId, Option<Atom>>,
    ) {
        for part in self.parts_mut() {
            match part {
                PartMut::Operand(atom, _) => atom.replace(known),
                PartMut::Inner(inner) => inner.replace(copy, known),
                PartMut::Block(block) | PartMut::Closure(block) => block.replace(copy, known),
                PartMut::Changed(_) => {}
            }
        }
    }
}

impl Atom {
    fn replace(&mut self, known: &IndexVec<CoreLocalId, Option<Atom>>) {
        if let Some(other) = self.local().and_then(|local| known[local].as_ref()) {
            *self = other.clone();
        }
    }
}
