//! Pass that cuts the states of the HIR into basic blocks at every suspension point.
//!
//! A state becomes a block. The continuation after a wait becomes a block of its own, and so do
//! the handler of a `Try` and the body of a `Try` that is retried. After this pass no name has to
//! be resolved.

mod deadline;
mod declared_variables;
mod nested;
mod suspension;

use super::read_settings::SETTING;
use crate::expr::{Arg, Call, Expr, Fallibility, LocalId};
use crate::hir::{Body, Label, Next, OnTimeout, Scope, State, Step, StepKind, Workflow};
use crate::index::IndexVec;
use crate::machine::{
    Block, BlockBody, BlockId, BlockLabel, EntryId, Interface, Local, LocalIdents, Machine, MachineBuilder, MapId,
    MapRow, OnFault, Op, OpKind, Origin, ReservedBlock, ResumePoint, ResumePointId, ResumePointKind, Terminator,
};
use crate::model::ScopeId;
use crate::names::{NameScope, Names, snake_case};
use nested::{Context, LabelBlocks};
use std::collections::{BTreeMap, BTreeSet};
use suspension::{Children, Suspension};

/// Lowers a checked workflow. Returns the machine and the identifiers that it uses.
pub fn lower_machine(workflow: &Workflow) -> (Machine, Names) {
    let mut lowering = Lowering::new(workflow);
    let entries: Vec<ReservedBlock> = workflow.scopes.iter().map(|scope| lowering.reserve_entry(scope)).collect();
    let on_timeout = match workflow.on_timeout {
        OnTimeout::Continue { scope, document, input } => {
            Some((lowering.standalone_scopes.push((scope, input)), document))
        }
        OnTimeout::Fail | OnTimeout::Null => None,
    };
    for ((id, scope), entry) in workflow.scopes.entries().zip(entries) {
        lowering.scope(id, scope, entry);
    }
    lowering.finish(on_timeout)
}

struct Lowering<'a> {
    workflow: &'a Workflow,
    names: Names,
    /// The names of blocks and locals in `dump`, until later passes name them.
    provisional: NameScope,
    builder: MachineBuilder,
    /// The entry of each scope.
    entries: IndexVec<ScopeId, ResumePointId>,
    /// The scopes that run as executions of their own, each with the local that receives its
    /// input.
    standalone_scopes: IndexVec<EntryId, (ScopeId, LocalId)>,
    /// The distributed Maps.
    maps: IndexVec<MapId, MapRow>,
    /// The blocks of the labels of the state that is being lowered.
    labels: BTreeMap<Label, LabelBlocks>,
    /// The number of calls in the steps of the state that are lowered so far.
    calls: u32,
    /// The branches of retried attempts.
    retried: BTreeSet<ScopeId>,
    /// The scope that is being lowered, and the block of each of its states.
    scope: ScopeId,
    targets: BTreeMap<&'a str, BlockId>,
    /// Variables, by the scope that declares them.
    variables: BTreeMap<ScopeId, Vec<LocalId>>,
}

/// Steps that are lowered so far, cut where one block cannot hold them all.
#[derive(Default)]
struct Cuts {
    /// The cuts, in order. There can be thousands.
    list: Vec<Cut>,
    /// The operations after the last cut.
    ops: Vec<Op>,
}

/// A position at which steps are cut. Each has the operations before it.
enum Cut {
    /// Before a body that is repeated, with its role and doc comment.
    Repeat(Vec<Op>, ReservedBlock, &'static str, &'static str),
    /// At the end of a body. The steps after it become this block, which has a role.
    End(BlockBody, ReservedBlock, &'static str),
    /// At a step that waits.
    Wait(BlockBody, Resumption),
}

/// The block that continues after a wait.
struct Resumption {
    block: ReservedBlock,
    label: BlockLabel,
    doc: &'static str,
    /// The local that receives the result, if there is one.
    receive: Option<LocalId>,
    /// The handler of a fault that arrives in place of the result.
    handler: Option<BlockId>,
}

impl Cuts {
    /// Cuts before a body that is repeated as a block.
    fn repeat(&mut self, block: ReservedBlock, role: &'static str, doc: &'static str) {
        let ops = std::mem::take(&mut self.ops);
        self.list.push(Cut::Repeat(ops, block, role, doc));
    }

    /// Cuts after a body that ends by itself.
    fn end(&mut self, body: BlockBody, after: ReservedBlock, role: &'static str) {
        let mut ops = std::mem::take(&mut self.ops);
        ops.extend(body.ops);
        self.list.push(Cut::End(BlockBody { ops, terminator: body.terminator }, after, role));
    }
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
            builder: MachineBuilder::new(locals),
            entries: IndexVec::new(),
            standalone_scopes: IndexVec::new(),
            maps: IndexVec::new(),
            labels: BTreeMap::new(),
            calls: 0,
            retried: BTreeSet::new(),
            scope: ScopeId(0),
            targets: BTreeMap::new(),
            variables: declared_variables::of(workflow),
        }
    }

    fn reserve_entry(&mut self, scope: &Scope) -> ReservedBlock {
        let block = self.builder.reserve();
        let doc = format!("The start of {}.", scope.label);
        let point = self.add_point(&entry_name(scope), None, doc, ResumePointKind::Enter(block.id()));
        self.entries.push(point);
        block
    }

    fn scope(&mut self, id: ScopeId, scope: &'a Scope, entry: ReservedBlock) {
        self.scope = id;
        let blocks: Vec<ReservedBlock> = scope.states.iter().map(|_| self.builder.reserve()).collect();
        let names = scope.states.iter().map(|state| &*state.name.value);
        self.targets = names.zip(blocks.iter().map(ReservedBlock::id)).collect();
        self.entry(id, scope, entry);
        for (state, block) in scope.states.iter().zip(blocks) {
            self.labels.clear();
            self.calls = 0;
            let context = self.context(state);
            let mut body = self.block_body(&state.body, context);
            if !state.is_synthetic {
                let enter = OpKind::Enter { state: state.name.value.to_string(), input: state.input };
                body.ops.insert(0, op(enter, None));
            }
            let doc = state.comment.clone().unwrap_or_default();
            self.define(block, label(Some(state), ""), Some(state), doc, body);
        }
    }

    fn entry(&mut self, id: ScopeId, scope: &'a Scope, block: ReservedBlock) {
        let entry = Context::entry();
        let mut body =
            self.steps(&scope.entry, entry, |this, ops| BlockBody { ops, terminator: this.goto(&scope.start.value) });
        let settings = self.workflow.settings.iter().filter(|_| id == ScopeId(0)).map(|(local, name)| {
            let value = Expr::Call(Call { function: &SETTING, args: vec![Arg::Str(name.as_str().into())] });
            op(OpKind::Let { local: *local, value }, None)
        });
        let variables = self.variables.get(&id).into_iter().flatten().map(|local| op(OpKind::Declare(*local), None));
        let first: Vec<Op> = settings.chain(variables).collect();
        body.ops.splice(0..0, first);
        let label = BlockLabel { state: entry_name(scope), awaited: String::new(), role: "" };
        self.define(block, label, None, format!("The start of {}.", scope.label), body);
    }

    fn block_body(&mut self, body: &'a Body, context: Context<'a>) -> BlockBody {
        self.steps(&body.steps, context, |this, ops| BlockBody { ops, terminator: this.next(&body.next, context) })
    }

    /// Lowers `steps`; `finish` makes the end of the last operations.
    fn steps(
        &mut self,
        steps: &'a [Step],
        context: Context<'a>,
        finish: impl FnOnce(&mut Self, Vec<Op>) -> BlockBody,
    ) -> BlockBody {
        let mut cuts = Cuts::default();
        self.cut(steps, context, &mut cuts);
        let within = context.within;
        let last = finish(self, cuts.ops);
        cuts.list.into_iter().rev().fold(last, |mut rest, cut| match cut {
            Cut::Repeat(ops, block, role, doc) => {
                let terminator = jump(block.id());
                self.define(block, label(within, role), within, doc.into(), rest);
                BlockBody { ops, terminator }
            }
            Cut::End(body, after, role) => {
                self.define(after, label(within, role), within, "Continues within the state.".into(), rest);
                body
            }
            Cut::Wait(body, Resumption { block, label, doc, receive, handler }) => {
                if let Some(result) = receive {
                    rest.ops.insert(0, op(OpKind::Receive(result), handler));
                }
                self.define(block, label, within, doc.into(), rest);
                body
            }
        })
    }

    /// Adds the operations and cuts of `steps`.
    fn cut(&mut self, steps: &'a [Step], context: Context<'a>, cuts: &mut Cuts) {
        for step in steps {
            match &step.kind {
                StepKind::Block(block) => self.block(step, block, context, cuts),
                StepKind::Try(attempt) => self.attempt(step, attempt, context, cuts),
                StepKind::Deadline(deadline) => self.deadline(step, deadline, context, cuts),
                _ => match self.suspension(step) {
                    Some(mut suspension) => {
                        self.count_call(&step.kind, context);
                        let expired = context.deadline.and_then(|deadline| deadline::bound(deadline, &mut suspension));
                        let ops = std::mem::take(&mut cuts.ops);
                        let (terminator, resumption) = self.suspend(suspension, context);
                        cuts.list.push(Cut::Wait(BlockBody { ops, terminator }, resumption));
                        cuts.ops.extend(expired.map(|kind| op(kind, context.handler)));
                    }
                    None => cuts.ops.extend(plain(step).map(|kind| op(kind, context.handler))),
                },
            }
        }
    }

    /// Lowers a wait: returns its command, and the block that continues from its resume point.
    fn suspend(&mut self, suspension: Suspension, context: Context<'a>) -> (Terminator, Resumption) {
        let Context { handler, within, .. } = context;
        let awaited = self.awaited(&suspension.command);
        let Suspension { command, after: (role, after_doc), doc, receive, children } = suspension;
        let block = self.builder.reserve();
        let kind = match children {
            Children::None if receive.is_none() => ResumePointKind::Elapsed(block.id()),
            Children::None => ResumePointKind::Resume(block.id()),
            Children::Branches(entries) => ResumePointKind::Fork(block.id(), entries),
            Children::Each(child, item) => ResumePointKind::ForEach { block: block.id(), child, item },
        };
        let point = self.add_point(name_of(within), within, doc, kind);
        let caught = command.exprs().iter().any(|expr| expr.fallibility() == Fallibility::Catchable);
        let on_fault = handler.filter(|_| caught);
        let label = BlockLabel { awaited, ..label(within, role) };
        let terminator = Terminator::Wait { command, point, on_fault, live_after: BTreeSet::new() };
        (terminator, Resumption { block, label, doc: after_doc, receive, handler })
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

    fn next(&mut self, next: &'a Next, context: Context<'a>) -> Terminator {
        let handler = context.handler;
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
                arms: arms.iter().map(|arm| (arm.condition.clone(), self.inner_body(&arm.body, context))).collect(),
                otherwise: Box::new(self.inner_body(otherwise, context)),
            },
            Next::Leave(label) => self.leave(*label),
            Next::Repeat(label) => self.repeat(*label),
            Next::Retry(retry) => self.retry(retry, context),
            // Nothing leads here. `drop_unreachable` removes the block.
            Next::Never => Terminator::FailWith(Expr::NULL),
        }
    }

    /// Returns the index of a scope among those that run as executions of their own.
    fn entry_number(&mut self, scope: ScopeId, input: LocalId) -> EntryId {
        let known = self.standalone_scopes.id_of(|(other, _)| *other == scope);
        known.unwrap_or_else(|| self.standalone_scopes.push((scope, input)))
    }

    /// Returns the transition to a state. Targets are resolved before this pass.
    fn goto(&self, target: &str) -> Terminator {
        jump(self.targets[target])
    }

    fn define(&mut self, reserved: ReservedBlock, label: BlockLabel, within: Within<'a>, doc: String, body: BlockBody) {
        let name = self.provisional.give(&snake_case(&label.short()));
        let (scope, origin) = (self.scope, self.origin(within));
        let (params, names) = (Vec::new(), LocalIdents::new());
        let block = Block { name, label, scope, origin, doc, params, names, takes_turn: false, body };
        self.builder.define(reserved, block);
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
        let authored = name;
        let (name, tag) = self.names.point(authored);
        let origin = self.origin(within);
        let (payload, names) = (Vec::new(), LocalIdents::new());
        let point = ResumePoint { name, tag, among: (1, 1), origin, doc, payload, names, kind };
        self.builder.add_point(authored, point)
    }

    fn finish(mut self, on_timeout: Option<(EntryId, LocalId)>) -> (Machine, Names) {
        let context = reads_context(self.workflow);
        let scripts = self.workflow.scripts.iter();
        let scripts = scripts.map(|script| self.names.function(&format!("{} script", script.state))).collect();
        let entries = self.standalone_scopes.iter().map(|(scope, input)| (self.entries[*scope], *input)).collect();
        let (entry, input) = (self.entries[ScopeId(0)], self.workflow.input);
        let maps = self.maps;
        let interface = Interface { entry, input, entries, maps, on_timeout, scripts, context };
        (self.builder.finish(interface), self.names)
    }
}

/// Returns the transition to a block.
fn jump(block: BlockId) -> Terminator {
    Terminator::Goto { block, bounce: None }
}

/// Lowers a step that does not wait to an operation.
fn plain(step: &Step) -> Option<OpKind> {
    match &step.kind {
        StepKind::Let { local, value } => Some(OpKind::Let { local: *local, value: value.clone() }),
        StepKind::Assign(values) => Some(OpKind::Assign(values.clone())),
        StepKind::Inspect { stage, value } => Some(OpKind::Inspect { stage, value: value.clone() }),
        StepKind::Run(run) => Some(OpKind::Run((**run).clone())),
        StepKind::Block(_)
        | StepKind::Try(_)
        | StepKind::Deadline(_)
        | StepKind::Invoke(_)
        | StepKind::Wait(_)
        | StepKind::Fork { .. }
        | StepKind::Receive(_)
        | StepKind::Publish(_)
        | StepKind::Call(_)
        | StepKind::ForEach(_)
        | StepKind::DistributedMap(_) => None,
    }
}

/// Makes an operation. It has a handler only if it can raise a catchable fault.
fn op(kind: OpKind, handler: Option<BlockId>) -> Op {
    let caught = match &kind {
        OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => value.fallibility() == Fallibility::Catchable,
        OpKind::Assign(values) => values.iter().any(|(_, value)| value.fallibility() == Fallibility::Catchable),
        OpKind::Receive(_) => true,
        OpKind::Enter { .. }
        | OpKind::Alias { .. }
        | OpKind::Declare(_)
        | OpKind::NewRetries(_)
        | OpKind::BeginRetryBlock { .. }
        | OpKind::RenumberCalls { .. }
        | OpKind::PassFault { .. }
        | OpKind::Run(_)
        | OpKind::Locate(_) => false,
    };
    Op {
        kind,
        on_fault: handler.filter(|_| caught).map(OnFault::Call),
        unread: BTreeSet::new(),
        live_after: BTreeSet::new(),
    }
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
