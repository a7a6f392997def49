//! Summaries of executions, and selections of them.

use super::Status;
use crate::Timestamp;

/// Summary of an execution.
///
/// ```
/// use workflow_runtime::engine::{Status, Summary};
///
/// let mut summary = Summary::new("order-17", "order", Status::Running);
/// summary.key = Some("17".to_owned());
/// assert!(!summary.status.is_over());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Id.
    pub id: String,
    /// Name of the workflow.
    pub workflow: String,
    /// Status.
    pub status: Status,
    /// Name of the service on a server that keeps the execution, if there is one.
    pub service: Option<String>,
    /// Idempotency key of the start, if any.
    pub key: Option<String>,
    /// Source and id of the start event, if any.
    pub event: Option<(String, String)>,
    /// Time of the start request, if the engine has it.
    pub created: Option<Timestamp>,
    /// Scheduled start, if not at once.
    pub due: Option<Timestamp>,
    /// Start time.
    pub started: Option<Timestamp>,
    /// Time when it ended or was parked.
    pub ended: Option<Timestamp>,
    /// Hash of the definition that it was started with.
    pub hash: Option<u64>,
}

impl Summary {
    /// Returns a summary without anything else.
    pub fn new(id: impl Into<String>, workflow: impl Into<String>, status: Status) -> Summary {
        Summary {
            id: id.into(),
            workflow: workflow.into(),
            status,
            service: None,
            key: None,
            event: None,
            created: None,
            due: None,
            started: None,
            ended: None,
            hash: None,
        }
    }
}

/// Filter for lists of executions.
///
/// ```
/// use workflow_runtime::engine::{Filter, Status};
///
/// let filter = Filter::all().workflow("order").status(Status::Failed).limit(20);
/// assert_eq!(filter.status.map(Status::name), Some("failed"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Name of the workflow.
    pub workflow: Option<String>,
    /// Status.
    pub status: Option<Status>,
    /// Idempotency key; it is unique for each workflow.
    pub key: Option<String>,
    /// Range of times of the start: from the first, and before the second.
    pub started: [Option<Timestamp>; 2],
    /// Range of times when they ended or were parked.
    pub ended: [Option<Timestamp>; 2],
    /// Limit; 0 is no limit.
    pub limit: u32,
    /// Only executions older than the one of this id.
    pub before: Option<String>,
}

impl Filter {
    /// Selects all executions.
    pub fn all() -> Filter {
        Filter::default()
    }

    /// Selects executions of this workflow.
    pub fn workflow(mut self, workflow: impl Into<String>) -> Filter {
        self.workflow = Some(workflow.into());
        self
    }

    /// Selects executions of this status.
    pub fn status(mut self, status: Status) -> Filter {
        self.status = Some(status);
        self
    }

    /// Selects the executions that were started with this key.
    pub fn key(mut self, key: impl Into<String>) -> Filter {
        self.key = Some(key.into());
        self
    }

    /// Selects the executions that have started since the first time and before the second.
    pub fn started(mut self, since: Option<Timestamp>, until: Option<Timestamp>) -> Filter {
        self.started = [since, until];
        self
    }

    /// Selects the executions that ended, or were parked, since the first time and before the
    /// second.
    pub fn ended(mut self, since: Option<Timestamp>, until: Option<Timestamp>) -> Filter {
        self.ended = [since, until];
        self
    }

    /// Limits the number of executions.
    pub fn limit(mut self, limit: u32) -> Filter {
        self.limit = limit;
        self
    }

    /// Selects executions older than this one.
    pub fn before(mut self, id: impl Into<String>) -> Filter {
        self.before = Some(id.into());
        self
    }
}

/// Page of a history.
///
/// ```no_run
/// use workflow_runtime::engine::{Engine, EngineError};
///
/// # async fn print(engine: &dyn Engine) -> Result<(), EngineError> {
/// let mut after = Some(0);
/// while let Some(number) = after {
///     let page = engine.history("order-17", number, 100, 1 << 20).await?;
///     page.events.iter().for_each(|line| println!("{line}"));
///     after = page.next;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct HistoryPage {
    /// Lines of JSON, oldest first.
    pub events: Vec<String>,
    /// Number of the last event if more follow; otherwise `None`.
    pub next: Option<u64>,
    /// Number of the last event; of the one before the page if it has none.
    pub last: u64,
}

impl HistoryPage {
    /// Returns an empty page behind the event of this number.
    pub fn after(number: u64) -> HistoryPage {
        HistoryPage { events: Vec::new(), next: None, last: number }
    }
}

/// Numbers of executions and of waiting events at one moment, for monitoring.
///
/// ```no_run
/// use workflow_runtime::engine::{Engine, EngineError};
///
/// # async fn print(engine: &dyn Engine) -> Result<(), EngineError> {
/// for (workflow, status, number) in engine.counts().await?.executions {
///     println!("{number} executions of {workflow} are {}", status.name());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Numbers of executions by workflow and status. A number can be 0.
    pub executions: Vec<(String, Status, u64)>,
    /// Number of executions with events that they have not processed yet.
    pub inboxes: u64,
    /// Number of these events.
    pub events: u64,
}

impl Counts {
    /// Returns the numbers.
    pub fn new(executions: Vec<(String, Status, u64)>, inboxes: u64, events: u64) -> Counts {
        Counts { executions, inboxes, events }
    }
}
