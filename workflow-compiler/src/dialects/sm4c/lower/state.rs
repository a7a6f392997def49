//! Lowering of states and their transitions (docs/sm4c.md, "What happens in a state").

use super::super::ast::{self, EventGroup, Reference, Timespan, Transition, Trigger};
use super::super::functions::{EVENT, IS, IS_EVENT, IS_NULL, NOTE, SEEN, STUCK};
use super::{Cx, Place};
use crate::dialects::body::{BodyBuilder, Limit};
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{Arm, Body, Expiry, Label, Next, State, StepKind};
use crate::model::{Receive, ScopeId, Seconds, Wait};
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Choice of a transition.
#[derive(Clone, Copy)]
struct Choice<'s> {
    state: &'s ast::State,
    place: Place,
    /// Transitions that can be triggered.
    transitions: &'s [&'s Transition],
    exit: &'s Exit<'s>,
    /// Block of the choice. Internal transitions repeat it. Other transitions leave it if the exit
    /// is shared.
    label: Label,
}

/// Form of the steps on leaving a state.
enum Exit<'s> {
    /// Each transition has a copy of the steps.
    Each,
    /// The steps follow the choice. They continue to the one of `targets` that the local `next`
    /// names.
    Shared { next: LocalId, targets: Vec<&'s Reference> },
}

/// Transition with its groups of events. The groups of a state are numbered.
type Awaited<'s> = (&'s Transition, Vec<(&'s EventGroup, usize)>);

impl Cx<'_> {
    pub(super) fn state(&mut self, state: &ast::State) -> State {
        self.state = state.name.value.to_string();
        let span = state.span;
        let mut steps = BodyBuilder::new();
        // Without a filter, the data are the global data, as they are at the time of each use.
        let input = match &state.input_filter {
            None => self.data,
            Some(filter) => {
                let input = self.local("input", filter.span);
                self.set_filtered(input, filter, "input filter", Expr::Local(self.data), None, &mut steps);
                input
            }
        };
        let place = Place { scope: ScopeId(0), input, handled: None, guarded: false };
        self.step(&state.enter, "enter", place, &mut steps);
        self.transitions(state, place, &mut steps);
        State {
            name: state.name.clone(),
            comment: None,
            kind: "State",
            span,
            input: self.data,
            body: steps.finish(Next::Never),
            is_synthetic: false,
        }
    }

    /// Lowers an action and the handler of its result. A handler without an action receives null.
    fn step(&mut self, step: &ast::HandledAction, what: &str, place: Place, steps: &mut BodyBuilder) {
        let span = match (&step.action, &step.handler) {
            (Some(action), _) => action.span,
            (None, Some(handler)) => handler.span,
            (None, None) => return,
        };
        let result = self.local("result", span);
        match &step.action {
            Some(action) => self.action(action, place, result, steps),
            None => steps.set(result, Expr::NULL, span),
        }
        if let Some(handler) = &step.handler {
            let (data, what) = (Expr::Local(self.data), format!("{what} result handler"));
            self.set_filtered(self.data, handler, &what, data, Some(Expr::Local(result)), steps);
        }
    }

    /// Lowers the transitions of a state, or its end if it has none.
    fn transitions(&mut self, state: &ast::State, place: Place, steps: &mut BodyBuilder) {
        if state.transitions.is_empty() {
            self.step(&state.exit, "exit", place, steps);
            return steps.close(Next::End(Expr::Local(self.data)));
        }
        let (implicit, others): (Vec<_>, Vec<_>) =
            state.transitions.iter().partition(|one| matches!(one.trigger, Trigger::Implicit));
        let transitions = match implicit.is_empty() {
            true => others,
            false => {
                others.into_iter().for_each(|other| self.read_transition(other));
                implicit
            }
        };
        let leaving: Vec<&Reference> = transitions.iter().filter_map(|transition| transition.next.as_ref()).collect();
        if leaving.is_empty() {
            self.read_exit(state);
        }
        let is_repeated = leaving.len() < transitions.len();
        let exit = self.exit(state, leaving);
        let choose = |steps: &mut BodyBuilder, label| {
            self.choose(Choice { state, place, transitions: &transitions, exit: &exit, label }, steps);
        };
        match is_repeated {
            true => steps.repeat("choose", "leave", state.span, choose),
            false => steps.block("leave", state.span, choose),
        }
        if let Exit::Shared { next, targets } = exit {
            self.step(&state.exit, "exit", place, steps);
            self.continue_to(next, &targets, state.span, steps);
        }
    }

    /// Returns the form of the exit for transitions to these states.
    fn exit<'s>(&mut self, state: &ast::State, mut leaving: Vec<&'s Reference>) -> Exit<'s> {
        if leaving.len() < 2 || state.exit.action.is_none() && state.exit.handler.is_none() {
            return Exit::Each;
        }
        let mut seen = BTreeSet::new();
        leaving.retain(|target| seen.insert(target.index));
        Exit::Shared { next: self.local("next", state.span), targets: leaving }
    }

    /// Continues to the one of `targets` that the local `next` names.
    fn continue_to(&self, next: LocalId, targets: &[&Reference], span: Span, steps: &mut BodyBuilder) {
        let Some((last, others)) = targets.split_last() else { return };
        let way = |target: &Reference| Body::to(self.to(target));
        let arms = others.iter().map(|target| {
            let name = Arg::Str(self.name_of(target));
            let condition = Expr::call(&IS, vec![Arg::Value(Expr::Local(next)), name]);
            Arm { condition, body: way(target), span, on_error: false }
        });
        steps.choose(arms.collect(), way(last));
    }

    /// Returns the transition to another state.
    fn to(&self, target: &Reference) -> Next {
        Next::Goto(Spanned { value: self.name_of(target), span: target.name.span })
    }

    fn name_of(&self, target: &Reference) -> Arc<str> {
        self.machine.states[target.index].name.value.clone()
    }

    /// Lowers the choice of a transition: the first condition that holds, then events, and the
    /// timeout.
    fn choose(&mut self, choice: Choice<'_>, steps: &mut BodyBuilder) {
        let mut arms = Vec::new();
        let mut waits = false;
        let mut timeout = None;
        for transition in choice.transitions {
            match &transition.trigger {
                Trigger::Implicit => return self.follow(transition, choice, steps),
                Trigger::Condition(condition) => {
                    let body = steps.body(Next::Never, |steps| self.follow(transition, choice, steps));
                    let input = Expr::Local(choice.place.input);
                    if let Some(condition) = self.filter(condition, "condition", jq::ResultMode::Test, input, None) {
                        arms.push(Arm { condition, body, span: transition.span, on_error: false });
                    }
                }
                Trigger::Events(_) => waits = true,
                Trigger::Timeout(time) => timeout = Some((time, *transition)),
            }
        }
        let otherwise = steps.body(Next::Never, |steps| match timeout {
            _ if waits => self.wait(choice, timeout, steps),
            Some((timeout, transition)) => {
                steps.push(StepKind::Wait(Wait::For(Seconds::Fixed(timeout.value.as_secs_f64()))), timeout.span);
                self.follow(transition, choice, steps);
            }
            // A state in which nothing is enabled fails ([S7](docs/sm4c.md#s7)).
            None => steps.close(Next::FailWith(Expr::call(&STUCK, vec![Arg::Str(self.state.as_str().into())]))),
        });
        steps.choose(arms, otherwise);
    }

    /// Lowers the wait for events. Events are consumed one by one and recorded for this wait only.
    /// After each, the first transition whose groups are all satisfied is triggered.
    fn wait(&mut self, choice: Choice<'_>, timeout: Option<(&Timespan, &Transition)>, steps: &mut BodyBuilder) {
        let limit = timeout.map(|(timeout, _)| Limit {
            seconds: timeout.value.as_secs_f64(),
            at: self.local("until", timeout.span),
            expiry: Expiry::Null,
            span: timeout.span,
        });
        steps.deadline(limit, |steps| self.listen(choice, timeout.map(|(timeout, _)| timeout.span), steps));
        // The wait ends only at its time-out.
        if let Some((_, transition)) = timeout {
            self.follow(transition, choice, steps);
        }
    }

    /// Lowers the consumption of events, until a transition is triggered or no event has arrived
    /// in the time of `timeout`.
    fn listen(&mut self, choice: Choice<'_>, timeout: Option<Span>, steps: &mut BodyBuilder) {
        let span = choice.state.span;
        // One local holds the events of all groups. With a local per group, each suspension point
        // would carry all of them.
        let seen = self.local("seen", span);
        steps.set(seen, Expr::Array(Vec::new()), span);
        let mut numbers = 0..;
        let awaited = choice.transitions.iter().filter_map(|transition| match &transition.trigger {
            Trigger::Events(groups) => Some((*transition, groups.iter().zip(numbers.by_ref()).collect())),
            _ => None,
        });
        let awaited: Vec<Awaited<'_>> = awaited.collect();
        let groups: Vec<_> = awaited.iter().flat_map(|(_, groups)| groups).collect();
        let events = groups.iter().flat_map(|(group, _)| &group.events).map(|event| self.event(event.index));
        let events = events.collect::<BTreeSet<_>>().into_iter().collect();
        steps.repeat("listen", "follow", span, |steps, listen| {
            let raw = self.local("event", span);
            let receive = Receive { events, discards_unmatched: true, collected: None, result: raw };
            steps.push(StepKind::Receive(Box::new(receive)), span);
            if let Some(timeout) = timeout {
                steps.leave_if(is_null(Expr::Local(raw)), listen, "hear", timeout);
            }
            let event = self.local("event", span);
            steps.set(event, Expr::call(&EVENT, vec![Arg::Value(Expr::Local(raw))]), span);
            for (group, number) in groups {
                self.record_event(*number, group, seen, raw, event, choice.place, steps);
            }
            self.trigger(&awaited, seen, choice, listen, steps);
        });
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
        steps: &mut BodyBuilder,
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
        let noted = vec![Arg::Owned(Expr::Local(seen)), Arg::Int(number as i64), Arg::Value(Expr::Local(event))];
        steps.block("heard", group.span, |steps, heard| {
            let set = |steps: &mut BodyBuilder| steps.set(seen, Expr::call(&NOTE, noted), group.span);
            let body = steps.body(Next::Leave(heard), set);
            let arm = Arm { condition: Expr::And(holds), body, span: group.span, on_error: false };
            steps.choose(vec![arm], Body::to(Next::Leave(heard)));
        });
    }

    /// Follows the first transition whose groups have all received an event, or repeats the block
    /// `listen`.
    fn trigger(
        &mut self,
        awaited: &[Awaited<'_>],
        seen: LocalId,
        choice: Choice<'_>,
        listen: Label,
        steps: &mut BodyBuilder,
    ) {
        let mut arms = Vec::new();
        for (transition, groups) in awaited {
            let body = steps.body(Next::Never, |steps| {
                for (group, number) in groups {
                    let Some(handler) = &group.handler else { continue };
                    let (data, event) = (Expr::Local(self.data), Some(event_of_group(*number, seen)));
                    self.set_filtered(self.data, handler, "event result handler", data, event, steps);
                }
                self.follow(transition, choice, steps);
            });
            let has_seen = |number: usize| Expr::Not(Box::new(is_null(event_of_group(number, seen))));
            let condition = Expr::And(groups.iter().map(|(_, number)| has_seen(*number)).collect());
            arms.push(Arm { condition, body, span: transition.span, on_error: false });
        }
        steps.choose(arms, Body::to(Next::Repeat(listen)));
    }

    /// Lowers the following of a transition: its action, the exit of the state, and the target.
    fn follow(&mut self, transition: &Transition, choice: Choice<'_>, steps: &mut BodyBuilder) {
        self.step(&transition.step, "transition", choice.place, steps);
        match (&transition.next, choice.exit) {
            // An internal transition does not leave the state.
            (None, _) => steps.close(Next::Repeat(choice.label)),
            (Some(target), Exit::Each) => {
                self.step(&choice.state.exit, "exit", choice.place, steps);
                steps.close(self.to(target));
            }
            (Some(target), Exit::Shared { next, targets }) => {
                if targets.len() > 1 {
                    let name = Literal::String(self.name_of(target).to_string());
                    steps.set(*next, Expr::Literal(name), transition.span);
                }
                steps.close(Next::Leave(choice.label));
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
