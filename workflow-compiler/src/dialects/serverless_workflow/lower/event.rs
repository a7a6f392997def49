//! Lowering of awaited events ("Event State", "Callback State",
//! [R5](docs/serverless-workflow.md#r5), [R13](docs/serverless-workflow.md#r13) and
//! [R14](docs/serverless-workflow.md#r14)).

use super::super::ast::{self, EventActions, StateKind, Timespan};
use super::super::functions::{
    ARE_ALL, EVENT_DATA, EVENT_VIEW, GIVEN_BY, IN_SECONDS, INCOMPLETE, IS_EVENT, IS_NULL, NO_EVENTS, NOTE, NOTED,
};
use super::Cx;
use super::steps::{choose, to};
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Arm, Next, Receive, StepKind};
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

impl Cx<'_> {
    /// Returns a local with the time at which a timeout that starts now expires.
    pub(super) fn deadline(&mut self, timeout: &Timespan, parts: &mut PartsBuilder) -> LocalId {
        let until = self.local("until", timeout.span);
        self.set_deadline(until, timeout, parts);
        until
    }

    fn set_deadline(&mut self, until: LocalId, timeout: &Timespan, parts: &mut PartsBuilder) {
        let time = Expr::call(&IN_SECONDS, vec![Arg::Float(timeout.value.as_secs_f64())]);
        parts.set(until, time, timeout.span);
    }

    /// Waits for one of these events.
    pub(super) fn receive(
        &mut self,
        events: &[usize],
        until: Option<LocalId>,
        span: Span,
        parts: &mut PartsBuilder,
    ) -> LocalId {
        let result = self.local("event", span);
        let events = events.iter().map(|event| self.event(*event)).collect();
        let until = until.map(Expr::Local);
        let receive = Receive { events, until, discards_unmatched: false, collected: None, result };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        result
    }

    /// Continues to the part `late` if no event arrived.
    fn continue_if_late(&mut self, event: LocalId, late: u32, span: Span, parts: &mut PartsBuilder) {
        let got = parts.reserve("got");
        let condition = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(event))]);
        parts.close(choose(vec![Arm { condition, body: to(late), span, on_error: false }], got));
        parts.begin(got);
    }

    /// Lowers the wait of an event state. Retries of the state repeat its actions and do not wait
    /// again.
    pub(super) fn wait(&mut self, state: &ast::State, is_start: bool, parts: &mut PartsBuilder) -> Option<Waited> {
        let StateKind::Event { exclusive, entries, timeout } = &state.kind else { return None };
        let is_start = is_start && self.is_top;
        let events = awaited_events(entries);
        if *exclusive || events.len() == 1 {
            // The start event has arrived before, so that no timeout applies ("Event State:
            // Timeout").
            let until = timeout.as_ref().filter(|_| !is_start).map(|timeout| self.deadline(timeout, parts));
            let event = self.receive(&events, until, state.span, parts);
            return Some(Waited::One { event, perhaps: until.is_some() });
        }
        let set = self.collect(&events, timeout.as_ref(), is_start, state.span, parts);
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
        parts: &mut PartsBuilder,
    ) -> LocalId {
        let set = self.local("set", span);
        parts.set(set, Expr::call(&NO_EVENTS, vec![Arg::Int(events.len() as i64)]), span);
        let until = timeout.map(|timeout| match is_start {
            // Each event restarts the timeout.
            true => (self.local("until", timeout.span), timeout),
            false => (self.deadline(timeout, parts), timeout),
        });
        let again = parts.split("collect");
        if let (Some((until, timeout)), true) = (until, is_start) {
            self.set_deadline(until, timeout, parts);
        }
        let event = self.local("event", span);
        let receive = Receive {
            events: events.iter().map(|event| self.event(*event)).collect(),
            until: until.map(|(until, _)| Expr::Local(until)),
            discards_unmatched: false,
            collected: Some(Expr::Local(set)),
            result: event,
        };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        let collected = parts.reserve("collected");
        let late = (until.is_some() && is_start).then(|| parts.reserve("late"));
        if until.is_some() {
            self.continue_if_late(event, late.unwrap_or(collected), span, parts);
        }
        let numbers = events.iter().map(|event| self.event(*event).0.to_string()).collect();
        let noted = vec![Arg::Owned(Expr::Local(set)), Arg::Value(Expr::Local(event)), Arg::Strs(numbers)];
        parts.set(set, Expr::call(&NOTE, noted), span);
        parts.close(choose(vec![self.are_all(set, collected, span)], again));
        if let Some(late) = late {
            parts.begin(late);
            let args = vec![Arg::Str(self.state.as_str().into()), Arg::Value(Expr::Local(set))];
            parts.close(Next::FailWith(Expr::call(&INCOMPLETE, args)));
        }
        parts.begin(collected);
        set
    }

    /// Returns the arm that continues to `part` if the set is complete.
    fn are_all(&self, set: LocalId, part: u32, span: Span) -> Arm {
        let condition = Expr::call(&ARE_ALL, vec![Arg::Value(Expr::Local(set))]);
        Arm { condition, body: to(part), span, on_error: false }
    }

    /// Checks the data of the start events against the input schema, and fails the execution if
    /// they do not fit ([R20](docs/serverless-workflow.md#r20)). An input that the caller passed
    /// was checked at the start.
    pub(super) fn check_start_input(&mut self, state: &ast::State, waited: &Waited, parts: &mut PartsBuilder) {
        let (Some(input), Some(schema)) = (self.start_input, self.workflow.input_schema.clone()) else { return };
        let StateKind::Event { entries, .. } = &state.kind else { return };
        let span = state.span;
        let (look, done) = (parts.reserve("look"), parts.reserve("looked"));
        let condition = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(input))]);
        parts.close(choose(vec![Arm { condition, body: to(done), span, on_error: false }], look));
        parts.begin(look);
        let events: Vec<Expr> = match *waited {
            Waited::One { event, .. } => vec![Expr::Local(event)],
            Waited::All { set, .. } => {
                let noted = |at| Expr::call(&NOTED, vec![Arg::Value(Expr::Local(set)), Arg::Int(at as i64)]);
                (0..awaited_events(entries).len()).map(noted).collect()
            }
        };
        for event in events {
            let value = Expr::call(&GIVEN_BY, vec![Arg::Owned(Expr::Local(input)), Arg::Value(event)]);
            parts.set(input, value, span);
        }
        let what = "the data of the start events";
        parts.set(input, schema.check(Expr::Local(input), what), span);
        parts.set(input, Expr::NULL, span);
        parts.close(Next::Part(done));
        parts.begin(done);
    }

    /// Lowers the reaction of an event state to the events. Without events it does nothing.
    pub(super) fn act(&mut self, entries: &[EventActions], waited: &Waited, span: Span, parts: &mut PartsBuilder) {
        let done = parts.reserve("done");
        match *waited {
            Waited::One { event, perhaps } => {
                if perhaps {
                    self.continue_if_late(event, done, span, parts);
                }
                self.act_on(entries, event, done, span, parts);
            }
            Waited::All { set, perhaps } => {
                if perhaps {
                    let all = parts.reserve("all");
                    parts.close(choose(vec![self.are_all(set, all, span)], done));
                    parts.begin(all);
                }
                self.act_on_all(entries, set, parts);
                parts.close(Next::Part(done));
            }
        }
        parts.begin(done);
    }

    /// Lowers the actions for one event: those of all entries that name it.
    fn act_on(&mut self, entries: &[EventActions], event: LocalId, done: u32, span: Span, parts: &mut PartsBuilder) {
        let events = awaited_events(entries);
        let act: Vec<u32> = events.iter().map(|_| parts.reserve("act")).collect();
        let mut arms = Vec::new();
        for (number, part) in events.iter().zip(&act) {
            let numbers = vec![self.event(*number).0.to_string()];
            let condition = Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(numbers)]);
            arms.push(Arm { condition, body: to(*part), span, on_error: false });
        }
        // The event is one of them, so that the last one needs no condition.
        arms.pop();
        if let Some(last) = act.last() {
            parts.close(choose(arms, *last));
        }
        for (number, part) in events.into_iter().zip(act) {
            parts.begin(part);
            let names_it = |entry: &&EventActions| entry.events.iter().any(|event| event.index == number);
            for entry in entries.iter().filter(names_it) {
                self.consume(event, number, entry.filter.as_ref(), entry.span, parts);
                self.actions(&entry.actions, Some(event), parts);
            }
            parts.close(Next::Part(done));
        }
    }

    /// Lowers the actions for a complete set of events.
    fn act_on_all(&mut self, entries: &[EventActions], set: LocalId, parts: &mut PartsBuilder) {
        let events = awaited_events(entries);
        for entry in entries {
            let mut last = None;
            for reference in &entry.events {
                let place = events.iter().position(|other| *other == reference.index).unwrap_or_default();
                let event = self.local("event", entry.span);
                let noted = vec![Arg::Value(Expr::Local(set)), Arg::Int(place as i64)];
                parts.set(event, Expr::call(&NOTED, noted), entry.span);
                self.consume(event, reference.index, entry.filter.as_ref(), entry.span, parts);
                last = Some(event);
            }
            self.actions(&entry.actions, last, parts);
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
        parts: &mut PartsBuilder,
    ) {
        let name = self.definition.events[number].name.value.to_string();
        let data = self.local("event_data", span);
        parts.set(data, Expr::call(&EVENT_DATA, vec![Arg::Value(Expr::Local(event))]), span);
        let Some(filter) = filter else { return self.merge(data, &name, span, parts) };
        let Some(path) = self.path(filter, Expr::Local(data)) else { return };
        if path.expr == path.base {
            return self.merge(data, &name, span, parts);
        }
        let mut view = data;
        if !path.is_indefinite() {
            view = self.local("event_view", filter.span);
            parts.set(view, Expr::call(&EVENT_VIEW, vec![Arg::Value(Expr::Local(event))]), filter.span);
        }
        self.merge_selected(filter, view, Expr::Local(data), &name, parts);
    }

    /// Lowers the wait of a callback state.
    pub(super) fn callback(
        &mut self,
        number: usize,
        timeout: Option<&Timespan>,
        filter: Option<&Text>,
        span: Span,
        parts: &mut PartsBuilder,
    ) {
        let until = timeout.map(|timeout| self.deadline(timeout, parts));
        let event = self.receive(&[number], until, span, parts);
        let done = parts.reserve("done");
        if until.is_some() {
            self.continue_if_late(event, done, span, parts);
        }
        self.consume(event, number, filter, span, parts);
        parts.close(Next::Part(done));
        parts.begin(done);
    }
}
