//! Walks over the parts of functions of the core.

use super::{Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, Takes, TryEnd};
use crate::index::IndexVec;

/// A direct part of a computation, in the order of evaluation.
pub enum Part<'a> {
    /// An operand.
    Operand(&'a Atom),
    /// A local that is changed in place.
    Changed(CoreLocalId),
    /// A computation inside this one.
    Inner(&'a Computation),
    /// A block, which may not be evaluated.
    Block(&'a CoreBlock),
    /// The block of a closure, which may be evaluated several times.
    Closure(&'a CoreBlock),
}

/// The same as [`Part`], for changes.
pub enum PartMut<'a> {
    /// An operand, and how it is used.
    Operand(&'a mut Atom, OperandUse),
    /// A local that is changed in place.
    Changed(&'a mut CoreLocalId),
    /// A computation inside this one.
    Inner(&'a mut Computation),
    /// A block, which may not be evaluated.
    Block(&'a mut CoreBlock),
    /// The block of a closure, which may be evaluated several times.
    Closure(&'a mut CoreBlock),
}

/// The use of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandUse {
    /// The operand is read where it stands.
    Read,
    /// The operand is consumed: a `Value` is moved or cloned.
    Consumed,
}

/// Lists the parts of a computation. The two lists differ only in mutability.
macro_rules! parts {
    ($name:ident, $part:ident, $operand:expr, $iter:ident, $as:ident, $($mutable:tt)?) => {
        /// Returns the direct parts, in the order of evaluation.
        pub fn $name(&$($mutable)? self) -> Vec<$part<'_>> {
            let operand = $operand;
            match self {
                Computation::Atom(atom) => vec![operand(atom, OperandUse::Consumed)],
                Computation::Not(atom) => vec![operand(atom, OperandUse::Read)],
                Computation::Call(call) => {
                    let args = call.args.$iter().zip(call.callee.takes);
                    args.filter_map(|(arg, takes)| match arg {
                        CoreArgument::Atom(atom) => {
                            let use_of = if *takes == Takes::Value { OperandUse::Consumed } else { OperandUse::Read };
                            Some(operand(atom, use_of))
                        }
                        CoreArgument::Changed(local) => Some($part::Changed(parts!(@local $as local))),
                        CoreArgument::Closure(closure) => Some($part::Closure(&$($mutable)? closure.body)),
                        CoreArgument::Text(_)
                        | CoreArgument::Int(_)
                        | CoreArgument::Texts(_)
                        | CoreArgument::Flags(_)
                        | CoreArgument::Pattern(..)
                        | CoreArgument::Signature(_) => None,
                    })
                    .collect()
                }
                Computation::Logic { left, right, .. } => {
                    vec![operand(left, OperandUse::Read), $part::Block(right)]
                }
                Computation::If { test, then, otherwise } => {
                    vec![operand(test, OperandUse::Read), $part::Block(then), $part::Block(otherwise)]
                }
                Computation::IfPresent { of, then, otherwise, .. } => {
                    vec![$part::Inner(of), $part::Block(then), $part::Block(otherwise)]
                }
                Computation::Array(items) | Computation::List(items) => {
                    items.$iter().map(|item| operand(item, OperandUse::Consumed)).collect()
                }
                Computation::Texts(items) => items.$iter().map(|item| operand(item, OperandUse::Read)).collect(),
                Computation::Object(members) => {
                    members.$iter().map(|(_, value)| operand(value, OperandUse::Consumed)).collect()
                }
                Computation::Maybe(values) => {
                    values.$iter().flatten().map(|value| operand(value, OperandUse::Consumed)).collect()
                }
                Computation::Labelled(_, body) => vec![$part::Block(body)],
                Computation::Attempt(attempt) => {
                    let attempt = &$($mutable)? **attempt;
                    vec![$part::Block(&$($mutable)? attempt.body), $part::Block(&$($mutable)? attempt.handler)]
                }
                Computation::Try(inner) => {
                    let inner = &$($mutable)? **inner;
                    let (TryEnd::Catch(_, end) | TryEnd::Finally(end)) = &$($mutable)? inner.end;
                    vec![$part::Block(&$($mutable)? inner.body), $part::Block(end)]
                }
            }
        }
    };
    (@local shared $local:ident) => { *$local };
    (@local mutable $local:ident) => { $local };
}

impl Computation {
    parts!(parts, Part, |atom, _| Part::Operand(atom), iter, shared,);
    parts!(parts_mut, PartMut, PartMut::Operand, iter_mut, mutable, mut);
}

/// Lists the parts of a statement. The two lists differ only in mutability.
macro_rules! statement_parts {
    ($computation:ident, $operand:ident, $body:ident, $as_option:ident, $($mutable:tt)?) => {
        /// Returns the computation of the statement.
        pub fn $computation(&$($mutable)? self) -> Option<&$($mutable)? Computation> {
            match self {
                CoreStatement::Let(_, computation)
                | CoreStatement::Assign(_, computation)
                | CoreStatement::Do(computation)
                | CoreStatement::For { over: computation, .. } => Some(computation),
                CoreStatement::Store(..)
                | CoreStatement::Decrement(_)
                | CoreStatement::Loop { .. }
                | CoreStatement::Break(..)
                | CoreStatement::Continue(_)
                | CoreStatement::Return(_)
                | CoreStatement::Fail(_) => None,
            }
        }

        /// Returns the operand of the statement itself.
        pub fn $operand(&$($mutable)? self) -> Option<&$($mutable)? Atom> {
            match self {
                CoreStatement::Store(_, value) | CoreStatement::Return(value) | CoreStatement::Fail(value) => {
                    Some(value)
                }
                CoreStatement::Break(_, value) => value.$as_option(),
                _ => None,
            }
        }

        /// Returns the block of a loop.
        pub fn $body(&$($mutable)? self) -> Option<&$($mutable)? CoreBlock> {
            match self {
                CoreStatement::For { body, .. } | CoreStatement::Loop { body, .. } => Some(body),
                _ => None,
            }
        }
    };
}

impl CoreStatement {
    statement_parts!(computation, operand, body, as_ref,);
    statement_parts!(computation_mut, operand_mut, body_mut, as_mut, mut);
}

/// The mentions of a local.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The number of reads.
    pub reads: u32,
    /// `true` if the local is assigned, or changed in place, after its binding.
    pub changes: bool,
}

impl CoreFunction {
    /// Counts the mentions of each local.
    pub fn mentions(&self) -> IndexVec<CoreLocalId, Mentions> {
        let mut found = IndexVec::filled_like(&self.locals, Mentions::default());
        self.body.visit(&mut |mention| match mention {
            Mention::Read(local) => found[local].reads += 1,
            Mention::Changed(local) => found[local].changes = true,
            Mention::Bound(_) => {}
        });
        found
    }
}

/// A mention of a local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mention {
    /// A read.
    Read(CoreLocalId),
    /// An assignment, or a change in place.
    Changed(CoreLocalId),
    /// The binding.
    Bound(CoreLocalId),
}

impl CoreBlock {
    /// Returns `true` if the block reads a local.
    pub fn reads(&self, local: CoreLocalId) -> bool {
        let mut reads = false;
        self.visit(&mut |mention| reads |= mention == Mention::Read(local));
        reads
    }

    /// Calls `visit` with each mention of a local in the block, in the order of evaluation.
    pub fn visit(&self, visit: &mut dyn FnMut(Mention)) {
        for statement in &self.statements {
            if let Some(computation) = statement.computation() {
                computation.visit(visit);
            }
            if let Some(atom) = statement.operand() {
                atom.visit(visit);
            }
            match statement {
                CoreStatement::Let(local, _) => visit(Mention::Bound(*local)),
                CoreStatement::Assign(local, _) => visit(Mention::Changed(*local)),
                CoreStatement::Store(local, _) => visit(Mention::Read(*local)),
                CoreStatement::Decrement(local) => {
                    visit(Mention::Read(*local));
                    visit(Mention::Changed(*local));
                }
                CoreStatement::For { items, .. } => items.iter().for_each(|item| visit(Mention::Bound(*item))),
                _ => {}
            }
            if let Some(body) = statement.body() {
                body.visit(visit);
            }
        }
        if let Some(value) = &self.value {
            value.visit(visit);
        }
    }
}

impl Computation {
    /// Calls `visit` with each mention of a local, in the order of evaluation.
    pub fn visit(&self, visit: &mut dyn FnMut(Mention)) {
        match self {
            Computation::IfPresent { items, of, then, otherwise } => {
                of.visit(visit);
                items.iter().for_each(|item| visit(Mention::Bound(*item)));
                then.visit(visit);
                otherwise.visit(visit);
            }
            Computation::Attempt(attempt) => {
                attempt.body.visit(visit);
                visit(Mention::Bound(attempt.error));
                attempt.handler.visit(visit);
            }
            Computation::Try(inner) => {
                inner.body.visit(visit);
                if let TryEnd::Catch(error, _) = &inner.end {
                    visit(Mention::Bound(*error));
                }
                let (TryEnd::Catch(_, end) | TryEnd::Finally(end)) = &inner.end;
                end.visit(visit);
            }
            Computation::Call(call) => {
                for arg in &call.args {
                    match arg {
                        CoreArgument::Atom(atom) => atom.visit(visit),
                        CoreArgument::Changed(local) => {
                            visit(Mention::Read(*local));
                            visit(Mention::Changed(*local));
                        }
                        CoreArgument::Closure(closure) => {
                            for (inner, outer) in &closure.captures {
                                visit(Mention::Read(*outer));
                                visit(Mention::Bound(*inner));
                            }
                            closure.params.iter().for_each(|param| visit(Mention::Bound(*param)));
                            closure.body.visit(visit);
                        }
                        CoreArgument::Text(_)
                        | CoreArgument::Int(_)
                        | CoreArgument::Texts(_)
                        | CoreArgument::Flags(_)
                        | CoreArgument::Pattern(..)
                        | CoreArgument::Signature(_) => {}
                    }
                }
            }
            _ => self.parts().into_iter().for_each(|part| match part {
                Part::Operand(atom) => atom.visit(visit),
                Part::Changed(local) => visit(Mention::Changed(local)),
                Part::Inner(inner) => inner.visit(visit),
                Part::Block(block) | Part::Closure(block) => block.visit(visit),
            }),
        }
    }
}

impl Atom {
    fn visit(&self, visit: &mut dyn FnMut(Mention)) {
        match self {
            Atom::Literal(_) | Atom::Constant(_) => {}
            Atom::Local(local) | Atom::Last(local) => visit(Mention::Read(*local)),
            Atom::Inlined(computation) => computation.visit(visit),
        }
    }
}
