//! Orders of the items of a path: `^(>a, b)`.

use super::scope::JsonataEnv;
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::core::{Atom, CoreArgument};
use workflow_jsonata::{Node, NodeKind, SortTerm, StepKind};

impl<'n> Lowering<'n> {
    /// Lowers an order. The evaluator evaluates the values of its terms only where it compares
    /// them, so that these must not fail.
    pub(super) fn sorted(&mut self, items: &Atom, terms: &'n [SortTerm], env: &JsonataEnv) -> Res<Yield> {
        if !terms.iter().all(|term| is_infallible(&term.by)) {
            return untranslated("an order by values that can fail");
        }
        let sorting = self.list_for(items, "sorting", callees::SORTING);
        self.for_items(callees::ITEMS, items, "item", |lowering, item| {
            for term in terms {
                let key = lowering.value(&term.by, &env.on(&item))?;
                lowering.add(sorting, callees::ADD_KEY, &[&key]);
            }
            Ok(())
        })?;
        let descending = terms.iter().map(|term| term.descending).collect();
        let args = vec![(&Atom::Local(sorting)).into(), items.into(), CoreArgument::Flags(descending)];
        Ok(Yield::sequence(self.builder.call("sorted", callees::SORTED, args)))
    }
}

/// Returns `true` if the evaluation of a part cannot fail.
fn is_infallible(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Path(path) => {
            let is_name = |kind: &StepKind| {
                matches!(
                    kind,
                    StepKind::Node(Node { kind: NodeKind::Name(_) | NodeKind::Variable(_) | NodeKind::Context, .. })
                )
            };
            path.group.is_none() && path.steps.iter().all(|step| step.stages.is_empty() && is_name(&step.kind))
        }
        NodeKind::Variable(_) | NodeKind::Context | NodeKind::Number(_) | NodeKind::String(_) => true,
        _ => false,
    }
}
