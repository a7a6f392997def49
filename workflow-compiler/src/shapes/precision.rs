//! The precision of an analysis.

use std::ops::AddAssign;

/// The number of paths that an analysis has followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathCount {
    /// The number of all paths.
    pub all: usize,
    /// The number of those that begin at a value of which something is known.
    pub known: usize,
    /// The number of the others by the reason, in the order of [`AnyReason::ALL`].
    pub unknown: [usize; AnyReason::ALL.len()],
}

/// The reason why nothing is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyReason {
    /// It is the result of a task.
    Task,
    /// It is the input of the workflow, without a schema.
    Input,
    /// It is an item of a distributed Map, which a reader decides.
    DistributedItem,
    /// It is an item of a list of which nothing is known.
    Item,
    /// It is the output of a child execution, or an event.
    Received,
    /// It is the result of a function or a program that yields any value.
    Computed,
    /// Several ways lead to the place, or the value changes in a loop.
    Joined,
}

impl AnyReason {
    /// All reasons.
    pub const ALL: [AnyReason; 7] = [
        AnyReason::Task,
        AnyReason::Input,
        AnyReason::DistributedItem,
        AnyReason::Item,
        AnyReason::Received,
        AnyReason::Computed,
        AnyReason::Joined,
    ];

    /// Returns the reason in words.
    pub fn phrase(self) -> &'static str {
        match self {
            AnyReason::Task => "the result of a task",
            AnyReason::Input => "the input of the execution, without a schema",
            AnyReason::DistributedItem => "an item of a distributed Map",
            AnyReason::Item => "an item of unknown items",
            AnyReason::Received => "the output of a child execution, or an event",
            AnyReason::Computed => "the value of a path into such data, or of a function of any value",
            AnyReason::Joined => "different reasons on several ways, or a value that changes in a loop",
        }
    }
}

impl PathCount {
    /// Counts a path. `reason` is that of a value of which nothing is known.
    pub fn note(&mut self, is_known: bool, reason: AnyReason) {
        self.all += 1;
        match is_known {
            true => self.known += 1,
            false => self.unknown[reason as usize] += 1,
        }
    }

    /// Adds the paths of a program. `reason` is that of a value of which nothing is known there.
    pub fn add(&mut self, other: PathCount, reason: AnyReason) {
        self.all += other.all;
        self.known += other.known;
        self.unknown[reason as usize] += other.all - other.known;
    }
}

impl AddAssign for PathCount {
    fn add_assign(&mut self, other: PathCount) {
        self.all += other.all;
        self.known += other.known;
        self.unknown.iter_mut().zip(other.unknown).for_each(|(own, other)| *own += other);
    }
}
