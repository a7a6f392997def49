//! Outline of a broken definition: the names of its states, and their transitions as far as they
//! can be read.
//!
//! This module reports nothing. It leaves out a transition that cannot be read or that may be a
//! mistake, and marks the outline as incomplete.

use super::parse::{TYPES, looks_like_state, names::owners_of};
use super::placeholders::placeholders;
use crate::hir::{Outline, ScopeOutline, StateOutline};
use crate::index::IndexVec;
use crate::model::ScopeId;
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Text, Tree};
use std::sync::Arc;

/// Returns the outline of a state machine.
pub fn outline(machine: &Node) -> Outline {
    let mut outline = Outline { scopes: IndexVec::new(), is_complete: true, refuses_dead_ends: true };
    scope(machine, "the top level".to_owned(), None, &mut outline);
    outline
}

fn scope(node: &Node, label: String, parent: Option<ScopeId>, outline: &mut Outline) {
    let (Some(fields), Some(entries)) = (node.as_object(), node.get("States").and_then(Node::as_object)) else {
        outline.is_complete = false;
        return;
    };
    let start = target(node, "StartAt", outline);
    outline.is_complete &= start.is_some();
    let id = outline.scopes.push(ScopeOutline { label, parent, start, states: Vec::new() });
    // A state outside of `States` is an error of its own, but its name is known.
    let misplaced = fields.iter().filter(|entry| looks_like_state(entry));
    let entries: Vec<&Entry> = entries.iter().chain(misplaced).collect();
    let mut states: Vec<_> = entries.iter().filter_map(|entry| state(entry, id, outline)).collect();
    if states.is_empty() || states.len() < entries.len() {
        // A state whose name is unknown may be the target of any transition.
        outline.is_complete = false;
        outline.scopes[id].start = None;
        states.iter_mut().for_each(|state| state.targets.clear());
    }
    outline.scopes[id].states = states;
}

fn state(Entry { key, value }: &Entry, scope: ScopeId, outline: &mut Outline) -> Option<StateOutline> {
    let name = name(key)?;
    let targets = targets(value, outline);
    let kind = value.get("Type").and_then(Node::as_text).map(|kind| kind.value.as_str());
    outline.is_complete &= kind.is_some_and(|kind| is_clear(value, kind));
    inner_scopes(value, &name.value, scope, outline);
    let ends = value.get("End").is_some_and(|end| end.tree == Tree::Bool(true));
    let can_end = match kind {
        Some("Succeed" | "Fail") => true,
        // Without `Default`, the state fails if no rule matches.
        Some("Choice") => value.get("Default").is_none(),
        _ => ends,
    };
    Some(StateOutline { name, span: key.span.to(value.span), targets, can_end, is_synthetic: false })
}

/// Returns the targets of `Next`, `Default`, rules and catchers, as far as they can be read.
fn targets(state: &Node, outline: &mut Outline) -> Vec<Spanned<Arc<str>>> {
    let mut targets = Vec::new();
    for field in ["Next", "Default"] {
        targets.extend(state.get(field).and_then(|_| target(state, field, outline)));
    }
    for field in ["Choices", "Catch"] {
        let Some(list) = state.get(field) else { continue };
        outline.is_complete &= list.as_array().is_some();
        for item in list.as_array().unwrap_or_default() {
            targets.extend(target(item, "Next", outline));
        }
    }
    targets
}

/// Returns the state that a field names. If it cannot be read, marks the outline as incomplete.
fn target(node: &Node, field: &str, outline: &mut Outline) -> Option<Spanned<Arc<str>>> {
    let target = node.get(field).and_then(Node::as_text).and_then(name);
    outline.is_complete &= target.is_some();
    target
}

fn name(text: &Text) -> Option<Spanned<Arc<str>>> {
    let is_static = placeholders(&text.value).next().is_none();
    is_static.then(|| Spanned::new(Arc::from(text.value.as_str()), text.span))
}

/// Returns `true` if the transitions of a state are certain: the state has exactly the transition
/// fields of its type, and no unknown field that may be a misspelt one.
fn is_clear(state: &Node, kind: &str) -> bool {
    let has = |field: &str| state.get(field).is_some();
    let ends = state.get("End").is_none_or(|end| matches!(end.tree, Tree::Bool(_)));
    let transitions = match kind {
        "Choice" => has("Choices") && !has("Next") && !has("End"),
        "Succeed" | "Fail" => !has("Next") && !has("End"),
        _ => has("Next") != has("End"),
    };
    let entries = state.as_object().unwrap_or_default();
    let all_valid = entries.iter().all(|entry| owners_of(&entry.key.value).is_some() || entry.key.value == "Comment");
    TYPES.contains(&kind) && ends && transitions && all_valid
}

fn inner_scopes(state: &Node, name: &str, parent: ScopeId, outline: &mut Outline) {
    let branches = state.get("Branches").and_then(Node::as_array).unwrap_or_default();
    for (at, branch) in branches.iter().enumerate() {
        scope(branch, format!("branch {} of `{name}`", at + 1), Some(parent), outline);
    }
    let processors = ["ItemProcessor", "Iterator"].into_iter().filter_map(|field| state.get(field));
    for processor in processors {
        scope(processor, format!("the item processor of `{name}`"), Some(parent), outline);
    }
}
