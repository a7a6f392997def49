//! Waits and joins.

use crate::expr::Expr;

/// A number of seconds.
#[derive(Debug, Clone, PartialEq)]
pub enum Seconds {
    /// A constant.
    Fixed(f64),
    /// A call that yields a checked number of seconds as a value.
    Computed(Expr),
}

/// The end of a wait.
#[derive(Debug, Clone)]
pub enum Wait {
    /// An interval.
    For(Seconds),
    /// A time: a call that yields a checked RFC 3339 time as a value.
    Until(Expr),
}

/// The point at which the step that runs branches continues. The first fault fails the step.
/// When the step continues or fails, the branches that still run are cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// All branches have ended. The result is the array of their outputs, in the order of the
    /// branches.
    All,
    /// This many branches have ended. The result is an array with the index and output of each, in
    /// completion order.
    NOf(u32),
}

impl Seconds {
    /// Returns a constant number.
    pub fn fixed(&self) -> Option<f64> {
        match self {
            Seconds::Fixed(seconds) => Some(*seconds),
            Seconds::Computed(_) => None,
        }
    }

    /// Returns the expression of a computed number.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Seconds::Computed(expr) => Some(expr),
            Seconds::Fixed(_) => None,
        }
    }
}
