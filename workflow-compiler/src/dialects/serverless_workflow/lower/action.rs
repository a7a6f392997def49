//! Lowering of actions ("Action Definition", [R1](docs/serverless-workflow.md#r1),
//! [R5](docs/serverless-workflow.md#r5) and [R25](docs/serverless-workflow.md#r25)).

use super::super::ast::{Action, Actions, Template};
use super::super::functions::WITH_EVENT;
use super::Cx;
use super::steps::{element, invoke};
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Body, Catcher, ErrorMatch, LocalKind, Next, Scope, ScopeId, Seconds, State, StepKind};
use crate::source::Spanned;
use std::sync::Arc;

impl Cx<'_> {
    /// Lowers actions in sequence or concurrently; `event` is the event that they handle.
    pub(super) fn actions(&mut self, actions: &Actions, event: Option<LocalId>, parts: &mut PartsBuilder) {
        if !actions.parallel || actions.list.len() < 2 {
            for action in &actions.list {
                self.action(action, event, parts);
            }
            return;
        }
        let (Some(first), Some(last)) = (actions.list.first(), actions.list.last()) else { return };
        let span = first.span.to(last.span);
        let branches: Vec<ScopeId> =
            actions.list.iter().enumerate().map(|(at, action)| self.concurrent_action(at, action, event)).collect();
        let results = self.local("results", span);
        parts.push(StepKind::Fork { branches, result: results }, span);
        for (at, action) in actions.list.iter().enumerate() {
            let result = self.local("result", action.span);
            parts.set(result, element(results, at), action.span);
            self.merge_result(action, result, parts);
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
        let mut parts = PartsBuilder::new();
        // If the action exceeds its timeout and the state goes on, the results of the other
        // actions count ([R15](docs/serverless-workflow.md#r15)).
        let guard = (self.goes_on && action.timeout.is_some()).then(|| {
            let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
            parts.open_guard(fault)
        });
        let result = self.call(action, event, &mut parts);
        let ends = Next::End(result.map_or(Expr::NULL, Expr::Local));
        match guard {
            Some(guard) => {
                let body = Body { steps: Vec::new(), next: Next::End(Expr::NULL) };
                parts.close_guard(guard, ends, vec![Catcher { errors: vec![ErrorMatch::Timeout], body, span }]);
            }
            None => parts.close(ends),
        }
        let body = Body { steps: Vec::new(), next: parts.finish() };
        let state = State { name, comment: None, kind: "", span, input: self.data, body, is_synthetic: true };
        self.workflow.scopes[id.0 as usize].states.push(state);
        id
    }

    /// Lowers an action, and merges its result into the data.
    pub(super) fn action(&mut self, action: &Action, event: Option<LocalId>, parts: &mut PartsBuilder) {
        if let Some(result) = self.call(action, event, parts) {
            self.merge_result(action, result, parts);
        }
    }

    /// Lowers the call of a function. Returns the local of its result.
    fn call(&mut self, action: &Action, event: Option<LocalId>, parts: &mut PartsBuilder) -> Option<LocalId> {
        let span = action.span;
        let mut view = self.data;
        if let Some(path) = &action.input
            && let Some(value) = self.filtered(path, Expr::Local(self.data))
        {
            view = self.local("action_data", path.span);
            parts.set(view, value, path.span);
        }
        if let (Some(event), Some(parameters)) = (event, &action.parameters)
            && !matches!(parameters, Template::Constant(_))
        {
            let seen = self.local("parameters", span);
            let args = vec![Arg::Owned(Expr::Local(view)), Arg::Value(Expr::Local(event))];
            parts.set(seen, Expr::call(&WITH_EVENT, args), span);
            view = seen;
        }
        let input = match &action.parameters {
            Some(parameters) => self.template(parameters, view)?,
            None => Expr::Local(view),
        };
        let task = self.task_of(action.function.index);
        let timeout = action.timeout.as_ref().map(|timeout| Seconds::Fixed(timeout.value.as_secs_f64()));
        let result = self.local("result", span);
        parts.push(invoke(task, input, timeout, result), span);
        Some(result)
    }

    /// Merges the result of an action into the data.
    fn merge_result(&mut self, action: &Action, result: LocalId, parts: &mut PartsBuilder) {
        let name = self.definition.functions[action.function.index].name.value.to_string();
        if let Some(only) = self.only {
            parts.set(only, Expr::Local(result), action.span);
        }
        match &action.results {
            Some(filter) => _ = self.merge_selected(filter, result, Expr::Local(result), &name, parts),
            None => self.merge(result, &name, action.span, parts),
        }
    }
}
