//! What generated code can ask for while a frame runs.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::call::{Call, Target};
use super::command::{CallId, FrameId, Invocation};
use super::core::{Children, Core, Header, Wish};
use super::definition::Task;
use super::events::{EventInfo, Reception};
use super::frame::NONE;
#[cfg(any(feature = "composer", feature = "jq"))]
use super::functions::FunctionLimits;
use super::join::Limits;
#[cfg(feature = "composer")]
use super::random::Stream as RandomStream;
use super::retry::{Retrier, Retries, Tries};
use crate::budget;
use crate::event::CloudEvent;
#[cfg(feature = "serverless-workflow")]
use crate::fault::Place;
use crate::fault::{Fault, names};
use crate::observe::EventKind;
use crate::time::{self, Timestamp};
use crate::value::{EXCERPT, Str, Value};

/// A run of a frame from one wait to the next. All it can do is in [`Core`], which does not depend on the workflow.
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
    /// The frame has entered a state, with this input.
    pub fn enter(&mut self, name: &'static str, input: &Value) {
        self.header.visits += 1;
        let (visit, now, limit) = (self.header.visits, self.header.now, self.header.step_limit);
        if self.observed || self.header.data_limit.is_some() {
            self.left_with(input);
        }
        let frame = self.frames.get_mut(self.at);
        frame.state = name;
        frame.visit = visit;
        frame.entered = now;
        frame.retries = 0;
        frame.actions = 0;
        frame.token = None;
        frame.steps = frame.steps.saturating_add(1);
        if frame.steps > limit {
            self.out_of_steps();
        }
        if self.observed {
            self.notify(self.at, EventKind::StateEntered { input });
        }
    }

    /// The state before, if there is one, was left with what is the input of the next.
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

    /// Returns the fault of a turn whose budget is spent.
    #[cold]
    pub(super) fn out_of_budget(&self) -> Fault {
        let cause = match budget::excess() {
            Some(excess) => format!("the execution was about to make {excess}"),
            None => format!("the execution computed for more than {} s without waiting", self.time_limit.as_secs_f64()),
        };
        Fault::evaluation(names::TURN_LIMIT_EXCEEDED, cause)
    }

    /// Asks for a task to be invoked.
    pub fn invoke(&mut self, task: &'static Task, input: Value) -> &mut Invocation {
        let attempt = self.frames.get(self.at).retries.saturating_add(1);
        let call = self.call_id(self.at);
        let invocation = self.invocation.insert(Arc::new(Invocation {
            task,
            input,
            credentials: None,
            attempt,
            call,
            issued: self.header.now,
            timeout: None,
            heartbeat: None,
            callback: false,
            token: None,
            handed_over: false,
        }));
        // Nobody else has it yet, so nothing is copied.
        Arc::make_mut(invocation)
    }

    /// Which call the next invocation of this frame is.
    pub(super) fn call_id(&self, id: FrameId) -> CallId {
        let action = self.frames.get(id).actions;
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
            // Which of the calls of the frame above the branches are.
            path.push(self.frames.get(at).actions);
        }
    }

    /// Asks to be resumed after so many seconds.
    pub fn sleep_seconds(&mut self, seconds: f64) {
        self.sleep_until(self.header.now.plus(time::seconds(seconds)));
    }

    /// Asks to be resumed at this time, or at once if it has passed.
    pub fn sleep_until(&mut self, until: Timestamp) {
        if self.observed {
            self.notify(self.at, EventKind::WaitStarted { until });
        }
        self.wish = Wish::Sleep(until);
    }

    /// Asks for an event, one of these of the definition's; the frame is resumed with it.
    pub fn receive(&mut self, events: &[usize]) -> &mut Reception {
        let events = self.header.definition.events_at(events);
        let reception = Reception { events, until: None, drops_others: false };
        Arc::make_mut(self.reception.insert(Arc::new(reception)))
    }

    /// Asks for an event to be published; the frame is resumed when it is sure not to be lost.
    pub fn publish(&mut self, event: CloudEvent) {
        if self.observed {
            self.notify(self.at, EventKind::EventSent { event: &event });
        }
        self.wish = Wish::Publish(Arc::new(event));
    }

    /// The id of the event that the frame publishes next. As the idempotency key of a task, it is the same when the state is
    /// tried again and when an engine does it once more, and no other event of any execution has it: nor has one of an
    /// execution that has the name of this one, later.
    pub fn event_id(&self) -> Str {
        let Header { definition, name, started, .. } = &self.header;
        let call = self.call_id(self.at).key(definition.name, name);
        format!("{call}/{}", started.as_micros()).into()
    }

    /// Asks for an event of this kind to be published, with this data, and with the correlation value of the execution where such
    /// events correlate.
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

    /// Asks for an execution of another workflow; the frame is resumed with its outcome.
    pub fn call(&mut self, workflow: impl Into<Str>, input: Value) -> &mut Call {
        self.call_target(Target::Workflow(workflow.into()), input)
    }

    /// Asks for a part of this workflow to be run as an execution of its own.
    pub fn call_entry(&mut self, entry: u32, input: Value) -> &mut Call {
        self.call_target(Target::Entry(entry), input)
    }

    fn call_target(&mut self, target: Target, input: Value) -> &mut Call {
        let attempt = self.frames.get(self.at).retries.saturating_add(1);
        let (call, issued) = (self.call_id(self.at), self.header.now);
        let call = Call { target, input, detached: false, attempt, call, issued, timeout: None };
        Arc::make_mut(self.call.insert(Arc::new(call)))
    }

    fn wish_children(&mut self, items: Option<Value>, total: u32, limits: Limits) {
        self.wish = Wish::Children(Box::new(Children { items, total, limits }));
    }

    /// Asks for branches 0 to `branches`; the frame is resumed with the array of their outputs.
    pub fn fork(&mut self, branches: u32) {
        self.wish_children(None, branches, Limits::default());
    }

    /// Asks for branches 0 to `branches`, of which the first so many are waited for; the frame is resumed with the number and
    /// output of each that has ended, in the order in which they have.
    pub fn race(&mut self, branches: u32, first: u32) {
        let limits = Limits { in_order: true, first, ..Limits::default() };
        self.wish_children(None, branches, limits);
    }

    /// Asks for an iteration over each item; the frame is resumed with the array of their outputs. The output of a failed
    /// iteration that is tolerated is null.
    pub fn for_each(&mut self, items: &Value, limits: Limits) {
        match items.as_array().map(|items| u32::try_from(items.len())) {
            Some(Ok(total)) => self.wish_children(Some(items.clone()), total, limits),
            Some(Err(_)) => self.overrun = Some(Fault::runtime("there are too many items to iterate over")),
            None => {
                let cause = format!("the items to iterate over must be an array, and are of type {}", items.kind());
                self.overrun = Some(Fault::runtime(cause));
            }
        }
    }

    /// The branch or iteration that runs and is about to end is the last one that is waited for: those beside it are
    /// cancelled. Only where the numbers of those that have ended are given to the frame that waits.
    #[cfg(feature = "sm4c")]
    pub(crate) fn end_others(&mut self) {
        self.is_last = true;
    }

    /// Decides whether the state is tried again; if so, asks to be resumed after the interval.
    pub fn retry(&mut self, retriers: &[Retrier], retries: &mut Retries, fault: &Fault) -> bool {
        let Some(delay) = retries.next(retriers, fault, &mut self.header.random) else { return false };
        let retry = self.frames.get(self.at).retries.saturating_add(1);
        self.wait_for_try(fault, retry, 0, delay);
        true
    }

    /// What follows is tried again by itself: its first try begins, and the calls that the state has made before are not
    /// made again.
    pub fn begin_tries(&mut self) -> Tries {
        self.frames.get_mut(self.at).retries = 0;
        self.begin_inner_tries()
    }

    /// As [`Core::begin_tries`], inside of what may be tried again, too: tries are counted on, so that no attempt of a call
    /// is made twice.
    pub fn begin_inner_tries(&mut self) -> Tries {
        let frame = self.frames.get_mut(self.at);
        frame.token = None;
        Tries::begin(frame.actions)
    }

    /// What is tried again by itself has made so many calls since its first try began, or would have if nothing had failed:
    /// what follows has the numbers that it has in every try, and none of a call that was made in another.
    pub fn count_calls(&mut self, tries: &Tries, calls: u32) {
        self.frames.get_mut(self.at).actions = tries.calls.saturating_add(calls);
    }

    /// As [`Core::count_calls`], of all calls of a branch that begins anew with every try of what it is a branch of.
    pub fn count_all_calls(&mut self, calls: u32) {
        self.frames.get_mut(self.at).actions = calls;
    }

    /// As [`Core::retry`], for what was begun by itself.
    pub fn try_again(&mut self, retriers: &[Retrier], tries: &mut Tries, fault: &Fault) -> bool {
        let Some(delay) = tries.next(retriers, fault, &mut self.header.random) else { return false };
        let retry = self.frames.get(self.at).retries.saturating_add(1);
        self.wait_for_try(fault, retry, tries.calls, delay);
        true
    }

    /// Asks to be resumed for a try, which is this retry; so many calls are not made again.
    fn wait_for_try(&mut self, fault: &Fault, retry: u32, calls: u32, delay: Duration) {
        let frame = self.frames.get_mut(self.at);
        frame.retries = retry;
        frame.actions = calls;
        frame.token = None;
        frame.failed = None;
        if self.observed {
            self.notify(self.at, EventKind::StateRetried { fault, retry, delay });
        }
        self.wish = Wish::Sleep(self.header.now.plus(delay));
    }

    /// The fault as the state's retriers and catchers see it: an evaluation fault names the state.
    pub fn locate(&mut self, fault: Fault) -> Fault {
        let fault = fault.located(self.frames.get(self.at).state, self.frames.visit(self.at));
        self.places.clear();
        self.places.extend_from_slice(fault.places());
        if self.observed {
            self.frames.get_mut(self.at).failed = Some(fault.clone());
        }
        fault
    }

    /// What the fault has come through that was [located](Turn::locate) last, the innermost first.
    #[cfg(feature = "serverless-workflow")]
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// When the execution began.
    #[cfg(feature = "serverless-workflow")]
    pub fn started(&self) -> Timestamp {
        self.header.started
    }

    /// The time of the last completion.
    pub fn now(&self) -> Timestamp {
        self.header.now
    }

    /// A random UUID.
    pub fn uuid(&mut self) -> Str {
        self.header.random.uuid().into()
    }

    /// A random number.
    pub fn random_u64(&mut self) -> u64 {
        self.header.random.next()
    }

    /// The random numbers, for a function that draws its own.
    #[cfg(feature = "composer")]
    pub(crate) fn random_stream(&mut self) -> &mut RandomStream {
        &mut self.header.random
    }

    /// What a function may use up.
    #[cfg(any(feature = "composer", feature = "jq"))]
    pub(crate) fn function_limits(&self) -> FunctionLimits {
        self.header.function_limits()
    }

    /// The value of a setting; null if it has none.
    pub fn setting(&self, name: &str) -> Value {
        self.header.settings.get(name).cloned().unwrap_or_default()
    }

    /// The task token of the state's invocation: the same until the state is left, or tried again.
    pub fn token(&mut self) -> Str {
        let frame = self.frames.get_mut(self.at);
        let random = &mut self.header.random;
        frame.token.get_or_insert_with(|| random.uuid().into()).clone()
    }

    /// Shows an observer a value that the state has computed on the way.
    pub fn inspect(&mut self, stage: &'static str, value: &Value) {
        if self.observed {
            self.notify(self.at, EventKind::Inspected { stage, value });
        }
    }
}

/// A checked number of seconds.
pub fn seconds(value: &Value) -> Result<f64, Fault> {
    value.as_f64().ok_or_else(|| mismatch("a number of seconds", value))
}

/// A checked whole number that is not negative.
pub fn count(value: &Value) -> Result<u64, Fault> {
    let number = value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    number
        .and_then(|number| u64::try_from(number).ok())
        .ok_or_else(|| mismatch("a whole number that is not negative", value))
}

/// A checked point in time.
pub fn timestamp(value: &Value) -> Result<Timestamp, Fault> {
    let time = value.as_str().and_then(|text| text.parse().ok());
    time.ok_or_else(|| mismatch("an RFC 3339 time", value))
}

fn mismatch(expected: &str, value: &Value) -> Fault {
    Fault::runtime(format!("expected {expected}, but got {}", value.excerpt(EXCERPT)))
}
