//! Parts of a workflow that run as executions of their own.

use super::call::{Call, Target};

/// The part of a workflow that an execution runs, if it does not run the whole workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The entry of this number.
    Entry(u32),
    /// A run of the distributed Map of this index.
    Map(u32),
}

impl Part {
    /// Returns the number by which engines store the part. The number of an entry is its own.
    pub fn to_number(self) -> i64 {
        match self {
            Part::Entry(entry) => entry.into(),
            Part::Map(index) => -1 - i64::from(index),
        }
    }

    /// Returns the part that is stored as this number.
    pub fn from_number(number: i64) -> Option<Part> {
        match u32::try_from(number) {
            Ok(entry) => Some(Part::Entry(entry)),
            Err(_) => u32::try_from(number.checked_add(1)?.checked_neg()?).ok().map(Part::Map),
        }
    }
}

impl Target {
    /// Returns the part of the calling workflow that the target is, unless it is a workflow.
    pub fn part(&self) -> Option<Part> {
        match self {
            Target::Workflow(_) => None,
            Target::Entry(entry) => Some(Part::Entry(*entry)),
            Target::Map(index) => Some(Part::Map(*index)),
        }
    }
}

impl Call {
    /// Returns the part of the calling workflow that the call starts, unless it starts a workflow.
    pub fn part(&self) -> Option<Part> {
        self.target.part()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_stored_as_a_number() {
        for part in [Part::Entry(0), Part::Entry(u32::MAX), Part::Map(0), Part::Map(7), Part::Map(u32::MAX)] {
            assert_eq!(Part::from_number(part.to_number()), Some(part));
        }
        assert_eq!((Part::Entry(5).to_number(), Part::Map(0).to_number()), (5, -1));
        for number in [i64::MIN, i64::MAX, i64::from(u32::MAX) + 1, -2 - i64::from(u32::MAX)] {
            assert_eq!(Part::from_number(number), None, "{number}");
        }
    }
}
