//! The state machine: the interface between generated code and engines.
//!
//! Generated code is plain functions over one enum of suspension points. Engines carry out
//! commands and deliver their completions. The machine itself does no input or output, and reads
//! no clock: every completion carries its time.

mod awaited_event;
mod batch;
mod call;
mod cancel;
mod command;
mod context;
mod core;
mod definition;
mod event_triggers;
mod events;
mod exec;
mod execution;
mod frame;
mod functions;
mod header;
mod info;
mod join;
mod map_run;
mod notify;
pub(crate) mod observer;
mod occasional;
mod occurrence;
mod part;
mod random;
mod resolve_workflow;
mod retry;
mod rows;
mod saved;
mod schedule;
mod snapshot;
mod start;
mod suspension_points;
mod task_state;
mod terminate;
mod tracker;
mod turn;

use crate::fault::Fault;
use crate::value::Value;
use crate::value::codec::{LoadError, Reader, Writer};

pub use self::core::Core;
pub use awaited_event::{AwaitedEvent, Difference, UnwantedEvent};
pub use batch::{Batch, Batching};
pub use call::{Call, Target};
pub use command::{CallId, Command, FrameId, Invocation, Op, Outcome};
pub use definition::{
    CheckInput, Correlation, Definition, DescribeInput, DistributedMap, OnTimeout, ReadCorrelation, StartsOn,
    StateInfo, SuspensionPoint, Task,
};
pub use event_triggers::{StartCondition, StartStateWait, TriggerMatch};
pub use events::{Delivery, EventInfo, INBOX_CAPACITY, INBOX_OVERFLOW, Reception};
pub use exec::Exec;
pub use execution::{Execution, Program, Waiting, WaitsFor};
pub use functions::{FunctionLimits, JsonataLimits};
pub use info::ExecutionInfo;
pub use join::Limits;
#[cfg(feature = "testing")]
pub(crate) use map_run::fault_of_failures;
pub use map_run::{InvalidMapUpdate, MapCounts, MapUpdate};
pub use occurrence::{Occurrence, Stop};
pub use part::Part;
#[cfg(any(feature = "composer", feature = "memory"))]
pub(crate) use random::Stream as RandomStream;
#[doc(hidden)]
pub use resolve_workflow::nearest_name;
pub use resolve_workflow::resolve_workflow;
pub use retry::{BlockRetries, Retries};
pub use rows::{Changes, Row, StoredRow};
pub use schedule::Inactive;
pub use start::{SharedOptions, SharedParts, Start};
pub(crate) use task_state::WaitingWakers;
pub use turn::{Turn, count, seconds, timestamp};
pub use workflow_model::{Active, Jitter, ReaderKind, Retrier, Schedule, WorkflowId};
#[doc(hidden)]
pub use workflow_model::{CONTEXT_SETTING, MOCKED};
#[doc(hidden)]
pub use workflow_model::{reader_rules, store_address};

/// A workflow, as generated code declares it.
///
/// ```
/// use workflow_runtime::task::Invoke;
/// use workflow_runtime::{Builder, Fault, Value, Workflow};
///
/// /// Runs any workflow whose tasks are dispatched at run time.
/// async fn run<W: Workflow>(tasks: &dyn Invoke, input: Value) -> Result<Value, Fault> {
///     Builder::<W>::new().tasks(tasks).run(input).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a workflow",
    label = "this is not a workflow",
    note = "`include_workflow!(\"flows/order.asl.json\")` declares the workflow `order::Order`"
)]
pub trait Workflow: 'static {
    /// Its state enum.
    type State: Machine;
    /// Its definition as data.
    const DEFINITION: &'static Definition;
}

/// The state enum of a workflow: one variant for every suspension point, and for every entry of a
/// branch. Generated code implements the trait.
pub trait Machine: Sized + Send + 'static {
    /// The suspension points, in the order of the variants.
    const POINTS: &'static [SuspensionPoint];

    /// Returns the entry of the top level.
    fn start(input: Value) -> Self;

    /// Returns the entry of this number, which runs as a child execution. `None` for unknown
    /// numbers.
    fn entry(number: u32, input: &Value) -> Option<Self> {
        let _ = (number, input);
        None
    }

    /// Returns the document of the top level, if the handler of the execution's time-out needs it.
    fn document(&self) -> Option<&Value> {
        None
    }

    /// Runs from an entry: the start of a branch or the head of a loop. Nothing was awaited.
    fn enter(self, turn: &mut Turn<Self>) -> TurnResult<Self>;

    /// Runs on with the outcome of the awaited command or children.
    fn resume(self, done: Outcome, turn: &mut Turn<Self>) -> TurnResult<Self>;

    /// Returns the entry of branch `index`, or of iteration `index` over `item`. `None` if the
    /// suspension point has no such child.
    fn child(&self, index: usize, item: &Value) -> Option<Self> {
        let _ = (index, item);
        None
    }

    /// Returns the suspension point, as the definition lists it.
    fn point(&self) -> &'static SuspensionPoint;

    /// Writes the values stored at the suspension point. Its name has been written before.
    fn save(&self, w: &mut Writer);

    /// Reads the values stored at the suspension point of this name.
    fn load(point: &str, r: &mut Reader<'_>) -> Result<Self, LoadError>;
}

/// The next action of a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameAction<M> {
    /// Suspends here, until the request of the turn has completed.
    Wait(M),
    /// Enters this point at once.
    Next(M),
    /// Ends the frame with this output.
    Done(Value),
    /// Terminates the execution with this output.
    Terminate(Value),
}

/// The result of running a frame: its next action, or the fault that ends it.
pub type TurnResult<M> = Result<FrameAction<M>, Fault>;

/// Suspends here, until the request of the turn has completed.
#[inline]
pub fn wait<M>(state: M) -> TurnResult<M> {
    Ok(FrameAction::Wait(state))
}

/// Enters the point next, without growth of the stack.
#[inline]
pub fn next<M>(state: M) -> TurnResult<M> {
    Ok(FrameAction::Next(state))
}

/// Ends the frame.
#[inline]
pub fn done<M>(value: Value) -> TurnResult<M> {
    Ok(FrameAction::Done(value))
}

/// Terminates the execution, from any depth of nesting, as soon as the commands in progress have
/// completed.
#[inline]
pub fn terminate<M>(value: Value) -> TurnResult<M> {
    Ok(FrameAction::Terminate(value))
}
