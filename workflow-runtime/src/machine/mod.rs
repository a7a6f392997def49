//! The machine: the interface between generated code, which is plain functions over one enum of resumable points, and the
//! engines, which carry out commands and deliver what became of them. It does no input or output, and knows no time but
//! the one it is told.

mod batch;
mod call;
mod called;
mod cancel;
mod command;
mod context;
mod core;
mod definition;
mod events;
mod exec;
mod execution;
mod frame;
mod functions;
mod join;
mod notify;
mod random;
mod retry;
mod rows;
mod saved;
mod schedule;
mod snapshot;
mod start;
mod starting;
mod tables;
mod terminate;
mod tracker;
mod turn;

use crate::fault::Fault;
use crate::value::Value;
use crate::value::codec::{LoadError, Reader, Writer};

pub use self::core::Core;
pub use batch::{Batch, Batching};
pub use call::{Call, Target};
pub use called::{Called, called};
pub use command::{CallId, Command, FrameId, Invocation, Op, Outcome};
pub use definition::{
    CheckInput, Correlation, Definition, OnTimeout, Point, ReadCorrelation, StartsOn, StateInfo, Task, VERSION_0_1_0,
    Version,
};
pub use events::{Delivery, EVENTS_KEPT, EVENTS_SPARE, EventInfo, Reception};
pub use exec::Exec;
pub use execution::{Execution, Program, Waiting, WaitsFor};
pub use functions::FunctionLimits;
pub use join::Limits;
#[cfg(feature = "composer")]
pub(crate) use random::Stream as RandomStream;
pub use retry::{Jitter, Retrier, Retries, Tries};
pub use rows::{Changes, Row, StoredRow};
pub use schedule::{Active, Inactive, Schedule};
pub use start::Start;
pub use starting::{First, Here, Opening};
pub use turn::{Turn, count, seconds, timestamp};

/// A workflow: what generated code declares one with.
pub trait Workflow: 'static {
    /// Its state enum.
    type State: Machine;
    /// What is known of it without running it.
    const DEFINITION: &'static Definition;
}

/// The state enum of a workflow: one variant for every point at which an execution can wait, and for every entry of a
/// branch. Generated code implements it.
pub trait Machine: Sized + Send + 'static {
    /// The entry of the top level.
    fn start(input: Value) -> Self;

    /// An entry of a part that runs as an execution of its own; none of other numbers.
    fn entry(number: u32, input: &Value) -> Option<Self> {
        let _ = (number, input);
        None
    }

    /// The document of the top level, where an execution that takes too long goes on with it.
    fn document(&self) -> Option<&Value> {
        None
    }

    /// Runs on from an entry: the start of a branch, the head of a loop. Nothing was waited for.
    fn enter(self, turn: &mut Turn<Self>) -> Step<Self>;

    /// Runs on after what the point has waited for.
    fn resume(self, done: Outcome, turn: &mut Turn<Self>) -> Step<Self>;

    /// The entry of branch `index` of a point that forks, or of iteration `index` over `item`; none at other points.
    fn child(&self, index: usize, item: &Value) -> Option<Self> {
        let _ = (index, item);
        None
    }

    /// The point, as the definition lists it.
    fn point(&self) -> &'static Point;

    /// Writes what the point keeps; its name has been written before.
    fn save(&self, w: &mut Writer);

    /// Reads what the point of this name keeps.
    fn load(point: &str, r: &mut Reader<'_>) -> Result<Self, LoadError>;
}

/// What a frame does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Go<M> {
    /// It waits here for what the turn was asked for.
    Wait(M),
    /// It enters this point at once.
    Next(M),
    /// It ends with this value.
    Done(Value),
    /// The whole execution ends with this value.
    Terminate(Value),
}

/// What a frame does next; a fault ends it.
pub type Step<M> = Result<Go<M>, Fault>;

/// Waits here for what the turn was asked for.
#[inline]
pub fn wait<M>(state: M) -> Step<M> {
    Ok(Go::Wait(state))
}

/// Enters the point next, on a stack that does not grow.
#[inline]
pub fn next<M>(state: M) -> Step<M> {
    Ok(Go::Next(state))
}

/// Ends the frame.
#[inline]
pub fn done<M>(value: Value) -> Step<M> {
    Ok(Go::Done(value))
}

/// Ends the whole execution, from however deep inside of it, as soon as the tasks under way have ended.
#[inline]
pub fn terminate<M>(value: Value) -> Step<M> {
    Ok(Go::Terminate(value))
}
