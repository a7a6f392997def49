//! The closures that take the outputs of filters.
//!
//! A local holds only the depth of such a closure. The closures themselves are on the stack of the
//! functions of the runtime that have made them.

use std::cell::RefCell;
use workflow_runtime::__private::jq;
use workflow_runtime::Value;

/// The number of closures around a closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth(usize);

/// The closures that take outputs, innermost first.
pub type Outs<'o> = &'o dyn Emit;

/// A receiver of outputs.
pub trait Emit {
    /// Returns the depth of the innermost closure.
    fn depth(&self) -> Depth;

    /// Passes an output to the closure at a depth.
    ///
    /// # Errors
    /// Returns the error of the closure.
    fn emit(&self, to: Depth, value: Value) -> jq::Result<()>;
}

/// No closure.
pub struct NoOuts;

impl Emit for NoOuts {
    fn depth(&self) -> Depth {
        Depth(0)
    }

    fn emit(&self, to: Depth, _: Value) -> jq::Result<()> {
        panic!("{to:?} is the depth of no closure")
    }
}

/// A closure, with those around it.
pub struct Inner<'o, 'c> {
    outer: Outs<'o>,
    out: RefCell<jq::Out<'c>>,
}

impl<'o, 'c> Inner<'o, 'c> {
    /// Adds a closure.
    pub fn new(outer: Outs<'o>, out: jq::Out<'c>) -> Inner<'o, 'c> {
        Inner { outer, out: RefCell::new(out) }
    }
}

impl Emit for Inner<'_, '_> {
    fn depth(&self) -> Depth {
        Depth(self.outer.depth().0 + 1)
    }

    fn emit(&self, to: Depth, value: Value) -> jq::Result<()> {
        if to == self.depth() { (self.out.borrow_mut())(value) } else { self.outer.emit(to, value) }
    }
}
