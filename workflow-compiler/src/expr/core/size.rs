//! The size of functions, which bounds the code that one expression becomes.
//!
//! A language expands definitions where they are used, so that a short text can become long code.

use super::visit::Part;
use super::{Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreStatement};
use crate::expr::Literal;

/// The greatest size of a function that is emitted.
const MAX_SIZE: usize = 50_000;
/// The bytes of a text that count as much as a statement.
const TEXT_PART: usize = 64;

impl CoreFunction {
    /// Returns `true` if the function is so large that its code is left to an engine or an
    /// evaluator.
    pub fn is_too_large(&self) -> bool {
        self.accepted_size().is_none()
    }

    /// Returns the size, or `None` if the function is too large.
    pub fn accepted_size(&self) -> Option<usize> {
        Some(self.size()).filter(|size| *size <= MAX_SIZE)
    }

    /// Returns the number of statements and operands. Long texts count as several.
    pub fn size(&self) -> usize {
        self.body.size()
    }
}

impl CoreBlock {
    fn size(&self) -> usize {
        self.statements.iter().map(CoreStatement::size).sum::<usize>() + self.value.as_ref().map_or(0, Atom::size)
    }
}

impl CoreStatement {
    fn size(&self) -> usize {
        1 + self.computation().map_or(0, Computation::size)
            + self.operand().map_or(0, Atom::size)
            + self.body().map_or(0, CoreBlock::size)
    }
}

impl Computation {
    fn size(&self) -> usize {
        let own = match self {
            Computation::Call(call) => call.args.iter().map(CoreArgument::own_size).sum(),
            Computation::Object(members) => members.iter().map(|(name, _)| size_of_text(name)).sum(),
            _ => 0,
        };
        let parts = self.parts().into_iter().map(|part| match part {
            Part::Operand(atom) => atom.size(),
            Part::Changed(_) => 1,
            Part::Inner(inner) => inner.size(),
            Part::Block(block) | Part::Closure(block) => 1 + block.size(),
        });
        own + parts.sum::<usize>()
    }
}

impl CoreArgument {
    /// Returns the size of what is no operand and no block: of a constant, and of the copies and
    /// parameters of a closure.
    fn own_size(&self) -> usize {
        match self {
            CoreArgument::Text(text) | CoreArgument::Pattern(text, _) | CoreArgument::Signature(text) => {
                1 + size_of_text(text)
            }
            CoreArgument::Texts(texts) => texts.iter().map(|text| 1 + size_of_text(text)).sum(),
            CoreArgument::Flags(flags) => flags.len(),
            CoreArgument::Int(_) => 1,
            CoreArgument::Closure(closure) => closure.captures.len() + closure.params.len(),
            CoreArgument::Atom(_) | CoreArgument::Changed(_) => 0,
        }
    }
}

impl Atom {
    fn size(&self) -> usize {
        match self {
            Atom::Literal(literal) => size_of_literal(literal),
            Atom::Constant(_) | Atom::Local(_) | Atom::Last(_) => 1,
            Atom::Inlined(computation) => 1 + computation.size(),
        }
    }
}

fn size_of_literal(literal: &Literal) -> usize {
    match literal {
        Literal::Null | Literal::Bool(_) | Literal::Int(_) | Literal::Float(_) => 1,
        Literal::String(text) => 1 + size_of_text(text),
        Literal::Array(items) => 1 + items.iter().map(size_of_literal).sum::<usize>(),
        Literal::Object(members) => {
            let members = members.iter().map(|(name, member)| size_of_text(name) + size_of_literal(member));
            1 + members.sum::<usize>()
        }
    }
}

fn size_of_text(text: &str) -> usize {
    text.len() / TEXT_PART
}
