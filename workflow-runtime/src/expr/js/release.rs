//! Drops nested objects with bounded stack.
//!
//! As deep as objects usually are, they are dropped as everything is, by recursion. What lies deeper waits in a list until
//! the outermost is gone. The list also serves what a function has captured, which cannot be taken apart.

use std::cell::{Cell, RefCell};

use super::object::Body;

/// How many levels are dropped by recursion.
const LEVELS: u32 = 64;

thread_local! {
    /// In how many objects the thread is that it is dropping.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
    /// What lies deeper.
    static WAITING: RefCell<Vec<Body>> = const { RefCell::new(Vec::new()) };
}

/// Drops what an object is made of.
pub(super) fn drop_body(body: Body) {
    let level = LEVEL.get();
    if level >= LEVELS {
        let mut body = Some(body);
        // While the thread ends the list may be gone: what little is left then is dropped as it comes.
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
