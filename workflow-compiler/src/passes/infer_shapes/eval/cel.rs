//! The shapes of conditions in CEL.

use super::{Eval, Found};
use crate::expr::Apply;
use crate::expr::cel::CelCondition;
use crate::shapes::Shape;

impl Eval<'_, '_> {
    /// Evaluates a condition in CEL.
    pub(super) fn cel(&mut self, apply: &Apply, condition: &CelCondition) -> Found {
        let input = self.value(&apply.input);
        let variables: Vec<Shape> = apply.variables.iter().map(|value| self.value(value)).collect();
        if input.is_never() || variables.iter().any(Shape::is_never) {
            return Found::present(Shape::never());
        }
        let outcome = condition.outcome(&input, &variables);
        self.paths.add(outcome.paths, self.env.reason_of(std::iter::once(&*apply.input).chain(&apply.variables)));
        self.remarks(&condition.source, &outcome.remarks);
        Found::present(outcome.value)
    }
}
