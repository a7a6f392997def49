//! Pass that refuses workflows that are too large to print. The memory for printing grows with the
//! number of their nodes.

use crate::diagnostics::codes::syntax::WF0113;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::{Arg, Expr};
use crate::hir::{State, Step, StepKind, Workflow};

/// The maximum number of nodes. A node takes about two kilobytes of memory up to the formatted
/// code, so that a compilation takes at most about a gigabyte.
const MOST: usize = 500_000;

/// Reports a workflow with too many nodes.
pub fn check_size(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    let mut parts = 0;
    for scope in &workflow.scopes {
        scope.entry.iter().for_each(|step| step.walk(&mut |step| parts += parts_of(step)));
        parts += scope.states.iter().map(parts_of_state).sum::<usize>();
        if parts > MOST {
            let message = format!("the workflow is too large: it has more than {MOST} nodes");
            let help = "move some of its states into another workflow, and start it from this one";
            return diagnostics.push(Diagnostic::new(&WF0113, workflow.span.at_start(), message).help(help));
        }
    }
}

/// Returns the number of nodes of a state: its function, its entry in the table of states, and its
/// entry in the table of resume points.
fn parts_of_state(state: &State) -> usize {
    let mut parts = 4 + 2 * state.body.bodies().len();
    state.body.walk_steps(&mut |step| {
        parts += match &step.kind {
            StepKind::Try(inner) => 1 + 2 * inner.retriers.len(),
            _ => 1,
        };
    });
    state.body.walk_exprs(&mut |expr| parts += parts_of_expr(expr));
    parts
}

fn parts_of(step: &Step) -> usize {
    1 + step.exprs().into_iter().map(parts_of_expr).sum::<usize>()
}

fn parts_of_expr(expr: &Expr) -> usize {
    let mut parts = 0;
    expr.walk(&mut |expr| {
        parts += match expr {
            Expr::Find(path) | Expr::Select(path) => {
                1 + path.segments.iter().map(|segment| segment.selectors.len()).sum::<usize>()
            }
            Expr::Call(call) => {
                let steps = |arg: &Arg| match arg {
                    Arg::Strs(texts) => texts.len(),
                    Arg::Steps(steps) => steps.len(),
                    _ => 0,
                };
                1 + call.args.iter().map(steps).sum::<usize>()
            }
            _ => 1,
        };
    });
    parts
}
