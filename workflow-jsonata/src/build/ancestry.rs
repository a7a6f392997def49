//! The ancestors that `%` refers to.
//!
//! Each `%` has a slot. A slot seeks its ancestor from the step before the one that has the `%`:
//! a name or `*` takes it up one level, another `%` down one. The step at which the level is zero
//! stores the item that it is applied to in the slot.

use std::ops::Range;

use super::part::{Part, PartKind, Steps};
use crate::ast::{Node, NodeKind, Step, StepKind};
use crate::error::SyntaxError;

/// The steps that all slots together may look at.
const MAX_WORK: usize = 1 << 20;

/// The slots of an expression.
#[derive(Default)]
pub(super) struct Ancestry {
    /// The levels to the ancestor of each slot.
    levels: Vec<i64>,
    /// The steps looked at so far.
    work: usize,
}

impl Ancestry {
    /// Adds a slot and returns its number.
    pub(super) fn add(&mut self) -> usize {
        self.levels.push(1);
        self.levels.len() - 1
    }

    /// Seeks the ancestors of the slots of the last step among the steps before it. Those that are
    /// not there are added to the slots of the path.
    pub(super) fn resolve(&mut self, steps: &mut Steps, outer: &mut Vec<usize>) -> Result<(), Box<SyntaxError>> {
        for slot in &steps.seeking {
            let mut before = steps.steps.len() - 1;
            while self.levels[*slot] > 0 {
                let Some(mut place) = before.checked_sub(1) else {
                    outer.push(*slot);
                    break;
                };
                // Of steps in a row that bind their items, the first one counts.
                while place > 0 && steps.steps[place].focus.is_some() && steps.steps[place - 1].focus.is_some() {
                    self.spend(0..0)?;
                    place -= 1;
                }
                self.seek_step(&mut steps.steps[place], *slot)?;
                before = place;
            }
        }
        Ok(())
    }

    /// Seeks the ancestor of a slot of a predicate, from the part that the predicate follows.
    pub(super) fn seek_from_predicate(&mut self, part: &mut Part, slot: usize) -> Result<(), Box<SyntaxError>> {
        if self.levels[slot] != 1 {
            self.levels[slot] -= 1;
            return Ok(());
        }
        match &mut part.kind {
            PartKind::Path(steps) => match steps.steps.last_mut() {
                Some(step) => self.seek_step(step, slot),
                None => Ok(()),
            },
            PartKind::Plain(kind) => {
                let found = self.seek_kind(kind, &part.at, slot)?;
                part.is_tuple |= found.is_tuple;
                part.ancestors.extend(found.takes_item.then_some(slot));
                Ok(())
            }
        }
    }

    fn seek_step(&mut self, step: &mut Step, slot: usize) -> Result<(), Box<SyntaxError>> {
        let node = match &mut step.kind {
            StepKind::Node(node) => node,
            StepKind::Sort(terms) => {
                return Err(no_parent(terms.first().map_or(0..0, |term| term.by.at.clone())));
            }
        };
        let found = self.seek_node(node, slot)?;
        step.is_tuple |= found.is_tuple;
        step.ancestors.extend(found.takes_item.then_some(slot));
        Ok(())
    }

    fn seek_node(&mut self, node: &mut Node, slot: usize) -> Result<Found, Box<SyntaxError>> {
        match &mut node.kind {
            NodeKind::Suffixed(suffixed) => self.seek_node(&mut suffixed.base, slot),
            kind => self.seek_kind(kind, &node.at, slot),
        }
    }

    fn seek_kind(&mut self, kind: &mut NodeKind, at: &Range<usize>, slot: usize) -> Result<Found, Box<SyntaxError>> {
        self.spend(at.clone())?;
        match kind {
            NodeKind::Name(_) | NodeKind::Wildcard => {
                self.levels[slot] -= 1;
                let is_found = self.levels[slot] == 0;
                Ok(Found { is_tuple: is_found, takes_item: is_found })
            }
            NodeKind::Parent(_) => {
                self.levels[slot] += 1;
                Ok(Found { is_tuple: false, takes_item: false })
            }
            NodeKind::Block(parts) => {
                if let Some(part) = parts.last_mut() {
                    self.seek_node(part, slot)?;
                }
                Ok(Found { is_tuple: !parts.is_empty(), takes_item: false })
            }
            NodeKind::Path(path) => {
                path.is_tuple = true;
                for step in path.steps.iter_mut().rev() {
                    self.seek_step(step, slot)?;
                    if self.levels[slot] <= 0 {
                        break;
                    }
                }
                Ok(Found { is_tuple: true, takes_item: false })
            }
            _ => Err(no_parent(at.clone())),
        }
    }

    /// Counts a step that is looked at.
    fn spend(&mut self, at: Range<usize>) -> Result<(), Box<SyntaxError>> {
        self.work += 1;
        if self.work > MAX_WORK {
            return Err(SyntaxError::limit("The expression has too many references to ancestors (%)", at));
        }
        Ok(())
    }
}

/// The answer of a part to a slot that seeks its ancestor.
struct Found {
    /// `true` if the items of the part carry bindings.
    is_tuple: bool,
    /// `true` if the part stores the item that it is applied to.
    takes_item: bool,
}

/// Returns the error for a `%` without an ancestor.
pub(super) fn no_parent(at: Range<usize>) -> Box<SyntaxError> {
    let message = "The object representing the 'parent' cannot be derived from this expression";
    SyntaxError::new("S0217", message, at)
}
