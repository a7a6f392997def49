//! The cases of the Workflow DSL: `shared/corpus/workflow-dsl`.

mod around;
mod examples;
mod filters;

use super::case::Definition;
use super::corpus::Reader;
use super::rulings::Rulings;
use workflow_compiler::Files;
use workflow_compiler::Options;

/// Known deviations, by a part of the id of a case.
pub const RULINGS: Rulings = Rulings {
    out_of_scope: &[],
    decided_otherwise: &[("#12", "it is about `sleep` alone: what the action calls is left out")],
};

/// Returns the reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "examples.json" => Some(examples::read),
        "filters.json" => Some(filters::read),
        _ => None,
    }
}

fn definition(text: String) -> Definition {
    let options = Options { dialect: Some("workflow-dsl".to_owned()), ..Options::default() };
    Definition { file: "case.workflow-dsl.json".to_owned(), text, options, files: Files::default(), state: None }
}
