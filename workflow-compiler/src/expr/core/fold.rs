//! Removal of branches and blocks that constants decide.

use super::visit::PartMut;
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, LabelId};
use crate::expr::Literal;
use crate::index::IndexVec;
use std::collections::BTreeSet;

impl CoreFunction {
    /// Replaces conditionals whose outcome is constant by their branch, and labelled blocks that
    /// nothing leaves by their statements.
    pub fn fold(&mut self) {
        let known = IndexVec::filled_like(&self.locals, None);
        let mut folder = Folder { known, left: BTreeSet::new() };
        let mentions = self.mentions();
        self.body.jumps_of(&mut |label| {
            folder.left.insert(label);
        });
        folder.block(&mut self.body, &|local| !mentions[local].changes);
    }
}

struct Folder {
    /// The optional values that are known, as `Some` with these atoms or `None`.
    known: IndexVec<CoreLocalId, Option<Option<Vec<Atom>>>>,
    /// The labels that a jump names.
    left: BTreeSet<LabelId>,
}

impl Folder {
    fn block(&mut self, block: &mut CoreBlock, is_steady: &dyn Fn(CoreLocalId) -> bool) {
        let mut done = Vec::new();
        for mut statement in std::mem::take(&mut block.statements) {
            if let Some(computation) = statement.computation_mut() {
                self.inside(computation, is_steady);
            }
            if let Some(body) = statement.body_mut() {
                self.block(body, is_steady);
            }
            let taken = statement.computation_mut().and_then(|computation| self.decided(computation));
            if let Some(mut taken) = taken {
                done.append(&mut taken.statements);
                // Nothing is reached after a jump.
                if done.last().is_some_and(CoreStatement::jumps) {
                    block.value = None;
                    break;
                }
                match (statement, taken.value) {
                    (CoreStatement::Let(local, _), Some(value)) => {
                        done.push(CoreStatement::Let(local, Computation::Atom(value)));
                    }
                    (CoreStatement::Assign(local, _), Some(value)) => {
                        done.push(CoreStatement::Assign(local, Computation::Atom(value)));
                    }
                    _ => {}
                }
                continue;
            }
            match &mut statement {
                CoreStatement::Let(local, Computation::Maybe(value)) if is_steady(*local) => {
                    self.known[*local] = Some(value.clone());
                }
                CoreStatement::Let(_, computation) => {
                    if let Computation::Not(Atom::Literal(Literal::Bool(holds))) = computation {
                        *computation = Computation::Atom(Atom::Literal(Literal::Bool(!*holds)));
                    }
                }
                _ => {}
            }
            done.push(statement);
        }
        block.statements = done;
    }

    fn inside(&mut self, computation: &mut Computation, is_steady: &dyn Fn(CoreLocalId) -> bool) {
        for part in computation.parts_mut() {
            match part {
                PartMut::Block(block) | PartMut::Closure(block) => self.block(block, is_steady),
                PartMut::Inner(inner) => self.inside(inner, is_steady),
                PartMut::Operand(..) | PartMut::Changed(_) => {}
            }
        }
    }

    /// Returns the code that is evaluated in place of a computation.
    fn decided(&self, computation: &mut Computation) -> Option<CoreBlock> {
        match computation {
            Computation::If { test: Atom::Literal(Literal::Bool(holds)), then, otherwise } => {
                Some(std::mem::take(if *holds { then } else { otherwise }))
            }
            Computation::Labelled(label, body) if !self.left.contains(label) => Some(std::mem::take(body)),
            Computation::IfPresent { items, of, then, otherwise } => {
                let value = match &**of {
                    Computation::Maybe(value) => value,
                    Computation::Atom(Atom::Local(local)) => self.known[*local].as_ref()?,
                    _ => return None,
                };
                let Some(values) = value.clone() else { return Some(std::mem::take(otherwise)) };
                let bind = |(item, value): (&CoreLocalId, Atom)| CoreStatement::Let(*item, Computation::Atom(value));
                let mut taken = std::mem::take(then);
                taken.statements.splice(0..0, items.iter().zip(values).map(bind));
                Some(taken)
            }
            _ => None,
        }
    }
}
