//! This pass cuts the states of the HIR into blocks at every point where a frame can wait.
//!
//! A state becomes a block; what follows a wait becomes a block of its own, and so do the handler of a `Try` and the
//! part of a `Try` that a retry runs again. After this point no name has to be looked up any more.

use super::names::Names;
use super::read_settings::SETTING;
use crate::expr::{Arg, Call, Expr, Fails, LocalId};
use crate::hir::{
    Body, CallTarget, Catcher, LocalKind, Next, OnTimeout, Retrier, Scope, ScopeId, State, Step, StepKind, Try,
    Workflow,
};
use crate::machine::{
    Block, BlockId, Callee, Command, End, Local, Machine, Op, OpKind, Origin, Point, PointId, PointKind, Tail,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Lowers a checked workflow; the names are those taken so far.
pub fn lower_machine(workflow: &Workflow) -> (Machine, Names) {
    let mut lowering = Lowering::new(workflow);
    for scope in &workflow.scopes {
        lowering.reserve_entry(scope);
    }
    if let OnTimeout::GoOn { scope, input, .. } = workflow.on_timeout {
        lowering.alone.push((scope, input));
    }
    for (at, scope) in workflow.scopes.iter().enumerate() {
        lowering.scope(ScopeId(at as u32), scope);
    }
    lowering.finish()
}

struct Lowering<'a> {
    workflow: &'a Workflow,
    names: Names,
    /// Blocks are reserved before they are defined, because they refer to each other.
    blocks: Vec<Option<Block>>,
    points: Vec<Point>,
    /// The points of each authored name.
    namesakes: BTreeMap<String, Vec<PointId>>,
    retriers: Vec<(String, Vec<Retrier>)>,
    locals: Vec<Local>,
    /// The entry point of each scope, and its block.
    entries: Vec<(PointId, BlockId)>,
    /// The scopes that run as executions of their own, each with the local that receives its input.
    alone: Vec<(ScopeId, LocalId)>,
    /// The parts of the state being lowered.
    parts: Vec<BlockId>,
    /// The scope being lowered, and the block of each of its states.
    scope: ScopeId,
    targets: BTreeMap<&'a str, BlockId>,
    /// Variables by the scope that declares them.
    variables: BTreeMap<ScopeId, Vec<LocalId>>,
}

/// A step with its handler, `Try`s flattened away.
enum Item<'a> {
    Step(&'a Step, Option<BlockId>),
    /// The start of a `Try`, its handler block, and the handler around it.
    Try(&'a Try, BlockId, Option<BlockId>),
}

/// Where steps are cut.
enum Cut {
    /// Before the part of a `Try` that a retry runs again.
    Again(BlockId),
    /// At a step that waits; faults go to the handler.
    Wait(Box<Suspension>, Option<BlockId>),
}

/// A step that waits.
struct Suspension {
    command: Command,
    /// What the block after it is called (the state's name and this), and its doc comment.
    after: (&'static str, &'static str),
    /// The doc comment of the point.
    doc: String,
    /// What receives the result; none where only time passes.
    receive: Option<LocalId>,
    /// The frames it starts.
    children: Children,
}

enum Children {
    None,
    Branches(Vec<PointId>),
    Each(PointId, LocalId),
}

/// The state whose parts are being lowered; none in the entry of a scope.
type Within<'a> = Option<&'a State>;

impl<'a> Lowering<'a> {
    fn new(workflow: &'a Workflow) -> Self {
        let mut names = Names::new(&workflow.name);
        // The constants of the tasks are named already, in this order.
        workflow.tasks.iter().for_each(|task| _ = names.constant(&task.state));
        let locals = workflow
            .locals
            .iter()
            .map(|local| Local {
                authored: local.name.clone(),
                // Only one fault is at hand at a time, so all of them can be called `fault`.
                name: if local.kind == LocalKind::Fault { "fault".to_owned() } else { names.local(&local.name) },
                kind: local.kind,
            })
            .collect();
        Lowering {
            workflow,
            names,
            blocks: Vec::new(),
            points: Vec::new(),
            namesakes: BTreeMap::new(),
            retriers: Vec::new(),
            locals,
            entries: Vec::new(),
            alone: Vec::new(),
            parts: Vec::new(),
            scope: ScopeId(0),
            targets: BTreeMap::new(),
            variables: declared_variables(workflow),
        }
    }

    fn reserve_entry(&mut self, scope: &Scope) {
        let block = self.reserve_block();
        let doc = format!("The start of {}.", scope.label);
        let point = self.add_point(&entry_name(scope), None, doc, PointKind::Enter(block));
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
            let mut tail = self.body(&state.body, None, Some(state));
            if state.is_authored {
                let enter = OpKind::Enter { state: state.name.value.to_string(), input: state.input };
                tail.ops.insert(0, op(enter, None));
            }
            let doc = state.comment.clone().unwrap_or_default();
            self.define(self.targets[&*state.name.value], &state.name.value, Some(state), doc, tail);
        }
    }

    fn entry(&mut self, id: ScopeId, scope: &'a Scope) {
        let items = self.flatten(&scope.entry, None);
        let mut tail = self.items(&items, None, |this, ops| Tail { ops, end: this.goto(&scope.start.value) });
        let settings = self.workflow.settings.iter().filter(|_| id == ScopeId(0)).map(|(local, name)| {
            let value = Expr::Call(Call { function: &SETTING, args: vec![Arg::Str(name.as_str().into())] });
            op(OpKind::Let { local: *local, value }, None)
        });
        let variables = self.variables.get(&id).into_iter().flatten().map(|local| op(OpKind::Declare(*local), None));
        let first: Vec<Op> = settings.chain(variables).collect();
        tail.ops.splice(0..0, first);
        let (_, block) = self.entries[id.0 as usize];
        self.define(block, &entry_name(scope), None, format!("The start of {}.", scope.label), tail);
    }

    fn body(&mut self, body: &'a Body, handler: Option<BlockId>, within: Within<'a>) -> Tail {
        let items = self.flatten(&body.steps, handler);
        self.items(&items, within, |this, ops| Tail { ops, end: this.next(&body.next, handler, within) })
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

    /// Lowers `items`, then whatever `finish` makes of the operations that are left at the end.
    fn items(
        &mut self,
        items: &[Item<'a>],
        within: Within<'a>,
        finish: impl FnOnce(&mut Self, Vec<Op>) -> Tail,
    ) -> Tail {
        // What comes before each cut, the last one last: there can be thousands.
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
                self.define(again, &format!("{} try", name_of(within)), within, "One attempt.".into(), after);
                Tail { ops, end: End::Goto { block: again, bounce: None } }
            }
            Cut::Wait(suspension, handler) => {
                if let Some(result) = suspension.receive {
                    after.ops.insert(0, op(OpKind::Receive(result), handler));
                }
                self.suspend(*suspension, after, ops, handler, within)
            }
        })
    }

    /// What a step waits for, where it does.
    fn suspension(&mut self, step: &Step) -> Option<Suspension> {
        let entry = |this: &Self, scope: ScopeId| this.entries[scope.0 as usize].0;
        match &step.kind {
            StepKind::Invoke(invoke) => Some(Suspension {
                doc: format!("Waits for the task `{}`.", self.workflow.tasks[invoke.task.0 as usize].key),
                receive: Some(invoke.result),
                command: Command::Invoke(invoke.clone()),
                after: ("done", "Goes on with the result of the task."),
                children: Children::None,
            }),
            StepKind::Wait(wait) => Some(Suspension {
                doc: "Waits for a time.".to_owned(),
                receive: None,
                command: Command::Wait(wait.clone()),
                after: ("over", "Goes on after the wait."),
                children: Children::None,
            }),
            StepKind::Fork { branches, result } => Some(Suspension {
                doc: "Waits for its branches.".to_owned(),
                receive: Some(*result),
                command: Command::Fork(branches.len()),
                after: ("joined", "Goes on with the outputs of the branches."),
                children: Children::Branches(branches.iter().map(|branch| entry(self, *branch)).collect()),
            }),
            StepKind::ForEach(each) => Some(Suspension {
                doc: "Waits for its iterations.".to_owned(),
                receive: Some(each.result),
                command: Command::ForEach {
                    items: each.items,
                    limit: each.limit.clone(),
                    delay: each.delay.clone(),
                    tolerated_count: each.tolerated_count.clone(),
                    tolerated_percentage: each.tolerated_percentage.clone(),
                    in_batches: each.in_batches,
                    in_order: each.in_order,
                },
                after: ("joined", "Goes on with the outputs of the iterations."),
                children: Children::Each(entry(self, each.body), each.item),
            }),
            StepKind::Race { branches, first, result } => Some(Suspension {
                doc: "Waits for the first of its branches.".to_owned(),
                receive: Some(*result),
                command: Command::Race { branches: branches.len(), first: *first },
                after: ("joined", "Goes on with the outputs of the first branches."),
                children: Children::Branches(branches.iter().map(|branch| entry(self, *branch)).collect()),
            }),
            StepKind::Receive(receive) => Some(Suspension {
                doc: "Waits for an event.".to_owned(),
                receive: Some(receive.result),
                command: Command::Receive(receive.clone()),
                after: ("received", "Goes on with an event, or when the wait is over."),
                children: Children::None,
            }),
            StepKind::Publish(publish) => Some(Suspension {
                doc: "Waits until an event is sure not to be lost.".to_owned(),
                receive: Some(publish.result),
                command: Command::Publish(publish.clone()),
                after: ("sent", "Goes on after an event was sent."),
                children: Children::None,
            }),
            StepKind::Call(call) => Some(Suspension {
                doc: if call.detached { "Starts an execution." } else { "Waits for an execution." }.to_owned(),
                receive: Some(call.result),
                command: Command::Call {
                    target: match &call.target {
                        CallTarget::Workflow(name) => Callee::Workflow(name.clone()),
                        CallTarget::Scope { scope, input } => Callee::Entry(self.entry_number(*scope, *input)),
                    },
                    input: call.input.clone(),
                    detached: call.detached,
                    timeout: call.timeout.clone(),
                },
                after: ("done", "Goes on with what the execution has yielded."),
                children: Children::None,
            }),
            StepKind::Let { .. }
            | StepKind::Assign(_)
            | StepKind::Inspect { .. }
            | StepKind::Run(_)
            | StepKind::BeginTries { .. }
            | StepKind::CountCalls { .. }
            | StepKind::Try(_) => None,
        }
    }

    /// Ends a tail by issuing a command; `after` runs on from the point.
    fn suspend(
        &mut self,
        suspension: Suspension,
        after: Tail,
        ops: Vec<Op>,
        on_fault: Option<BlockId>,
        within: Within<'a>,
    ) -> Tail {
        let Suspension { command, after: (suffix, after_doc), doc, receive, children } = suspension;
        let name = name_of(within).to_owned();
        let block = self.reserve_block();
        self.define(block, &format!("{name} {suffix}"), within, after_doc.into(), after);
        let kind = match children {
            Children::None if receive.is_none() => PointKind::Elapsed(block),
            Children::None => PointKind::Resume(block),
            Children::Branches(entries) => PointKind::Fork(block, entries),
            Children::Each(child, item) => PointKind::ForEach { block, child, item },
        };
        let point = self.add_point(&name, within, doc, kind);
        let caught = command.exprs().iter().any(|expr| expr.fails() == Fails::Catchably);
        let on_fault = on_fault.filter(|_| caught);
        Tail { ops, end: End::Wait { command, point, on_fault, keeps: BTreeSet::new() } }
    }

    /// Defines the block that handles faults: tries again, where there is what a retry runs; else a catcher decides.
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
            let point = self.add_point(&format!("{name} retry"), within, doc, PointKind::Elapsed(again));
            (self.retriers.len() - 1, step.retries, point)
        });
        let catchers =
            catchers.iter().map(|catcher| (catcher.errors.clone(), self.body(&catcher.body, outer, within))).collect();
        let otherwise = Box::new(Tail { ops: Vec::new(), end: End::Raise { fault, handler: outer } });
        let end = End::Handle { fault, retry, catchers, otherwise };
        let tail = Tail { ops: vec![op(OpKind::Locate(fault), None)], end };
        self.define(block, &format!("{name} failed"), within, "Retries or catches a fault.".into(), tail);
    }

    /// The output of the scope; that of the whole is checked. Where a state of the scope ends the whole, what is around that
    /// state has no say any more.
    fn output(&self, output: &Expr, ends_all: bool) -> Expr {
        let is_whole = match self.workflow.on_timeout {
            OnTimeout::GoOn { scope, .. } if scope == self.scope => true,
            _ => self.scope == ScopeId(0),
        };
        match &self.workflow.output_schema {
            Some(schema) if is_whole => schema.check(output.clone(), "the output"),
            Some(schema) if ends_all => schema.check_end(output.clone(), "the output"),
            _ => output.clone(),
        }
    }

    fn next(&mut self, next: &'a Next, handler: Option<BlockId>, within: Within<'a>) -> End {
        match next {
            Next::Goto(target) => self.goto(&target.value),
            Next::End(output) => End::Done(self.output(output, false)),
            Next::Terminate(output) => End::Terminate(self.output(output, true)),
            Next::Fail { error, cause } => End::Fail { error: error.clone(), cause: cause.clone() },
            Next::FailWith(fault) => End::FailWith(fault.clone()),
            Next::Raise(fault) => End::Raise { fault: *fault, handler },
            Next::Choose { arms, otherwise } => End::Choose {
                on_fault: handler.filter(|_| arms.iter().any(|arm| arm.condition.fails() == Fails::Catchably)),
                arms: arms.iter().map(|arm| (arm.condition.clone(), self.body(&arm.body, handler, within))).collect(),
                otherwise: Box::new(self.body(otherwise, handler, within)),
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
                    let tail = self.body(&part.body, handler_of(part.guard), within);
                    let name = format!("{} {}", name_of(within), part.name);
                    self.define(self.parts[at], &name, within, "Goes on within the state.".into(), tail);
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
                let End::Goto { block, .. } = self.part(retry.part) else { return End::FailWith(Expr::NULL) };
                let doc = "Waits before the next attempt.".to_owned();
                let point = self.add_point(&format!("{name} retry"), within, doc, PointKind::Elapsed(block));
                let otherwise = Box::new(self.body(&retry.otherwise, handler, within));
                End::Handle {
                    fault: retry.fault,
                    retry: Some((retriers, retry.tries, point)),
                    catchers: Vec::new(),
                    otherwise,
                }
            }
        }
    }

    /// A way to a part of the state. One that is not there would be a defect of the dialect.
    fn part(&self, part: u32) -> End {
        End::Goto { block: self.parts[part as usize], bounce: None }
    }

    /// The number of a scope among those that run as executions of their own.
    fn entry_number(&mut self, scope: ScopeId, input: LocalId) -> u32 {
        let known = self.alone.iter().position(|(other, _)| *other == scope);
        known.unwrap_or_else(|| {
            self.alone.push((scope, input));
            self.alone.len() - 1
        }) as u32
    }

    /// A transition. Targets were resolved before; one that is not there would be a defect of the pass before.
    fn goto(&self, target: &str) -> End {
        End::Goto { block: self.targets[target], bounce: None }
    }

    fn reserve_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn define(&mut self, id: BlockId, name: &str, within: Within<'a>, doc: String, tail: Tail) {
        let name = self.names.function(name);
        let block = Block { name, origin: self.origin(within), doc, params: Vec::new(), tail };
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

    fn add_point(&mut self, name: &str, within: Within<'a>, doc: String, kind: PointKind) -> PointId {
        let id = PointId(self.points.len() as u32);
        self.namesakes.entry(name.to_owned()).or_default().push(id);
        let (name, tag) = self.names.point(name);
        let origin = self.origin(within);
        self.points.push(Point { name, tag, among: (1, 1), origin, doc, payload: Vec::new(), kind });
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
        let entries = self.alone.iter().map(|(scope, input)| (self.entries[scope.0 as usize].0, *input)).collect();
        let on_timeout = match self.workflow.on_timeout {
            OnTimeout::GoOn { document, .. } => Some((0, document)),
            OnTimeout::Fail | OnTimeout::Null => None,
        };
        let machine = Machine {
            locals: self.locals,
            // Every block that was reserved has been defined by now: each is the target of something lowered.
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

/// The steps that run without waiting, as operations.
fn plain(step: &Step) -> Option<OpKind> {
    match &step.kind {
        StepKind::Let { local, value } => Some(OpKind::Let { local: *local, value: value.clone() }),
        StepKind::Assign(values) => Some(OpKind::Assign(values.clone())),
        StepKind::Inspect { stage, value } => Some(OpKind::Inspect { stage, value: value.clone() }),
        StepKind::Run(run) => Some(OpKind::Run((**run).clone())),
        StepKind::BeginTries { tries, inner } => Some(OpKind::BeginTries { tries: *tries, inner: *inner }),
        StepKind::CountCalls { tries, calls } => Some(OpKind::CountCalls { tries: *tries, calls: *calls }),
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

/// An operation; a handler is only for one that can raise what a handler handles.
fn op(kind: OpKind, handler: Option<BlockId>) -> Op {
    let caught = match &kind {
        OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => value.fails() == Fails::Catchably,
        OpKind::Assign(values) => values.iter().any(|(_, value)| value.fails() == Fails::Catchably),
        OpKind::Receive(_) => true,
        OpKind::Enter { .. }
        | OpKind::Declare(_)
        | OpKind::NewRetries(_)
        | OpKind::BeginTries { .. }
        | OpKind::CountCalls { .. }
        | OpKind::Run(_)
        | OpKind::Locate(_) => false,
    };
    Op { kind, on_fault: handler.filter(|_| caught), keeps: BTreeSet::new() }
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

/// The variables that each scope declares: those it assigns and no scope around it does.
fn declared_variables(workflow: &Workflow) -> BTreeMap<ScopeId, Vec<LocalId>> {
    let mut owners: BTreeMap<LocalId, ScopeId> = BTreeMap::new();
    for (at, scope) in workflow.scopes.iter().enumerate() {
        for state in &scope.states {
            state.body.walk_steps(&mut |step| {
                let assigned: Vec<LocalId> = match &step.kind {
                    StepKind::Let { local, .. } => vec![*local],
                    StepKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
                    _ => Vec::new(),
                };
                for local in assigned {
                    if workflow.local(local).kind == LocalKind::Variable {
                        owners.entry(local).or_insert(ScopeId(at as u32));
                    }
                }
            });
        }
    }
    let mut variables: BTreeMap<ScopeId, Vec<LocalId>> = BTreeMap::new();
    for (local, scope) in owners {
        variables.entry(scope).or_default().push(local);
    }
    variables
}

fn reads_context(workflow: &Workflow) -> bool {
    let mut reads = false;
    workflow.walk_exprs(&mut |expr| reads |= expr.reads_context());
    reads
}
