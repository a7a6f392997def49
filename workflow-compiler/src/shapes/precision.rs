//! The precision of an analysis.

use std::ops::AddAssign;

/// The number of paths that an analysis has followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathCount {
    /// The number of all paths.
    pub all: usize,
    /// The number of those that begin at a value of which something is known.
    pub known: usize,
}

impl PathCount {
    /// Counts a path.
    pub fn note(&mut self, is_known: bool) {
        self.all += 1;
        self.known += usize::from(is_known);
    }
}

impl AddAssign for PathCount {
    fn add_assign(&mut self, other: PathCount) {
        self.all += other.all;
        self.known += other.known;
    }
}
