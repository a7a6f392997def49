//! Lowering of filters that yield exactly one value.

use super::hint::hint;
use super::scope::JqEnv;
use super::{Lowering, Res, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreType, Primitive};
use crate::expr::jq::ast::{Binary, Term, TermKind};

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
            TermKind::Text(format, pieces) => self.text(format.as_deref(), pieces, env),
            TermKind::Format(format) => Ok(self.call("text", callees::format(format), &[env.input])),
            TermKind::Array(inner) => self.array(inner.as_deref(), env),
            TermKind::Object(members) => self.object(members, env),
            TermKind::Negate(inner) => {
                let value = self.one(inner, env)?;
                Ok(self.negated(value))
            }
            TermKind::Pipe(parts) => self.pipe(parts, env),
            TermKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                self.logic(*operator == Binary::And, left, right, env)
            }
            TermKind::Binary(Binary::Alternative, left, right) => self.alternative(left, right, env),
            TermKind::Binary(operator, left, right) => {
                let right = self.one(right, env)?;
                let left = self.one(left, env)?;
                Ok(self.operate(*operator, &left, &right, &hint(term)))
            }
            TermKind::Update(update, path, value) => self.update(*update, path, value, env),
            TermKind::Bind(source, patterns, body) => self.bound(source, patterns, body, env),
            TermKind::Reduce(source, patterns, init, update) => {
                let init = self.one(init, env)?;
                self.reduce((source, patterns, update), init, env)
            }
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
            TermKind::Define(definition, body) => self.one(body, env.within(&env.scope.function(definition))),
            TermKind::Index(base, key, false) => {
                let key = self.one(key, env)?;
                let base = self.one(base, env)?;
                let (callee, args) = member_of(&base, &key);
                Ok(self.builder.call(&hint(term), callee, args))
            }
            TermKind::Slice(base, from, to, false) => {
                let from = self.one_bound(from.as_deref(), env)?;
                let to = self.one_bound(to.as_deref(), env)?;
                let base = self.one(base, env)?;
                Ok(self.call("part", callees::SLICE, &[&base, &from, &to]))
            }
            TermKind::Call(name, arguments) => self.one_call(name, arguments, env),
            _ => untranslated("a filter whose number of results is unknown"),
        }
    }

    /// Lowers an operand that may be missing. A missing one is null.
    pub(super) fn one_bound(&mut self, bound: Option<&'p Term>, env: JqEnv<'_, 'p>) -> Res<Atom> {
        match bound {
            Some(bound) => self.one(bound, env),
            None => Ok(Atom::Literal(Literal::Null)),
        }
    }

    fn pipe(&mut self, parts: &'p [Term], env: JqEnv<'_, 'p>) -> Res<Atom> {
        let Some((last, first)) = parts.split_last() else { return Ok(env.input.clone()) };
        let mut input = env.input.clone();
        for part in first {
            let value = self.one(part, env.on(&input))?;
            input = self.named(value, &hint(part));
        }
        self.one(last, env.on(&input))
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
    pub(super) fn operate(&mut self, operator: Binary, left: &Atom, right: &Atom, hint: &str) -> Atom {
        match callees::arithmetic(operator) {
            Some(callee) => {
                self.computes = true;
                self.call(hint, callee, &[left, right])
            }
            None => self.call("holds", callees::comparison(operator), &[left, right]),
        }
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
        let found = self.labelled_value("first", CoreType::MaybeValue, |lowering, label| {
            lowering.each(left, env, &mut |lowering, value| {
                let test = lowering.test(value.clone());
                lowering.branch(test, |lowering, holds| {
                    if holds {
                        let value = lowering.some(value.clone());
                        lowering.leave_block(label, Some(value));
                    }
                    Ok(())
                })
            })?;
            Ok(lowering.none())
        })?;
        let item = self.builder.local(&hint(left), CoreType::Value);
        let then = self.value_block(|_| Ok(Atom::Local(item)))?;
        let otherwise = self.value_block(|lowering| lowering.one(right, env))?;
        let of = Box::new(Computation::Atom(Atom::Local(found)));
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
fn number(digits: &str) -> Literal {
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
