//! Lowering of filters that yield any number of values: statements around a continuation. If the
//! location of the input matters, it takes the locations of the values, too.

use super::call::resolve;
use super::hint::{hint, hint_of_member};
use super::one::member_of;
use super::path::{At, JqPlace};
use super::scope::{JqEnv, JqScope, ScopeTarget};
use super::{Lowering, Res, Then, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreLocalId, CoreStatement, CoreType, ErrorExit, LabelId};
use crate::expr::jq::ast::{Binary, Term, TermKind};

impl<'p> Lowering<'p> {
    /// Adds statements that run `then` with each value of a filter.
    pub(super) fn each(&mut self, term: &'p Term, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        let at = JqPlace::of_value(env.input.clone());
        self.places(term, env.scope, &at, &mut |lowering, place| then(lowering, place.value))
    }

    /// Adds statements that run `then` with each value of a filter, and with its location if that
    /// of the input is followed.
    pub(super) fn places(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        if !at.is_followed() && self.is_one(term, scope) {
            let value = self.one(term, at.env(scope))?;
            return then(self, JqPlace::of_value(value));
        }
        self.nest(|lowering| lowering.places_here(term, scope, at, then))
    }

    /// Lowers a filter by the rule for any number of values.
    pub(super) fn places_here(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let env = at.env(scope);
        match &term.kind {
            TermKind::Identity => then(self, at.clone()),
            TermKind::Descend => self.descend(at, then),
            TermKind::Pipe(parts) => self.each_pipe(parts, scope, at, then),
            TermKind::Comma(parts) => self.each_of(parts, scope, at, then),
            TermKind::Binary(Binary::Alternative, left, right) => {
                let none = Computation::Atom(Atom::Literal(Literal::Bool(false)));
                let found = self.builder.bind("any_found", CoreType::Bool, none);
                self.places(left, scope, at, &mut |lowering, place| {
                    lowering.if_found(found, &place.value, |lowering| then(lowering, place.clone()))
                })?;
                let test = self.not(Atom::Local(found));
                self.when(test, |lowering| lowering.places(right, scope, at, then))
            }
            TermKind::Bind(_, patterns, _) if at.is_followed() && patterns.len() != 1 => {
                untranslated("a path through `?//`")
            }
            TermKind::Bind(source, patterns, body) => {
                self.each_source(source, patterns, env, &mut |lowering, inner| lowering.places(body, inner, at, then))
            }
            TermKind::If(test, body, otherwise) => {
                self.each_test(test, env, &mut |lowering, holds| match (holds, otherwise) {
                    (true, _) => lowering.places(body, scope, at, then),
                    (false, Some(otherwise)) => lowering.places(otherwise, scope, at, then),
                    (false, None) => then(lowering, at.clone()),
                })
            }
            TermKind::Try(body, handler) => {
                let body = self.attempted(|lowering, outside| {
                    let each = lowering.places(body, scope, at, &mut |lowering, place| {
                        lowering.outside(outside, |lowering| then(lowering, place))
                    });
                    each.map(|()| None)
                })?;
                let attempt = self.handled(body, |lowering, raised| match handler {
                    // A raised value has no location.
                    Some(handler) => {
                        let mut then = |lowering: &mut Self, value| then(lowering, at.computed(value));
                        lowering.each(handler, env.on(&raised), &mut then).map(|()| None)
                    }
                    None => Ok(None),
                })?;
                self.add_attempt(attempt);
                Ok(())
            }
            TermKind::Label(name, body) => self.labelled(name, |lowering, label| {
                lowering.places(body, &scope.label(name, lowering.target(label)), at, then)
            }),
            TermKind::Break(name) => self.leave(name, scope),
            TermKind::Define(definition, body) => {
                let inner = scope.function(definition, &mut self.sets);
                self.places(body, &inner, at, then)
            }
            TermKind::Index(base, key, optional) => self.each(key, env, &mut |lowering, key| {
                lowering.places(base, scope, at, &mut |lowering, place| {
                    let place = lowering.settled(&place);
                    let hint = if place.is_followed() { hint_of_member(&key) } else { hint(term) };
                    lowering.with_result(member_of(&place.value, &key), *optional, &hint, |lowering, value| {
                        then(lowering, place.step(|| key.clone(), value))
                    })
                })
            }),
            TermKind::Slice(base, from, to, optional) => {
                self.each_bound(from.as_deref(), env, &mut |lowering, from| {
                    lowering.each_bound(to.as_deref(), env, &mut |lowering, to| {
                        lowering.places(base, scope, at, &mut |lowering, place| {
                            lowering.slice_place(&place, [&from, &to], *optional, then)
                        })
                    })
                })
            }
            TermKind::Iterate(base, optional) => self.places(base, scope, at, &mut |lowering, place| {
                if place.is_followed() {
                    return lowering.iterate_places(&place, *optional, then);
                }
                let name = lowering.hint_of_elements(&place.value, base);
                let call = (callees::ITER, vec![(&place.value).into()]);
                lowering.with_result(call, *optional, "items", |lowering, items| {
                    let mut then = |lowering: &mut Self, value| then(lowering, JqPlace::of_value(value));
                    lowering.each_item(Computation::Atom(items), &name, &mut then)
                })
            }),
            TermKind::Call(name, arguments) => {
                let function = resolve(name, arguments.len(), scope)?;
                self.each_call(term, function, (name, arguments), scope, at, then)
            }
            TermKind::Reduce(..) | TermKind::Foreach(..) if at.is_followed() => {
                untranslated("`reduce` or `foreach` as a path")
            }
            // The computed value must be equal to the one at the location.
            _ if at.is_followed() => self.each(term, env, &mut |lowering, value| then(lowering, at.computed(value))),
            _ => self.each_computed(term, env, &mut |lowering, value| then(lowering, JqPlace::of_value(value))),
        }
    }

    /// Lowers a filter that computes values.
    fn each_computed(&mut self, term: &'p Term, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        match &term.kind {
            TermKind::Text(format, pieces) => self.each_text(format.as_deref(), pieces, Vec::new(), env, then),
            TermKind::Object(members) => self.each_object(members, Vec::new(), env, then),
            TermKind::Negate(inner) => self.each(inner, env, &mut |lowering, value| {
                let negated = lowering.negated(value);
                then(lowering, negated)
            }),
            TermKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                self.each_logic(*operator == Binary::And, left, right, env, then)
            }
            TermKind::Binary(Binary::Values(operator), left, right) => self.each(right, env, &mut |lowering, right| {
                lowering.each(left, env, &mut |lowering, left| {
                    let result = lowering.operate(operator, &left, &right, &hint(term));
                    then(lowering, result)
                })
            }),
            TermKind::Update(update, path, value) => self.each(value, env, &mut |lowering, value| {
                let result = lowering.change(*update, path, &value, env)?;
                then(lowering, result)
            }),
            TermKind::Reduce(source, patterns, init, update) => self.each(init, env, &mut |lowering, init| {
                let result = lowering.reduce((source, patterns, update), init, env)?;
                then(lowering, result)
            }),
            TermKind::Foreach(source, patterns, init, update, extract) => {
                self.each(init, env, &mut |lowering, init| {
                    let fold = (&**source, &patterns[..], &**update);
                    lowering.foreach(fold, extract.as_deref(), init, env, then)
                })
            }
            _ => untranslated("a filter of an unknown kind"),
        }
    }

    /// Adds a counted loop that runs `then` with each item.
    pub(super) fn each_item(&mut self, over: Computation, hint: &str, then: Then<'_, 'p>) -> Res<()> {
        self.for_each(over, [(hint, CoreType::Value)], |lowering, [item]| {
            lowering.tick();
            then(lowering, Atom::Local(item))
        })
    }

    /// Adds conditionals on each value of a filter.
    pub(super) fn each_test(
        &mut self,
        test: &'p Term,
        env: JqEnv<'_, 'p>,
        lower: &mut dyn FnMut(&mut Self, bool) -> Res<()>,
    ) -> Res<()> {
        self.each(test, env, &mut |lowering, value| {
            let test = lowering.test(value);
            lowering.branch(test, &mut *lower)
        })
    }

    /// Lowers an operand that may be missing. A missing one is null.
    pub(super) fn each_bound(&mut self, bound: Option<&'p Term>, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        match bound {
            Some(bound) => self.each(bound, env, then),
            None => then(self, Atom::Literal(Literal::Null)),
        }
    }

    fn each_pipe(&mut self, mut parts: &'p [Term], scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        let mut at = at.clone();
        // A pipe of filters with one value does not nest.
        while let [first, rest @ ..] = parts
            && !(rest.is_empty() || at.is_followed())
            && self.is_one(first, scope)
        {
            let value = self.one(first, at.env(scope))?;
            at = JqPlace::of_value(self.named(value, &hint(first)));
            parts = rest;
        }
        match parts {
            [] => then(self, at),
            [last] => self.places(last, scope, &at, then),
            [first, rest @ ..] => self.places(first, scope, &at, &mut |lowering, mut place| {
                if !place.is_followed() {
                    place.value = lowering.named(place.value, &hint(first));
                }
                lowering.nest(|lowering| lowering.each_pipe(rest, scope, &place, then))
            }),
        }
    }

    fn each_of(&mut self, parts: &'p [Term], scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        if parts.len() > 2
            && !at.is_followed()
            && let Some(values) = self.infallible(parts, at.env(scope))?
        {
            return self.for_each(Computation::List(values), [("item", CoreType::Value)], |lowering, [item]| {
                then(lowering, JqPlace::of_value(Atom::Local(item)))
            });
        }
        parts.iter().try_for_each(|part| self.places(part, scope, at, then))
    }

    /// Lowers filters if each yields one value and cannot fail. The failure of one would have to
    /// occur at its own position in the sequence.
    fn infallible(&mut self, parts: &'p [Term], env: JqEnv<'_, 'p>) -> Res<Option<Vec<Atom>>> {
        let (mut values, mut statements) = (Vec::new(), Vec::new());
        for part in parts {
            if !self.is_one(part, env.scope) {
                return Ok(None);
            }
            self.builder.begin();
            values.push(self.one(part, env)?);
            let block = self.builder.end(None);
            if !block.statements.iter().all(is_infallible) {
                return Ok(None);
            }
            statements.extend(block.statements);
        }
        statements.into_iter().for_each(|statement| self.builder.push(statement));
        Ok(Some(values))
    }

    fn each_logic(
        &mut self,
        is_and: bool,
        left: &'p Term,
        right: &'p Term,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        self.each_test(left, env, &mut |lowering, holds| match holds == is_and {
            true => lowering.each(right, env, &mut |lowering, value| {
                let test = lowering.test(value);
                then(lowering, test)
            }),
            false => then(lowering, Atom::Literal(Literal::Bool(holds))),
        })
    }

    /// Lowers code for a value of the left side of `//`, unless it is false or null.
    fn if_found(&mut self, found: CoreLocalId, value: &Atom, mut lower: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        let test = self.test(value.clone());
        self.when(test, |lowering| {
            lowering.assign(found, Atom::Literal(Literal::Bool(true)));
            lower(lowering)
        })
    }

    pub(super) fn target(&self, label: LabelId) -> ScopeTarget {
        ScopeTarget { label, closures: self.builder.closures(), on_error: self.builder.on_error() }
    }

    /// Lowers `break`.
    pub(super) fn leave(&mut self, name: &str, scope: &JqScope<'p>) -> Res<()> {
        let closures = self.builder.closures();
        let Some(target) = scope.find_label(name).filter(|target| target.closures == closures) else {
            return untranslated(format!("`break ${name}` out of an argument of a function"));
        };
        match self.builder.on_error() {
            // Like jq, end only the enclosing `try`.
            ErrorExit::Attempt(attempt) if target.on_error != ErrorExit::Attempt(attempt) => {
                let error = self.call("error", callees::LEFT, &[]);
                self.leave_block(attempt, Some(error));
            }
            _ => self.leave_block(target.label, None),
        }
        Ok(())
    }

    /// Lowers the first value of a filter to an optional value. `if_true` skips false and null.
    pub(super) fn first_of(&mut self, term: &'p Term, if_true: bool, env: JqEnv<'_, 'p>) -> Res<Computation> {
        let first = self.labelled_value("first", CoreType::MaybeValue, |lowering, label| {
            lowering.each(term, env, &mut |lowering, value| {
                let test = if if_true { lowering.test(value.clone()) } else { Atom::Literal(Literal::Bool(true)) };
                lowering.when(test, |lowering| {
                    let value = lowering.some(value.clone());
                    lowering.leave_block(label, Some(value));
                    Ok(())
                })
            })?;
            Ok(lowering.none())
        })?;
        Ok(Computation::Atom(Atom::Local(first)))
    }
}

/// Returns `true` if a statement only binds a value, and cannot fail.
fn is_infallible(statement: &CoreStatement) -> bool {
    match statement {
        CoreStatement::Let(_, Computation::Call(call)) => !call.callee.fails,
        CoreStatement::Let(
            _,
            Computation::Atom(_) | Computation::Not(_) | Computation::Array(_) | Computation::Object(_),
        ) => true,
        _ => false,
    }
}
