//! Lowering of `reduce` and `foreach`, whose state is a local that changes.

use super::scope::JqEnv;
use super::{Lowering, Res, Then};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreLocalId, CoreStatement};
use crate::expr::jq::ast::{Pattern, Term};

/// The source, the patterns and the update of a fold.
pub(super) type Fold<'p> = (&'p Term, &'p [Pattern], &'p Term);

impl<'p> Lowering<'p> {
    /// Lowers `reduce` with one initial state.
    pub(super) fn reduce(&mut self, (source, patterns, update): Fold<'p>, init: Atom, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let state = self.variable("result", init);
        self.each_source(source, patterns, env, &mut |lowering, inner| {
            // The next state is the last value of the update, or null if there is none.
            if lowering.is_one(update, inner) {
                let next = lowering.one(update, env.within(inner).on(&Atom::Local(state)))?;
                lowering.assign(state, next);
                return Ok(());
            }
            let last = lowering.variable("next", Atom::Literal(Literal::Null));
            lowering.each(update, env.within(inner).on(&Atom::Local(state)), &mut |lowering, value| {
                lowering.assign(last, value);
                Ok(())
            })?;
            lowering.assign(state, Atom::Local(last));
            Ok(())
        })?;
        Ok(Atom::Local(state))
    }

    /// Lowers `foreach` with one initial state.
    pub(super) fn foreach(
        &mut self,
        (source, patterns, update): Fold<'p>,
        extract: Option<&'p Term>,
        init: Atom,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let state = self.variable("state", init);
        self.each_source(source, patterns, env, &mut |lowering, inner| {
            let mut extracted = |lowering: &mut Self, state: Atom| match extract {
                Some(extract) => lowering.each(extract, env.within(inner).on(&state), then),
                None => then(lowering, state),
            };
            if lowering.is_one(update, inner) {
                let next = lowering.one(update, env.within(inner).on(&Atom::Local(state)))?;
                lowering.assign(state, next);
                return extracted(lowering, Atom::Local(state));
            }
            // If the update yields no value, the state becomes null, as in jq.
            let last = lowering.variable("last", Atom::Literal(Literal::Null));
            lowering.each(update, env.within(inner).on(&Atom::Local(state)), &mut |lowering, value| {
                extracted(lowering, value.clone())?;
                lowering.assign(last, value);
                Ok(())
            })?;
            lowering.assign(state, Atom::Local(last));
            Ok(())
        })
    }

    /// Assigns a value to a local, unless it is the value of the local.
    pub(super) fn assign(&mut self, local: CoreLocalId, value: Atom) {
        if value.local() != Some(local) {
            self.builder.push(CoreStatement::Assign(local, Computation::Atom(value)));
        }
    }
}
