//! Lowering of assignments.

use super::callees;
use super::expr::Key;
use super::{ToCore, number, text};
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType, Primitive};
use crate::expr::javascript::ir::{Binary, Expr, Logical, Pattern, PlaceExpr};
use crate::expr::javascript::walk;

/// A target of assignment, whose object and key are evaluated.
#[derive(Debug, Clone)]
pub(super) enum AssignmentTarget {
    /// A local that holds its value.
    Local(CoreLocalId),
    /// A variable on the heap.
    Variable(CoreLocalId),
    Member(Atom, Key),
    /// A name that is not declared.
    Free(String),
    /// A constant with its value, if it has one already.
    Constant(String, Atom),
}

impl ToCore<'_> {
    /// Evaluates a target before `value`.
    pub(super) fn target(&mut self, place: &PlaceExpr, value: Option<&Expr>) -> AssignmentTarget {
        match place {
            PlaceExpr::Local(id) => match self.known[id.0] {
                Some(local) if self.local(*id).is_shared() => AssignmentTarget::Variable(local),
                Some(local) => AssignmentTarget::Local(local),
                // Its declaration is never reached.
                None => AssignmentTarget::Free(self.local(*id).name.clone()),
            },
            PlaceExpr::Variable(variable) => AssignmentTarget::Variable(self.variables[*variable]),
            PlaceExpr::Free(name) => AssignmentTarget::Free(name.clone()),
            PlaceExpr::Constant(id) => {
                let value = self.atom(&Expr::Local(*id));
                AssignmentTarget::Constant(self.local(*id).name.clone(), value)
            }
            PlaceExpr::Member(object, key) => {
                let object = self.operand(object, key.value().into_iter().chain(value));
                AssignmentTarget::Member(object, self.key(key, value))
            }
        }
    }

    /// Reads the value at a place, before `later` is evaluated.
    fn read_place(&mut self, place: &AssignmentTarget, later: Option<&Expr>) -> Atom {
        match place {
            AssignmentTarget::Local(local) => {
                let atom = Atom::Local(*local);
                let Some(id) = self.assigned.get(local).copied() else { return atom };
                let mut changed = Vec::new();
                later.into_iter().for_each(|value| walk::assigned_in(value, &mut changed));
                if changed.contains(&id) { self.copied(atom) } else { atom }
            }
            AssignmentTarget::Variable(variable) => self.call("value", callees::VALUE_OF, &[&Atom::Local(*variable)]),
            AssignmentTarget::Member(object, key) => self.get(object, key),
            AssignmentTarget::Free(name) => self.undeclared(name),
            AssignmentTarget::Constant(_, value) => value.clone(),
        }
    }

    /// Assigns a value.
    pub(super) fn write(&mut self, place: &AssignmentTarget, value: &Atom) {
        match place {
            AssignmentTarget::Local(local) => {
                let value = match self.core.ty(&Atom::Local(*local)) {
                    CoreType::Number => self.number_of(value),
                    CoreType::Bool => self.truth_of(value),
                    _ => value.clone(),
                };
                self.core.push(CoreStatement::Assign(*local, Computation::Atom(value)));
            }
            AssignmentTarget::Variable(variable) => self.run(callees::SET_VARIABLE, &[&Atom::Local(*variable), value]),
            AssignmentTarget::Member(object, key) => self.set(object, key, value),
            AssignmentTarget::Free(name) => self.fail(callees::REFERENCE_ERROR, name),
            AssignmentTarget::Constant(name, _) => self.fail(callees::CONSTANT_ASSIGNMENT, name),
        }
    }

    fn fail(&mut self, error: Primitive, name: &str) {
        let error = self.core.call("error", error, vec![text(name)]);
        self.core.push(CoreStatement::Fail(error));
    }

    /// Assigns a value, and returns the value of the assignment.
    fn written(&mut self, place: &AssignmentTarget, value: Atom) -> Atom {
        self.write(place, &value);
        match place {
            AssignmentTarget::Local(local) if self.core.ty(&Atom::Local(*local)) == self.core.ty(&value) => {
                Atom::Local(*local)
            }
            _ => value,
        }
    }

    /// Lowers `place = value`.
    pub(super) fn assign(&mut self, place: &PlaceExpr, value: &Expr) -> Atom {
        let place = self.target(place, Some(value));
        let value = self.atom(value);
        self.written(&place, value)
    }

    /// Lowers `place op= value`.
    pub(super) fn compound(&mut self, place: &PlaceExpr, op: Binary, value: &Expr) -> Atom {
        let place = self.target(place, Some(value));
        let old = self.read_place(&place, Some(value));
        let result = self.operate(op, old, value);
        self.written(&place, result)
    }

    /// Lowers `place op= value` for a logical operator, as a statement.
    pub(super) fn logical_assign_only(&mut self, place: &PlaceExpr, op: Logical, value: &Expr) {
        let place = self.target(place, Some(value));
        let old = self.read_place(&place, None);
        let test = self.yields_right(op, &old);
        let then = self.inside(|cx| {
            let value = cx.atom(value);
            cx.write(&place, &value);
        });
        self.when(test, then, Default::default());
    }

    /// Lowers `place op= value` for a logical operator.
    pub(super) fn logical_assign(&mut self, place: &PlaceExpr, op: Logical, value: &Expr) -> Atom {
        let place = self.target(place, Some(value));
        let old = self.read_place(&place, None);
        let test = self.yields_right(op, &old);
        let then = self.valued(|cx| {
            let value = cx.atom(value);
            cx.written(&place, value)
        });
        let otherwise = self.valued(|_| old);
        self.choose("either", CoreType::Value, test, then, otherwise)
    }

    /// Lowers `++` and `--` as a statement.
    pub(super) fn update_only(&mut self, place: &PlaceExpr, up: bool) {
        let place = self.target(place, None);
        let old = self.read_place(&place, None);
        let old = self.number_of(&old);
        let new = self.step(&old, up);
        self.write(&place, &new);
    }

    /// Lowers `++` and `--`, which yield the number before or after.
    pub(super) fn update(&mut self, place: &PlaceExpr, up: bool, is_prefix: bool) -> Atom {
        let place = self.target(place, None);
        if let (AssignmentTarget::Variable(variable), false) = (&place, is_prefix) {
            let callee = if up { callees::POST_INCREMENT } else { callees::POST_DECREMENT };
            return self.call("number", callee, &[&Atom::Local(*variable)]);
        }
        let old = self.read_place(&place, None);
        let mut old = self.number_of(&old);
        if !is_prefix && matches!(&place, AssignmentTarget::Local(local) if old.local() == Some(*local)) {
            old = self.copied(old);
        }
        let new = self.step(&old, up);
        match is_prefix {
            true => self.written(&place, new),
            false => {
                self.write(&place, &new);
                old
            }
        }
    }

    fn step(&mut self, old: &Atom, up: bool) -> Atom {
        let operator = Primitive::operator(if up { "+" } else { "-" }, CoreType::Number);
        self.core.call("number", operator, vec![old.into(), CoreArgument::Atom(number(1.0))])
    }

    /// Lowers `{a, b} = value`.
    pub(super) fn destructure(&mut self, pattern: &Pattern, value: &Expr) -> Atom {
        let value = self.atom(value);
        let value = self.kept(value, pattern);
        self.bind(pattern, Computation::Atom(value.clone()));
        value
    }
}
