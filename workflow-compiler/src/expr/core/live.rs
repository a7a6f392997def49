//! Sets of locals.

use super::CoreLocalId;
use crate::index::Id;

/// A set of locals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalSet(Vec<u64>);

impl LocalSet {
    /// Adds a local. Returns `true` if the set did not have it.
    pub fn insert(&mut self, local: CoreLocalId) -> bool {
        let (word, bit) = (local.position() / 64, 1 << (local.position() % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Removes a local.
    pub fn remove(&mut self, local: CoreLocalId) {
        if let Some(word) = self.0.get_mut(local.position() / 64) {
            *word &= !(1 << (local.position() % 64));
        }
    }

    /// Returns `true` if the set has a local.
    pub fn has(&self, local: CoreLocalId) -> bool {
        self.0.get(local.position() / 64).is_some_and(|word| word & (1 << (local.position() % 64)) != 0)
    }

    /// Adds the locals of another set.
    pub fn extend(&mut self, others: &LocalSet) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    /// Iterates over the locals.
    pub fn iter(&self) -> impl Iterator<Item = CoreLocalId> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| CoreLocalId::at(word * 64 + bit))
        })
    }
}
