//! The cases of Serverless Workflow: `shared/corpus/serverless-workflow`.

mod around;
mod branches;
mod compiles;
mod examples;
mod expected;
mod plan;
mod stubs;
mod transcript;
mod variants;

use super::case::Definition;
use super::corpus::Reader;
use super::rulings::Rulings;
use workflow_compiler::Files;
use workflow_compiler::Options;

/// Known deviations: none.
pub const RULINGS: Rulings = Rulings { out_of_scope: &[], decided_otherwise: &[] };

/// Returns the reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "draft_examples.json" | "draft_kogito.json" => Some(examples::read),
        "draft_must_compile.json" => Some(compiles::read),
        _ => None,
    }
}

fn definition(text: String) -> Definition {
    let options = Options { dialect: Some("serverless-workflow".to_owned()), ..Options::default() };
    Definition { file: file_name(&text).to_owned(), text, options, files: Files::default(), state: None }
}

/// Returns a file name for a text: one of JSON or of YAML.
fn file_name(text: &str) -> &'static str {
    if text.trim_start().starts_with('{') { "case.sw.json" } else { "case.sw.yaml" }
}
