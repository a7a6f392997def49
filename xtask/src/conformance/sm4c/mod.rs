//! The cases of SM4C: `shared/corpus/sm4c`. Their member `about` describes their format.

mod cases;
mod documents;
mod plan;

use super::case::Definition;
use super::corpus::Reader;
use super::rulings::Rulings;
use serde_json::Value;
use workflow_compiler::Options;

/// Known deviations: none.
pub const RULINGS: Rulings = Rulings { out_of_scope: &[], decided_otherwise: &[] };

/// Returns the reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "cases.json" => Some(cases::read),
        _ => None,
    }
}

fn definition(value: &Value) -> Definition {
    let options = Options { dialect: Some("sm4c".to_owned()), ..Options::default() };
    let files = documents::files(value);
    Definition { file: "case.sm4c.json".to_owned(), text: format!("{value:#}\n"), options, files, state: None }
}
