//! Lowering of states and their transitions (docs/sm4c.md, "What happens in a state").

use super::super::ast::{self, EventGroup, Reference, Transition, Trigger};
use super::super::functions::{EVENT, IN_SECONDS, IS, IS_EVENT, IS_NULL, NOTE, SEEN, STUCK};
use super::{Cx, Place};
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{Arm, Body, Next, Receive, ScopeId, Seconds, State, Step, StepKind, Wait};
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;
use std::time::Duration;

/// Form of the steps on leaving a state.
enum Exit<'s> {
    /// Each transition has a copy of the steps.
    Each,
    /// One part has the steps. It continues to the one of `targets` that the local `next` names.
    Shared { part: u32, next: LocalId, targets: Vec<&'s Reference> },
}

impl Cx<'_> {
    pub(super) fn state(&mut self, state: &ast::State) -> State {
        self.state = state.name.value.to_string();
        let span = state.span;
        let mut parts = PartsBuilder::new();
        // Without a filter, the data are the global data, as they are at the time of each use.
        let input = match &state.input_filter {
            None => self.data,
            Some(filter) => {
                let input = self.local("input", filter.span);
                self.set_filtered(input, filter, "input filter", Expr::Local(self.data), None, &mut parts);
                input
            }
        };
        let place = Place { scope: ScopeId(0), input, handled: None, guarded: false, retried: None };
        self.step(&state.enter, "enter", place, &mut parts);
        let choice = parts.split("choose");
        self.transitions(state, place, choice, &mut parts);
        let body = Body { steps: Vec::new(), next: parts.finish() };
        State {
            name: state.name.clone(),
            comment: None,
            kind: "State",
            span,
            input: self.data,
            body,
            is_synthetic: false,
        }
    }

    /// Lowers an action and the handler of its result. A handler without an action receives null.
    fn step(&mut self, step: &ast::HandledAction, what: &str, place: Place, parts: &mut PartsBuilder) {
        let span = match (&step.action, &step.handler) {
            (Some(action), _) => action.span,
            (None, Some(handler)) => handler.span,
            (None, None) => return,
        };
        let result = self.local("result", span);
        match &step.action {
            Some(action) => self.action(action, place, result, parts),
            None => parts.set(result, Expr::NULL, span),
        }
        if let Some(handler) = &step.handler {
            let (data, what) = (Expr::Local(self.data), format!("{what} result handler"));
            self.set_filtered(self.data, handler, &what, data, Some(Expr::Local(result)), parts);
        }
    }

    /// Lowers the transitions of a state. `choice` is the part that chooses a transition. It is
    /// the current part.
    fn transitions(&mut self, state: &ast::State, place: Place, choice: u32, parts: &mut PartsBuilder) {
        if state.transitions.is_empty() {
            self.step(&state.exit, "exit", place, parts);
            return parts.close(Next::End(Expr::Local(self.data)));
        }
        let followed: Vec<u32> = state.transitions.iter().map(|_| parts.reserve("follow")).collect();
        let implicit = state.transitions.iter().position(|one| matches!(one.trigger, Trigger::Implicit));
        match implicit {
            Some(at) => parts.close(Next::Part(followed[at])),
            None => self.choose(state, place, &followed, parts),
        }
        let mut followed: Vec<_> = state.transitions.iter().zip(followed).collect();
        if let Some(at) = implicit {
            let taken = followed.remove(at);
            followed.into_iter().for_each(|(other, _)| self.read_transition(other));
            followed = vec![taken];
        }
        if state.transitions.iter().all(|transition| transition.next.is_none()) {
            self.read_exit(state);
        }
        let exit = self.exit(state, followed.iter().filter_map(|(transition, _)| transition.next.as_ref()), parts);
        for (transition, part) in followed {
            parts.begin(part);
            self.follow(state, transition, &exit, place, choice, parts);
        }
        if let Exit::Shared { part, next, targets } = exit {
            parts.begin(part);
            self.step(&state.exit, "exit", place, parts);
            self.continue_to(next, &targets, state.span, parts);
        }
    }

    /// Returns the form of the exit for these transitions.
    fn exit<'s>(
        &mut self,
        state: &'s ast::State,
        leaving: impl Iterator<Item = &'s Reference>,
        parts: &mut PartsBuilder,
    ) -> Exit<'s> {
        let mut leaving: Vec<&Reference> = leaving.collect();
        if leaving.len() < 2 || state.exit.action.is_none() && state.exit.handler.is_none() {
            return Exit::Each;
        }
        let mut seen = BTreeSet::new();
        leaving.retain(|target| seen.insert(target.index));
        Exit::Shared { part: parts.reserve("leave"), next: self.local("next", state.span), targets: leaving }
    }

    /// Continues to the one of `targets` that the local `next` names.
    fn continue_to(&mut self, next: LocalId, targets: &[&Reference], span: Span, parts: &mut PartsBuilder) {
        let machine = self.machine;
        // Each target has a part of its own, because graphs show conditions inside a part as
        // conditions of the state.
        let ways: Vec<u32> = targets.iter().map(|_| parts.reserve("go")).collect();
        let way = |part: &u32| Body { steps: Vec::new(), next: Next::Part(*part) };
        let Some((last, others)) = ways.split_last() else { return };
        let arms = targets.iter().zip(others).map(|(target, part)| {
            let name = machine.states[target.index].name.value.to_string();
            let condition = Expr::call(&IS, vec![Arg::Value(Expr::Local(next)), Arg::Str(name.into())]);
            Arm { condition, body: way(part), span, on_error: false }
        });
        let arms: Vec<Arm> = arms.collect();
        parts.close(match arms.is_empty() {
            true => Next::Part(*last),
            false => Next::Choose { arms, otherwise: Box::new(way(last)) },
        });
        for (target, part) in targets.iter().zip(ways) {
            parts.begin(part);
            parts.close(self.to(target));
        }
    }

    /// Returns the transition to another state.
    fn to(&self, target: &Reference) -> Next {
        let name = self.machine.states[target.index].name.value.clone();
        Next::Goto(Spanned { value: name, span: target.name.span })
    }

    /// Lowers the choice of a transition: the first condition that holds, then events, and the
    /// timeout.
    fn choose(&mut self, state: &ast::State, place: Place, followed: &[u32], parts: &mut PartsBuilder) {
        let mut arms = Vec::new();
        for (transition, part) in state.transitions.iter().zip(followed) {
            let Trigger::Condition(condition) = &transition.trigger else { continue };
            let input = Expr::Local(place.input);
            let Some(condition) = self.filter(condition, "condition", jq::ResultMode::Test, input, None) else {
                continue;
            };
            let body = Body { steps: Vec::new(), next: Next::Part(*part) };
            arms.push(Arm { condition, body, span: transition.span, on_error: false });
        }
        let timeout = state.transitions.iter().zip(followed).find_map(|(transition, part)| match &transition.trigger {
            Trigger::Timeout(timeout) => Some((timeout, *part)),
            _ => None,
        });
        let waits = state.transitions.iter().any(|one| matches!(one.trigger, Trigger::Events(_)));
        let otherwise = if waits || timeout.is_some() {
            Next::Part(parts.reserve("wait"))
        } else {
            // A state in which nothing is enabled fails ([S7](docs/sm4c.md#s7)).
            Next::FailWith(Expr::call(&STUCK, vec![Arg::Str(self.state.as_str().into())]))
        };
        let waiting = if let Next::Part(part) = otherwise { Some(part) } else { None };
        let otherwise = Body { steps: Vec::new(), next: otherwise };
        parts.close(match arms.is_empty() {
            true => otherwise.next,
            false => Next::Choose { arms, otherwise: Box::new(otherwise) },
        });
        let Some(waiting) = waiting else { return };
        parts.begin(waiting);
        match timeout {
            Some((timeout, part)) if !waits => {
                parts.push(StepKind::Wait(Wait::For(Seconds::Fixed(timeout.value.as_secs_f64()))), timeout.span);
                parts.close(Next::Part(part));
            }
            timeout => self.wait(state, place, followed, timeout, parts),
        }
    }

    /// Lowers the wait for events. Events are consumed one by one and recorded for this wait only.
    /// After each, the first transition whose groups are all satisfied is triggered.
    fn wait(
        &mut self,
        state: &ast::State,
        place: Place,
        followed: &[u32],
        timeout: Option<(&Spanned<Duration>, u32)>,
        parts: &mut PartsBuilder,
    ) {
        let span = state.span;
        let until = timeout.map(|(timeout, _)| {
            let until = self.local("until", timeout.span);
            let time = Expr::call(&IN_SECONDS, vec![Arg::Float(timeout.value.as_secs_f64())]);
            parts.set(until, time, timeout.span);
            Expr::Local(until)
        });
        // One local holds the events of all groups. With a local per group, each suspension point
        // would carry all of them.
        let seen = self.local("seen", span);
        parts.set(seen, Expr::Array(Vec::new()), span);
        let mut groups: Vec<(usize, &EventGroup)> = Vec::new();
        let mut events = BTreeSet::new();
        for (at, transition) in state.transitions.iter().enumerate() {
            let Trigger::Events(of_transition) = &transition.trigger else { continue };
            for group in of_transition {
                for event in &group.events {
                    events.insert(self.event(event.index));
                }
                groups.push((at, group));
            }
        }
        let again = parts.split("listen");
        let raw = self.local("event", span);
        let events = events.into_iter().collect();
        let receive = Receive { events, until, discards_unmatched: true, collected: None, result: raw };
        parts.push(StepKind::Receive(Box::new(receive)), span);
        let got = parts.reserve("hear");
        let is_over = is_null(Expr::Local(raw));
        parts.close(match timeout {
            None => Next::Part(got),
            Some((timeout, part)) => Next::Choose {
                arms: vec![Arm {
                    condition: is_over,
                    body: Body { steps: Vec::new(), next: Next::Part(part) },
                    span: timeout.span,
                    on_error: false,
                }],
                otherwise: Box::new(Body { steps: Vec::new(), next: Next::Part(got) }),
            },
        });
        parts.begin(got);
        let event = self.local("event", span);
        parts.set(event, Expr::call(&EVENT, vec![Arg::Value(Expr::Local(raw))]), span);
        for (number, (_, group)) in groups.iter().enumerate() {
            self.record_event(number, group, seen, raw, event, place, parts);
        }
        let mut arms = Vec::new();
        for (at, transition) in state.transitions.iter().enumerate() {
            let Trigger::Events(_) = &transition.trigger else { continue };
            let own = groups.iter().enumerate().filter(|(_, (of, _))| *of == at);
            let own: Vec<(usize, &EventGroup)> = own.map(|(number, (_, group))| (number, *group)).collect();
            let mut steps = Vec::new();
            for (number, group) in &own {
                let Some(handler) = &group.handler else { continue };
                let (data, event) = (Expr::Local(self.data), Some(event_of_group(*number, seen)));
                if let Some(value) = self.filter(handler, "event result handler", jq::ResultMode::Value, data, event) {
                    steps.push(Step { kind: StepKind::Let { local: self.data, value }, span: handler.span });
                }
            }
            let has_seen = |number: usize| Expr::Not(Box::new(is_null(event_of_group(number, seen))));
            let condition = Expr::And(own.iter().map(|(number, _)| has_seen(*number)).collect());
            let body = Body { steps, next: Next::Part(followed[at]) };
            arms.push(Arm { condition, body, span: transition.span, on_error: false });
        }
        let otherwise = Box::new(Body { steps: Vec::new(), next: Next::Part(again) });
        parts.close(Next::Choose { arms, otherwise });
    }

    /// Lowers a group without an event so far: it records the event if the event is one of its own
    /// and its condition holds.
    #[expect(clippy::too_many_arguments, reason = "the parameters describe one wait")]
    fn record_event(
        &mut self,
        number: usize,
        group: &EventGroup,
        seen: LocalId,
        raw: LocalId,
        event: LocalId,
        place: Place,
        parts: &mut PartsBuilder,
    ) {
        let numbers = group.events.iter().map(|event| self.event(event.index).0.to_string()).collect();
        let mut holds = vec![
            is_null(event_of_group(number, seen)),
            Expr::call(&IS_EVENT, vec![Arg::Value(Expr::Local(raw)), Arg::Strs(numbers)]),
        ];
        if let Some(condition) = &group.condition {
            // The condition is applied to the state's data, and `$value` is the event
            // ([S11](docs/sm4c.md#s11)).
            let (input, event) = (Expr::Local(place.input), Some(Expr::Local(event)));
            let Some(condition) = self.filter(condition, "event condition", jq::ResultMode::Test, input, event) else {
                return;
            };
            holds.push(condition);
        }
        let next = parts.reserve("heard");
        let noted = vec![Arg::Owned(Expr::Local(seen)), Arg::Int(number as i64), Arg::Value(Expr::Local(event))];
        let set = StepKind::Let { local: seen, value: Expr::call(&NOTE, noted) };
        let body = Body { steps: vec![Step { kind: set, span: group.span }], next: Next::Part(next) };
        let arm = Arm { condition: Expr::And(holds), body, span: group.span, on_error: false };
        let otherwise = Box::new(Body { steps: Vec::new(), next: Next::Part(next) });
        parts.close(Next::Choose { arms: vec![arm], otherwise });
        parts.begin(next);
    }

    /// Lowers the following of a transition: its action, the exit of the state, and the target.
    fn follow(
        &mut self,
        state: &ast::State,
        transition: &Transition,
        exit: &Exit<'_>,
        place: Place,
        choice: u32,
        parts: &mut PartsBuilder,
    ) {
        self.step(&transition.step, "transition", place, parts);
        match (&transition.next, exit) {
            // An internal transition does not leave the state.
            (None, _) => parts.close(Next::Part(choice)),
            (Some(target), Exit::Each) => {
                self.step(&state.exit, "exit", place, parts);
                parts.close(self.to(target));
            }
            (Some(target), Exit::Shared { part, next, targets }) => {
                if targets.len() > 1 {
                    let name = self.machine.states[target.index].name.value.to_string();
                    parts.set(*next, Expr::Literal(Literal::String(name)), transition.span);
                }
                parts.close(Next::Part(*part));
            }
        }
    }
}

/// Returns the event that a group has received, or null.
fn event_of_group(group: usize, seen: LocalId) -> Expr {
    Expr::call(&SEEN, vec![Arg::Value(Expr::Local(seen)), Arg::Int(group as i64)])
}

fn is_null(value: Expr) -> Expr {
    Expr::call(&IS_NULL, vec![Arg::Value(value)])
}
