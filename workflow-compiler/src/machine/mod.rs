//! The low IR (MIR) that the emitter prints: basic blocks that run without waiting, and the resume
//! points between them.
//!
//! A [`Block`] becomes one Rust function; a [`ResumePoint`] becomes one variant of the state enum.
//! All decisions are made here: names, parameters, payloads, moves and clones. The emitter only
//! prints.

mod builder;
mod layout;
mod module;
mod print;
mod verify;
mod visit;

use crate::expr::{Expr, LocalId, Program};
use crate::index::{IndexVec, ids};
use crate::model::{
    ErrorMatch, Invoke, Join, LocalKind, Publish, ReaderKind, Receive, Retrier, Run, ScopeId, ScriptId, Seconds, Wait,
};
use crate::names::NameScope;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use builder::{Interface, MachineBuilder, ReservedBlock};
pub use module::{CurrentVersion, Module, StartRow, StateRow, Tables, TaskNames};
pub use verify::Stage;

ids! {
    /// Index of a basic block in [`Machine::blocks`].
    BlockId;

    /// Index of a resume point in [`Machine::points`].
    ResumePointId;

    /// Index of a list of retriers in [`Machine::retriers`].
    RetriersId;

    /// Index of a scope that runs as an execution of its own, in [`Machine::entries`].
    EntryId;

    /// Index of a distributed Map in [`Machine::maps`].
    MapId;
}

/// The control-flow graph of a workflow.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The locals.
    pub locals: IndexVec<LocalId, Local>,
    /// The basic blocks. Each becomes a function.
    pub blocks: IndexVec<BlockId, Block>,
    /// The resume points.
    pub points: IndexVec<ResumePointId, ResumePoint>,
    /// The resume point at which an execution starts.
    pub entry: ResumePointId,
    /// The local that holds the input of the execution at [`Machine::entry`].
    pub input: LocalId,
    /// The retrier lists, each with the name of its constant.
    pub retriers: IndexVec<RetriersId, (String, Vec<Retrier>)>,
    /// The function names of scripts.
    pub scripts: IndexVec<ScriptId, String>,
    /// The distinct programs that expressions apply, each with the name of its function.
    pub programs: Vec<(String, Arc<Program>)>,
    /// Module-level identifiers that locals must not shadow.
    pub constants: Arc<NameScope>,
    /// `true` if any expression reads the context object.
    pub context: bool,
    /// The scopes that run as executions of their own: the resume point of each, and the local
    /// that receives its input.
    pub entries: IndexVec<EntryId, (ResumePointId, LocalId)>,
    /// The distributed Maps.
    pub maps: IndexVec<MapId, MapRow>,
    /// Index in [`Machine::entries`] of the continuation after the execution time-out, and the
    /// local of the top level that becomes its input.
    pub on_timeout: Option<(EntryId, LocalId)>,
}

/// A local.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// The name in `dump` before the pass `name_locals`.
    pub name: String,
    /// The name before disambiguation. For a variable it is the authored name.
    pub authored: String,
    /// The kind of its value.
    pub kind: LocalKind,
}

/// The Rust identifiers of the locals of a function or a resume point.
pub type LocalIdents = BTreeMap<LocalId, String>;

/// The state that a block or resume point comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The authored name of the state.
    pub state: String,
    /// The span of the state.
    pub span: Span,
    /// The scope of the state.
    pub scope: ScopeId,
    /// The states around that scope, the outermost first.
    pub within: Vec<Arc<str>>,
}

/// The texts from which the function of a block is named.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLabel {
    /// The state.
    pub state: String,
    /// The task, event or workflow that the state has awaited. Empty if the state has awaited
    /// nothing, or something without a name.
    pub awaited: String,
    /// The role of the block in the state. Empty for the first block.
    pub role: &'static str,
}

impl BlockLabel {
    /// Returns the state and the role.
    pub fn short(&self) -> String {
        format!("{} {}", self.state, self.role)
    }

    /// Returns the state, what it has awaited, and the role.
    pub fn long(&self) -> String {
        format!("{} {} {}", self.state, self.awaited, self.role)
    }
}

/// A basic block: a function that runs from a resume point or a block to the next resume point.
#[derive(Debug, Clone)]
pub struct Block {
    /// The Rust identifier. Before the pass `name_functions`, the name in `dump`.
    pub name: String,
    /// The texts from which the function is named.
    pub label: BlockLabel,
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// The state that it comes from. `None` for the entry of a scope.
    pub origin: Option<Origin>,
    /// The doc comment of the function. For the first block of a state it is the authored comment.
    pub doc: String,
    /// The parameters: the locals that are live at entry, in order.
    pub params: Vec<LocalId>,
    /// The names of its locals.
    pub names: LocalIdents,
    /// `true` if the function takes the turn, because its code or a function that it calls uses
    /// it. Before the pass `mark_turns` it is `false`.
    pub takes_turn: bool,
    /// The operations and the terminator.
    pub body: BlockBody,
}

/// Operations and a terminator.
#[derive(Debug, Clone)]
pub struct BlockBody {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// The terminator.
    pub terminator: Terminator,
}

/// An operation.
#[derive(Debug, Clone)]
pub struct Op {
    /// The kind of the operation.
    pub kind: OpKind,
    /// The handler of a fault of the operation. Without a handler the frame fails.
    pub on_fault: Option<OnFault>,
    /// The locals that the operation sets and nothing reads.
    pub unread: BTreeSet<LocalId>,
    /// Locals that are live after the operation or in its handler. The operation must not move
    /// them.
    pub live_after: BTreeSet<LocalId>,
}

/// The handler of a fault of an operation.
#[derive(Debug, Clone)]
pub enum OnFault {
    /// A block. It receives the fault.
    Call(BlockId),
    /// A body, which no other operation shares. It binds the fault.
    Run(Box<BlockBody>),
}

/// The kind of an operation.
#[derive(Debug, Clone)]
pub enum OpKind {
    /// Notifies observers that the state is entered with this input.
    Enter {
        /// The authored name of the state.
        state: String,
        /// The local that holds its input.
        input: LocalId,
    },
    /// Sets a local.
    Let {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Gives a local the value of another one, which nothing reads afterwards, and its identifier.
    Alias {
        /// The local.
        to: LocalId,
        /// The local whose value and identifier it takes.
        from: LocalId,
    },
    /// Sets several locals after computing all values.
    Assign(Vec<(LocalId, Expr)>),
    /// Declares a variable without a value.
    Declare(LocalId),
    /// Resets retry counters.
    NewRetries(LocalId),
    /// Resets the counters of a retry block and begins its first attempt.
    BeginRetryBlock {
        /// The counters.
        block_retries: LocalId,
        /// `true` if an enclosing retry block exists.
        inner: bool,
    },
    /// Sets the number of the next call.
    RenumberCalls {
        /// The counters that mark the start of the count. `None` counts from the start of the
        /// frame.
        block_retries: Option<LocalId>,
        /// The number of calls since that start.
        calls: u32,
    },
    /// Binds the result that the resume point awaited.
    Receive(LocalId),
    /// Adds the name of the state to a fault that an expression raised.
    Locate(LocalId),
    /// Makes the fault in `from` the fault of a handler that is merged into another.
    PassFault {
        /// The local of the outer handler.
        to: LocalId,
        /// The local of the inner handler.
        from: LocalId,
    },
    /// Runs a script on the document in place.
    Run(Run),
    /// Reports a value to an inspector.
    Inspect {
        /// The stage.
        stage: &'static str,
        /// The value.
        value: Expr,
    },
}

/// The terminator of a block body.
#[derive(Debug, Clone)]
pub enum Terminator {
    /// Continues with a block: by a call, or through the resume point of `bounce`, so that the
    /// native stack stays bounded.
    Goto {
        /// The block.
        block: BlockId,
        /// The resume point of the block, if the transition is not a call.
        bounce: Option<ResumePointId>,
    },
    /// Issues a command and suspends the frame.
    Wait {
        /// The command.
        command: Command,
        /// The resume point.
        point: ResumePointId,
        /// The block that handles a fault of the command's expressions.
        on_fault: Option<BlockId>,
        /// Locals that the resume point or the handler needs.
        live_after: BTreeSet<LocalId>,
    },
    /// Ends the frame with this output.
    Done(Expr),
    /// Ends the whole execution with this output.
    Terminate(Expr),
    /// Fails the frame.
    Fail {
        /// The error name.
        error: Option<Expr>,
        /// The cause.
        cause: Option<Expr>,
    },
    /// Fails the frame with the fault that this call yields.
    FailWith(Expr),
    /// Passes the fault in this local on to the handler. Without a handler the frame fails.
    Raise {
        /// The local that holds the fault.
        fault: LocalId,
        /// The handler.
        handler: Option<BlockId>,
    },
    /// Continues with the first arm whose condition holds.
    Choose {
        /// The conditions, each with its continuation.
        arms: Vec<(Expr, BlockBody)>,
        /// The continuation where no condition holds.
        otherwise: Box<BlockBody>,
        /// The block that handles a fault of a condition.
        on_fault: Option<BlockId>,
    },
    /// Retries, catches or passes on a fault.
    Handle {
        /// The local that holds the fault.
        fault: LocalId,
        /// The retriers, their counters, and the resume point after the back-off.
        retry: Option<(RetriersId, LocalId, ResumePointId)>,
        /// Errors, each list with its continuation.
        catchers: Vec<(Vec<ErrorMatch>, BlockBody)>,
        /// The continuation where no retrier and no catcher matches.
        otherwise: Box<BlockBody>,
    },
}

/// A command: a request of a frame to the engine, whose completion it awaits.
#[derive(Debug, Clone)]
pub enum Command {
    /// Invokes a task.
    Invoke(Box<Invoke>),
    /// Waits for a time.
    Wait(Wait),
    /// Runs branches.
    Fork {
        /// The number of branches.
        branches: usize,
        /// The branches that it awaits.
        join: Join,
    },
    /// Awaits an event.
    Receive {
        /// The events.
        receive: Box<Receive>,
        /// The deadline: an RFC 3339 time, as a value. The result is null if it passes.
        until: Option<Expr>,
    },
    /// Publishes an event.
    Publish(Box<Publish>),
    /// Starts a child execution.
    Call {
        /// The workflow or scope to start.
        target: Callee,
        /// The input.
        input: Expr,
        /// `true` for a detached child.
        detached: bool,
        /// The time-out.
        timeout: Option<Seconds>,
    },
    /// Runs one frame for each item.
    ForEach {
        /// The local that holds the array.
        items: LocalId,
        /// The maximum number of concurrent frames.
        limit: Option<Expr>,
        /// The interval between the starts of frames.
        delay: Option<Seconds>,
        /// The number of frames that may fail.
        tolerated_count: Option<Expr>,
        /// The percentage of frames that may fail.
        tolerated_percentage: Option<Expr>,
        /// `true` if frames start in batches of `limit`.
        in_batches: bool,
        /// `true` if the results have indexes and are in completion order.
        completion_order: bool,
    },
}

/// The workflow or scope that a child execution runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Callee {
    /// A workflow, by name.
    Workflow(String),
    /// A scope of this workflow.
    Entry(EntryId),
    /// A distributed Map of this workflow. The input has its settings.
    Map(MapId),
}

/// The row of a distributed Map in the definition.
#[derive(Debug, Clone, PartialEq)]
pub struct MapRow {
    /// The authored name of the state.
    pub state: String,
    /// The label.
    pub label: String,
    /// The scope that runs for each item or batch.
    pub entry: EntryId,
    /// The scope that selects what an execution receives for an item.
    pub selector: Option<EntryId>,
    /// The kind of reader.
    pub reader: Option<ReaderKind>,
    /// `true` if the results are written to an object store.
    pub has_writer: bool,
}

/// A suspension point: where a frame can be saved and resumed.
#[derive(Debug, Clone)]
pub struct ResumePoint {
    /// The Rust identifier of the variant.
    pub name: String,
    /// The unique name in snapshots, made of authored names.
    pub tag: String,
    /// Index among the points of the same authored name in sibling branches, and the number of
    /// these points.
    pub among: (u32, u32),
    /// The state that it comes from. `None` for the entry of a scope.
    pub origin: Option<Origin>,
    /// The text of its comment.
    pub doc: String,
    /// The saved locals, in an order that depends on the payload only.
    pub payload: Vec<LocalId>,
    /// The names of the saved locals.
    pub names: LocalIdents,
    /// The continuation.
    pub kind: ResumePointKind,
}

/// The continuation of a frame from a resume point.
#[derive(Debug, Clone)]
pub enum ResumePointKind {
    /// Runs this block at once: the entry of a scope or the head of a loop.
    Enter(BlockId),
    /// Runs this block with the awaited result.
    Resume(BlockId),
    /// Runs this block after a time has passed.
    Elapsed(BlockId),
    /// Starts branches, then continues like `Resume`.
    Fork(BlockId, Vec<ResumePointId>),
    /// Starts a frame for each item, then continues like `Resume`.
    ForEach {
        /// The block that receives the outputs.
        block: BlockId,
        /// The entry of the body.
        child: ResumePointId,
        /// The local of the body that receives the item.
        item: LocalId,
    },
}

impl ResumePoint {
    /// Returns `true` if the frame of the top level waits here.
    pub fn is_top_level(&self) -> bool {
        let origin = self.origin.as_ref();
        !matches!(self.kind, ResumePointKind::Enter(_)) && origin.is_some_and(|origin| origin.scope == ScopeId(0))
    }
}

impl ResumePointKind {
    /// Returns the block that runs after the resume point, for changes.
    pub fn block_mut(&mut self) -> &mut BlockId {
        match self {
            ResumePointKind::Enter(block)
            | ResumePointKind::Resume(block)
            | ResumePointKind::Elapsed(block)
            | ResumePointKind::Fork(block, _)
            | ResumePointKind::ForEach { block, .. } => block,
        }
    }

    /// Returns the block that runs after the resume point.
    pub fn block(&self) -> BlockId {
        match self {
            ResumePointKind::Enter(block)
            | ResumePointKind::Resume(block)
            | ResumePointKind::Elapsed(block)
            | ResumePointKind::Fork(block, _)
            | ResumePointKind::ForEach { block, .. } => *block,
        }
    }
}

impl Machine {
    /// Returns the block `id`.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id]
    }

    /// Returns the resume point `id`.
    pub fn point(&self, id: ResumePointId) -> &ResumePoint {
        &self.points[id]
    }

    /// Keeps these blocks, in this order, and no others. No block or resume point refers to the
    /// others.
    pub fn keep_blocks(&mut self, kept: &[BlockId]) {
        let mut places = IndexVec::filled_like(&self.blocks, BlockId(0));
        for (at, block) in (0..).zip(kept) {
            places[*block] = BlockId(at);
        }
        let blocks = std::mem::take(&mut self.blocks);
        let mut blocks: IndexVec<BlockId, Option<Block>> = blocks.into_iter().map(Some).collect();
        self.blocks = kept.iter().filter_map(|block| blocks[*block].take()).collect();
        for point in &mut self.points {
            let block = point.kind.block_mut();
            *block = places[*block];
        }
        for block in &mut self.blocks {
            block.body.targets_mut(&mut |block| *block = places[*block]);
        }
    }

    /// Returns the local `id`.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id]
    }
}

impl Command {
    /// Returns the expressions that the command evaluates.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Command::Invoke(invoke) => {
                let seconds = [&invoke.timeout, &invoke.heartbeat].into_iter().flatten().filter_map(Seconds::expr);
                std::iter::once(&invoke.input).chain(&invoke.credentials).chain(seconds).collect()
            }
            Command::Wait(Wait::For(seconds)) => seconds.expr().into_iter().collect(),
            Command::Wait(Wait::Until(time)) => vec![time],
            Command::Fork { .. } => Vec::new(),
            Command::Receive { receive, until } => until.iter().chain(&receive.collected).collect(),
            Command::Publish(publish) => vec![&publish.data],
            Command::Call { input, timeout, .. } => {
                std::iter::once(input).chain(timeout.iter().filter_map(Seconds::expr)).collect()
            }
            Command::ForEach { limit, delay, tolerated_count, tolerated_percentage, .. } => {
                let delay = delay.iter().filter_map(Seconds::expr);
                limit.iter().chain(delay).chain(tolerated_count).chain(tolerated_percentage).collect()
            }
        }
    }

    /// Calls `visit` with every expression that the command evaluates.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        let seconds = |seconds: &mut Seconds, visit: &mut dyn FnMut(&mut Expr)| {
            if let Seconds::Computed(value) = seconds {
                visit(value);
            }
        };
        match self {
            Command::Invoke(invoke) => {
                visit(&mut invoke.input);
                invoke.credentials.iter_mut().for_each(&mut *visit);
                invoke.timeout.iter_mut().chain(&mut invoke.heartbeat).for_each(|limit| seconds(limit, visit));
            }
            Command::Wait(Wait::For(time)) => seconds(time, visit),
            Command::Wait(Wait::Until(time)) => visit(time),
            Command::Fork { .. } => {}
            Command::Receive { receive, until } => until.iter_mut().chain(&mut receive.collected).for_each(visit),
            Command::Publish(publish) => visit(&mut publish.data),
            Command::Call { input, timeout, .. } => {
                visit(input);
                timeout.iter_mut().for_each(|limit| seconds(limit, visit));
            }
            Command::ForEach { limit, delay, tolerated_count, tolerated_percentage, .. } => {
                delay.iter_mut().for_each(|delay| seconds(delay, visit));
                [limit, tolerated_count, tolerated_percentage].into_iter().flatten().for_each(visit);
            }
        }
    }

    /// Returns the locals that the command reads.
    pub fn locals(&self) -> Vec<LocalId> {
        let mut found: Vec<LocalId> = self.exprs().into_iter().flat_map(Expr::locals).collect();
        if let Command::ForEach { items, .. } = self {
            found.push(*items);
        }
        found
    }
}
