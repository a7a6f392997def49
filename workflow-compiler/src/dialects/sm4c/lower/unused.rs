//! Expressions that are never carried out are compiled, too, for what is wrong with them.

use super::super::ast::{
    self, Action, ActionKind, ArgumentValue, EventGroup, Expression, ExpressionKind, Operation, Transition, Trigger,
};
use super::{Cx, ERROR_HANDLER};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::fields::opening;
use crate::expr::{Expr, jq};

impl Cx<'_> {
    /// The expressions of functions that nothing uses.
    pub(super) fn read_unused_functions(&mut self) {
        for (at, function) in self.machine.functions.iter().enumerate() {
            if let Operation::Expression(expression) = &function.operation
                && matches!(expression.kind, ExpressionKind::Jq)
                && !self.used.contains(&at)
            {
                // Who would use it might be an error handler.
                self.read(expression, jq::Mode::Value, ERROR_HANDLER, true);
            }
        }
    }

    /// A transition that is never triggered.
    pub(super) fn read_transition(&mut self, transition: &Transition) {
        match &transition.trigger {
            Trigger::Condition(condition) => self.read(condition, jq::Mode::Test, "condition", false),
            Trigger::Events(groups) => groups.iter().for_each(|group| self.read_group(group)),
            Trigger::Implicit | Trigger::Timeout(_) => {}
        }
        self.read_step(&transition.step);
    }

    /// What would be done on leaving a state that no transition leads out of.
    pub(super) fn read_exit(&mut self, state: &ast::State) {
        let spans = [
            ("exitAction", state.exit.action.as_ref().map(|action| opening(action.span))),
            ("exitResultHandler", state.exit.handler.as_ref().map(|handler| handler.span)),
        ];
        for (member, span) in spans.into_iter().filter_map(|(member, span)| Some((member, span?))) {
            let message = format!("`{member}` has no effect: no transition leads out of `{}`", state.name.value);
            let help = "remove it, or name the `nextState` of a transition";
            self.diagnostics.push(Diagnostic::new(&codes::W0405, span, message).help(help));
        }
        self.read_step(&state.exit);
    }

    /// An error handler that is never asked.
    pub(super) fn read_error_handler(&mut self, handler: &ast::ErrorHandler) {
        if let Some(condition) = &handler.condition {
            self.read(condition, jq::Mode::Test, "error condition", false);
        }
        if let Some(handler) = &handler.handler {
            self.read(handler, jq::Mode::Value, ERROR_HANDLER, true);
        }
    }

    fn read_step(&mut self, step: &ast::Step) {
        step.action.iter().for_each(|action| self.read_action(action));
        step.handler.iter().for_each(|handler| self.read(handler, jq::Mode::Value, "result handler", true));
    }

    fn read_group(&mut self, group: &EventGroup) {
        group.condition.iter().for_each(|condition| self.read(condition, jq::Mode::Test, "event condition", true));
        group.handler.iter().for_each(|handler| self.read(handler, jq::Mode::Value, "event result handler", true));
    }

    fn read_action(&mut self, action: &Action) {
        let plain = jq::Mode::Value;
        match &action.kind {
            ActionKind::Delay { .. } => {}
            ActionKind::ForEach { input, action, .. } => {
                self.read(input, plain, "elements", false);
                self.read_action(action);
            }
            ActionKind::InjectData { expression } => self.read(expression, plain, "data", false),
            ActionKind::InvokeFunction { call, .. } | ActionKind::InvokeSubflow { call, .. } => {
                for argument in call.arguments.iter().flatten() {
                    if let ArgumentValue::Expression(expression) = &argument.value {
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

    fn read(&mut self, expression: &Expression, mode: jq::Mode, what: &str, has_value: bool) {
        // What nobody runs needs no engine.
        let engine = std::mem::replace(&mut self.engine, true);
        self.filter(expression, what, mode, Expr::NULL, has_value.then_some(Expr::NULL));
        self.engine = engine;
    }
}
