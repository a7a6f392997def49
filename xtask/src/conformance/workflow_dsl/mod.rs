//! The cases of the Workflow DSL: `shared/corpus/workflow-dsl`.

mod filters;

use super::corpus::Reader;
use super::rulings::Rulings;

/// Cases that are known beforehand, by a part of the id: none.
pub const RULINGS: Rulings = Rulings { out_of_scope: &[], decided_otherwise: &[] };

/// The reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "filters.json" => Some(filters::read),
        _ => None,
    }
}
