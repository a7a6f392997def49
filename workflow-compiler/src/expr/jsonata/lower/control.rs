//! Blocks, conditionals and loops.

use super::{Lowering, Res, callees};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreBlock, CoreLocalId, CoreStatement, CoreType, Primitive};

impl Lowering<'_> {
    /// Lowers a block with a value, which may not be evaluated.
    pub(super) fn value_block(&mut self, lower: impl FnOnce(&mut Self) -> Res<Atom>) -> Res<CoreBlock> {
        self.guarded(|lowering| {
            lowering.builder.begin();
            let value = lower(lowering)?;
            Ok(lowering.builder.end(Some(value)))
        })
    }

    fn unit_block(&mut self, lower: impl FnOnce(&mut Self) -> Res<()>) -> Res<CoreBlock> {
        self.guarded(|lowering| {
            lowering.builder.begin();
            lower(lowering)?;
            Ok(lowering.builder.end(None))
        })
    }

    /// Lowers a conditional with a value. `lower` lowers the code for a condition that holds, or
    /// does not.
    pub(super) fn choose(
        &mut self,
        test: Atom,
        hint: &str,
        mut lower: impl FnMut(&mut Self, bool) -> Res<Atom>,
    ) -> Res<Atom> {
        let then = self.value_block(|lowering| lower(lowering, true))?;
        let otherwise = self.value_block(|lowering| lower(lowering, false))?;
        let is_bool =
            |block: &CoreBlock| block.value.as_ref().is_none_or(|value| self.builder.ty(value) == CoreType::Bool);
        let ty = if is_bool(&then) && is_bool(&otherwise) { CoreType::Bool } else { CoreType::Value };
        let is_nested = [&then, &otherwise].iter().any(|block| block.value.iter().any(|value| self.is_nested(value)));
        let chosen = Atom::Local(self.builder.bind(hint, ty, Computation::If { test, then, otherwise }));
        if is_nested {
            self.mark_nested(&chosen);
        }
        Ok(chosen)
    }

    /// Lowers code for a condition that holds.
    pub(super) fn when(&mut self, test: Atom, lower: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let then = self.unit_block(lower)?;
        // The code for a test that never holds is lowered, too: it may have a part without
        // translation.
        match test.literal() {
            Some(Literal::Bool(false)) => {}
            _ => {
                let otherwise = CoreBlock::default();
                self.builder.push(CoreStatement::Do(Computation::If { test, then, otherwise }));
            }
        }
        Ok(())
    }

    /// Lowers `left && right`, or `left || right`.
    pub(super) fn decide(&mut self, is_and: bool, left: Atom, right: impl FnOnce(&mut Self) -> Res<Atom>) -> Res<Atom> {
        let right = self.value_block(right)?;
        let hint = if is_and { "both" } else { "either" };
        Ok(Atom::Local(self.builder.bind(hint, CoreType::Bool, Computation::Logic { is_and, left, right })))
    }

    /// Lowers a counted loop over items of these names and types.
    pub(super) fn for_each<const N: usize>(
        &mut self,
        over: Computation,
        items: [(&str, CoreType); N],
        lower: impl FnOnce(&mut Self, [CoreLocalId; N]) -> Res<()>,
    ) -> Res<()> {
        let label = self.builder.label("items");
        let items = items.map(|(hint, ty)| self.builder.local(hint, ty));
        let body = self.unit_block(|lowering| {
            lowering.builder.run(callees::STEP, Vec::new());
            lower(lowering, items)
        })?;
        self.builder.push(CoreStatement::For { label, items: items.to_vec(), over, body });
        Ok(())
    }

    /// Lowers a counted loop over the items that a function yields for a value.
    pub(super) fn for_items(
        &mut self,
        callee: Primitive,
        of: &Atom,
        hint: &str,
        lower: impl FnOnce(&mut Self, Atom) -> Res<()>,
    ) -> Res<()> {
        let over = self.builder.call_of(callee, vec![of.into()]);
        self.for_each(over, [(hint, CoreType::Value)], |lowering, [item]| lower(lowering, Atom::Local(item)))
    }
}
