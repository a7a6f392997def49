//! Predicates, and what else follows a part.

use super::hint::{hint, singular};
use super::scope::JsonataEnv;
use super::{Lowering, Res, Yield, callees};
use crate::expr::core::{Atom, CoreArgument, CoreLocalId, CoreType};
use workflow_jsonata::{Node, NodeKind, Number, Stage, Step, StepKind, Suffixed};

impl<'n> Lowering<'n> {
    /// Lowers a part with its predicates, its grouping and `[]`.
    pub(super) fn suffixed(&mut self, suffixed: &'n Suffixed, env: &JsonataEnv) -> Res<Yield> {
        self.count_steps(suffixed.predicates.len())?;
        self.is_exact = suffixed.predicates.first().is_some_and(|predicate| position(predicate).is_none());
        let mut value = self.sequence(&suffixed.base, env)?;
        self.is_exact = false;
        // Without members, this is an empty sequence.
        let is_wildcard = matches!(suffixed.base.kind, NodeKind::Wildcard);
        if suffixed.keeps_array && suffixed.predicates.is_empty() && is_wildcard {
            return super::untranslated("`[]` after a wildcard");
        }
        // The value at a position of an order is no sequence that stays one.
        if suffixed.keeps_array
            && let NodeKind::Path(path) = &suffixed.base.kind
            && let Some(Step { kind: StepKind::Sort(_), stages, .. }) = path.steps.last()
            && let Some(Stage::Filter(last)) = stages.last()
            && position(last).is_some()
        {
            return super::untranslated("`[]` after a position");
        }
        for (at, predicate) in suffixed.predicates.iter().enumerate() {
            let is_kept = suffixed.keeps_array && at + 1 == suffixed.predicates.len();
            value = match position(predicate) {
                Some(_) if is_kept => super::untranslated("`[]` after a position")?,
                _ => self.filtered(value, predicate, at == 0 && !is_wildcard, env)?,
            };
        }
        if let Some(group) = &suffixed.group {
            value = Yield::value(self.grouped(&group.members, Some(&value.atom), env)?);
        }
        if suffixed.keeps_array {
            value = Yield::value(self.call_of(&hint(&suffixed.base), callees::KEPT, &[&value.atom]));
        }
        Ok(value)
    }

    /// Lowers a predicate. The first one is evaluated once for nothing.
    pub(super) fn filtered(
        &mut self,
        value: Yield,
        predicate: &'n Node,
        is_first: bool,
        env: &JsonataEnv,
    ) -> Res<Yield> {
        self.check_flat(&value.atom)?;
        let many = value.atom.local().map_or_else(|| "items".to_owned(), |local| self.builder.hint(local).to_owned());
        let one = singular(&many);
        if let Some(position) = position(predicate) {
            let args = vec![CoreArgument::Atom(value.atom), CoreArgument::Int(position)];
            return Ok(Yield::value(self.builder.call(&one, callees::AT, args)));
        }
        let results = self.list_for(&value.atom, "selected", callees::RESULTS);
        if self.is_condition(predicate, env) {
            let items = if is_first { callees::FIRST_ITEMS } else { callees::ITEMS };
            self.for_items(items, &value.atom, &one, |lowering, item| {
                lowering.keep_if(predicate, &item, results, env)
            })?;
        } else {
            let entries = if is_first { callees::ENTRIES } else { callees::ENTRIES_OF };
            let count = self.call_of("count", callees::COUNT, &[&value.atom]);
            let over = self.builder.call_of(entries, vec![(&value.atom).into()]);
            let items = [("at", CoreType::Count), (&*one, CoreType::Value)];
            self.for_each(over, items, |lowering, [at, item]| {
                let item = Atom::Local(item);
                let verdict = lowering.value(predicate, &env.on(&item))?;
                lowering.add(results, callees::SELECT, &[&item, &verdict, &Atom::Local(at), &count]);
                Ok(())
            })?;
        }
        Ok(Yield::sequence(self.finish(&many, callees::SEQUENCE, results)))
    }

    /// Lowers the selection of an item for which a condition holds.
    pub(super) fn keep_if(
        &mut self,
        predicate: &'n Node,
        item: &Atom,
        results: CoreLocalId,
        env: &JsonataEnv,
    ) -> Res<()> {
        let test = self.test(predicate, &env.on(item))?;
        self.when(test, |lowering| {
            lowering.add(results, callees::KEEP, &[item]);
            Ok(())
        })
    }
}

/// Returns the position that a predicate is, if it is a number as written.
pub(super) fn position(predicate: &Node) -> Option<i64> {
    match predicate.kind {
        NodeKind::Number(Number::Int(number)) => Some(number),
        // The cast saturates: such a position is outside of every array.
        NodeKind::Number(Number::Float(number)) => Some(number.floor() as i64),
        _ => None,
    }
}
