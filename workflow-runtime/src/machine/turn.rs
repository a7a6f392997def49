//! A turn: the operations that generated code may request while a frame runs.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::call::{Call, Target};
use super::command::{CallId, FrameId, Invocation};
use super::core::{Core, PendingRequest};
use super::definition::Task;
use super::events::{EventInfo, Reception};
use super::frame::{Frame, NONE};
#[cfg(any(feature = "asl", feature = "composer", feature = "jq"))]
use super::functions::FunctionLimits;
#[cfg(feature = "asl")]
use super::functions::JsonataLimits;
use super::header::Header;
use super::join::{Join, Limits};
use super::observer::EventKind;
#[cfg(feature = "composer")]
use super::random::Stream as RandomStream;
use super::retry::{BlockRetries, Retries};
use crate::budget;
use crate::event::CloudEvent;
#[cfg(feature = "serverless-workflow")]
use crate::fault::TraceEntry;
use crate::fault::{Fault, names};
use crate::time::{self, Timestamp};
use crate::value::{EXCERPT, Str, Value};
use workflow_model::Retrier;

/// A turn: the run of a frame from a completion to its next suspension point. All its methods are
/// in [`Core`], which is not generic over the workflow.
pub struct Turn<M> {
    core: Core,
    machine: PhantomData<fn() -> M>,
}

impl<M> Turn<M> {
    pub(super) fn new(core: Core) -> Turn<M> {
        Turn { core, machine: PhantomData }
    }
}

impl<M> Deref for Turn<M> {
    type Target = Core;

    #[inline]
    fn deref(&self) -> &Core {
        &self.core
    }
}

impl<M> DerefMut for Turn<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl Core {
    /// Records that the frame has entered a state, with this input.
    pub fn enter(&mut self, name: &'static str, input: &Value) {
        if self.observed || self.header.data_limit().is_some() {
            return self.enter_observed(name, input);
        }
        self.enter_state(name);
    }

    /// Records that the frame has entered a state, of an execution that is observed or limited.
    #[cold]
    fn enter_observed(&mut self, name: &'static str, input: &Value) {
        self.left_with(input);
        self.enter_state(name);
        if self.observed {
            self.notify(self.at, EventKind::StateEntered { input });
        }
    }

    #[inline]
    fn enter_state(&mut self, name: &'static str) {
        let header = &mut self.header;
        header.visits += 1;
        let frame = self.frames.get_mut(self.at);
        frame.state = name;
        frame.visit = header.visits;
        frame.entered = header.now;
        frame.retries = 0;
        frame.actions = 0;
        frame.steps = frame.steps.saturating_add(1);
        let is_endless = frame.steps > header.step_limit;
        if frame.token.is_some() || is_endless {
            self.enter_rarely(is_endless);
        }
    }

    /// Drops the token of the previous state, and stops a frame that enters states without end.
    #[cold]
    fn enter_rarely(&mut self, is_endless: bool) {
        self.frames.get_mut(self.at).token = None;
        if is_endless {
            self.out_of_steps();
        }
    }

    /// Reports that the previous state, if there is one, was left: its output is the input of the
    /// next state.
    #[cold]
    fn left_with(&mut self, output: &Value) {
        let frame = self.frames.get(self.at);
        if frame.visit == 0 {
            return;
        }
        if let Some(fault) = self.over_limit(output, frame.state) {
            self.overrun.get_or_insert(fault);
        } else if self.observed {
            self.notify_exited(self.at, output);
        }
    }

    #[cold]
    fn out_of_steps(&mut self) {
        let limit = self.header.step_limit;
        self.overrun.get_or_insert_with(|| {
            Fault::evaluation(
                names::TURN_LIMIT_EXCEEDED,
                format!("the execution entered more than {limit} states without waiting"),
            )
        });
    }

    /// Returns the fault of a turn that has used up its budget.
    #[cold]
    pub(super) fn out_of_budget(&self) -> Fault {
        let cause = match budget::cause() {
            Some(cause) => cause.to_owned(),
            None => {
                let limit = Duration::from_nanos(self.computed).saturating_add(budget::left());
                format!("the execution computed for more than {} s without waiting", limit.as_secs_f64())
            }
        };
        Fault::evaluation(names::TURN_LIMIT_EXCEEDED, cause)
    }

    /// Requests the invocation of a task.
    pub fn invoke(&mut self, task: &'static Task, input: Value) -> &mut Invocation {
        let attempt = self.frames.get(self.at).retries.saturating_add(1);
        let invocation = Invocation::new(task, input, attempt, self.call_id(self.at), self.header.now);
        Arc::get_mut(self.invocation.insert(Arc::new(invocation))).expect("it is not shared yet")
    }

    /// Returns the identity of the next call of a frame.
    #[inline]
    pub(super) fn call_id(&self, id: FrameId) -> CallId {
        match *self.frames.get(id) {
            Frame { visit: 0, actions, .. } => self.call_id_of_branch(id, actions),
            Frame { visit, actions, .. } => CallId { visit, path: Box::default(), action: actions },
        }
    }

    /// Returns the identity of a call of a frame that has entered no state of its own.
    #[cold]
    fn call_id_of_branch(&self, id: FrameId, action: u32) -> CallId {
        let mut path = Vec::new();
        let mut at = id;
        loop {
            let frame = self.frames.get(at);
            if let Some(outer) = self.outer.as_ref().filter(|_| frame.visit == 0 && frame.parent == NONE) {
                path.extend(outer.branches.iter().rev());
                path.reverse();
                return CallId { visit: outer.visit, path: path.into(), action };
            }
            if frame.visit != 0 || frame.parent == NONE {
                path.reverse();
                return CallId { visit: frame.visit, path: path.into(), action };
            }
            path.push(frame.index);
            at = frame.parent;
            // The number of the call that started the branches.
            path.push(self.frames.get(at).actions);
        }
    }

    /// Requests a resumption after this many seconds.
    pub fn sleep_seconds(&mut self, seconds: f64) {
        self.sleep_until(self.header.now.plus(time::seconds(seconds)));
    }

    /// Requests a resumption at this time, or at once if the time has passed.
    pub fn sleep_until(&mut self, until: Timestamp) {
        if self.observed {
            self.notify(self.at, EventKind::WaitStarted { until });
        }
        self.request = PendingRequest::Sleep(until);
    }

    /// Requests one of these events of the definition. The frame resumes with the event.
    pub fn receive(&mut self, events: &[usize]) -> &mut Reception {
        let events = self.header.definition.events_at(events);
        let reception = Reception { events, until: None, discards_unmatched: false };
        Arc::make_mut(self.reception.insert(Arc::new(reception)))
    }

    /// Requests the publication of an event. The frame resumes as soon as the event cannot be
    /// lost.
    pub fn publish(&mut self, event: CloudEvent) {
        if self.observed {
            self.notify(self.at, EventKind::EventSent { event: &event });
        }
        self.request = PendingRequest::Publish(Arc::new(event));
    }

    /// Returns the id of the event that the frame publishes next.
    ///
    /// Like the idempotency key of a task, the id stays the same when the state is retried and
    /// when an engine repeats the publication. No other event of any execution has it, not even of
    /// a later execution of the same name.
    pub fn event_id(&self) -> Str {
        let Header { definition, name, started, .. } = &self.header;
        let call = self.call_id(self.at).key(definition.name, name);
        format!("{call}/{}", started.as_micros()).into()
    }

    /// Requests the publication of an event of this kind with this data. If events of the kind
    /// correlate, the event carries the execution's correlation key.
    pub fn send(&mut self, kind: &'static EventInfo, data: Value) {
        let source = match kind.source {
            Some(source) => Str::from_static(source),
            None => format!("/{}/{}", self.header.definition.name, self.header.name).into(),
        };
        let mut event = CloudEvent::new(self.event_id(), source, kind.kind.unwrap_or(kind.name));
        event.subject = kind.subject.map(Str::from_static);
        event.time = Some(self.header.now);
        event.data = data;
        for (name, value) in kind.attributes {
            event.extensions.insert(*name, *value);
        }
        if let Some(attribute) = kind.correlation {
            let value = self.correlation().clone();
            match attribute {
                "subject" => event.subject = Some(value),
                extension => drop(event.extensions.insert(extension, value)),
            }
        }
        self.publish(event);
    }

    /// Requests a child execution of another workflow. The frame resumes with its outcome.
    pub fn call(&mut self, workflow: impl Into<Str>, input: Value) -> &mut Call {
        self.call_target(Target::Workflow(workflow.into()), input)
    }

    /// Requests a child execution that runs an entry of this workflow.
    pub fn call_entry(&mut self, entry: u32, input: Value) -> &mut Call {
        self.call_target(Target::Entry(entry), input)
    }

    /// Requests a distributed Map of this workflow, with an object of its settings. The frame
    /// resumes with its result.
    pub fn call_map(&mut self, map: u32, settings: Value) -> &mut Call {
        self.call_target(Target::Map(map), settings)
    }

    fn call_target(&mut self, target: Target, input: Value) -> &mut Call {
        let attempt = self.frames.get(self.at).retries.saturating_add(1);
        let (call, issued) = (self.call_id(self.at), self.header.now);
        let call = Call { target, input, detached: false, attempt, call, issued, timeout: None };
        Arc::make_mut(self.call.insert(Arc::new(call)))
    }

    fn request_children(&mut self, items: Option<Value>, total: u32, limits: Limits) {
        self.request = PendingRequest::Children(Box::new(Join::new(items, total, limits)));
    }

    /// Requests branches 0 to `branches` (exclusive). The frame resumes with the array of their
    /// outputs.
    pub fn fork(&mut self, branches: u32) {
        self.request_children(None, branches, Limits::default());
    }

    /// Requests branches 0 to `branches` (exclusive) and waits for the first `first` of them. The
    /// frame resumes with the index and output of each branch that has ended, in the order of
    /// their ends.
    pub fn race(&mut self, branches: u32, first: u32) {
        let limits = Limits { completion_order: true, first, ..Limits::default() };
        self.request_children(None, branches, limits);
    }

    /// Requests an iteration over the items. The frame resumes with the array of the outputs; the
    /// output of a failed iteration that is tolerated is null.
    pub fn for_each(&mut self, items: &Value, limits: Limits) {
        match items.as_array().map(|items| u32::try_from(items.len())) {
            Some(Ok(total)) => self.request_children(Some(items.clone()), total, limits),
            Some(Err(_)) => self.overrun = Some(Fault::runtime("too many items to iterate over")),
            None => {
                let cause = format!("the items to iterate over must be an array, found {}", items.kind());
                self.overrun = Some(Fault::runtime(cause));
            }
        }
    }

    /// Cancels the siblings of the branch or iteration that runs, once it ends. Only for joins
    /// with [`Limits::completion_order`].
    #[cfg(feature = "sm4c")]
    pub(crate) fn end_others(&mut self) {
        self.is_last = true;
    }

    /// Returns `true` if a retrier retries the state. The frame then resumes after the retrier's
    /// delay.
    pub fn retry(&mut self, retriers: &[Retrier], retries: &mut Retries, fault: &Fault) -> bool {
        let Some(delay) = retries.next(retriers, fault, self.header.random()) else { return false };
        let retry = self.frames.get(self.at).retries.saturating_add(1);
        self.wait_for_try(fault, retry, 0, delay);
        true
    }

    /// Begins a block of actions that is retried by itself. Calls that the state has made before
    /// the block are not repeated.
    pub fn begin_retry_block(&mut self) -> BlockRetries {
        self.frames.get_mut(self.at).retries = 0;
        self.begin_nested_retry_block()
    }

    /// Begins a block like [`Core::begin_retry_block`], inside of another block or state that may
    /// be retried. Attempts continue to count, so that no two calls share an attempt.
    pub fn begin_nested_retry_block(&mut self) -> BlockRetries {
        let frame = self.frames.get_mut(self.at);
        frame.token = None;
        BlockRetries::begin(frame.actions)
    }

    /// Numbers the next call as if the retry block had made `calls` calls since its first attempt
    /// began.
    ///
    /// A fault may skip calls that another attempt makes. Renumbering keeps the idempotency keys
    /// of later calls independent of the attempt.
    pub fn renumber_calls(&mut self, block_retries: &BlockRetries, calls: u32) {
        self.frames.get_mut(self.at).actions = block_retries.calls.saturating_add(calls);
    }

    /// Numbers the next call as [`Core::renumber_calls`] does, counted from the start of a branch
    /// that begins anew with each attempt.
    pub fn renumber_branch_calls(&mut self, calls: u32) {
        self.frames.get_mut(self.at).actions = calls;
    }

    /// Returns `true` if a retrier retries the block, as [`Core::retry`] does for a state.
    pub fn retry_block(&mut self, retriers: &[Retrier], block_retries: &mut BlockRetries, fault: &Fault) -> bool {
        let Some(delay) = block_retries.next(retriers, fault, self.header.random()) else { return false };
        let retry = self.frames.get(self.at).retries.saturating_add(1);
        self.wait_for_try(fault, retry, block_retries.calls, delay);
        true
    }

    /// Requests a resumption for retry number `retry`. Its first call has the number `calls`.
    fn wait_for_try(&mut self, fault: &Fault, retry: u32, calls: u32, delay: Duration) {
        let frame = self.frames.get_mut(self.at);
        frame.retries = retry;
        frame.actions = calls;
        frame.token = None;
        frame.failed = None;
        if self.observed {
            self.notify(self.at, EventKind::StateRetried { fault, retry, delay });
        }
        self.request = PendingRequest::Sleep(self.header.now.plus(delay));
    }

    /// Returns the fault as the retriers and catchers of the state see it: the cause of an
    /// evaluation fault names the state.
    pub fn locate(&mut self, fault: Fault) -> Fault {
        let fault = fault.located(self.frames.get(self.at).state, self.frames.visit(self.at));
        let trace = &mut self.occasional().trace;
        trace.clear();
        trace.extend_from_slice(fault.trace());
        if self.observed {
            self.frames.get_mut(self.at).failed = Some(fault.clone());
        }
        fault
    }

    /// Returns the trace of the fault that was [located](Turn::locate) last, innermost entry
    /// first.
    #[cfg(feature = "serverless-workflow")]
    pub(crate) fn trace(&self) -> &[TraceEntry] {
        self.occasional.as_ref().map_or(&[], |occasional| &occasional.trace)
    }

    /// Returns the start time of the execution.
    #[cfg(feature = "serverless-workflow")]
    pub fn started(&self) -> Timestamp {
        self.header.started
    }

    /// Returns the time of the last completion.
    pub fn now(&self) -> Timestamp {
        self.header.now
    }

    /// Draws a random UUID.
    pub fn uuid(&mut self) -> Str {
        self.header.random().uuid().into()
    }

    /// Draws a random number.
    pub fn random_u64(&mut self) -> u64 {
        self.header.random().next()
    }

    /// Returns the stream of random numbers, for a function that draws its own.
    #[cfg(feature = "composer")]
    pub(crate) fn random_stream(&mut self) -> &mut RandomStream {
        self.header.random()
    }

    /// Returns the limits of one call of a function.
    #[cfg(any(feature = "asl", feature = "composer", feature = "jq"))]
    pub(crate) fn function_limits(&self) -> FunctionLimits {
        self.header.function_limits()
    }

    /// Returns the limits of one evaluation of JSONata.
    #[cfg(feature = "asl")]
    pub(crate) fn jsonata_limits(&self) -> JsonataLimits {
        self.header.jsonata_limits().unwrap_or_default().effective()
    }

    /// Returns the value of a setting, or null if it has none.
    pub fn setting(&self, name: &str) -> Value {
        self.header.setting(name).cloned().unwrap_or_default()
    }

    /// Returns the task token of the state's invocation. The token stays the same until the state
    /// is left or retried.
    pub fn token(&mut self) -> Str {
        let frame = self.frames.get_mut(self.at);
        let random = self.header.random();
        Str::clone(frame.token.get_or_insert_with(|| Box::new(random.uuid().into())))
    }

    /// Reports an intermediate value of the state to the observers.
    pub fn inspect(&mut self, stage: &'static str, value: &Value) {
        if self.observed {
            self.notify(self.at, EventKind::Inspected { stage, value });
        }
    }
}

/// Converts a value to a number of seconds. Any other value is a fault.
pub fn seconds(value: &Value) -> Result<f64, Fault> {
    value.as_f64().ok_or_else(|| mismatch("a number of seconds", value))
}

/// Converts a value to a whole number that is not negative. Any other value is a fault.
pub fn count(value: &Value) -> Result<u64, Fault> {
    let number = value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    number.and_then(|number| u64::try_from(number).ok()).ok_or_else(|| mismatch("a non-negative integer", value))
}

/// Converts a value to a point in time. Any other value than the text of an RFC 3339 time is a
/// fault.
pub fn timestamp(value: &Value) -> Result<Timestamp, Fault> {
    let time = value.as_str().and_then(|text| text.parse().ok());
    time.ok_or_else(|| mismatch("an RFC 3339 time", value))
}

fn mismatch(expected: &str, value: &Value) -> Fault {
    Fault::runtime(format!("expected {expected}, found {}", value.excerpt(EXCERPT)))
}
