//! Pass that refuses workflows that are too large to print. The memory for printing grows with the
//! number of their nodes.

use crate::diagnostics::codes::syntax::WF0113;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::{Arg, Expr, Program};
use crate::hir::{State, Step, StepKind, Workflow};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of nodes. A node takes about two kilobytes of memory up to the formatted
/// code, so that a compilation takes at most about a gigabyte.
pub(super) const MOST: usize = 500_000;

/// Reports a workflow with too many nodes.
pub fn check_size(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    let mut count = Count::default();
    for scope in &workflow.scopes {
        scope.entry.iter().for_each(|step| count.step(step));
        scope.states.iter().for_each(|state| count.state(state));
    }
    count.nodes += workflow.scripts.iter().map(|authored| authored.code.nodes()).sum::<usize>();
    if count.nodes > MOST {
        let message = format!("the workflow is too large: it has more than {MOST} nodes");
        let help = "move some of its states into another workflow, and start it from this one";
        diagnostics.push(Diagnostic::new(&WF0113, workflow.span.at_start(), message).help(help));
    }
}

/// The number of nodes so far.
#[derive(Default)]
struct Count {
    nodes: usize,
    /// The programs that are counted, by their texts and fields. Equal programs share one
    /// function.
    programs: HashMap<(String, String), Vec<Arc<Program>>>,
}

impl Count {
    /// Adds the nodes of a state: its function, its entry in the definition, and its resume
    /// points.
    fn state(&mut self, state: &State) {
        self.nodes += 4 + 2 * state.body.bodies().len();
        state.body.walk_steps_within(&mut Vec::new(), &mut |step, deadlines| {
            self.nodes += match &step.kind {
                StepKind::Try(inner) => 1 + 2 * inner.retriers.len(),
                StepKind::Block(block) => 1 + block.exits.len(),
                // The time of the deadline, and the choice of the earlier one.
                StepKind::Deadline(_) => 4,
                // The test of the time and the time that is left, which the lowering adds.
                _ if !deadlines.is_empty() => 6,
                _ => 1,
            };
        });
        state.body.walk_exprs(&mut |expr| self.expr(expr));
    }

    fn step(&mut self, step: &Step) {
        self.nodes += 1;
        step.exprs().into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            let nodes = match expr {
                Expr::Apply(apply) => 1 + self.program(&apply.program),
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
            self.nodes += nodes;
        });
    }

    /// Returns the nodes of the function that a program becomes, unless an equal one is counted.
    fn program(&mut self, program: &Arc<Program>) -> usize {
        let key = (program.source().to_owned(), program.field().unwrap_or_default().to_owned());
        let known = self.programs.entry(key).or_default();
        if known.contains(program) {
            return 0;
        }
        known.push(Arc::clone(program));
        program.nodes()
    }
}
