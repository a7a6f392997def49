//! Lowering of output filters, transitions, ends, and the events that they produce.

use super::super::ast::{self, End, Exit, ProducedEvent, Template, Transition};
use super::super::correlation;
use super::super::functions::{GUARD, ONLY};
use super::Cx;
use super::condition::Sees;
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr};
use crate::hir::{Arm, Body, Label, Next, StepKind};
use crate::model::Publish;
use crate::source::Spanned;

/// Transitions of a switch that are made outside of its attempt, each at the exit with a label.
pub(super) type Ways<'s> = Vec<(Label, &'s Transition)>;

impl Cx<'_> {
    /// Lowers a way of a switch: the output filter and a transition. If the switch has handlers,
    /// the transition is added to `ways`, to be made outside of the attempt.
    pub(super) fn way<'s>(
        &mut self,
        state: &ast::State,
        transition: &'s Transition,
        ways: &mut Ways<'s>,
        steps: &mut BodyBuilder,
    ) {
        let known = self.known.clone();
        self.filter_output(state, steps);
        if state.handles_errors() {
            let label = steps.label();
            ways.push((label, transition));
            steps.close(Next::Leave(label));
        } else {
            self.transit(transition, steps);
        }
        self.known = known;
    }

    /// Applies the output filter and the output schema. If the schema does not fit, the data stay
    /// unfiltered, and a handler filters them.
    pub(super) fn filter_output(&mut self, state: &ast::State, steps: &mut BodyBuilder) {
        let filter = state.filter.output.as_ref();
        let left = filter.and_then(|path| Some((self.filtered(path, Expr::Local(self.data))?, path.span)));
        match (left, &state.output_schema) {
            (Some((left, span)), Some(text)) => {
                let local = self.local("left", span);
                steps.set(local, left, span);
                self.known = None;
                self.check_data(text, "the output of the state", Expr::Local(local), steps);
            }
            (Some((left, span)), None) => self.set_data(left, span, steps),
            (None, Some(text)) => self.check_data(text, "the output of the state", Expr::Local(self.data), steps),
            (None, None) => {}
        }
    }

    /// Lowers a transition or an end.
    pub(super) fn exit(&mut self, exit: &Exit, steps: &mut BodyBuilder) {
        let end = match exit {
            Exit::Transition(transition) => return self.transit(transition, steps),
            Exit::End(end) => end,
        };
        match end {
            End::Default => {}
            // `terminate` ends the whole execution ([R16](docs/serverless-workflow.md#r16)).
            End::Terminate => return steps.close(Next::Terminate(Expr::Local(self.data))),
            End::Event(event) => self.produce(event, steps),
        }
        let output = match self.only {
            Some(only) => Expr::call(&ONLY, vec![Arg::Owned(Expr::Local(self.data)), Arg::Value(Expr::Local(only))]),
            None => Expr::Local(self.data),
        };
        steps.close(Next::End(output));
    }

    /// Lowers a transition with its guard ([R12](docs/serverless-workflow.md#r12)).
    pub(super) fn transit(&mut self, transition: &Transition, steps: &mut BodyBuilder) {
        if let Some(guard) = &transition.guard
            && let Some(condition) = self.condition(guard, Sees { root: self.data, error: None })
        {
            let args = vec![
                Arg::Str(self.state.as_str().into()),
                Arg::Str(guard.body.value.as_str().into()),
                Arg::Value(Expr::Local(self.data)),
            ];
            let span = guard.body.span;
            steps.block("pass", span, |steps, pass| {
                let arm = Arm { condition, body: Body::to(Next::Leave(pass)), span, on_error: false };
                steps.choose(vec![arm], Body::to(Next::FailWith(Expr::call(&GUARD, args))));
            });
        }
        if let Some(event) = &transition.event {
            self.produce(event, steps);
        }
        let target = &transition.target;
        let name = self.names[target.index].clone();
        steps.close(Next::Goto(Spanned { value: name, span: target.name.span }));
    }

    /// Publishes an event ([R27](docs/serverless-workflow.md#r27)) with the correlation key of the
    /// execution, so that another execution can await it.
    fn produce(&mut self, produced: &ProducedEvent, steps: &mut BodyBuilder) {
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
        steps.push(StepKind::Publish(Box::new(publish)), produced.span);
    }
}
