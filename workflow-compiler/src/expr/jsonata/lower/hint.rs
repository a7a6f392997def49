//! Names for the locals of lowered expressions.

use crate::names::snake_case;
use workflow_jsonata::{Node, NodeKind, Path, StepKind};

/// Returns a name for the value of a part.
pub(super) fn hint(node: &Node) -> String {
    match &node.kind {
        NodeKind::Name(name) => of_name(name),
        NodeKind::Variable(name) => of_name(name),
        NodeKind::Path(path) => of_path(path),
        NodeKind::Suffixed(suffixed) => hint(&suffixed.base),
        NodeKind::Call(call) => match &call.callee.kind {
            NodeKind::Variable(name) => of_name(name),
            _ => "result".to_owned(),
        },
        NodeKind::Array(_) => "array".to_owned(),
        NodeKind::Object(_) => "object".to_owned(),
        NodeKind::String(_) => "text".to_owned(),
        NodeKind::Number(_) => "number".to_owned(),
        NodeKind::Condition(condition) => hint(&condition.then),
        NodeKind::Block(parts) => parts.last().map_or_else(|| "item".to_owned(), hint),
        NodeKind::Bind(name, _) => of_name(name),
        _ => "item".to_owned(),
    }
}

/// Returns a name for the value of a path.
pub(super) fn of_path(path: &Path) -> String {
    match path.steps.last().map(|step| &step.kind) {
        Some(StepKind::Node(node)) => hint(node),
        _ => "sorted".to_owned(),
    }
}

/// Returns a name for the member or variable of a name.
pub(super) fn of_name(name: &str) -> String {
    match name.chars().any(char::is_alphanumeric) {
        true => snake_case(name),
        false => "item".to_owned(),
    }
}

/// Returns the singular of a plural: `order` for `orders`.
pub(super) fn singular(many: &str) -> String {
    match many.strip_suffix('s') {
        Some(one) if one.len() > 1 && !one.ends_with('s') => match one.strip_suffix("ie") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ => one.to_owned(),
        },
        _ => "item".to_owned(),
    }
}
