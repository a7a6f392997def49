//! Calls in tail position.

use std::sync::Arc;

use crate::ast::{Lambda, Node, NodeKind};

/// Returns the body of a function with its calls in tail position as functions of no parameters.
pub(super) fn optimize(mut body: Node) -> Node {
    match &mut body.kind {
        NodeKind::Call(_) => {
            let at = body.at.clone();
            let thunk = Lambda { params: Vec::new(), signature: None, body, is_thunk: true };
            return Node { at, kind: NodeKind::Lambda(Arc::new(thunk)) };
        }
        NodeKind::Condition(condition) => {
            replace(&mut condition.then);
            if let Some(otherwise) = &mut condition.otherwise {
                replace(otherwise);
            }
        }
        NodeKind::Block(parts) => {
            if let Some(part) = parts.last_mut() {
                replace(part);
            }
        }
        _ => {}
    }
    body
}

fn replace(node: &mut Node) {
    let empty = Node { at: 0..0, kind: NodeKind::Null };
    *node = optimize(std::mem::replace(node, empty));
}
