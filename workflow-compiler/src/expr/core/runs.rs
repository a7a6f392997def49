//! The code that uses the run of an expression of JSONata.

use super::visit::Part;
use super::{Atom, Computation, CoreBlock, CoreStatement};

/// The beginning of the names of the methods of the run.
const METHOD: &str = "run.";

impl CoreBlock {
    /// Returns `true` if the code of the block uses the run of the expression. A closure inside
    /// has it as a parameter of its own.
    pub fn takes_run(&self) -> bool {
        self.statements.iter().any(CoreStatement::takes_run) || self.value.as_ref().is_some_and(Atom::takes_run)
    }
}

impl CoreStatement {
    fn takes_run(&self) -> bool {
        self.computation().is_some_and(Computation::takes_run)
            || self.operand().is_some_and(Atom::takes_run)
            || self.body().is_some_and(CoreBlock::takes_run)
    }
}

impl Computation {
    fn takes_run(&self) -> bool {
        let is_user = match self {
            Computation::Call(call) => call.callee.takes_run || call.callee.name.starts_with(METHOD),
            // Objects of JSONata count against the limits of the run.
            Computation::Object(_) => true,
            _ => false,
        };
        is_user
            || self.parts().into_iter().any(|part| match part {
                Part::Operand(atom) => atom.takes_run(),
                Part::Inner(inner) => inner.takes_run(),
                Part::Block(block) => block.takes_run(),
                Part::Changed(_) | Part::Closure(_) => false,
            })
    }
}

impl Atom {
    fn takes_run(&self) -> bool {
        matches!(self, Atom::Inlined(computation) if computation.takes_run())
    }
}
