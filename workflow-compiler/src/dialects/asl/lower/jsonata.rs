//! Lowering of fields in JSONata.

use super::{Cx, push_assign, set};
use crate::diagnostics::Diagnostic;
use crate::dialects::asl::ast::{Assign, PayloadTemplate};
use crate::dialects::asl::jsonata::TemplatePart;
use crate::expr::jsonata::CheckedJsonata;
use crate::expr::jsonata::codes::WF1851;
use crate::expr::{Apply, Expr, Fallibility, Literal, LocalId, Program, ProgramText};
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
            TemplatePart::Expression(expression) => self.expression(expression, states),
            TemplatePart::Array(items) => {
                Expr::Array(items.iter().map(|item| self.computed(item, span, states)).collect())
            }
            TemplatePart::Object(members) => {
                let members = members.iter().map(|(name, part)| (name.clone(), self.computed(part, span, states)));
                let members = members.collect();
                self.keyed(members, span)
            }
        }
    }

    /// Lowers an expression. A variable that no state assigns is undefined, and a read of it is no
    /// error ([What an expression sees](docs/jsonata.md#what-an-expression-sees)).
    pub fn expression(&mut self, checked: &CheckedJsonata, states: StatesLocals) -> Expr {
        let mut expression = checked.expression.clone();
        let mut values: Vec<Expr> = Vec::with_capacity(expression.variables.len() + checked.free.len());
        for member in &expression.variables {
            values.push(match (member.as_str(), states.result) {
                ("states.input", _) => Expr::Local(states.input),
                ("states.result" | "states.errorOutput", Some(result)) => Expr::Local(result),
                _ => self.item_context.map_or(Expr::Context, Expr::Local),
            });
        }
        for free in &checked.free {
            match self.variables.iter().rev().find_map(|scope| scope.get(&free.name)) {
                Some(local) => {
                    if free.is_function {
                        let message = format!("the variable `{0}` hides the function `${0}`", free.name);
                        let help = "the call fails at run time with T1006: give the variable another name";
                        self.diagnostics.push(Diagnostic::new(&WF1851, free.span, message).help(help));
                    }
                    self.reads.borrow_mut().push((*local, free.span));
                    values.push(Expr::Local(*local));
                    expression.variables.push(free.name.clone());
                }
                None if free.is_variable => {
                    let variables = (&self.variables[..], &self.hidden[..]);
                    super::report_unknown(&free.name, free.span, variables, self.diagnostics);
                }
                None => {}
            }
        }
        expression.translate();
        let name = format!("{} {}", self.state, expression.field.replace(['/', '[', ']'], " "));
        self.workflow.programs.push(ProgramText { text: checked.text.clone(), start: checked.start });
        Expr::Apply(Apply {
            program: Arc::new(Program::Jsonata(expression)),
            name,
            input: Box::new(Expr::NULL),
            variables: values,
            fallibility: Fallibility::Catchable,
        })
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
