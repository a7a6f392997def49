//! Lowering of output filters, transitions, ends, and the events that they produce.

use super::super::ast::{self, End, Exit, ProducedEvent, Template, Transition};
use super::super::correlation;
use super::super::functions::{GUARD, ONLY};
use super::Cx;
use super::condition::Sees;
use super::handlers::Guarded;
use super::steps::to;
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr};
use crate::hir::{Arm, Body, Next, Publish, StepKind};
use crate::source::Spanned;

impl Cx<'_> {
    /// Lowers the exit of a state: by the transitions `ways` of a switch, or else by the state's
    /// own exit.
    pub(super) fn leave(
        &mut self,
        state: &ast::State,
        guarded: Option<Guarded>,
        ways: Vec<(u32, &Transition)>,
        parts: &mut PartsBuilder,
    ) {
        let Some(guarded) = guarded else {
            match &state.exit {
                Some(exit) => {
                    self.filter_output(state, parts);
                    self.exit(exit, parts);
                }
                None => {
                    let known = self.known.take();
                    for (part, transition) in ways {
                        parts.begin(part);
                        self.known = known.clone();
                        self.filter_output(state, parts);
                        self.transit(transition, parts);
                    }
                }
            }
            return;
        };
        let after = parts.reserve("leave");
        let mut followed = Vec::new();
        // A state that goes on after a timeout leaves like any other state.
        let filters_inside = state.handles_errors();
        if state.exit.is_some() && filters_inside {
            self.refuse_results(state, &guarded, parts);
            self.filter_output(state, parts);
        }
        let known = self.known.take();
        for (part, transition) in ways {
            parts.begin(part);
            self.known = known.clone();
            self.filter_output(state, parts);
            let go = parts.reserve("go");
            parts.close(Next::Part(go));
            followed.push((go, transition));
        }
        let pending = self.end_guarded(state, &guarded, after, parts);
        self.known = None;
        if let Some(exit) = &state.exit {
            parts.begin(after);
            if !filters_inside {
                self.filter_output(state, parts);
            }
            self.exit(exit, parts);
        }
        for (part, transition) in followed {
            parts.begin(part);
            self.known = None;
            self.transit(transition, parts);
        }
        if let Some(pending) = pending {
            self.handle(state, pending, parts);
        }
    }

    /// Applies the output filter and the output schema. If the schema does not fit, the data stay
    /// unfiltered, and a handler filters them.
    fn filter_output(&mut self, state: &ast::State, parts: &mut PartsBuilder) {
        let filter = state.filter.output.as_ref();
        let left = filter.and_then(|path| Some((self.filtered(path, Expr::Local(self.data))?, path.span)));
        match (left, &state.output_schema) {
            (Some((left, span)), Some(text)) => {
                let local = self.local("left", span);
                parts.set(local, left, span);
                self.known = None;
                self.check_data(text, "the output of the state", Expr::Local(local), parts);
            }
            (Some((left, span)), None) => self.set_data(left, span, parts),
            (None, Some(text)) => self.check_data(text, "the output of the state", Expr::Local(self.data), parts),
            (None, None) => {}
        }
    }

    /// Lowers a transition or an end.
    pub(super) fn exit(&mut self, exit: &Exit, parts: &mut PartsBuilder) {
        let end = match exit {
            Exit::Transition(transition) => return self.transit(transition, parts),
            Exit::End(end) => end,
        };
        match end {
            End::Default => {}
            // `terminate` ends the whole execution ([R16](docs/serverless-workflow.md#r16)).
            End::Terminate => return parts.close(Next::Terminate(Expr::Local(self.data))),
            End::Event(event) => self.produce(event, parts),
        }
        let output = match self.only {
            Some(only) => Expr::call(&ONLY, vec![Arg::Owned(Expr::Local(self.data)), Arg::Value(Expr::Local(only))]),
            None => Expr::Local(self.data),
        };
        parts.close(Next::End(output));
    }

    /// Lowers a transition with its guard ([R12](docs/serverless-workflow.md#r12)).
    pub(super) fn transit(&mut self, transition: &Transition, parts: &mut PartsBuilder) {
        if let Some(guard) = &transition.guard
            && let Some(condition) = self.condition(guard, Sees { root: self.data, error: None })
        {
            let go = parts.reserve("pass");
            let args = vec![
                Arg::Str(self.state.as_str().into()),
                Arg::Str(guard.body.value.as_str().into()),
                Arg::Value(Expr::Local(self.data)),
            ];
            let refused = Body { steps: Vec::new(), next: Next::FailWith(Expr::call(&GUARD, args)) };
            let arm = Arm { condition, body: to(go), span: guard.body.span, on_error: false };
            parts.close(Next::Choose { arms: vec![arm], otherwise: Box::new(refused) });
            parts.begin(go);
        }
        if let Some(event) = &transition.event {
            self.produce(event, parts);
        }
        let target = &transition.target;
        let name = self.names[target.index].clone();
        parts.close(Next::Goto(Spanned { value: name, span: target.name.span }));
    }

    /// Publishes an event ([R27](docs/serverless-workflow.md#r27)) with the correlation key of the
    /// execution, so that another execution can await it.
    fn produce(&mut self, produced: &ProducedEvent, parts: &mut PartsBuilder) {
        let event = &self.definition.events[produced.event.index];
        let (kind, source) = (event.kind.value.clone(), event.source.as_ref().map(|source| source.value.clone()));
        let data = match &produced.data {
            None => Some(Expr::Local(self.data)),
            Some(Template::Path(path)) => {
                Some(self.filtered(path, Expr::Local(self.data)).unwrap_or(Expr::Local(self.data)))
            }
            Some(template) => self.template(template, self.data),
        };
        let Some(data) = data else { return };
        let result = self.local("published", produced.span);
        let correlation = event.correlation.as_ref().and_then(|name| correlation::correlation_attribute(&name.value));
        let publish = Publish { kind, source, subject: None, attributes: Vec::new(), correlation, data, result };
        parts.push(StepKind::Publish(Box::new(publish)), produced.span);
    }
}
