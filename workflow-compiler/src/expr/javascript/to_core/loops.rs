//! Lowering of loops. Each turn counts toward the budget.

use super::{Next, Target, ToCore, callees};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreBlock, CoreStatement, CoreType, LabelId};
use crate::expr::javascript::ir::{Block, DeclarationKind, Expr, JsLocalId, JumpId, Loop, LoopKind, Pattern};
use crate::expr::javascript::walk::{self, IrNode};

impl ToCore<'_> {
    pub(super) fn loop_statement(&mut self, inner: &Loop) {
        let (id, body) = (inner.id, &inner.body);
        let label = self.core.label("outer");
        match &inner.kind {
            LoopKind::While(test) => {
                let body = self.inside(|cx| {
                    cx.head(label, Some(test));
                    cx.turns(id, label, body);
                });
                self.core.push(CoreStatement::Loop { label, body });
            }
            LoopKind::DoWhile(test) => {
                let body = self.inside(|cx| {
                    cx.tick();
                    cx.turn(id, label, body);
                    cx.break_unless(label, test);
                });
                self.core.push(CoreStatement::Loop { label, body });
            }
            LoopKind::For { init, test, update } => {
                self.for_loop(id, label, init, test.as_ref(), update.as_ref(), body);
            }
            LoopKind::Of { declares, target, value } => {
                let value = self.atom(value);
                let over = self.core.call_of(callees::EACH, vec![CoreArgument::Atom(value)]);
                self.each(id, label, declares, target, over, body);
            }
            LoopKind::In { declares, target, value } => {
                let value = self.atom(value);
                let over = self.core.call_of(callees::EACH_KEY, vec![CoreArgument::Atom(value)]);
                self.each(id, label, declares, target, over, body);
            }
        }
    }

    fn tick(&mut self) {
        self.run(callees::TICK, &[&Atom::Local(self.run)]);
    }

    /// Lowers the start of a turn: the test, unless it always holds.
    fn head(&mut self, label: LabelId, test: Option<&Expr>) {
        if let Some(test) = test {
            self.break_unless(label, test);
        }
        self.tick();
    }

    fn break_unless(&mut self, label: LabelId, test: &Expr) {
        let test = self.truth(test);
        if test == Atom::Literal(Literal::Bool(true)) {
            return;
        }
        let test = self.not(test);
        let leave = self.inside(|cx| cx.core.push(CoreStatement::Break(label, None)));
        self.when(test, leave, CoreBlock::default());
    }

    /// Lowers the body of a loop in which `continue` has the meaning of the core.
    fn turns(&mut self, id: JumpId, label: LabelId, body: &Block) {
        self.in_target(id, label, Next::Turn, |cx| cx.block_statements(body));
    }

    /// Lowers the body of a loop with code at the end of each turn.
    fn turn(&mut self, id: JumpId, label: LabelId, body: &Block) {
        let behind = self.core.label("turn");
        self.core.begin();
        self.in_target(id, label, Next::Behind(behind), |cx| cx.block_statements(body));
        let block = self.core.end(None);
        self.core.push(CoreStatement::Do(Computation::Labelled(behind, block)));
    }

    /// Lowers code that jumps to a statement can leave.
    pub(super) fn in_target(&mut self, id: JumpId, out: LabelId, next: Next, lower: impl FnOnce(&mut Self)) {
        self.targets.push(Target { id, out, next });
        lower(self);
        self.targets.pop();
    }

    fn for_loop(
        &mut self,
        id: JumpId,
        label: LabelId,
        init: &Block,
        test: Option<&Expr>,
        update: Option<&Expr>,
        body: &Block,
    ) {
        // Each iteration has its own variables, which start with the values of the previous
        // iteration (section 14.7.4.4 of ECMA-262).
        let per_turn: Vec<JsLocalId> = init.declares.iter().copied().filter(|id| self.is_per_turn(*id)).collect();
        self.block_statements(init);
        if has_function(init) {
            self.renew(&per_turn);
        }
        let body = self.inside(|cx| {
            cx.head(label, test);
            match update.is_some() || !per_turn.is_empty() {
                true => cx.turn(id, label, body),
                false => cx.turns(id, label, body),
            }
            cx.renew(&per_turn);
            update.into_iter().for_each(|update| cx.discard(update));
        });
        self.core.push(CoreStatement::Loop { label, body });
    }

    fn is_per_turn(&self, id: JsLocalId) -> bool {
        let local = self.local(id);
        local.kind == DeclarationKind::Let && local.is_shared() && !local.hoisted
    }

    /// Replaces variables by new ones with the same values.
    fn renew(&mut self, variables: &[JsLocalId]) {
        for variable in variables.iter().filter_map(|id| self.known[id.0]).collect::<Vec<_>>() {
            let value = self.call("value", callees::VALUE_OF, &[&Atom::Local(variable)]);
            let new = self.core.call_of(callees::NEW_VARIABLE, vec![CoreArgument::Atom(value)]);
            self.core.push(CoreStatement::Assign(variable, new));
        }
    }

    fn each(
        &mut self,
        id: JumpId,
        label: LabelId,
        declares: &[JsLocalId],
        target: &Pattern,
        over: Computation,
        body: &Block,
    ) {
        let are_keys = matches!(&over, Computation::Call(call) if call.callee == callees::EACH_KEY);
        let is_plain = |id: JsLocalId| {
            let local = self.local(id);
            !local.is_shared() && !local.hoisted && ToCore::core_type(local.ty) == CoreType::Value
        };
        let (item, target) = match target {
            Pattern::Declare(local) if is_plain(*local) && !are_keys => (self.declared(*local), None),
            _ => {
                let ty = if are_keys { CoreType::Text } else { CoreType::Value };
                (self.core.local("item", ty), Some(target))
            }
        };
        let body = self.inside(|cx| {
            cx.tick();
            cx.hoisted(declares);
            if let Some(target) = target {
                let value = match are_keys {
                    true => cx.core.call_of(callees::FROM_TEXT, vec![CoreArgument::Atom(Atom::Local(item))]),
                    false => Computation::Atom(Atom::Local(item)),
                };
                cx.bind(target, value);
            }
            cx.turns(id, label, body);
        });
        self.core.push(CoreStatement::For { label, items: vec![item], over, body });
    }
}

fn has_function(block: &Block) -> bool {
    let mut found = false;
    walk::block(block, &mut |node| {
        found |= matches!(node, IrNode::Function);
        true
    });
    found
}
