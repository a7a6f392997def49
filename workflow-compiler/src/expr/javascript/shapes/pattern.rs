//! The shapes of what patterns bind and assign.

use super::super::ir::{Expr, MemberKey, Pattern, PlaceExpr};
use super::{Run, is_dead};
use crate::shapes::remark::RemarkKind;
use crate::shapes::{Access, AnyReason, KindSet, Shape};

impl<'u> Run<'u> {
    /// Counts the members that a pattern of the function's parameter reads.
    pub(super) fn paths_of(&mut self, pattern: &Pattern, is_known: bool) {
        match pattern {
            Pattern::Object { members, .. } => {
                members.iter().for_each(|_| self.paths.note(is_known, AnyReason::Computed))
            }
            Pattern::Default(inner, _) => self.paths_of(inner, is_known),
            _ => {}
        }
    }

    /// Binds a pattern to a value. `has_default` states that the value is not missed.
    pub(super) fn bind(&mut self, pattern: &'u Pattern, value: Access, has_default: bool) {
        match pattern {
            Pattern::Declare(local) => self.set(*local, value),
            Pattern::Assign(place) => self.assign(place, value, false),
            Pattern::Default(inner, default) => {
                if !value.may_be_absent {
                    return self.bind(inner, value, has_default);
                }
                self.absorbing += 1;
                let default = self.eval(default);
                self.absorbing -= 1;
                self.bind(inner, Access::present(value.shape).join(&default), true);
            }
            Pattern::Object { members, rest } => {
                self.may_throw |= value.may_be_absent || value.shape.set().meets(KindSet::NULL);
                for (key, inner) in members {
                    let found = match key {
                        MemberKey::Name(name, at) => {
                            let found = self.member_of(&value, name);
                            let is_optional = matches!(inner, Pattern::Default(..)) || has_default;
                            if found.is_absent() && !value.is_absent() && !is_optional {
                                let kind =
                                    RemarkKind::Undefined { name: name.as_str().into(), of: value.shape.clone() };
                                self.remark(at, kind);
                            }
                            found
                        }
                        MemberKey::Computed(key) => {
                            self.eval(key);
                            Access::unknown()
                        }
                    };
                    self.bind(inner, found, false);
                }
                let others = Access::present(Shape::any_object());
                rest.iter().for_each(|rest| self.bind(rest, others.clone(), true));
            }
            Pattern::Array { items, rest } => {
                self.may_throw = true;
                for (at, item) in items.iter().enumerate() {
                    let Some(item) = item else { continue };
                    let is_plain = value.shape.set() == KindSet::ARRAY && !value.may_be_absent;
                    let element = if is_plain { value.shape.element(at as i64) } else { Access::unknown() };
                    self.bind(item, element, true);
                }
                rest.iter().for_each(|rest| self.bind(rest, Access::unknown(), true));
            }
        }
    }

    /// Assigns a value to a place. `is_fresh` states that no other place holds the value.
    pub(super) fn assign(&mut self, place: &'u PlaceExpr, value: Access, is_fresh: bool) {
        match place {
            PlaceExpr::Local(local) => self.set(*local, value),
            PlaceExpr::Variable(variable) => self.set_variable(*variable, value),
            PlaceExpr::Free(_) | PlaceExpr::Constant(_) => self.may_throw = true,
            PlaceExpr::Member(object, key) => {
                let before = self.guard(object);
                if let MemberKey::Computed(key) = key {
                    self.eval(key);
                }
                self.may_throw |= before.may_be_absent || before.shape.set().meets(KindSet::NULL);
                self.forget_objects();
                let (MemberKey::Name(name, _), true) = (key, before.shape.set() == KindSet::OBJECT) else { return };
                // The member of another object may be the same object, so that its members can
                // change without a trace.
                let containers = KindSet::ARRAY | KindSet::OBJECT;
                let is_plain = is_fresh || !value.shape.set().meets(containers);
                let shape = if is_plain && !value.may_be_absent { value.shape } else { Shape::any() };
                let Some(mut object_shape) = before.shape.as_object() else { return };
                let field = crate::shapes::Field { shape, required: !value.may_be_absent };
                object_shape.fields.insert(name.as_str().into(), field);
                let after = Access { shape: Shape::object(object_shape), may_be_absent: before.may_be_absent };
                match &**object {
                    Expr::Local(local) if !is_dead(&after) => self.set(*local, after),
                    Expr::Variable(variable) if !is_dead(&after) => self.set_variable(*variable, after),
                    _ => {}
                }
            }
        }
    }
}
