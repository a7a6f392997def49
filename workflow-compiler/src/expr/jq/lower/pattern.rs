//! Lowering of variable bindings: `… as $name | …`, `… as [$a, {b: $c}] | …`.

use super::hint::{hint, hint_of_pattern};
use super::one::{member_of, number};
use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, untranslated};
use crate::expr::Literal;
use crate::expr::core::Atom;
use crate::expr::jq::ast::{Pattern, PatternMember, Term, TermKind};

/// A continuation inside the scope of a binding.
pub(super) type Within<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, &JqScope<'p>) -> Res<()>;

impl<'p> Lowering<'p> {
    /// Binds the variables of patterns to each value of a source.
    pub(super) fn each_source(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        let name = match patterns {
            [Pattern::Variable(name)] => name.clone(),
            _ => hint(source),
        };
        let mut inner = env.scope.clone();
        // All variables of alternatives are bound. Those of other patterns are null.
        for variable in patterns.iter().filter(|_| patterns.len() > 1).flat_map(Pattern::variables) {
            inner = inner.variable(variable, Atom::Literal(Literal::Null));
        }
        let first = self.builder.next_local();
        self.each(source, env, &mut |lowering, value| {
            let value = lowering.bound_to(value, &name, first);
            lowering.alternatives(patterns, &value, env.within(&inner), then)
        })
    }

    /// Lowers `p ?// q | …`. An error in the body leads to the next pattern.
    fn alternatives(
        &mut self,
        patterns: &'p [Pattern],
        value: &Atom,
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        match patterns {
            [] => untranslated("a binding without a pattern"),
            [only] => self.destructure(only, value, env, then),
            [first, rest @ ..] => {
                let body =
                    self.attempted(|lowering, _| lowering.destructure(first, value, env, then).map(|()| None))?;
                let attempt = self.handled(body, |lowering, _| {
                    let rest = lowering.nest(|it| it.alternatives(rest, value, env, then));
                    rest.map(|()| None)
                })?;
                self.add_attempt(attempt);
                Ok(())
            }
        }
    }

    /// Binds the variables of a pattern. Keys are evaluated with the names bound so far.
    pub(super) fn destructure(
        &mut self,
        pattern: &'p Pattern,
        value: &Atom,
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        match pattern {
            Pattern::Variable(name) => then(self, &env.scope.variable(name, value.clone())),
            Pattern::Array(members) | Pattern::Object(members) => self.members(members, value, env, then),
        }
    }

    fn members(
        &mut self,
        members: &'p [PatternMember],
        value: &Atom,
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        let Some((member, rest)) = members.split_first() else { return then(self, env.scope) };
        let mut with_key = |lowering: &mut Self, key: Atom| {
            let name = match (&member.variable, &member.value) {
                (Some(name), _) => name,
                (None, Some(pattern)) => hint_of_pattern(pattern),
                (None, None) => "member",
            };
            let found = lowering.extracted(value, &key, name);
            let inner = match &member.variable {
                Some(name) => env.scope.variable(name, found.clone()),
                None => env.scope.clone(),
            };
            lowering.nest(|lowering| match &member.value {
                Some(pattern) => lowering.destructure(pattern, &found, env.within(&inner), &mut |lowering, inner| {
                    lowering.members(rest, value, env.within(inner), then)
                }),
                None => lowering.members(rest, value, env.within(&inner), then),
            })
        };
        match &member.key.kind {
            // Such as each position in an array.
            TermKind::Number(digits) => with_key(self, Atom::Literal(number(digits))),
            _ => self.each(&member.key, env, &mut with_key),
        }
    }

    fn extracted(&mut self, value: &Atom, key: &Atom, hint: &str) -> Atom {
        let (callee, args) = member_of(value, key);
        self.builder.call(hint, callee, args)
    }
}
