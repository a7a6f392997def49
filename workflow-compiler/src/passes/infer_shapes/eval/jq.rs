//! The shapes of jq programs.

use super::{Eval, Found};
use crate::expr::Apply;
use crate::expr::jq::Filter;
use crate::expr::jq::shapes::JqRemarkKind;
use crate::passes::infer_shapes::path_checks::CheckPlace;
use crate::passes::infer_shapes::report;
use crate::shapes::codes::WF1955;
use crate::shapes::{KindSet, Shape};

impl Eval<'_, '_> {
    /// Evaluates a jq program.
    pub(super) fn jq(&mut self, apply: &Apply, filter: &Filter) -> Found {
        let input = self.value(&apply.input);
        let variables: Vec<Shape> = apply.variables.iter().map(|value| self.value(value)).collect();
        if input.is_never() || variables.iter().any(Shape::is_never) {
            return Found::present(Shape::never());
        }
        let outcome = filter.outcome(&input, &variables);
        self.paths.add(outcome.paths, self.env.reason_of(std::iter::once(&*apply.input).chain(&apply.variables)));
        for remark in &outcome.remarks {
            if let JqRemarkKind::InRust { base } = &remark.kind {
                self.note_read(&remark.of, KindSet::ALL);
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
