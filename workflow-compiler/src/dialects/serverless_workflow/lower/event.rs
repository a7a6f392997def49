//! Events that are waited for ("Event State", "Callback State", rulings R5, R13 and R14).

use super::super::ast::{self, EventActions, StateKind, Timespan};
use super::super::functions::{
    ARE_ALL, EVENT_DATA, EVENT_VIEW, GIVEN_BY, IN_SECONDS, INCOMPLETE, IS_EVENT, IS_NULL, NO_EVENTS, NOTE, NOTED,
};
use super::Cx;
use super::steps::{choose, to};
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

/// What an event state has waited for.
pub(super) enum Waited {
    /// One of its events, or, if there is a time-out, perhaps none.
    One { event: LocalId, perhaps: bool },
    /// All of its events, or, if there is a time-out, perhaps not: they are in the local, in the order in which they are listed.
    All { set: LocalId, perhaps: bool },
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
        let events = events.iter().map(|event| self.event(*event)).collect();
        let until = until.map(Expr::Local);
        let receive = Receive { events, until, drops_others: false, collected: None, result };
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

    /// An event state waits. What it does then can be tried again without another event.
    pub(super) fn wait(&mut self, state: &ast::State, is_start: bool, parts: &mut Parts) -> Option<Waited> {
        let StateKind::Event { exclusive, entries, timeout } = &state.kind else { return None };
        let is_start = is_start && self.is_top;
        let events = listened(entries);
        if *exclusive || events.len() == 1 {
            // The event that starts a run has come ("Event State: Timeout").
            let until = timeout.as_ref().filter(|_| !is_start).map(|timeout| self.deadline(timeout, parts));
            let event = self.receive(&events, until, state.span, parts);
            return Some(Waited::One { event, perhaps: until.is_some() });
        }
        let set = self.collect(&events, timeout.as_ref(), is_start, state.span, parts);
        Some(Waited::All { set, perhaps: timeout.is_some() && !is_start })
    }

    /// Waits for one event of each kind, in any order. Where they start a run together, each must come in time after the one before,
    /// and too late there is no run (ruling R13).
    fn collect(
        &mut self,
        events: &[usize],
        timeout: Option<&Timespan>,
        is_start: bool,
        span: Span,
        parts: &mut Parts,
    ) -> LocalId {
        let set = self.local("set", span);
        parts.set(set, Expr::call(&NO_EVENTS, vec![Arg::Int(events.len() as i64)]), span);
        let until = timeout.map(|timeout| match is_start {
            // Each event begins it anew.
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
            drops_others: false,
            collected: Some(Expr::Local(set)),
            result: event,
        };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        let collected = parts.reserve("collected");
        let late = (until.is_some() && is_start).then(|| parts.reserve("late"));
        if until.is_some() {
            self.unless_late(event, late.unwrap_or(collected), span, parts);
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

    /// If all events of a set are there, on with a part.
    fn are_all(&self, set: LocalId, part: u32, span: Span) -> Arm {
        let condition = Expr::call(&ARE_ALL, vec![Arg::Value(Expr::Local(set))]);
        Arm { condition, body: to(part), span, on_error: false }
    }

    /// What the events carry that have started an execution must fit the schema of its input, or nothing is done (ruling R20). An
    /// input that it was given was looked at when it was started.
    pub(super) fn check_given(&mut self, state: &ast::State, waited: &Waited, parts: &mut Parts) {
        let (Some(given), Some(schema)) = (self.to_be_given, self.workflow.input_schema.clone()) else { return };
        let StateKind::Event { entries, .. } = &state.kind else { return };
        let span = state.span;
        let (look, done) = (parts.reserve("look"), parts.reserve("looked"));
        let condition = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(given))]);
        parts.close(choose(vec![Arm { condition, body: to(done), span, on_error: false }], look));
        parts.begin(look);
        let events: Vec<Expr> = match *waited {
            Waited::One { event, .. } => vec![Expr::Local(event)],
            Waited::All { set, .. } => {
                let noted = |at| Expr::call(&NOTED, vec![Arg::Value(Expr::Local(set)), Arg::Int(at as i64)]);
                (0..listened(entries).len()).map(noted).collect()
            }
        };
        for event in events {
            let value = Expr::call(&GIVEN_BY, vec![Arg::Owned(Expr::Local(given)), Arg::Value(event)]);
            parts.set(given, value, span);
        }
        let what = "what the events carry that start the execution";
        parts.set(given, schema.check(Expr::Local(given), what), span);
        parts.set(given, Expr::NULL, span);
        parts.close(Next::Part(done));
        parts.begin(done);
    }

    /// What an event state does about the events that have come; nothing, where they have not.
    pub(super) fn act(&mut self, entries: &[EventActions], waited: &Waited, span: Span, parts: &mut Parts) {
        let done = parts.reserve("done");
        match *waited {
            Waited::One { event, perhaps } => {
                if perhaps {
                    self.unless_late(event, done, span, parts);
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

    /// The actions for the one event that has come: those of all entries that name it.
    fn act_on(&mut self, entries: &[EventActions], event: LocalId, done: u32, span: Span, parts: &mut Parts) {
        let events = listened(entries);
        let act: Vec<u32> = events.iter().map(|_| parts.reserve("act")).collect();
        let mut arms = Vec::new();
        for (number, part) in events.iter().zip(&act) {
            let numbers = vec![self.event(*number).0.to_string()];
            let condition = Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(event)), Arg::Strs(numbers)]);
            arms.push(Arm { condition, body: to(*part), span, on_error: false });
        }
        // Whatever came is one of them.
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

    /// The actions for events all of which have come.
    fn act_on_all(&mut self, entries: &[EventActions], set: LocalId, parts: &mut Parts) {
        let events = listened(entries);
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

    /// Merges what an event carries into the data (rulings R1 and R5). A path that can lead to several values is one into what the
    /// event carries; another one can lead to an attribute, too.
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
