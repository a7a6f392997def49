//! Calls whose arguments may be absent, and then are null.

use super::{Eval, Found};
use crate::expr::{Arg, Call};
use crate::passes::infer_shapes::report;
use crate::shapes::functions::Wanted;
use crate::shapes::{KindSet, Shape};

impl Eval<'_, '_> {
    /// Returns what the arguments of a call find, and their shapes, in which an absent value is
    /// null.
    pub fn operands(&mut self, call: &Call) -> Vec<(Found, Shape)> {
        let values = call.args.iter().filter_map(|arg| match arg {
            Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner) => Some(inner),
            _ => None,
        });
        let operand = |inner| {
            let found = self.find(inner);
            let null = if found.access.may_be_absent { Shape::null() } else { Shape::never() };
            let shape = found.access.shape.join(&null);
            (found, shape)
        };
        values.map(operand).collect()
    }

    /// Evaluates a call whose absent arguments are null.
    pub(super) fn nullable(&mut self, call: &Call, effect: fn(&[Shape]) -> Result<Shape, Wanted>) -> Found {
        let operands = self.operands(call);
        let shapes: Vec<Shape> = operands.iter().map(|(_, shape)| shape.clone()).collect();
        if shapes.iter().any(Shape::is_never) {
            return Found::present(Shape::never());
        }
        match effect(&shapes) {
            Ok(shape) => {
                // A test of null is for a value that may be absent.
                if !matches!(call.function.path, "spel::is_given" | "spel::is_filled") {
                    for path in operands.into_iter().filter(|(found, _)| found.access.is_absent()) {
                        let Some(path) = path.0.path else { continue };
                        self.report_if(|workflow, place| report::always_null(workflow, place, &path));
                    }
                }
                Found::present(shape)
            }
            Err(Wanted(wanted)) => {
                let wrong = operands.into_iter().zip(wanted).filter(|((_, shape), kinds)| !shape.set().meets(*kinds));
                // Null stands for data that is still to come, and a literal is less likely wrong.
                let is_null = |found: &Found, shape: &Shape| shape.set() == KindSet::NULL && !found.access.is_absent();
                let (wrong, null): (Vec<_>, Vec<_>) = wrong.partition(|((found, shape), _)| !is_null(found, shape));
                if !null.is_empty() || wrong.is_empty() {
                    return Found::unknown();
                }
                let at = wrong.iter().position(|((found, _), _)| found.path.is_some()).unwrap_or(0);
                let ((found, shape), kinds) = &wrong[at];
                match &found.path {
                    _ if self.place.is_caught => {}
                    Some(path) if found.access.is_absent() => {
                        self.report(|workflow, place| report::no_member(workflow, place, path));
                    }
                    path => {
                        self.report(|workflow, place| report::wrong_kind(workflow, place, path.as_ref(), shape, *kinds))
                    }
                }
                Found::present(Shape::never())
            }
        }
    }
}

/// Returns the result of a test of equality.
pub(super) fn equality(operands: &[Shape]) -> Result<Shape, Wanted> {
    Ok(match operands {
        [left, right, ..] if left.is_distinct(right) => Shape::flag(false),
        _ => Shape::boolean(),
    })
}
