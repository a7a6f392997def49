//! Lowering of fields in JSONata.

use super::{Cx, push_assign, set};
use crate::dialects::asl::ast::{Assign, PayloadTemplate};
use crate::dialects::asl::jsonata::TemplatePart;
use crate::expr::jsonata::JsonataExpression;
use crate::expr::{Apply, Expr, Fallibility, Literal, LocalId, Program};
use crate::hir::Step;
use crate::model::LocalKind;
use crate::source::Span;
use std::sync::Arc;

/// Locals of the members of `$states` at a place.
#[derive(Clone, Copy)]
pub struct StatesLocals {
    /// `$states.input`.
    pub input: LocalId,
    /// `$states.result`, or `$states.errorOutput` in a catcher.
    pub result: Option<LocalId>,
}

impl StatesLocals {
    /// Returns the locals of a place that has an input only.
    pub fn of_input(input: LocalId) -> StatesLocals {
        StatesLocals { input, result: None }
    }
}

impl Cx<'_> {
    /// Lowers a value with expressions in it.
    pub fn computed(&mut self, part: &TemplatePart, span: Span, states: StatesLocals) -> Expr {
        match part {
            TemplatePart::Constant(node) => self.with_settings(Expr::Literal(Literal::from(node)), node.span),
            TemplatePart::Expression(expression) => self.expression(expression, span, states),
            TemplatePart::Array(items) => {
                Expr::Array(items.iter().map(|item| self.computed(item, span, states)).collect())
            }
            TemplatePart::Object(members) => {
                let members = members.iter().map(|(name, part)| (name.clone(), self.computed(part, span, states)));
                let members = Expr::Object(members.collect());
                self.with_settings(members, span)
            }
        }
    }

    /// Lowers an expression. A variable that no state assigns is undefined, and a read of it is no
    /// error ([1.4](docs/amazon-states-language.md#what-an-expression-sees)).
    pub fn expression(&mut self, expression: &JsonataExpression, span: Span, states: StatesLocals) -> Expr {
        let mut expression = expression.clone();
        let names = std::mem::take(&mut expression.variables);
        let mut values = Vec::with_capacity(names.len());
        for name in names {
            let value = match name.as_str() {
                "states.input" => Some(Expr::Local(states.input)),
                "states.context" => Some(Expr::Context),
                "states.result" | "states.errorOutput" => states.result.map(Expr::Local),
                name => self.jsonata_variable(name, span),
            };
            if let Some(value) = value {
                values.push(value);
                expression.variables.push(name);
            }
        }
        let name = format!("{} {}", self.state, expression.field.replace(['/', '[', ']'], " "));
        Expr::Apply(Apply {
            program: Arc::new(Program::Jsonata(expression)),
            name,
            input: Box::new(Expr::NULL),
            variables: values,
            fallibility: Fallibility::Catchable,
        })
    }

    /// Returns the value of a variable. Warns of one that no state assigns.
    fn jsonata_variable(&mut self, name: &str, span: Span) -> Option<Expr> {
        let innermost = self.variables.iter().rev().find_map(|scope| scope.get(name));
        if innermost.is_none() {
            super::report_unknown(name, span, &self.variables, self.diagnostics);
        }
        innermost.map(|local| Expr::Local(*local))
    }

    /// Lowers `Output` and `Assign`, which both see the variables on entry to the state. Returns
    /// the local that holds the output: `default` without an `Output`.
    pub fn computed_output(
        &mut self,
        output: Option<&PayloadTemplate>,
        assign: Option<&Assign>,
        states: StatesLocals,
        default: LocalId,
        steps: &mut Vec<Step>,
    ) -> LocalId {
        let assignments = self.assignments(assign, states.input, states);
        let target = match output {
            None => default,
            Some(template) => {
                let target = self.shared("output", LocalKind::Value, template.span());
                let value = self.payload(template, states.input, states);
                set(target, value, template.span(), steps);
                target
            }
        };
        push_assign(assignments, assign, steps);
        target
    }
}
