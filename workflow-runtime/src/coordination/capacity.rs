//! The capacity of inboxes.
//!
//! An inbox holds unseen events, and events that the execution has seen and keeps for a later
//! state. An event that does not fit is declined, and its sender is to offer it again later.
//!
//! An event that the execution waits for now is accepted beyond the capacity, because the events
//! that fill the inbox are for later states and could keep the execution from continuing. That
//! holds only if there are no unseen events, which may end the wait.

use super::store::Store;
use crate::machine::{INBOX_CAPACITY, INBOX_OVERFLOW};

/// The limits of an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboxLimits {
    /// The number of events that it holds.
    pub capacity: usize,
    /// The number of events beyond the capacity, for events that the execution waits for.
    pub overflow: usize,
}

impl Default for InboxLimits {
    fn default() -> InboxLimits {
        InboxLimits { capacity: INBOX_CAPACITY, overflow: INBOX_OVERFLOW }
    }
}

/// Returns `true` if an execution has inbox capacity for `more` events. A single event may be of
/// these `kinds`.
pub(super) fn has_capacity<S: Store>(
    store: &mut S,
    execution: S::Execution,
    more: usize,
    kinds: &[&str],
) -> Result<bool, S::Error> {
    let InboxLimits { capacity, overflow } = store.inbox_limits();
    let mut unseen = store.unseen_events(execution)?;
    let fits = |unseen: usize, kept: usize| unseen.saturating_add(kept).saturating_add(more) <= capacity;
    if fits(unseen, store.kept_events_at_most(execution)?) {
        return Ok(true);
    }
    let kept = loop {
        let kept = store.kept_events(execution)?;
        // An event that a running execution sees between two requests would count twice.
        let left = store.unseen_events(execution)?;
        if left >= unseen {
            break kept;
        }
        unseen = left;
    };
    if fits(unseen, kept) {
        return Ok(true);
    }
    let is_below = kept < capacity.saturating_add(overflow);
    Ok(unseen == 0 && more == 1 && is_below && !kinds.is_empty() && store.awaits(execution, kinds)?)
}
