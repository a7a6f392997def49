//! Lowering of bodies inside of a state: blocks, attempts with their handlers, and retries.

use super::{Cuts, Lowering, Within, jump, label, name_of, op};
use crate::expr::{Expr, LocalId};
use crate::hir::{Block, Body, Label, Next, Retry, State, Step, StepKind, Try};
use crate::machine::{BlockBody, BlockId, OpKind, ResumePointKind, Terminator};

/// The blocks of a label, if transitions lead to them.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// Continues after the step, or at the exit.
    after: Option<BlockId>,
    /// Runs the body again.
    body: Option<BlockId>,
}

/// What is around a body.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The block that handles faults.
    pub handler: Option<BlockId>,
    pub within: Within<'a>,
    /// Where the numbers of calls start anew with each attempt of the innermost retried attempt.
    base: Option<Base>,
    /// `true` if the state goes on after a fault that the handler receives.
    goes_on: bool,
}

/// Start of the call numbers that are the same in every attempt.
#[derive(Clone, Copy)]
struct Base {
    /// The retry counters of the attempt. `None` in a branch of it, which every attempt starts
    /// anew.
    block_retries: Option<LocalId>,
    /// The number of calls in the state before the attempt.
    calls: u32,
}

impl Context<'_> {
    /// Returns what is around the steps before the first state.
    pub(super) fn entry() -> Self {
        Context { handler: None, within: None, base: None, goes_on: false }
    }
}

impl<'a> Lowering<'a> {
    /// Returns what is around the body of a state.
    pub(super) fn context(&self, state: &'a State) -> Context<'a> {
        // The calls of other states are counted from the entry of each.
        let is_branch = state.is_synthetic && self.retried.contains(&self.scope);
        let base = is_branch.then_some(Base { block_retries: None, calls: 0 });
        Context { handler: None, within: Some(state), base, goes_on: false }
    }

    /// Counts a step that is a call. The branches of a retried attempt start anew with it.
    pub(super) fn count_call(&mut self, step: &StepKind, context: Context<'a>) {
        self.calls += u32::from(step.is_call());
        if context.base.is_some() {
            match step {
                StepKind::Fork { branches, .. } | StepKind::Race { branches, .. } => self.retried.extend(branches),
                StepKind::ForEach(each) => _ = self.retried.insert(each.body),
                _ => {}
            }
        }
    }

    /// Lowers an arm. An arm with steps is a block of its own: passes decide where it goes.
    pub(super) fn inner_body(&mut self, body: &'a Body, context: Context<'a>) -> BlockBody {
        if body.steps.is_empty() && body.next.bodies().is_empty() {
            return self.block_body(body, context);
        }
        let block = self.reserve_block();
        let lowered = self.block_body(body, context);
        self.define(
            block,
            label(context.within, "case"),
            context.within,
            "Continues within the state.".into(),
            lowered,
        );
        BlockBody { ops: Vec::new(), terminator: jump(block) }
    }

    /// Lowers a block.
    pub(super) fn block(&mut self, step: &'a Step, block: &'a Block, context: Context<'a>, cuts: &mut Cuts) {
        let after = self.reserve_after(step, &block.body, block.label);
        let body = block.repeated.map(|_| self.reserve_block());
        self.labels.insert(block.label, Target { after, body });
        for exit in &block.exits {
            let target = Target { after: Some(self.reserve_block()), body: None };
            self.labels.insert(exit.label, target);
        }
        if let (Some(body), Some(role)) = (body, block.repeated) {
            cuts.repeat(body, role, "Continues within the state.");
        }
        self.nested(&block.body, after.map(|after| (after, block.after)), context, cuts);
        for exit in &block.exits {
            let body = self.block_body(&exit.body, context);
            if let Some(id) = self.labels[&exit.label].after {
                let label = label(context.within, exit.role);
                self.define(id, label, context.within, "Continues within the state.".into(), body);
            }
        }
    }

    /// Lowers the body of a step. Without a block `after`, the steps after it continue its own.
    fn nested(
        &mut self,
        body: &'a Body,
        after: Option<(BlockId, &'static str)>,
        context: Context<'a>,
        cuts: &mut Cuts,
    ) {
        match after {
            None => self.cut(&body.steps, context, cuts),
            Some((after, role)) => {
                let body = self.block_body(body, context);
                cuts.end(body, after, role);
            }
        }
    }

    /// Reserves the block after a step, unless only the end of its body leads there.
    fn reserve_after(&mut self, step: &Step, body: &Body, label: Label) -> Option<BlockId> {
        let is_left = |body: &&Body| matches!(body.next, Next::Leave(left) if left == label);
        let left = step.bodies().into_iter().flat_map(Body::bodies).filter(is_left).count();
        (left != 1 || !is_left(&body)).then(|| self.reserve_block())
    }

    /// Returns the transition to the step after a label.
    pub(super) fn leave(&self, label: Label) -> Terminator {
        jump_to(self.labels.get(&label).and_then(|target| target.after))
    }

    /// Returns the transition to the body of a label.
    pub(super) fn repeat(&self, label: Label) -> Terminator {
        jump_to(self.labels.get(&label).and_then(|target| target.body))
    }

    /// Lowers an attempt and its handler.
    pub(super) fn attempt(&mut self, step: &'a Step, attempt: &'a Try, context: Context<'a>, cuts: &mut Cuts) {
        let handler = self.reserve_block();
        let after = self.reserve_after(step, &attempt.body, attempt.label);
        let body = attempt.is_repeated().then(|| self.reserve_block());
        self.labels.insert(attempt.label, Target { after, body });
        if !attempt.retriers.is_empty() {
            cuts.ops.extend(attempt.retries.map(|retries| op(OpKind::NewRetries(retries), None)));
        }
        let inner = context.base.is_some();
        for block_retries in &attempt.block_retries {
            cuts.ops.push(op(OpKind::BeginRetryBlock { block_retries: *block_retries, inner }, None));
        }
        let own = attempt.block_retries.last().map(|last| Base { block_retries: Some(*last), calls: self.calls });
        let base = own.or(context.base);
        let goes_on = self.goes_on(attempt, context);
        // A fault may skip calls that another attempt makes. The calls after it are numbered as if
        // no call had been skipped, so that their idempotency keys do not depend on the attempt.
        let inside = calls(&attempt.body);
        let renumbered = base.filter(|_| goes_on && inside > 0).map(|base| OpKind::RenumberCalls {
            block_retries: base.block_retries,
            calls: self.calls + inside - base.calls,
        });
        // The calls of the catchers come after those of the body.
        let before = self.calls;
        self.calls += inside;
        self.handler(attempt, handler, body, renumbered, context);
        let after_catchers = std::mem::replace(&mut self.calls, before);
        if let Some(body) = body {
            cuts.repeat(body, "try", "One attempt.");
        }
        let inside = Context { handler: Some(handler), base, goes_on, ..context };
        self.nested(&attempt.body, after.map(|after| (after, attempt.after)), inside, cuts);
        self.calls = after_catchers;
    }

    /// Returns `true` if the state goes on after a fault of the attempt.
    fn goes_on(&self, attempt: &Try, context: Context<'a>) -> bool {
        let bodies = attempt.catchers.iter().flat_map(|catcher| catcher.body.bodies());
        bodies.into_iter().any(|body| match &body.next {
            Next::Leave(label) => *label == attempt.label,
            Next::Repeat(_) => true,
            Next::Raise(_) => context.goes_on,
            _ => false,
        })
    }

    /// Defines the block that handles the faults of an attempt. It retries, or the catchers decide.
    fn handler(
        &mut self,
        attempt: &'a Try,
        block: BlockId,
        again: Option<BlockId>,
        renumbered: Option<OpKind>,
        context: Context<'a>,
    ) {
        let (fault, within) = (attempt.fault, context.within);
        let counters = attempt.retries.filter(|_| !attempt.retriers.is_empty());
        let retry = counters.zip(again).map(|(retries, again)| {
            let name = format!("{} retry", name_of(within));
            let constant = self.names.constant(&name);
            self.retriers.push((constant, attempt.retriers.clone()));
            let doc = "Waits before the next attempt.".to_owned();
            let point = self.add_point(&name, within, doc, ResumePointKind::Elapsed(again));
            (self.retriers.len() - 1, retries, point)
        });
        let mut catchers = Vec::new();
        for catcher in &attempt.catchers {
            let mut body = self.block_body(&catcher.body, context);
            if let Some(renumbered) = &renumbered {
                body.ops.insert(0, op(renumbered.clone(), None));
            }
            catchers.push((catcher.errors.clone(), body));
        }
        let terminator = Terminator::Raise { fault, handler: context.handler };
        let otherwise = Box::new(BlockBody { ops: Vec::new(), terminator });
        let end = Terminator::Handle { fault, retry, catchers, otherwise };
        let tail = BlockBody { ops: vec![op(OpKind::Locate(fault), None)], terminator: end };
        self.define(block, label(within, "failed"), within, "Retries or catches a fault.".into(), tail);
    }

    /// Lowers the retry of an attempt.
    pub(super) fn retry(&mut self, retry: &'a Retry, context: Context<'a>) -> Terminator {
        let Some(again) = self.labels.get(&retry.attempt).and_then(|target| target.body) else {
            return jump_to(None);
        };
        let name = format!("{} retry", name_of(context.within));
        let constant = self.names.constant(&name);
        self.retriers.push((constant, vec![retry.retrier.clone()]));
        let retriers = self.retriers.len() - 1;
        let (doc, kind) = ("Waits before the next attempt.".to_owned(), ResumePointKind::Elapsed(again));
        let point = self.add_point(&name, context.within, doc, kind);
        Terminator::Handle {
            fault: retry.fault,
            retry: Some((retriers, retry.block_retries, point)),
            catchers: Vec::new(),
            otherwise: Box::new(self.block_body(&retry.otherwise, context)),
        }
    }
}

/// Returns the transition to a block. A transition to a label that is not around its body is a
/// defect of the dialect, and fails.
fn jump_to(block: Option<BlockId>) -> Terminator {
    block.map_or(Terminator::FailWith(Expr::NULL), jump)
}

/// Returns the number of calls in a body and the bodies inside it.
fn calls(body: &Body) -> u32 {
    let mut calls = 0;
    body.walk_steps(&mut |step| calls += u32::from(step.kind.is_call()));
    calls
}
