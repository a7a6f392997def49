//! Lowering of awaited events ("Event State", "Callback State",
//! [R5](docs/serverless-workflow.md#r5), [R13](docs/serverless-workflow.md#r13) and
//! [R14](docs/serverless-workflow.md#r14)).

use super::super::ast::{self, EventActions, StateKind, Timespan};
use super::super::functions::{
    ARE_ALL, EVENT_DATA, EVENT_VIEW, GIVEN_BY, INCOMPLETE, IS_EVENT, IS_NULL, NO_EVENTS, NOTE, NOTED,
};
use super::Cx;
use crate::dialects::body::{BodyBuilder, Limit};
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Arm, Body, Expiry, Label, Next, StepKind};
use crate::model::Receive;
use crate::source::Span;
use crate::syntax::Text;
use std::collections::BTreeSet;

/// Returns the awaited events of the entries by their indices in the definition, each once.
pub(super) fn awaited_events(entries: &[EventActions]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let all = entries.iter().flat_map(|entry| &entry.events).map(|event| event.index);
    all.filter(|event| seen.insert(*event)).collect()
}

/// Events that an event state has received.
pub(super) enum Waited {
    /// One event. With a timeout, it may be absent.
    One { event: LocalId, perhaps: bool },
    /// All events, in the local `set` and in source order. With a timeout, the set may be
    /// incomplete.
    All { set: LocalId, perhaps: bool },
}

/// Continues with `late` if no event arrived.
pub(super) fn if_late(event: LocalId, late: Body, span: Span, steps: &mut BodyBuilder) {
    let condition = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(event))]);
    let arm = Arm { condition, body: late, span, on_error: false };
    steps.block("got", span, |steps, got| steps.choose(vec![arm], Body::to(Next::Leave(got))));
}

/// Chooses the arm of the event that arrived. It is one of them, so that the last arm needs no
/// condition.
pub(super) fn choose_event(mut arms: Vec<Arm>, steps: &mut BodyBuilder) {
    if let Some(last) = arms.pop() {
        steps.choose(arms, last.body);
    }
}

/// Returns the arm that continues with `body` if the set is complete.
fn if_complete(set: LocalId, body: Body, span: Span) -> Arm {
    let condition = Expr::call(&ARE_ALL, vec![Arg::Value(Expr::Local(set))]);
    Arm { condition, body, span, on_error: false }
}

impl Cx<'_> {
    /// Returns the limit of a timeout, which yields null in place of an event.
    fn limit(&mut self, timeout: &Timespan) -> Limit {
        Limit {
            seconds: timeout.value.as_secs_f64(),
            at: self.local("until", timeout.span),
            expiry: Expiry::Null,
            span: timeout.span,
        }
    }

    /// Waits for one of these events. The result is null if the timeout expires.
    pub(super) fn receive_within(
        &mut self,
        timeout: Option<&Timespan>,
        events: &[usize],
        span: Span,
        steps: &mut BodyBuilder,
    ) -> LocalId {
        let limit = timeout.map(|timeout| self.limit(timeout));
        steps.deadline(limit, |steps| self.receive(events, None, span, steps))
    }

    /// Waits for one of these events, or of those that `collected` lacks.
    fn receive(
        &mut self,
        events: &[usize],
        collected: Option<LocalId>,
        span: Span,
        steps: &mut BodyBuilder,
    ) -> LocalId {
        let result = self.local("event", span);
        let events = events.iter().map(|event| self.event(*event)).collect();
        let collected = collected.map(Expr::Local);
        let receive = Receive { events, discards_unmatched: false, collected, result };
        steps.push(StepKind::Receive(Box::new(receive)), span);
        result
    }

    /// Returns the test whether the event is the one with this index in the definition.
    pub(super) fn is_event(&mut self, event: LocalId, number: usize) -> Expr {
        let numbers = vec![self.event(number).0.to_string()];
        Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(numbers)])
    }

    /// Lowers the wait of an event state. Retries of the state repeat its actions and do not wait
    /// again.
    pub(super) fn wait(&mut self, state: &ast::State, is_start: bool, steps: &mut BodyBuilder) -> Option<Waited> {
        let StateKind::Event { exclusive, entries, timeout } = &state.kind else { return None };
        let is_start = is_start && self.is_top;
        let events = awaited_events(entries);
        if *exclusive || events.len() == 1 {
            // The start event has arrived before, so that no timeout applies ("Event State:
            // Timeout").
            let timeout = timeout.as_ref().filter(|_| !is_start);
            let event = self.receive_within(timeout, &events, state.span, steps);
            return Some(Waited::One { event, perhaps: timeout.is_some() });
        }
        let set = self.collect(&events, timeout.as_ref(), is_start, state.span, steps);
        Some(Waited::All { set, perhaps: timeout.is_some() && !is_start })
    }

    /// Waits for one event of each kind, in any order. If the events start an execution together,
    /// each must arrive in time after the previous one, and expiry ends the execution
    /// ([R13](docs/serverless-workflow.md#r13)).
    fn collect(
        &mut self,
        events: &[usize],
        timeout: Option<&Timespan>,
        is_start: bool,
        span: Span,
        steps: &mut BodyBuilder,
    ) -> LocalId {
        let set = self.local("set", span);
        steps.set(set, Expr::call(&NO_EVENTS, vec![Arg::Int(events.len() as i64)]), span);
        let limit = timeout.map(|timeout| self.limit(timeout));
        // Each start event restarts the timeout.
        let (each, all) = if is_start { (limit, None) } else { (None, limit) };
        steps.deadline(all, |steps| {
            steps.repeat("collect", "collected", span, |steps, collect| {
                let event = steps.deadline(each, |steps| self.receive(events, Some(set), span, steps));
                if timeout.is_some() {
                    let args = vec![Arg::Str(self.state.as_str().into()), Arg::Value(Expr::Local(set))];
                    let late = match is_start {
                        true => Next::FailWith(Expr::call(&INCOMPLETE, args)),
                        false => Next::Leave(collect),
                    };
                    if_late(event, Body::to(late), span, steps);
                }
                let numbers = events.iter().map(|event| self.event(*event).0.to_string()).collect();
                let noted = vec![Arg::Owned(Expr::Local(set)), Arg::Value(Expr::Local(event)), Arg::Strs(numbers)];
                steps.set(set, Expr::call(&NOTE, noted), span);
                let all = if_complete(set, Body::to(Next::Leave(collect)), span);
                steps.choose(vec![all], Body::to(Next::Repeat(collect)));
            });
        });
        set
    }

    /// Checks the data of the start events against the input schema, and fails the execution if
    /// they do not fit ([R20](docs/serverless-workflow.md#r20)). An input that the caller passed
    /// was checked at the start.
    pub(super) fn check_start_input(&mut self, state: &ast::State, waited: &Waited, steps: &mut BodyBuilder) {
        let (Some(input), Some(schema)) = (self.start_input, self.workflow.input_schema.clone()) else { return };
        let StateKind::Event { entries, .. } = &state.kind else { return };
        let span = state.span;
        steps.block("looked", span, |steps, looked| {
            let is_checked = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(input))]);
            steps.leave_if(is_checked, looked, "look", span);
            let events: Vec<Expr> = match *waited {
                Waited::One { event, .. } => vec![Expr::Local(event)],
                Waited::All { set, .. } => {
                    let noted = |at| Expr::call(&NOTED, vec![Arg::Value(Expr::Local(set)), Arg::Int(at as i64)]);
                    (0..awaited_events(entries).len()).map(noted).collect()
                }
            };
            for event in events {
                let value = Expr::call(&GIVEN_BY, vec![Arg::Owned(Expr::Local(input)), Arg::Value(event)]);
                steps.set(input, value, span);
            }
            let what = "the data of the start events";
            steps.set(input, schema.check(Expr::Local(input), what), span);
            steps.set(input, Expr::NULL, span);
        });
    }

    /// Lowers the reaction of an event state to the events. Without events it does nothing.
    pub(super) fn act(&mut self, entries: &[EventActions], waited: &Waited, span: Span, steps: &mut BodyBuilder) {
        steps.block("done", span, |steps, done| match *waited {
            Waited::One { event, perhaps } => {
                if perhaps {
                    if_late(event, Body::to(Next::Leave(done)), span, steps);
                }
                self.act_on(entries, event, done, span, steps);
            }
            Waited::All { set, perhaps: false } => self.act_on_all(entries, set, steps),
            Waited::All { set, perhaps: true } => {
                let all = steps.body(Next::Leave(done), |steps| self.act_on_all(entries, set, steps));
                steps.choose(vec![if_complete(set, all, span)], Body::to(Next::Leave(done)));
            }
        });
    }

    /// Lowers the actions for one event: those of all entries that name it. Then leaves to `done`.
    fn act_on(&mut self, entries: &[EventActions], event: LocalId, done: Label, span: Span, steps: &mut BodyBuilder) {
        let mut arms = Vec::new();
        for number in awaited_events(entries) {
            let body = steps.body(Next::Leave(done), |steps| {
                let names_it = |entry: &&EventActions| entry.events.iter().any(|event| event.index == number);
                for entry in entries.iter().filter(names_it) {
                    self.consume(event, number, entry.filter.as_ref(), entry.span, steps);
                    self.actions(&entry.actions, Some(event), steps);
                }
            });
            arms.push(Arm { condition: self.is_event(event, number), body, span, on_error: false });
        }
        choose_event(arms, steps);
    }

    /// Lowers the actions for a complete set of events.
    fn act_on_all(&mut self, entries: &[EventActions], set: LocalId, steps: &mut BodyBuilder) {
        let events = awaited_events(entries);
        for entry in entries {
            let mut last = None;
            for reference in &entry.events {
                let place = events.iter().position(|other| *other == reference.index).unwrap_or_default();
                let event = self.local("event", entry.span);
                let noted = vec![Arg::Value(Expr::Local(set)), Arg::Int(place as i64)];
                steps.set(event, Expr::call(&NOTED, noted), entry.span);
                self.consume(event, reference.index, entry.filter.as_ref(), entry.span, steps);
                last = Some(event);
            }
            self.actions(&entry.actions, last, steps);
        }
    }

    /// Merges the data of an event into the data ([R1](docs/serverless-workflow.md#r1) and
    /// [R5](docs/serverless-workflow.md#r5)). A path that can select several values starts from
    /// the data of the event. Any other path can also select an attribute.
    pub(super) fn consume(
        &mut self,
        event: LocalId,
        number: usize,
        filter: Option<&Text>,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        let name = self.definition.events[number].name.value.to_string();
        let data = self.local("event_data", span);
        steps.set(data, Expr::call(&EVENT_DATA, vec![Arg::Value(Expr::Local(event))]), span);
        let Some(filter) = filter else { return self.merge(data, &name, span, steps) };
        let Some(path) = self.path(filter, Expr::Local(data)) else { return };
        if path.expr == path.base {
            return self.merge(data, &name, span, steps);
        }
        let mut view = data;
        if !path.is_indefinite() {
            view = self.local("event_view", filter.span);
            steps.set(view, Expr::call(&EVENT_VIEW, vec![Arg::Value(Expr::Local(event))]), filter.span);
        }
        self.merge_selected(filter, view, Expr::Local(data), &name, steps);
    }

    /// Lowers the wait of a callback state.
    pub(super) fn callback(
        &mut self,
        number: usize,
        timeout: Option<&Timespan>,
        filter: Option<&Text>,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        let event = self.receive_within(timeout, &[number], span, steps);
        steps.block("done", span, |steps, done| {
            if timeout.is_some() {
                if_late(event, Body::to(Next::Leave(done)), span, steps);
            }
            self.consume(event, number, filter, span, steps);
        });
    }
}
