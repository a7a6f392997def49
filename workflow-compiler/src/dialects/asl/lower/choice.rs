//! Lowering of Choice states. Rules become conditions on the effective input.

use super::jsonata::StatesLocals;
use super::{Cx, goto};
use crate::dialects::asl::ast::{
    Assign, Choice, Condition, DataFlow, Family, IsTest, Operand, Path, PayloadTemplate, QueryLanguage, State, Test,
};
use crate::dialects::asl::functions::{
    BOOLEAN, CHOICE_VARIABLE, ChoiceComparison, Comparisons, IS_BOOLEAN, IS_NULL, IS_NUMERIC, IS_PRESENT, IS_STRING,
    IS_TIMESTAMP, NO_TRANSITION, NUMERIC, STRING, STRING_MATCHES, SUBJECT, TIMESTAMP,
};
use crate::expr::{Arg, Expr, Function, Literal, LocalId};
use crate::hir::{Arm, Body, Next, Step, StepKind};
use crate::model::LocalKind;
use crate::syntax::Node;

impl Cx<'_> {
    pub fn choice(&mut self, state: &State, choice: &Choice) -> Body {
        let mut steps = Vec::new();
        let document = self.document();
        self.input_path(&choice.flow, document, &mut steps);
        self.inspect_input(choice.flow.language, document, state.span, &mut steps);
        let mut arms = Vec::with_capacity(choice.rules.len());
        for (at, rule) in choice.rules.iter().enumerate() {
            let condition = self.condition(&rule.condition, document);
            let chosen = format!("rule {} of {}", at + 1, choice.rules.len());
            let steps = self.chosen(chosen, state, &choice.flow, rule.output.as_ref(), rule.assign.as_ref());
            arms.push(Arm {
                condition,
                body: Body { steps, next: goto(&rule.next) },
                span: rule.span,
                on_error: false,
            });
        }
        let otherwise = match &choice.default {
            Some(default) => {
                let chosen = "`Default`, because no rule holds".to_owned();
                let (output, assign) = (choice.flow.output.as_ref(), choice.flow.assign.as_ref());
                let steps = self.chosen(chosen, state, &choice.flow, output, assign);
                Body { steps, next: goto(default) }
            }
            // No handler catches this fault ([A32](docs/amazon-states-language.md#a32)).
            None => Body::to(Next::FailWith(Expr::call(&NO_TRANSITION, Vec::new()))),
        };
        Body { steps, next: Next::Choose { arms, otherwise: Box::new(otherwise) } }
    }

    /// Lowers `OutputPath` or `Output`, and the `Assign` of the chosen rule, which `rule`
    /// describes; `$` is the effective input.
    fn chosen(
        &mut self,
        rule: String,
        state: &State,
        flow: &DataFlow,
        output: Option<&PayloadTemplate>,
        assign: Option<&Assign>,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.options.inspect {
            let value = Expr::Literal(Literal::String(rule));
            steps.push(Step { kind: StepKind::Inspect { stage: "chosen", value }, span: state.span });
        }
        let document = self.document();
        if flow.language == QueryLanguage::Jsonata {
            let states = StatesLocals::of_input(document);
            let output = self.computed_output(output, assign, states, document, &mut steps);
            self.leave(state, output, &mut steps);
            return steps;
        }
        let target = match assign {
            Some(_) => self.shared("output", LocalKind::Value, state.span),
            None => document,
        };
        let output = self.select(flow.output_path.as_ref(), document, target, &mut steps);
        self.assign(assign, document, &mut steps);
        self.leave(state, output, &mut steps);
        steps
    }

    fn condition(&mut self, condition: &Condition, document: LocalId) -> Expr {
        match condition {
            Condition::And(inner) => Expr::And(inner.iter().map(|one| self.condition(one, document)).collect()),
            Condition::Or(inner) => Expr::Or(inner.iter().map(|one| self.condition(one, document)).collect()),
            Condition::Not(inner) => Expr::Not(Box::new(self.condition(inner, document))),
            Condition::Test(variable, test) => self.test(variable, test, document),
            Condition::Constant(holds) => Expr::Literal(Literal::Bool(*holds)),
            Condition::Expression(expression) => self.expression(expression, StatesLocals::of_input(document)),
        }
    }

    fn test(&mut self, variable: &Path, test: &Test, document: LocalId) -> Expr {
        match test {
            Test::Is(IsTest::Present, holds) => {
                let presence = self.presence(document, variable);
                holding(Expr::call(&IS_PRESENT, vec![Arg::Maybe(presence)]), *holds)
            }
            Test::Is(test, holds) => {
                let value = self.operand(variable, document);
                holding(Expr::call(is_function(*test), vec![Arg::Value(value)]), *holds)
            }
            Test::Matches(pattern) => {
                let value = self.operand(variable, document);
                Expr::call(&STRING_MATCHES, vec![Arg::Value(value), Arg::Str(pattern.value.as_str().into())])
            }
            Test::Compare(family, comparison, operand) => {
                self.compare(variable, *family, *comparison, operand, document)
            }
        }
    }

    fn compare(
        &mut self,
        variable: &Path,
        family: Family,
        comparison: ChoiceComparison,
        operand: &Operand,
        document: LocalId,
    ) -> Expr {
        let value = Arg::Value(self.operand(variable, document));
        let functions = comparisons(family);
        let (function, other) = match operand {
            Operand::Path(path) => (functions.path(comparison), Arg::Value(self.operand(path, document))),
            Operand::Literal(node) => match self.constant(node) {
                Ok(constant) => (functions.literal(comparison), constant),
                Err(setting) => (functions.path(comparison), Arg::Value(setting)),
            },
        };
        // The parser accepts only operators that have a function.
        function.map_or(Expr::NULL, |function| Expr::call(function, vec![value, other]))
    }

    /// Returns a constant operand. An operand with placeholders is an expression, since its value
    /// is known only at run time.
    fn constant(&mut self, node: &Node) -> Result<Arg, Expr> {
        match self.with_settings(Expr::Literal(Literal::from(node)), node.span) {
            Expr::Literal(Literal::String(text)) => Ok(Arg::Str(text.into())),
            Expr::Literal(Literal::Int(value)) => Ok(Arg::Int(value)),
            Expr::Literal(Literal::Float(value)) => Ok(Arg::Float(value)),
            Expr::Literal(Literal::Bool(value)) => Ok(Arg::Flag(value)),
            other => Err(other),
        }
    }

    /// Returns the value of `Variable` or of a `…Path` operator, which is a fault if the path
    /// selects nothing.
    fn operand(&mut self, path: &Path, document: LocalId) -> Expr {
        self.expr(document, path.span(), |roots, diagnostics| {
            let operand = path.lower(roots, diagnostics)?;
            Some(match operand.can_be_absent() {
                true => match operand.plain_names() {
                    Some(names) => Expr::call(&SUBJECT, vec![Arg::Value(operand.base), Arg::Strs(names)]),
                    None => Expr::call(&CHOICE_VARIABLE, vec![Arg::Maybe(operand.expr), Arg::Str(operand.text.into())]),
                },
                false => operand.expr,
            })
        })
    }
}

fn holding(test: Expr, holds: bool) -> Expr {
    if holds { test } else { Expr::Not(Box::new(test)) }
}

fn comparisons(family: Family) -> &'static Comparisons {
    match family {
        Family::String => &STRING,
        Family::Numeric => &NUMERIC,
        Family::Boolean => &BOOLEAN,
        Family::Timestamp => &TIMESTAMP,
    }
}

fn is_function(test: IsTest) -> &'static Function {
    match test {
        IsTest::Present => &IS_PRESENT,
        IsTest::Null => &IS_NULL,
        IsTest::Boolean => &IS_BOOLEAN,
        IsTest::Numeric => &IS_NUMERIC,
        IsTest::String => &IS_STRING,
        IsTest::Timestamp => &IS_TIMESTAMP,
    }
}
