//! Operators, conditions, and the truth of parts.

use super::scope::JsonataEnv;
use super::{Lowering, Res, callees};
use crate::expr::Literal;
use crate::expr::core::Atom;
use workflow_jsonata::{BinaryOperator, Condition, Node, NodeKind, Number};

/// 2^53: whole numbers up to here are exact as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'n> Lowering<'n> {
    /// Lowers an operator with two operands.
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&'n Node, &'n Node),
        env: &JsonataEnv,
    ) -> Res<Atom> {
        if let BinaryOperator::And | BinaryOperator::Or = operator {
            return self.logic(operator == BinaryOperator::And, left, right, env);
        }
        let left = self.value(left, env)?;
        let right = self.value(right, env)?;
        Ok(self.call_of(name_of(operator), callees::operator(operator), &[&left, &right]))
    }

    fn logic(&mut self, is_and: bool, left: &'n Node, right: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        let left = self.test(left, env)?;
        self.decide(is_and, left, |lowering| lowering.test(right, env))
    }

    /// Lowers a part to a `bool` for the truth of its value. Nothing is not true.
    pub(super) fn test(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        match &node.kind {
            NodeKind::Binary(operator, left, right) => {
                if let Some(callee) = callees::order_test(*operator) {
                    return self.nest(|lowering| {
                        let left = lowering.value(left, env)?;
                        let right = lowering.value(right, env)?;
                        Ok(lowering.call_of("holds", callee, &[&left, &right]))
                    });
                }
            }
            NodeKind::Condition(condition) => {
                return self.nest(|lowering| lowering.condition(condition, None, env, Self::test));
            }
            NodeKind::Block(parts) if !parts.is_empty() => {
                return self.nest(|lowering| lowering.block(parts, env, Self::test));
            }
            _ => {}
        }
        let value = self.value(node, env)?;
        Ok(self.truth(value))
    }

    /// Lowers a conditional: its value with this name, or its truth without one. A missing branch
    /// is nothing, which is not true.
    pub(super) fn condition(
        &mut self,
        condition: &'n Condition,
        hint: Option<&str>,
        env: &JsonataEnv,
        lower: impl Fn(&mut Self, &'n Node, &JsonataEnv) -> Res<Atom>,
    ) -> Res<Atom> {
        let test = self.test(&condition.test, env)?;
        self.choose(test, hint.unwrap_or("holds"), |lowering, holds| match (holds, &condition.otherwise) {
            (true, _) => lower(lowering, &condition.then, env),
            (false, Some(otherwise)) => lower(lowering, otherwise, env),
            (false, None) if hint.is_none() => Ok(Atom::Literal(Literal::Bool(false))),
            (false, None) => Ok(lowering.nothing()),
        })
    }

    /// Lowers the negation of a number.
    pub(super) fn negate(&mut self, operand: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        let operand = self.value(operand, env)?;
        Ok(match operand {
            Atom::Literal(Literal::Int(number)) if number.checked_neg().is_some() => {
                Atom::Literal(Literal::Int(-number))
            }
            Atom::Literal(Literal::Float(number)) => Atom::Literal(Literal::Float(-number)),
            operand => self.call_of("negated", callees::NEGATE, &[&operand]),
        })
    }

    /// Returns `true` if the value of a part is nothing or a boolean, whatever its input is.
    pub(super) fn is_condition(&self, node: &Node, env: &JsonataEnv) -> bool {
        use BinaryOperator as B;
        match &node.kind {
            NodeKind::Bool(_) => true,
            NodeKind::Binary(operator, ..) => matches!(
                operator,
                B::Equal
                    | B::Unequal
                    | B::Less
                    | B::LessOrEqual
                    | B::Greater
                    | B::GreaterOrEqual
                    | B::And
                    | B::Or
                    | B::In
            ),
            NodeKind::Condition(condition) => {
                self.is_condition(&condition.then, env)
                    && condition.otherwise.as_ref().is_none_or(|otherwise| self.is_condition(otherwise, env))
            }
            NodeKind::Call(call) => {
                const CONDITIONS: [&str; 4] = ["boolean", "contains", "exists", "not"];
                matches!(&call.callee.kind, NodeKind::Variable(name)
                    if CONDITIONS.contains(&&**name) && self.is_native(name, env))
            }
            _ => false,
        }
    }
}

/// Returns the constant of a number as the evaluator holds it.
pub(super) fn number(number: Number) -> Literal {
    match number {
        Number::Int(number) => Literal::Int(number),
        // The cast is exact.
        Number::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT => Literal::Int(number as i64),
        Number::Float(number) => Literal::Float(number),
    }
}

/// Returns a name for the result of an operator.
fn name_of(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "sum",
        BinaryOperator::Subtract => "difference",
        BinaryOperator::Multiply => "product",
        BinaryOperator::Divide => "quotient",
        BinaryOperator::Remainder => "remainder",
        BinaryOperator::Concatenate => "text",
        BinaryOperator::Range => "range",
        _ => "holds",
    }
}
