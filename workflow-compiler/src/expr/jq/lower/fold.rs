//! Lowering of `reduce` and `foreach`, whose state is a local that changes.

use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, Then};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreLocalId, CoreStatement};
use crate::expr::jq::ast::{Pattern, Term};

/// The source, the patterns and the update of a fold.
pub(super) type Fold<'p> = (&'p Term, &'p [Pattern], &'p Term);

impl<'p> Lowering<'p> {
    /// Lowers `reduce` with one initial state.
    pub(super) fn reduce(&mut self, fold: Fold<'p>, init: Atom, env: JqEnv<'_, 'p>) -> Res<Atom> {
        self.fold(fold, ["result", "next"], init, env, &mut |_, _, _| Ok(()))
    }

    /// Lowers `foreach` with one initial state.
    pub(super) fn foreach(
        &mut self,
        fold: Fold<'p>,
        extract: Option<&'p Term>,
        init: Atom,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let mut extracted = |lowering: &mut Self, inner: &JqScope<'p>, state: Atom| match extract {
            Some(extract) => lowering.each(extract, env.within(inner).on(&state), then),
            None => then(lowering, state),
        };
        self.fold(fold, ["state", "last"], init, env, &mut extracted).map(|_| ())
    }

    /// Lowers a fold to its last state. `then` takes each state, and the scope inside the fold.
    /// `names` are those of the state and of the next one.
    fn fold(
        &mut self,
        (source, patterns, update): Fold<'p>,
        names: [&str; 2],
        init: Atom,
        env: JqEnv<'_, 'p>,
        then: &mut dyn FnMut(&mut Self, &JqScope<'p>, Atom) -> Res<()>,
    ) -> Res<Atom> {
        let state = self.variable(names[0], init);
        let before = Atom::Local(state);
        self.each_source(source, patterns, env, &mut |lowering, inner| {
            let env = env.within(inner).on(&before);
            if lowering.is_one(update, inner) {
                let next = lowering.one(update, env)?;
                lowering.assign(state, next);
                return then(lowering, inner, Atom::Local(state));
            }
            // The next state is the last value of the update, or null if there is none.
            let next = lowering.variable(names[1], Atom::Literal(Literal::Null));
            lowering.each(update, env, &mut |lowering, value| {
                then(lowering, inner, value.clone())?;
                lowering.assign(next, value);
                Ok(())
            })?;
            lowering.assign(state, Atom::Local(next));
            Ok(())
        })?;
        Ok(Atom::Local(state))
    }

    /// Assigns a value to a local, unless it is the value of the local.
    pub(super) fn assign(&mut self, local: CoreLocalId, value: Atom) {
        if value.local() != Some(local) {
            self.builder.push(CoreStatement::Assign(local, Computation::Atom(value)));
        }
    }
}
