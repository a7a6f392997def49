//! Lowering of bodies inside of a state: blocks, attempts with their handlers, and retries.

use super::{Cuts, Lowering, Within, jump, label, name_of, op};
use crate::expr::{Expr, LocalId};
use crate::hir::{Block, Body, Deadline, Label, Next, Retry, State, Step, StepKind, Try};
use crate::machine::{
    BlockBody, BlockId, OpKind, ReservedBlock, ResumePointId, ResumePointKind, RetriersId, Terminator,
};
use crate::model::Retrier;

/// The blocks of a label, if transitions lead to them.
#[derive(Clone, Copy)]
pub(super) struct LabelBlocks {
    /// Continues after the step, or at the exit.
    pub after: Option<BlockId>,
    /// Runs the body again.
    pub body: Option<BlockId>,
}

impl LabelBlocks {
    pub(super) fn new(after: Option<&ReservedBlock>, body: Option<&ReservedBlock>) -> Self {
        LabelBlocks { after: after.map(ReservedBlock::id), body: body.map(ReservedBlock::id) }
    }
}

/// The surroundings of a body: its state, its handler, and the retried attempt and the deadline
/// that it is in.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The block that handles faults.
    pub handler: Option<BlockId>,
    pub within: Within<'a>,
    /// Start of the innermost retried attempt. Each attempt numbers its calls from there.
    base: Option<Base>,
    /// `true` if the state goes on after a fault that the handler receives.
    goes_on: bool,
    /// The innermost deadline.
    pub deadline: Option<&'a Deadline>,
}

/// Position from which the calls of an attempt are counted.
#[derive(Clone, Copy)]
struct Base {
    /// The retry counters of the attempt. `None` in a branch of it, which every attempt starts
    /// anew.
    block_retries: Option<LocalId>,
    /// The number of calls in the state before the attempt.
    calls: u32,
}

impl<'a> Context<'a> {
    /// Returns the surroundings of the steps before the first state.
    pub(super) fn entry() -> Self {
        Context { handler: None, within: None, base: None, goes_on: false, deadline: None }
    }

    /// Returns the surroundings of the body of a deadline.
    pub(super) fn inside(self, deadline: &'a Deadline) -> Self {
        Context { deadline: Some(deadline), ..self }
    }
}

impl<'a> Lowering<'a> {
    /// Returns the surroundings of the body of a state.
    pub(super) fn context(&self, state: &'a State) -> Context<'a> {
        // Each entry of an authored state numbers its calls anew, so that it needs no base.
        let is_branch = state.is_synthetic && self.retried.contains(&self.scope);
        let base = is_branch.then_some(Base { block_retries: None, calls: 0 });
        Context { handler: None, within: Some(state), base, goes_on: false, deadline: None }
    }

    /// Counts a step that is a call. The branches of a retried attempt start anew with it.
    pub(super) fn count_call(&mut self, step: &StepKind, context: Context<'a>) {
        self.calls += u32::from(step.is_call());
        if context.base.is_some() {
            match step {
                StepKind::Fork { branches, .. } => self.retried.extend(branches),
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
        let block = self.builder.reserve();
        let lowered = self.block_body(body, context);
        let (label, terminator) = (label(context.within, "case"), jump(block.id()));
        self.define(block, label, context.within, "Continues within the state.".into(), lowered);
        BlockBody { ops: Vec::new(), terminator }
    }

    /// Lowers a block.
    pub(super) fn block(&mut self, step: &'a Step, block: &'a Block, context: Context<'a>, cuts: &mut Cuts) {
        let after = self.reserve_after(step, &block.body, block.label);
        let body = block.repeated.map(|_| self.builder.reserve());
        self.labels.insert(block.label, LabelBlocks::new(after.as_ref(), body.as_ref()));
        let exits: Vec<ReservedBlock> = block.exits.iter().map(|_| self.builder.reserve()).collect();
        for (exit, target) in block.exits.iter().zip(&exits) {
            self.labels.insert(exit.label, LabelBlocks::new(Some(target), None));
        }
        if let (Some(body), Some(role)) = (body, block.repeated) {
            cuts.repeat(body, role, "Continues within the state.");
        }
        self.nested(&block.body, after.map(|after| (after, block.after)), context, cuts);
        for (exit, target) in block.exits.iter().zip(exits) {
            let body = self.block_body(&exit.body, context);
            // Later exits cannot leave to this one.
            self.labels.remove(&exit.label);
            let label = label(context.within, exit.role);
            self.define(target, label, context.within, "Continues within the state.".into(), body);
        }
        self.labels.remove(&block.label);
    }

    /// Lowers the body of a step. If `after` is `None`, the following steps go into the same
    /// block.
    pub(super) fn nested(
        &mut self,
        body: &'a Body,
        after: Option<(ReservedBlock, &'static str)>,
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

    /// Reserves the block after a step. Returns `None` if only the end of its body leads there: no
    /// block is needed then.
    pub(super) fn reserve_after(&mut self, step: &Step, body: &Body, label: Label) -> Option<ReservedBlock> {
        let is_left = |body: &&Body| matches!(body.next, Next::Leave(left) if left == label);
        let left = step.bodies().into_iter().flat_map(Body::bodies).filter(is_left).take(2).count();
        (left != 1 || !is_left(&body)).then(|| self.builder.reserve())
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
        let handler = self.builder.reserve();
        let after = self.reserve_after(step, &attempt.body, attempt.label);
        let body = attempt.is_repeated().then(|| self.builder.reserve());
        self.labels.insert(attempt.label, LabelBlocks::new(after.as_ref(), body.as_ref()));
        cuts.ops.extend(attempt.retries.map(|retries| op(OpKind::NewRetries(retries), None)));
        let inner = context.base.is_some();
        for block_retries in &attempt.block_retries {
            cuts.ops.push(op(OpKind::BeginRetryBlock { block_retries: *block_retries, inner }, None));
        }
        let own = attempt.block_retries.last().map(|last| Base { block_retries: Some(*last), calls: self.calls });
        let base = own.or(context.base);
        let goes_on = self.goes_on(attempt, context);
        // A fault may skip calls that another attempt makes. The calls after it are numbered as if
        // no call had been skipped, so that their idempotency keys do not depend on the attempt.
        let calls = calls(&attempt.body);
        let renumbered = base.filter(|_| goes_on && calls > 0).map(|base| OpKind::RenumberCalls {
            block_retries: base.block_retries,
            calls: self.calls + calls - base.calls,
        });
        // The calls of the catchers come after those of the body.
        let before = self.calls;
        self.calls += calls;
        let inside = Context { handler: Some(handler.id()), base, goes_on, ..context };
        self.handler(attempt, handler, body.as_ref().map(ReservedBlock::id), renumbered, context);
        let after_catchers = std::mem::replace(&mut self.calls, before);
        if let Some(body) = body {
            cuts.repeat(body, "try", "One attempt.");
        }
        self.nested(&attempt.body, after.map(|after| (after, attempt.after)), inside, cuts);
        self.calls = after_catchers;
        self.labels.remove(&attempt.label);
    }

    /// Returns `true` if the state goes on after a fault of the attempt.
    fn goes_on(&self, attempt: &Try, context: Context<'a>) -> bool {
        let mut bodies = attempt.catchers.iter().flat_map(|catcher| catcher.body.bodies());
        context.goes_on || bodies.any(|body| matches!(body.next, Next::Leave(_) | Next::Repeat(_)))
    }

    /// Defines the block that handles the faults of an attempt: it retries, or the catchers
    /// decide.
    fn handler(
        &mut self,
        attempt: &'a Try,
        block: ReservedBlock,
        again: Option<BlockId>,
        renumbered: Option<OpKind>,
        context: Context<'a>,
    ) {
        let (fault, within) = (attempt.fault, context.within);
        let retry = attempt.retries.zip(again).map(|(retries, again)| {
            let (retriers, point) = self.add_retriers(&attempt.retriers, again, within);
            (retriers, retries, point)
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
        let renumbered = renumbered.filter(|_| context.goes_on).map(|renumbered| op(renumbered, None));
        let otherwise = Box::new(BlockBody { ops: renumbered.into_iter().collect(), terminator });
        let end = Terminator::Handle { fault, retry, catchers, otherwise };
        let body = BlockBody { ops: vec![op(OpKind::Locate(fault), None)], terminator: end };
        self.define(block, label(within, "failed"), within, "Retries or catches a fault.".into(), body);
    }

    /// Adds a list of retriers, and the resume point before the next attempt.
    fn add_retriers(
        &mut self,
        retriers: &[Retrier],
        again: BlockId,
        within: Within<'a>,
    ) -> (RetriersId, ResumePointId) {
        let name = format!("{} retry", name_of(within));
        let constant = self.names.constant(&name);
        let id = self.builder.add_retriers(constant, retriers.to_vec());
        let doc = "Waits before the next attempt.".to_owned();
        (id, self.add_point(&name, within, doc, ResumePointKind::Elapsed(again)))
    }

    /// Lowers the retry of an attempt.
    pub(super) fn retry(&mut self, retry: &'a Retry, context: Context<'a>) -> Terminator {
        let Some(again) = self.labels.get(&retry.attempt).and_then(|target| target.body) else {
            return jump_to(None);
        };
        let (retriers, point) = self.add_retriers(std::slice::from_ref(&retry.retrier), again, context.within);
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
    debug_assert!(block.is_some(), "a transition names a label that is not around its body");
    block.map_or(Terminator::FailWith(Expr::NULL), jump)
}

/// Returns the number of calls in a body and the bodies inside it: at least as many as on any path
/// through it that repeats no block.
fn calls(body: &Body) -> u32 {
    let mut calls = 0;
    body.walk_steps(&mut |step| calls += u32::from(step.kind.is_call()));
    calls
}
