//! Lowering of destructuring patterns.

use super::super::ir::{MemberKey, Pattern, PlaceExpr};
use super::super::parse::place;
use super::literals::text_of;
use super::{Lowering, Step};
use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, PropertyKey,
    SimpleAssignmentTarget,
};
use oxc_span::GetSpan;

impl Lowering<'_> {
    /// Lowers a pattern that declares locals.
    pub(super) fn binding(&mut self, pattern: &BindingPattern<'_>) -> Step<Pattern> {
        self.nested(pattern.span(), |cx| cx.binding_here(pattern))
    }

    fn binding_here(&mut self, pattern: &BindingPattern<'_>) -> Step<Pattern> {
        Ok(match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let id = self.local(name.symbol_id());
                // A redeclared name, or a name of a parameter or function, is assigned.
                if self.locals[id.0].declared {
                    self.locals[id.0].assigned = true;
                    Pattern::Assign(PlaceExpr::Local(id))
                } else {
                    Pattern::Declare(self.declare(name))
                }
            }
            BindingPattern::ObjectPattern(object) => {
                let mut members = Vec::new();
                for property in &object.properties {
                    let key = self.key(&property.key, property.computed)?;
                    members.push((key, self.binding(&property.value)?));
                }
                let rest = object.rest.as_ref().map(|rest| self.binding(&rest.argument)).transpose()?;
                Pattern::Object { members, rest: rest.map(Box::new) }
            }
            BindingPattern::ArrayPattern(array) => {
                let mut items = Vec::new();
                for item in &array.elements {
                    items.push(item.as_ref().map(|item| self.binding(item)).transpose()?);
                }
                let rest = array.rest.as_ref().map(|rest| self.binding(&rest.argument)).transpose()?;
                Pattern::Array { items, rest: rest.map(Box::new) }
            }
            BindingPattern::AssignmentPattern(with_default) => {
                let default = self.named(&with_default.right, with_default.left.get_binding_identifier())?;
                let pattern = self.binding(&with_default.left)?;
                Pattern::Default(Box::new(pattern), default)
            }
        })
    }

    /// Lowers a pattern that assigns.
    pub(super) fn target_pattern(&mut self, target: &AssignmentTarget<'_>) -> Step<Pattern> {
        self.nested(target.span(), |cx| cx.target_pattern_here(target))
    }

    fn target_pattern_here(&mut self, target: &AssignmentTarget<'_>) -> Step<Pattern> {
        Ok(match target {
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                let mut members = Vec::new();
                for property in &object.properties {
                    members.push(match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) => {
                            let name = short.binding.name.to_string();
                            let target = Pattern::Assign(self.assigned(&short.binding, false)?);
                            let default = short.init.as_ref().map(|default| self.expr(default)).transpose()?;
                            let pattern = match default {
                                Some(default) => Pattern::Default(Box::new(target), default),
                                None => target,
                            };
                            (MemberKey::Name(name, place(short.binding.span, self.text)), pattern)
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(long) => {
                            let key = self.key(&long.name, long.computed)?;
                            (key, self.maybe_default(&long.binding)?)
                        }
                    });
                }
                let rest = object.rest.as_ref().map(|rest| self.target_pattern(&rest.target)).transpose()?;
                Pattern::Object { members, rest: rest.map(Box::new) }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                let mut items = Vec::new();
                for item in &array.elements {
                    items.push(item.as_ref().map(|item| self.maybe_default(item)).transpose()?);
                }
                let rest = array.rest.as_ref().map(|rest| self.target_pattern(&rest.target)).transpose()?;
                Pattern::Array { items, rest: rest.map(Box::new) }
            }
            other => match other.as_simple_assignment_target() {
                Some(simple) => Pattern::Assign(self.place(simple, false)?),
                None => return self.stop_at("an assignment", other.span()),
            },
        })
    }

    fn maybe_default(&mut self, target: &AssignmentTargetMaybeDefault<'_>) -> Step<Pattern> {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => {
                let pattern = self.target_pattern(&with_default.binding)?;
                let default = self.expr(&with_default.init)?;
                Ok(Pattern::Default(Box::new(pattern), default))
            }
            other => self.target_pattern(other.to_assignment_target()),
        }
    }

    /// Lowers a target of assignment. `reads` states that it is read before.
    pub(super) fn place(&mut self, target: &SimpleAssignmentTarget<'_>, reads: bool) -> Step<PlaceExpr> {
        Ok(match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.assigned(name, reads)?,
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                let name = self.member_name(&member.property)?;
                PlaceExpr::Member(self.boxed(&member.object)?, name)
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                let object = self.boxed(&member.object)?;
                PlaceExpr::Member(object, self.computed_key(&member.expression)?)
            }
            other => return self.stop_at("an assignment", other.span()),
        })
    }

    /// Lowers the key of a member of a literal or a pattern.
    pub(super) fn key(&mut self, key: &PropertyKey<'_>, computed: bool) -> Step<MemberKey> {
        match key {
            PropertyKey::StaticIdentifier(name) => {
                Ok(MemberKey::Name(name.name.to_string(), place(name.span, self.text)))
            }
            PropertyKey::PrivateIdentifier(name) => self.stop("a private name", name.span),
            // A text as a key does not lead to shared values.
            PropertyKey::StringLiteral(text) if !computed => {
                let at = place(text.span, self.text);
                Ok(MemberKey::Name(text_of(&text.value, text.lone_surrogates), at))
            }
            other => match other.as_expression() {
                Some(expr) => self.computed_key(expr),
                None => self.stop_at("a key", other.span()),
            },
        }
    }
}
