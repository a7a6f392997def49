//! Lowering of statements.

use super::{Next, ToCore, UNDEFINED, callees};
use crate::expr::core::{
    Atom, Computation, Constant, CoreArgument, CoreBlock, CoreStatement, CoreType, LabelId, Try as CoreTry, TryEnd,
};
use crate::expr::javascript::ir::{Block, Expr, JumpId, Pattern, Statement, Switch, Try};

/// The most cases that become branches of one conditional. Each is nested in the previous one.
const MAX_BRANCHES: usize = 32;

impl ToCore<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// Lowers the statements of a block into the current one.
    pub(super) fn block_statements(&mut self, block: &Block) {
        self.hoisted(&block.declares);
        self.statements(&block.statements);
    }

    fn block(&mut self, block: &Block) -> CoreBlock {
        self.inside(|cx| cx.block_statements(block))
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(value) => self.discard(value),
            Statement::Declare(Pattern::Declare(id), None) => self.declare_empty(*id),
            Statement::Declare(_, None) => {}
            Statement::Declare(pattern, Some(value)) => self.bind_value(pattern, value),
            Statement::Return(value) => {
                let value = value.as_ref().map_or(UNDEFINED, |value| self.atom(value));
                self.core.push(CoreStatement::Return(value));
            }
            Statement::Throw(value) => {
                let value = self.atom(value);
                let error = self.call("error", callees::THROWN, &[&value]);
                self.core.push(CoreStatement::Fail(error));
            }
            Statement::If(test, yes, no) => {
                let test = self.truth(test);
                let then = self.block(yes);
                let otherwise = no.as_ref().map(|no| self.block(no)).unwrap_or_default();
                self.when(test, then, otherwise);
            }
            Statement::Block(block) => {
                let label = self.core.label("block");
                let block = self.block(block);
                self.core.push(CoreStatement::Do(Computation::Labelled(label, block)));
            }
            Statement::Labelled(id, block) => {
                let label = self.core.label("outer");
                self.core.begin();
                self.in_target(*id, label, Next::Turn, |cx| cx.block_statements(block));
                let block = self.core.end(None);
                self.core.push(CoreStatement::Do(Computation::Labelled(label, block)));
            }
            Statement::Loop(inner) => self.loop_statement(inner),
            Statement::Switch(switch) => self.switch(switch),
            Statement::Try(inner) => self.try_statement(inner),
            Statement::Break(id) => self.jump(*id, false),
            Statement::Continue(id) => self.jump(*id, true),
        }
    }

    fn jump(&mut self, id: JumpId, continues: bool) {
        let Some(target) = self.targets.iter().rev().find(|target| target.id == id) else { return };
        let jump = match (continues, target.next) {
            (true, Next::Turn) => CoreStatement::Continue(target.out),
            (true, Next::Behind(turn)) => CoreStatement::Break(turn, None),
            (false, _) => CoreStatement::Break(target.out, None),
        };
        self.core.push(jump);
    }

    fn switch(&mut self, switch: &Switch) {
        let tests = switch.cases.iter().filter_map(|(test, _)| test.as_ref());
        let value = self.operand(&switch.value, tests);
        let label = self.core.label("switch");
        self.core.begin();
        self.hoisted(&switch.declares);
        self.in_target(switch.id, label, Next::Turn, |cx| match arms(switch) {
            Some(arms) if arms.len() <= MAX_BRANCHES => cx.arms(&value, &arms),
            _ => cx.falling(&value, switch),
        });
        let block = self.core.end(None);
        self.core.push(CoreStatement::Do(Computation::Labelled(label, block)));
    }

    fn is_case(&mut self, value: &Atom, test: &Expr) -> Atom {
        let test = self.atom(test);
        self.strict(true, value, &test)
    }

    /// Lowers cases without fall-through.
    fn arms(&mut self, value: &Atom, arms: &[Arm<'_>]) {
        let Some((arm, others)) = arms.split_first() else { return };
        let Some((first, more)) = arm.tests.split_first() else { return self.statements(arm.body) };
        let mut test = self.is_case(value, first);
        for other in more {
            let right = self.valued(|cx| cx.is_case(value, other));
            let either = Computation::Logic { is_and: false, left: test, right };
            test = Atom::Local(self.core.bind("is_case", CoreType::Bool, either));
        }
        let then = self.inside(|cx| cx.statements(arm.body));
        let otherwise = self.inside(|cx| cx.arms(value, others));
        self.when(test, then, otherwise);
    }

    /// Lowers cases with fall-through: the number of the first matching case, and all cases from
    /// it on.
    fn falling(&mut self, value: &Atom, switch: &Switch) {
        let label = self.core.label("case");
        let count = |at| Atom::Constant(Constant::Count(at));
        let choice = self.valued(|cx| {
            for (at, (test, _)) in switch.cases.iter().enumerate() {
                let Some(test) = test else { continue };
                let test = cx.is_case(value, test);
                let found = cx.inside(|cx| cx.core.push(CoreStatement::Break(label, Some(count(at)))));
                cx.when(test, found, CoreBlock::default());
            }
            count(switch.cases.iter().position(|(test, _)| test.is_none()).unwrap_or(switch.cases.len()))
        });
        let case = Atom::Local(self.core.bind("case", CoreType::Count, Computation::Labelled(label, choice)));
        for (at, (_, body)) in (0..).zip(&switch.cases) {
            let args = vec![CoreArgument::Atom(case.clone()), CoreArgument::Int(at)];
            let test = self.core.call("is_reached", callees::AT_MOST, args);
            let then = self.inside(|cx| cx.statements(body));
            self.when(test, then, CoreBlock::default());
        }
    }

    fn try_statement(&mut self, inner: &Try) {
        let Some(finalizer) = &inner.finalizer else { return self.try_catch(inner) };
        let label = self.core.label("try");
        let body = match inner.handler {
            Some(_) => self.inside(|cx| cx.try_catch(inner)),
            None => self.block(&inner.body),
        };
        let finalizer = self.block(finalizer);
        self.push_try(CoreTry { label, body, end: TryEnd::Finally(finalizer) });
    }

    fn push_try(&mut self, inner: CoreTry) {
        self.core.push(CoreStatement::Do(Computation::Try(Box::new(inner))));
    }

    fn try_catch(&mut self, inner: &Try) {
        let Some((caught, handler)) = &inner.handler else { return self.block_statements(&inner.body) };
        let label: LabelId = self.core.label("try");
        let body = self.block(&inner.body);
        let (error, pattern) = match caught {
            Some(Pattern::Declare(id)) if !self.local(*id).is_shared() && !self.local(*id).hoisted => {
                (self.declared(*id), None)
            }
            pattern => (self.core.local("thrown", CoreType::Value), pattern.as_ref()),
        };
        let handler = self.inside(|cx| {
            cx.hoisted(&handler.declares);
            if let Some(pattern) = pattern {
                cx.bind(pattern, Computation::Atom(Atom::Local(error)));
            }
            cx.statements(&handler.statements);
        });
        self.push_try(CoreTry { label, body, end: TryEnd::Catch(error, handler) });
    }
}

/// One or more cases of a switch that share a body.
struct Arm<'s> {
    /// The tests. Empty for the default.
    tests: Vec<&'s Expr>,
    body: &'s [Statement],
}

/// Returns the cases as arms, if there is no fall-through and the default is last.
fn arms(switch: &Switch) -> Option<Vec<Arm<'_>>> {
    let mut arms = Vec::new();
    let mut tests = Vec::new();
    for (at, (test, body)) in switch.cases.iter().enumerate() {
        let is_last = at + 1 == switch.cases.len();
        match test {
            Some(test) => tests.push(test),
            None if is_last && tests.is_empty() => {}
            None => return None,
        }
        let body = match body.split_last() {
            None if !is_last => continue,
            Some((Statement::Break(id), before)) if *id == switch.id => before,
            _ if is_last || ends(body) => body,
            _ => return None,
        };
        arms.push(Arm { tests: std::mem::take(&mut tests), body });
    }
    Some(arms)
}

/// Returns `true` if the end of the statements is unreachable.
fn ends(statements: &[Statement]) -> bool {
    statements.last().is_some_and(|last| match last {
        Statement::Return(_) | Statement::Throw(_) | Statement::Break(_) | Statement::Continue(_) => true,
        Statement::If(_, yes, Some(no)) => ends(&yes.statements) && ends(&no.statements),
        Statement::Block(inner) => ends(&inner.statements),
        _ => false,
    })
}
