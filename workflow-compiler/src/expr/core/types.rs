//! The types of atoms and computations.

use super::{Atom, Computation, CoreLocal, CoreLocalId, CoreType};
use crate::expr::Literal;
use crate::index::IndexVec;

impl Atom {
    /// Returns the type of the value, for the locals of its function.
    pub fn ty(&self, locals: &IndexVec<CoreLocalId, CoreLocal>) -> CoreType {
        match self {
            Atom::Literal(Literal::Bool(_)) => CoreType::Bool,
            Atom::Literal(_) => CoreType::Value,
            Atom::Constant(constant) => constant.ty(),
            Atom::Local(local) | Atom::Last(local) => locals[*local].ty,
            Atom::Inlined(computation) => computation.ty(locals),
        }
    }
}

impl Computation {
    /// Returns the type of the value, for the locals of its function. A computation whose
    /// end is never reached is of type `Unit`.
    pub fn ty(&self, locals: &IndexVec<CoreLocalId, CoreLocal>) -> CoreType {
        let value = match self {
            Computation::Atom(atom) => Some(atom),
            Computation::Call(call) => return call.callee.returns,
            Computation::Not(_) | Computation::Logic { .. } => return CoreType::Bool,
            Computation::Array(_) | Computation::Object(_) => return CoreType::Value,
            Computation::List(_) | Computation::Texts(_) => return CoreType::Items,
            Computation::Maybe(_) => return CoreType::MaybeValue,
            Computation::If { then, otherwise, .. } | Computation::IfPresent { then, otherwise, .. } => {
                then.value.as_ref().or(otherwise.value.as_ref())
            }
            Computation::Labelled(_, block) => block.value.as_ref(),
            Computation::Attempt(attempt) => attempt.body.value.as_ref(),
            Computation::Try(_) => None,
        };
        value.map_or(CoreType::Unit, |value| value.ty(locals))
    }
}
