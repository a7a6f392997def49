//! Slots of runs of distributed Maps: a run that has one stays in memory while its children run,
//! and leaves them the slots of executions. Others are unloaded and loaded like any parent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::Shared;

/// The most runs that stay in memory.
const SLOTS: usize = 32;

/// The slots of an engine.
#[derive(Default)]
pub struct MapSlots(AtomicUsize);

/// A slot in use, until it is dropped.
pub struct MapSlot(Arc<Shared>);

impl MapSlots {
    /// Returns the number of slots in use.
    pub fn used(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl MapSlot {
    /// Takes a slot, if one is free.
    pub fn take(shared: &Arc<Shared>) -> Option<MapSlot> {
        let more = |used: usize| (used < SLOTS).then_some(used + 1);
        shared.map_slots.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(MapSlot(shared.clone()))
    }
}

impl Drop for MapSlot {
    fn drop(&mut self) {
        self.0.map_slots.0.fetch_sub(1, Ordering::Relaxed);
    }
}
