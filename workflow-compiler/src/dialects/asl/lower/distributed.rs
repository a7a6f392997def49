//! Lowering of distributed Map states.

use super::{Cx, set};
use crate::dialects::asl::ast::{Distributed, Map, State};
use crate::expr::{Expr, LocalId};
use crate::hir::{DistributedMap, Step, StepKind};
use crate::model::{LocalKind, ScopeId};

/// Limits of a Map state, each a call that yields a checked number.
pub struct Limits {
    /// `MaxConcurrency`.
    pub limit: Option<Expr>,
    /// `ToleratedFailureCount`.
    pub tolerated_count: Option<Expr>,
    /// `ToleratedFailurePercentage`.
    pub tolerated_percentage: Option<Expr>,
}

impl Cx<'_> {
    /// Lowers the run of a distributed Map. Its iterations are executions of their own, which see
    /// no variables of this one.
    pub fn distributed(
        &mut self,
        state: &State,
        map: &Map,
        distributed: &Distributed,
        (_selected, items): (LocalId, LocalId),
        limits: Limits,
        scope: ScopeId,
    ) -> Step {
        let result = self.shared("result", LocalKind::Value, state.span);
        let input = self.shared("item", LocalKind::Value, state.span);
        let mut settings = vec![("items".to_owned(), Expr::Local(items))];
        let mut set_limit = |name: &str, limit: Option<Expr>| {
            settings.extend(limit.map(|limit| (name.to_owned(), limit)));
        };
        set_limit("concurrency", limits.limit);
        set_limit("tolerated_count", limits.tolerated_count);
        set_limit("tolerated_percentage", limits.tolerated_percentage);
        let outer = std::mem::take(&mut self.variables);
        let mut entry = Vec::new();
        set(self.document(), Expr::Local(input), map.processor.span, &mut entry);
        let label = format!("the item processor of `{}`", state.name.value);
        let body = self.scope(&map.processor, label, Some((scope, state.name.value.clone())), entry);
        self.variables = outer;
        let label = match &distributed.label {
            Some(label) => label.value.clone(),
            None => self.generated_label(&state.name.value),
        };
        let map = DistributedMap {
            label,
            body,
            input,
            selection: None,
            reader: None,
            settings: Expr::Object(settings),
            result,
        };
        Step { kind: StepKind::DistributedMap(Box::new(map)), span: state.span }
    }

    /// Returns the label of a Map without `Label`: the letters, digits, `-` and `_` of the state's
    /// name. A number distinguishes it from other labels.
    fn generated_label(&mut self, name: &str) -> String {
        const LONGEST_GENERATED: usize = 40;
        let kept = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let mut label: String = kept.take(LONGEST_GENERATED).collect();
        if label.is_empty() {
            label.push_str("Map");
        }
        let base = label.clone();
        let mut number = 1_u32;
        while !self.labels.insert(label.clone()) {
            number += 1;
            let suffix = format!("-{number}");
            label = base.chars().take(LONGEST_GENERATED - suffix.len()).collect();
            label.push_str(&suffix);
        }
        label
    }
}
