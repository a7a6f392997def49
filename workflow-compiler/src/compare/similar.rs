//! What a state that is gone may be called now.

use super::Renamed;
use super::shape::{Aspect, differences};
use super::side::{Pairs, Side, StateAt};

/// In how many parts a state that was renamed may differ besides.
const MOST_DIFFERENCES: usize = 2;

/// The one state of the new definition that is not of the old one, and does what this one did.
pub fn renamed(at: StateAt<'_>, old: &Side<'_>, new: &Side<'_>, pairs: &Pairs<'_>) -> Option<Renamed> {
    let shape = old.shape(at);
    let mut near: Vec<(usize, StateAt<'_>)> = Vec::new();
    for other in new.states().filter(|other| !pairs.is_known(*other)) {
        let differing = differences(&shape, &new.shape(other));
        if !differing.contains(&Aspect::Kind) && differing.len() <= MOST_DIFFERENCES {
            near.push((differing.len(), other));
        }
    }
    let least = near.iter().map(|(differing, _)| *differing).min()?;
    near.retain(|(differing, _)| *differing == least);
    match &near[..] {
        // A state that was moved is named where that is told.
        [(_, other)] if other.state.name.value != at.state.name.value => Some(Renamed {
            state: other.state.name.value.to_string(),
            line: new.sources.line_of(other.state.name.span),
        }),
        _ => None,
    }
}
