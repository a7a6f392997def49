//! Lowering of actions ("Action Definition", [R1](docs/serverless-workflow.md#r1),
//! [R5](docs/serverless-workflow.md#r5) and [R25](docs/serverless-workflow.md#r25)).

use super::super::ast::{Action, Actions, Template};
use super::super::functions::WITH_EVENT;
use super::Cx;
use super::steps::{element, invoke};
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Body, Catcher, Next, Scope, State, StepKind};
use crate::model::{ErrorMatch, InputTemplate, Join, LocalKind, ScopeId, Seconds};
use crate::source::{Span, Spanned};
use crate::syntax::Text;
use std::sync::Arc;

impl Cx<'_> {
    /// Lowers actions in sequence or concurrently; `event` is the event that they handle.
    pub(super) fn actions(&mut self, actions: &Actions, event: Option<LocalId>, steps: &mut BodyBuilder) {
        if !actions.parallel || actions.list.len() < 2 {
            for action in &actions.list {
                self.action(action, event, steps);
            }
            return;
        }
        let (Some(first), Some(last)) = (actions.list.first(), actions.list.last()) else { return };
        let span = first.span.to(last.span);
        let branches: Vec<ScopeId> =
            actions.list.iter().enumerate().map(|(at, action)| self.concurrent_action(at, action, event)).collect();
        let results = self.local("results", span);
        steps.push(StepKind::Fork { branches, join: Join::All, result: results }, span);
        for (at, action) in actions.list.iter().enumerate() {
            let result = self.local("result", action.span);
            steps.set(result, element(results, at), action.span);
            self.merge_result(action, result, steps);
        }
    }

    /// Lowers a concurrent action as a scope, which ends with its result.
    fn concurrent_action(&mut self, at: usize, action: &Action, event: Option<LocalId>) -> ScopeId {
        let span = action.span;
        let id = ScopeId(self.workflow.scopes.len() as u32);
        let name: Arc<str> = format!("{} {}", self.state, id.0).into();
        let name = Spanned { value: name, span };
        self.workflow.scopes.push(Scope {
            label: format!("action {} of {}", at + 1, self.state),
            parent: Some((self.scope, Arc::from(self.state.as_str()))),
            entry: Vec::new(),
            start: name.clone(),
            states: Vec::new(),
            span,
        });
        let mut steps = BodyBuilder::new();
        if self.goes_on && action.timeout.is_some() {
            // If the action exceeds its timeout and the state goes on, the results of the other
            // actions count ([R15](docs/serverless-workflow.md#r15)).
            let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
            steps.attempt(fault, Vec::new(), "over", span, |steps, _| {
                self.end_with_call(action, event, steps);
                vec![Catcher { errors: vec![ErrorMatch::Timeout], body: Body::to(Next::End(Expr::NULL)), span }]
            });
        } else {
            self.end_with_call(action, event, &mut steps);
        }
        let body = steps.finish(Next::Never);
        let state = State { name, comment: None, kind: "", span, input: self.data, body, is_synthetic: true };
        self.workflow.scopes[id].states.push(state);
        id
    }

    /// Lowers the call of a function, and ends the scope with its result.
    fn end_with_call(&mut self, action: &Action, event: Option<LocalId>, steps: &mut BodyBuilder) {
        let result = self.call(action, event, steps);
        steps.close(Next::End(result.map_or(Expr::NULL, Expr::Local)));
    }

    /// Lowers an action, and merges its result into the data.
    pub(super) fn action(&mut self, action: &Action, event: Option<LocalId>, steps: &mut BodyBuilder) {
        if let Some(result) = self.call(action, event, steps) {
            self.merge_result(action, result, steps);
        }
    }

    /// Lowers the call of a function. Returns the local of its result.
    fn call(&mut self, action: &Action, event: Option<LocalId>, steps: &mut BodyBuilder) -> Option<LocalId> {
        let span = action.span;
        let mut view = self.data;
        if let Some(path) = &action.input
            && let Some(value) = self.filtered(path, Expr::Local(self.data))
        {
            view = self.local("action_data", path.span);
            steps.set(view, value, path.span);
        }
        if let (Some(event), Some(parameters)) = (event, &action.parameters)
            && !matches!(parameters, Template::Constant(_))
        {
            let seen = self.local("parameters", span);
            let args = vec![Arg::Owned(Expr::Local(view)), Arg::Value(Expr::Local(event))];
            steps.set(seen, Expr::call(&WITH_EVENT, args), span);
            view = seen;
        }
        let input = match &action.parameters {
            Some(parameters) => self.template(parameters, view)?,
            None => Expr::Local(view),
        };
        let task = self.task_of(action.function.index);
        let timeout = action.timeout.as_ref().map(|timeout| Seconds::Fixed(timeout.value.as_secs_f64()));
        let result = self.local("result", span);
        let template = action.parameters.as_ref().map(|template| places(template, span)).unwrap_or_default();
        steps.push(invoke(task, input, template, timeout, result), span);
        Some(result)
    }

    /// Merges the result of an action into the data.
    fn merge_result(&mut self, action: &Action, result: LocalId, steps: &mut BodyBuilder) {
        let name = self.definition.functions[action.function.index].name.value.to_string();
        if let Some(only) = self.only {
            steps.set(only, Expr::Local(result), action.span);
        }
        match &action.results {
            Some(filter) => _ = self.merge_selected(filter, result, Expr::Local(result), &name, steps),
            None => self.merge(result, &name, action.span, steps),
        }
    }
}

/// Returns the places of the members of a template. `span` is that of its action.
fn places(template: &Template, span: Span) -> InputTemplate {
    let place = |name: &Text| (name.value.clone(), name.span_of(0, name.value.len()));
    let names = match template {
        Template::Object(members) => members.iter().map(|(name, _)| place(name)).collect(),
        Template::Constant(node) => {
            node.as_object().unwrap_or_default().iter().map(|entry| place(&entry.key)).collect()
        }
        Template::Path(_) | Template::Array(_) => Vec::new(),
    };
    InputTemplate { span: Some(span), names }
}
