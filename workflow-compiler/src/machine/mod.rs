//! The low IR that the emitter prints: blocks that run without waiting, and the points between them.
//!
//! A [`Block`] becomes one Rust function; a [`Point`] becomes one variant of the state enum. Everything is decided here:
//! names, parameters, payloads, what is moved and what is copied. The emitter prints.

mod layout;
mod print;

use crate::expr::{Expr, LocalId, Program};
use crate::hir::{Invoke, LocalKind, Publish, Receive, Retrier, Run, ScopeId, Seconds, Wait};
use crate::passes::names::Scope;
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Index of a block in [`Machine::blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// Index of a point in [`Machine::points`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

/// A workflow ready to be printed.
#[derive(Debug, Clone)]
pub struct Machine {
    /// What the locals are called and hold.
    pub locals: Vec<Local>,
    /// The functions.
    pub blocks: Vec<Block>,
    /// The resumable points.
    pub points: Vec<Point>,
    /// The point an execution starts at.
    pub entry: PointId,
    /// The local that holds the input of the execution at [`Machine::entry`].
    pub input: LocalId,
    /// Lists of retriers, each with the name of its constant.
    pub retriers: Vec<(String, Vec<Retrier>)>,
    /// The names of the functions that scripts become, by [`ScriptId`](crate::hir::ScriptId).
    pub scripts: Vec<String>,
    /// The programs that expressions apply, each once, with the name of its function.
    pub programs: Vec<(String, Arc<Program>)>,
    /// The identifiers of the module that no local of a function may have.
    pub constants: Arc<Scope>,
    /// Whether anything reads the context object.
    pub context: bool,
    /// The parts that run as executions of their own: where each starts, and the local that receives its input.
    pub entries: Vec<(PointId, LocalId)>,
    /// The entry at which an execution goes on that takes too long, and the local of the top level that it is given.
    pub on_timeout: Option<(u32, LocalId)>,
}

/// A local with its final name.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// A Rust identifier.
    pub name: String,
    /// What it is called without regard to other names: a variable's name as authored.
    pub authored: String,
    /// What it holds.
    pub kind: LocalKind,
}

/// Where an authored name and its place are shown: `Charge`, and the span of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The authored name of the state.
    pub state: String,
    /// Its place.
    pub span: Span,
    /// The scope it is in.
    pub scope: ScopeId,
    /// The states around that scope, the outermost first.
    pub within: Vec<Arc<str>>,
}

/// A function: runs from a point, or from another block, to the next point.
#[derive(Debug, Clone)]
pub struct Block {
    /// A Rust identifier.
    pub name: String,
    /// The state it belongs to; none for the entry of a scope.
    pub origin: Option<Origin>,
    /// What the function is for, in the words of its doc comment; the state's own comment for its first block.
    pub doc: String,
    /// The locals it needs, in order: its parameters.
    pub params: Vec<LocalId>,
    /// What it does.
    pub tail: Tail,
}

/// Operations and the way on.
#[derive(Debug, Clone)]
pub struct Tail {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// The way on.
    pub end: End,
}

/// One operation.
#[derive(Debug, Clone)]
pub struct Op {
    /// What is done.
    pub kind: OpKind,
    /// The block that handles a fault of this operation; without one the frame fails.
    pub on_fault: Option<BlockId>,
    /// Locals that are needed after this operation or by its handler: they must not be moved away by it.
    pub keeps: BTreeSet<LocalId>,
}

/// What an operation does.
#[derive(Debug, Clone)]
pub enum OpKind {
    /// Tells observers that the state is entered with this input.
    Enter {
        /// The state's authored name.
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
    /// Sets several locals after computing all values.
    Assign(Vec<(LocalId, Expr)>),
    /// Declares a variable that has no value yet.
    Declare(LocalId),
    /// Makes fresh retry counters.
    NewRetries(LocalId),
    /// Makes fresh counters of tries, and lets what follows be the first try.
    BeginTries {
        /// The counters.
        tries: LocalId,
        /// Whether that is inside of what may be tried again, too.
        inner: bool,
    },
    /// Numbers calls from here on as if so many had been made.
    CountCalls {
        /// Since these counters were made, or else the frame.
        tries: Option<LocalId>,
        /// How many.
        calls: u32,
    },
    /// Takes the result that the point waited for.
    Receive(LocalId),
    /// Adds the state's name to a fault that came out of an expression.
    Locate(LocalId),
    /// Runs a script on the document, in place.
    Run(Run),
    /// Shows a value to an inspector.
    Inspect {
        /// The stage.
        stage: &'static str,
        /// The value.
        value: Expr,
    },
}

/// The way on from a tail.
#[derive(Debug, Clone)]
pub enum End {
    /// To another block. Where it `bounces`, through the block's own point, so that the native stack stays small.
    Goto {
        /// The block.
        block: BlockId,
        /// The point to go through instead of a call.
        bounce: Option<PointId>,
    },
    /// Issues a command and waits at the point.
    Wait {
        /// The command.
        command: Command,
        /// The point.
        point: PointId,
        /// The block that handles a fault in the command's expressions.
        on_fault: Option<BlockId>,
        /// Locals that the point or the handler needs.
        keeps: BTreeSet<LocalId>,
    },
    /// The frame ends with this output.
    Done(Expr),
    /// The whole run ends with this output.
    Terminate(Expr),
    /// The frame fails.
    Fail {
        /// The error's name.
        error: Option<Expr>,
        /// The cause.
        cause: Option<Expr>,
    },
    /// The frame fails with a fault: a call that yields one.
    FailWith(Expr),
    /// The fault in this local is passed on: to a handler, or the frame fails.
    Raise {
        /// The local that holds the fault.
        fault: LocalId,
        /// The handler.
        handler: Option<BlockId>,
    },
    /// The first arm whose condition holds.
    Choose {
        /// Condition and what follows.
        arms: Vec<(Expr, Tail)>,
        /// What follows when none holds.
        otherwise: Box<Tail>,
        /// The block that handles a fault in a condition.
        on_fault: Option<BlockId>,
    },
    /// Retries, catches, or passes on a fault.
    Handle {
        /// The local that holds the fault.
        fault: LocalId,
        /// The retriers (index in [`Machine::retriers`]), their counters, and the point of the back-off.
        retry: Option<(usize, LocalId, PointId)>,
        /// Error names and what follows for them.
        catchers: Vec<(Vec<String>, Tail)>,
        /// What follows when no one handles it.
        otherwise: Box<Tail>,
    },
}

/// What a point waits for.
#[derive(Debug, Clone)]
pub enum Command {
    /// A task.
    Invoke(Box<Invoke>),
    /// Time.
    Wait(Wait),
    /// Branches: so many.
    Fork(usize),
    /// The first so many of branches.
    Race {
        /// How many there are.
        branches: usize,
        /// How many are waited for.
        first: u32,
    },
    /// An event.
    Receive(Box<Receive>),
    /// That an event was published.
    Publish(Box<Publish>),
    /// An execution.
    Call {
        /// What is started.
        target: Callee,
        /// What it is given.
        input: Expr,
        /// Whether its end is not waited for.
        detached: bool,
        /// When it is given up.
        timeout: Option<Seconds>,
    },
    /// One frame for every item.
    ForEach {
        /// The local that holds the array.
        items: LocalId,
        /// How many at the same time.
        limit: Option<Expr>,
        /// The time between the starts of two.
        delay: Option<Seconds>,
        /// How many may fail.
        tolerated_count: Option<Expr>,
        /// What share may fail.
        tolerated_percentage: Option<Expr>,
        /// Whether as many as may run at the same time are started together.
        in_batches: bool,
        /// Whether the results are in the order of their ends, with their numbers.
        in_order: bool,
    },
}

/// What is started.
#[derive(Debug, Clone, PartialEq)]
pub enum Callee {
    /// A workflow, by its name.
    Workflow(String),
    /// An entry of this one, by its number in [`Machine::entries`].
    Entry(u32),
}

/// A place where a frame can be saved, and run on from.
#[derive(Debug, Clone)]
pub struct Point {
    /// A Rust identifier: the variant.
    pub name: String,
    /// The name in snapshots: made of authored names, unique.
    pub tag: String,
    /// Which one it is of those that have the same authored name, in branches beside each other, and how many there are.
    pub among: (u32, u32),
    /// The state it belongs to; none for the entry of a scope.
    pub origin: Option<Origin>,
    /// What its comment says.
    pub doc: String,
    /// What it carries, in an order that depends on nothing but what it is.
    pub payload: Vec<LocalId>,
    /// How the frame runs on.
    pub kind: PointKind,
}

/// How a frame runs on from a point.
#[derive(Debug, Clone)]
pub enum PointKind {
    /// At once, with this block: the entry of a scope or the head of a loop.
    Enter(BlockId),
    /// With this block, which receives what was waited for.
    Resume(BlockId),
    /// With this block, after a time that only had to pass.
    Elapsed(BlockId),
    /// As `Resume`; before that it starts these branches.
    Fork(BlockId, Vec<PointId>),
    /// As `Resume`; before that it starts a frame for each item, which receives it in the local.
    ForEach {
        /// The block that receives the outputs.
        block: BlockId,
        /// The entry of the body.
        child: PointId,
        /// The local that receives the item in the body.
        item: LocalId,
    },
}

impl Point {
    /// Whether the frame of the top level waits here.
    pub fn is_top_level(&self) -> bool {
        let origin = self.origin.as_ref();
        !matches!(self.kind, PointKind::Enter(_)) && origin.is_some_and(|origin| origin.scope == ScopeId(0))
    }
}

impl PointKind {
    /// The block that runs on from the point.
    pub fn block(&self) -> BlockId {
        match self {
            PointKind::Enter(block)
            | PointKind::Resume(block)
            | PointKind::Elapsed(block)
            | PointKind::Fork(block, _) => *block,
            PointKind::ForEach { block, .. } => *block,
        }
    }
}

impl Machine {
    /// The block `id`.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The point `id`.
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.0 as usize]
    }

    /// The local `id`.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

impl Command {
    /// The expressions it evaluates.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Command::Invoke(invoke) => {
                let seconds = [&invoke.timeout, &invoke.heartbeat].into_iter().flatten().filter_map(Seconds::expr);
                std::iter::once(&invoke.input).chain(&invoke.credentials).chain(seconds).collect()
            }
            Command::Wait(Wait::For(seconds)) => seconds.expr().into_iter().collect(),
            Command::Wait(Wait::Until(time)) => vec![time],
            Command::Fork(_) | Command::Race { .. } => Vec::new(),
            Command::Receive(receive) => receive.until.iter().chain(&receive.collected).collect(),
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

    /// Calls `visit` with every expression it evaluates.
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
            Command::Fork(_) | Command::Race { .. } => {}
            Command::Receive(receive) => receive.until.iter_mut().chain(&mut receive.collected).for_each(visit),
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

    /// The locals it reads.
    pub fn locals(&self) -> Vec<LocalId> {
        let mut found: Vec<LocalId> = self.exprs().into_iter().flat_map(Expr::locals).collect();
        if let Command::ForEach { items, .. } = self {
            found.push(*items);
        }
        found
    }
}

impl Tail {
    /// The tails inside it and this one, outer first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Tail)) {
        visit(self);
        match &self.end {
            End::Choose { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, tail)| tail.walk(visit));
                otherwise.walk(visit);
            }
            End::Handle { catchers, otherwise, .. } => {
                catchers.iter().for_each(|(_, tail)| tail.walk(visit));
                otherwise.walk(visit);
            }
            End::Goto { .. }
            | End::Wait { .. }
            | End::Done(_)
            | End::Terminate(_)
            | End::Fail { .. }
            | End::FailWith(_)
            | End::Raise { .. } => {}
        }
    }

    /// Calls `visit` with every block it refers to.
    pub fn targets_mut(&mut self, visit: &mut dyn FnMut(&mut BlockId)) {
        self.ops.iter_mut().filter_map(|op| op.on_fault.as_mut()).for_each(&mut *visit);
        match &mut self.end {
            End::Goto { block, .. } => visit(block),
            End::Wait { on_fault, .. } => on_fault.iter_mut().for_each(visit),
            End::Raise { handler, .. } => handler.iter_mut().for_each(visit),
            End::Choose { arms, otherwise, on_fault } => {
                on_fault.iter_mut().for_each(&mut *visit);
                arms.iter_mut().for_each(|(_, tail)| tail.targets_mut(visit));
                otherwise.targets_mut(visit);
            }
            End::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, tail)| tail.targets_mut(visit));
                otherwise.targets_mut(visit);
            }
            End::Done(_) | End::Terminate(_) | End::Fail { .. } | End::FailWith(_) => {}
        }
    }

    /// Calls `visit` with every expression in it.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for op in &mut self.ops {
            match &mut op.kind {
                OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => visit(value),
                OpKind::Assign(values) => values.iter_mut().for_each(|(_, value)| visit(value)),
                OpKind::Enter { .. }
                | OpKind::Declare(_)
                | OpKind::NewRetries(_)
                | OpKind::BeginTries { .. }
                | OpKind::CountCalls { .. }
                | OpKind::Receive(_)
                | OpKind::Run(_)
                | OpKind::Locate(_) => {}
            }
        }
        match &mut self.end {
            End::Wait { command, .. } => command.exprs_mut(visit),
            End::Done(output) | End::Terminate(output) | End::FailWith(output) => visit(output),
            End::Fail { error, cause } => error.iter_mut().chain(cause).for_each(visit),
            End::Choose { arms, otherwise, .. } => {
                for (condition, tail) in arms {
                    visit(condition);
                    tail.exprs_mut(visit);
                }
                otherwise.exprs_mut(visit);
            }
            End::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, tail)| tail.exprs_mut(visit));
                otherwise.exprs_mut(visit);
            }
            End::Goto { .. } | End::Raise { .. } => {}
        }
    }

    /// Calls `visit` with every `Goto` in it.
    pub fn gotos_mut(&mut self, visit: &mut dyn FnMut(BlockId, &mut Option<PointId>)) {
        match &mut self.end {
            End::Goto { block, bounce } => visit(*block, bounce),
            End::Choose { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, tail)| tail.gotos_mut(visit));
                otherwise.gotos_mut(visit);
            }
            End::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, tail)| tail.gotos_mut(visit));
                otherwise.gotos_mut(visit);
            }
            End::Wait { .. }
            | End::Done(_)
            | End::Terminate(_)
            | End::Fail { .. }
            | End::FailWith(_)
            | End::Raise { .. } => {}
        }
    }

    /// The blocks it may call: by a transition, or to handle a fault.
    pub fn calls(&self) -> Vec<BlockId> {
        let mut found = Vec::new();
        self.walk(&mut |tail| {
            found.extend(tail.ops.iter().filter_map(|op| op.on_fault));
            match &tail.end {
                End::Goto { block, .. } => found.push(*block),
                End::Wait { on_fault, .. } | End::Choose { on_fault, .. } => found.extend(*on_fault),
                End::Raise { handler, .. } => found.extend(*handler),
                End::Done(_) | End::Terminate(_) | End::Fail { .. } | End::FailWith(_) | End::Handle { .. } => {}
            }
        });
        found
    }
}
