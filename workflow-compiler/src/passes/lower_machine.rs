//! Pass that cuts the states of the HIR into basic blocks at every suspension point.
//!
//! A state becomes a block. The continuation after a wait becomes a block of its own, and so do
//! the handler of a `Try` and the part of a `Try` that a retry repeats. After this pass no name
//! has to be resolved.

mod declared_variables;
mod suspension;

use super::names::{NameScope, Names, snake_case};
use super::read_settings::SETTING;
use crate::expr::{Arg, Call, Expr, Fallibility, LocalId};
use crate::hir::{Body, Catcher, Next, OnTimeout, Retrier, Scope, ScopeId, State, Step, StepKind, Try, Workflow};
use crate::machine::{
    Block, BlockBody, BlockId, BlockLabel, Local, LocalIdents, Machine, Op, OpKind, Origin, ResumePoint, ResumePointId,
    ResumePointKind, Terminator,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use suspension::{Children, Suspension};

/// Lowers a checked workflow. Returns the machine and the identifiers that it uses.
pub fn lower_machine(workflow: &Workflow) -> (Machine, Names) {
    let mut lowering = Lowering::new(workflow);
    for scope in &workflow.scopes {
        lowering.reserve_entry(scope);
    }
    if let OnTimeout::Continue { scope, input, .. } = workflow.on_timeout {
        lowering.standalone_scopes.push((scope, input));
    }
    for (at, scope) in workflow.scopes.iter().enumerate() {
        lowering.scope(ScopeId(at as u32), scope);
    }
    lowering.finish()
}

struct Lowering<'a> {
    workflow: &'a Workflow,
    names: Names,
    /// The names of blocks and locals in `dump`, until later passes name them.
    provisional: NameScope,
    /// Reserved blocks, defined later, because blocks refer to each other.
    blocks: Vec<Option<Block>>,
    points: Vec<ResumePoint>,
    /// The resume points of each authored name.
    namesakes: BTreeMap<String, Vec<ResumePointId>>,
    retriers: Vec<(String, Vec<Retrier>)>,
    locals: Vec<Local>,
    /// The entry of each scope, and its block.
    entries: Vec<(ResumePointId, BlockId)>,
    /// The scopes that run as executions of their own, each with the local that receives its
    /// input.
    standalone_scopes: Vec<(ScopeId, LocalId)>,
    /// The blocks of the state that is being lowered ([`Next::Part`]).
    parts: Vec<BlockId>,
    /// The scope that is being lowered, and the block of each of its states.
    scope: ScopeId,
    targets: BTreeMap<&'a str, BlockId>,
    /// Variables, by the scope that declares them.
    variables: BTreeMap<ScopeId, Vec<LocalId>>,
}

/// A step with its handler, after flattening of `Try`s.
enum Item<'a> {
    Step(&'a Step, Option<BlockId>),
    /// The start of a `Try`, its handler block, and the handler around it.
    Try(&'a Try, BlockId, Option<BlockId>),
}

/// A position at which steps are cut.
enum Cut {
    /// Before the part of a `Try` that a retry repeats.
    Again(BlockId),
    /// At a step that waits. Its faults go to the handler.
    Wait(Box<Suspension>, Option<BlockId>),
}

/// The state whose body is being lowered. `None` in the entry of a scope.
type Within<'a> = Option<&'a State>;

impl<'a> Lowering<'a> {
    fn new(workflow: &'a Workflow) -> Self {
        let mut names = Names::new(&workflow.name);
        // Reserves the constants of the tasks, which are named already, in this order.
        workflow.tasks.iter().for_each(|task| _ = names.constant(&task.state));
        let mut provisional = NameScope::default();
        let locals = workflow
            .locals
            .iter()
            .map(|local| Local {
                authored: local.name.clone(),
                name: provisional.give(&snake_case(&local.name)),
                kind: local.kind,
            })
            .collect();
        Lowering {
            workflow,
            names,
            provisional,
            blocks: Vec::new(),
            points: Vec::new(),
            namesakes: BTreeMap::new(),
            retriers: Vec::new(),
            locals,
            entries: Vec::new(),
            standalone_scopes: Vec::new(),
            parts: Vec::new(),
            scope: ScopeId(0),
            targets: BTreeMap::new(),
            variables: declared_variables::of(workflow),
        }
    }

    fn reserve_entry(&mut self, scope: &Scope) {
        let block = self.reserve_block();
        let doc = format!("The start of {}.", scope.label);
        let point = self.add_point(&entry_name(scope), None, doc, ResumePointKind::Enter(block));
        self.entries.push((point, block));
    }

    fn scope(&mut self, id: ScopeId, scope: &'a Scope) {
        self.scope = id;
        self.targets.clear();
        for state in &scope.states {
            let block = self.reserve_block();
            self.targets.insert(&state.name.value, block);
        }
        self.entry(id, scope);
        for state in &scope.states {
            let mut tail = self.block_body(&state.body, None, Some(state));
            if !state.is_synthetic {
                let enter = OpKind::Enter { state: state.name.value.to_string(), input: state.input };
                tail.ops.insert(0, op(enter, None));
            }
            let doc = state.comment.clone().unwrap_or_default();
            self.define(self.targets[&*state.name.value], label(Some(state), ""), Some(state), doc, tail);
        }
    }

    fn entry(&mut self, id: ScopeId, scope: &'a Scope) {
        let items = self.flatten(&scope.entry, None);
        let mut tail =
            self.items(&items, None, |this, ops| BlockBody { ops, terminator: this.goto(&scope.start.value) });
        let settings = self.workflow.settings.iter().filter(|_| id == ScopeId(0)).map(|(local, name)| {
            let value = Expr::Call(Call { function: &SETTING, args: vec![Arg::Str(name.as_str().into())] });
            op(OpKind::Let { local: *local, value }, None)
        });
        let variables = self.variables.get(&id).into_iter().flatten().map(|local| op(OpKind::Declare(*local), None));
        let first: Vec<Op> = settings.chain(variables).collect();
        tail.ops.splice(0..0, first);
        let (_, block) = self.entries[id.0 as usize];
        let label = BlockLabel { state: entry_name(scope), awaited: String::new(), role: "" };
        self.define(block, label, None, format!("The start of {}.", scope.label), tail);
    }

    fn block_body(&mut self, body: &'a Body, handler: Option<BlockId>, within: Within<'a>) -> BlockBody {
        let items = self.flatten(&body.steps, handler);
        self.items(&items, within, |this, ops| BlockBody { ops, terminator: this.next(&body.next, handler, within) })
    }

    fn flatten(&mut self, steps: &'a [Step], handler: Option<BlockId>) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        for step in steps {
            match &step.kind {
                StepKind::Try(inner) => {
                    let own = self.reserve_block();
                    items.push(Item::Try(inner, own, handler));
                    items.extend(self.flatten(&inner.body, Some(own)));
                }
                _ => items.push(Item::Step(step, handler)),
            }
        }
        items
    }

    /// Lowers `items`; `finish` makes the end of the last operations.
    fn items(
        &mut self,
        items: &[Item<'a>],
        within: Within<'a>,
        finish: impl FnOnce(&mut Self, Vec<Op>) -> BlockBody,
    ) -> BlockBody {
        // The operations before each cut, in order. There can be thousands of cuts.
        let mut cuts = Vec::new();
        let mut ops = Vec::new();
        for item in items {
            match item {
                Item::Try(step, handler, outer) if step.retriers.is_empty() => {
                    self.handler(step.fault, &step.catchers, *handler, *outer, None, within);
                }
                Item::Try(step, handler, outer) => {
                    let again = self.reserve_block();
                    self.handler(step.fault, &step.catchers, *handler, *outer, Some((step, again)), within);
                    ops.push(op(OpKind::NewRetries(step.retries), None));
                    cuts.push((std::mem::take(&mut ops), Cut::Again(again)));
                }
                Item::Step(step, handler) => match self.suspension(step) {
                    Some(suspension) => {
                        cuts.push((std::mem::take(&mut ops), Cut::Wait(Box::new(suspension), *handler)))
                    }
                    None => ops.extend(plain(step).map(|kind| op(kind, *handler))),
                },
            }
        }
        let last = finish(self, ops);
        cuts.into_iter().rev().fold(last, |mut after, (ops, cut)| match cut {
            Cut::Again(again) => {
                self.define(again, label(within, "try"), within, "One attempt.".into(), after);
                BlockBody { ops, terminator: Terminator::Goto { block: again, bounce: None } }
            }
            Cut::Wait(suspension, handler) => {
                if let Some(result) = suspension.receive {
                    after.ops.insert(0, op(OpKind::Receive(result), handler));
                }
                self.suspend(*suspension, after, ops, handler, within)
            }
        })
    }

    /// Ends a body with a command. The block `after` continues from the resume point.
    fn suspend(
        &mut self,
        suspension: Suspension,
        after: BlockBody,
        ops: Vec<Op>,
        on_fault: Option<BlockId>,
        within: Within<'a>,
    ) -> BlockBody {
        let awaited = self.awaited(&suspension.command);
        let Suspension { command, after: (role, after_doc), doc, receive, children } = suspension;
        let name = name_of(within).to_owned();
        let block = self.reserve_block();
        let label = BlockLabel { awaited, ..label(within, role) };
        self.define(block, label, within, after_doc.into(), after);
        let kind = match children {
            Children::None if receive.is_none() => ResumePointKind::Elapsed(block),
            Children::None => ResumePointKind::Resume(block),
            Children::Branches(entries) => ResumePointKind::Fork(block, entries),
            Children::Each(child, item) => ResumePointKind::ForEach { block, child, item },
        };
        let point = self.add_point(&name, within, doc, kind);
        let caught = command.exprs().iter().any(|expr| expr.fallibility() == Fallibility::Catchable);
        let on_fault = on_fault.filter(|_| caught);
        BlockBody { ops, terminator: Terminator::Wait { command, point, on_fault, live_after: BTreeSet::new() } }
    }

    /// Defines the block that handles faults. It retries if a block can be repeated. Otherwise the
    /// catchers decide.
    fn handler(
        &mut self,
        fault: LocalId,
        catchers: &'a [Catcher],
        block: BlockId,
        outer: Option<BlockId>,
        again: Option<(&'a Try, BlockId)>,
        within: Within<'a>,
    ) {
        let name = name_of(within).to_owned();
        let retry = again.map(|(step, again)| {
            let constant = self.names.constant(&format!("{name} retry"));
            self.retriers.push((constant, step.retriers.clone()));
            let doc = "Waits before the next attempt.".to_owned();
            let point = self.add_point(&format!("{name} retry"), within, doc, ResumePointKind::Elapsed(again));
            (self.retriers.len() - 1, step.retries, point)
        });
        let catchers = catchers
            .iter()
            .map(|catcher| (catcher.errors.clone(), self.block_body(&catcher.body, outer, within)))
            .collect();
        let otherwise =
            Box::new(BlockBody { ops: Vec::new(), terminator: Terminator::Raise { fault, handler: outer } });
        let end = Terminator::Handle { fault, retry, catchers, otherwise };
        let tail = BlockBody { ops: vec![op(OpKind::Locate(fault), None)], terminator: end };
        self.define(block, label(within, "failed"), within, "Retries or catches a fault.".into(), tail);
    }

    /// Lowers the output of a scope. The output of the workflow is validated against its schema.
    /// If `ends_all`, the output is the workflow's, whatever the scope.
    fn output(&self, output: &Expr, ends_all: bool) -> Expr {
        let is_whole = match self.workflow.on_timeout {
            OnTimeout::Continue { scope, .. } if scope == self.scope => true,
            _ => self.scope == ScopeId(0),
        };
        match &self.workflow.output_schema {
            Some(schema) if is_whole => schema.check(output.clone(), "the output"),
            Some(schema) if ends_all => schema.check_end(output.clone(), "the output"),
            _ => output.clone(),
        }
    }

    fn next(&mut self, next: &'a Next, handler: Option<BlockId>, within: Within<'a>) -> Terminator {
        match next {
            Next::Goto(target) => self.goto(&target.value),
            Next::End(output) => Terminator::Done(self.output(output, false)),
            Next::Terminate(output) => Terminator::Terminate(self.output(output, true)),
            Next::Fail { error, cause } => Terminator::Fail { error: error.clone(), cause: cause.clone() },
            Next::FailWith(fault) => Terminator::FailWith(fault.clone()),
            Next::Raise(fault) => Terminator::Raise { fault: *fault, handler },
            Next::Choose { arms, otherwise } => Terminator::Choose {
                on_fault: handler
                    .filter(|_| arms.iter().any(|arm| arm.condition.fallibility() == Fallibility::Catchable)),
                arms: arms
                    .iter()
                    .map(|arm| (arm.condition.clone(), self.block_body(&arm.body, handler, within)))
                    .collect(),
                otherwise: Box::new(self.block_body(otherwise, handler, within)),
            },
            Next::Part(part) => self.part(*part),
            Next::Parts(parts) => {
                let blocks = parts.list.iter().map(|_| self.reserve_block()).collect();
                let before = std::mem::replace(&mut self.parts, blocks);
                let guards: Vec<BlockId> = parts.guards.iter().map(|_| self.reserve_block()).collect();
                let handler_of = |guard: Option<u32>| guard.map_or(handler, |guard| Some(guards[guard as usize]));
                for (guard, block) in parts.guards.iter().zip(&guards) {
                    self.handler(guard.fault, &guard.catchers, *block, handler_of(guard.outer), None, within);
                }
                for (at, part) in parts.list.iter().enumerate() {
                    let tail = self.block_body(&part.body, handler_of(part.guard), within);
                    let label = label(within, part.name);
                    self.define(self.parts[at], label, within, "Continues within the state.".into(), tail);
                }
                let first = self.part(0);
                self.parts = before;
                first
            }
            Next::Retry(retry) => {
                let name = name_of(within).to_owned();
                let constant = self.names.constant(&format!("{name} retry"));
                self.retriers.push((constant, vec![retry.retrier.clone()]));
                let retriers = self.retriers.len() - 1;
                let Terminator::Goto { block, .. } = self.part(retry.part) else {
                    return Terminator::FailWith(Expr::NULL);
                };
                let doc = "Waits before the next attempt.".to_owned();
                let point = self.add_point(&format!("{name} retry"), within, doc, ResumePointKind::Elapsed(block));
                let otherwise = Box::new(self.block_body(&retry.otherwise, handler, within));
                Terminator::Handle {
                    fault: retry.fault,
                    retry: Some((retriers, retry.block_retries, point)),
                    catchers: Vec::new(),
                    otherwise,
                }
            }
        }
    }

    /// Returns the transition to a numbered body of the state. A missing body is a defect of the
    /// dialect.
    fn part(&self, part: u32) -> Terminator {
        Terminator::Goto { block: self.parts[part as usize], bounce: None }
    }

    /// Returns the index of a scope among those that run as executions of their own.
    fn entry_number(&mut self, scope: ScopeId, input: LocalId) -> u32 {
        let known = self.standalone_scopes.iter().position(|(other, _)| *other == scope);
        known.unwrap_or_else(|| {
            self.standalone_scopes.push((scope, input));
            self.standalone_scopes.len() - 1
        }) as u32
    }

    /// Returns the transition to a state. Targets are resolved before this pass.
    fn goto(&self, target: &str) -> Terminator {
        Terminator::Goto { block: self.targets[target], bounce: None }
    }

    fn reserve_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn define(&mut self, id: BlockId, label: BlockLabel, within: Within<'a>, doc: String, body: BlockBody) {
        let name = self.provisional.give(&snake_case(&label.short()));
        let (scope, origin) = (self.scope, self.origin(within));
        let (params, names) = (Vec::new(), LocalIdents::new());
        let block = Block { name, label, scope, origin, doc, params, names, body };
        self.blocks[id.0 as usize] = Some(block);
    }

    fn origin(&self, within: Within<'a>) -> Option<Origin> {
        let within = within?;
        let mut around = Vec::new();
        let mut scope = self.scope;
        while let Some((outer, state)) = &self.workflow.scope(scope).parent {
            around.insert(0, state.clone());
            scope = *outer;
        }
        let (state, span) = (within.name.value.to_string(), within.name.span);
        Some(Origin { state, span, scope: self.scope, within: around })
    }

    fn add_point(&mut self, name: &str, within: Within<'a>, doc: String, kind: ResumePointKind) -> ResumePointId {
        let id = ResumePointId(self.points.len() as u32);
        self.namesakes.entry(name.to_owned()).or_default().push(id);
        let (name, tag) = self.names.point(name);
        let origin = self.origin(within);
        let (payload, names) = (Vec::new(), LocalIdents::new());
        self.points.push(ResumePoint { name, tag, among: (1, 1), origin, doc, payload, names, kind });
        id
    }

    fn finish(mut self) -> (Machine, Names) {
        for points in self.namesakes.values() {
            for (at, point) in (1..).zip(points) {
                self.points[point.0 as usize].among = (at, points.len() as u32);
            }
        }
        let context = reads_context(self.workflow);
        let scripts = self.workflow.scripts.iter();
        let scripts = scripts.map(|script| self.names.function(&format!("{} script", script.state))).collect();
        let entries =
            self.standalone_scopes.iter().map(|(scope, input)| (self.entries[scope.0 as usize].0, *input)).collect();
        let on_timeout = match self.workflow.on_timeout {
            OnTimeout::Continue { document, .. } => Some((0, document)),
            OnTimeout::Fail | OnTimeout::Null => None,
        };
        let machine = Machine {
            locals: self.locals,
            // All reserved blocks are defined by now, because each is the target of something that
            // was lowered.
            blocks: self.blocks.into_iter().flatten().collect(),
            points: self.points,
            entry: self.entries[0].0,
            input: self.workflow.input,
            retriers: self.retriers,
            scripts,
            programs: Vec::new(),
            constants: Arc::default(),
            context,
            entries,
            on_timeout,
        };
        (machine, self.names)
    }
}

/// Lowers a step that does not wait to an operation.
fn plain(step: &Step) -> Option<OpKind> {
    match &step.kind {
        StepKind::Let { local, value } => Some(OpKind::Let { local: *local, value: value.clone() }),
        StepKind::Assign(values) => Some(OpKind::Assign(values.clone())),
        StepKind::Inspect { stage, value } => Some(OpKind::Inspect { stage, value: value.clone() }),
        StepKind::Run(run) => Some(OpKind::Run((**run).clone())),
        StepKind::BeginRetryBlock { block_retries, inner } => {
            Some(OpKind::BeginRetryBlock { block_retries: *block_retries, inner: *inner })
        }
        StepKind::RenumberCalls { block_retries, calls } => {
            Some(OpKind::RenumberCalls { block_retries: *block_retries, calls: *calls })
        }
        StepKind::Try(_)
        | StepKind::Invoke(_)
        | StepKind::Wait(_)
        | StepKind::Fork { .. }
        | StepKind::Race { .. }
        | StepKind::Receive(_)
        | StepKind::Publish(_)
        | StepKind::Call(_)
        | StepKind::ForEach(_) => None,
    }
}

/// Makes an operation. It has a handler only if it can raise a catchable fault.
fn op(kind: OpKind, handler: Option<BlockId>) -> Op {
    let caught = match &kind {
        OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => value.fallibility() == Fallibility::Catchable,
        OpKind::Assign(values) => values.iter().any(|(_, value)| value.fallibility() == Fallibility::Catchable),
        OpKind::Receive(_) => true,
        OpKind::Enter { .. }
        | OpKind::Declare(_)
        | OpKind::NewRetries(_)
        | OpKind::BeginRetryBlock { .. }
        | OpKind::RenumberCalls { .. }
        | OpKind::PassFault { .. }
        | OpKind::Run(_)
        | OpKind::Locate(_) => false,
    };
    Op { kind, on_fault: handler.filter(|_| caught), unread: BTreeSet::new(), live_after: BTreeSet::new() }
}

/// Returns the label of a block of a state.
fn label(within: Within<'_>, role: &'static str) -> BlockLabel {
    BlockLabel { state: name_of(within).to_owned(), awaited: String::new(), role }
}

fn name_of<'a>(within: Within<'a>) -> &'a str {
    within.map_or("entry", |state| &state.name.value)
}

fn entry_name(scope: &Scope) -> String {
    match &scope.parent {
        None => "entry".to_owned(),
        Some((_, state)) => format!("{state} entry {}", scope.start.value),
    }
}

fn reads_context(workflow: &Workflow) -> bool {
    let mut reads = false;
    workflow.walk_exprs(&mut |expr| reads |= expr.reads_context());
    reads
}
