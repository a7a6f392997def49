//! Metadata and extensions ("Workflow Metadata", "Extending"), which tools and users read and
//! executions do not.

use crate::dialects::object::any_case::member;
use crate::expr::Literal;
use crate::syntax::{Node, Tree};

/// Collects the metadata in the form of the definition: `metadata` and `extensions` of the
/// workflow, and the `metadata` of `events`, `functions` and `states` with the `name` of each.
/// Nested states are included. Returns `None` if there are none.
pub fn collect(definition: &Node) -> Option<Literal> {
    let mut all: Vec<(String, Literal)> = ["metadata", "extensions"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), Literal::from(non_empty_member(definition, name)?))))
        .collect();
    let list = |name| member(definition, name).and_then(Node::as_array).unwrap_or_default();
    let mut states = Vec::new();
    collect_states(list("states"), &mut states);
    for (name, entries) in [
        ("events", list("events").iter().filter_map(named_metadata).collect()),
        ("functions", list("functions").iter().filter_map(named_metadata).collect()),
        ("states", states),
    ] {
        if !entries.is_empty() {
            all.push((name.to_owned(), Literal::Array(entries)));
        }
    }
    (!all.is_empty()).then_some(Literal::Object(all))
}

/// Returns a member that is neither null nor empty.
fn non_empty_member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    member(node, name).filter(|node| match &node.tree {
        Tree::Null => false,
        Tree::Object(members) => !members.is_empty(),
        Tree::Array(items) => !items.is_empty(),
        _ => true,
    })
}

fn named_metadata(node: &Node) -> Option<Literal> {
    let metadata = non_empty_member(node, "metadata")?;
    let name = member(node, "name")?;
    Some(Literal::Object(vec![
        ("name".to_owned(), Literal::from(name)),
        ("metadata".to_owned(), Literal::from(metadata)),
    ]))
}

/// Collects the metadata of states, also of those in branches and bodies.
fn collect_states(states: &[Node], collected: &mut Vec<Literal>) {
    for state in states {
        collected.extend(named_metadata(state));
        let branches = member(state, "branches").and_then(Node::as_array).unwrap_or_default();
        for body in branches.iter().chain([state]) {
            collect_states(member(body, "states").and_then(Node::as_array).unwrap_or_default(), collected);
        }
    }
}
