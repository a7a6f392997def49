//! Detection of renamed states.

use super::Renamed;
use super::shape::{StateShape, differences};
use super::version_index::{Pairs, StateAt, VersionIndex};

/// The maximum number of aspects in which a renamed state may differ.
const MOST_DIFFERENCES: usize = 2;

/// The states of the new definition that have no counterpart in the old one.
pub struct Added<'a> {
    new: &'a VersionIndex<'a>,
    states: Vec<(StateAt<'a>, StateShape)>,
}

impl<'a> Added<'a> {
    pub fn of(new: &'a VersionIndex<'a>, pairs: &Pairs<'_>) -> Added<'a> {
        let added = new.states().filter(|at| !pairs.is_paired(*at));
        Added { new, states: added.map(|at| (at, new.shape(at))).collect() }
    }

    /// Returns the only added state that does what this state of the old definition did.
    pub fn like(&self, at: StateAt<'_>, old: &VersionIndex<'_>) -> Option<Renamed> {
        let shape = old.shape(at);
        let mut near: Vec<(usize, StateAt<'_>)> = Vec::new();
        for (other, other_shape) in &self.states {
            if other.state.kind != at.state.kind {
                continue;
            }
            let differing = differences(&shape, other_shape).len();
            if differing <= MOST_DIFFERENCES {
                near.push((differing, *other));
            }
        }
        let least = near.iter().map(|(differing, _)| *differing).min()?;
        near.retain(|(differing, _)| *differing == least);
        match &near[..] {
            // A state that was moved without a rename is reported elsewhere.
            [(_, other)] if other.state.name.value != at.state.name.value => Some(Renamed {
                state: other.state.name.value.to_string(),
                line: self.new.sources.line_of(other.state.name.span),
            }),
            _ => None,
        }
    }
}
