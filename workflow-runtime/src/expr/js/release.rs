//! Destruction of nested objects with bounded stack.
//!
//! Objects of usual depth are dropped by recursion. Deeper objects wait in a list until the
//! outermost object is dropped. The list also serves the captured variables of functions, which
//! cannot be taken apart.

use std::cell::{Cell, RefCell};

use super::object::Backing;

/// The number of levels that are dropped by recursion.
const LEVELS: u32 = 64;

thread_local! {
    /// The number of nested drops on this thread.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
    /// The deeper levels.
    static WAITING: RefCell<Vec<Backing>> = const { RefCell::new(Vec::new()) };
}

/// Drops the content of an object.
pub(super) fn drop_body(body: Backing) {
    let level = LEVEL.get();
    if level >= LEVELS {
        let mut body = Some(body);
        // When the thread ends, the list may be destroyed. The rest is then dropped by recursion.
        let _ = WAITING.try_with(|waiting| waiting.borrow_mut().extend(body.take()));
        return;
    }
    LEVEL.set(level + 1);
    drop(body);
    if level == 0 {
        while let Some(next) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()).ok().flatten() {
            drop(next);
        }
    }
    LEVEL.set(level);
}
