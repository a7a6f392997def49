//! Lowering of activities.

use super::super::ast::{
    Action, ActionKind, Activity, ActivityKind, Filter, OnMessages, Retry as Policy, SwitchCondition, Timespan,
    Transition,
};
use super::super::functions::{COMES_FIRST, FAILED, IS_EVENT, MERGE, NO_CONDITION, ONE_MORE, PAYLOAD, WITH_RESULT};
use super::Cx;
use crate::dialects::body::{BodyBuilder, Limit};
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{Arm, Body, CallTarget, CallWorkflow, Catcher, Expiry, Next, Retry, State, Step, StepKind};
use crate::model::{ErrorMatch, Jitter, LocalKind, Receive, Retrier, Seconds, Wait};
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;

/// Attempt of an activity.
pub(super) struct Tried {
    /// Local of the data that the attempt begins with.
    input: LocalId,
    /// Local of the activity's data.
    pub data: LocalId,
    /// Local of the response to the last call.
    pub response: LocalId,
    /// Local of the event that arrived, if any one of the messages is enough.
    chosen: Option<LocalId>,
    /// Local of the time at which all attempts expire.
    close_of_all: Option<LocalId>,
    /// Time limit of the attempt itself.
    limit: Option<Limit>,
}

/// Data of an activity after its work.
struct Worked {
    /// Local of the activity's data.
    data: LocalId,
    /// Local of the output.
    output: LocalId,
    /// `true` if the output is the workflow's data with results merged in.
    grows: bool,
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
        let mut steps = BodyBuilder::new();
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        steps.attempt(fault, Vec::new(), "done", span, |steps, _| {
            sleep(activity.sleep.before.as_ref(), steps);
            self.body(activity, steps);
            let named = vec![Arg::Str(self.activity.as_str().into()), Arg::Owned(Expr::Local(fault))];
            let body = Body::to(Next::FailWith(Expr::call(&FAILED, named)));
            vec![Catcher { errors: vec![ErrorMatch::Any], body, span }]
        });
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
            body: steps.finish(Next::Never),
            is_synthetic: false,
        }
    }

    /// Lowers an activity after the sleep before it, and its transition.
    fn body(&mut self, activity: &Activity, steps: &mut BodyBuilder) {
        let all = activity.timeout.schedule_to_close.as_ref();
        let limit = all.map(|seconds| self.limit("close", seconds, [("scheduleToClose", all)]));
        let close = limit.as_ref().map(|limit| limit.at);
        let Worked { data, output, grows } = steps.deadline(limit, |steps| self.work(activity, close, steps));
        let merged = match grows {
            true => Expr::Local(output),
            false => Expr::call(&MERGE, vec![Arg::Owned(Expr::Local(self.data)), Arg::Owned(Expr::Local(output))]),
        };
        let merged = Some(merged).filter(|_| output != self.data);
        match &activity.kind {
            ActivityKind::Switch { conditions, default } => {
                self.switch(activity, conditions, default.as_ref(), data, merged, steps);
            }
            _ => self.leave(activity, &activity.next, merged, steps),
        }
    }

    /// Lowers the input filter, the wait and the attempts of an activity. All expire at the time
    /// in the local `close_of_all`.
    fn work(&mut self, activity: &Activity, close_of_all: Option<LocalId>, steps: &mut BodyBuilder) -> Worked {
        let span = activity.span;
        // Without filters, the activity's data are the workflow's data with results merged in.
        let passes_all = matches!(activity.filter.output, Filter::All);
        let listens = matches!(activity.kind, ActivityKind::Message { .. });
        let (input, grows) = match self.filtered(&activity.filter.input, self.data, "input filter", None) {
            None if passes_all || !listens => (self.data, passes_all),
            filtered => {
                let input = self.local("input", span);
                steps.set(input, filtered.unwrap_or(Expr::Local(self.data)), span);
                (input, false)
            }
        };
        let chosen = match &activity.kind {
            ActivityKind::Message { entries, exclusive } => self.wait(activity, entries, *exclusive, input, steps),
            _ => None,
        };
        let response = self.local("response", span);
        // Only a retry needs the unchanged input again.
        let data = if grows && activity.retry.is_none() { input } else { self.local("activity_data", span) };
        let timeout = &activity.timeout;
        let limits = [
            ("startToClose", timeout.start_to_close.as_ref()),
            ("scheduleToClose", timeout.schedule_to_close.as_ref()),
        ];
        let limit = timeout.start_to_close.as_ref().map(|seconds| self.limit("close_of_try", seconds, limits));
        let tried = Tried { input, data, response, chosen, close_of_all, limit };
        let output = match &activity.retry {
            Some(policy) => self.retried(activity, policy, &tried, steps),
            None => self.attempt(activity, &tried, steps),
        };
        Worked { data, output, grows }
    }

    /// Lowers the end of an activity: the new data of the workflow, if they change, the sleep, and
    /// the transition.
    fn leave(&mut self, activity: &Activity, way: &Transition, merged: Option<Expr>, steps: &mut BodyBuilder) {
        if let Some(merged) = merged {
            steps.set(self.data, merged, activity.span);
        }
        sleep(activity.sleep.after.as_ref(), steps);
        steps.close(self.follow(way));
    }

    /// Lowers the attempts of an activity with a retry policy. Returns the local of the output.
    fn retried(&mut self, activity: &Activity, policy: &Policy, tried: &Tried, steps: &mut BodyBuilder) -> LocalId {
        let late = tried.close_of_all.map(|close| (self.local("failures", policy.span), close));
        if let Some((failures, _)) = late {
            steps.set(failures, Expr::Literal(Literal::Int(0)), policy.span);
        }
        let block_retries = self.workflow.add_local("tries", LocalKind::BlockRetries, policy.span);
        let fault = self.workflow.add_local("fault", LocalKind::Fault, policy.span);
        let mut output = tried.data;
        steps.attempt(fault, vec![block_retries], "done", activity.span, |steps, attempt| {
            output = self.attempt(activity, tried, steps);
            let otherwise = Body::to(Next::Raise(fault));
            let retry = Retry { attempt, retrier: retrier(policy), block_retries, fault, otherwise };
            let body = retry_unless_late(policy, retry, late);
            vec![Catcher { errors: vec![ErrorMatch::Any], body, span: policy.span }]
        });
        output
    }

    /// Lowers one attempt of an activity. Returns the local of the output.
    fn attempt(&mut self, activity: &Activity, tried: &Tried, steps: &mut BodyBuilder) -> LocalId {
        let span = activity.span;
        steps.deadline(tried.limit.clone(), |steps| {
            if tried.data != tried.input {
                steps.set(tried.data, Expr::Local(tried.input), span);
            }
            steps.set(tried.response, Expr::NULL, span);
            self.act(activity, tried, steps);
            let Some(filtered) =
                self.filtered(&activity.filter.output, tried.data, "output filter", Some(tried.response))
            else {
                return tried.data;
            };
            let output = self.local("output", span);
            steps.set(output, filtered, span);
            output
        })
    }

    /// Lowers the work of one attempt, which changes the activity's data.
    fn act(&mut self, activity: &Activity, tried: &Tried, steps: &mut BodyBuilder) {
        let span = activity.span;
        match &activity.kind {
            ActivityKind::Operation { actions } => self.actions(actions, tried, steps),
            ActivityKind::Message { entries, .. } => match tried.chosen.filter(|_| entries.len() > 1) {
                Some(chosen) => self.entry(entries, chosen, span, tried, steps),
                None => entries.iter().for_each(|entry| self.actions(&entry.actions, tried, steps)),
            },
            ActivityKind::Switch { .. } => {}
            ActivityKind::Inject { data } => {
                let injected = Arg::Owned(Expr::Literal(Literal::from(data)));
                let merged = vec![Arg::Owned(Expr::Local(tried.data)), injected];
                steps.set(tried.data, Expr::call(&MERGE, merged), data.span);
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
                    timeout: None,
                    result,
                };
                steps.push(StepKind::Call(Box::new(call)), span);
                let merged = vec![Arg::Owned(Expr::Local(tried.data)), Arg::Value(Expr::Local(result))];
                steps.set(tried.data, Expr::call(&WITH_RESULT, merged), span);
            }
        }
    }

    /// Lowers the actions of the entry whose message arrived.
    fn entry(&mut self, entries: &[OnMessages], chosen: LocalId, span: Span, tried: &Tried, steps: &mut BodyBuilder) {
        steps.block("acted", span, |steps, acted| {
            let arms = entries.iter().map(|entry| {
                let condition = self.is_one_of(entry, chosen);
                let body = steps.body(Next::Leave(acted), |steps| self.actions(&entry.actions, tried, steps));
                Arm { condition, body, span: entry.span, on_error: false }
            });
            let mut arms: Vec<Arm> = arms.collect();
            // The message belongs to one of the entries, so that the last one needs no condition.
            if let Some(last) = arms.pop() {
                steps.choose(arms, last.body);
            }
        });
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
        steps: &mut BodyBuilder,
    ) -> Option<LocalId> {
        let (span, timeout) = (activity.span, &activity.timeout);
        let limits = [
            ("scheduleToStart", timeout.schedule_to_start.as_ref()),
            ("scheduleToClose", timeout.schedule_to_close.as_ref()),
        ];
        let limit = timeout.schedule_to_start.as_ref().map(|seconds| self.limit("start", seconds, limits));
        let messages = self.awaited_messages(entries, exclusive);
        steps.deadline(limit, |steps| {
            if exclusive {
                let event = self.receive(&messages, span, steps);
                self.consume(&messages, event, data, span, steps);
                return Some(event);
            }
            // The messages may arrive in any order, because early ones are buffered
            // ([W8](docs/workflow-dsl.md#w8)).
            for message in messages {
                let event = self.receive(&[message], span, steps);
                self.consume(&[message], event, data, span, steps);
            }
            None
        })
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
                let awaited = &self.workflow.events[event];
                (awaited.subject.is_none(), awaited.source.is_none())
            });
        }
        messages
    }

    /// Waits for one of these messages.
    fn receive(&mut self, messages: &[usize], span: Span, steps: &mut BodyBuilder) -> LocalId {
        let result = self.local("event", span);
        let events = messages.iter().map(|message| self.event(*message)).collect();
        let receive = Receive { events, discards_unmatched: false, collected: None, result };
        steps.push(StepKind::Receive(Box::new(receive)), span);
        result
    }

    /// Merges the payload of a message into the data after applying its filter.
    fn consume(&mut self, messages: &[usize], event: LocalId, data: LocalId, span: Span, steps: &mut BodyBuilder) {
        let definition = self.definition;
        let payload = self.local("payload", span);
        steps.set(payload, Expr::call(&PAYLOAD, vec![Arg::Value(Expr::Local(event))]), span);
        let filters: Vec<Option<Expr>> = messages
            .iter()
            .map(|message| {
                self.filtered(&definition.messages[*message].filter.input, payload, "message input filter", None)
            })
            .collect();
        // If several messages match the event, the first one decides, as it does for the actions.
        // After the last message with a filter, all messages are treated alike.
        let count = filters.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        steps.block("heard", span, |steps, heard| {
            let mut merge = |value: Expr| {
                let merged = vec![Arg::Owned(Expr::Local(data)), Arg::Value(value)];
                steps.body(Next::Leave(heard), |steps| steps.set(data, Expr::call(&WITH_RESULT, merged), span))
            };
            let mut arms = Vec::new();
            for (message, filter) in messages.iter().zip(filters).take(count) {
                let number = self.event(*message).0.to_string();
                let condition = Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(vec![number])]);
                let body = merge(filter.unwrap_or(Expr::Local(payload)));
                arms.push(Arm { condition, body, span, on_error: false });
            }
            // The event matches one of the messages, so that the last one needs no condition.
            let last = if count == messages.len() { arms.pop().map(|arm| arm.body) } else { None };
            let otherwise = last.unwrap_or_else(|| merge(Expr::Local(payload)));
            steps.choose(arms, otherwise);
        });
    }

    /// Lowers the choice of the first condition that holds.
    fn switch(
        &mut self,
        activity: &Activity,
        conditions: &[SwitchCondition],
        default: Option<&Transition>,
        data: LocalId,
        merged: Option<Expr>,
        steps: &mut BodyBuilder,
    ) {
        let none = Next::FailWith(Expr::call(&NO_CONDITION, vec![Arg::Str(self.activity.as_str().into())]));
        let mut arms = Vec::new();
        for SwitchCondition { condition, next, span } in conditions {
            let holds = self.jq(condition, "condition", jq::ResultMode::Test, data, None);
            let body = steps.body(Next::Never, |steps| self.leave(activity, next, merged.clone(), steps));
            arms.extend(holds.map(|condition| Arm { condition, body, span: *span, on_error: false }));
        }
        let otherwise = steps.body(none, |steps| {
            if let Some(way) = default {
                self.leave(activity, way, merged, steps);
            }
        });
        steps.choose(arms, otherwise);
    }

    /// Returns a time limit, whose fault names all of `limits`. A local of this name receives the
    /// time at which it passes.
    fn limit<const N: usize>(
        &mut self,
        name: &str,
        seconds: &Spanned<f64>,
        limits: [(&str, Option<&Spanned<f64>>); N],
    ) -> Limit {
        let described: Vec<String> =
            limits.iter().filter_map(|(name, time)| Some(format!("`{name}` is {} s", time.as_ref()?.value))).collect();
        Limit {
            seconds: seconds.value,
            at: self.local(name, seconds.span),
            expiry: Expiry::Fault(format!("the activity timed out: {}", described.join(", "))),
            span: seconds.span,
        }
    }
}

/// Waits for a time.
pub(super) fn sleep(time: Option<&Timespan>, steps: &mut BodyBuilder) {
    if let Some(time) = time.filter(|time| !time.value.is_zero()) {
        steps.push(StepKind::Wait(Wait::For(Seconds::Fixed(time.value.as_secs_f64()))), time.span);
    }
}

/// Lowers a retry. If `late` is set, it has the number of failures and the time at which all
/// attempts expire. The fault is raised again if that time comes before the next attempt.
fn retry_unless_late(policy: &Policy, retry: Retry, late: Option<(LocalId, LocalId)>) -> Body {
    let (fault, span) = (retry.fault, policy.span);
    let again = Next::Retry(Box::new(retry));
    let Some((failures, close)) = late else { return Body::to(again) };
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
        body: Body::to(Next::Raise(fault)),
        span,
        on_error: true,
    };
    let otherwise = Box::new(Body::to(again));
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
    }
}
