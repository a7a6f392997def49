//! Requests to engines, and their results.

use std::time::Duration;

use crate::{CloudEvent, Fault, Object, Timestamp, Value};

/// Request for an execution.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::engine::{StartRequest, StartTime};
/// use workflow_runtime::value;
///
/// let request = StartRequest::new("order", value!({ "amount": 25 })).key("order-17").after(Duration::from_secs(60));
/// assert_eq!(request.time, StartTime::After(Duration::from_secs(60)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StartRequest {
    /// Name of the workflow.
    pub workflow: String,
    /// Input.
    pub input: Value,
    /// Id of the execution; by default a random one. Repeating the same request returns the same
    /// execution.
    pub id: Option<String>,
    /// Idempotency key: all requests with one key for a workflow start one execution, whatever
    /// their ids.
    pub key: Option<String>,
    /// Correlation key, for event kinds that correlate by an attribute. By default the definition
    /// reads it from the input, or it is the id.
    pub correlation: Option<String>,
    /// Time of the start.
    pub time: StartTime,
    /// Values of the settings that the definition names.
    pub settings: Object,
}

/// Time of a start. See the example of [`StartRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum StartTime {
    /// At once.
    #[default]
    Now,
    /// After this delay.
    After(Duration),
    /// At this time.
    At(Timestamp),
}

impl StartRequest {
    /// Returns a request for an execution of a workflow.
    pub fn new(workflow: impl Into<String>, input: impl Into<Value>) -> StartRequest {
        StartRequest {
            workflow: workflow.into(),
            input: input.into(),
            id: None,
            key: None,
            correlation: None,
            time: StartTime::Now,
            settings: Object::new(),
        }
    }

    /// Sets the id.
    pub fn id(mut self, id: impl Into<String>) -> StartRequest {
        self.id = Some(id.into());
        self
    }

    /// Sets the idempotency key.
    pub fn key(mut self, key: impl Into<String>) -> StartRequest {
        self.key = Some(key.into());
        self
    }

    /// Sets the correlation key.
    pub fn correlate(mut self, value: impl Into<String>) -> StartRequest {
        self.correlation = Some(value.into());
        self
    }

    /// Delays the start.
    pub fn after(mut self, delay: Duration) -> StartRequest {
        self.time = StartTime::After(delay);
        self
    }

    /// Schedules the start.
    pub fn at(mut self, time: Timestamp) -> StartRequest {
        self.time = StartTime::At(time);
        self
    }

    /// Sets the values of all settings.
    pub fn settings(mut self, settings: Object) -> StartRequest {
        self.settings = settings;
        self
    }
}

/// Result of a start. See the example of [`Engine`](super::Engine).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// Id of the execution.
    pub id: String,
    /// Set if the request created the execution.
    pub is_new: bool,
}

impl Started {
    /// Returns the result of a start.
    pub fn new(id: impl Into<String>, is_new: bool) -> Started {
        Started { id: id.into(), is_new }
    }
}

/// Address of a task that waits for an outcome by token.
///
/// ```
/// use workflow_runtime::engine::TaskToken;
///
/// let task = TaskToken::new("9558b8c0-8f1a-45ea-8f4e-e4f2cbf066c7").of("order-17");
/// assert_eq!(task.execution, Some("order-17"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskToken<'a> {
    /// Token.
    pub token: &'a str,
    /// Id of the execution. A token of another execution is unknown then. Engines without
    /// [`Capability::BareTokens`](super::Capability::BareTokens) need it.
    pub execution: Option<&'a str>,
}

impl<'a> TaskToken<'a> {
    /// Returns the address of the task of a token.
    pub fn new(token: &'a str) -> TaskToken<'a> {
        TaskToken { token, execution: None }
    }

    /// Names the execution of the task.
    pub fn of(self, execution: &'a str) -> TaskToken<'a> {
        TaskToken { execution: Some(execution), ..self }
    }
}

/// Report to a task that waits for an outcome by token.
///
/// See the example of [`Engine`](super::Engine).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Signal {
    /// The task has succeeded with this output.
    Succeed(Value),
    /// The task has failed with this fault.
    Fail(Fault),
    /// The task is alive.
    Heartbeat,
    /// Nothing; the call only checks that a task waits for an outcome. A server does so before it
    /// reads the outcome.
    Check,
}

/// Events to publish.
///
/// ```
/// use workflow_runtime::engine::Publication;
/// use workflow_runtime::{CloudEvent, Object};
///
/// let placed = CloudEvent::new("17", "/shop", "order.placed");
/// assert!(Publication::of(vec![placed]).starting(Object::new()).starts.is_some());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Publication {
    /// Events.
    pub events: Vec<CloudEvent>,
    /// Settings of the executions that the events start; `None` if they start none. A start event
    /// starts one execution of a workflow, unless an execution of that workflow waits for the
    /// event in its first state: then the event is delivered to that one.
    pub starts: Option<Object>,
}

impl Publication {
    /// Returns a publication that starts no executions.
    pub fn of(events: Vec<CloudEvent>) -> Publication {
        Publication { events, starts: None }
    }

    /// Lets the events start executions with these settings.
    pub fn starting(mut self, settings: Object) -> Publication {
        self.starts = Some(settings);
        self
    }
}

/// Numbers of executions that an event reached.
///
/// ```
/// use workflow_runtime::engine::Reached;
///
/// let reached = Reached::new(2, 1, 0);
/// println!("delivered to {}, started {}", reached.executions, reached.started);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reached {
    /// Executions that have the event: all unfinished ones whose definitions wait for it, except
    /// those with a full inbox.
    pub executions: usize,
    /// Executions that it started.
    pub started: usize,
    /// Executions that declined it because their inboxes are full, if the engine counts them.
    pub full: usize,
}

impl Reached {
    /// Returns these numbers.
    pub fn new(executions: usize, started: usize, full: usize) -> Reached {
        Reached { executions, started, full }
    }
}

/// Part of ended executions that a purge removes.
///
/// ```no_run
/// use std::time::Duration;
/// use workflow_runtime::engine::{Engine, EngineError, Purge};
///
/// # async fn tidy_up(engine: &dyn Engine) -> Result<(), EngineError> {
/// let day = Duration::from_secs(24 * 3600);
/// engine.purge(7 * day, Purge::Histories).await?;
/// println!("removed {}", engine.purge(30 * day, Purge::Executions).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purge {
    /// The executions, with their histories.
    Executions,
    /// Only the histories.
    Histories,
}
