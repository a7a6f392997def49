//! Descriptions of executions.

use super::{Status, Summary};
use crate::machine::{AwaitedEvent, MapCounts, Outcome};
use crate::{Timestamp, Value};

/// Full description of an execution.
///
/// ```no_run
/// use workflow_runtime::engine::{Engine, EngineError, WaitsFor};
///
/// # async fn describe(engine: &dyn Engine) -> Result<(), EngineError> {
/// let description = engine.describe("order-17").await?;
/// for wait in &description.waiting {
///     match (&wait.waits_for, &wait.token) {
///         (WaitsFor::Token(task), Some(token)) => println!("{}: {task} waits for {token}", wait.state),
///         (WaitsFor::Event(_), _) => println!("{}: an event, until {:?} ({:?})", wait.state, wait.until, wait.deadline),
///         _ => println!("{}", wait.state),
///     }
/// }
/// for child in &description.children {
///     println!("{} of {}: {}", child.id, child.workflow, child.status.name());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// Summary.
    pub summary: Summary,
    /// Input, if the engine returns it.
    pub input: Option<Value>,
    /// Outcome, or the reason for parking.
    pub outcome: Option<Outcome>,
    /// Time-out of the execution.
    pub deadline: Option<Timestamp>,
    /// Correlation key. `None` if the engine does not return it, or an older program has stored
    /// the execution.
    pub correlation: Option<String>,
    /// Waiting branches. Of a failed execution, those before the failure.
    pub waiting: Vec<WaitsAt>,
    /// Number of recent crashes of the process while it was running.
    pub crashes: u32,
    /// Number of times that another engine run has continued it.
    pub restarts: u32,
    /// Number of redrives.
    pub redrives: u32,
    /// Id of the parent, if any.
    pub parent: Option<String>,
    /// Children, newest first, at most 100.
    pub children: Vec<Child>,
    /// Of a run of a distributed Map that has ended: the numbers of its items. While it runs,
    /// [`WaitsFor::Map`] has them.
    pub items: Option<MapCounts>,
}

impl Description {
    /// Returns a description without anything else.
    pub fn new(summary: Summary) -> Description {
        Description {
            summary,
            input: None,
            outcome: None,
            deadline: None,
            correlation: None,
            waiting: Vec::new(),
            crashes: 0,
            restarts: 0,
            redrives: 0,
            parent: None,
            children: Vec::new(),
            items: None,
        }
    }
}

/// Child execution.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Child {
    /// Id.
    pub id: String,
    /// Name of the workflow.
    pub workflow: String,
    /// Status.
    pub status: Status,
    /// Set if the parent awaits the child's end, or did.
    pub awaited: bool,
}

impl Child {
    /// Returns a child.
    pub fn new(id: impl Into<String>, workflow: impl Into<String>, status: Status, awaited: bool) -> Child {
        Child { id: id.into(), workflow: workflow.into(), status, awaited }
    }
}

/// Waiting branch of an execution.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WaitsAt {
    /// Frame number, 0 for the top level.
    pub frame: u32,
    /// Branches and iterations around the state, `Ship[0]/Pack[1]`, if the engine returns them.
    pub path: Option<String>,
    /// Name of the state.
    pub state: String,
    /// Event, task or other thing that it waits for.
    pub waits_for: WaitsFor,
    /// Time at which it continues or times out.
    pub until: Option<Timestamp>,
    /// Kind of `until`; `None` if an earlier version has written the wait.
    pub deadline: Option<Deadline>,
    /// Token by which an outcome can arrive.
    pub token: Option<String>,
    /// Set if the outcome of the wait is stored, and the execution has not processed it yet.
    pub has_outcome: bool,
    /// Id of the awaited child.
    pub child: Option<String>,
}

impl WaitsAt {
    /// Returns a wait of the frame 0 without anything else.
    pub fn new(state: impl Into<String>, waits_for: WaitsFor) -> WaitsAt {
        WaitsAt {
            frame: 0,
            path: None,
            state: state.into(),
            waits_for,
            until: None,
            deadline: None,
            token: None,
            has_outcome: false,
            child: None,
        }
    }
}

/// Kind of wait of a branch.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WaitsFor {
    /// Running task, by its key.
    Task(String),
    /// Outcome by token of the task with this key.
    Token(String),
    /// Time.
    Time,
    /// Its own branches.
    Branches,
    /// Iterations over the items with these indices: `250-499`.
    Items(String),
    /// Children of a distributed Map, by the numbers of their items.
    Map(MapCounts),
    /// One of these events. Of a wait that an older program has stored, only the names are known.
    Event(Vec<AwaitedEvent>),
    /// Child execution of this workflow; empty for a part of the same workflow.
    Child(String),
    /// Nothing: it continues at once.
    Nothing,
}

/// Kind of the time until which a branch waits.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deadline {
    /// End of a wait for a time.
    Wait,
    /// Time-out of a task, of a child execution, or of a wait for an event.
    Timeout,
    /// Time by which the first heartbeat of a task is due. Later heartbeats move the time on; a
    /// store may not record them.
    Heartbeat,
}
