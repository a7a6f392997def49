//! Lowering of filters that yield any number of values: statements around a continuation.

use super::hint::hint;
use super::one::member_of;
use super::scope::{JqEnv, JqScope, ScopeTarget};
use super::{Lowering, Res, Then, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreLocalId, CoreStatement, CoreType, ErrorExit, LabelId};
use crate::expr::jq::ast::{Binary, Term, TermKind};

impl<'p> Lowering<'p> {
    /// Adds statements that run `then` with each value of a filter.
    pub(super) fn each(&mut self, term: &'p Term, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        if self.is_one(term, env.scope) {
            let value = self.one(term, env)?;
            return then(self, value);
        }
        self.nest(|lowering| lowering.each_here(term, env, then))
    }

    fn each_here(&mut self, term: &'p Term, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        match &term.kind {
            TermKind::Descend => self.descend(env.input, then),
            TermKind::Break(name) => self.leave(name, env.scope),
            TermKind::Text(format, pieces) => self.each_text(format.as_deref(), pieces, Vec::new(), env, then),
            TermKind::Object(members) => self.each_object(members, Vec::new(), env, then),
            TermKind::Negate(inner) => self.each(inner, env, &mut |lowering, value| {
                let negated = lowering.negated(value);
                then(lowering, negated)
            }),
            TermKind::Pipe(parts) => self.each_pipe(parts, env, then),
            TermKind::Comma(parts) => self.each_of(parts, env, then),
            TermKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                self.each_logic(*operator == Binary::And, left, right, env, then)
            }
            TermKind::Binary(Binary::Alternative, left, right) => self.each_alternative(left, right, env, then),
            TermKind::Binary(operator, left, right) => self.each(right, env, &mut |lowering, right| {
                lowering.each(left, env, &mut |lowering, left| {
                    let result = lowering.operate(*operator, &left, &right, &hint(term));
                    then(lowering, result)
                })
            }),
            TermKind::Update(update, path, value) => self.each(value, env, &mut |lowering, value| {
                let result = lowering.change(*update, path, &value, env)?;
                then(lowering, result)
            }),
            TermKind::Bind(source, patterns, body) => {
                self.each_source(source, patterns, env, &mut |lowering, inner| {
                    lowering.each(body, env.within(inner), then)
                })
            }
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
            TermKind::If(test, body, otherwise) => {
                self.each_test(test, env, &mut |lowering, holds| match (holds, otherwise) {
                    (true, _) => lowering.each(body, env, then),
                    (false, Some(otherwise)) => lowering.each(otherwise, env, then),
                    (false, None) => then(lowering, env.input.clone()),
                })
            }
            TermKind::Try(body, handler) => {
                let body = self.attempted(|lowering, outside| {
                    let each = lowering.each(body, env, &mut |lowering, value| {
                        lowering.outside(outside, |lowering| then(lowering, value))
                    });
                    each.map(|()| None)
                })?;
                let attempt = self.handled(body, |lowering, raised| match handler {
                    Some(handler) => lowering.each(handler, env.on(&raised), then).map(|()| None),
                    None => Ok(None),
                })?;
                self.add_attempt(attempt);
                Ok(())
            }
            TermKind::Label(name, body) => self.labelled(name, |lowering, label| {
                let scope = env.scope.label(name, lowering.target(label));
                lowering.each(body, env.within(&scope), then)
            }),
            TermKind::Define(definition, body) => self.each(body, env.within(&env.scope.function(definition)), then),
            TermKind::Index(base, key, optional) => self.each(key, env, &mut |lowering, key| {
                lowering.each(base, env, &mut |lowering, value| {
                    lowering.with_result(member_of(&value, &key), *optional, &hint(term), &mut *then)
                })
            }),
            TermKind::Slice(base, from, to, optional) => {
                self.each_bound(from.as_deref(), env, &mut |lowering, from| {
                    lowering.each_bound(to.as_deref(), env, &mut |lowering, to| {
                        lowering.each(base, env, &mut |lowering, value| {
                            let args = vec![(&value).into(), (&from).into(), (&to).into()];
                            lowering.with_result((callees::SLICE, args), *optional, "part", &mut *then)
                        })
                    })
                })
            }
            TermKind::Iterate(base, optional) => self.each(base, env, &mut |lowering, value| {
                let name = lowering.hint_of_elements(&value, base);
                let call = (callees::ITER, vec![(&value).into()]);
                lowering.with_result(call, *optional, "items", |lowering, items| {
                    lowering.each_item(Computation::Atom(items), &name, then)
                })
            }),
            TermKind::Call(name, arguments) => self.each_call(name, arguments, env, then),
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

    fn each_pipe(&mut self, parts: &'p [Term], env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        let Some((first, rest)) = parts.split_first() else { return then(self, env.input.clone()) };
        self.each(first, env, &mut |lowering, value| {
            let input = lowering.named(value, &hint(first));
            match rest {
                [] => then(lowering, input),
                [only] => lowering.each(only, env.on(&input), then),
                _ => lowering.nest(|lowering| lowering.each_pipe(rest, env.on(&input), then)),
            }
        })
    }

    fn each_of(&mut self, parts: &'p [Term], env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        if parts.len() > 2
            && let Some(values) = self.infallible(parts, env)?
        {
            let items = [("item", CoreType::Value)];
            return self
                .for_each(Computation::List(values), items, |lowering, [item]| then(lowering, Atom::Local(item)));
        }
        parts.iter().try_for_each(|part| self.each(part, env, then))
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

    fn each_alternative(&mut self, left: &'p Term, right: &'p Term, env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        let found = self.any_found();
        self.each(left, env, &mut |lowering, value| {
            lowering.if_found(found, &value, |lowering| then(lowering, value.clone()))
        })?;
        self.if_none_found(found, |lowering| lowering.each(right, env, then))
    }

    /// Binds the answer to whether the left side of `//` has yielded a value.
    pub(super) fn any_found(&mut self) -> CoreLocalId {
        self.builder.bind("any_found", CoreType::Bool, Computation::Atom(Atom::Literal(Literal::Bool(false))))
    }

    /// Lowers code for a value of the left side of `//`, unless it is false or null.
    pub(super) fn if_found(
        &mut self,
        found: CoreLocalId,
        value: &Atom,
        mut lower: impl FnMut(&mut Self) -> Res<()>,
    ) -> Res<()> {
        let test = self.test(value.clone());
        self.branch(test, |lowering, holds| {
            if !holds {
                return Ok(());
            }
            lowering.assign(found, Atom::Literal(Literal::Bool(true)));
            lower(lowering)
        })
    }

    /// Lowers the right side of `//`.
    pub(super) fn if_none_found(&mut self, found: CoreLocalId, mut lower: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        let test = self.not(Atom::Local(found));
        self.branch(test, |lowering, is_missing| if is_missing { lower(lowering) } else { Ok(()) })
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

    fn descend(&mut self, input: &Atom, then: Then<'_, 'p>) -> Res<()> {
        let all = self.builder.call_of(callees::DESCEND, vec![input.into()]);
        self.each_item(all, "item", then)
    }

    /// Lowers the first value of a filter to an optional value.
    pub(super) fn first_of(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Computation> {
        let first = self.labelled_value("first", CoreType::MaybeValue, |lowering, label| {
            lowering.each(term, env, &mut |lowering, value| {
                let value = lowering.some(value);
                lowering.leave_block(label, Some(value));
                Ok(())
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
