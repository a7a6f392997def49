//! Lowering of filters that yield exactly one value.

use super::call::{JqFunction, resolve};
use super::hint::hint;
use super::path::{At, JqPlace};
use super::scope::JqEnv;
use super::{Lowering, Res, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreType, Primitive};
use crate::expr::jq::ast::{Binary, Term, TermKind, Update, ValueOperator};

impl<'p> Lowering<'p> {
    /// Lowers a filter that yields exactly one value, and returns the value.
    pub(super) fn one(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        self.nest(|lowering| lowering.one_here(term, env))
    }

    fn one_here(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        match &term.kind {
            TermKind::Identity => Ok(env.input.clone()),
            TermKind::Number(digits) => Ok(Atom::Literal(number(digits))),
            TermKind::Variable(name) => match env.scope.find_variable(name) {
                Some(value) => Ok(value),
                None => untranslated(format!("the variable `${name}`")),
            },
            TermKind::Format(format) => Ok(self.call("text", callees::format(format), &[env.input])),
            TermKind::Array(inner) => self.array(inner.as_deref(), env),
            TermKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                self.logic(*operator == Binary::And, left, right, env)
            }
            TermKind::Binary(Binary::Alternative, left, right) => self.alternative(left, right, env),
            TermKind::Update(Update::Modify, path, value) => self.modify(path, value, env),
            TermKind::If(test, then, otherwise) => {
                let test = self.one(test, env)?;
                let test = self.test(test);
                self.choose(test, "chosen", |lowering, holds| match (holds, otherwise) {
                    (true, _) => lowering.one(then, env),
                    (false, Some(otherwise)) => lowering.one(otherwise, env),
                    (false, None) => Ok(env.input.clone()),
                })
            }
            TermKind::Try(body, Some(handler)) => self.caught(body, handler, env),
            // No `break` leaves the label.
            TermKind::Label(_, body) => self.one(body, env),
            TermKind::Call(name, arguments) => {
                let function = resolve(name, arguments.len(), env.scope)?;
                if let JqFunction::Special = function
                    && let Some(value) = self.special(name, arguments, env)?
                {
                    return Ok(value);
                }
                self.only(env, |lowering, at, then| {
                    lowering.each_call(term, function, (name, arguments), env.scope, at, then)
                })
            }
            _ => self.only(env, |lowering, at, then| lowering.places_here(term, env.scope, at, then)),
        }
    }

    /// Lowers a filter by the rule for any number of values, which for one value adds no block
    /// around the continuation.
    fn only(
        &mut self,
        env: JqEnv<'_, 'p>,
        lower: impl FnOnce(&mut Self, &JqPlace, At<'_, 'p>) -> Res<()>,
    ) -> Res<Atom> {
        let mut only = None;
        let at = JqPlace::of_value(env.input.clone());
        lower(self, &at, &mut |_, place| {
            only = Some(place.value);
            Ok(())
        })?;
        only.map_or_else(|| untranslated("a filter whose number of results is unknown"), Ok)
    }

    pub(super) fn negated(&mut self, value: Atom) -> Atom {
        match value {
            Atom::Literal(Literal::Int(value)) if value != 0 && value != i64::MIN => {
                Atom::Literal(Literal::Int(-value))
            }
            Atom::Literal(Literal::Float(value)) => Atom::Literal(Literal::Float(-value)),
            value => self.call("negated", callees::NEG, &[&value]),
        }
    }

    fn logic(&mut self, is_and: bool, left: &'p Term, right: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let left = self.one(left, env)?;
        let left = self.test(left);
        let right = self.value_block(|lowering| {
            let right = lowering.one(right, env)?;
            Ok(lowering.test(right))
        })?;
        let hint = if is_and { "both" } else { "either" };
        Ok(Atom::Local(self.builder.bind(hint, CoreType::Bool, Computation::Logic { is_and, left, right })))
    }

    /// Adds an operator on two values.
    pub(super) fn operate(&mut self, operator: &ValueOperator, left: &Atom, right: &Atom, hint: &str) -> Atom {
        self.computes |= operator.is_arithmetic();
        let hint = if operator.is_arithmetic() { hint } else { "holds" };
        self.call(hint, callees::operator(operator), &[left, right])
    }

    /// Lowers `left // right`, where the left side yields at most one value.
    fn alternative(&mut self, left: &'p Term, right: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        if !self.is_one(left, env.scope) {
            return self.alternative_of_found(left, right, env);
        }
        let name = hint(left);
        let left = self.one(left, env)?;
        let test = self.test(left.clone());
        self.choose(test, &name, |lowering, holds| match holds {
            true if lowering.builder.ty(&left) == CoreType::Bool => Ok(Atom::Literal(Literal::Bool(true))),
            true => Ok(left.clone()),
            false => lowering.one(right, env),
        })
    }

    fn alternative_of_found(&mut self, left: &'p Term, right: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let of = Box::new(self.first_of(left, true, env)?);
        let item = self.builder.local(&hint(left), CoreType::Value);
        let then = self.value_block(|_| Ok(Atom::Local(item)))?;
        let otherwise = self.value_block(|lowering| lowering.one(right, env))?;
        let computation = Computation::IfPresent { items: vec![item], of, then, otherwise };
        Ok(Atom::Local(self.builder.bind("chosen", CoreType::Value, computation)))
    }

    /// Binds a value that is present.
    pub(super) fn some(&mut self, value: Atom) -> Atom {
        let some = Computation::Maybe(Some(vec![value]));
        Atom::Local(self.builder.bind("found", CoreType::MaybeValue, some))
    }

    /// Binds the absence of a value.
    pub(super) fn none(&mut self) -> Atom {
        Atom::Local(self.builder.bind("none", CoreType::MaybeValue, Computation::Maybe(None)))
    }

    /// Lowers `try body catch handler`.
    fn caught(&mut self, body: &'p Term, handler: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let body = self.attempted(|lowering, _| lowering.one(body, env).map(Some))?;
        let attempt = self.handled(body, |lowering, raised| lowering.one(handler, env.on(&raised)).map(Some))?;
        let ty = self.common_type(&attempt.body, &attempt.handler);
        Ok(Atom::Local(self.builder.bind("tried", ty, Computation::Attempt(Box::new(attempt)))))
    }
}

/// Returns the call that yields the member or element of a value.
pub(super) fn member_of(value: &Atom, key: &Atom) -> (Primitive, Vec<CoreArgument>) {
    match key {
        Atom::Literal(Literal::String(name)) => (callees::GET, vec![value.into(), CoreArgument::Text(name.clone())]),
        Atom::Literal(Literal::Int(position)) => (callees::AT, vec![value.into(), CoreArgument::Int(*position)]),
        _ => (callees::INDEX, vec![value.into(), key.into()]),
    }
}

/// Returns the literal of a number: an integer if it is one and fits.
pub(super) fn number(digits: &str) -> Literal {
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if let (true, Ok(value)) = (whole, digits.parse()) {
        return Literal::Int(value);
    }
    let value: f64 = digits.parse().unwrap_or(0.0);
    let value = value.clamp(f64::MIN, f64::MAX);
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        Literal::Int(value as i64)
    } else {
        Literal::Float(value)
    }
}
