//! The calls that can share a result.

use super::Sharer;
use crate::expr::Literal;
use crate::expr::core::{Atom, Constant, CoreArgument, CoreCall, CoreLocalId, CoreType, ErrorExit, Form, Takes};

impl Sharer<'_> {
    /// Returns `true` if the result of a call can be that of another one.
    pub(super) fn takes_part(&self, result: CoreLocalId, call: &CoreCall) -> bool {
        let is_value = matches!(
            self.locals[result].ty,
            CoreType::Value
                | CoreType::Bool
                | CoreType::Number
                | CoreType::Integer
                | CoreType::Count
                | CoreType::StaticText
        );
        let callee = &call.callee;
        // Operators of scalars cost less than a name.
        let is_function = matches!(callee.form, Form::Function | Form::Method);
        is_value
            && is_function
            && callee.is_pure
            && !callee.takes_run
            && call.on_error != ErrorExit::Absent
            && !self.locals[result].is_declared
            && !self.mentions[result].changes
            && call.args.iter().zip(callee.takes).all(|(arg, takes)| *takes != Takes::Mut && self.is_steady(arg))
    }

    /// Returns `true` if equal arguments are the same ones. Zero and minus zero are equal.
    fn is_steady(&self, arg: &CoreArgument) -> bool {
        match arg {
            CoreArgument::Atom(Atom::Local(local)) => {
                !matches!(self.locals[*local].ty, CoreType::Place | CoreType::Shared | CoreType::Context)
            }
            CoreArgument::Atom(Atom::Literal(literal)) => {
                matches!(literal, Literal::Null | Literal::Bool(_) | Literal::Int(_) | Literal::String(_))
            }
            CoreArgument::Atom(Atom::Constant(constant)) => !matches!(constant, Constant::Number(_)),
            CoreArgument::Atom(Atom::Last(_) | Atom::Inlined(_))
            | CoreArgument::Changed(_)
            | CoreArgument::Closure(_) => false,
            CoreArgument::Text(_)
            | CoreArgument::Int(_)
            | CoreArgument::Texts(_)
            | CoreArgument::Flags(_)
            | CoreArgument::Pattern(..)
            | CoreArgument::Signature(_) => true,
        }
    }

    /// Returns `true` if no use has to clone the result of a call because two share it: it is a
    /// reference or a scalar, or all uses borrow it.
    pub(super) fn costs_nothing(&self, earlier: CoreLocalId, result: CoreLocalId, call: &CoreCall) -> bool {
        let is_value = |arg: &CoreArgument| match arg {
            CoreArgument::Atom(atom) => atom.local().is_some_and(|local| self.locals[local].ty == CoreType::Value),
            _ => true,
        };
        // A reference into a temporary becomes a value of its own.
        let is_reference = call.callee.borrows && call.args.iter().all(is_value);
        let is_consumed = &self.uses.is_consumed;
        self.locals[result].ty != CoreType::Value || is_reference || !(is_consumed[earlier] || is_consumed[result])
    }
}

/// Returns `true` if two calls differ in nothing. A call that can fail is not replaced by one with
/// another destination of errors: an attempt keeps a call that names it.
pub(super) fn is_same(earlier: &CoreCall, later: &CoreCall) -> bool {
    earlier.callee == later.callee
        && earlier.args == later.args
        && (!later.callee.fails || earlier.on_error == later.on_error)
}

/// Returns the local that an argument reads.
pub(super) fn operand(arg: &CoreArgument) -> Option<CoreLocalId> {
    match arg {
        CoreArgument::Atom(atom) => atom.local(),
        _ => None,
    }
}
