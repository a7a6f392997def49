//! The shapes of what patterns bind and assign.

use super::super::ir::{Expr, MemberKey, Pattern, PlaceExpr};
use super::{CONTAINERS, Run, element, is_dead};
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
            Pattern::Assign(place) => self.assign(place, value, false, false),
            Pattern::Default(inner, default) => {
                if !value.may_be_absent {
                    return self.bind(inner, value, has_default);
                }
                let changes = self.changes;
                let default = self.absorbed(default);
                let value = self.current(Access::present(value.shape), changes);
                self.bind(inner, value.join(&default), true);
            }
            Pattern::Object { members, rest } => {
                self.may_throw |= value.may_be_absent || value.shape.set().meets(KindSet::NULL);
                let changes = self.changes;
                for (key, inner) in members {
                    let value = self.current(value.clone(), changes);
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
                let changes = self.changes;
                for (at, item) in items.iter().enumerate() {
                    let Some(item) = item else { continue };
                    let value = self.current(value.clone(), changes);
                    let is_plain = value.shape.set() == KindSet::ARRAY && !value.may_be_absent;
                    let found = if is_plain { value.shape.element(at as i64) } else { Access::unknown() };
                    self.bind(item, element(found.shape.clone()).join(&found), true);
                }
                rest.iter().for_each(|rest| self.bind(rest, Access::unknown(), true));
            }
        }
    }

    /// Assigns a value to a place. `is_fresh` states that no other place holds the value, and
    /// `is_plain` that its computation changes nothing.
    pub(super) fn assign(&mut self, place: &'u PlaceExpr, value: Access, is_fresh: bool, is_plain: bool) {
        match place {
            PlaceExpr::Local(local) => self.set(*local, value),
            PlaceExpr::Variable(variable) => self.set_variable(*variable, value),
            PlaceExpr::Free(_) | PlaceExpr::Constant(_) => self.may_throw = true,
            PlaceExpr::Member(object, key) => {
                let before = self.guard(object);
                if let MemberKey::Computed(key) = key {
                    self.eval(key);
                }
                let is_object = before.shape.set() == KindSet::OBJECT && !before.may_be_absent;
                // The member of another object may be the same object, so that its members can
                // change without a trace. An object that contains itself has no JSON form.
                let is_own = is_fresh || !value.shape.set().meets(CONTAINERS);
                self.may_throw |= !is_object || !is_own;
                self.forget_objects();
                let (MemberKey::Name(name, _), true) = (key, is_object && is_plain) else { return };
                let shape = if is_own && !value.may_be_absent { value.shape } else { Shape::any() };
                let Some(mut object_shape) = before.shape.as_object() else { return };
                let field = crate::shapes::Field { shape, required: !value.may_be_absent };
                object_shape.fields.insert(name, field);
                let after = Access::present(Shape::object(object_shape));
                match &**object {
                    Expr::Local(local) if !is_dead(&after) => self.set(*local, after),
                    Expr::Variable(variable) if !is_dead(&after) => self.set_variable(*variable, after),
                    _ => {}
                }
            }
        }
    }
}
