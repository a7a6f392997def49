//! Lowering of calls: built-in functions, methods, values, and `new`.

use super::super::globals::{self, Builtin};
use super::super::ir::{Expr, Item};
use super::{Lowering, Promised, Step};
use oxc_ast::ast::{Argument, CallExpression, Expression, NewExpression};
use oxc_span::GetSpan;

impl Lowering<'_> {
    /// Lowers a call. `promised` is the treatment of a promise.
    pub(super) fn call(&mut self, call: &CallExpression<'_>, promised: Promised) -> Step<Expr> {
        let callee = call.callee.without_parentheses();
        if let Some(name) = self.global_name(callee) {
            if let Some(builtin) = globals::builtin(&name) {
                if name.starts_with("Promise.") {
                    return self.promise(call, builtin, promised);
                }
                return Ok(Expr::Static(builtin, self.arguments(&call.arguments)?));
            }
            if let Some(constructor) = globals::constructor(&name).filter(|constructor| constructor.callable) {
                return Ok(Expr::Construct(constructor, self.arguments(&call.arguments)?));
            }
            return self.stop(format!("`{name}`"), callee.span());
        }
        let text = self.written(callee.span());
        let (object, key) = match callee {
            Expression::StaticMemberExpression(member) => {
                let object = self.link(&member.object, member.optional)?;
                (object, self.member_name(&member.property)?)
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.link(&member.object, member.optional)?;
                (object, self.computed_key(&member.expression)?)
            }
            other => {
                if promised.may_throw() {
                    self.record_awaited(other);
                }
                let callee = self.link(other, call.optional)?;
                let args = self.arguments(&call.arguments)?;
                return Ok(Expr::Call { callee, text, args });
            }
        };
        let args = self.arguments(&call.arguments)?;
        Ok(match call.optional {
            true => Expr::OptionalMethod { object, key, text, args },
            false => Expr::Method { object, key, text, args },
        })
    }

    /// Lowers a call that creates a promise. A promise that is awaited or returned is replaced by
    /// the value it is settled with ([Q4](docs/composer.md#q4)).
    fn promise(&mut self, call: &CallExpression<'_>, builtin: &'static Builtin, promised: Promised) -> Step<Expr> {
        let is_rejected = builtin.name != "Promise.resolve";
        if promised == Promised::Kept || is_rejected && !promised.may_throw() {
            return self.stop_at("a promise that is neither awaited nor returned", call.span);
        }
        let value = match &call.arguments[..] {
            [] => None,
            [only] => match only.as_expression() {
                Some(value) => Some(value.without_parentheses()),
                None => return self.stop_at("a promise", call.span),
            },
            _ => return self.stop_at("a promise of several values", call.span),
        };
        let arguments = match (builtin.name, value) {
            (_, None) => Vec::new(),
            // All elements are evaluated before the first rejection takes effect.
            ("Promise.all", Some(Expression::ArrayExpression(array))) => {
                return Ok(Expr::Array(self.items(&array.elements, Promised::Settled)?));
            }
            ("Promise.resolve", Some(value)) => vec![Item::Value(self.promised(value, promised)?)],
            (_, Some(value)) => vec![Item::Value(self.expr(value)?)],
        };
        Ok(Expr::Static(builtin, arguments))
    }

    pub(super) fn construct(&mut self, new: &NewExpression<'_>, promised: Promised) -> Step<Expr> {
        let callee = new.callee.without_parentheses();
        let Some(name) = self.global_name(callee) else {
            return self.stop_at("an object of a constructor that is not built in", new.span);
        };
        if let Some(constructor) = globals::constructor(&name) {
            return Ok(Expr::Construct(constructor, self.arguments(&new.arguments)?));
        }
        // The deprecated form of `Buffer.from`.
        if let ("Buffer", Some(from)) = (&*name, globals::builtin("Buffer.from")) {
            return Ok(Expr::Static(from, self.arguments(&new.arguments)?));
        }
        // A wrapper object has the same JSON as its value.
        if let ("String" | "Number" | "Boolean", Promised::Returned, 1) = (&*name, promised, self.frames.len())
            && let Some(conversion) = globals::builtin(&name)
        {
            return Ok(Expr::Static(conversion, self.arguments(&new.arguments)?));
        }
        self.stop(format!("`new {name}`"), new.span)
    }

    /// Returns the qualified name of a built-in: `parseInt`, `Math.max`.
    pub(super) fn global_name(&self, expr: &Expression<'_>) -> Option<String> {
        match expr.without_parentheses() {
            Expression::Identifier(name) => {
                (self.is_global(name) && globals::is_known(&name.name)).then(|| name.name.to_string())
            }
            Expression::StaticMemberExpression(member) if !member.optional => match &member.object {
                Expression::Identifier(object) if self.is_global(object) && globals::is_known(&object.name) => {
                    Some(format!("{}.{}", object.name, member.property.name))
                }
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument<'_>]) -> Step<Vec<Item>> {
        let mut items = Vec::new();
        for argument in arguments {
            items.push(match argument {
                Argument::SpreadElement(spread) => Item::Spread(self.expr(&spread.argument)?),
                other => Item::Value(self.argument(other.to_expression())?),
            });
        }
        Ok(items)
    }

    /// Lowers an argument. A built-in function is allowed as an argument, where it can only be
    /// called.
    fn argument(&mut self, value: &Expression<'_>) -> Step<Expr> {
        let builtin = self.global_name(value).and_then(|name| globals::builtin(&name));
        match builtin {
            Some(builtin) if !builtin.name.starts_with("Promise.") => Ok(Expr::Builtin(builtin)),
            _ => self.expr(value),
        }
    }

    /// Lowers the object of a member access or the callee of a call. `optional` marks a link that
    /// may end the chain.
    pub(super) fn link(&mut self, expr: &Expression<'_>, optional: bool) -> Step<Box<Expr>> {
        let value = self.expr(expr)?;
        Ok(Box::new(if optional { Expr::Optional(Box::new(value)) } else { value }))
    }
}
