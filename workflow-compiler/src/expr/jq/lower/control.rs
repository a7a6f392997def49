//! Building of blocks: conditionals, loops, blocks that `break` leaves, handlers, and closures.

use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, callees};
use crate::expr::Literal;
use crate::expr::core::{
    Atom, Attempt, Computation, CoreArgument, CoreBlock, CoreCall, CoreLocalId, CoreStatement, CoreType, ErrorExit,
    LabelId, Primitive,
};
use crate::expr::jq::ast::Term;

impl<'p> Lowering<'p> {
    /// Lowers a block without a value.
    pub(super) fn block(&mut self, lower: impl FnOnce(&mut Self) -> Res<()>) -> Res<CoreBlock> {
        self.builder.begin();
        lower(self)?;
        Ok(self.builder.end(None))
    }

    /// Lowers a block with a value.
    pub(super) fn value_block(&mut self, lower: impl FnOnce(&mut Self) -> Res<Atom>) -> Res<CoreBlock> {
        self.builder.begin();
        let value = lower(self)?;
        Ok(self.builder.end(Some(value)))
    }

    /// Lowers a conditional. `lower` lowers the code for a condition that holds, or does not. Only
    /// the branch that a constant selects is lowered.
    pub(super) fn branch(&mut self, test: Atom, mut lower: impl FnMut(&mut Self, bool) -> Res<()>) -> Res<()> {
        if let Some(Literal::Bool(holds)) = test.literal() {
            return lower(self, *holds);
        }
        let then = self.block(|lowering| lower(lowering, true))?;
        let otherwise = self.block(|lowering| lower(lowering, false))?;
        self.builder.push(CoreStatement::Do(Computation::If { test, then, otherwise }));
        Ok(())
    }

    /// Lowers code for a condition that holds, like [`Lowering::branch`].
    pub(super) fn when(&mut self, test: Atom, mut lower: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        self.branch(test, |lowering, holds| if holds { lower(lowering) } else { Ok(()) })
    }

    /// Lowers a conditional with a value, like [`Lowering::branch`].
    pub(super) fn choose(
        &mut self,
        test: Atom,
        hint: &str,
        mut lower: impl FnMut(&mut Self, bool) -> Res<Atom>,
    ) -> Res<Atom> {
        if let Some(Literal::Bool(holds)) = test.literal() {
            return lower(self, *holds);
        }
        let then = self.value_block(|lowering| lower(lowering, true))?;
        let otherwise = self.value_block(|lowering| lower(lowering, false))?;
        let ty = self.common_type(&then, &otherwise);
        Ok(Atom::Local(self.builder.bind(hint, ty, Computation::If { test, then, otherwise })))
    }

    /// Returns the type of a value that is the one of either block.
    pub(super) fn common_type(&self, first: &CoreBlock, second: &CoreBlock) -> CoreType {
        let is_bool =
            |block: &CoreBlock| block.value.as_ref().is_none_or(|value| self.builder.ty(value) == CoreType::Bool);
        if is_bool(first) && is_bool(second) { CoreType::Bool } else { CoreType::Value }
    }

    /// Lowers code for an optional value that is present.
    pub(super) fn if_present(
        &mut self,
        items: Vec<CoreLocalId>,
        of: Computation,
        lower: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        let then = self.block(lower)?;
        let otherwise = CoreBlock::default();
        self.builder.push(CoreStatement::Do(Computation::IfPresent { items, of: Box::new(of), then, otherwise }));
        Ok(())
    }

    /// Lowers a call and code for its result. If the call is optional, an error means that there
    /// is no result.
    pub(super) fn with_result(
        &mut self,
        (callee, args): (Primitive, Vec<CoreArgument>),
        optional: bool,
        hint: &str,
        lower: impl FnOnce(&mut Self, Atom) -> Res<()>,
    ) -> Res<()> {
        if !optional {
            let result = self.builder.call(hint, callee, args);
            return lower(self, result);
        }
        let result = self.builder.local(hint, callee.returns);
        let call = Computation::Call(CoreCall { callee, args, on_error: ErrorExit::Absent });
        self.if_present(vec![result], call, |lowering| lower(lowering, Atom::Local(result)))
    }

    /// Lowers a loop over items of these names and types.
    pub(super) fn for_each<const N: usize>(
        &mut self,
        over: Computation,
        items: [(&str, CoreType); N],
        lower: impl FnOnce(&mut Self, [CoreLocalId; N]) -> Res<()>,
    ) -> Res<()> {
        let label = self.builder.label("items");
        let items = items.map(|(hint, ty)| self.builder.local(hint, ty));
        let body = self.block(|lowering| lower(lowering, items))?;
        self.builder.push(CoreStatement::For { label, items: items.to_vec(), over, body });
        Ok(())
    }

    /// Lowers a loop without an end.
    pub(super) fn forever(&mut self, hint: &str, lower: impl FnOnce(&mut Self, LabelId) -> Res<()>) -> Res<()> {
        let label = self.builder.label(hint);
        let body = self.block(|lowering| lower(lowering, label))?;
        self.builder.push(CoreStatement::Loop { label, body });
        Ok(())
    }

    /// Lowers a counted loop that takes the last item of a list, to which the body adds others.
    pub(super) fn while_pending(
        &mut self,
        pending: CoreLocalId,
        pop: Primitive,
        items: Vec<CoreLocalId>,
        lower: impl FnOnce(&mut Self, LabelId) -> Res<()>,
    ) -> Res<()> {
        self.forever("pending", |lowering, label| {
            let popped = lowering.builder.call_of(pop, vec![CoreArgument::Changed(pending)]);
            let then = lowering.block(|lowering| {
                lowering.tick();
                lower(lowering, label)
            })?;
            let otherwise = lowering.block(|lowering| {
                lowering.leave_block(label, None);
                Ok(())
            })?;
            let of = Box::new(popped);
            lowering.builder.push(CoreStatement::Do(Computation::IfPresent { items, of, then, otherwise }));
            Ok(())
        })
    }

    /// Adds `break`.
    pub(super) fn leave_block(&mut self, label: LabelId, value: Option<Atom>) {
        self.builder.push(CoreStatement::Break(label, value));
    }

    /// Adds `break` for a condition that holds.
    pub(super) fn leave_block_if(&mut self, test: Atom, label: LabelId, value: Option<Atom>) -> Res<()> {
        self.when(test, |lowering| {
            lowering.leave_block(label, value.clone());
            Ok(())
        })
    }

    /// Lowers a block that `break` can leave.
    pub(super) fn labelled(&mut self, hint: &str, lower: impl FnOnce(&mut Self, LabelId) -> Res<()>) -> Res<()> {
        let label = self.builder.label(hint);
        let body = self.block(|lowering| lower(lowering, label))?;
        self.builder.push(CoreStatement::Do(Computation::Labelled(label, body)));
        Ok(())
    }

    /// Lowers a block with a value that `break` can leave with another value.
    pub(super) fn labelled_value(
        &mut self,
        hint: &str,
        ty: CoreType,
        lower: impl FnOnce(&mut Self, LabelId) -> Res<Atom>,
    ) -> Res<CoreLocalId> {
        let label = self.builder.label(hint);
        let body = self.value_block(|lowering| lower(lowering, label))?;
        Ok(self.builder.bind(hint, ty, Computation::Labelled(label, body)))
    }

    /// Lowers the body of a `try`. `lower` takes the destination of errors outside.
    pub(super) fn attempted(
        &mut self,
        lower: impl FnOnce(&mut Self, ErrorExit) -> Res<Option<Atom>>,
    ) -> Res<(LabelId, CoreBlock)> {
        let label = self.builder.label("attempt");
        let outside = self.builder.redirect_errors(ErrorExit::Attempt(label));
        self.builder.begin();
        let value = lower(self, outside)?;
        let body = self.builder.end(value);
        self.builder.redirect_errors(outside);
        Ok((label, body))
    }

    /// Lowers the handler of a `try` to the whole. `lower` takes the value that was raised.
    pub(super) fn handled(
        &mut self,
        (label, body): (LabelId, CoreBlock),
        lower: impl FnOnce(&mut Self, Atom) -> Res<Option<Atom>>,
    ) -> Res<Attempt> {
        let error = self.builder.local("error", CoreType::Error);
        self.builder.begin();
        let raised = self.call("raised", callees::CAUGHT, &[&Atom::Local(error)]);
        let value = lower(self, raised)?;
        let handler = self.builder.end(value);
        Ok(Attempt { label, body, error, handler })
    }

    /// Adds a `try` without a value.
    pub(super) fn add_attempt(&mut self, attempt: Attempt) {
        self.builder.push(CoreStatement::Do(Computation::Attempt(Box::new(attempt))));
    }

    /// Lowers code that stands inside a `try` but whose errors leave it.
    pub(super) fn outside<T>(&mut self, exit: ErrorExit, lower: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let inside = self.builder.redirect_errors(exit);
        let result = lower(self);
        self.builder.redirect_errors(inside);
        result
    }

    /// Lowers a closure with these parameters and a result of a type.
    pub(super) fn closure(
        &mut self,
        params: Vec<CoreLocalId>,
        returns: CoreType,
        lower: impl FnOnce(&mut Self) -> Res<Option<Atom>>,
    ) -> Res<CoreArgument> {
        let outside = self.builder.begin_closure();
        let value = lower(self)?;
        Ok(CoreArgument::Closure(self.builder.end_closure(outside, params, returns, value)))
    }

    /// Lowers a closure with one parameter of this name. The value of a filter is its result.
    pub(super) fn filter_closure(&mut self, hint: &str, filter: &'p Term, scope: &JqScope<'p>) -> Res<CoreArgument> {
        let item = self.builder.local(hint, CoreType::Value);
        self.closure(vec![item], CoreType::Value, |lowering| {
            lowering.one(filter, JqEnv { scope, input: &Atom::Local(item) }).map(Some)
        })
    }

    /// Adds to a list, a text or an object.
    pub(super) fn add(&mut self, list: CoreLocalId, callee: Primitive, values: &[&Atom]) {
        let values = values.iter().map(|value| CoreArgument::from(*value));
        self.builder.run(callee, std::iter::once(CoreArgument::Changed(list)).chain(values).collect());
    }
}
