//! The analysis of functions of the definition.

use super::StateFlow;
#[cfg(feature = "composer")]
use crate::expr::Script;
#[cfg(feature = "composer")]
use crate::hir::Next;
use crate::model::Run;
use crate::passes::infer_shapes::env::LocalShapes;
#[cfg(feature = "composer")]
use crate::passes::infer_shapes::eval::Eval;
use crate::shapes::Shape;
use crate::shapes::functions::{FunctionRule, rule};
use crate::source::Span;

impl<'a> StateFlow<'_, 'a> {
    /// Evaluates a function of the definition. One that throws yields an error object.
    #[cfg_attr(
        not(feature = "composer"),
        expect(unused_variables, reason = "only functions of compositions are analysed")
    )]
    pub(super) fn run(&mut self, run: &'a Run, span: Span, env: &mut LocalShapes) {
        let script = &self.analysis.workflow.scripts[run.script].code;
        self.analysis.spend(1 + script.text().len());
        #[cfg(feature = "composer")]
        if let Script::JavaScript(script) = script {
            let before: Vec<Shape> = run.variables.iter().map(|local| env.get(*local)).collect();
            if let Some(found) = script.outcome(&env.get(run.document), &before) {
                let mut place = self.place(span);
                place.is_caught |= self.has_error_arm();
                let mut eval = Eval::new(self.analysis.workflow, env, place, self.reports());
                eval.remarks(&script.source, &found.outcome.remarks);
                let diagnostics = eval.finish();
                if self.analysis.report.is_some() && !self.is_settling {
                    self.analysis.paths.add(found.outcome.paths, env.reason(run.document));
                }
                self.push(diagnostics);
                let thrown = Shape::record([("error", Shape::any())]);
                let value = outcome(found.outcome.value);
                let value = if found.may_throw { value.join(&thrown) } else { value };
                env.set(run.document, value);
                run.variables.iter().zip(found.variables).for_each(|(local, after)| env.set(*local, after));
                return;
            }
        }
        run.variables.iter().for_each(|local| env.set(*local, Shape::any()));
        env.set(run.document, outcome(Shape::any()));
    }

    /// Returns `true` if the state continues after an error object.
    #[cfg(feature = "composer")]
    fn has_error_arm(&self) -> bool {
        let scope = self.analysis.workflow.scope(self.scope);
        let Some(Next::Choose { arms, .. }) = self.state.map(|at| &scope.states[at].body.next) else { return false };
        arms.iter().any(|arm| arm.on_error && !matches!(arm.body.next, Next::FailWith(_)))
    }
}

/// Returns the parameters after a function with this result.
fn outcome(result: Shape) -> Shape {
    match rule("composer::outcome") {
        FunctionRule::Call(_, effect) => effect(&[result]),
        _ => Shape::any(),
    }
}
