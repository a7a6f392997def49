//! Lowering of activities.

use super::super::ast::{
    Action, ActionKind, Activity, ActivityKind, Filter, OnMessages, Retry as Policy, SwitchCondition, Timespan,
    Transition,
};
use super::super::functions::{
    COMES_FIRST, EARLIER, FAILED, IN_SECONDS, IN_TIME, IS_EVENT, MERGE, NO_CONDITION, ONE_MORE, PAYLOAD, RECEIVED,
    WITH_RESULT,
};
use super::Cx;
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{
    Arm, Body, CallTarget, CallWorkflow, Catcher, ErrorMatch, Jitter, LocalKind, Next, Receive, Retrier, Retry,
    Seconds, State, Step, StepKind, Wait,
};
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;

/// Attempt of an activity.
#[derive(Clone)]
pub(super) struct Tried {
    /// Local of the activity's data.
    pub data: LocalId,
    /// Local of the response to the last call.
    pub response: LocalId,
    /// Local of the time at which the attempt expires.
    pub close: Option<LocalId>,
    /// Largest duration of the attempt in seconds.
    pub longest: Option<f64>,
    /// Description of the time limit, for the fault.
    limit: String,
}

impl Cx<'_> {
    pub(super) fn state(&mut self, activity: &Activity) -> State {
        self.activity = activity.name.value.to_string();
        let lists: Vec<&[Action]> = match &activity.kind {
            ActivityKind::Operation { actions } => vec![actions],
            ActivityKind::Message { entries, .. } => entries.iter().map(|entry| &entry.actions[..]).collect(),
            _ => Vec::new(),
        };
        let is_call = |action: &&Action| matches!(action.kind, ActionKind::Rest(_));
        self.calls = lists.into_iter().flatten().filter(is_call).count();
        self.lowered = 0;
        let span = activity.span;
        let mut parts = PartsBuilder::new();
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let guard = parts.open_guard(fault);
        self.sleep(activity.sleep.before.as_ref(), None, &mut parts);
        self.body(activity, &mut parts);
        let named = vec![Arg::Str(self.activity.as_str().into()), Arg::Owned(Expr::Local(fault))];
        let body = Body { steps: Vec::new(), next: Next::FailWith(Expr::call(&FAILED, named)) };
        let failed = Catcher { errors: vec![ErrorMatch::Any], body, span };
        // All parts have been closed before.
        parts.close_guard(guard, Next::FailWith(Expr::NULL), vec![failed]);
        let kind = match &activity.kind {
            ActivityKind::Message { .. } => "message",
            ActivityKind::Operation { .. } => "operation",
            ActivityKind::Switch { .. } => "switch",
            ActivityKind::Inject { .. } => "inject",
            ActivityKind::SubFlow { .. } => "subFlow",
        };
        State {
            name: activity.name.clone(),
            comment: None,
            kind,
            span,
            input: self.data,
            body: Body { steps: Vec::new(), next: parts.finish() },
            is_synthetic: false,
        }
    }

    /// Lowers an activity between its sleeps, and its transition.
    fn body(&mut self, activity: &Activity, parts: &mut PartsBuilder) {
        let span = activity.span;
        let calls = !matches!(activity.kind, ActivityKind::Switch { .. } | ActivityKind::Inject { .. });
        let until_close = activity.timeout.schedule_to_close.as_ref().filter(|_| calls);
        let close = until_close.map(|seconds| self.deadline("close", seconds, parts));
        // Without filters, the activity's data are the workflow's data with results merged in.
        let passes_all = matches!(activity.filter.output, Filter::All);
        let listens = matches!(activity.kind, ActivityKind::Message { .. });
        let (input, grows) = match self.filtered(&activity.filter.input, self.data, "input filter", None) {
            None if passes_all || !listens => (self.data, passes_all),
            filtered => {
                let input = self.local("input", span);
                parts.set(input, filtered.unwrap_or(Expr::Local(self.data)), span);
                (input, false)
            }
        };
        let chosen = match &activity.kind {
            ActivityKind::Message { entries, exclusive } => {
                self.wait(activity, entries, *exclusive, input, close, parts)
            }
            _ => None,
        };
        let response = self.local("response", span);
        // Only a retry needs the unchanged input again.
        let retry = activity.retry.as_ref().filter(|_| calls);
        let data = if grows && retry.is_none() { input } else { self.local("activity_data", span) };
        let try_limit = activity.timeout.start_to_close.as_ref().filter(|_| calls);
        let close_of_try = match (try_limit, close) {
            (Some(seconds), _) => Some(self.local("close_of_try", seconds.span)),
            (None, close) => close,
        };
        let limit = describe_limits([("startToClose", try_limit), ("scheduleToClose", until_close)]);
        let longest = try_limit.into_iter().chain(until_close).map(|seconds| seconds.value).reduce(f64::min);
        let tried = Tried { data, response, close: close_of_try, longest, limit };
        let again = retry.map(|retry| {
            let failures = close.map(|_| self.local("failures", retry.span));
            if let Some(failures) = failures {
                parts.set(failures, Expr::Literal(Literal::Int(0)), retry.span);
            }
            let block_retries = self.workflow.add_local("tries", LocalKind::BlockRetries, retry.span);
            parts.push(StepKind::BeginRetryBlock { block_retries, inner: false }, span);
            let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
            let part = parts.split("try");
            (
                retry,
                failures,
                Retry {
                    retrier: retrier(retry),
                    block_retries,
                    fault,
                    part,
                    otherwise: Body { steps: Vec::new(), next: Next::Raise(fault) },
                },
                parts.open_guard(fault),
            )
        });
        if let (Some(seconds), Some(at)) = (try_limit, close_of_try) {
            let own = Expr::call(&IN_SECONDS, vec![Arg::Float(seconds.value)]);
            let time = match close {
                Some(close) => Expr::call(&EARLIER, vec![Arg::Owned(own), Arg::Value(Expr::Local(close))]),
                None => own,
            };
            parts.set(at, time, seconds.span);
        }
        if data != input {
            parts.set(data, Expr::Local(input), span);
        }
        parts.set(response, Expr::NULL, span);
        self.attempt(activity, chosen, &tried, parts);
        let output = match self.filtered(&activity.filter.output, data, "output filter", Some(response)) {
            Some(filtered) => {
                let output = self.local("output", span);
                parts.set(output, filtered, span);
                output
            }
            None => data,
        };
        if let Some((policy, failures, retry, guard)) = again {
            let after = parts.reserve("done");
            let body = retry_unless_late(policy, retry, failures.zip(close));
            let failed = Catcher { errors: vec![ErrorMatch::Any], body, span: policy.span };
            parts.close_guard(guard, Next::Part(after), vec![failed]);
            parts.begin(after);
        }
        let merged = match grows {
            true => Expr::Local(output),
            false => Expr::call(&MERGE, vec![Arg::Owned(Expr::Local(self.data)), Arg::Owned(Expr::Local(output))]),
        };
        let merged = Step { kind: StepKind::Let { local: self.data, value: merged }, span };
        let merged = Some(merged).filter(|_| output != self.data);
        match &activity.kind {
            ActivityKind::Switch { conditions, default } => {
                self.switch(activity, conditions, default.as_ref(), data, merged, parts);
            }
            _ => {
                merged.into_iter().for_each(|step| parts.push(step.kind, span));
                self.leave(activity, &activity.next, parts);
            }
        }
    }

    /// Lowers the sleep after an activity, and its transition.
    fn leave(&mut self, activity: &Activity, way: &Transition, parts: &mut PartsBuilder) {
        self.sleep(activity.sleep.after.as_ref(), None, parts);
        let next = self.follow(way);
        parts.close(next);
    }

    /// Lowers one attempt of an activity.
    fn attempt(&mut self, activity: &Activity, chosen: Option<LocalId>, tried: &Tried, parts: &mut PartsBuilder) {
        let span = activity.span;
        match &activity.kind {
            ActivityKind::Operation { actions } => self.actions(actions, tried, parts),
            ActivityKind::Message { entries, exclusive: false } => {
                entries.iter().for_each(|entry| self.actions(&entry.actions, tried, parts));
            }
            ActivityKind::Message { entries, exclusive: true } => self.entry(entries, chosen, tried, parts),
            ActivityKind::Switch { .. } => {}
            ActivityKind::Inject { data } => {
                let injected = Arg::Owned(Expr::Literal(Literal::from(data)));
                let merged = vec![Arg::Owned(Expr::Local(tried.data)), injected];
                parts.set(tried.data, Expr::call(&MERGE, merged), data.span);
            }
            ActivityKind::SubFlow { workflow, version } => {
                let result = self.local("result", span);
                let target = match version {
                    Some(version) => format!("{}@{}", workflow.value, version.value),
                    None => workflow.value.clone(),
                };
                let call = CallWorkflow {
                    target: CallTarget::Workflow(target),
                    input: Expr::Local(tried.data),
                    detached: false,
                    timeout: self.remaining(tried),
                    result,
                };
                parts.push(StepKind::Call(Box::new(call)), span);
                let merged = vec![Arg::Owned(Expr::Local(tried.data)), Arg::Value(Expr::Local(result))];
                parts.set(tried.data, Expr::call(&WITH_RESULT, merged), span);
            }
        }
    }

    /// Lowers the actions of the entry whose message arrived.
    fn entry(&mut self, entries: &[OnMessages], chosen: Option<LocalId>, tried: &Tried, parts: &mut PartsBuilder) {
        let (Some(chosen), [_, _, ..]) = (chosen, entries) else {
            return entries.iter().for_each(|entry| self.actions(&entry.actions, tried, parts));
        };
        let after = parts.reserve("acted");
        let ways: Vec<u32> = entries.iter().map(|_| parts.reserve("act")).collect();
        let way = |part: u32| Body { steps: Vec::new(), next: Next::Part(part) };
        let arms = entries.iter().zip(&ways).map(|(entry, part)| {
            let condition = self.is_one_of(entry, chosen);
            Arm { condition, body: way(*part), span: entry.span, on_error: false }
        });
        let mut arms: Vec<Arm> = arms.collect();
        // The message belongs to one of the entries, so that the last one needs no condition.
        let last = arms.pop().map_or_else(|| way(after), |arm| arm.body);
        parts.close(Next::Choose { arms, otherwise: Box::new(last) });
        for (entry, part) in entries.iter().zip(ways) {
            parts.begin(part);
            self.actions(&entry.actions, tried, parts);
            parts.close(Next::Part(after));
        }
        parts.begin(after);
    }

    fn is_one_of(&mut self, entry: &OnMessages, event: LocalId) -> Expr {
        let numbers = entry.messages.iter().map(|message| self.event(message.index).0.to_string()).collect();
        Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(numbers)])
    }

    /// Waits for messages and merges their payloads into `data`. Returns the event that arrived,
    /// if any one of the messages is enough.
    fn wait(
        &mut self,
        activity: &Activity,
        entries: &[OnMessages],
        exclusive: bool,
        data: LocalId,
        close: Option<LocalId>,
        parts: &mut PartsBuilder,
    ) -> Option<LocalId> {
        let start = activity.timeout.schedule_to_start.as_ref();
        let all = activity.timeout.schedule_to_close.as_ref();
        let limit = describe_limits([("scheduleToStart", start), ("scheduleToClose", all)]);
        let until = match (start, close) {
            (Some(seconds), Some(close)) => {
                let at = self.deadline("start", seconds, parts);
                let earlier = vec![Arg::Owned(Expr::Local(at)), Arg::Value(Expr::Local(close))];
                parts.set(at, Expr::call(&EARLIER, earlier), seconds.span);
                Some(at)
            }
            (Some(seconds), None) => Some(self.deadline("start", seconds, parts)),
            (None, close) => close,
        };
        let messages = self.awaited_messages(entries, exclusive);
        if exclusive {
            let event = self.receive(&messages, until, &limit, activity.span, parts);
            self.consume(&messages, event, data, activity.span, parts);
            return Some(event);
        }
        // The messages may arrive in any order, because early ones are buffered
        // ([W8](docs/workflow-dsl.md#w8)).
        for message in messages {
            let event = self.receive(&[message], until, &limit, activity.span, parts);
            self.consume(&[message], event, data, activity.span, parts);
        }
        None
    }

    /// Returns the messages of the entries, each once. They are in source order if any one of them
    /// is enough, and otherwise in the order in which they are consumed.
    pub(super) fn awaited_messages(&mut self, entries: &[OnMessages], exclusive: bool) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let listed = entries.iter().flat_map(|entry| &entry.messages).map(|message| message.index);
        let mut messages: Vec<usize> = listed.filter(|message| seen.insert(*message)).collect();
        // Event indices follow the source order, whatever order the sort below yields.
        messages.iter().for_each(|message| _ = self.event(*message));
        if !exclusive {
            // More specific messages come first, so that no other message consumes the only event
            // that matches them.
            messages.sort_by_key(|message| {
                let event = self.event(*message);
                let awaited = &self.workflow.events[event.0 as usize];
                (awaited.subject.is_none(), awaited.source.is_none())
            });
        }
        messages
    }

    /// Waits for one of these messages. Expiry is a fault.
    fn receive(
        &mut self,
        messages: &[usize],
        until: Option<LocalId>,
        limit: &str,
        span: Span,
        parts: &mut PartsBuilder,
    ) -> LocalId {
        let event = self.local("event", span);
        let events = messages.iter().map(|message| self.event(*message)).collect();
        let receive = Receive {
            events,
            until: until.map(Expr::Local),
            discards_unmatched: false,
            collected: None,
            result: event,
        };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        if until.is_some() {
            let received = vec![Arg::Owned(Expr::Local(event)), Arg::Str(limit.into())];
            parts.set(event, Expr::call(&RECEIVED, received), span);
        }
        event
    }

    /// Merges the payload of a message into the data after applying its filter.
    fn consume(&mut self, messages: &[usize], event: LocalId, data: LocalId, span: Span, parts: &mut PartsBuilder) {
        let definition = self.definition;
        let payload = self.local("payload", span);
        parts.set(payload, Expr::call(&PAYLOAD, vec![Arg::Value(Expr::Local(event))]), span);
        let merge = |value: Expr| {
            let merged = vec![Arg::Owned(Expr::Local(data)), Arg::Value(value)];
            Step { kind: StepKind::Let { local: data, value: Expr::call(&WITH_RESULT, merged) }, span }
        };
        let after = parts.reserve("heard");
        let on = |steps: Vec<Step>| Body { steps, next: Next::Part(after) };
        let filters: Vec<Option<Expr>> = messages
            .iter()
            .map(|message| {
                self.filtered(&definition.messages[*message].filter.input, payload, "message input filter", None)
            })
            .collect();
        // If several messages match the event, the first one decides, as it does for the actions.
        // After the last message with a filter, all messages are treated alike.
        let count = filters.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut arms = Vec::new();
        for (message, filter) in messages.iter().zip(filters).take(count) {
            let number = self.event(*message).0.to_string();
            let condition = Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(vec![number])]);
            let merged = merge(filter.unwrap_or(Expr::Local(payload)));
            arms.push(Arm { condition, body: on(vec![merged]), span, on_error: false });
        }
        // The event matches one of the messages, so that the last one needs no condition.
        let last = if count == messages.len() { arms.pop().map(|arm| arm.body) } else { None };
        let otherwise = last.unwrap_or_else(|| on(vec![merge(Expr::Local(payload))]));
        if arms.is_empty() {
            otherwise.steps.into_iter().for_each(|step| parts.push(step.kind, span));
            parts.close(Next::Part(after));
        } else {
            parts.close(Next::Choose { arms, otherwise: Box::new(otherwise) });
        }
        parts.begin(after);
    }

    /// Lowers the choice of the first condition that holds.
    fn switch(
        &mut self,
        activity: &Activity,
        conditions: &[SwitchCondition],
        default: Option<&Transition>,
        data: LocalId,
        merged: Option<Step>,
        parts: &mut PartsBuilder,
    ) {
        let ways: Vec<u32> = conditions.iter().map(|_| parts.reserve("go")).collect();
        let mut arms = Vec::new();
        for (condition, part) in conditions.iter().zip(&ways) {
            let Some(holds) = self.jq(&condition.condition, "condition", jq::ResultMode::Test, data, None) else {
                continue;
            };
            let body = Body { steps: Vec::new(), next: Next::Part(*part) };
            arms.push(Arm { condition: holds, body, span: condition.span, on_error: false });
        }
        let otherwise = default.map(|_| parts.reserve("go"));
        let none = match otherwise {
            Some(part) => Next::Part(part),
            None => Next::FailWith(Expr::call(&NO_CONDITION, vec![Arg::Str(self.activity.as_str().into())])),
        };
        parts.close(Next::Choose { arms, otherwise: Box::new(Body { steps: Vec::new(), next: none }) });
        let chosen = conditions.iter().map(|condition| &condition.next).zip(ways);
        for (way, part) in chosen.chain(default.zip(otherwise)) {
            parts.begin(part);
            merged.iter().for_each(|step| parts.push(step.kind.clone(), step.span));
            self.leave(activity, way, parts);
        }
    }

    /// Returns a local with the time in a number of seconds from now.
    fn deadline(&mut self, name: &str, seconds: &Spanned<f64>, parts: &mut PartsBuilder) -> LocalId {
        let local = self.local(name, seconds.span);
        parts.set(local, Expr::call(&IN_SECONDS, vec![Arg::Float(seconds.value)]), seconds.span);
        local
    }

    /// Waits. Within an attempt, the wait ends with a fault when the attempt expires.
    pub(super) fn sleep(&mut self, time: Option<&Timespan>, tried: Option<&Tried>, parts: &mut PartsBuilder) {
        let Some(time) = time.filter(|time| !time.value.is_zero()) else { return };
        let seconds = time.value.as_secs_f64();
        let Some((close, limit)) = tried.and_then(|tried| Some((tried.close?, tried.limit.clone()))) else {
            return parts.push(StepKind::Wait(Wait::For(Seconds::Fixed(seconds))), time.span);
        };
        let wake = Expr::call(&IN_SECONDS, vec![Arg::Float(seconds)]);
        let wake = Expr::call(&EARLIER, vec![Arg::Owned(wake), Arg::Value(Expr::Local(close))]);
        parts.push(StepKind::Wait(Wait::Until(wake)), time.span);
        let in_time = vec![Arg::Owned(Expr::Local(close)), Arg::Str(limit.into())];
        parts.set(close, Expr::call(&IN_TIME, in_time), time.span);
    }

    /// Raises a fault if the attempt has expired.
    pub(super) fn check_deadline(&mut self, tried: &Tried, span: Span, parts: &mut PartsBuilder) {
        if let Some(close) = tried.close {
            let in_time = vec![Arg::Owned(Expr::Local(close)), Arg::Str(tried.limit.as_str().into())];
            parts.set(close, Expr::call(&IN_TIME, in_time), span);
        }
    }
}

/// Describes the time limits of an activity.
fn describe_limits<const N: usize>(times: [(&str, Option<&Spanned<f64>>); N]) -> String {
    let times = times.iter().filter_map(|(name, time)| Some(format!("`{name}` is {} s", time.as_ref()?.value)));
    times.collect::<Vec<_>>().join(", ")
}

/// Lowers a retry. If `late` is set, it has the number of failures and the time at which all
/// attempts expire. The fault is raised again if that time comes before the next attempt.
fn retry_unless_late(policy: &Policy, retry: Retry, late: Option<(LocalId, LocalId)>) -> Body {
    let (fault, span) = (retry.fault, policy.span);
    let again = Next::Retry(Box::new(retry));
    let Some((failures, close)) = late else { return Body { steps: Vec::new(), next: again } };
    let more = Expr::call(&ONE_MORE, vec![Arg::Owned(Expr::Local(failures))]);
    let count = Step { kind: StepKind::Let { local: failures, value: more }, span };
    let comes_first = vec![
        Arg::Value(Expr::Local(failures)),
        Arg::Value(Expr::Local(close)),
        Arg::Float(policy.interval),
        Arg::Float(policy.coefficient),
        Arg::Float(policy.most),
    ];
    let arm = Arm {
        condition: Expr::call(&COMES_FIRST, comes_first),
        body: Body { steps: Vec::new(), next: Next::Raise(fault) },
        span,
        on_error: true,
    };
    let otherwise = Box::new(Body { steps: Vec::new(), next: again });
    Body { steps: vec![count], next: Next::Choose { arms: vec![arm], otherwise } }
}

/// Returns the retrier of a policy ([W5](docs/workflow-dsl.md#w5)).
fn retrier(policy: &Policy) -> Retrier {
    Retrier {
        errors: vec![ErrorMatch::Any],
        interval_seconds: policy.interval,
        max_attempts: policy.retries,
        backoff_rate: policy.coefficient,
        max_delay_seconds: Some(policy.most),
        increment_seconds: 0.0,
        jitter: Jitter::None,
        span: policy.span,
    }
}
