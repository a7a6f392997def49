//! Lowering of states.

use super::super::ast::{self, DataCondition, EventCondition, Operator, StateKind, Timespan, Transition};
use super::super::functions::{COMPARES, DECIDES, INJECTED, NO_CONDITION, OR_NULL, WITH};
use super::event::{Waited, choose_event, if_late};
use super::exit::Ways;
use super::steps::invoke;
use super::{Cx, condition};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::{expressions::WF0304, fields::WF0455};
use crate::dialects::body::BodyBuilder;
use crate::expr::jsonpath::functions::JAYWAY_MATCHES;
use crate::expr::pattern::{self, Flavour};
use crate::expr::{Arg, Expr, Literal, LocalId};
use crate::hir::{ASK, Arm, Body, CallTarget, CallWorkflow, Next, State, StepKind};
use crate::model::{InputTemplate, Seconds, Wait};
use crate::schema;
use crate::source::Span;
use crate::syntax::Text;
use std::collections::BTreeSet;

impl Cx<'_> {
    /// Lowers a state. `is_start` marks the start state of the flow. `is_first_only` marks a state
    /// that only the workflow's input reaches.
    pub(super) fn state(&mut self, state: &ast::State, is_start: bool, is_first_only: bool) -> State {
        self.state = state.name.value.to_string();
        let span = state.span;
        let mut steps = BodyBuilder::new();
        self.goes_on = !state.handles_errors() && !self.has_outer_handler;
        self.known = self.workflow.input_schema.clone().filter(|_| is_first_only);
        let waited = self.wait(state, is_start, &mut steps);
        if let (Some(waited), true) = (&waited, is_start && self.is_top) {
            self.check_start_input(state, waited, &mut steps);
        }
        self.input = condition::state_mentions(state, condition::STATE_INPUT).then(|| {
            let input = self.local("state_input", span);
            steps.set(input, Expr::Local(self.data), span);
            input
        });
        self.work_and_exit(state, waited.as_ref(), &mut steps);
        State {
            name: state.name.clone(),
            comment: None,
            kind: state.kind.word(),
            span,
            input: self.data,
            body: steps.finish(Next::Never),
            is_synthetic: false,
        }
    }

    /// Checks the data against a schema, and fails the state if they do not fit
    /// ([R20](docs/serverless-workflow.md#r20)).
    pub(super) fn check_data(&mut self, text: &Text, what: &str, data: Expr, steps: &mut BodyBuilder) {
        if let Some(schema) = schema::read(text, self.inputs, self.diagnostics) {
            steps.set(self.data, schema.check(data, what), text.span);
            self.known = Some(schema);
        }
    }

    /// Lowers the input filter.
    fn filter_input(&mut self, state: &ast::State, steps: &mut BodyBuilder) {
        if let Some(text) = &state.input_schema {
            self.check_data(text, "the input of the state", Expr::Local(self.data), steps);
        }
        if let Some(path) = &state.filter.input
            && let Some(value) = self.filtered(path, Expr::Local(self.data))
        {
            self.set_data(value, path.span, steps);
        }
        if let Some(input) = self.input {
            steps.set(input, Expr::Local(self.data), state.span);
        }
    }

    /// Lowers the input filter and the work of a state. Returns the transitions that a switch
    /// makes outside of its attempt.
    pub(super) fn work<'s>(
        &mut self,
        state: &'s ast::State,
        waited: Option<&Waited>,
        steps: &mut BodyBuilder,
    ) -> Ways<'s> {
        self.filter_input(state, steps);
        let span = state.span;
        match &state.kind {
            StateKind::Event { entries, .. } => {
                if let Some(waited) = waited {
                    self.act(entries, waited, span, steps);
                }
            }
            StateKind::Operation { actions } => self.actions(actions, None, steps),
            StateKind::DataSwitch { conditions, default } => {
                return self.data_switch(state, conditions, default.as_ref(), steps);
            }
            StateKind::EventSwitch { conditions, timeout, default } => {
                return self.event_switch(state, conditions, timeout.as_ref(), default.as_ref(), steps);
            }
            StateKind::Delay { time } => {
                steps.push(StepKind::Wait(Wait::For(Seconds::Fixed(time.value.as_secs_f64()))), time.span);
            }
            StateKind::Parallel { branches, first } => self.parallel(state, branches, *first, steps),
            StateKind::SubFlow { workflow, waits } => {
                let result = self.local("result", span);
                let call = CallWorkflow {
                    target: CallTarget::Workflow(workflow.value.clone()),
                    input: Expr::Local(self.data),
                    detached: !waits,
                    timeout: None,
                    result,
                };
                steps.push(StepKind::Call(Box::new(call)), workflow.span);
                if *waits {
                    // The output of the child is merged into the data
                    // ([R18](docs/serverless-workflow.md#r18)).
                    self.merge(result, &workflow.value, workflow.span, steps);
                }
            }
            StateKind::Inject { data: Some(data) } => {
                let members = Arg::Owned(Expr::Literal(Literal::from(data)));
                let value = Expr::call(&INJECTED, vec![Arg::Owned(Expr::Local(self.data)), members]);
                self.set_data(value, data.span, steps);
            }
            StateKind::Inject { data: None } => {}
            StateKind::ForEach(each) => self.foreach(state, each, steps),
            StateKind::Callback { action, event, timeout, filter } => {
                self.action(action, None, steps);
                self.callback(event.index, timeout.as_ref(), filter.as_ref(), span, steps);
            }
        }
        Vec::new()
    }

    /// Merges a result into the data ([R1](docs/serverless-workflow.md#r1)); `name` is the member
    /// for a result that is not an object.
    pub(super) fn merge(&mut self, result: LocalId, name: &str, span: Span, steps: &mut BodyBuilder) {
        let args = vec![Arg::Owned(Expr::Local(self.data)), Arg::Owned(Expr::Local(result)), Arg::Str(name.into())];
        self.set_data(Expr::call(&WITH, args), span, steps);
    }

    /// Replaces the data. Their schema is unknown afterwards.
    pub(super) fn set_data(&mut self, value: Expr, span: Span, steps: &mut BodyBuilder) {
        self.known = None;
        steps.set(self.data, value, span);
    }

    /// Lowers a switch on data ([R4](docs/serverless-workflow.md#r4)).
    fn data_switch<'s>(
        &mut self,
        state: &'s ast::State,
        conditions: &'s [DataCondition],
        default: Option<&'s Transition>,
        steps: &mut BodyBuilder,
    ) -> Ways<'s> {
        let mut ways = Vec::new();
        let mut arms: Vec<Arm> = Vec::new();
        for condition in conditions {
            let Some(test) = self.test(condition, &mut arms, steps) else { continue };
            let body = steps.body(Next::Never, |steps| self.way(state, &condition.transition, &mut ways, steps));
            arms.push(Arm { condition: test, body, span: condition.span, on_error: false });
        }
        let otherwise = self.default_way(state, default, &mut ways, steps);
        steps.choose(arms, otherwise);
        ways
    }

    /// Returns the way of a switch on which no condition holds.
    fn default_way<'s>(
        &mut self,
        state: &ast::State,
        default: Option<&'s Transition>,
        ways: &mut Ways<'s>,
        steps: &mut BodyBuilder,
    ) -> Body {
        steps.body(Next::Never, |steps| match default {
            Some(default) => self.way(state, default, ways, steps),
            None => self.fail_without_condition(state.span, steps),
        })
    }

    /// Fails the state, because no condition holds.
    fn fail_without_condition(&mut self, span: Span, steps: &mut BodyBuilder) {
        let none = self.local("none", span);
        steps.set(none, Expr::call(&NO_CONDITION, vec![Arg::Str(self.state.as_str().into())]), span);
        // The step before always fails, so that this end is never reached.
        steps.close(Next::End(Expr::Local(none)));
    }

    /// Lowers a condition. Before a task decides, the earlier conditions are tested.
    fn test(&mut self, condition: &DataCondition, arms: &mut Vec<Arm>, steps: &mut BodyBuilder) -> Option<Expr> {
        let span = condition.path.span;
        let selection = self.selection(&condition.path, Expr::Local(self.data))?;
        let operator = match &condition.operator {
            Operator::Exists => "exists",
            Operator::NotExists => "notexists",
            Operator::Null => "null",
            Operator::NotNull => "notnull",
            Operator::Equals => "equals",
            Operator::NotEquals => "notequals",
            Operator::LessThan => "lessthan",
            Operator::LessThanOrEquals => "lessthanorequals",
            Operator::GreaterThan => "greaterthan",
            Operator::GreaterThanOrEquals => "greaterthanorequals",
            Operator::Matches | Operator::NotMatches => {
                let value = &condition.value;
                if let Err(problem) = pattern::check(&value.value, Flavour::Whole) {
                    let message = format!("the regular expression {problem}");
                    self.diagnostics.push(Diagnostic::new(&WF0304, value.span, message).help(pattern::HELP));
                    return None;
                }
                let matches =
                    Expr::call(&JAYWAY_MATCHES, vec![Arg::Maybe(selection), Arg::Str(value.value.as_str().into())]);
                return Some(match condition.operator {
                    Operator::Matches => matches,
                    _ => Expr::Not(Box::new(matches)),
                });
            }
            Operator::Custom(name) => {
                if !arms.is_empty() {
                    let tests = std::mem::take(arms);
                    steps.block(ASK, span, |steps, ask| steps.choose(tests, Body::to(Next::Leave(ask))));
                }
                let task = self.task_named(&name.value, name.span);
                let answer = self.local("answer", name.span);
                let value = Expr::Literal(Literal::String(condition.value.value.clone()));
                let input = Expr::Object(vec![
                    ("selected".to_owned(), Expr::call(&OR_NULL, vec![Arg::Maybe(selection)])),
                    ("value".to_owned(), value),
                    ("data".to_owned(), Expr::Local(self.data)),
                ]);
                steps.push(invoke(task, input, InputTemplate::default(), None, answer), span);
                let args = vec![Arg::Value(Expr::Local(answer)), Arg::Str(name.value.as_str().into())];
                return Some(Expr::call(&DECIDES, args));
            }
        };
        let args =
            vec![Arg::Maybe(selection), Arg::Str(operator.into()), Arg::Str(condition.value.value.as_str().into())];
        Some(Expr::call(&COMPARES, args))
    }

    /// Lowers a switch on events.
    fn event_switch<'s>(
        &mut self,
        state: &'s ast::State,
        conditions: &'s [EventCondition],
        timeout: Option<&Timespan>,
        default: Option<&'s Transition>,
        steps: &mut BodyBuilder,
    ) -> Ways<'s> {
        let span = state.span;
        let mut seen = BTreeSet::new();
        let mut events = Vec::new();
        for condition in conditions {
            match seen.insert(condition.event.index) {
                true => events.push(condition.event.index),
                false => {
                    let message = "unreachable condition: an earlier condition consumes the event";
                    let diagnostic = Diagnostic::new(&WF0455, condition.event.name.span, message);
                    self.diagnostics.push(diagnostic.help("remove it"));
                }
            }
        }
        let event = self.receive_within(timeout, &events, span, steps);
        // After an event, the data may no longer fit their schema.
        self.known = None;
        let mut ways = Vec::new();
        if let Some(timeout) = timeout {
            let late = self.default_way(state, default, &mut ways, steps);
            if_late(event, late, timeout.span, steps);
        }
        let mut arms = Vec::new();
        for condition in conditions {
            let body = steps.body(Next::Never, |steps| {
                self.consume(event, condition.event.index, condition.filter.as_ref(), condition.span, steps);
                self.way(state, &condition.transition, &mut ways, steps);
            });
            let test = self.is_event(event, condition.event.index);
            arms.push(Arm { condition: test, body, span: condition.span, on_error: false });
        }
        choose_event(arms, steps);
        ways
    }
}
