//! The shapes of expressions in JSONata.

use super::{Eval, Found};
use crate::expr::jsonata::JsonataExpression;
use crate::expr::{Apply, Call};
use crate::passes::infer_shapes::path_checks::CheckPlace;
use crate::passes::infer_shapes::{jsonata, report};
use crate::shapes::codes::WF1901;
use crate::shapes::{Access, KindSet, Shape};

impl Eval<'_, '_> {
    /// Evaluates an expression in JSONata. A field needs a value, so that an expression that is
    /// always undefined fails.
    pub(super) fn jsonata(&mut self, apply: &Apply, expression: &JsonataExpression) -> Found {
        let values: Vec<Access> = apply.variables.iter().map(|value| self.find(value).access).collect();
        let values = expression.variables.iter().map(String::as_str).zip(values).collect();
        let outcome = jsonata::evaluate(expression.tree(), &expression.source, &values);
        self.work = self.work.saturating_add(outcome.work);
        self.paths.add(outcome.paths, self.env.reason_of(std::iter::once(&*apply.input).chain(&apply.variables)));
        for remark in &outcome.remarks {
            self.report_if(|workflow, place| report::jsonata(workflow, place, &expression.source, remark));
        }
        outcome.reads.iter().for_each(|read| self.note_read(read, KindSet::ALL));
        if let Some(missing) = outcome.checked {
            self.check_path(&outcome.access.shape, |workflow, place| CheckPlace {
                code: &WF1901,
                span: report::program_span(workflow, place, &expression.source, Some(&missing.at)),
                base: missing.base,
                steps: missing.steps,
            });
        }
        if outcome.access.is_absent() {
            return Found::present(Shape::never());
        }
        let wanted = jsonata::wanted(expression.yields);
        let shape = outcome.access.shape.only(wanted);
        if shape.is_never() && !outcome.access.shape.is_never() {
            let actual = outcome.access.shape;
            self.report_if(|workflow, place| report::field_kind(workflow, place, &expression.source, &actual, wanted));
        }
        Found::present(shape)
    }

    /// Checks the input of a Map without `Items`.
    pub(super) fn map_input(&mut self, call: &Call, wanted: KindSet) -> Found {
        let actual = self.argument(call, 0).access.shape;
        self.note_read(&actual, wanted);
        let shape = actual.only(wanted);
        if shape.is_never() && !actual.is_never() {
            self.report_if(|_, place| report::map_input(place, &actual, wanted));
        }
        Found::present(shape)
    }
}
