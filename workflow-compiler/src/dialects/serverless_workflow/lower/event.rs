//! Events that are waited for ("Event State", "Callback State", rulings R5, R13 and R14).

use super::super::ast::{self, EventActions, Timespan};
use super::super::functions::{
    ARE_ALL, EVENT_DATA, EVENT_VIEW, INCOMPLETE, IN_SECONDS, IS_EVENT, IS_NULL, NO_EVENTS, NOTE, NOTED,
};
use super::Cx;
use super::state::{choose, to};
use crate::dialects::parts::Parts;
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Arm, Next, Receive, StepKind};
use crate::source::Span;
use crate::syntax::Text;
use std::collections::BTreeSet;

/// The events that are waited for, by their numbers in the definition, each once.
pub(super) fn listened(entries: &[EventActions]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let all = entries.iter().flat_map(|entry| &entry.events).map(|event| event.index);
    all.filter(|event| seen.insert(*event)).collect()
}

impl Cx<'_> {
    /// When a time is over that begins now.
    pub(super) fn deadline(&mut self, timeout: &Timespan, parts: &mut Parts) -> LocalId {
        let until = self.local("until", timeout.span);
        self.set_deadline(until, timeout, parts);
        until
    }

    fn set_deadline(&mut self, until: LocalId, timeout: &Timespan, parts: &mut Parts) {
        let time = Expr::call(&IN_SECONDS, vec![Arg::Float(timeout.value.as_secs_f64())]);
        parts.set(until, time, timeout.span);
    }

    /// Waits for one of these events.
    pub(super) fn receive(
        &mut self,
        events: &[usize],
        until: Option<LocalId>,
        span: Span,
        parts: &mut Parts,
    ) -> LocalId {
        let result = self.local("event", span);
        let mut seen = BTreeSet::new();
        let events = events.iter().filter(|event| seen.insert(**event)).map(|event| self.event(*event)).collect();
        let receive = Receive { events, until: until.map(Expr::Local), drops_others: false, collected: None, result };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        result
    }

    /// Goes on with the part `late`, if no event has come.
    fn unless_late(&mut self, event: LocalId, late: u32, span: Span, parts: &mut Parts) {
        let got = parts.reserve("got");
        let condition = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(event))]);
        parts.close(choose(vec![Arm { condition, body: to(late), span, on_error: false }], got));
        parts.begin(got);
    }

    /// An event state.
    pub(super) fn events(
        &mut self,
        state: &ast::State,
        entries: &[EventActions],
        exclusive: bool,
        timeout: Option<&Timespan>,
        is_start: bool,
        parts: &mut Parts,
    ) {
        let span = state.span;
        let events = listened(entries);
        let done = parts.reserve("done");
        match exclusive || events.len() == 1 {
            true => {
                // The event that starts a run has come ("Event State: Timeout").
                let until = timeout.filter(|_| !is_start).map(|timeout| self.deadline(timeout, parts));
                let event = self.receive(&events, until, span, parts);
                if until.is_some() {
                    self.unless_late(event, done, span, parts);
                }
                self.act_on(entries, event, done, parts);
            }
            false => {
                let set = self.collect(&events, timeout, is_start, done, span, parts);
                self.act_on_all(entries, &events, set, parts);
                parts.close(Next::Part(done));
            }
        }
        parts.begin(done);
    }

    /// Waits for one event of each kind, in any order. Too late the state goes on with the part `done`; where the events start a
    /// run together, each must come in time after the one before, and too late there is no run (ruling R13).
    fn collect(
        &mut self,
        events: &[usize],
        timeout: Option<&Timespan>,
        is_start: bool,
        done: u32,
        span: Span,
        parts: &mut Parts,
    ) -> LocalId {
        let set = self.local("set", span);
        parts.set(set, Expr::call(&NO_EVENTS, vec![Arg::Int(events.len() as i64)]), span);
        let until = timeout.map(|timeout| (self.deadline(timeout, parts), timeout));
        let again = parts.split("collect");
        if let (Some((until, timeout)), true) = (until, is_start) {
            self.set_deadline(until, timeout, parts);
        }
        let event = self.local("event", span);
        let receive = Receive {
            events: events.iter().map(|event| self.event(*event)).collect(),
            until: until.map(|(until, _)| Expr::Local(until)),
            drops_others: false,
            collected: Some(Expr::Local(set)),
            result: event,
        };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        let late = if is_start { parts.reserve("late") } else { done };
        if until.is_some() {
            self.unless_late(event, late, span, parts);
        }
        let numbers = events.iter().map(|event| self.event(*event).0.to_string()).collect();
        let noted = vec![Arg::Owned(Expr::Local(set)), Arg::Value(Expr::Local(event)), Arg::Strs(numbers)];
        parts.set(set, Expr::call(&NOTE, noted), span);
        let all = parts.reserve("all");
        let condition = Expr::call(&ARE_ALL, vec![Arg::Value(Expr::Local(set))]);
        parts.close(choose(vec![Arm { condition, body: to(all), span, on_error: false }], again));
        if is_start {
            parts.begin(late);
            let args = vec![Arg::Str(self.state.clone()), Arg::Value(Expr::Local(set))];
            parts.close(Next::FailWith(Expr::call(&INCOMPLETE, args)));
        }
        parts.begin(all);
        set
    }

    /// The actions for the one event that has come.
    fn act_on(&mut self, entries: &[EventActions], event: LocalId, done: u32, parts: &mut Parts) {
        let act: Vec<u32> = entries.iter().map(|_| parts.reserve("act")).collect();
        let mut arms = Vec::new();
        for (entry, part) in entries.iter().zip(&act) {
            let numbers = entry.events.iter().map(|event| self.event(event.index).0.to_string()).collect();
            let condition = Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(numbers)]);
            arms.push(Arm { condition, body: to(*part), span: entry.span, on_error: false });
        }
        // Whatever came is of one of the entries.
        arms.pop();
        if let Some(last) = act.last() {
            parts.close(choose(arms, *last));
        }
        for (entry, part) in entries.iter().zip(act) {
            parts.begin(part);
            // Names that stand for several kinds of events are those of the first.
            let name = entry.events.first().map_or(0, |event| event.index);
            self.consume(event, name, entry.filter.as_ref(), entry.span, parts);
            self.actions(&entry.actions, Some(event), parts);
            parts.close(Next::Part(done));
        }
    }

    /// The actions for events all of which have come: `set` has them in this order.
    fn act_on_all(&mut self, entries: &[EventActions], events: &[usize], set: LocalId, parts: &mut Parts) {
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

    /// Merges what an event carries into the data (rulings R1 and R5).
    pub(super) fn consume(
        &mut self,
        event: LocalId,
        number: usize,
        filter: Option<&Text>,
        span: Span,
        parts: &mut Parts,
    ) {
        let name = self.definition.events[number].name.value.to_string();
        let data = self.local("event_data", span);
        parts.set(data, Expr::call(&EVENT_DATA, vec![Arg::Value(Expr::Local(event))]), span);
        match filter {
            None => self.merge(data, &name, span, parts),
            Some(filter) => {
                let view = self.local("event_view", filter.span);
                parts.set(view, Expr::call(&EVENT_VIEW, vec![Arg::Value(Expr::Local(event))]), filter.span);
                self.merge_selected(filter, view, Expr::Local(data), &name, parts);
            }
        }
    }

    /// The wait of a callback state.
    pub(super) fn callback(
        &mut self,
        number: usize,
        timeout: Option<&Timespan>,
        filter: Option<&Text>,
        span: Span,
        parts: &mut Parts,
    ) {
        let until = timeout.map(|timeout| self.deadline(timeout, parts));
        let event = self.receive(&[number], until, span, parts);
        let done = parts.reserve("done");
        if until.is_some() {
            self.unless_late(event, done, span, parts);
        }
        self.consume(event, number, filter, span, parts);
        parts.close(Next::Part(done));
        parts.begin(done);
    }
}
