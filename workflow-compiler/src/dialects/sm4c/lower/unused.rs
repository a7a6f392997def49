//! Compilation of expressions that never run, for the sake of their diagnostics.

use super::super::ast::{
    self, Action, ActionKind, EventGroup, Expression, ExpressionKind, FunctionOperation, InvocationValue, Transition,
    Trigger,
};
use super::{Cx, ERROR_HANDLER};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::expr::{Expr, jq};

impl Cx<'_> {
    /// Compiles the expressions of unused functions.
    pub(super) fn read_unused_functions(&mut self) {
        for (at, function) in self.machine.functions.iter().enumerate() {
            if let FunctionOperation::Expression(expression) = &function.operation
                && matches!(expression.kind, ExpressionKind::Jq)
                && !self.used.contains(&at)
            {
                // The expression is checked as an error handler, which sees the most variables.
                self.read(expression, jq::ResultMode::Value, ERROR_HANDLER, true);
            }
        }
    }

    /// Compiles the expressions of a transition that is never triggered.
    pub(super) fn read_transition(&mut self, transition: &Transition) {
        match &transition.trigger {
            Trigger::Condition(condition) => self.read(condition, jq::ResultMode::Test, "condition", false),
            Trigger::Events(groups) => groups.iter().for_each(|group| self.read_group(group)),
            Trigger::Implicit | Trigger::Timeout(_) => {}
        }
        self.read_step(&transition.step);
    }

    /// Compiles the expressions on leaving a state that no transition leads out of.
    pub(super) fn read_exit(&mut self, state: &ast::State) {
        let spans = [
            ("exitAction", state.exit.action.as_ref().map(|action| action.span.opening())),
            ("exitResultHandler", state.exit.handler.as_ref().map(|handler| handler.span)),
        ];
        for (member, span) in spans.into_iter().filter_map(|(member, span)| Some((member, span?))) {
            let message = format!("`{member}` has no effect: no transition leads out of `{}`", state.name.value);
            let help = "remove it, or add `nextState` to a transition";
            self.diagnostics.push(Diagnostic::new(&codes::WF0455, span, message).help(help));
        }
        self.read_step(&state.exit);
    }

    /// Compiles the expressions of an error handler that is never tried.
    pub(super) fn read_error_handler(&mut self, handler: &ast::ErrorHandler) {
        if let Some(condition) = &handler.condition {
            self.read(condition, jq::ResultMode::Test, "error condition", false);
        }
        if let Some(handler) = &handler.handler {
            self.read(handler, jq::ResultMode::Value, ERROR_HANDLER, true);
        }
    }

    fn read_step(&mut self, step: &ast::HandledAction) {
        step.action.iter().for_each(|action| self.read_action(action));
        step.handler.iter().for_each(|handler| self.read(handler, jq::ResultMode::Value, "result handler", true));
    }

    fn read_group(&mut self, group: &EventGroup) {
        group
            .condition
            .iter()
            .for_each(|condition| self.read(condition, jq::ResultMode::Test, "event condition", true));
        group
            .handler
            .iter()
            .for_each(|handler| self.read(handler, jq::ResultMode::Value, "event result handler", true));
    }

    fn read_action(&mut self, action: &Action) {
        let plain = jq::ResultMode::Value;
        match &action.kind {
            ActionKind::Delay { .. } => {}
            ActionKind::ForEach { input, action, .. } => {
                self.read(input, plain, "elements", false);
                self.read_action(action);
            }
            ActionKind::InjectData { expression } => self.read(expression, plain, "data", false),
            ActionKind::InvokeFunction { call, .. } | ActionKind::InvokeSubflow { call, .. } => {
                for argument in call.arguments.iter().flatten() {
                    if let InvocationValue::Expression(expression) = &argument.value {
                        self.read(expression, plain, "argument", false);
                    }
                }
            }
            ActionKind::Parallel { actions, .. } | ActionKind::Sequence { actions } => {
                actions.iter().for_each(|action| self.read_action(action));
            }
            ActionKind::SendEvent { expression, .. } => {
                expression.iter().for_each(|expression| self.read(expression, plain, "event data", false));
            }
        }
        action.error_handlers.iter().for_each(|handler| self.read_error_handler(handler));
    }

    fn read(&mut self, expression: &Expression, mode: jq::ResultMode, what: &str, has_value: bool) {
        // Expressions that never run need no engine.
        let engine = std::mem::replace(&mut self.engine, true);
        self.filter(expression, what, mode, Expr::NULL, has_value.then_some(Expr::NULL));
        self.engine = engine;
    }
}
