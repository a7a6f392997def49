//! The results of a child execution, as a Map returns or writes them.

use std::sync::Arc;

use super::{ChildOutcome, ChildRecord};
use crate::value::Value;

/// The form in which a Map returns or writes the results of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transformation {
    /// Its record.
    None,
    /// Its output.
    Compact,
    /// The elements of its output if that is an array, else its output.
    Flatten,
}

impl Transformation {
    /// Returns the transformation of this name.
    pub fn named(name: &str) -> Option<Transformation> {
        match name {
            "NONE" => Some(Transformation::None),
            "COMPACT" => Some(Transformation::Compact),
            "FLATTEN" => Some(Transformation::Flatten),
            _ => None,
        }
    }

    /// Returns the results of a child execution: one, or any number of them if it is flattened. A
    /// failure, which the Map tolerates, has one.
    pub fn results(self, record: &ChildRecord) -> Vec<Value> {
        match self {
            Transformation::None => vec![record.to_value()],
            Transformation::Compact | Transformation::Flatten => self.results_of(record.outcome.clone()),
        }
    }

    /// Returns the results of a child execution of which no record is wanted.
    pub fn results_of(self, outcome: ChildOutcome) -> Vec<Value> {
        match (self, outcome) {
            (Transformation::Flatten, ChildOutcome::Succeeded { output: Value::Array(items) }) => {
                Arc::unwrap_or_clone(items).into_vec()
            }
            (_, outcome) => vec![outcome.into_value()],
        }
    }
}
