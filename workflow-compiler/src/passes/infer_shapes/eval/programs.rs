//! The shapes of programs in other languages.

// Without a language, some of the imports and arguments are not used.
#![cfg_attr(
    not(all(feature = "asl", feature = "cel", feature = "composer", feature = "jq")),
    allow(unused_imports, unused_variables)
)]

use super::{Eval, Found};
#[cfg(any(feature = "asl", feature = "cel", feature = "jq"))]
use crate::expr::Apply;
#[cfg(feature = "cel")]
use crate::expr::cel::CelCondition;
#[cfg(feature = "jq")]
use crate::expr::jq::{Filter, shapes as jq};
#[cfg(feature = "asl")]
use crate::expr::jsonata::JsonataExpression;
#[cfg(feature = "asl")]
use crate::passes::infer_shapes::jsonata;
#[cfg(any(feature = "asl", feature = "jq"))]
use crate::passes::infer_shapes::path_checks::CheckPlace;
use crate::passes::infer_shapes::report;
#[cfg(any(feature = "cel", feature = "composer"))]
use crate::passes::infer_shapes::report::Certainty;
#[cfg(feature = "asl")]
use crate::shapes::Access;
#[cfg(any(feature = "cel", feature = "jq", feature = "asl"))]
use crate::shapes::Shape;
#[cfg(feature = "asl")]
use crate::shapes::codes::WF1901;
#[cfg(feature = "jq")]
use crate::shapes::codes::WF1955;
#[cfg(any(feature = "cel", feature = "composer"))]
use crate::shapes::remark::Remark;

impl Eval<'_, '_> {
    /// Evaluates an expression in JSONata. A field needs a value, so that an expression that is
    /// always undefined fails.
    #[cfg(feature = "asl")]
    pub(super) fn jsonata(&mut self, apply: &Apply, expression: &JsonataExpression) -> Found {
        let values: Vec<Access> = apply.variables.iter().map(|value| self.find(value).access).collect();
        let values = expression.variables.iter().map(String::as_str).zip(values).collect();
        let outcome = jsonata::evaluate(expression.tree(), &expression.source, &values);
        self.paths.add(outcome.paths, self.env.reason_of(std::iter::once(&*apply.input).chain(&apply.variables)));
        for remark in &outcome.remarks {
            self.report_if(|workflow, place| report::jsonata(workflow, place, &expression.source, remark));
        }
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

    /// Evaluates a condition in CEL.
    #[cfg(feature = "cel")]
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

    /// Reports the findings in the text of a program.
    #[cfg(any(feature = "cel", feature = "composer"))]
    pub fn remarks(&mut self, source: &str, remarks: &[Remark]) {
        let certainty = self.place.certainty;
        for remark in remarks {
            self.place.certainty = match remark.is_certain {
                true => certainty,
                false => Certainty::Tested,
            };
            self.report_if(|workflow, place| report::remark(workflow, place, source, remark));
        }
        self.place.certainty = certainty;
    }

    /// Evaluates a jq program.
    #[cfg(feature = "jq")]
    pub(super) fn jq(&mut self, apply: &Apply, filter: &Filter) -> Found {
        let input = self.value(&apply.input);
        let variables: Vec<Shape> = apply.variables.iter().map(|value| self.value(value)).collect();
        if input.is_never() || variables.iter().any(Shape::is_never) {
            return Found::present(Shape::never());
        }
        let outcome = filter.outcome(&input, &variables);
        self.paths.add(outcome.paths, self.env.reason_of(std::iter::once(&*apply.input).chain(&apply.variables)));
        for remark in &outcome.remarks {
            if let jq::JqRemarkKind::InRust { base } = &remark.kind {
                self.check_path(&remark.of, |workflow, place| CheckPlace {
                    code: &WF1955,
                    span: report::program_span(workflow, place, &filter.source, Some(&remark.at)),
                    base: base.clone(),
                    steps: 1,
                });
            }
            self.report_if(|workflow, place| report::jq(workflow, place, &filter.source, remark));
        }
        Found::present(outcome.value)
    }
}
