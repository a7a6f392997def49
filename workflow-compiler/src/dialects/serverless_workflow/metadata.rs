//! Metadata and extensions ("Workflow Metadata", "Extending"): what tools and users know a workflow by, and no execution.

use crate::dialects::members::member;
use crate::expr::Literal;
use crate::syntax::{Node, Tree};

/// What a definition has of them, in the form of the definition: `metadata` and `extensions` of the workflow, and of `events`,
/// `functions` and `states`, those in others among them, each that has some with its `name`.
pub fn collect(definition: &Node) -> Option<Literal> {
    let mut all: Vec<(String, Literal)> = ["metadata", "extensions"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), Literal::from(given(definition, name)?))))
        .collect();
    let list = |name| member(definition, name).and_then(Node::as_array).unwrap_or_default();
    let mut states = Vec::new();
    note_states(list("states"), &mut states);
    for (name, found) in [
        ("events", list("events").iter().filter_map(named).collect()),
        ("functions", list("functions").iter().filter_map(named).collect()),
        ("states", states),
    ] {
        if !found.is_empty() {
            all.push((name.to_owned(), Literal::Array(found)));
        }
    }
    (!all.is_empty()).then_some(Literal::Object(all))
}

/// A member that is there, and says something.
fn given<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    member(node, name).filter(|node| match &node.tree {
        Tree::Null => false,
        Tree::Object(members) => !members.is_empty(),
        Tree::Array(items) => !items.is_empty(),
        _ => true,
    })
}

fn named(node: &Node) -> Option<Literal> {
    let metadata = given(node, "metadata")?;
    let name = member(node, "name")?;
    Some(Literal::Object(vec![
        ("name".to_owned(), Literal::from(name)),
        ("metadata".to_owned(), Literal::from(metadata)),
    ]))
}

/// States, and those of branches and bodies.
fn note_states(states: &[Node], found: &mut Vec<Literal>) {
    for state in states {
        found.extend(named(state));
        let branches = member(state, "branches").and_then(Node::as_array).unwrap_or_default();
        for body in branches.iter().chain([state]) {
            note_states(member(body, "states").and_then(Node::as_array).unwrap_or_default(), found);
        }
    }
}
