//! What a state that is gone may be called now.

use super::Renamed;
use super::shape::{Shape, differences};
use super::side::{Pairs, Side, StateAt};

/// In how many parts a state that was renamed may differ besides.
const MOST_DIFFERENCES: usize = 2;

/// The states of the new definition that are not of the old one.
pub struct Added<'a> {
    new: &'a Side<'a>,
    states: Vec<(StateAt<'a>, Shape)>,
}

impl<'a> Added<'a> {
    pub fn of(new: &'a Side<'a>, pairs: &Pairs<'_>) -> Added<'a> {
        let added = new.states().filter(|at| !pairs.is_known(*at));
        Added { new, states: added.map(|at| (at, new.shape(at))).collect() }
    }

    /// The one of them that does what this state of the old definition did.
    pub fn like(&self, at: StateAt<'_>, old: &Side<'_>) -> Option<Renamed> {
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
            // A state that was moved is named where that is told.
            [(_, other)] if other.state.name.value != at.state.name.value => Some(Renamed {
                state: other.state.name.value.to_string(),
                line: self.new.sources.line_of(other.state.name.span),
            }),
            _ => None,
        }
    }
}
