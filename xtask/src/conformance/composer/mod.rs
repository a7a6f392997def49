//! The cases of OpenWhisk Composer: `shared/corpus/composer`.

mod cases;
mod functions;

use super::case::Definition;
use super::corpus::Reader;
use super::rulings::Rulings;
use serde_json::Value;
use workflow_compiler::Files;
use workflow_compiler::Options;

/// Known deviations, by a part of the id of a case.
pub const RULINGS: Rulings =
    Rulings { out_of_scope: &[], decided_otherwise: &[("edge/throw-rejecting-promise", "Q4: promises are awaited")] };

/// Returns the reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "cases.json" => Some(cases::read),
        "js_functions.json" => Some(functions::read),
        _ => None,
    }
}

fn definition(value: &Value) -> Definition {
    let options = Options { dialect: Some("composer".to_owned()), engine: Some(true), ..Options::default() };
    Definition {
        file: "case.composer.json".to_owned(),
        text: format!("{value:#}\n"),
        options,
        files: Files::default(),
        state: None,
    }
}
